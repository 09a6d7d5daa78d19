//! Messages that contradict the schema, themselves, messages before them, or the footer, as far as metadata tells.

use arrow_ipc::{
    BufferMap, Container, IpcError, IpcErrorKind,
    message::{Header, Message},
};

use super::{
    Inspection,
    lengths::{CompressedBody, Length},
    view::Listing,
};
use crate::error::ToolErrorKind;

impl Inspection<'_> {
    /// Why a message cannot be read though its metadata can. Notes the dictionaries that it defines and needs.
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
            Header::Schema(_) | Header::RecordBatch(_) | Header::Tensor(_) | Header::SparseTensor(_) | _ => {
                None
            }
        };
        let missing = self.missing_dictionary(message, header);
        listed.or(kind.or(missing).map(IpcError::from))
    }

    /// The error for a dictionary that the message has valid indices into, and that was not defined before. In a file,
    /// it may be defined later.
    fn missing_dictionary(&mut self, message: &Message, header: &Header) -> Option<IpcErrorKind> {
        let map = self.buffers.map()?;
        let (dictionary, batch) = of_batch(header)?;
        for (node_idx, node) in batch.nodes().iter().enumerate() {
            let has_valid_slots = node.n_nulls().is_some_and(|n_nulls| n_nulls < node.n_slots());
            let id = map.dictionary_of(dictionary, node_idx).filter(|_| has_valid_slots);
            let Some(id) = id.filter(|id| !self.dictionary_ids.contains(id)) else { continue };
            if self.container == Container::Stream {
                return Some(IpcErrorKind::MissingDictionary { id });
            }
            self.needed_ids.entry(id).or_insert((message.index(), message.position()));
        }
        None
    }

    /// Reports the dictionaries that batches of a file need and no message defines.
    pub(super) fn check_needed_ids(&mut self) {
        for (id, (index, position)) in std::mem::take(&mut self.needed_ids) {
            if !self.dictionary_ids.contains(&id) {
                let error = IpcErrorKind::MissingDictionary { id }.into();
                self.damaged(ToolErrorKind::Message { index: Some(index), position, error });
            }
        }
    }
}

/// The batch of a message, and the id of its dictionary if it is a dictionary batch.
fn of_batch(header: &Header) -> Option<(Option<i64>, &arrow_ipc::message::BatchHeader)> {
    match header {
        Header::RecordBatch(batch) => Some((None, batch)),
        Header::DictionaryBatch { id, batch, .. } => Some((Some(*id), batch)),
        Header::Schema(_) | Header::Tensor(_) | Header::SparseTensor(_) | _ => None,
    }
}

/// Why a batch contradicts the schema or itself.
pub(super) fn of_structure(
    message: &Message,
    map: &BufferMap,
    header: &Header,
    compression: Option<&CompressedBody>,
) -> Option<IpcError> {
    let (dictionary, batch) = of_batch(header)?;
    let checked = map.check(dictionary, batch, message.version(), |buffer_idx, range| match compression {
        None => Some(range.n_bytes()),
        Some(body) => body.length(buffer_idx).map(Length::n_bytes),
    });
    checked.err()
}
