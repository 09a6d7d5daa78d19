//! Hints about what to do after a failure.

use arrow_compute::{CastError, CastErrorKind, PredicateError, PredicateErrorKind};
use arrow_ipc::{IpcError, IpcErrorKind};
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_report::{Advice, LostByCast, Salvage, option_name, quoted, shell_argument};
use arrow_ipc_tools::{InputName, import::TextFormat};
use arrow_schema::{MergeErrorKind, SchemaDifference};

use crate::{
    context::Context,
    exit::advice::{making_equal, reordering, taking_both},
};

/// A hint for a schema with more fields than are allowed.
pub(crate) const TOO_MANY_FIELDS: &str = "--max-fields N allows more";

/// A hint for an index that is none, or belongs to another stream.
pub(crate) const OTHER_INDEX: &str = "`arrow-ipc index STREAM INDEX` writes the index of a stream";

/// An advice in the words of the program. `file` is the input, as an argument. `None` if the program has nothing to add to the
/// error.
fn words_of(advice: Advice<'_>, file: &str) -> Option<String> {
    let words = match advice {
        Advice::ConvertFeather => {
            "`arrow-ipc convert FILE OUT.arrow` makes an Arrow file of it, which is Feather version 2"
        }
        Advice::ReadParquet => {
            "this program does not read Parquet; polars does: python3 -c 'import polars, sys; \
             polars.scan_parquet(sys.argv[1]).sink_ipc(sys.argv[2])' FILE OUT.arrow"
        }
        Advice::ConvertStream => "`arrow-ipc convert FILE OUT.arrow` converts a stream to a file",
        Advice::AllowMoreFields => TOO_MANY_FIELDS,
        Advice::WriteIndex => OTHER_INDEX,
        Advice::WriteUncompressed => "write the file again without compression",
        Advice::SelectReadableColumns => "`arrow-ipc cat FILE --columns A,B` shows columns that can be read",
        Advice::ShowTypes => "`arrow-ipc schema FILE` shows the types of all columns",
        Advice::ReadLeniently => {
            "without --strict, it is read as escaped text, and written as the same bytes"
        }
        Advice::SaveBeforeEnd => {
            "the end of the file is missing or damaged: was the writer finished? `arrow-ipc recover FILE OUT.arrow` \
             saves the complete batches"
        }
        // Zeros at the start of a file look like an end marker.
        Advice::SaveAfterStart => {
            "if the start was overwritten, `arrow-ipc recover FILE OUT.arrow` saves the complete batches after it"
        }
        Advice::Salvage(Salvage::Nothing) => "was the writer finished, and the copy complete?",
        Advice::Salvage(Salvage::CompleteBatches) => {
            "was the writer finished, and the copy complete? `arrow-ipc recover FILE OUT.arrow` saves the complete batches"
        }
        Advice::Salvage(Salvage::BatchesOfGivenSchema) => {
            "`arrow-ipc recover FILE OUT.arrow --schema COLUMNS.txt` saves the batches, if you know their columns"
        }
        Advice::Salvage(Salvage::ReadableBatches) => {
            "`arrow-ipc recover FILE OUT.arrow` saves the batches that can be read"
        }
        Advice::Salvage(Salvage::ReadableMessages) => {
            "`arrow-ipc inspect FILE` shows the messages, `arrow-ipc recover FILE OUT.arrow` saves the batches that can be read"
        }
        Advice::WaitForAppend => "try again when the other process has finished its append",
        Advice::ChooseDictionaries => {
            "--dictionaries unify writes one dictionary with all values, and reads the input twice; --dictionaries delta appends new \
             values; a stream, OUT.arrows or --to stream, may replace them"
        }
        Advice::UnifyDictionaries => "--dictionaries unify joins the dictionaries",
        Advice::ReplaceInStream => "a stream can replace them: --to stream --dictionaries replace",
        Advice::WriteVersion4 => "--legacy-framing needs --metadata-version 4",
        Advice::WriteVersion5 => "omit --metadata-version 4: version 5 supports it",
        Advice::WidenIndices { column } => {
            let cast = quoted(&format!("{}=dictionary", option_name(column)));
            return Some(format!("--cast {cast} gives the column indices of 32 bits"));
        }
        Advice::WidenRunEnds => {
            "--cast gives the column wider run ends, and a smaller --batch-rows joins fewer rows"
        }
        Advice::SelectFieldsOfStruct => {
            "fields of structs are found by their names, and a cast leaves out none: --columns s.x selects the field `x` of `s` alone"
        }
        Advice::ListCasts => {
            "--cast changes encodings, widths, scales and units, and numbers, dates and times to text and back; of CSV and JSON, --type says \
             the types"
        }
        Advice::AllowMoreCastMemory => "--max-cast-bytes BYTES allows more",
        Advice::AllowLoss(LostByCast::Digits) => "--lossy leaves out these digits",
        Advice::AllowLoss(LostByCast::Part) => "--lossy leaves out this part",
        Advice::AllowLoss(LostByCast::LaterInstant) => "--lossy takes the earlier of both instants",
        Advice::AllowLoss(LostByCast::SkippedTime) => {
            "--lossy makes such times later by as much as clocks are set forward"
        }
        Advice::NameZone => "a zone is a name such as Europe/Paris, or an offset such as +02:00",
        // Commands read both containers, and look at the format of an unknown input. They compare columns with words of their own.
        Advice::ReadFile | Advice::UnknownFormat | Advice::MatchColumns => return None,
    };
    Some(words.replace("FILE", file))
}

/// A hint for an input that cannot be read. `file` is the input, as an argument.
pub(super) fn input_advice(error: &IpcError, file: &str) -> Option<String> {
    // An empty input says so itself.
    if matches!(error.kind(), IpcErrorKind::EmptyInput) {
        return None;
    }
    words_of(Advice::from_error(error)?, file)
}

/// A hint for a cast that fails.
pub(super) fn cast_advice(error: &CastError) -> Option<String> {
    words_of(Advice::from_cast_error(error)?, "IN")
}

/// A hint for inputs whose columns have no common type, or have a name twice. `file` is the input at fault, as an argument.
pub(super) fn merge_advice(context: &Context, error: &DatasetErrorKind, file: &str) -> Option<String> {
    if let Some((column, to)) = error.conflicting_column() {
        let typed = quoted(&format!("{}={}", option_name(column), to?));
        return Some(match context.casting_command() {
            Some(command) => {
                format!("`arrow-ipc {command}` with --cast {typed} gives the column this type in all files")
            }
            None => {
                format!("`convert` and `concat` with --cast {typed} give the column this type in all inputs")
            }
        });
    }
    let DatasetErrorKind::Merge(error) = error else { return None };
    match (error.path().steps(), error.kind()) {
        ([_], MergeErrorKind::Repeated) => {
            let name = quoted(&format!("{}=NEW", error.path()));
            let other = quoted(&format!("{}=OTHER", error.path()));
            Some(format!(
                "`arrow-ipc convert {file} OUT.arrow --rename {name} --rename {other}` gives each a name"
            ))
        }
        _ => None,
    }
}

/// A hint for a value of an input that is no value of its column's type in all inputs.
pub(super) fn cast_in_set_advice(column: &str, error: &CastError, file: &str) -> Option<String> {
    let CastErrorKind::LostDigits { to, .. } = error.kind() else { return cast_advice(error) };
    let typed = quoted(&format!("{}={to}", option_name(column)));
    Some(format!("`arrow-ipc convert {file} OUT.arrow --cast {typed} --lossy` rounds the column before"))
}

/// A hint for a condition that compares a column of text with a number, or an instant with a time without a zone.
pub(super) fn condition_advice(error: &PredicateError, input: &InputName) -> Option<String> {
    if let PredicateErrorKind::Constant { data_type, .. } = error.kind()
        && data_type.as_timestamp().is_some_and(|(_, zone)| zone.is_some())
    {
        let advice = "\"2024-02-29T00:00:00+01:00\" is an instant, also with Z; without an offset, it is a local time, for which the zone of the column has to be known";
        return Some(advice.to_owned());
    }
    let is_number = matches!(error.kind(), PredicateErrorKind::OtherSort { data_type, found: "a number", .. } if data_type.is_text());
    // Columns can be cast, but fields inside them cannot.
    let column = error.column().filter(|column| is_number && !column.contains('.'))?;
    let typed = quoted(&format!("{column}=float64"));
    Some(match TextFormat::name_of_extension(&input.to_string()) {
        Some(_) => format!("--type {typed} reads the column as numbers"),
        None => {
            let file = shell_argument(input);
            format!("`arrow-ipc convert {file} OUT.arrow --cast {typed}` converts the column to numbers")
        }
    })
}

/// A hint for an output that does not support something in the input, or for options that contradict each other.
pub(crate) fn encode_advice(error: &IpcError) -> Option<String> {
    // What can be saved of the input is said of errors of reading.
    let advice = Advice::from_error(error).filter(|advice| !matches!(advice, Advice::Salvage(_)))?;
    words_of(advice, "IN")
}

/// A hint for an output that does not support some of the recovered data.
pub(crate) fn recover_advice(error: &IpcError) -> Option<String> {
    let cannot_unify =
        matches!(Advice::from_error(error), Some(Advice::ChooseDictionaries | Advice::ReplaceInStream));
    cannot_unify.then(|| "write a stream, OUT.arrows or --to stream: it may replace dictionaries".to_owned())
}

/// A hint for an input with other columns than the first input.
pub(crate) fn other_columns_advice(
    input: &InputName,
    first: &InputName,
    difference: &SchemaDifference,
) -> Option<String> {
    let is_text = |name: &InputName| TextFormat::name_of_extension(&name.to_string()).is_some();
    let equal = if is_text(first) && is_text(input) {
        taking_both(difference).map(|column| format!("--type {column} reads both as this type"))
    } else {
        let name = shell_argument(input);
        let option = making_equal(difference);
        option.map(|option| format!("`arrow-ipc convert {name} OUT.arrow {option}` makes both equal"))
    };
    reordering(difference).or(equal)
}

/// A hint for rows that cannot be appended to a file.
pub(crate) fn append_advice(error: &IpcError) -> Option<String> {
    match error.kind() {
        IpcErrorKind::ChangedDictionary { .. } | IpcErrorKind::ReplacedDictionary { .. } => {
            Some("--dictionaries delta uses the values of the file, and appends new ones".to_owned())
        }
        IpcErrorKind::Schema(difference) => {
            let option = making_equal(difference).map(|option| format!("{option} makes both equal"));
            reordering(difference).or(option)
        }
        _ => None,
    }
}
