//! Exit statuses and hints for failures.

use std::io;

use arrow_compute::{CastError, PredicateErrorKind};
use arrow_data::DataErrorKind;
use arrow_ipc::{ErrorClass, IpcError, IpcErrorKind};
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_report::{quoted, shell_argument};
use arrow_ipc_tools::{InputName, ToolError, ToolErrorKind, import::TextFormat};

use super::{
    Failure, Status,
    foreign::{foreign_advice, target_advice},
    hints::{
        append_advice, cast_advice, cast_in_set_advice, condition_advice, encode_advice, input_advice,
        merge_advice, options_advice, other_columns_advice,
    },
    is_closed_pipe,
    rows::{row_advice, row_status},
};
use crate::{
    advice::{advice, advice_of_csv},
    context::Context,
    names::{OutputName, second_file_at},
};

impl Failure {
    /// The exit status and the hint of a failure. A closed pipe is no failure, because its reader needs no more output.
    pub(super) fn meaning(&self, context: &Context) -> (Status, Option<String>) {
        let hint = |text: &str| Some(text.to_owned());
        match self {
            Failure::Tool(error) => meaning_of(context, error),
            Failure::Advised { error, advice } => (meaning_of(context, error).0, hint(advice)),
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
            Failure::ExistingOutput { name, given } => {
                let advice = format!("to replace it, write -o {}", quoted(&given.to_string()));
                let read = "; to read it, too, write another output after it";
                (Status::Usage, Some(advice + if name == given { read } else { "" }))
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
                ErrorClass::Unsupported => (Status::Refused, options_advice(error)),
                _ => (Status::Usage, options_advice(error)),
            },
            Failure::Write { error, .. } if is_closed_pipe(error) => (Status::Fine, None),
            Failure::Write { .. } => (Status::Io, None),
            Failure::MissingFolder { folder, .. } => {
                (Status::Io, Some(format!("`mkdir -p {}` creates it", quoted(&folder.to_string_lossy()))))
            }
            Failure::Encode { error, advice, .. } => (of_output(error), advice(error)),
            Failure::AppendInput { error, .. } => (of_output(error), append_advice(error)),
        }
    }
}

/// Like [`Failure::meaning`], for the error of a tool.
fn meaning_of(context: &Context, error: &ToolError) -> (Status, Option<String>) {
    let hint = |text: &str| Some(text.to_owned());
    let input = error.input();
    let name = || shell_argument(input);
    match error.kind() {
        // Decompressors return this kind of error for damaged data.
        ToolErrorKind::Read(error) | ToolErrorKind::Spool(error)
            if error.kind() == io::ErrorKind::InvalidData =>
        {
            (Status::No, None)
        }
        ToolErrorKind::Read(error) if error.kind() == io::ErrorKind::IsADirectory => {
            let hint = format!("give one of its files, or `arrow-ipc validate {}` for a data set", name());
            (Status::Io, Some(hint))
        }
        ToolErrorKind::Read(_) | ToolErrorKind::Spool(_) => (Status::Io, None),
        ToolErrorKind::Text(_) => (Status::No, None),
        ToolErrorKind::NotArrow { found } => (Status::No, Some(foreign_advice(*found, error.input()))),
        ToolErrorKind::Row(row) => (row_status(row), row_advice(context, row, error.input())),
        ToolErrorKind::Select(error) if error.class() == ErrorClass::OutOfMemory => (Status::Io, None),
        ToolErrorKind::Statistics(error) if error.class() == ErrorClass::OutOfMemory => (Status::Io, None),
        ToolErrorKind::FolderColumn { .. }
        | ToolErrorKind::NewName { .. }
        | ToolErrorKind::RenamedTwice { .. }
        | ToolErrorKind::CastTwice { .. }
        | ToolErrorKind::MetadataKey { .. }
        | ToolErrorKind::Extension { .. } => (Status::Usage, None),
        ToolErrorKind::TooManyParts { .. } => (Status::Usage, hint("--max-files N allows more")),
        ToolErrorKind::RepeatedKey { .. } => {
            (Status::Usage, hint("--key A,B names more columns, so that each row has its own key"))
        }
        ToolErrorKind::KeyTypes { column, .. } => {
            let column = quoted(&format!("{column}=TYPE"));
            (Status::Usage, Some(format!("`arrow-ipc convert IN OUT --cast {column}` changes its type")))
        }
        ToolErrorKind::AfterFooter { .. } | ToolErrorKind::InnerFile { .. } => (
            Status::No,
            hint(
                "these bytes may hold batches: `arrow-ipc recover FILE OUT.arrow` saves them; then append to OUT.arrow",
            ),
        ),
        ToolErrorKind::Empty
        | ToolErrorKind::TrailingBytes(_)
        | ToolErrorKind::NotOneStream { .. }
        | ToolErrorKind::NoEndMarker { .. }
        | ToolErrorKind::StreamAfterTensors { .. }
        | ToolErrorKind::Values(_)
        | ToolErrorKind::Select(_)
        | ToolErrorKind::Statistics(_)
        | ToolErrorKind::Contradiction(_) => (Status::No, None),
        ToolErrorKind::OtherColumns { .. } => {
            let advice = format!(
                "streams are read as one only if they have the same columns; `arrow-ipc inspect {}` shows all",
                name()
            );
            (Status::Refused, Some(advice))
        }
        ToolErrorKind::Set(error) => match error {
            DatasetErrorKind::Column(_) => (Status::Usage, None),
            DatasetErrorKind::Merge(_) => (Status::Refused, merge_advice(error, &name())),
            DatasetErrorKind::Cast { column, error, .. } => {
                (status_of_cast(error), cast_in_set_advice(column, error, &name()))
            }
            DatasetErrorKind::NoFiles
            | DatasetErrorKind::NoFile
            | DatasetErrorKind::Changed { .. }
            | DatasetErrorKind::Batches { .. } => (Status::Io, None),
            DatasetErrorKind::Rows { .. } | DatasetErrorKind::Incomplete => (Status::No, None),
            DatasetErrorKind::AfterStream { .. } => {
                let advice = format!(
                    "`arrow-ipc convert {} OUT.arrow` joins streams with the same columns; in a folder, each file has one",
                    name()
                );
                (Status::Refused, Some(advice))
            }
            _ => (Status::Refused, None),
        },
        ToolErrorKind::OtherInput { error: difference, first } => {
            (Status::Refused, other_columns_advice(error.input(), first, difference))
        }
        ToolErrorKind::TensorsAlone => {
            (Status::Refused, Some(format!("`arrow-ipc cat {}` shows their elements", name())))
        }
        ToolErrorKind::Cast { error, .. } => (status_of_cast(error), cast_advice(error)),
        ToolErrorKind::NoColumnLeft => {
            (Status::Usage, hint("exclude fewer columns; `arrow-ipc count FILE` counts rows without any"))
        }
        ToolErrorKind::LongNames { .. } => (Status::Refused, hint("select the parent of these fields")),
        ToolErrorKind::TooManyPieces { .. } => (Status::Refused, hint("use batches with more rows")),
        ToolErrorKind::RowMemory { .. } => {
            let advice = "fewer rows need less: -n N of `tail` and `sample`, --batch-rows N of `convert`, `concat` and `split`";
            (Status::Refused, hint(advice))
        }
        ToolErrorKind::Stopped => (Status::Refused, None),
        ToolErrorKind::Input(error)
        | ToolErrorKind::LaterStream { error, .. }
        | ToolErrorKind::Batch { error, .. }
        | ToolErrorKind::Block { error, .. }
        | ToolErrorKind::Message { error, .. } => {
            let status = of_input(error);
            let second = if status == Status::No { second_file_advice(input) } else { None };
            let advice = || input_advice(error).map(|advice| advice.replace("FILE", &name()));
            (status, second.or_else(advice))
        }
        ToolErrorKind::Columns { error: lookup, schema } => {
            let is_csv = TextFormat::name_of_extension(&error.input().to_string()) == Some("csv");
            (Status::Usage, if is_csv { advice_of_csv(error) } else { advice(lookup, schema) })
        }
        ToolErrorKind::Condition(wrong) => match wrong.kind() {
            PredicateErrorKind::Array(_) | PredicateErrorKind::Cast(_) => (Status::Refused, None),
            _ => (Status::Usage, condition_advice(wrong, error.input())),
        },
        ToolErrorKind::RepeatedName { .. } => {
            (Status::Usage, hint("--rename gives the other one a name, too, or --columns leaves it out"))
        }
        ToolErrorKind::PastEnd { .. } => (Status::Usage, None),
        ToolErrorKind::Output(error) => (of_output(error), encode_advice(error)),
        ToolErrorKind::Path(error) if error.class() == ErrorClass::OutOfMemory => (Status::Io, None),
        // The path does not fit the schema, or a parent has nulls that the type cannot store.
        ToolErrorKind::Path(error) => match error.kind() {
            DataErrorKind::NullsAbove { .. } => (Status::Refused, hint("select its parent")),
            DataErrorKind::PathInto { .. } => {
                (Status::Usage, hint("select maps, unions, runs and dictionaries whole"))
            }
            _ => (Status::Usage, None),
        },
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

fn of_input(error: &IpcError) -> Status {
    // Decompressors return this kind of error for damaged data.
    let is_damage = |error: &IpcErrorKind| matches!(error, IpcErrorKind::Io(error) if error.kind() == io::ErrorKind::InvalidData);
    match error.class() {
        ErrorClass::Io if is_damage(error.kind()) => Status::No,
        ErrorClass::Io | ErrorClass::OutOfMemory => Status::Io,
        ErrorClass::Truncated | ErrorClass::Malformed => Status::No,
        // Later versions of the library may add error classes.
        _ => Status::Refused,
    }
}

fn of_output(error: &IpcError) -> Status {
    match (error.class(), error.kind()) {
        (_, IpcErrorKind::Write(error)) if is_closed_pipe(error) => Status::Fine,
        (ErrorClass::Io | ErrorClass::OutOfMemory, _) => Status::Io,
        // The input was read without error, so the output format does not support its content.
        _ => Status::Refused,
    }
}

fn status_of_cast(error: &CastError) -> Status {
    if error.class() == ErrorClass::OutOfMemory { Status::Io } else { Status::Refused }
}
