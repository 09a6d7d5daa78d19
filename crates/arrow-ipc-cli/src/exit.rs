//! How the program ends: exit statuses, and failures with what to do about them.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use arrow_array::ArrayError;
use arrow_data::{DataError, DataErrorKind};
use arrow_ipc::{Container, ErrorClass, IpcError, IpcErrorKind, MessageKind, MetadataVersion, Unsupported};
use arrow_schema::{LookupError, SchemaDifference};

use crate::{
    input::InputName,
    output::{OutputName, is_closed_pipe},
    terminal::Escaped,
    validate::{Contradiction, ShowDifference},
};

/// The exit statuses, in order of their numbers, which is how bad they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// All is well.
    Fine = 0,
    /// The answer is no: the input is malformed or cut off; what is compared differs.
    No = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Done, but something of the input could not be kept.
    DataLost = 3,
    /// The input cannot be read, or the output not written.
    Io = 4,
    /// Not supported, or over a limit.
    Refused = 5,
    /// Nobody knows whether the inputs differ: one of them is malformed or cut off.
    NoAnswer = 6,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why a command could not be done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{name}: {error}")]
    Read { name: InputName, error: io::Error },
    #[error("a temporary copy of {name} cannot be made: {error}")]
    Spool { name: InputName, error: io::Error },
    #[error("{name}: the {} is empty", what_is_named(.name))]
    Empty { name: InputName },
    #[error("{name}: this is neither an Arrow IPC file nor a stream")]
    NotArrow { name: InputName },
    #[error("{name}: {error}")]
    Input { name: InputName, error: IpcError },
    #[error("{name}: in the stream that begins at byte {position}: {error}")]
    LaterStream { name: InputName, position: u64, error: IpcError },
    #[error(
        "{name}: the stream that begins at byte {position} has other columns than the first{}",
        ShowDifference::new(error, ["the first", "this one"])
    )]
    OtherColumns { name: InputName, position: u64, error: SchemaDifference },
    #[error("{name}: tensors end at byte {position}, where a stream begins")]
    StreamAfterTensors { name: InputName, position: u64 },
    #[error("{name}: it holds tensors alone, and no rows")]
    TensorsAlone { name: InputName },
    #[error("{name}: tensors have no columns to choose")]
    ColumnsOfTensors { name: InputName },
    #[error("{name}: the rows shown have more than {n_allowed} bytes, for an input of {n_input_bytes} bytes")]
    TooMuchText { name: InputName, n_allowed: u64, n_input_bytes: u64 },
    #[error("{name}: {error}")]
    Batch { name: InputName, batch_idx: usize, error: IpcError },
    #[error("{name}: the {kind} that the footer lists at byte {position}: {}", error.kind())]
    Block { name: InputName, kind: MessageKind, position: u64, error: IpcError },
    #[error("{name}: message{} at byte {position}: {error}", show_index(*.index))]
    Message { name: InputName, index: Option<u64>, position: u64, error: IpcError },
    #[error("{name}: {error}")]
    Values { name: InputName, error: ArrayError },
    #[error("{name}: {what}")]
    Contradiction { name: InputName, what: Contradiction },
    #[error("{name}: {error}")]
    Columns { name: InputName, error: LookupError, advice: Option<String> },
    #[error("{name}: {error}")]
    Path { name: InputName, error: DataError },
    #[error("{name}: {error}")]
    Write { name: OutputName, error: io::Error },
    #[error("{name} is a terminal, which cannot show the bytes of a stream or file")]
    Terminal { name: OutputName },
    #[error("{name}: {error}")]
    Encode { name: OutputName, error: IpcError },
    #[error("{error}")]
    Options { error: IpcError },
    #[error("{name}: the name does not say whether to write a stream or a file")]
    UnknownTarget { name: OutputName },
    #[error("{option} is for --format csv")]
    NotCsv { option: &'static str },
    #[error("standard input is given {n_times} times, and can be read once")]
    RepeatedStdin { n_times: usize },
}

impl Failure {
    /// The status that the program ends with. A closed pipe is no failure: whoever read from it has seen enough.
    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Read { .. } | Failure::Spool { .. } => Status::Io,
            Failure::Empty { .. }
            | Failure::StreamAfterTensors { .. }
            | Failure::NotArrow { .. }
            | Failure::Values { .. }
            | Failure::Contradiction { .. } => Status::No,
            Failure::OtherColumns { .. } | Failure::TensorsAlone { .. } | Failure::TooMuchText { .. } => {
                Status::Refused
            }
            Failure::Input { error, .. }
            | Failure::LaterStream { error, .. }
            | Failure::Batch { error, .. }
            | Failure::Block { error, .. }
            | Failure::Message { error, .. } => status_of(error.class()),
            Failure::Columns { .. }
            | Failure::UnknownTarget { .. }
            | Failure::NotCsv { .. }
            | Failure::ColumnsOfTensors { .. }
            | Failure::Terminal { .. }
            | Failure::RepeatedStdin { .. } => Status::Usage,
            Failure::Options { error } => match error.class() {
                ErrorClass::Unsupported => Status::Refused,
                _ => Status::Usage,
            },
            // What the path asks for makes no sense, or there is no way to say it of these values.
            Failure::Path { error, .. } => match error.kind() {
                DataErrorKind::NullsAbove { .. } => Status::Refused,
                _ => Status::Usage,
            },
            Failure::Write { error, .. } if is_closed_pipe(error) => Status::Fine,
            Failure::Write { .. } => Status::Io,
            Failure::Encode { error, .. } => match (error.class(), error.kind()) {
                (_, IpcErrorKind::Io(error)) if is_closed_pipe(error) => Status::Fine,
                (ErrorClass::Io, _) => Status::Io,
                // What could be read and not be written is not supported by the format that is written.
                _ => Status::Refused,
            },
        }
    }

    /// Says on standard error what happened, and what to do next where there is something.
    pub(crate) fn report(&self) -> Status {
        let status = self.report_line();
        if status != Status::Fine
            && let Some(advice) = self.advice()
        {
            say("  hint", &advice);
        }
        status
    }

    /// Says it in one line.
    pub(crate) fn report_line(&self) -> Status {
        let status = self.status();
        if status != Status::Fine {
            say("error", &self.to_string());
        }
        status
    }

    fn advice(&self) -> Option<String> {
        match self {
            Failure::Input { error, name }
            | Failure::LaterStream { error, name, .. }
            | Failure::Batch { error, name, .. } => {
                input_advice(error).map(|advice| advice.replace("FILE", &name.as_argument()))
            }
            Failure::NotArrow { .. } => {
                Some("a file begins with the letters ARROW1, a stream with four bytes FF".to_owned())
            }
            Failure::Columns { advice, .. } => advice.clone(),
            Failure::Path { error, .. } => match error.kind() {
                DataErrorKind::PathInto { .. } => {
                    Some("maps, unions, runs and dictionaries are chosen as a whole".to_owned())
                }
                DataErrorKind::NullsAbove { .. } => Some("choose what is around it".to_owned()),
                _ => None,
            },
            Failure::UnknownTarget { .. } => {
                Some("say --to stream or --to file, or name it .arrows, .arrow, .feather or .ipc".to_owned())
            }
            Failure::OtherColumns { name, .. } => Some(format!(
                "only streams of the same columns are read as one; `arrow-ipc inspect {}` shows all of them",
                name.as_argument()
            )),
            Failure::TensorsAlone { name } => {
                Some(format!("`arrow-ipc cat {}` shows their elements", name.as_argument()))
            }
            Failure::TooMuchText { .. } => {
                Some("--limit N allows more: 4096 bytes for each of N rows".to_owned())
            }
            Failure::Terminal { .. } => {
                Some("name a file, or send the output into a file or a program: … > FILE".to_owned())
            }
            Failure::Encode { error, .. } => encode_advice(error).map(str::to_owned),
            Failure::Options { error } => options_advice(error).map(str::to_owned),
            Failure::Contradiction { .. }
            | Failure::Block { .. }
            | Failure::Message { .. }
            | Failure::Read { .. }
            | Failure::Spool { .. }
            | Failure::Empty { .. }
            | Failure::Values { .. }
            | Failure::NotCsv { .. }
            | Failure::StreamAfterTensors { .. }
            | Failure::ColumnsOfTensors { .. }
            | Failure::RepeatedStdin { .. }
            | Failure::Write { .. } => None,
        }
    }
}

fn what_is_named(name: &InputName) -> &'static str {
    match name {
        InputName::Stdin => "input",
        InputName::Path(_) => "file",
    }
}

fn show_index(index: Option<u64>) -> String {
    index.map_or_else(String::new, |index| format!(" {index}"))
}

fn status_of(class: ErrorClass) -> Status {
    match class {
        ErrorClass::Io => Status::Io,
        ErrorClass::Truncated | ErrorClass::Malformed => Status::No,
        // Classes that are added later are other ways to refuse.
        _ => Status::Refused,
    }
}

/// What to do about an input that cannot be read; `FILE` stands for its name.
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
        IpcErrorKind::EndMagic { .. } | IpcErrorKind::FooterLength { .. } => Some(
            "the end of the file is missing or damaged, as when a writer was not finished; \
             `arrow-ipc inspect FILE` shows the messages that are there",
        ),
        _ => match error.class() {
            ErrorClass::Truncated => Some(
                "the writer was not finished, or a copy was cut short; `arrow-ipc inspect FILE` shows what is there",
            ),
            ErrorClass::Malformed | ErrorClass::Unsupported => {
                Some("`arrow-ipc inspect FILE` shows its messages")
            }
            _ => None,
        },
    }
}

/// What to do about an output that cannot hold what the input does.
fn encode_advice(error: &IpcError) -> Option<&'static str> {
    match error.kind() {
        IpcErrorKind::ReplacedDictionary { .. } => Some(
            "--dictionaries unify makes one dictionary of all, and reads the input twice; \
             --dictionaries delta adds to it; a stream can hold it as it is: --to stream",
        ),
        IpcErrorKind::SharedDictionaryValues { .. } => Some("--dictionaries unify joins them"),
        IpcErrorKind::NotInVersion { .. } => Some("leave out --metadata-version 4: version 5 can carry it"),
        IpcErrorKind::Data(error) if matches!(error.kind(), DataErrorKind::OrderedDictionaries) => {
            Some("a stream can hold them as they are: --to stream --dictionaries replace")
        }
        _ => None,
    }
}

/// What to do about options that contradict each other.
fn options_advice(error: &IpcError) -> Option<&'static str> {
    match error.kind() {
        IpcErrorKind::NotInVersion { version: MetadataVersion::V5, .. } => {
            Some("--legacy-framing goes with --metadata-version 4")
        }
        IpcErrorKind::NotInVersion { .. } => Some("leave out --metadata-version 4"),
        _ => None,
    }
}

/// Says on standard error what does not change the status.
pub(crate) fn note(text: &str) {
    say("note", text);
}

/// Writes a line to standard error. Nothing can be said about a standard error that takes nothing.
fn say(what: &str, text: &str) {
    let _ = writeln!(io::stderr(), "{what}: {}", Escaped(text));
}
