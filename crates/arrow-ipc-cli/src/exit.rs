//! How the program ends: exit statuses, and failures with hints.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use arrow_data::DataErrorKind;
use arrow_ipc::{Container, ErrorClass, IpcError, IpcErrorKind, MetadataVersion, Unsupported};
use arrow_ipc_tools::{Escaped, Foreign, InputName, ShapesError, ShapesErrorKind, ToolError, ToolErrorKind};

use arrow_schema::ParseError;

use crate::{
    advice::{advice, row_advice},
    color::{Look, on_stderr},
    names::{OutputName, as_argument},
};

/// The exit statuses, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Success.
    Fine = 0,
    /// The input is malformed or truncated; the compared inputs differ.
    No = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Success, but the output does not hold all of the input.
    DataLost = 3,
    /// The input cannot be read, or the output cannot be written.
    Io = 4,
    /// Unsupported, or over a limit.
    Refused = 5,
    /// Unknown whether the inputs differ: one of them is malformed or truncated.
    NoAnswer = 6,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error("{name}: tensors have no columns to select")]
    ColumnsOfTensors { name: InputName },
    #[error(
        "{name}: the output exceeds the limit of {n_allowed} bytes for an input of {n_input_bytes} bytes"
    )]
    TooMuchText { name: InputName, n_allowed: u64, n_input_bytes: u64 },
    #[error("{name}: {error}")]
    Write { name: OutputName, error: io::Error },
    #[error("{name} is a terminal, which cannot show the bytes of a stream or file")]
    Terminal { name: OutputName },
    #[error("{name}: {error}")]
    Encode { name: OutputName, error: IpcError },
    #[error("{name}: {error}")]
    Recover { name: OutputName, error: IpcError },
    #[error("{name}: the input is not replaced: choose another name for the output")]
    SameFile { name: OutputName },
    #[error("{name}: {error}")]
    Append { name: OutputName, error: IpcError },
    #[error(
        "--dictionaries unify reads the dictionaries of IN, and cannot be combined with --columns, --rename, --cast or --batch-rows"
    )]
    UnifiedOther,
    #[error("{name}: {option} is for text; Arrow data has a schema")]
    OptionOfText { option: &'static str, name: crate::names::InputName },
    #[error("{name}: not a schema as JSON: {reason}")]
    SchemaJson { name: InputName, reason: String },
    #[error("{error}")]
    Options { error: IpcError },
    #[error("{name}: the file extension does not say whether to write a stream or a file")]
    UnknownTarget { name: OutputName },
    #[error("{option} needs --format csv")]
    NotCsv { option: &'static str },
    #[error("{name}: {error}")]
    Shapes { name: InputName, error: ShapesError },
    #[error("{name}: neither a schema as text nor a file or stream that has one: {error}")]
    SchemaText { name: InputName, error: ParseError },
    #[error("{name}: not UTF-8 from byte {position} on")]
    NotText { name: InputName, position: usize },
    #[error("--locate: expected {expected}, found \"{found}\"")]
    Locate { found: String, expected: &'static str },
    #[error("{error}")]
    Asked { error: IpcError },
    #[error("there is no command \"{name}\"")]
    NoCommand { name: String },
    #[error("standard input is given {n_times} times; it can be read only once")]
    RepeatedStdin { n_times: usize },
}

impl Failure {
    /// The exit status. A closed pipe is not a failure: its reader has seen enough.
    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Tool(error) => status_of(error.kind()),
            Failure::TooMuchText { .. } => Status::Refused,
            Failure::UnknownTarget { .. }
            | Failure::NotCsv { .. }
            | Failure::ColumnsOfTensors { .. }
            | Failure::Terminal { .. }
            | Failure::Locate { .. }
            | Failure::Asked { .. }
            | Failure::SchemaText { .. }
            | Failure::SameFile { .. }
            | Failure::NoCommand { .. }
            | Failure::UnifiedOther
            | Failure::OptionOfText { .. }
            | Failure::SchemaJson { .. }
            | Failure::RepeatedStdin { .. } => Status::Usage,
            Failure::NotText { .. } => Status::No,
            Failure::Shapes { error, .. } => shapes_status(error.kind()),
            Failure::Options { error } => match error.class() {
                ErrorClass::Unsupported => Status::Refused,
                _ => Status::Usage,
            },
            Failure::Write { error, .. } if is_closed_pipe(error) => Status::Fine,
            Failure::Write { .. } => Status::Io,
            Failure::Encode { error, .. }
            | Failure::Recover { error, .. }
            | Failure::Append { error, .. } => output_status(error),
        }
    }

    /// Reports the failure on standard error, with a hint if there is one.
    pub(crate) fn report(&self) -> Status {
        let status = self.report_line();
        if status != Status::Fine
            && let Some(advice) = self.advice()
        {
            say("  ", (Look::Hint, "hint"), &advice);
        }
        status
    }

    /// Reports the failure in one line.
    pub(crate) fn report_line(&self) -> Status {
        let status = self.status();
        if status != Status::Fine {
            say("", (Look::Error, "error"), &self.to_string());
        }
        status
    }

    fn advice(&self) -> Option<String> {
        match self {
            Failure::Tool(error) => tool_advice(error),
            Failure::UnknownTarget { .. } => {
                Some("add --to stream or --to file, or use .arrows, .arrow, .feather or .ipc".to_owned())
            }
            Failure::TooMuchText { .. } => {
                Some("--limit N allows 4096 more bytes for each of N rows".to_owned())
            }
            Failure::Terminal { .. } => Some("give a file name, or redirect the output: … > FILE".to_owned()),
            Failure::Encode { error, .. } => encode_advice(error).map(str::to_owned),
            Failure::Recover { error, .. } => match error.kind() {
                IpcErrorKind::ReplacedDictionary { .. } => {
                    Some("--to stream: streams may replace dictionaries; `convert --dictionaries unify` joins them then".to_owned())
                }
                _ => None,
            },
            Failure::Append { error, .. } => match error.kind() {
                IpcErrorKind::ChangedDictionary { .. } | IpcErrorKind::ReplacedDictionary { .. } => {
                    Some("--dictionaries delta appends the new values".to_owned())
                }
                _ => None,
            },
            Failure::Options { error } => options_advice(error).map(str::to_owned),
            Failure::Shapes { error, .. } => match error.kind() {
                ShapesErrorKind::Plan(error) => encode_advice(error).map(str::to_owned),
                _ => Some("`arrow-ipc plan --help` shows the form".to_owned()),
            },
            Failure::NoCommand { .. } => Some("`arrow-ipc --help` lists them".to_owned()),
            Failure::NotCsv { .. }
            | Failure::NotText { .. }
            | Failure::SchemaText { .. }
            | Failure::Locate { .. }
            | Failure::Asked { .. }
            | Failure::ColumnsOfTensors { .. }
            | Failure::UnifiedOther
            | Failure::OptionOfText { .. }
            | Failure::SchemaJson { .. }
            | Failure::RepeatedStdin { .. }
            | Failure::SameFile { .. }
            | Failure::Write { .. } => None,
        }
    }
}

fn status_of(kind: &ToolErrorKind) -> Status {
    match kind {
        // What decompresses an input says so.
        ToolErrorKind::Read(error) if error.kind() == io::ErrorKind::InvalidData => Status::No,
        ToolErrorKind::Read(_) | ToolErrorKind::Spool(_) => Status::Io,
        ToolErrorKind::Empty
        | ToolErrorKind::TrailingBytes(_)
        | ToolErrorKind::NoEndMarker { .. }
        | ToolErrorKind::StreamAfterTensors { .. }
        | ToolErrorKind::NotArrow { .. }
        | ToolErrorKind::Values(_)
        | ToolErrorKind::Statistics(_)
        | ToolErrorKind::Row(_)
        | ToolErrorKind::Contradiction(_) => Status::No,
        ToolErrorKind::OtherColumns { .. }
        | ToolErrorKind::OtherInput { .. }
        | ToolErrorKind::TensorsAlone
        | ToolErrorKind::Cast { .. }
        | ToolErrorKind::Stopped => Status::Refused,
        ToolErrorKind::Input(error)
        | ToolErrorKind::LaterStream { error, .. }
        | ToolErrorKind::Batch { error, .. }
        | ToolErrorKind::Block { error, .. }
        | ToolErrorKind::Message { error, .. } => match error.class() {
            ErrorClass::Io => Status::Io,
            ErrorClass::Truncated | ErrorClass::Malformed => Status::No,
            // Classes of future versions are refusals, too.
            _ => Status::Refused,
        },
        ToolErrorKind::Columns { .. } | ToolErrorKind::PastEnd { .. } => Status::Usage,
        ToolErrorKind::Output(error) => output_status(error),
        // The path is wrong for this schema, or for the nulls of these values.
        ToolErrorKind::Path(error) => match error.kind() {
            DataErrorKind::NullsAbove { .. } => Status::Refused,
            _ => Status::Usage,
        },
    }
}

/// Shapes that contradict the schema or themselves are malformed.
fn shapes_status(kind: &ShapesErrorKind) -> Status {
    match kind {
        ShapesErrorKind::Plan(error) => match error.class() {
            ErrorClass::Unsupported | ErrorClass::LimitExceeded => Status::Refused,
            _ => Status::No,
        },
        _ => Status::No,
    }
}

fn output_status(error: &IpcError) -> Status {
    match (error.class(), error.kind()) {
        (_, IpcErrorKind::Io(error)) if is_closed_pipe(error) => Status::Fine,
        (ErrorClass::Io, _) => Status::Io,
        // The input was read, so the output format does not support its content.
        _ => Status::Refused,
    }
}

fn tool_advice(error: &ToolError) -> Option<String> {
    let name = || as_argument(error.input());
    match error.kind() {
        ToolErrorKind::Input(error)
        | ToolErrorKind::LaterStream { error, .. }
        | ToolErrorKind::Batch { error, .. } => {
            input_advice(error).map(|advice| advice.replace("FILE", &name()))
        }
        ToolErrorKind::NotArrow { found } => Some(foreign_advice(*found, &name())),
        ToolErrorKind::Columns { error, schema } => advice(error, schema),
        ToolErrorKind::Path(error) => match error.kind() {
            DataErrorKind::PathInto { .. } => {
                Some("select maps, unions, runs and dictionaries whole".to_owned())
            }
            DataErrorKind::NullsAbove { .. } => Some("select its parent".to_owned()),
            _ => None,
        },
        ToolErrorKind::OtherColumns { .. } => Some(format!(
            "streams are read as one only if they have the same columns; `arrow-ipc inspect {}` shows all",
            name()
        )),
        ToolErrorKind::TensorsAlone => Some(format!("`arrow-ipc cat {}` shows their elements", name())),
        ToolErrorKind::Output(error) => encode_advice(error).map(str::to_owned),
        ToolErrorKind::Row(error) => row_advice(error.kind()).map(str::to_owned),
        ToolErrorKind::Contradiction(_)
        | ToolErrorKind::Block { .. }
        | ToolErrorKind::Message { .. }
        | ToolErrorKind::Read(_)
        | ToolErrorKind::Spool(_)
        | ToolErrorKind::Empty
        | ToolErrorKind::OtherInput { .. }
        | ToolErrorKind::Values(_)
        | ToolErrorKind::Statistics(_)
        | ToolErrorKind::Cast { .. }
        | ToolErrorKind::TrailingBytes(_)
        | ToolErrorKind::NoEndMarker { .. }
        | ToolErrorKind::StreamAfterTensors { .. }
        | ToolErrorKind::PastEnd { .. }
        | ToolErrorKind::Stopped => None,
    }
}

/// A hint for an input that is something else.
fn foreign_advice(found: Option<Foreign>, name: &str) -> String {
    let by = |program: &str| format!("decompress it first: {program} -dc {name} | arrow-ipc cat -");
    // A pipe has no content that could be looked at twice.
    let text = |form: &str| match name {
        "-" => format!("`arrow-ipc convert --from {form} -` reads it"),
        name if name.contains("://") => "download it first".to_owned(),
        _ => format!("`arrow-ipc convert {name} OUT.arrow` reads it"),
    };
    let other = |what: &str| format!("read it with a tool for {what}, and write it as an Arrow file");
    match found {
        Some(Foreign::Gzip) => by("gzip"),
        Some(Foreign::Zstd) => by("zstd"),
        Some(Foreign::Xz) => by("xz"),
        Some(Foreign::Bzip2) => by("bzip2"),
        Some(Foreign::Zip) => "unpack it first".to_owned(),
        Some(Foreign::Avro) => other("Avro"),
        Some(Foreign::Orc) => other("ORC"),
        Some(Foreign::Hdf5) => other("HDF5"),
        Some(Foreign::Sqlite) => other("SQLite"),
        Some(Foreign::Html) => {
            "a server sends pages instead of files to say what is wrong: look at it".to_owned()
        }
        Some(Foreign::Json) => text("jsonl"),
        Some(Foreign::Csv) => text("csv"),
        Some(Foreign::Xml) | Some(_) | None => {
            "a file begins with ARROW1, a stream with four bytes FF".to_owned()
        }
    }
}

/// A hint for an input that cannot be read; `FILE` is replaced by its name.
fn input_advice(error: &IpcError) -> Option<&'static str> {
    match error.kind() {
        IpcErrorKind::WrongContainer { found: Container::FeatherV1, .. } => Some(
            "read it with a library that knows Feather version 1, and write it as version 2, which is Arrow IPC",
        ),
        IpcErrorKind::WrongContainer { found: Container::Parquet, .. } => {
            Some("read it with a tool for Parquet, and write it as an Arrow file")
        }
        IpcErrorKind::Unsupported { what: Unsupported::Part(words) } if words.contains("compressed") => {
            Some("write it again without compression; `arrow-ipc inspect FILE` shows its messages")
        }
        IpcErrorKind::Unsupported { what: Unsupported::TypeTag { .. } } => {
            Some("`arrow-ipc cat FILE --columns A,B` shows columns of other types")
        }
        IpcErrorKind::EndMagic { .. } | IpcErrorKind::FooterLength { .. } => Some(
            "the end of the file is missing or damaged: was the writer finished? `arrow-ipc inspect FILE` shows \
             the messages it holds",
        ),
        _ => match error.class() {
            ErrorClass::Truncated => Some(
                "was the writer finished, and the copy complete? `arrow-ipc inspect FILE` shows what the input holds",
            ),
            ErrorClass::Malformed | ErrorClass::Unsupported => {
                Some("`arrow-ipc inspect FILE` shows its messages")
            }
            _ => None,
        },
    }
}

/// A hint for an output that cannot hold the input.
fn encode_advice(error: &IpcError) -> Option<&'static str> {
    match error.kind() {
        IpcErrorKind::ReplacedDictionary { .. } => Some(
            "--dictionaries unify writes one dictionary with all values, and reads the input twice; \
             --dictionaries delta appends new values; --to stream allows replacement",
        ),
        IpcErrorKind::SharedDictionaryValues { .. } => Some("--dictionaries unify joins them"),
        IpcErrorKind::NotInVersion { .. } => Some("omit --metadata-version 4: version 5 supports it"),
        IpcErrorKind::Data(error) if matches!(error.kind(), DataErrorKind::OrderedDictionaries) => {
            Some("a stream can replace them: --to stream --dictionaries replace")
        }
        _ => None,
    }
}

/// A hint for options that contradict each other.
fn options_advice(error: &IpcError) -> Option<&'static str> {
    match error.kind() {
        IpcErrorKind::NotInVersion { version: MetadataVersion::V5, .. } => {
            Some("--legacy-framing needs --metadata-version 4")
        }
        IpcErrorKind::NotInVersion { .. } => Some("omit --metadata-version 4"),
        _ => None,
    }
}

/// Whether the reader of our output has closed it.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Writes a note to standard error; it does not change the status.
pub(crate) fn note(text: &str) {
    say("", (Look::Note, "note"), text);
}

/// Writes a line to standard error, whose own failure cannot be reported.
fn say(space: &str, (look, what): (Look, &str), text: &str) {
    let what = on_stderr(look, format!("{what}:"));
    let _ = writeln!(io::stderr(), "{space}{what} {}", Escaped(text));
}
