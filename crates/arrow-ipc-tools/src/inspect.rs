//! Inspects the messages and the footer of an input. Continues after damage.

mod buffers;
mod inspection;
mod lengths;
mod message;
mod plan;
mod unused_bytes;
mod view;

use std::collections::{BTreeMap, HashSet};

use arrow_ipc::{Container, IpcErrorKind};

use self::{
    buffers::ShownBuffers,
    inspection::Inspection,
    lengths::BodySource,
    unused_bytes::UnusedBytes,
    view::{ProgressSink, positioned},
};
pub use self::{
    lengths::{CompressedBody, Length},
    plan::{FetchedInput, InspectPlan, InspectPlanStep},
    view::{InspectItem, InspectSink, Listing, MessageView},
};
use crate::{
    columns::ColumnNames,
    error::{ToolError, ToolErrorKind},
    input::Input,
    observer::{Note, NoteKind, Observer},
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

/// Options for [`inspect`](crate::inspect()).
#[derive(Debug, Clone)]
pub struct InspectOptions {
    with_buffers: bool,
    /// The columns whose buffers are shown; `None` for all columns.
    columns: Option<ColumnNames>,
    /// Whether to search for bytes that no slot uses.
    looks_for_unused: bool,
    /// Whether anything of bodies is read.
    reads_bodies: bool,
}

impl Default for InspectOptions {
    fn default() -> InspectOptions {
        InspectOptions { with_buffers: false, columns: None, looks_for_unused: false, reads_bodies: true }
    }
}

impl InspectOptions {
    /// Shows messages without their buffers.
    pub fn new() -> InspectOptions {
        InspectOptions::default()
    }

    /// Also shows each buffer, with the field and role that it belongs to.
    #[must_use]
    pub fn with_buffers(self) -> InspectOptions {
        InspectOptions { with_buffers: true, ..self }
    }

    /// Shows only the buffers of these columns, including fields inside them and their dictionaries. If a schema
    /// lacks one of the columns, [`inspect`](crate::inspect()) fails.
    #[must_use]
    pub fn with_buffers_of(self, columns: ColumnNames) -> InspectOptions {
        InspectOptions { with_buffers: true, columns: Some(columns), ..self }
    }

    /// Also searches for bytes of bodies that no slot uses. This shows the buffers of all columns, and reads offsets,
    /// views, sizes and indices of uncompressed bodies.
    #[must_use]
    pub fn with_unused_bytes(self) -> InspectOptions {
        InspectOptions { with_buffers: true, looks_for_unused: true, ..self }
    }

    /// Reads nothing of bodies. The decompressed lengths of compressed buffers are then unknown, and no unused bytes are found.
    #[must_use]
    pub fn without_bodies(self) -> InspectOptions {
        InspectOptions { reads_bodies: false, ..self }
    }
}
