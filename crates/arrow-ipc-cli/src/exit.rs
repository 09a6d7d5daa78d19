//! Failures of commands, with exit statuses and hints.

pub(crate) mod advice;
mod foreign;
mod hints;
mod meaning;
mod rows;
mod status;

use std::{borrow::Cow, io, path::PathBuf};

use arrow_ipc::IpcError;
use arrow_ipc_report::NoteText;
use arrow_ipc_tools::{InputName, InputRemarks, Loss, ToolError, ToolErrorKind};
use arrow_schema::ParseError;
use arrow_text::{SchemaJsonError, format::Counted};

pub(crate) use self::{
    foreign::by_polars,
    hints::{
        OTHER_INDEX, TOO_MANY_FIELDS, append_advice, encode_advice, other_columns_advice, recover_advice,
    },
    meaning::NotServed,
    rows::row_advice_by_schema,
    status::Status,
};
use crate::{context::Context, names::OutputName, terminal::color::TextRole};

/// Why a command has failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Tool(ToolError),
    /// An error with a hint of the command, instead of the usual hint for the error.
    #[error("{error}")]
    Advised { error: ToolError, advice: Cow<'static, str> },
    #[error("{name}: tensors have no columns to select")]
    ColumnsOfTensors { name: InputName },
    #[error(
        "{name}: the output exceeds the limit of {} for {measured} of {}",
        Counted(*n_allowed, "byte"),
        Counted(*n_measured_bytes, "byte")
    )]
    /// `measured` is what has these bytes, which determine the limit.
    TooMuchText { name: InputName, n_allowed: u64, measured: &'static str, n_measured_bytes: u64 },
    #[error("{name}: {error}")]
    Write { name: OutputName, error: io::Error },
    #[error("{name} is a terminal, which cannot show the bytes of a stream or file")]
    Terminal { name: OutputName },
    /// The output cannot be written, or does not support something in the input. Each command has its own hint.
    #[error("{name}: {error}")]
    Encode { name: OutputName, error: IpcError, advice: fn(&IpcError) -> Option<String> },
    #[error("{name} is an input, too")]
    SameFile { name: OutputName },
    /// The last path is a file with data, or has one; `given` is the last path. `is_read` says whether the file is an input by
    /// another path.
    #[error("{name} exists")]
    ExistingOutput { name: OutputName, given: OutputName, is_read: bool },
    #[error("{name} exists, and is no index")]
    NoIndex { name: OutputName },
    #[error("{name} would be a file of the input {input}")]
    OutputInSet { name: OutputName, input: crate::names::InputArg },
    #[error("{input}: cannot be appended to {name}: {error}")]
    AppendInput { input: InputName, name: OutputName, error: IpcError },
    #[error("{name}: {option} is for {expected}, but the content is {found}")]
    OptionOf {
        option: &'static str,
        expected: &'static str,
        found: &'static str,
        name: crate::names::InputArg,
    },
    #[error("{name}: not a schema as JSON: {error}")]
    SchemaJson { name: InputName, error: SchemaJsonError },
    #[error("{name}: not a file or stream, and longer than 16 MiB, the limit for a schema as text")]
    SchemaLength { name: InputName },
    #[error("{error}")]
    Options { error: IpcError },
    #[error("{name}: the folder {} does not exist", folder.display())]
    MissingFolder { name: OutputName, folder: PathBuf },
    #[error("{name}: the output is one file, but the name is that of a folder")]
    FolderForOne { name: String },
    #[error("{name}: {}", no_target(.name))]
    UnknownContainer { name: OutputName, input: Option<InputName> },
    #[error("{name} is a file, and the parts are written into a folder")]
    FileForParts { name: OutputName },
    #[error("{name}: not a folder, which the outputs of {n_inputs} inputs need")]
    NoFolder { name: OutputName, n_inputs: usize },
    #[error("{name}: the outputs of both {a} and {b} would be written to this file")]
    SameOutput { name: OutputName, a: crate::names::InputArg, b: crate::names::InputArg },
    #[error("{input} has no file name to give to a file in the output folder")]
    Unnamed { input: crate::names::InputArg },
    #[error("{option} writes into the footer of a file, but a stream has no footer")]
    OfFooter { option: &'static str },
    #[error("{option} needs {other}")]
    Needs { option: &'static str, other: &'static str },
    #[error("{name}: neither a schema as text nor a file or stream that has one: {error}")]
    SchemaText { name: InputName, error: ParseError },
    #[error("{name}: {found}; only Arrow files and streams on a disk are served")]
    NotServed { name: crate::names::InputArg, found: NotServed },
    #[error("there is no page to show files with: no {}", .paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", and no "))]
    NoPage { paths: Vec<PathBuf> },
    #[error("no requests can be received at 127.0.0.1, port {port}: {error}")]
    Listen { port: u16, error: io::Error },
    #[error("there is no command \"{name}\"")]
    NoCommand { name: String },
    #[error("the page cannot be shown: neither `man -l -` nor `mandoc -a` succeeds here")]
    NoViewer { command: String },
    #[error("{option}: {error}")]
    TextOption { option: &'static str, error: Box<dyn std::error::Error + Send + Sync> },
    #[error("standard input is given {n_times} times; it can be read only once")]
    RepeatedStdin { n_times: usize },
}

/// Why the name of an output does not say which container to write.
fn no_target(name: &OutputName) -> &'static str {
    if name.is_packed() {
        "the extension means that the whole output is compressed, but in Arrow data only bodies are compressed"
    } else {
        "the file extension does not say whether to write a stream or a file"
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Failure {
        Failure::Tool(error)
    }
}

impl Failure {
    /// Converts an error. If it is about the output, the failure has the name of the output, and the hint that
    /// `advice` returns.
    pub(crate) fn from_output(
        name: &OutputName,
        error: ToolError,
        advice: fn(&IpcError) -> Option<String>,
    ) -> Failure {
        let input = error.input().clone();
        match error.into_kind() {
            ToolErrorKind::Output(error) => Failure::Encode { name: name.clone(), error, advice },
            kind => ToolError::new(input, kind).into(),
        }
    }

    /// Writes the failure to standard error, with a hint if there is one.
    pub(crate) fn report(&self, context: &Context) -> Status {
        let (status, advice) = self.meaning(context);
        if status != Status::Fine {
            context.write_line("", TextRole::Error, "error", &self.to_string());
            advice.iter().for_each(|advice| context.hint(advice));
        }
        status
    }

    pub(crate) fn report_line(&self, context: &Context) -> Status {
        let (status, _) = self.meaning(context);
        if status != Status::Fine {
            context.write_line("", TextRole::Error, "error", &self.to_string());
        }
        status
    }
}

/// Whether writing failed because the reader of the pipe has closed it.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Writes notes about the skipped rows of all inputs. Call this at the end. Returns the resulting status.
pub(crate) fn note_skipped(context: &Context) -> Status {
    let rows = context.take_skipped().into_iter().map(|(name, skipped)| (name, skipped.rows()));
    let rows: Vec<_> = rows.filter(|(_, rows)| rows.n_rows() > 0).collect();
    context.notes(rows.iter().map(|(name, rows)| format!("{name}: {rows}")));
    if rows.is_empty() { Status::Fine } else { Status::DataLost }
}

pub(crate) fn note_losses(context: &Context, losses: &[(InputName, Loss)]) -> Status {
    losses.iter().for_each(|(name, loss)| context.note(&format!("{name}: {loss}")));
    if losses.is_empty() { Status::Fine } else { Status::DataLost }
}

/// Writes notes about trailing bytes and tensors, which have no rows, and about text that is not UTF-8, which is not lost. `done` is
/// the verb of the note, such as "shown" for "not shown". Returns the resulting status.
pub(crate) fn note_remarks(
    context: &Context,
    name: &InputName,
    done: &str,
    remarks: &InputRemarks,
) -> Status {
    context.notes(remarks.notes(name).map(|note| NoteText(&note).to_string()));
    let n_tensors = remarks.n_tensors;
    if n_tensors > 0 {
        let what = if n_tensors == 1 { "tensor is" } else { "tensors are" };
        context.note(&format!("{name}: {n_tensors} {what} not {done}: `arrow-ipc inspect` shows them"));
    }
    if remarks.trailing_bytes.is_some() || n_tensors > 0 { Status::DataLost } else { Status::Fine }
}
