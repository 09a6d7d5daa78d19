//! Hints that help after a failure.

use arrow_buffer::BudgetError;
use arrow_compute::{CastError, CastErrorKind};
use arrow_data::DataErrorKind;
use arrow_ipc::{Container, ErrorClass, IpcError, IpcErrorKind, MetadataVersion, error::Unsupported};
use arrow_ipc_tools::{ShapesErrorKind, ToolError, ToolErrorKind};

use super::{
    Failure,
    foreign::{foreign_advice, target_advice},
    rows::row_advice,
};
use crate::{
    advice::{advice, making_equal, reordering},
    names::{OutputName, as_argument, quoted},
};

impl Failure {
    pub(super) fn advice(&self) -> Option<String> {
        match self {
            Failure::Tool(error) => tool_advice(error),
            Failure::Advised { advice, .. } => Some(advice.to_string()),
            Failure::UnknownTarget { name, input } => Some(target_advice(name, input.as_ref())),
            Failure::TooMuchText { .. } => {
                Some("--limit N allows 4096 more bytes for each of N rows".to_owned())
            }
            Failure::Terminal { .. } => Some("give a file name, or redirect the output: … > FILE".to_owned()),
            Failure::Encode { error, .. } => encode_advice(error).map(str::to_owned),
            Failure::Recover { error, .. } => match error.kind() {
                IpcErrorKind::ReplacedDictionary { .. } => {
                    Some("write a stream, OUT.arrows or --to stream: it may replace dictionaries; `convert --dictionaries unify` joins them then".to_owned())
                }
                _ => None,
            },
            Failure::Append { error, .. } | Failure::AppendInput { error, .. } => match error.kind() {
                IpcErrorKind::ChangedDictionary { .. } | IpcErrorKind::ReplacedDictionary { .. } => {
                    Some("--dictionaries delta appends the new values".to_owned())
                }
                IpcErrorKind::Schema(difference) => {
                    let option = making_equal(difference).map(|option| format!("{option} makes it so"));
                    reordering(difference).or(option)
                }
                _ => None,
            },
            Failure::Options { error } => options_advice(error).map(str::to_owned),
            Failure::Shapes { error, .. } => match error.kind() {
                ShapesErrorKind::Plan(error) => encode_advice(error).map(str::to_owned),
                _ => Some("`arrow-ipc plan --help` shows the form".to_owned()),
            },
            Failure::NoFolder { name: OutputName::Stdout, .. } => {
                Some("`concat` writes several inputs as one".to_owned())
            }
            Failure::NoFolder { name: OutputName::Path(path), .. } => {
                let folder = quoted(&format!("{}/", path.display()));
                Some(format!(
                    "write {folder} to get a file for each input in a folder; `concat` writes several inputs as one"
                ))
            }
            Failure::SameOutput { .. } | Failure::Unnamed { .. } => {
                Some("write it alone, to a file of another name".to_owned())
            }
            Failure::NoCommand { .. } => Some("`arrow-ipc --help` lists them".to_owned()),
            Failure::Needs { option: "--delimiter", other: "--format csv" } => {
                Some("--from-delimiter is the separator of CSV that is read".to_owned())
            }
            Failure::Needs { option: "--no-header", other: "--format csv" } => {
                Some("--from-no-header is for CSV that is read".to_owned())
            }
            Failure::MissingFolder { folder, .. } => {
                Some(format!("`mkdir -p {}` makes it", quoted(&folder.to_string_lossy())))
            }
            Failure::FolderForOne { name } => {
                let end = if name.ends_with('/') { "" } else { "/" };
                Some(format!("name the file: {}", quoted(&format!("{name}{end}OUT.arrow"))))
            }
            Failure::OfFooter { .. } => Some("omit it, or write a file: --to file".to_owned()),
            Failure::Needs { .. }
            | Failure::NotText { .. }
            | Failure::SchemaText { .. }
            | Failure::Locate { .. }
            | Failure::Asked { .. }
            | Failure::ColumnsOfTensors { .. }
            | Failure::OptionOf { .. }
            | Failure::SchemaJson { .. }
            | Failure::SchemaLength { .. }
            | Failure::RepeatedStdin { .. }
            | Failure::SameFile { .. }
            | Failure::PageOverData { .. }
            | Failure::Write { .. } => None,
        }
    }
}

fn tool_advice(error: &ToolError) -> Option<String> {
    let name = || as_argument(error.input());
    match error.kind() {
        ToolErrorKind::Input(error)
        | ToolErrorKind::LaterStream { error, .. }
        | ToolErrorKind::Batch { error, .. }
        | ToolErrorKind::Block { error, .. }
        | ToolErrorKind::Message { error, .. } => {
            input_advice(error).map(|advice| advice.replace("FILE", &name()))
        }
        ToolErrorKind::NotArrow { found } => Some(foreign_advice(*found, error.input())),
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
        ToolErrorKind::OtherInput { error, .. } => reordering(error).or_else(|| {
            let option = making_equal(error)?;
            Some(format!("`arrow-ipc convert {} OUT.arrow {option}` makes it so", name()))
        }),
        ToolErrorKind::Cast { error, .. } => cast_advice(error).map(str::to_owned),
        ToolErrorKind::TensorsAlone => Some(format!("`arrow-ipc cat {}` shows their elements", name())),
        ToolErrorKind::TooManyPieces { .. } => Some("batches of more rows are fewer".to_owned()),
        ToolErrorKind::RowMemory { .. } => Some("fewer rows need less: -n N of `tail` and `sample`, --batch-rows N of `convert`, --target-rows N of `concat` and `split`".to_owned()),
        ToolErrorKind::LongNames { .. } => Some("select the parent of these fields".to_owned()),
        ToolErrorKind::RepeatedName { .. } => {
            Some("--rename gives the other one a name, too, or --columns leaves it out".to_owned())
        }
        ToolErrorKind::Output(error) => encode_advice(error).map(str::to_owned),
        ToolErrorKind::Row(row) => row_advice(row, error.input()),
        ToolErrorKind::Contradiction(_)
        | ToolErrorKind::Read(_)
        | ToolErrorKind::Spool(_)
        | ToolErrorKind::Empty
        | ToolErrorKind::Values(_)
        | ToolErrorKind::Statistics(_)
        | ToolErrorKind::TrailingBytes(_)
        | ToolErrorKind::NoEndMarker { .. }
        | ToolErrorKind::StreamAfterTensors { .. }
        | ToolErrorKind::PastEnd { .. }
        | ToolErrorKind::Stopped => None,
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
        IpcErrorKind::WrongContainer { found: Container::Stream, .. } => {
            Some("`arrow-ipc convert FILE OUT.arrow` makes a file of a stream")
        }
        // No command shows more of it.
        IpcErrorKind::WrongContainer { found: Container::Unknown, .. } => None,
        IpcErrorKind::Unsupported { what: Unsupported::Part(words) } if words.contains("compressed") => {
            Some("write it again without compression; `arrow-ipc inspect FILE` shows its messages")
        }
        IpcErrorKind::Unsupported { what: Unsupported::Column { n_readable: 1.., .. } } => {
            Some("`arrow-ipc cat FILE --columns A,B` shows columns that can be read")
        }
        IpcErrorKind::Unsupported {
            what: Unsupported::Column { .. } | Unsupported::TypeTag { .. } | Unsupported::WideInteger { .. },
        } => Some("`arrow-ipc schema FILE` shows the types of all columns"),
        IpcErrorKind::EndMagic { .. } | IpcErrorKind::FooterLength { .. } => Some(
            "the end of the file is missing or damaged: was the writer finished? `arrow-ipc recover FILE OUT.arrow` \
             saves the complete batches, `arrow-ipc inspect FILE` shows the messages",
        ),
        _ => match error.class() {
            ErrorClass::Truncated => Some(
                "was the writer finished, and the copy complete? `arrow-ipc recover FILE OUT.arrow` saves the complete \
                 batches, `arrow-ipc inspect FILE` shows the messages",
            ),
            ErrorClass::Malformed | ErrorClass::Unsupported => {
                Some("`arrow-ipc inspect FILE` shows its messages")
            }
            _ => None,
        },
    }
}

/// A hint for values that are not cast.
fn cast_advice(error: &CastError) -> Option<&'static str> {
    match error.kind() {
        CastErrorKind::Unsupported { .. } => Some(
            "--cast changes encodings, widths, scales and units, and reads no text: of CSV and JSON, --schema says the types",
        ),
        CastErrorKind::Data(error)
            if matches!(error.kind(), DataErrorKind::Memory(BudgetError::Refused { .. })) =>
        {
            Some("--max-cast-bytes BYTES allows more")
        }
        CastErrorKind::LostDigits { .. } => Some("--lossy leaves them out"),
        _ => None,
    }
}

/// A hint for an output that cannot hold the input.
fn encode_advice(error: &IpcError) -> Option<&'static str> {
    match error.kind() {
        IpcErrorKind::ReplacedDictionary { .. } => Some(
            "--dictionaries unify writes one dictionary with all values, and reads the input twice; --dictionaries delta appends new \
             values; a stream, OUT.arrows or --to stream, may replace them",
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
