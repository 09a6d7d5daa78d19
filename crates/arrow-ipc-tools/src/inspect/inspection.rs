//! The state of an inspection. Compares the metadata of each message with the schema, earlier messages, and the footer.

use std::collections::{BTreeMap, HashSet};

use arrow_ipc::{
    BufferMap, Container, IpcError, IpcErrorKind, IpcSchema, Limits,
    file::Footer,
    message::{Header, Message},
};
use arrow_schema::Metadata;

use super::{
    buffers::ShownBuffers,
    lengths::{BodySource, CompressedBody, Length},
    progress::ProgressSink,
    unused::{BodyBudget, UnusedBytes},
    view::{InspectItem, Listing, batch_of},
};
use crate::{
    error::{
        Contradiction, InputContext, ToolError, ToolErrorKind, name::InputName, trailing::TrailingBytes,
    },
    source::before_footer::BytesBeforeFooter,
    walk::agreement::Agreement,
};

pub(super) struct Inspection<'a> {
    pub(super) name: InputName,
    pub(super) limits: Limits,
    pub(super) report: ProgressSink<'a>,
    pub(super) buffers: ShownBuffers,
    pub(super) bodies: BodySource,
    pub(super) reads_bodies: bool,
    /// How many bytes of bodies may still be read to search for unused bytes; `None` without this search.
    pub(super) budget: Option<BodyBudget>,
    /// The search for unused bytes, if it was requested.
    pub(super) unused: Option<UnusedBytes>,
    /// The byte offset at which the last body must end; `None` if it is unknown.
    pub(super) end: Option<u64>,
    pub(super) schema: Option<(IpcSchema, Metadata)>,
    /// The schema of the footer, until a schema message is found, or an item has used this schema.
    pub(super) footer_schema: Option<IpcSchema>,
    /// Whether a tensor was found. Tensors need no schema.
    pub(super) has_tensors: bool,
    /// The ids of the dictionaries that were defined up to now.
    pub(super) dictionary_ids: HashSet<i64>,
    /// The ids of dictionaries that a batch needs and no earlier message defines. Each id has the index and the
    /// position of the first batch that needs it.
    pub(super) needed_ids: BTreeMap<i64, (u64, u64)>,
    pub(super) container: Container,
    pub(super) footer: Option<Footer>,
    /// Compares the messages with the footer.
    pub(super) agreement: Option<Agreement>,
    /// The difference between the stream inside a file and the footer.
    pub(super) disagreement: Option<Contradiction>,
    /// Harmless bytes between the stream inside a file and the footer.
    pub(super) before_footer: Option<BytesBeforeFooter>,
    /// Trailing bytes after the last stream.
    pub(super) rest: Option<TrailingBytes>,
    /// The first errors. Limited in number, because every message may be damaged.
    pub(super) errors: Vec<ToolError>,
    pub(super) n_errors: u64,
}

/// The maximal number of errors in the list.
const MAX_ERRORS: usize = 1_000;

impl Inspection<'_> {
    /// Uses the schema of the footer for the next item, if there was no schema message.
    pub(super) fn use_footer_schema(&mut self) -> Result<(), ToolError> {
        let Some(schema) = self.footer_schema.take() else { return Ok(()) };
        self.name_buffers(&schema)?;
        self.report.observe(InspectItem::FooterSchema(&schema))
    }

    /// Names the buffers of later messages by this schema.
    ///
    /// # Errors
    /// If a column whose buffers are requested does not exist, or is of an unknown type.
    pub(super) fn name_buffers(&mut self, schema: &IpcSchema) -> Result<(), ToolError> {
        if let Some(unused) = &mut self.unused {
            unused.begin_stream(schema.endianness());
        }
        let contradiction = self.buffers.name_by(schema).in_input(&self.name)?;
        contradiction.into_iter().for_each(|error| self.broken(error));
        Ok(())
    }

    pub(super) fn broken(&mut self, error: IpcError) {
        self.damaged(ToolErrorKind::Input(error));
    }

    pub(super) fn damaged(&mut self, kind: ToolErrorKind) {
        self.n_errors = self.n_errors.saturating_add(1);
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(ToolError::new(&self.name, kind));
        }
    }

    /// The reason why a message cannot be decoded, although its metadata is readable. Also records the dictionaries
    /// that the message defines or needs.
    pub(super) fn contradiction(
        &mut self,
        message: &Message,
        header: &Header,
        listing: Listing,
    ) -> Option<IpcError> {
        let is_stream = self.container == Container::Stream;
        let listed = match (&self.footer, listing) {
            (Some(footer), Listing::Block(block_idx)) => footer.check_block(block_idx, message, header).err(),
            _ => None,
        };
        let kind = match header {
            Header::Schema(_) if is_stream && self.schema.is_some() => Some(IpcErrorKind::SecondSchema),
            Header::DictionaryBatch { id, is_delta, .. } => {
                let is_first = self.dictionary_ids.insert(*id);
                match (is_first, is_delta) {
                    (true, true) if is_stream => Some(IpcErrorKind::DeltaOfMissing { id: *id }),
                    (false, false) if matches!(listing, Listing::Block(_)) => {
                        Some(IpcErrorKind::SecondDictionary { id: *id })
                    }
                    _ => None,
                }
            }
            Header::Schema(_) | Header::RecordBatch(_) | Header::Tensor | Header::SparseTensor => None,
        };
        let missing = self.missing_dictionary(message, header);
        listed.or(kind.or(missing).map(IpcError::from))
    }

    /// The error if a message has valid indices into a dictionary that was not defined before. In a file, a later
    /// message may still define the dictionary, so its id is only recorded.
    fn missing_dictionary(&mut self, message: &Message, header: &Header) -> Option<IpcErrorKind> {
        let map = self.buffers.map()?;
        let (dictionary, batch) = batch_of(header)?;
        for (node_idx, node) in batch.nodes().iter().enumerate() {
            let has_valid_slots = node.null_count().is_some_and(|null_count| null_count < node.n_slots());
            let id = if has_valid_slots { map.dictionary_of(dictionary, node_idx) } else { None };
            let Some(id) = id.filter(|id| !self.dictionary_ids.contains(id)) else { continue };
            if self.container == Container::Stream {
                return Some(IpcErrorKind::MissingDictionary { id });
            }
            self.needed_ids.entry(id).or_insert((message.index(), message.position()));
        }
        None
    }

    /// Reports the dictionaries that batches of a file need, but no message defines.
    pub(super) fn check_needed_ids(&mut self) {
        for (id, (index, position)) in std::mem::take(&mut self.needed_ids) {
            if !self.dictionary_ids.contains(&id) {
                let error = IpcErrorKind::MissingDictionary { id }.into();
                self.damaged(ToolErrorKind::Message { index: Some(index), position, error });
            }
        }
    }
}

/// The error if a batch contradicts the schema or itself.
pub(super) fn structure_error(
    message: &Message,
    map: &BufferMap,
    header: &Header,
    compression: Option<&CompressedBody>,
) -> Option<IpcError> {
    let (dictionary, batch) = batch_of(header)?;
    let checked = map.check(dictionary, batch, message.version(), |buffer_idx, range| match compression {
        None => Some(range.n_bytes()),
        Some(body) => body.length(buffer_idx).map(Length::n_bytes),
    });
    checked.err().map(IpcError::from)
}
