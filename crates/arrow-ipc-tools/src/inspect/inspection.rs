//! The state of an inspection, which goes through the messages of streams, and of files and their footers.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
};

use arrow_ipc::{
    Container, ErrorClass, FormatErrorKind, IpcError, IpcErrorKind, IpcSchema, Limits, MessageKind, Source,
    UnsupportedColumn,
    file::{Block, Footer},
    message::{Header, Message},
};
use arrow_schema::Metadata;

use super::{
    buffers::ShownBuffers,
    lengths::{BodySource, CompressedBody},
    unused_bytes::{BodyBudget, UnusedBytes, needed_ranges},
    view::{InspectItem, Listing, ProgressSink},
};
use crate::{
    error::{
        Contradiction, InputContext, ToolError, ToolErrorKind, name::InputName, trailing::TrailingBytes,
    },
    input::Input,
    source::{SharedSource, before_footer::BytesBeforeFooter},
    walk::{
        StreamSuccessor, Walk,
        footer_check::{Agreement, compare_schemas},
        missing_schema,
    },
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
    pub(super) fn stream(&mut self, input: Input) -> Result<(), ToolError> {
        self.report.observe(InspectItem::Container(Container::Stream, input.n_bytes()))?;
        self.end = input.n_bytes();
        let mut walk = Walk::open_metadata(input)?;
        self.bodies = match walk.source() {
            _ if !self.reads_bodies => BodySource::Unread,
            Some(file) => BodySource::InFile(file.clone()),
            None => BodySource::InMessages,
        };
        loop {
            self.walk(&mut walk, &mut HashMap::new(), |_| Listing::NoFooter)?;
            let is_sound = self.errors.is_empty();
            let is_empty = is_sound && self.schema.is_none() && !self.has_tensors;
            if is_empty {
                self.broken(missing_schema(&walk));
            }
            self.report.observe(InspectItem::end_of(&walk))?;
            if !is_sound {
                return Ok(());
            }
            let end = walk.position();
            match walk.after_end() {
                // What follows an end marker alone may be the rest of an input whose start was overwritten.
                Err(error) if is_empty && error.class() != ErrorClass::Io => {
                    let start = error.location().byte_offset.unwrap_or(end);
                    // Of a pipe, a prefix was read.
                    let n_bytes = self.end.map_or(8, |end| end.saturating_sub(start));
                    self.rest = Some(TrailingBytes::new(start, n_bytes));
                    return Ok(());
                }
                Ok(StreamSuccessor::Nothing) => return Ok(()),
                Ok(StreamSuccessor::Other(rest)) => {
                    self.rest = Some(rest);
                    return Ok(());
                }
                Ok(StreamSuccessor::Stream(next)) => walk = *next,
                Err(error) => {
                    self.broken(error);
                    return Ok(());
                }
            }
            // The next stream has its own schema and dictionaries.
            self.schema = None;
            self.dictionary_ids.clear();
            self.buffers.forget_names();
        }
    }

    /// Inspects the messages in the order of the file, then messages that only the footer lists, then the footer.
    pub(super) fn file(&mut self, input: Input) -> Result<(), ToolError> {
        let name = self.name.clone();
        let file = input.into_source()?;
        self.bodies = if self.reads_bodies { BodySource::InFile(file.clone()) } else { BodySource::Unread };
        let n_bytes = file.n_bytes().in_input(&name)?;
        self.report.observe(InspectItem::Container(Container::File, Some(n_bytes)))?;
        let footer = match Footer::read(&file, &self.limits) {
            Ok(footer) => Some(footer),
            Err(error) => {
                self.broken(error);
                None
            }
        };
        // A footer that cannot be read still ends the messages.
        let end = match &footer {
            Some(footer) => footer.position(),
            None => Footer::find_position(&file, &self.limits).in_input(&name)?.unwrap_or(n_bytes),
        };
        self.end = Some(end);
        self.footer_schema = footer.as_ref().map(|footer| footer.ipc_schema().clone());
        self.agreement = footer.as_ref().map(Agreement::new);
        let mut blocks = footer.as_ref().map(listed).unwrap_or_default();
        self.footer = footer.clone();
        let mut walk = Walk::file(file.clone(), footer.as_ref(), end).in_input(&name)?;
        let has_footer = footer.is_some();
        let unlisted = |kind| {
            if has_footer && kind != MessageKind::Schema { Listing::Missing } else { Listing::NoFooter }
        };
        self.walk(&mut walk, &mut blocks, unlisted)?;
        self.report.observe(InspectItem::end_of(&walk))?;
        if let Some(footer) = &footer {
            self.blocks_left(&file, footer, blocks)?;
            self.use_footer_schema()?;
            self.check_needed_ids();
            self.report.observe(InspectItem::footer(footer, n_bytes))?;
            let compared = self.schema.as_ref().map(|(schema, whole)| compare_schemas(schema, whole, footer));
            self.disagreement = compared.and_then(Result::err);
            // Damage may hide messages, so the footer is only compared with an undamaged stream.
            if let Some(agreement) = self.agreement.take()
                && self.errors.is_empty()
                && self.disagreement.is_none()
            {
                match agreement.end(&walk, &file, footer).in_input(&name)? {
                    Ok(before) => self.before_footer = before,
                    Err(what) => self.disagreement = Some(what),
                }
            }
            let unsupported = footer.ipc_schema().unsupported_columns().first();
            // Skipped after another error, because the input is already reported as damaged. The schema message may
            // also have reported these columns.
            if self.errors.is_empty()
                && self.buffers.are_of_all_columns()
                && let Some(Err(error)) = unsupported.map(UnsupportedColumn::refuse)
            {
                self.broken(error.into());
            }
        }
        Ok(())
    }

    /// Inspects all messages of the walk, and removes their blocks from `blocks`.
    fn walk(
        &mut self,
        walk: &mut Walk,
        blocks: &mut BlockNumbers,
        unlisted: impl Fn(MessageKind) -> Listing,
    ) -> Result<(), ToolError> {
        // The number of messages whose metadata is read before their bodies.
        let n_at_once = if walk.source().is_some_and(|source| source.is_far()) { 256 } else { 1 };
        loop {
            let mut messages = Vec::with_capacity(n_at_once);
            let mut end = None;
            while end.is_none() && messages.len() < n_at_once {
                match walk.next_message() {
                    Ok(Some(message)) => messages.push(message),
                    Ok(None) => end = Some(Ok(())),
                    Err(error) => end = Some(Err(error)),
                }
            }
            for (idx, message) in messages.iter().enumerate() {
                if idx == 0 || messages.get(idx - 1).is_some_and(|last| last.kind() == MessageKind::Schema) {
                    self.prefetch(messages.get(idx..).unwrap_or_default())?;
                }
                self.agreement.iter_mut().for_each(|agreement| agreement.message(message));
                let listed = blocks.remove(&(message.position(), message.kind()));
                let listing = listed.map_or_else(|| unlisted(message.kind()), Listing::Block);
                self.message(message, Some(message.index()), listing)?;
            }
            if let Some(end) = end {
                end.unwrap_or_else(|error| self.broken(error));
                return Ok(());
            }
        }
    }

    /// Fetches the needed ranges of these bodies together, if requests have a high latency.
    fn prefetch(&mut self, messages: &[Message]) -> Result<(), ToolError> {
        if !self.bodies.are_far() {
            return Ok(());
        }
        if messages.first().is_some_and(|message| message.kind() != MessageKind::Schema) {
            self.use_footer_schema()?;
        }
        let mut budget = self
            .unused
            .is_some()
            .then(|| self.budget.take().unwrap_or_else(|| BodyBudget::new(&self.bodies)));
        let mut ranges = Vec::new();
        for message in messages {
            let header = message.header(&self.limits).ok();
            if let Some(Header::RecordBatch(batch) | Header::DictionaryBatch { batch, .. }) = &header {
                ranges.extend(CompressedBody::needed_ranges(message, batch));
            }
            if let (Some(budget), Some(map), Some(header)) = (&mut budget, self.buffers.map(), &header) {
                ranges.extend(needed_ranges(message, (map, header), budget));
            }
        }
        self.budget = budget;
        self.bodies.prefetch(ranges);
        Ok(())
    }

    /// Inspects the messages that only the footer lists, each once, even if the footer lists it several times.
    /// Overlapping blocks may have more metadata in total than the file, so this stops after reading four times the
    /// length of the file.
    fn blocks_left(
        &mut self,
        file: &SharedSource,
        footer: &Footer,
        mut left: BlockNumbers,
    ) -> Result<(), ToolError> {
        const MAX_TIMES: u64 = 4;
        let n_available = footer.position();
        let mut n_read = 0u64;
        for (kind, _, block) in footer_blocks(footer) {
            let Some(block_idx) = left.remove(&(block.position(), kind)) else { continue };
            let range = block.position()..footer.position();
            n_read = n_read.saturating_add(n_declared_bytes(file, &range));
            let message = if n_read > n_available.saturating_mul(MAX_TIMES) {
                Err(IpcErrorKind::BlocksOverlap { n_bytes: n_read, n_available }.into())
            } else {
                file.scan(range).and_then(|mut scan| scan.next_message())
            };
            let missing = || {
                IpcErrorKind::Format(FormatErrorKind::Missing { what: "the message of the footer's block" })
                    .into()
            };
            match message.and_then(|message| message.ok_or_else(missing)) {
                Ok(message) => self.message(&message, None, Listing::Block(block_idx))?,
                Err(error) => {
                    let is_end = matches!(error.kind(), IpcErrorKind::BlocksOverlap { .. });
                    let position = block.position();
                    self.damaged(ToolErrorKind::Block { kind, position, error });
                    if is_end {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

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
}

/// The index of each block in its list of the footer, by the position and kind of its message. If several blocks
/// have the same position, the first counts.
type BlockNumbers = HashMap<(u64, MessageKind), usize>;

fn listed(footer: &Footer) -> BlockNumbers {
    let mut listed = BlockNumbers::new();
    for (kind, block_idx, block) in footer_blocks(footer) {
        listed.entry((block.position(), kind)).or_insert(block_idx);
    }
    listed
}

/// All blocks of the footer: dictionaries, then record batches.
fn footer_blocks(footer: &Footer) -> impl Iterator<Item = (MessageKind, usize, &Block)> {
    let dictionaries = footer.dictionaries().iter().enumerate();
    let batches = footer.batches().iter().enumerate();
    dictionaries
        .map(|(block_idx, block)| (MessageKind::DictionaryBatch, block_idx, block))
        .chain(batches.map(|(block_idx, block)| (MessageKind::RecordBatch, block_idx, block)))
}

/// The length of the metadata according to the prefix at the start of a range. At most the length of the range.
fn n_declared_bytes(file: &SharedSource, range: &Range<u64>) -> u64 {
    let n_bytes = range.end.saturating_sub(range.start);
    let prefix = file.fetch(range.start..range.start.saturating_add(n_bytes.min(8)));
    let word = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
    // If the prefix cannot be read, the scan of the message returns the error.
    let declared = prefix.map_or(0, |prefix| match word(&prefix) {
        u32::MAX => word(prefix.get(4..).unwrap_or_default()),
        legacy => legacy,
    });
    u64::from(declared).min(n_bytes)
}
