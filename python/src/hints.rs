//! Hints that errors show.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use arrow_c_data::CDataErrorKind;
use arrow_compute::CastError;
use arrow_data::DataErrorKind;
use arrow_ipc::{AtomicFile, Container, IpcError};
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_recover::SchemaMismatch;
use arrow_ipc_report::{
    Advice, LostByCast, Salvage, may_infer_with, suggest_json_syntax, suggest_names, suggest_no_header,
    suggest_options, suggest_type, suggest_type_of_large_number, suggest_type_of_mixed,
};
use arrow_ipc_tools::{
    Contradiction, ForeignFormat, MalformedText, ToolError, ToolErrorKind, import::TextFormat,
};
use arrow_schema::{LookupError, PathStep, Schema, SchemaDifferenceKind};
use arrow_text::{RowError, RowErrorKind};

use crate::tools::open::with_arguments;

/// The hint for an error of a tool: what the caller can change so that the call succeeds. `None` if there is no
/// hint.
pub(crate) fn hint_of_tool(kind: &ToolErrorKind) -> Option<&'static str> {
    match kind {
        ToolErrorKind::NotArrow { found } => Some(hint_of_foreign(*found)),
        ToolErrorKind::Empty => Some(EMPTY_HINT),
        ToolErrorKind::TooManyParts { .. } => Some("max_files= allows more"),
        ToolErrorKind::OtherInput { error, .. } => Some(match error.kind() {
            SchemaDifferenceKind::Type { .. } => {
                "cast={column: type} gives all inputs the same types; dataset(paths, schema=) reads files with other columns as one"
            }
            SchemaDifferenceKind::Name { is_elsewhere: true, .. } if error.path().steps().len() == 1 => {
                "columns=[name, ...] takes columns by their names, in that order, from each input"
            }
            _ => "dataset(paths, schema=) reads files with other columns as one",
        }),
        ToolErrorKind::Cast { error, .. } | ToolErrorKind::Set(DatasetErrorKind::Cast { error, .. }) => {
            hint_of_cast(error)
        }
        ToolErrorKind::KeyTypes { .. } => Some(
            "convert(source, dest, cast={column: type}) gives the key of one input the type of the other",
        ),
        ToolErrorKind::RepeatedKey { .. } => {
            Some("key=[a, b] names more columns, so that each row has its own key")
        }
        ToolErrorKind::AfterFooter { .. } | ToolErrorKind::InnerFile { .. } => {
            Some("these bytes may hold batches: recover(source, dest) saves them; then append to dest")
        }
        ToolErrorKind::TooManyPieces { .. } => {
            Some("batches with more rows, such as of batch_rows=, have fewer pieces")
        }
        ToolErrorKind::RowMemory { .. } => Some("batch_rows= with fewer rows needs less memory at once"),
        ToolErrorKind::Path(error) => match error.kind() {
            DataErrorKind::NullsAbove { .. } => Some("select its parent"),
            DataErrorKind::PathInto { .. } => Some("select maps, unions, runs and dictionaries whole"),
            _ => None,
        },
        ToolErrorKind::Contradiction(
            Contradiction::BytesBeforeFooter { .. } | Contradiction::NotInFooter { .. },
        ) => Some(
            "an append that is still running, or was interrupted, leaves such bytes: all rows of the footer are there, and the next append \
             overwrites the bytes; recover looks for rows in them",
        ),
        ToolErrorKind::Set(DatasetErrorKind::NoFiles) => {
            Some("`read_csv(\"folder/*.csv\")` and `read_json(\"folder/*.jsonl\")` read texts")
        }
        ToolErrorKind::Set(DatasetErrorKind::AfterStream { .. }) => {
            Some("convert joins streams with the same columns to one file; in a folder, each file has one")
        }
        ToolErrorKind::Set(DatasetErrorKind::Merge(_)) => Some(
            "dataset(paths, schema={column: type}) reads all files with these columns and types, and write_file writes what it reads",
        ),
        ToolErrorKind::Row(error) => match error.kind() {
            RowErrorKind::NotUtf8 | RowErrorKind::CellNotUtf8 { .. } => {
                Some("encoding= says which encoding the text has, such as encoding=\"latin1\"")
            }
            RowErrorKind::Count { unit: "cells", expected, found, .. } => Some(match (expected, found) {
                (1, _) => {
                    "skip=N leaves out N lines of a title at the top; with another delimiter=, each line is one cell"
                }
                (_, 1) if error.line() == 2 => {
                    "skip=N leaves out N lines of a title at the top; ragged=\"pad\" fills up short lines with nulls, and ragged=\"skip\" leaves \
                     them out"
                }
                _ if found < expected => {
                    "ragged=\"pad\" fills up short lines with nulls, and ragged=\"skip\" leaves them out; skip=N leaves out the first lines"
                }
                _ => {
                    "ragged=\"skip\" leaves out lines with too many cells; skip=N leaves out the first lines"
                }
            }),
            RowErrorKind::HashLine { .. } => Some("comment=\"#\" leaves out the lines that begin with #"),
            RowErrorKind::EmptyCells { .. } => {
                Some("ragged=\"pad\" leaves out cells without text after the last column")
            }
            RowErrorKind::Pairs => Some(
                "`read_json(source, schema=Schema([(name, type), ...]))` reads them, with all columns, also those of one name; convert takes schema=, too",
            ),
            RowErrorKind::Repeated if error.byte().is_some() => Some(
                "Python keeps the last value of each name: `write_file(dest, [json.loads(line) for line in open(path)])`",
            ),
            RowErrorKind::OtherNames { .. } => Some("schema= must have the names of the header"),
            RowErrorKind::UnknownName { .. } => Some(
                "schema= must have all names; without a schema, infer_rows=\"all\" finds the names in all rows",
            ),
            _ => None,
        },
        _ => None,
    }
}

/// A hint with names and values of the error, which is better than that of [`hint_of_tool`]. `None` if there is none.
pub(crate) fn hint_with_values(kind: &ToolErrorKind) -> Option<String> {
    match kind {
        ToolErrorKind::Row(row) => match suggest_type_of_mixed(row) {
            Some((name, data_type)) => {
                Some(format!("{} reads all its values as text", typed(name, data_type)))
            }
            None => {
                let from_json = || suggest_json_syntax(row).map(str::to_owned);
                hint_of_value(row, TypeOrigin::MayBeInferred).or_else(from_json)
            }
        },
        _ => None,
    }
}

/// Whether a column has an inferred type, as far as the caller knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeOrigin {
    MayBeInferred,
    OfFirstText,
}

/// A hint for a row of text that does not fit its column. `None` if the error has another cause.
pub(crate) fn hint_of_value(row: &RowError, origin: TypeOrigin) -> Option<String> {
    let RowErrorKind::Value(error) = row.kind() else { return None };
    let column = if let [PathStep::Child { name, .. }] = row.path().steps() { Some(name) } else { None };
    if let (Some(read), Some(column)) = (suggest_options(row, error), column) {
        let with = if read.needs_float { format!(", {}", typed(column, "float64")) } else { String::new() };
        return Some(format!("{}{with} reads such {}", with_arguments(&read.options), read.what));
    }
    if let (Some([column, data_type]), TypeOrigin::MayBeInferred) =
        (suggest_type_of_large_number(row, error), origin)
    {
        return Some(format!("{} reads the column of such a number as text", typed(column, data_type)));
    }
    let all = "without types= and schema=, infer_rows=\"all\" infers types from all rows";
    Some(match (column, origin) {
        (None, _) => format!("schema= says the types of all columns; {all}"),
        (Some(column), TypeOrigin::OfFirstText) => {
            let data_type = suggest_type(row, error);
            format!(
                "{} reads the column of all texts as {data_type}; its type is that of the first text",
                typed(column, data_type)
            )
        }
        (Some(column), TypeOrigin::MayBeInferred) => {
            let data_type = suggest_type(row, error);
            let all = if may_infer_with(row, error) { format!("; {all}") } else { String::new() };
            format!("{} reads the column as {data_type}{all}", typed(column, data_type))
        }
    })
}

fn typed(name: &str, data_type: &str) -> String {
    format!("types={{{name:?}: {data_type:?}}}")
}

/// A hint for a name that an input does not have. `None` if the error has another cause.
pub(crate) fn hint_of_names(error: &ToolError) -> Option<String> {
    let ToolErrorKind::Columns { error, schema } = error.kind() else { return None };
    let names = suggest_names(error, schema, NAMES_PREFIX)?;
    Some(match error {
        LookupError::Missing { name } if &**name == "*" => PATTERNS_HINT.to_owned(),
        LookupError::Missing { name } if name.contains('*') => format!("{names}; {PATTERNS_HINT}"),
        _ => names,
    })
}

/// A hint for a column that a batch, a data set or a file does not have. A field inside a column is no column.
pub(crate) fn hint_of_missing(error: &LookupError, schema: &Schema) -> Option<String> {
    let mut hint = suggest_names(error, schema, NAMES_PREFIX)?;
    if let LookupError::Missing { name } = error
        && schema.path(name).is_ok()
    {
        hint += &format!(
            "; `batch[{name:?}]` is this field of a batch, and convert(source, dest, columns=[{name:?}]) makes a column of it"
        );
    }
    Some(hint)
}

/// Like [`hint_of_names`], for CSV, whose first row may be taken for names.
pub(crate) fn hint_of_csv(error: &ToolError) -> Option<String> {
    let ToolErrorKind::Columns { error: cause, schema } = error.kind() else { return None };
    // Names of columns may look like options, so only the end is translated.
    Some(hint_of_names(error)? + &with_arguments(suggest_no_header(cause, schema)))
}

/// A hint for data of another library that cannot be taken.
pub(crate) fn hint_of_c_data(kind: &CDataErrorKind) -> Option<&'static str> {
    match kind {
        CDataErrorKind::NotAStruct { .. } => Some("a column alone needs a name: `{\"name\": column}`"),
        CDataErrorKind::TooManyFields { .. } => Some(OF_MAX_FIELDS),
        CDataErrorKind::Format { format } if ["_pli128", "_plu128"].contains(&&**format) => Some(
            "Arrow has no integers of 128 bits: in polars, `column.cast(polars.Decimal(38, 0))` keeps up to 38 digits, and \
             `column.cast(polars.String)` all",
        ),
        _ => None,
    }
}

/// A hint for values that cannot be cast.
pub(crate) fn hint_of_cast(error: &CastError) -> Option<&'static str> {
    words_of(Advice::from_cast_error(error)?)
}

/// An advice in the words of Python. `None` if the error itself says what to do.
fn words_of(advice: Advice<'_>) -> Option<&'static str> {
    Some(match advice {
        Advice::ConvertFeather => "convert makes a file of it, which is Feather version 2",
        Advice::ReadParquet => "read it with a library for Parquet: write_file writes its table",
        Advice::ConvertStream => "convert makes a file of it",
        Advice::ReadFile => "`open` reads the file",
        Advice::UnknownFormat => UNKNOWN_FORMAT_HINT,
        Advice::AllowMoreFields => OF_MAX_FIELDS,
        Advice::WriteIndex => "`open(path).index()` makes the index of a stream",
        Advice::WriteUncompressed => "write it again without compression",
        Advice::SelectReadableColumns => "columns= selects columns that can be read",
        Advice::ShowTypes => "`open(path).schema` has the types of all columns",
        // Names and metadata are text in flatbuffers, which must be UTF-8.
        Advice::ReadLeniently => {
            "only strict validation refuses it: otherwise it is escaped text, and the same bytes when it is written"
        }
        Advice::SaveBeforeEnd | Advice::Salvage(Salvage::CompleteBatches) => DAMAGE_HINT,
        Advice::SaveAfterStart => "if the start was overwritten, recover saves the complete batches after it",
        Advice::Salvage(Salvage::Nothing) => EMPTY_HINT,
        Advice::Salvage(Salvage::BatchesOfGivenSchema) => {
            "recover(source, dest, schema=) saves the batches, if you know their columns"
        }
        Advice::Salvage(Salvage::ReadableBatches) => "recover saves the batches that can be read",
        Advice::Salvage(Salvage::ReadableMessages) => {
            "inspect shows the messages, recover saves the batches that can be read"
        }
        Advice::WaitForAppend => "try again when the other process or thread has finished its append",
        Advice::MatchColumns => COLUMNS_HINT,
        Advice::UnifyDictionaries => "dictionaries=\"unify\" joins the dictionaries",
        Advice::ReplaceInStream => {
            "a stream can replace dictionaries: write_stream, or container=\"stream\", with dictionaries=\"replace\""
        }
        Advice::WriteVersion4 => "legacy_framing=True needs metadata_version=4",
        Advice::WriteVersion5 => "omit metadata_version=4: version 5 supports it",
        Advice::WidenIndices { .. } => "cast={column: \"dictionary\"} gives the column indices of 32 bits",
        Advice::WidenRunEnds => {
            "cast= gives the column wider run ends, and batches with fewer rows need less"
        }
        Advice::SelectFieldsOfStruct => {
            "fields of structs are found by their names, and a cast leaves out none: `open(path, columns=[\"s.x\"])` reads the struct `s` \
             with its field `x` alone, and `batch[\"s.x\"]` is the field"
        }
        Advice::ListCasts => {
            "a cast changes encodings, widths, scales and units, and numbers, dates and times to text and back"
        }
        Advice::AllowLoss(LostByCast::Digits | LostByCast::Part) => {
            "`array.cast(type, lossy=True)` and `convert(source, dest, cast=, lossy=True)` leave out what is lost"
        }
        Advice::AllowLoss(LostByCast::LaterInstant) => "`lossy=True` takes the earlier of both instants",
        Advice::AllowLoss(LostByCast::SkippedTime) => {
            "`lossy=True` makes such times later by as much as clocks are set forward"
        }
        Advice::NameZone => "a zone is a name such as Europe/Paris, or an offset such as +02:00",
        // Functions that write say which policies they take, and casts have no limit of their own here.
        Advice::ChooseDictionaries | Advice::AllowMoreCastMemory => return None,
    })
}

/// The format of a text by the name of its file. A text of a single column has no separators that show it.
pub(crate) fn foreign_by_name(path: &Path) -> Option<ForeignFormat> {
    Some(if TextFormat::name_of_extension(&path.to_string_lossy())? == "csv" {
        ForeignFormat::Csv
    } else {
        ForeignFormat::Json
    })
}

/// A hint for an input in another format.
pub(crate) fn hint_of_foreign(found: Option<ForeignFormat>) -> &'static str {
    match found {
        Some(ForeignFormat::Csv | ForeignFormat::Utf16) => {
            "read_csv reads it, also a list or a pattern of such files, and convert makes an Arrow file of it; of a pipe, with \
             from_=\"csv\""
        }
        Some(ForeignFormat::Json) => {
            "read_json reads lines of JSON, also of a list or a pattern of files, and convert makes an Arrow file of them; of a pipe, with \
             from_=\"jsonl\""
        }
        Some(ForeignFormat::Gzip | ForeignFormat::Zstd | ForeignFormat::Lz4) => {
            "read_csv and read_json read compressed text, read_stream and convert compressed Arrow data"
        }
        Some(ForeignFormat::Xz | ForeignFormat::Bzip2 | ForeignFormat::Lz4Legacy) => {
            "decompress it first: gzip, Zstandard and frames of LZ4 are known here"
        }
        Some(ForeignFormat::Zip) => {
            "`zipfile.ZipFile(source).open(name)` is a file inside of it, which can be read here"
        }
        Some(ForeignFormat::Workbook) => "save its sheet as CSV, or read it with `pandas.read_excel`",
        _ => UNKNOWN_FORMAT_HINT,
    }
}

/// A hint for data that cannot be read or written.
pub(crate) fn hint_of(error: &IpcError) -> Option<&'static str> {
    if let Some(mismatch) = SchemaMismatch::from_error(error) {
        return (!mismatch.is_given).then_some(SCHEMA_HINT);
    }
    words_of(Advice::from_error(error)?)
}

const PATTERNS_HINT: &str = "patterns are for columns=, and cast= and rename= take names: `cast={name: \"int64\" for name in open(source).schema.names}`";
pub(crate) const NAMES_PREFIX: &str = "`schema.names` has";
/// For data with other columns or types than the first data, or than the schema of a writer.
pub(crate) const COLUMNS_HINT: &str = "`RecordBatch({name: data[name] for name in schema.names}, schema)` finds columns by name, and casts them; \
                                     `schema` is that of the file, the writer or the first data, as `RecordBatch(first).schema`";
const OF_MAX_FIELDS: &str = "set_max_fields(n) allows more";
/// For text where only Arrow files are read together.
pub(crate) const CSV_HINT: &str = "read_csv reads it, also a list or a pattern of such files, and `write_file(dest, read_csv(source))` makes an Arrow file of them";
pub(crate) const JSON_HINT: &str = "read_json reads it, also a list or a pattern of such files, and `write_file(dest, read_json(source))` makes an Arrow file of them";
const SEVERAL_FILES_HINT: &str = "dataset reads the Arrow files of a folder, of a pattern or of a list as one; read_csv and read_json take patterns and lists of texts";
pub(crate) const PIPE_HINT: &str = "`open` reads by position, and a pipe is read from start to end: `read_stream` and the tools do that. All bytes \
                       of a file can be read first, as `open(pipe.read())`";
pub(crate) const UNKNOWN_FORMAT_HINT: &str = "a file begins with ARROW1, a stream with four bytes FF; text of a single column is read by read_csv, and by the tools with from_=\"csv\"";
const EMPTY_HINT: &str = "was the writer finished, and the copy complete?";
pub(crate) const DAMAGE_HINT: &str =
    "was the writer finished, and the copy complete? recover saves the complete batches";
/// For `recover`, if the schema is damaged.
pub(crate) const SCHEMA_HINT: &str =
    "schema= of recover takes the schema of a file or stream of the same columns, or one that you make";

/// A hint for bytes that are no text of their form or encoding; `None` if the error itself says what to do.
pub(crate) fn hint_of_text(found: &MalformedText) -> Option<&'static str> {
    let MalformedText::Byte { what, .. } = found else { return None };
    Some(match *what {
        what if what.starts_with("malformed JSON") => JSON_ROWS_HINT,
        "the array of rows has no end" => "] stands after the last row: was the copy complete?",
        "the text ends inside a character of UTF-16" => "was the copy complete?",
        what if what.contains("UTF-16") => "encoding= says which encoding the text has",
        _ => return None,
    })
}

const JSON_ROWS_HINT: &str = "each row of JSON is an object on a line of its own; or [ and ] are around all rows, with commas only between them";

pub(crate) const SHORTENED_HINT: &str =
    "was the file shortened after it was opened? write_file replaces files without that";

/// A hint for a path that cannot be read: a folder, a pattern, or a path without a file, if a writer that was killed left
/// the temporary file beside it.
pub(crate) fn hint_of_path(path: &Path) -> Option<String> {
    if path.to_string_lossy().contains(['*', '?', '[']) || path.is_dir() {
        return Some(SEVERAL_FILES_HINT.to_owned());
    }
    let is_arrow = |path: &PathBuf| {
        let mut first = [0; 8];
        File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok()
            && Container::detect(&first) != Container::Unknown
    };
    if path.exists() {
        return None;
    }
    let left = AtomicFile::unfinished(path).find(is_arrow)?;
    let name = left.display();
    Some(format!(
        "its writer has not finished {name}: if the writer was killed, recover copies the batches from there"
    ))
}
