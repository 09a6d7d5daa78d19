//! The error of a tool: its input and cause. Also what errors and results say of an input: its name, the bytes after its end,
//! another format that it has, and what an output has lost.

mod contradiction;
pub(crate) mod foreign;
pub(crate) mod loss;
#[cfg(feature = "text")]
pub(crate) mod malformed_text;
pub(crate) mod name;
pub(crate) mod trailing;

use std::{error, fmt, io, sync::Arc};

use arrow_array::ArrayError;
use arrow_compute::{CastError, CastErrorKind, PredicateError, StatisticsError};
use arrow_data::DataError;
use arrow_ipc::{ErrorClass, FormatError, IpcError, IpcErrorKind, MessageKind};
use arrow_ipc_dataset::{DatasetError, DatasetErrorKind};
use arrow_schema::{ExtensionError, LookupError, QuotedName, QuotedText, Schema, SchemaDifference};
use arrow_select::SelectError;
use arrow_text::format::{Counted, Grouped};

use self::contradiction::ColumnsText;
pub use self::contradiction::Contradiction;
use crate::error::{
    foreign::ForeignFormat,
    name::InputName,
    trailing::{NoEndMarker, TrailingBytes},
};

/// The error of a tool, with the name of its input and the cause.
///
/// ```
/// use arrow_ipc_tools::{Input, ToolErrorKind, ValidateOptions, validate};
///
/// let input = Input::try_from_buffer("upload 17", b"not Arrow".to_vec().into());
/// let error = input.and_then(|input| validate(input, &ValidateOptions::new(), &mut ())).unwrap_err();
/// assert!(matches!(error.kind(), ToolErrorKind::NotArrow { .. }));
/// assert_eq!(error.to_string(), "upload 17: neither an Arrow IPC file nor a stream");
/// ```
pub struct ToolError(Box<Inner>);

struct Inner {
    input: InputName,
    kind: ToolErrorKind,
}

/// The cause of a [`ToolError`]. The enum is exhaustive, because programs map each kind to an exit status.
#[derive(Debug, thiserror::Error)]
pub enum ToolErrorKind {
    /// The bytes of the input cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// A pipe cannot be copied to a temporary file.
    #[error(transparent)]
    Spool(io::Error),
    /// The input has no bytes.
    #[error("empty")]
    Empty,
    /// The input is neither a file nor a stream.
    #[error("neither an Arrow IPC file nor a stream{}", .found.map(|found| format!(", but {found}")).unwrap_or_default())]
    NotArrow {
        /// The format that the first bytes of the input show; `None` if it is unknown.
        found: Option<ForeignFormat>,
    },
    /// The input cannot be read as Arrow data: it is unreadable, malformed, unsupported, or over a limit.
    #[error("{}", OpenErrorText(.0))]
    Input(IpcError),
    /// A stream after the first is malformed, unsupported, or over a limit.
    #[error("in the stream that begins at byte {position}: {error}")]
    LaterStream {
        /// The byte offset at which the stream begins. Positions in the error count from here.
        position: u64,
        /// The error of that stream.
        error: IpcError,
    },
    /// A stream after the first has other columns than the first stream.
    #[error(
        "the stream that begins at byte {position} has different columns: {}",
        ColumnsText { difference: error, first: "the first stream" }
    )]
    OtherColumns {
        /// The byte offset at which the stream begins.
        position: u64,
        /// The first difference between the columns.
        error: SchemaDifference,
    },
    /// An input has other columns than the first input.
    #[error("has other columns than {first}: {}", ColumnsText { difference: error, first: &first.to_string() })]
    OtherInput {
        /// The name of the first input.
        first: InputName,
        /// The first difference between the columns.
        error: SchemaDifference,
    },
    /// Bytes follow the last stream.
    #[error("{0}")]
    TrailingBytes(TrailingBytes),
    /// Bytes follow the last complete footer of a file to append to.
    #[error(
        "the last complete footer ends at byte {position}; appending would remove the {n_bytes} bytes after it"
    )]
    AfterFooter {
        /// The byte offset at which the footer ends.
        position: u64,
        /// The number of bytes after it.
        n_bytes: u64,
    },
    /// Another file begins before the footer of a file to append to.
    #[error("a second file begins at byte {position}, before the last footer; appending would remove it")]
    InnerFile {
        /// The byte offset at which the other file begins.
        position: u64,
    },
    /// The input of an index has more than one stream.
    #[error(
        "the stream ends at byte {position}, but the input has {n_bytes} more bytes; an index covers one stream"
    )]
    NotOneStream {
        /// The byte offset at which the stream ends.
        position: u64,
        /// The number of bytes after it.
        n_bytes: u64,
    },
    /// The last stream has no end marker, but an end marker is [required](crate::ValidateOptions::requires_end).
    #[error("{}", NoEndMarker(*position))]
    NoEndMarker {
        /// The byte offset at which the stream ends.
        position: u64,
    },
    /// A stream begins after tensors.
    #[error(
        "tensors and a stream in one input are unsupported: a stream begins at byte {position}; pass each as its own input"
    )]
    StreamAfterTensors {
        /// The byte offset at which the stream begins.
        position: u64,
    },
    /// The input has only tensors, but the tool needs rows.
    #[error("contains only tensors, and no rows")]
    TensorsAlone,
    /// A batch of a file cannot be read.
    #[error("{}", OpenErrorText(error))]
    Batch {
        /// The number of the batch, from 0.
        batch_idx: usize,
        /// The error of reading the batch.
        error: IpcError,
    },
    /// A block of the footer is unreadable, and no message of the stream begins at its position.
    #[error("the {kind} that the footer lists at byte {position}: {}", error.kind())]
    Block {
        /// The kind of the block in the footer.
        kind: MessageKind,
        /// The byte offset of the block, from the footer.
        position: u64,
        /// The error of reading the block.
        error: IpcError,
    },
    /// A message cannot be read. Messages after it may be readable.
    #[error("message{} at byte {position}: {error}", .index.map(|index| format!(" {index}")).unwrap_or_default())]
    Message {
        /// The index of the message in the stream; `None` if only the footer refers to it.
        index: Option<u64>,
        /// The byte offset of the message.
        position: u64,
        /// The error of reading the message.
        error: IpcError,
    },
    /// The values of an array are invalid.
    #[error("{0}")]
    Values(ArrayError),
    /// Values are invalid, and their statistics cannot be computed.
    #[error("{0}")]
    Statistics(StatisticsError),
    /// A row of text cannot be read.
    #[error("{0}")]
    #[cfg(feature = "text")]
    Row(arrow_text::RowError),
    /// The bytes of a text are no rows of JSON, or no characters.
    #[error("{0}")]
    #[cfg(feature = "text")]
    Text(crate::error::malformed_text::MalformedText),
    /// A column cannot be cast to the requested type.
    #[error("{}column `{column}`: {error}", batch_idx.map_or_else(String::new, |batch_idx| format!("batch {batch_idx}: ")))]
    Cast {
        /// The index of the batch in its input, if `error` counts slots from the start of this batch. `None` if rows of the
        /// batch were left out, if the index is unknown, or if the types cannot be cast at all.
        batch_idx: Option<u64>,
        /// The name of the column.
        column: String,
        /// Why the column cannot be cast.
        error: CastError,
    },
    /// The footer of a file and the stream inside contradict each other.
    #[error("{0}")]
    Contradiction(Contradiction),
    /// A name or path matches no column or field, or more than one.
    #[error("{}", LookupErrorText(error))]
    Columns {
        /// Which name was looked up, and why it failed.
        error: LookupError,
        /// The columns of the input.
        schema: Arc<Schema>,
    },
    /// A path cannot be selected: its field is inside a type that can only be selected as a whole, or its type cannot
    /// store the nulls of a parent.
    #[error("{0}")]
    Path(DataError),
    /// Rows cannot be selected.
    #[error("{0}")]
    Select(SelectError),
    /// The condition on rows does not fit the types of the columns, or cannot be evaluated.
    #[error("{0}")]
    Condition(PredicateError),
    /// All columns of an input with columns are left out.
    #[error("every column is left out, so that none remains")]
    NoColumnLeft,
    /// The names of the selected fields are too long in total. The name of each field is its whole path.
    #[error(
        "the paths of the selected fields become names of columns; together they have more than {}",
        Counted(*max_bytes, "byte")
    )]
    LongNames {
        /// The limit for all names together, in bytes.
        max_bytes: u64,
    },
    /// Dividing a batch would make more batches than its bytes allow. Without this limit, a batch of a few bytes
    /// could become any number of batches.
    #[error(
        "dividing {} of a batch would make {}; the bytes of the input so far allow {} more",
        Counted(*n_rows, "row"), Counted(*n_pieces, "batch"), Grouped(*max_pieces)
    )]
    TooManyPieces {
        /// The number of rows that would be divided.
        n_rows: u64,
        /// The number of batches into which these rows would be divided.
        n_pieces: u64,
        /// The maximal number of batches.
        max_pieces: u64,
    },
    /// Rows that wait in memory, to be joined or shown at the end, take too much memory. The limit depends on the
    /// length of the input, because few bytes can decompress to many.
    #[error(
        "the rows to keep take {} of memory; {} are allowed for an input of this length",
        Counted(*n_bytes, "byte"), Grouped(*max_bytes)
    )]
    RowMemory {
        /// The number of bytes that these rows take.
        n_bytes: u64,
        /// The maximal number of bytes.
        max_bytes: u64,
    },
    /// Two columns of the output would have the same name.
    #[error("more than one column of the output would have the name {}", QuotedName(name))]
    RepeatedName {
        /// The repeated name.
        name: String,
    },
    /// One column would get two names.
    #[error("the column {} would get more than one name", QuotedName(name))]
    RenamedTwice {
        /// The name of the column.
        name: String,
    },
    /// One column would be cast to two types.
    #[error("the column {} would be cast to more than one type", QuotedName(name))]
    CastTwice {
        /// The name of the column in the input.
        name: String,
    },
    /// Metadata to remove does not exist.
    #[error("{} has no metadata {}{}", owner(column.as_deref()), QuotedText(key), known_keys(keys))]
    MetadataKey {
        /// The key.
        key: String,
        /// The name or path of the column; `None` for the schema.
        column: Option<String>,
        /// The keys that exist.
        keys: Vec<String>,
    },
    /// A change of metadata would give a field an extension type that it cannot have.
    #[error("field `{field}`: {error}")]
    Extension {
        /// The path of the field.
        field: String,
        /// Why the field cannot have this type.
        error: ExtensionError,
    },
    /// Two rows of one input have the same key.
    #[error("rows {} and {} have the same key: {key}", .rows[0], .rows[1])]
    RepeatedKey {
        /// The key, as the names of its columns and their values.
        key: String,
        /// The numbers of the rows, from 0.
        rows: [u64; 2],
    },
    /// A column of the key has different types in the two inputs, and values of these two types are never equal.
    #[error(
        "column {} of the key is {} in A and {} in B, whose values are never equal",
        QuotedText(column), .types[0], .types[1]
    )]
    KeyTypes {
        /// The name of the column.
        column: String,
        /// The types in the first and in the second input.
        types: [String; 2],
    },
    /// A query names a column by its new name.
    #[error(
        "no field is named {}; use its old name {}, since columns are renamed last",
        QuotedText(name),
        QuotedName(old)
    )]
    NewName {
        /// The new name.
        name: String,
        /// The name in the input.
        old: String,
    },
    /// A column cannot be used to name the folders of a data set.
    #[error("column {column} cannot name folders: {why}")]
    FolderColumn {
        /// The path of the column or field, in which names are quoted if they need it.
        column: String,
        /// The reason, as the end of the error message.
        why: &'static str,
    },
    /// More outputs would be needed than are allowed.
    #[error("there would be more than {max} output files")]
    TooManyParts {
        /// The maximal number of outputs.
        max: usize,
    },
    /// A range of batches or rows begins after the last one.
    #[error(
        "no {what} {index}: there {} {}, counted from 0",
        if *count == 1 { "is" } else { "are" },
        Counted(*count, what)
    )]
    PastEnd {
        /// What is counted: "batch" or "row".
        what: &'static str,
        /// The number of the first selected batch or row, from 0.
        index: u64,
        /// The number of batches or rows in the input.
        count: u64,
    },
    /// A data set has no files, or its files have changed or do not fit together.
    #[error("{0}")]
    Set(DatasetErrorKind),
    /// The output cannot be written, or does not support something in the input.
    #[error("cannot be written: {0}")]
    Output(IpcError),
    /// The observer, or the callback that receives the results, stopped the work.
    #[error("stopped on request")]
    Stopped,
}

impl ToolError {
    /// Makes an error about the input with this name.
    pub fn new(input: impl Into<InputName>, kind: impl Into<ToolErrorKind>) -> ToolError {
        ToolError(Box::new(Inner { input: input.into(), kind: kind.into() }))
    }

    /// Converts the error of a data set. If the error is about one file, the new error names this file as its input.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "an error of a data set without an error of ours stays what it is"
    )]
    pub fn from_set_error(name: InputName, error: DatasetError) -> ToolError {
        let name = error.path().map_or(name, InputName::from);
        let kind = match error.into_kind() {
            DatasetErrorKind::Io(error) => ToolErrorKind::Read(error),
            DatasetErrorKind::Ipc(error) => ToolErrorKind::Input(error),
            DatasetErrorKind::Predicate(error) => ToolErrorKind::Condition(error),
            DatasetErrorKind::Value(error) => ToolErrorKind::Values(error),
            DatasetErrorKind::Batch(error) => ToolErrorKind::Values(error.into()),
            kind => ToolErrorKind::Set(kind),
        };
        ToolError::new(name, kind)
    }

    /// The name of the input that caused the error.
    pub fn input(&self) -> &InputName {
        &self.0.input
    }

    /// The cause of the error.
    pub fn kind(&self) -> &ToolErrorKind {
        &self.0.kind
    }

    /// How a program can react.
    pub fn class(&self) -> ErrorClass {
        self.kind().class()
    }

    /// The cause, without the name of the input.
    pub fn into_kind(self) -> ToolErrorKind {
        self.0.kind
    }

    /// The error of `arrow-ipc`, with its location and class; `None` if the cause is of another kind.
    pub fn ipc_error(&self) -> Option<&IpcError> {
        self.cause().0
    }

    /// The byte offset of the error in the input, or of the stream, message or block with the error; `None` if it is
    /// unknown.
    pub fn position(&self) -> Option<u64> {
        self.cause().1
    }

    fn cause(&self) -> (Option<&IpcError>, Option<u64>) {
        match self.kind() {
            ToolErrorKind::Input(error) | ToolErrorKind::Batch { error, .. } => {
                (Some(error), error.location().byte_offset)
            }
            ToolErrorKind::LaterStream { position, error } => {
                let found = error.location().byte_offset.unwrap_or_default();
                (Some(error), Some(position.saturating_add(found)))
            }
            ToolErrorKind::Block { position, error, .. } | ToolErrorKind::Message { position, error, .. } => {
                (Some(error), Some(*position))
            }
            ToolErrorKind::Output(error) => (Some(error), None),
            ToolErrorKind::OtherColumns { position, .. }
            | ToolErrorKind::AfterFooter { position, n_bytes: _ }
            | ToolErrorKind::InnerFile { position }
            | ToolErrorKind::NotOneStream { position, n_bytes: _ }
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
            | ToolErrorKind::Select(_)
            | ToolErrorKind::Condition(_)
            | ToolErrorKind::NoColumnLeft
            | ToolErrorKind::LongNames { .. }
            | ToolErrorKind::TooManyPieces { .. }
            | ToolErrorKind::RowMemory { .. }
            | ToolErrorKind::RepeatedName { .. }
            | ToolErrorKind::RenamedTwice { .. }
            | ToolErrorKind::CastTwice { .. }
            | ToolErrorKind::MetadataKey { .. }
            | ToolErrorKind::Extension { .. }
            | ToolErrorKind::NewName { .. }
            | ToolErrorKind::RepeatedKey { .. }
            | ToolErrorKind::KeyTypes { .. }
            | ToolErrorKind::FolderColumn { .. }
            | ToolErrorKind::TooManyParts { .. }
            | ToolErrorKind::PastEnd { .. }
            | ToolErrorKind::Set(_)
            | ToolErrorKind::Stopped => (None, None),
            #[cfg(feature = "text")]
            ToolErrorKind::Row(_) | ToolErrorKind::Text(_) => (None, None),
        }
    }
}

impl ToolErrorKind {
    /// How a program can react. What is wrong with the content of an input is [`Malformed`](ErrorClass::Malformed), or over
    /// a limit; what does not fit the arguments is [`Misuse`](ErrorClass::Misuse).
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Read(error) | Self::Spool(error) => class_of_source(error),
            Self::Input(error)
            | Self::LaterStream { error, .. }
            | Self::Batch { error, .. }
            | Self::Block { error, .. }
            | Self::Message { error, .. } => {
                if let IpcErrorKind::Io(error) = error.kind() {
                    class_of_source(error)
                } else {
                    error.class()
                }
            }
            Self::Output(error) => error.class(),
            #[cfg(feature = "text")]
            Self::Row(error) => error.class(),
            #[cfg(feature = "text")]
            Self::Text(_) => ErrorClass::Malformed,
            Self::Values(error) => class_of_content(error.class()),
            Self::Statistics(error) => class_of_content(error.class()),
            Self::Select(error) => class_of_content(error.class()),
            Self::Cast { error, .. } => error.class(),
            Self::Path(error) => error.class(),
            Self::Condition(error) => error.class(),
            Self::Set(error) => error.class(),
            Self::Empty => ErrorClass::Truncated,
            Self::NotArrow { .. }
            | Self::TrailingBytes(_)
            | Self::AfterFooter { .. }
            | Self::InnerFile { .. }
            | Self::NotOneStream { .. }
            | Self::NoEndMarker { .. }
            | Self::Contradiction(_) => ErrorClass::Malformed,
            Self::OtherColumns { .. } | Self::StreamAfterTensors { .. } | Self::TensorsAlone => {
                ErrorClass::Unsupported
            }
            Self::LongNames { .. }
            | Self::TooManyPieces { .. }
            | Self::RowMemory { .. }
            | Self::TooManyParts { .. } => ErrorClass::LimitExceeded,
            Self::OtherInput { .. }
            | Self::Columns { .. }
            | Self::NoColumnLeft
            | Self::RepeatedName { .. }
            | Self::RenamedTwice { .. }
            | Self::CastTwice { .. }
            | Self::MetadataKey { .. }
            | Self::Extension { .. }
            | Self::RepeatedKey { .. }
            | Self::KeyTypes { .. }
            | Self::NewName { .. }
            | Self::FolderColumn { .. }
            | Self::PastEnd { .. }
            | Self::Stopped => ErrorClass::Misuse,
        }
    }

    /// Sets the index of the batch in the error of a value that cannot be cast.
    pub(crate) fn in_batch(mut self, value_batch: Option<u64>) -> ToolErrorKind {
        if let ToolErrorKind::Cast { batch_idx, error, .. } = &mut self
            && !matches!(error.kind(), CastErrorKind::Unsupported { .. })
        {
            *batch_idx = value_batch;
        }
        self
    }
}

/// The class of an error of a source. Decompressors return `InvalidData` for damaged data.
fn class_of_source(error: &io::Error) -> ErrorClass {
    if error.kind() == io::ErrorKind::InvalidData { ErrorClass::Malformed } else { ErrorClass::from(error) }
}

/// The class of an error in the content of an input. What is wrong there is malformed, whoever finds it.
fn class_of_content(class: ErrorClass) -> ErrorClass {
    let is_refused =
        matches!(class, ErrorClass::OutOfMemory | ErrorClass::LimitExceeded | ErrorClass::Unsupported);
    if is_refused { class } else { ErrorClass::Malformed }
}

/// Adds the name of an input to an error.
pub trait InputContext<T> {
    /// Converts an error of the result to an error about this input.
    ///
    /// # Errors
    /// The error of the result.
    fn in_input(self, input: impl Into<InputName>) -> Result<T, ToolError>;
}

impl<T, E: Into<ToolErrorKind>> InputContext<T> for Result<T, E> {
    fn in_input(self, input: impl Into<InputName>) -> Result<T, ToolError> {
        self.map_err(|error| ToolError::new(input, error))
    }
}

impl From<io::Error> for ToolErrorKind {
    fn from(error: io::Error) -> ToolErrorKind {
        #[cfg(feature = "text")]
        let error = match error.downcast() {
            Ok(text) => return ToolErrorKind::Text(text),
            Err(error) => error,
        };
        ToolErrorKind::Read(error)
    }
}

impl From<FormatError> for ToolErrorKind {
    fn from(error: FormatError) -> ToolErrorKind {
        ToolErrorKind::Input(error.into())
    }
}

impl From<IpcError> for ToolErrorKind {
    fn from(error: IpcError) -> ToolErrorKind {
        ToolErrorKind::Input(error)
    }
}

impl From<ArrayError> for ToolErrorKind {
    fn from(error: ArrayError) -> ToolErrorKind {
        ToolErrorKind::Values(error)
    }
}

arrow_error::debug_as_display!(ToolError);

/// The output is not escaped. Use [`Escaped`](arrow_text::format::Escaped) if names may contain control characters.
impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.input();
        let kind = self.kind();
        if let ToolErrorKind::Spool(error) = kind {
            return write!(f, "cannot make a temporary copy of {name}: {error}");
        }
        if let ToolErrorKind::Empty = kind {
            return write!(f, "{name}: the {} is empty", name.noun());
        }
        write!(f, "{name}: {kind}")
    }
}

impl error::Error for ToolError {}

/// Formats an error without the name of its input.
struct OpenErrorText<'a>(&'a IpcError);

impl fmt::Display for OpenErrorText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An error of opening a file contains its path, which the caller has already written as the name of the input.
        if let IpcErrorKind::Open { error, .. } = self.0.kind() { error.fmt(f) } else { self.0.fmt(f) }
    }
}

/// Formats the error for a column that a name or pattern does not select.
struct LookupErrorText<'a>(&'a LookupError);

impl fmt::Display for LookupErrorText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let LookupError::Missing { name } = self.0
            && name.contains('*')
        {
            return write!(f, "no column matches {}", QuotedText(name));
        }
        self.0.fmt(f)
    }
}

/// What has metadata: the schema, or a column.
fn owner(column: Option<&str>) -> String {
    column.map_or_else(|| "the schema".to_owned(), |column| format!("the column {}", QuotedName(column)))
}

/// Lists some keys of metadata, for an error.
fn known_keys(keys: &[String]) -> String {
    const MAX: usize = 5;
    let shown: Vec<String> = keys.iter().take(MAX).map(|key| QuotedText(key).to_string()).collect();
    match (shown.is_empty(), keys.len().saturating_sub(MAX)) {
        (true, _) => ", since it has none".to_owned(),
        (false, 0) => format!("; it has {}", shown.join(", ")),
        (false, n_more) => format!("; it has {}, and {n_more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_say_whether_the_content_the_call_or_the_system_is_at_fault() {
        let damaged = || io::Error::from(io::ErrorKind::InvalidData);
        let slice = arrow_data::DataErrorKind::SliceOutOfRange { start: 1, end: 2, n_slots: 1 };
        let cases: [(ToolErrorKind, ErrorClass); 7] = [
            (ToolErrorKind::Read(io::ErrorKind::NotFound.into()), ErrorClass::Io),
            (ToolErrorKind::Read(damaged()), ErrorClass::Malformed),
            (ToolErrorKind::Input(damaged().into()), ErrorClass::Malformed),
            (ToolErrorKind::Empty, ErrorClass::Truncated),
            // The same error is one of the content, or one of the arguments.
            (ToolErrorKind::Statistics(DataError::from(slice.clone()).into()), ErrorClass::Malformed),
            (ToolErrorKind::Path(slice.into()), ErrorClass::Misuse),
            (ToolErrorKind::RowMemory { n_bytes: 2, max_bytes: 1 }, ErrorClass::LimitExceeded),
        ];
        for (kind, class) in cases {
            assert_eq!(kind.class(), class, "{kind}");
        }
    }
}
