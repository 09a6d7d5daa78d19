//! Exit statuses and hints for failures, and for inputs that `serve` refuses.

use std::{fmt, io};

use arrow_compute::PredicateErrorKind;
use arrow_data::DataErrorKind;
use arrow_ipc::ErrorClass;
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_report::{quoted, shell_argument};
use arrow_ipc_tools::{ForeignFormat, InputName, ToolError, ToolErrorKind, import::TextFormat};

use super::{
    Failure, Status,
    advice::{advice, advice_of_csv},
    foreign::{foreign_advice, target_advice},
    hints::{
        append_advice, cast_advice, cast_in_set_advice, condition_advice, encode_advice, input_advice,
        merge_advice, other_columns_advice,
    },
    is_closed_pipe,
    rows::row_advice,
};
use crate::{
    context::Context,
    names::{InputArg, OutputName, second_file_at},
};

impl Failure {
    /// The exit status and the hint of a failure. A closed pipe is no failure, because its reader needs no more output.
    pub(super) fn meaning(&self, context: &Context) -> (Status, Option<String>) {
        let hint = |text: &str| Some(text.to_owned());
        match self {
            Failure::Tool(error) => (Status::from_kind(error.kind()), advice_of_tool(context, error)),
            Failure::Advised { error, advice } => (Status::from_kind(error.kind()), hint(advice)),
            Failure::TooMuchText { .. } => {
                (Status::Refused, hint("--limit N allows 4096 more bytes for each of N rows"))
            }
            Failure::SchemaLength { .. } => (Status::Refused, None),
            Failure::UnknownContainer { name, input } => {
                (Status::Usage, Some(target_advice(name, input.as_ref())))
            }
            Failure::FolderForOne { name } => {
                let end = if name.ends_with('/') { "" } else { "/" };
                let file = quoted(&format!("{name}{end}OUT.arrow"));
                (Status::Usage, Some(format!("name the file: {file}")))
            }
            Failure::FileForParts { .. } => {
                (Status::Usage, hint("give a folder that does not exist as the last path"))
            }
            Failure::NoFolder { name: OutputName::Stdout, .. } => (
                Status::Usage,
                hint("`concat` joins several Arrow inputs; `convert` makes Arrow inputs from text"),
            ),
            Failure::NoFolder { name: OutputName::Path(path), .. } => {
                let folder = quoted(&format!("{}/", path.display()));
                let advice = format!(
                    "write {folder} to get a file for each input in a folder; `concat {folder}*.arrow OUT.arrow` joins them to one file"
                );
                (Status::Usage, Some(advice))
            }
            Failure::SameOutput { .. } | Failure::Unnamed { .. } => {
                (Status::Usage, hint("write the output of this input alone, to a file that you name"))
            }
            Failure::Needs { option: "--delimiter", other: "--format csv" } => {
                (Status::Usage, hint("--from-delimiter is the separator of CSV that is read"))
            }
            Failure::Needs { option: "--no-header", other: "--format csv" } => {
                (Status::Usage, hint("--from-no-header is for CSV that is read"))
            }
            Failure::OfFooter { .. } => (Status::Usage, hint("omit the option, or write a file: --to file")),
            Failure::Terminal { .. } => {
                (Status::Usage, hint("give a file name, or redirect the output: … > FILE"))
            }
            Failure::Needs { option: "append", .. } => {
                (Status::Usage, hint("`arrow-ipc convert IN FOLDER/NEW.arrow` adds a file to a data set"))
            }
            Failure::ExistingOutput { name, given, is_read } => {
                let advice = format!("to replace it, write -o {}", quoted(&given.to_string()));
                let read = if *is_read {
                    ", or the same path twice"
                } else if name == given {
                    "; to read it, too, write another output after it"
                } else {
                    ""
                };
                (Status::Usage, Some(advice + read))
            }
            Failure::NoIndex { .. } => (Status::Usage, hint("choose another name for the index")),
            Failure::SameFile { name: OutputName::Stdout } => {
                (Status::Usage, hint("redirect the output to another file"))
            }
            Failure::SameFile { .. } => (Status::Usage, hint("choose another name for the output")),
            Failure::OutputInSet { .. } => (Status::Usage, hint("choose a name outside of it")),
            Failure::NoViewer { command } if command == "arrow-ipc" => (
                Status::Io,
                hint(
                    "`arrow-ipc --help` has the same as text; `arrow-ipc man > arrow-ipc.1` writes the page",
                ),
            ),
            Failure::NoViewer { command } => {
                let page = format!("`arrow-ipc man {command} > arrow-ipc-{command}.1` writes the page");
                (Status::Io, Some(format!("`arrow-ipc {command} --help` has the same as text; {page}")))
            }
            Failure::NotServed { name, found } => (found.status(), Some(found.advice(name))),
            Failure::NoPage { .. } => (
                Status::Io,
                hint(
                    "--viewer PAGE gives it; in the sources, `cargo xtask wasm` makes js/viewer/viewer.html",
                ),
            ),
            Failure::Listen { error, .. } => {
                let is_used = error.kind() == io::ErrorKind::AddrInUse;
                (Status::Io, if is_used { hint("without --port, one is taken that is free") } else { None })
            }
            Failure::NoCommand { .. } => (Status::Usage, hint("`arrow-ipc --help` lists the commands")),
            Failure::Needs { .. }
            | Failure::ColumnsOfTensors { .. }
            | Failure::SchemaText { .. }
            | Failure::OptionOf { .. }
            | Failure::SchemaJson { .. }
            | Failure::TextOption { .. }
            | Failure::RepeatedStdin { .. } => (Status::Usage, None),
            Failure::Options { error } => match error.class() {
                ErrorClass::Unsupported => (Status::Refused, encode_advice(error)),
                _ => (Status::Usage, encode_advice(error)),
            },
            Failure::Write { error, .. } if is_closed_pipe(error) => (Status::Fine, None),
            Failure::Write { .. } => (Status::Io, None),
            Failure::MissingFolder { folder, .. } => {
                (Status::Io, Some(format!("`mkdir -p {}` creates it", quoted(&folder.to_string_lossy()))))
            }
            Failure::Encode { error, advice, .. } => (Status::from_output_error(error), advice(error)),
            Failure::AppendInput { error, .. } => (Status::from_output_error(error), append_advice(error)),
        }
    }
}

/// The hint for the error of a tool.
fn advice_of_tool(context: &Context, error: &ToolError) -> Option<String> {
    let hint = |text: &str| Some(text.to_owned());
    let input = error.input();
    let name = || shell_argument(input);
    match error.kind() {
        ToolErrorKind::Read(error) if error.kind() == io::ErrorKind::IsADirectory => {
            Some(format!("give one of its files, or `arrow-ipc validate {}` for a data set", name()))
        }
        ToolErrorKind::NotArrow { found } => Some(foreign_advice(*found, error.input())),
        ToolErrorKind::Row(row) => row_advice(context, row, error.input()),
        ToolErrorKind::TooManyParts { .. } => hint("--max-files N allows more"),
        ToolErrorKind::RepeatedKey { .. } => {
            hint("--key A,B names more columns, so that each row has its own key")
        }
        ToolErrorKind::KeyTypes { column, .. } => {
            let column = quoted(&format!("{column}=TYPE"));
            Some(format!("`arrow-ipc convert IN OUT --cast {column}` changes its type"))
        }
        ToolErrorKind::AfterFooter { .. } | ToolErrorKind::InnerFile { .. } => hint(
            "these bytes may hold batches: `arrow-ipc recover FILE OUT.arrow` saves them; then append to OUT.arrow",
        ),
        ToolErrorKind::OtherColumns { .. } => Some(format!(
            "streams are read as one only if they have the same columns; `arrow-ipc inspect {}` shows all",
            name()
        )),
        ToolErrorKind::Set(error) => match error {
            DatasetErrorKind::Merge(_) => merge_advice(context, error, &name()),
            DatasetErrorKind::Cast { column, error, .. } => cast_in_set_advice(column, error, &name()),
            DatasetErrorKind::AfterStream { .. } => Some(format!(
                "`arrow-ipc convert {} OUT.arrow` joins streams with the same columns; in a folder, each file has one",
                name()
            )),
            _ => None,
        },
        ToolErrorKind::OtherInput { error: difference, first } => {
            other_columns_advice(error.input(), first, difference)
        }
        ToolErrorKind::TensorsAlone => Some(format!("`arrow-ipc cat {}` shows their elements", name())),
        ToolErrorKind::Cast { error, .. } => cast_advice(error),
        ToolErrorKind::NoColumnLeft => {
            hint("exclude fewer columns; `arrow-ipc count FILE` counts rows without any")
        }
        ToolErrorKind::LongNames { .. } => hint("select the parent of these fields"),
        ToolErrorKind::TooManyPieces { .. } => hint("use batches with more rows"),
        ToolErrorKind::RowMemory { .. } => hint(
            "fewer rows need less: -n N of `tail` and `sample`, --batch-rows N of `convert`, `concat` and `split`",
        ),
        ToolErrorKind::Input(cause)
        | ToolErrorKind::LaterStream { error: cause, .. }
        | ToolErrorKind::Batch { error: cause, .. }
        | ToolErrorKind::Block { error: cause, .. }
        | ToolErrorKind::Message { error: cause, .. } => {
            let is_damaged = Status::from_kind(error.kind()) == Status::No;
            let second = if is_damaged { second_file_advice(input) } else { None };
            second.or_else(|| input_advice(cause, &name()))
        }
        ToolErrorKind::Columns { error: lookup, schema } => {
            let is_csv = TextFormat::name_of_extension(&error.input().to_string()) == Some("csv");
            if is_csv { advice_of_csv(error) } else { advice(lookup, schema) }
        }
        ToolErrorKind::Condition(wrong) => match wrong.kind() {
            PredicateErrorKind::Array(_) | PredicateErrorKind::Cast(_) => None,
            _ => condition_advice(wrong, error.input()),
        },
        ToolErrorKind::RepeatedName { .. } => {
            hint("--rename gives the other one a name, too, or --columns leaves it out")
        }
        ToolErrorKind::Output(error) => encode_advice(error),
        ToolErrorKind::Path(error) => match error.kind() {
            DataErrorKind::NullsAbove { .. } => hint("select its parent"),
            DataErrorKind::PathInto { .. } => hint("select maps, unions, runs and dictionaries whole"),
            _ => None,
        },
        ToolErrorKind::Read(_)
        | ToolErrorKind::Spool(_)
        | ToolErrorKind::Text(_)
        | ToolErrorKind::FolderColumn { .. }
        | ToolErrorKind::NewName { .. }
        | ToolErrorKind::RenamedTwice { .. }
        | ToolErrorKind::CastTwice { .. }
        | ToolErrorKind::MetadataKey { .. }
        | ToolErrorKind::Extension { .. }
        | ToolErrorKind::Empty
        | ToolErrorKind::TrailingBytes(_)
        | ToolErrorKind::NotOneStream { .. }
        | ToolErrorKind::NoEndMarker { .. }
        | ToolErrorKind::StreamAfterTensors { .. }
        | ToolErrorKind::Values(_)
        | ToolErrorKind::Select(_)
        | ToolErrorKind::Statistics(_)
        | ToolErrorKind::Contradiction(_)
        | ToolErrorKind::PastEnd { .. }
        | ToolErrorKind::Stopped => None,
    }
}

/// What is wrong with a file in which a second one begins: the last footer counts, and its blocks are not where they are in the
/// first file.
fn second_file_advice(input: &InputName) -> Option<String> {
    let InputName::Path(path) = input else { return None };
    let position = second_file_at(path)?;
    let name = shell_argument(input);
    Some(format!(
        "a second file begins at byte {position}, as if two files had been joined by `cat`; `arrow-ipc recover {name} OUT.arrow` saves \
         the batches that can be read"
    ))
}

/// Why an input is not served, although this program reads it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NotServed {
    Set { is_folder: bool },
    Pipe,
    Url,
    Compressed(ForeignFormat),
    FeatherV1,
}

impl fmt::Display for NotServed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotServed::Set { is_folder: true } => f.write_str("a folder"),
            NotServed::Set { is_folder: false } => f.write_str("a pattern of names"),
            NotServed::Pipe => f.write_str("a pipe or a device, of which no ranges can be read"),
            NotServed::Url => f.write_str("a URL"),
            NotServed::Compressed(codec) => write!(f, "{codec} as a whole, so no ranges of it can be read"),
            NotServed::FeatherV1 => f.write_str("a Feather file of version 1"),
        }
    }
}

impl NotServed {
    pub(crate) fn status(self) -> Status {
        match self {
            NotServed::Set { .. } | NotServed::Pipe | NotServed::Url => Status::Usage,
            NotServed::Compressed(_) | NotServed::FeatherV1 => Status::Refused,
        }
    }

    /// What to do instead.
    pub(crate) fn advice(self, input: &InputArg) -> String {
        let name = shell_argument(&input.into());
        let convert = format!("`arrow-ipc convert {name} OUT.arrow` writes a file that is served");
        match self {
            NotServed::Set { .. } => format!("name its files; or, as one: {convert}"),
            NotServed::Url => "the page itself opens URLs, if their server allows that".to_owned(),
            NotServed::Pipe | NotServed::Compressed(_) | NotServed::FeatherV1 => convert,
        }
    }
}
