//! Why a tool failed: the input, a cause and the position.

use std::{error, fmt, io, sync::Arc};

use arrow_array::ArrayError;
use arrow_compute::{CastError, PredicateError, StatisticsError};
use arrow_data::DataError;
use arrow_ipc::{IpcError, IpcErrorKind, MessageKind};
use arrow_schema::{LookupError, Quoted, QuotedName, Schema, SchemaDifference};

use crate::{
    contradiction::{Contradiction, ShowColumns},
    counted::{Counted, Grouped},
    foreign::Foreign,
    name::InputName,
    trailing::{NoEndMarker, TrailingBytes},
};

/// Why a tool failed, and with which input.
///
/// ```
/// use arrow_ipc_tools::{Input, ToolErrorKind, ValidateOptions, validate};
///
/// let input = Input::try_from_buffer("upload 17", b"not Arrow".to_vec().into());
/// let error = input.and_then(|input| validate(input, &ValidateOptions::new(), &mut ())).unwrap_err();
/// assert!(matches!(error.kind(), ToolErrorKind::NotArrow { .. }));
/// assert_eq!(error.to_string(), "upload 17: neither an Arrow IPC file nor a stream");
/// ```
#[derive(Debug)]
pub struct ToolError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    input: InputName,
    kind: ToolErrorKind,
}

/// The cause of a [`ToolError`]. Programs map each kind to a status, so no other kinds are hidden.
#[derive(Debug)]
pub enum ToolErrorKind {
    /// The input cannot be read.
    Read(io::Error),
    /// A pipe cannot be copied to a temporary file.
    Spool(io::Error),
    /// The input has no bytes.
    Empty,
    /// The input is neither a file nor a stream.
    NotArrow {
        /// Its format, as far as its first bytes tell.
        found: Option<Foreign>,
    },
    /// The input fails, is malformed, unsupported, or over a limit.
    Input(IpcError),
    /// As `Input`, in a stream after the first.
    LaterStream {
        /// The position where the stream begins. Positions in the error are counted from there.
        position: u64,
        /// The error.
        error: IpcError,
    },
    /// A stream after the first has other columns.
    OtherColumns {
        /// Where the stream begins.
        position: u64,
        /// The first difference.
        error: SchemaDifference,
    },
    /// An input has other columns than the first one.
    OtherInput {
        /// The first input.
        first: InputName,
        /// The first difference.
        error: SchemaDifference,
    },
    /// Bytes follow the last stream.
    TrailingBytes(TrailingBytes),
    /// The last stream has no end marker, which was [required](crate::ValidateOptions::requiring_end).
    NoEndMarker {
        /// The position where the stream ends.
        position: u64,
    },
    /// A stream begins after tensors.
    StreamAfterTensors {
        /// The position where the stream begins.
        position: u64,
    },
    /// The input has only tensors, and no rows.
    TensorsAlone,
    /// A batch of a file cannot be read.
    Batch {
        /// The number of the batch, from 0.
        batch_idx: usize,
        /// The error.
        error: IpcError,
    },
    /// A message that only the footer refers to cannot be read.
    Block {
        /// The kind in the footer.
        kind: MessageKind,
        /// The position in the footer.
        position: u64,
        /// The error.
        error: IpcError,
    },
    /// A message cannot be read, but others can.
    Message {
        /// Its number in the stream, from 0; `None` if only the footer refers to it.
        index: Option<u64>,
        /// The position of the message.
        position: u64,
        /// The error.
        error: IpcError,
    },
    /// Values are not valid.
    Values(ArrayError),
    /// Values are invalid, which was found while counting them.
    Statistics(StatisticsError),
    /// A row of text cannot be read.
    #[cfg(feature = "json")]
    Row(arrow_text::RowError),
    /// A column cannot be cast to the requested type.
    Cast {
        /// The name of the column.
        column: String,
        /// The error.
        error: CastError,
    },
    /// The footer of a file and the stream inside contradict each other.
    Contradiction(Contradiction),
    /// No column or field has the name, or more than one has.
    Columns {
        /// The error.
        error: LookupError,
        /// The columns that there are.
        schema: Arc<Schema>,
    },
    /// A path leads into a type that can only be selected as a whole, or to values that cannot have the nulls of their parents.
    Path(DataError),
    /// The condition on rows does not fit the columns, or cannot be answered.
    Condition(PredicateError),
    /// The names of the selected fields are too long in total: each is the whole path of its field.
    LongNames {
        /// The limit for all names together.
        max_bytes: u64,
    },
    /// Cutting a batch would give more batches than its bytes allow, since few bytes can claim any number of rows.
    TooManyPieces {
        /// The number of rows to cut.
        n_rows: u64,
        /// The number of batches that these rows would give.
        n_pieces: u64,
        /// The greatest number of batches that is allowed.
        max_pieces: u64,
    },
    /// Rows that are kept, to be joined or shown at the end, take too much memory, since few bytes can decompress to any
    /// number.
    RowMemory {
        /// How many bytes the rows take so far.
        n_bytes: u64,
        /// How many bytes they may take.
        max_bytes: u64,
    },
    /// A column would get the name of another one.
    RepeatedName {
        /// The name.
        name: String,
    },
    /// Two rows have the same key.
    RepeatedKey {
        /// The columns and values of the key.
        key: String,
        /// The numbers of the rows, from 0.
        rows: [u64; 2],
    },
    /// A column of the key has values in one input that cannot equal those in the other.
    KeyTypes {
        /// The name of the column.
        column: String,
        /// The types in both inputs.
        types: [String; 2],
    },
    /// A column cannot name the folders of a data set.
    FolderColumn {
        /// The name of the column.
        column: String,
        /// Why not.
        why: &'static str,
    },
    /// Rows would have to be written to too many outputs.
    TooManyParts {
        /// How many there may be.
        max: usize,
    },
    /// A range of batches or rows begins after the last one.
    PastEnd {
        /// "batch" or "row".
        what: &'static str,
        /// The number of the first selected row or batch, from 0.
        index: u64,
        /// The number of batches or rows.
        count: u64,
    },
    /// A data set has no files, or its files have changed or do not fit together.
    #[cfg(feature = "json")]
    Set(arrow_ipc_dataset::DatasetErrorKind),
    /// The output cannot be written, or cannot hold a part of the input.
    Output(IpcError),
    /// The observer or the report stopped the work.
    Stopped,
}

impl ToolError {
    /// An error about this input.
    pub fn new(input: InputName, kind: ToolErrorKind) -> ToolError {
        ToolError(Box::new(Inner { input, kind }))
    }

    /// The name of the input.
    pub fn input(&self) -> &InputName {
        &self.0.input
    }

    /// The cause.
    pub fn kind(&self) -> &ToolErrorKind {
        &self.0.kind
    }

    /// The cause, without the name of the input.
    pub fn into_kind(self) -> ToolErrorKind {
        self.0.kind
    }

    /// The error of `arrow-ipc`, if that is the cause; it has a location and a class.
    pub fn ipc_error(&self) -> Option<&IpcError> {
        self.cause().0
    }

    /// The position in the input of the error, or of its stream, message or block; `None` if that is unknown.
    pub fn position(&self) -> Option<u64> {
        self.cause().1
    }

    fn cause(&self) -> (Option<&IpcError>, Option<u64>) {
        match self.kind() {
            ToolErrorKind::Input(error) | ToolErrorKind::Batch { error, .. } => {
                (Some(error), error.location().byte_offset())
            }
            ToolErrorKind::LaterStream { position, error } => {
                let found = error.location().byte_offset().unwrap_or_default();
                (Some(error), Some(position.saturating_add(found)))
            }
            ToolErrorKind::Block { position, error, .. } | ToolErrorKind::Message { position, error, .. } => {
                (Some(error), Some(*position))
            }
            ToolErrorKind::Output(error) => (Some(error), None),
            ToolErrorKind::OtherColumns { position, .. }
            | ToolErrorKind::NoEndMarker { position }
            | ToolErrorKind::StreamAfterTensors { position } => (None, Some(*position)),
            ToolErrorKind::TrailingBytes(rest) => (None, Some(rest.start())),
            ToolErrorKind::Read(_)
            | ToolErrorKind::Spool(_)
            | ToolErrorKind::Empty
            | ToolErrorKind::NotArrow { .. }
            | ToolErrorKind::OtherInput { .. }
            | ToolErrorKind::TensorsAlone
            | ToolErrorKind::Values(_)
            | ToolErrorKind::Statistics(_)
            | ToolErrorKind::Cast { .. }
            | ToolErrorKind::Contradiction(_)
            | ToolErrorKind::Columns { .. }
            | ToolErrorKind::Path(_)
            | ToolErrorKind::Condition(_)
            | ToolErrorKind::LongNames { .. }
            | ToolErrorKind::TooManyPieces { .. }
            | ToolErrorKind::RowMemory { .. }
            | ToolErrorKind::RepeatedName { .. }
            | ToolErrorKind::RepeatedKey { .. }
            | ToolErrorKind::KeyTypes { .. }
            | ToolErrorKind::FolderColumn { .. }
            | ToolErrorKind::TooManyParts { .. }
            | ToolErrorKind::PastEnd { .. }
            | ToolErrorKind::Stopped => (None, None),
            #[cfg(feature = "json")]
            ToolErrorKind::Row(_) | ToolErrorKind::Set(_) => (None, None),
        }
    }
}

/// The text is not escaped: [`Escaped`](crate::Escaped) makes names from outside safe to show.
impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ToolErrorKind::*;
        let name = self.input();
        if let Spool(error) = self.kind() {
            return write!(f, "cannot make a temporary copy of {name}: {error}");
        }
        write!(f, "{name}: ")?;
        match self.kind() {
            Read(error) | Spool(error) => error.fmt(f),
            Empty => write!(f, "the {} is empty", name.noun()),
            NotArrow { found: None } => f.write_str("neither an Arrow IPC file nor a stream"),
            NotArrow { found: Some(found) } => {
                write!(f, "neither an Arrow IPC file nor a stream, but {found}")
            }
            Input(error) | Batch { error, .. } => match open_error(error) {
                // Its path is the name.
                Some(error) => error.fmt(f),
                None => error.fmt(f),
            },
            LaterStream { position, error } => {
                write!(f, "in the stream that begins at byte {position}: {error}")
            }
            OtherColumns { position, error } => {
                let difference = ShowColumns { difference: error, first: "the first stream" };
                write!(f, "the stream that begins at byte {position} has different columns: {difference}")
            }
            OtherInput { first, error } => {
                let first = first.to_string();
                let difference = ShowColumns { difference: error, first: &first };
                write!(f, "has other columns than {first}: {difference}")
            }
            TrailingBytes(rest) => rest.fmt(f),
            ToolErrorKind::NoEndMarker { position } => NoEndMarker(*position).fmt(f),
            StreamAfterTensors { position } => {
                let fault = "tensors and a stream in one input are unsupported";
                write!(f, "{fault}: a stream begins at byte {position}; pass each as its own input")
            }
            TensorsAlone => f.write_str("holds tensors only, and no rows"),
            Block { kind, position, error } => {
                write!(f, "the {kind} that the footer lists at byte {position}: {}", error.kind())
            }
            Message { index: Some(index), position, error } => {
                write!(f, "message {index} at byte {position}: {error}")
            }
            Message { index: None, position, error } => write!(f, "message at byte {position}: {error}"),
            Values(error) => error.fmt(f),
            Statistics(error) => error.fmt(f),
            #[cfg(feature = "json")]
            Row(error) => error.fmt(f),
            #[cfg(feature = "json")]
            Set(error) => error.fmt(f),
            Cast { column, error } => write!(f, "column `{column}`: {error}"),
            Contradiction(what) => what.fmt(f),
            Columns { error: LookupError::Missing { name }, .. } if name.contains('*') => {
                write!(f, "no column matches {}", Quoted(name))
            }
            Columns { error, .. } => error.fmt(f),
            Path(error) => error.fmt(f),
            Condition(error) => error.fmt(f),
            LongNames { max_bytes } => write!(
                f,
                "the paths of the selected fields, which are their names, take more than {} together",
                Counted(*max_bytes, "byte")
            ),
            TooManyPieces { n_rows, n_pieces, max_pieces } => write!(
                f,
                "{} of a batch would become {}: their bytes allow {}",
                Counted(*n_rows, "row"),
                Counted(*n_pieces, "batch"),
                Grouped(*max_pieces)
            ),
            RowMemory { n_bytes, max_bytes } => write!(
                f,
                "the rows to keep take {} of memory, and {} are allowed for so short an input",
                Counted(*n_bytes, "byte"),
                Grouped(*max_bytes)
            ),
            RepeatedName { name } => {
                write!(f, "more than one column would have the name {}", QuotedName(name))
            }
            RepeatedKey { key, rows: [first, second] } => {
                write!(f, "rows {first} and {second} have the same key: {key}")
            }
            KeyTypes { column, types: [a, b] } => {
                write!(
                    f,
                    "column {} of the key is {a} in A, {b} in B: these are never equal",
                    QuotedName(column)
                )
            }
            FolderColumn { column, why } => {
                write!(f, "column {} cannot name folders: {why}", QuotedName(column))
            }
            TooManyParts { max } => write!(f, "there would be more than {max} outputs"),
            PastEnd { what, index, count } => {
                let are = if *count == 1 { "is" } else { "are" };
                write!(f, "no {what} {index}: there {are} {}, counted from 0", Counted(*count, what))
            }
            Output(error) => write!(f, "cannot be written: {error}"),
            Stopped => f.write_str("stopped"),
        }
    }
}

impl error::Error for ToolError {}

/// Why a file cannot be opened.
fn open_error(error: &IpcError) -> Option<&io::Error> {
    if let IpcErrorKind::Open { error, .. } = error.kind() { Some(error) } else { None }
}
