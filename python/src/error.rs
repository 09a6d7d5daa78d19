//! Errors as Python exceptions. Errors of the system become `OSError`, and names and positions that do not exist
//! `KeyError` and `IndexError`. All others become `ArrowIpcError`, with a location.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use arrow_array::{ArrayError, ArrayErrorKind};
use arrow_c_data::{CDataError, CDataErrorKind};
use arrow_compute::{CastError, StatisticsError};
use arrow_data::{DataError, Role};
use arrow_ipc::{Container, FormatError, IpcError, IpcErrorKind, error::BlockIndex};
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_recover::SchemaMismatch;
use arrow_ipc_tools::{ForeignFormat, MalformedText, ToolError, ToolErrorKind, import::TextFormat};
use arrow_schema::{FieldPath, LookupError, Schema};
use arrow_select::SelectError;
use pyo3::{
    exceptions::{PyFileNotFoundError, PyIndexError, PyKeyError, PyOSError},
    prelude::*,
};

use crate::{
    hints::{
        CSV_HINT, JSON_HINT, SHORTENED_HINT, foreign_by_name, hint_of, hint_of_c_data, hint_of_cast,
        hint_of_csv, hint_of_foreign, hint_of_missing, hint_of_names, hint_of_path, hint_of_text,
        hint_of_tool, hint_with_values,
    },
    location::Location,
    source::Input,
};

pub(crate) use crate::exceptions::{
    ArrowIpcError, add_hint, arrow_ipc_error, escaped, exception, misuse, unsupported, unsupported_call,
    warn, with_location,
};

/// Why a call has failed. Converted to an exception.
#[derive(Debug)]
pub(crate) enum Failure {
    Ipc(IpcError),
    Data(DataError),
    Array(ArrayError),
    Cast(CastError),
    CData(CDataError),
    Tool(ToolError),
    Python(PyErr),
}

/// The text of the exception.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Failure::Ipc(error) => error.to_string(),
            Failure::Data(error) => error.to_string(),
            Failure::Array(error) => error.to_string(),
            Failure::Cast(error) => error.to_string(),
            Failure::CData(error) => error.to_string(),
            Failure::Tool(error) => error.to_string(),
            Failure::Python(error) => return error.fmt(f),
        };
        f.write_str(&escaped(&text))
    }
}

/// A hint for a dictionary that changes from batch to batch.
const DICTIONARIES_HINT: &str = "dictionaries=\"unify\" writes one dictionary with the values of all batches; \
                               dictionaries=\"delta\" adds new values, which not all readers support; a stream may \
                               replace dictionaries";

impl Failure {
    /// Adds `hint` to the exception, if a dictionary changes where this is not allowed.
    pub(crate) fn with_dictionary_hint(self, hint: &str) -> Failure {
        let kind = match &self {
            Failure::Ipc(error) => Some(error.kind()),
            Failure::Tool(error) => match error.kind() {
                ToolErrorKind::Output(error) => Some(error.kind()),
                _ => None,
            },
            _ => None,
        };
        if !matches!(
            kind,
            Some(IpcErrorKind::ChangedDictionary { .. } | IpcErrorKind::ReplacedDictionary { .. })
        ) {
            return self;
        }
        self.with_hint(hint)
    }

    /// Replaces the hint of the exception.
    pub(crate) fn with_hint(self, hint: &str) -> Failure {
        Python::attach(|py| add_hint(py, PyErr::from(self), Some(hint)).into())
    }

    /// Adds a hint, if the columns of an input differ from those of the file to which it is appended.
    pub(crate) fn with_columns_hint(self) -> Failure {
        let Failure::Tool(error) = &self else { return self };
        if !error.ipc_error().is_some_and(|error| matches!(error.kind(), IpcErrorKind::Schema(_))) {
            return self;
        }
        self.with_hint("columns=, rename= and cast= change the columns of the input before they are appended")
    }

    /// The error for a path that cannot be read. A hint names the function that reads a folder or pattern, or an unfinished file.
    pub(crate) fn from_path(path: PathBuf, error: io::Error) -> Failure {
        let hint = hint_of_path(&path);
        let failure = Failure::from(IpcError::from(IpcErrorKind::Open { path, error }));
        match hint {
            Some(hint) => failure.with_hint(&hint),
            None => failure,
        }
    }

    /// The error of opening an input, with its path. The input may have another format: if its first bytes show the format, a hint names it.
    pub(crate) fn from_input(error: IpcError, input: &Input) -> Failure {
        let is_unknown =
            matches!(error.kind(), IpcErrorKind::WrongContainer { found: Container::Unknown, .. });
        let foreign = if is_unknown { input.foreign().ok().flatten() } else { None };
        let failure = match input {
            Input::Path(path) => ToolError::new(path.as_path(), ToolErrorKind::Input(error)).into(),
            Input::Memory(_) | Input::FileLike(_) | Input::Ranges(_) => Failure::from(error),
        };
        match foreign {
            Some(found) => failure.with_hint(&format!("this is {found}: {}", hint_of_foreign(Some(found)))),
            None => failure,
        }
    }

    /// Adds the format of the file as a hint, if the file is not Arrow. For files of data sets, and files to which
    /// rows are appended, because these are not decompressed.
    pub(crate) fn with_format_of(self, path: &Path) -> Failure {
        let is_unknown = |error: &IpcError| {
            matches!(error.kind(), IpcErrorKind::WrongContainer { found: Container::Unknown, .. })
        };
        let Failure::Tool(error) = &self else { return self };
        if !error.ipc_error().is_some_and(is_unknown) {
            return self;
        }
        let found = Input::Path(path.to_owned()).foreign().ok().flatten();
        let Some(found) = found.or_else(|| foreign_by_name(path)) else { return self };
        let advice = match found {
            ForeignFormat::Csv | ForeignFormat::Utf16 => CSV_HINT,
            ForeignFormat::Json => JSON_HINT,
            _ if found.is_decompressed() => "convert decompresses it into another file",
            _ => hint_of_foreign(Some(found)),
        };
        Python::attach(|py| {
            add_hint(py, PyErr::from(self), Some(&format!("this is {found}: {advice}"))).into()
        })
    }

    /// Like [`with_dictionary_hint`](Failure::with_dictionary_hint), with a hint for functions that write all batches.
    pub(crate) fn with_unify_hint(self) -> Failure {
        self.with_dictionary_hint(DICTIONARIES_HINT)
    }
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Failure {
        Failure::Ipc(error.into())
    }
}

impl From<IpcError> for Failure {
    fn from(error: IpcError) -> Failure {
        Failure::Ipc(error)
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Failure {
        Failure::Data(error)
    }
}

impl From<SelectError> for Failure {
    fn from(error: SelectError) -> Failure {
        ArrayError::from(error).into()
    }
}

impl From<ArrayError> for Failure {
    fn from(error: ArrayError) -> Failure {
        Failure::Array(error)
    }
}

impl From<CastError> for Failure {
    fn from(error: CastError) -> Failure {
        Failure::Cast(error)
    }
}

impl From<StatisticsError> for Failure {
    fn from(error: StatisticsError) -> Failure {
        match error {
            StatisticsError::Array(error) => Failure::Array(error),
            StatisticsError::Data(error) => Failure::Data(error),
            StatisticsError::Select(error) => error.into(),
            other => misuse("TypeMismatch", other.to_string()).into(),
        }
    }
}

impl From<CDataError> for Failure {
    fn from(error: CDataError) -> Failure {
        Failure::CData(error)
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Failure {
        Failure::Tool(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Ipc(error.into())
    }
}

impl From<LookupError> for Failure {
    fn from(error: LookupError) -> Failure {
        Failure::Data(error.into())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| match failure {
            Failure::Ipc(error) => ipc_error(py, &error),
            Failure::Data(error) => data_error(py, &error),
            Failure::Array(error) => array_error(py, &error),
            Failure::Cast(error) => from_cast_error(py, &error),
            Failure::CData(error) => c_data_error(py, &error),
            Failure::Tool(error) => tool_error(py, &error),
            Failure::Python(error) => error,
        })
    }
}

/// Converts the error of a tool. The text names the input.
fn tool_error(py: Python<'_>, error: &ToolError) -> PyErr {
    match error.kind() {
        ToolErrorKind::Read(cause) | ToolErrorKind::Spool(cause) => {
            return match malformed_text(cause) {
                Some(found) => text_error(py, found, error.to_string()),
                // The text has the name of the input, too.
                None if is_damage(cause) => decompression_error(py, error.to_string()),
                None => io_error(py, cause),
            };
        }
        ToolErrorKind::Text(found) => return text_error(py, found, error.to_string()),
        ToolErrorKind::Columns { error: lookup, .. } => {
            let is_csv = TextFormat::name_of_extension(&error.input().to_string()) == Some("csv");
            let hint = if is_csv { hint_of_csv(error) } else { hint_of_names(error) };
            return add_hint(py, lookup_error(py, lookup, error.to_string()), hint.as_deref());
        }
        ToolErrorKind::NewName { .. } => {
            return with_location(py, exception::<PyKeyError>(error.to_string()), Location::default());
        }
        ToolErrorKind::Set(DatasetErrorKind::Column(lookup)) => {
            return lookup_error(py, lookup, error.to_string());
        }
        ToolErrorKind::Set(DatasetErrorKind::NoFiles) => {
            let exception =
                with_location(py, exception::<PyFileNotFoundError>(error.to_string()), Location::default());
            return add_hint(py, exception, hint_of_tool(error.kind()));
        }
        ToolErrorKind::Set(DatasetErrorKind::Changed { .. }) => {
            return with_location(py, exception::<PyOSError>(error.to_string()), Location::default());
        }
        ToolErrorKind::Set(kind) if !matches!(kind, DatasetErrorKind::Cast { .. }) => {
            let location = match kind {
                DatasetErrorKind::AfterStream { position } => Some(*position),
                _ => None,
            };
            let location = Location { byte_offset: location, ..Location::default() };
            let exception =
                arrow_ipc_error(py, error.to_string(), variant_name(kind), kind.class().name(), location);
            return add_hint(py, exception, hint_of_tool(error.kind()));
        }
        _ => {}
    }
    if let Some(inner) = error.ipc_error() {
        return ipc_error_with_text(py, inner, error.to_string(), error.position());
    }
    let location = match error.kind() {
        ToolErrorKind::Row(error) => Location {
            field: show_path(error.path()),
            line: Some(error.line()).filter(|line| *line > 0 && !error.counts_rows()),
            ..Location::default()
        },
        ToolErrorKind::Cast { batch_idx, column, error }
        | ToolErrorKind::Set(DatasetErrorKind::Cast { batch_idx, column, error }) => {
            let batch = batch_idx.and_then(|batch_idx| usize::try_from(batch_idx).ok());
            let block = batch.map(|batch| name_block(BlockIndex::RecordBatch(batch)));
            let location = Location { block, ..Location::from_cast_error(error) };
            let column = FieldPath::root().child(0, column.as_str()).to_string();
            let below = location.field.map_or_else(String::new, |path| format!(".{path}"));
            Location { field: Some(column + &below), ..location }
        }
        _ => Location { byte_offset: error.position(), ..Location::default() },
    };
    // Replaces options of the program by arguments of Python functions.
    let text = error.to_string().replace(
        "--cast COLUMN=date32 --lossy makes days of them",
        "cast={column: \"date32\"} with lossy=True makes days of them",
    );
    let variant = match error.kind() {
        ToolErrorKind::Set(kind) => variant_name(kind),
        kind => variant_name(kind),
    };
    let exception = arrow_ipc_error(py, text, variant, error.class().name(), location);
    let meant = hint_with_values(error.kind());
    add_hint(py, exception, meant.as_deref().or(hint_of_tool(error.kind())))
}

fn ipc_error(py: Python<'_>, error: &IpcError) -> PyErr {
    ipc_error_with_text(py, error, error.to_string(), None)
}

/// Like [`ipc_error`], with another text and byte offset.
fn ipc_error_with_text(py: Python<'_>, error: &IpcError, text: String, position: Option<u64>) -> PyErr {
    let at = error.location();
    let mut location = Location {
        message: at.message,
        block: at.block.map(name_block),
        byte_offset: position.or(at.byte_offset),
        field: at.field.as_ref().and_then(show_path),
        buffer: at.buffer.map(|(buffer_idx, _)| buffer_idx),
        role: at.buffer.and_then(|(_, role)| role).map(|role: Role| role.to_string()),
        ..Location::default()
    };
    match error.kind() {
        IpcErrorKind::Io(error) | IpcErrorKind::Write(error) | IpcErrorKind::Fetch { error, .. } => {
            io_error(py, error)
        }
        IpcErrorKind::Open { path, error } => match error.raw_os_error() {
            // `OSError` chooses its own subclass, such as `FileNotFoundError`.
            Some(code) => {
                let text = (code, reason(error, code), path.clone().into_os_string());
                with_location(py, PyOSError::new_err(text), location)
            }
            None => io_error(py, error),
        },
        IpcErrorKind::NoSuchBatch { .. }
        | IpcErrorKind::NoSuchBatches { .. }
        | IpcErrorKind::NoSuchRows { .. } => with_location(py, exception::<PyIndexError>(text), location),
        IpcErrorKind::Lookup(lookup) => column_error(py, lookup, text, None),
        kind => {
            if let IpcErrorKind::Data(data) = kind {
                location.role = location.role.or(data.role().map(|role| role.to_string()));
                location.slot = data.slot();
            }
            let name = name_kind(error);
            let exception = arrow_ipc_error(py, text, name, error.class().name(), location);
            add_hint(py, exception, hint_of(error))
        }
    }
}

fn data_error(py: Python<'_>, error: &DataError) -> PyErr {
    if let arrow_data::DataErrorKind::Lookup(lookup) = error.kind() {
        return column_error(py, lookup, error.to_string(), None);
    }
    let location = Location {
        field: show_path(error.path()),
        role: error.role().map(|role| role.to_string()),
        slot: error.slot(),
        ..Location::default()
    };
    arrow_ipc_error(py, error.to_string(), variant_name(error.kind()), error.class().name(), location)
}

fn array_error(py: Python<'_>, error: &ArrayError) -> PyErr {
    if let ArrayErrorKind::Data(error) = error.kind() {
        return data_error(py, error);
    }
    let location = Location { field: show_path(error.path()), ..Location::default() };
    let kind = match error.kind() {
        ArrayErrorKind::Select(kind) => variant_name(kind),
        kind => variant_name(kind),
    };
    arrow_ipc_error(py, error.to_string(), kind, "malformed", location)
}

fn from_cast_error(py: Python<'_>, error: &CastError) -> PyErr {
    let location = Location::from_cast_error(error);
    let exception =
        arrow_ipc_error(py, error.to_string(), variant_name(error.kind()), error.class().name(), location);
    add_hint(py, exception, hint_of_cast(error))
}

fn c_data_error(py: Python<'_>, error: &CDataError) -> PyErr {
    let mut location = Location { field: show_path(error.path()), ..Location::default() };
    let mut kind = variant_name(error.kind());
    if let CDataErrorKind::Data(data) = error.kind() {
        kind = variant_name(data.kind());
        location.role = data.role().map(|role| role.to_string());
        location.slot = data.slot();
    }
    let exception = arrow_ipc_error(py, error.to_string(), kind, error.class().name(), location);
    add_hint(py, exception, hint_of_c_data(error.kind()))
}

/// Converts an error of the system. If Python code raised it, returns that exception.
fn io_error(py: Python<'_>, error: &io::Error) -> PyErr {
    if let Some(exception) = error.get_ref().and_then(|inner| inner.downcast_ref::<PyErr>()) {
        return exception.clone_ref(py);
    }
    match error.raw_os_error() {
        // Sets `errno`.
        Some(code) => with_location(py, PyOSError::new_err((code, reason(error, code))), Location::default()),
        None if is_damage(error) => match malformed_text(error) {
            Some(found) => text_error(py, found, error.to_string()),
            None => decompression_error(py, error.to_string()),
        },
        None => {
            let is_cut = error.kind() == io::ErrorKind::UnexpectedEof;
            let exception = with_location(py, exception::<PyOSError>(error.to_string()), Location::default());
            add_hint(py, exception, is_cut.then_some(SHORTENED_HINT))
        }
    }
}

/// Whether bytes were read, but are no valid gzip or Zstandard data, or no valid text. Such an error is not one of the system.
pub(crate) fn is_damage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
        && error.raw_os_error().is_none()
        && !error.get_ref().is_some_and(|inner| inner.is::<PyErr>())
}

fn decompression_error(py: Python<'_>, text: String) -> PyErr {
    let exception = arrow_ipc_error(py, text, "Decompression".to_owned(), "malformed", Location::default());
    add_hint(py, exception, Some("was the copy complete?"))
}

fn malformed_text(error: &io::Error) -> Option<&MalformedText> {
    error.get_ref()?.downcast_ref()
}

/// The error for bytes that are no JSON, or not of the encoding of the text. It has the kind of all errors of rows.
fn text_error(py: Python<'_>, found: &MalformedText, text: String) -> PyErr {
    let byte_offset = match *found {
        MalformedText::Byte { position, .. } => Some(position),
        _ => None,
    };
    let location = Location { byte_offset, ..Location::default() };
    // Replaces the option of the program by the argument.
    let text = text.replace("omit --encoding", "omit encoding=");
    let exception = arrow_ipc_error(py, text, "Row".to_owned(), "malformed", location);
    add_hint(py, exception, hint_of_text(found))
}

/// The message of the system, without the error number.
fn reason(error: &io::Error, code: i32) -> String {
    let reason = error.to_string();
    reason.strip_suffix(&format!(" (os error {code})")).unwrap_or(&reason).to_owned()
}

fn innermost(error: &LookupError) -> &LookupError {
    match error {
        LookupError::Within { error, .. } => error,
        other => other,
    }
}

fn lookup_error(py: Python<'_>, error: &LookupError, text: String) -> PyErr {
    let exception = match innermost(error) {
        LookupError::OutOfRange { .. } => exception::<PyIndexError>(text),
        _ => exception::<PyKeyError>(text),
    };
    with_location(py, exception, Location::default())
}

/// The error about a column of a batch or file. The hint mentions positions, which their methods also accept.
pub(crate) fn column_error(
    py: Python<'_>,
    error: &LookupError,
    text: String,
    schema: Option<&Schema>,
) -> PyErr {
    match (innermost(error), schema) {
        (LookupError::Ambiguous { .. }, _) => {
            let hint = "`column(0)` and `select([0, 1])` take positions";
            add_hint(py, lookup_error(py, error, text), Some(hint))
        }
        (_, Some(schema)) => missing_name_error(py, error, text, schema),
        (_, None) => lookup_error(py, error, text),
    }
}

/// Adds a hint with similar names.
pub(crate) fn missing_name_error(
    py: Python<'_>,
    error: &LookupError,
    text: String,
    schema: &Schema,
) -> PyErr {
    add_hint(py, lookup_error(py, error, text), hint_of_missing(error, schema).as_deref())
}

fn show_path(path: &FieldPath) -> Option<String> {
    (!path.is_root()).then(|| path.to_string())
}

fn name_block(block: BlockIndex) -> (String, usize) {
    match block {
        BlockIndex::Dictionary(idx) => ("dictionary batch".to_owned(), idx),
        BlockIndex::RecordBatch(idx) => ("record batch".to_owned(), idx),
    }
}

/// The name of the cause: that of the crate which knows it.
fn name_kind(error: &IpcError) -> String {
    match error.kind() {
        IpcErrorKind::Format(kind) => variant_name(kind),
        IpcErrorKind::Data(error) => variant_name(error.kind()),
        IpcErrorKind::Select(error) => variant_name(error.kind()),
        IpcErrorKind::Other { .. } if SchemaMismatch::from_error(error).is_some() => {
            "SchemaOfNoBatch".to_owned()
        }
        IpcErrorKind::Other { error, .. } => variant_name(error),
        kind => variant_name(kind),
    }
}

/// The name of an enum variant: the start of its `Debug` text.
pub(crate) fn variant_name(kind: &impl fmt::Debug) -> String {
    let text = format!("{kind:?}");
    text.chars().take_while(|letter| letter.is_alphanumeric()).collect()
}
