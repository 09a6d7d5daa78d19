//! Inspects the messages and the footer of an input. Continues after damage.

mod blocks;
mod buffers;
mod inspection;
mod lengths;
mod options;
mod plan;
mod progress;
mod unused;
mod view;
mod walked;

use std::collections::{BTreeMap, HashMap, HashSet};

use arrow_ipc::{
    Container, ErrorClass, IpcError, IpcErrorKind, MessageKind, Source, UnsupportedColumn,
    file::Footer,
    message::{Header, Message},
};
use arrow_ipc_tensor::AnyTensorHeader;

use self::{
    blocks::listed,
    buffers::ShownBuffers,
    inspection::{Inspection, structure_error},
    lengths::BodySource,
    progress::{ProgressSink, positioned},
    unused::UnusedBytes,
    view::batch_of,
};
pub use self::{
    lengths::{CompressedBody, Length},
    options::InspectOptions,
    plan::{FetchedInput, InspectPlan, InspectPlanStep},
    view::{InspectItem, InspectSink, Listing, MessageView},
};
use crate::{
    error::{InputContext, ToolError, ToolErrorKind, trailing::TrailingBytes},
    input::Input,
    observer::{Note, NoteKind, Observer},
    walk::{
        StreamSuccessor, Walk,
        agreement::{Agreement, compare_schemas},
        missing_schema,
    },
};

/// The damage and the notes of a finished inspection.
#[derive(Debug, Default)]
pub struct InspectReport {
    /// The first 1,000 errors, in the order in which they were found.
    pub damage: Vec<ToolError>,
    /// The number of all errors, including those that are not in `damage`.
    pub n_damage: u64,
    /// Notes about a footer that disagrees with the stream inside its file, and about bytes after the last stream.
    pub notes: Vec<Note>,
    /// The number of body bytes that no slot uses, as far as they were found. 0 unless the options ask for the
    /// [search](InspectOptions::with_unused_bytes).
    pub n_unused_bytes: u64,
    /// Whether the search has found values of dictionaries to which no index refers.
    pub has_unused_values: bool,
}

/// Passes each message, each end of a stream, and the footer to `report`. Continues after damage, and returns a list
/// of all damage.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use arrow_ipc::{FileWriter, MessageKind};
/// use arrow_ipc_tools::{Input, InspectOptions, InspectSink, inspect, inspect::InspectItem};
///
/// #[derive(Default)]
/// struct Kinds(Vec<MessageKind>);
///
/// impl InspectSink for Kinds {
///     fn item(&mut self, item: InspectItem<'_>) -> ControlFlow<()> {
///         if let InspectItem::Message(view) = item {
///             self.0.push(view.message.kind());
///         }
///         ControlFlow::Continue(())
///     }
/// }
///
/// let schema = "id: int64".parse::<arrow_schema::Schema>()?;
/// let file = FileWriter::try_new(Vec::new(), schema)?.finish()?;
/// let mut kinds = Kinds::default();
/// let input = Input::try_from_buffer("file", file.into())?;
/// let inspected = inspect(input, &InspectOptions::new(), &mut kinds, &mut ())?;
/// assert_eq!(kinds.0, [MessageKind::Schema]);
/// assert!(inspected.damage.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the input cannot be read, or lacks a requested column. If the report or the observer stops the inspection.
pub fn inspect(
    input: Input,
    options: &InspectOptions,
    report: &mut dyn InspectSink,
    observer: &mut dyn Observer,
) -> Result<InspectReport, ToolError> {
    if input.container() == Container::FeatherV1 {
        let expected = "an Arrow IPC stream or file";
        let error = IpcErrorKind::WrongContainer { expected, found: Container::FeatherV1 };
        return Err(ToolError::new(input.name(), ToolErrorKind::Input(error.into())));
    }
    let input = positioned(input)?;
    let mut inspection = Inspection {
        name: input.name().clone(),
        limits: input.limits().clone(),
        report: ProgressSink::begin(report, observer, &input)?,
        buffers: ShownBuffers::new(options),
        bodies: BodySource::InMessages,
        reads_bodies: options.reads_bodies,
        budget: None,
        unused: options.looks_for_unused.then(UnusedBytes::default),
        end: None,
        schema: None,
        footer_schema: None,
        has_tensors: false,
        dictionary_ids: HashSet::new(),
        needed_ids: BTreeMap::new(),
        container: input.container(),
        footer: None,
        agreement: None,
        disagreement: None,
        before_footer: None,
        rest: None,
        errors: Vec::new(),
        n_errors: 0,
    };
    if input.container() == Container::File {
        inspection.file(input)?;
    } else {
        inspection.stream(input)?;
    }
    let Inspection { name, disagreement, before_footer, rest, errors, n_errors, unused, .. } = inspection;
    let (n_unused_bytes, has_unused_values) = unused.map(UnusedBytes::finish).unwrap_or_default();
    let notes = [
        disagreement.map(NoteKind::Contradiction),
        before_footer.map(NoteKind::BeforeFooter),
        rest.map(NoteKind::TrailingBytes),
    ];
    let notes = notes.into_iter().flatten().map(|kind| Note { input: name.clone(), kind });
    let notes = notes.collect();
    Ok(InspectReport { damage: errors, n_damage: n_errors, notes, n_unused_bytes, has_unused_values })
}

impl Inspection<'_> {
    fn stream(&mut self, input: Input) -> Result<(), ToolError> {
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
    fn file(&mut self, input: Input) -> Result<(), ToolError> {
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

    fn message(&mut self, message: &Message, index: Option<u64>, listing: Listing) -> Result<(), ToolError> {
        let header = self.buffers.header(message, &self.limits);
        let (header, tensor) = match header {
            Ok(header @ (Header::Tensor | Header::SparseTensor)) => {
                match AnyTensorHeader::try_from_message(message, &self.limits) {
                    Ok(tensor) => (Ok(header), Some(tensor)),
                    Err(error) => (Err(error), None),
                }
            }
            header => (header, None),
        };
        match &header {
            Ok(Header::Schema(schema)) => {
                self.footer_schema = None;
                self.name_buffers(schema)?;
            }
            Ok(Header::RecordBatch(_) | Header::DictionaryBatch { .. }) => self.use_footer_schema()?,
            _ => {}
        }
        self.has_tensors |= matches!(header, Ok(Header::Tensor | Header::SparseTensor));
        let is_replacement = match &header {
            Ok(Header::DictionaryBatch { id, is_delta, .. }) => self.dictionary_ids.contains(id) && !is_delta,
            _ => false,
        };
        let contradiction =
            header.as_ref().ok().and_then(|header| self.contradiction(message, header, listing));
        let buffer_map = self.buffers.message_map(&header, message.version());
        let metadata = message.custom_metadata().map_err(IpcError::from);
        if let (Ok(Header::Schema(schema)), Ok(whole), None) = (&header, &metadata, &self.schema) {
            self.schema = Some((schema.clone(), whole.clone()));
        }
        let batch = header.as_ref().ok().and_then(batch_of);
        let compression = batch.and_then(|(_, batch)| CompressedBody::read(message, batch, &self.bodies));
        let structure = match (&header, &buffer_map) {
            (Ok(header), Some(Ok(map))) => structure_error(message, map, header, compression.as_ref()),
            _ => None,
        };
        let n_body_bytes = message.n_body_bytes();
        let body_end = message.body_position().saturating_add(n_body_bytes);
        let n_missing_bytes = self.end.map_or(0, |end| body_end.saturating_sub(end).min(n_body_bytes));
        let view = MessageView {
            message,
            index,
            header,
            tensor,
            is_replacement,
            compression,
            metadata,
            buffer_map,
            wanted: self.buffers.wanted(),
            listing,
            n_missing_bytes,
            contradiction: contradiction.or(structure),
        };
        if let Some(unused) = &mut self.unused {
            unused.message(&view, &self.bodies);
        }
        self.report.observe(InspectItem::Message(&view))?;
        let MessageView { header, compression, metadata, buffer_map, contradiction, .. } = view;
        let compression = compression.and_then(|compression| compression.error);
        let buffers = buffer_map.and_then(Result::err);
        let errors = [header.err(), metadata.err(), compression, buffers, contradiction];
        for error in errors.into_iter().flatten() {
            let position = message.position();
            self.damaged(ToolErrorKind::Message { index, position, error });
        }
        Ok(())
    }
}
