//! Hints about what to do after a failure.

use arrow_buffer::BudgetError;
use arrow_compute::{CastError, CastErrorKind, PredicateError, PredicateErrorKind};
use arrow_data::DataErrorKind;
use arrow_ipc::{
    Container, FormatErrorKind, IpcError, IpcErrorKind, MetadataVersion, error::UnsupportedPart,
};
use arrow_ipc_dataset::DatasetErrorKind;
use arrow_ipc_report::{Salvage, option_name, quoted, shell_argument};
use arrow_ipc_tools::{InputName, import::TextFormat};
use arrow_schema::{MergeErrorKind, PathStep, SchemaDifference};
use arrow_select::SelectErrorKind;

use crate::advice::{making_equal, reordering, taking_both};

/// A hint for a schema with more fields than are allowed.
pub(crate) const TOO_MANY_FIELDS: &str = "--max-fields N allows more";

/// A hint for an index that is none, or belongs to another stream.
pub(crate) const OTHER_INDEX: &str = "`arrow-ipc index STREAM INDEX` writes the index of a stream";

/// A hint for an input that cannot be read. The name of the input replaces `FILE`.
pub(super) fn input_advice(error: &IpcError) -> Option<&'static str> {
    match error.kind() {
        IpcErrorKind::WrongContainer { found: Container::FeatherV1, .. } => {
            Some("`arrow-ipc convert FILE OUT.arrow` makes an Arrow file of it, which is Feather version 2")
        }
        IpcErrorKind::WrongContainer { found: Container::Parquet, .. } => Some(
            "this program does not read Parquet; polars does: python3 -c 'import polars, sys; \
                 polars.scan_parquet(sys.argv[1]).sink_ipc(sys.argv[2])' FILE OUT.arrow",
        ),
        IpcErrorKind::WrongContainer { found: Container::Stream, .. } => {
            Some("`arrow-ipc convert FILE OUT.arrow` converts a stream to a file")
        }
        IpcErrorKind::Format(FormatErrorKind::TooManyFields { .. }) => Some(TOO_MANY_FIELDS),
        IpcErrorKind::StreamIndex { .. } => Some(OTHER_INDEX),
        // There is no hint for an unknown format, because no other command reads it.
        IpcErrorKind::WrongContainer { found: Container::Unknown, .. } | IpcErrorKind::EmptyInput => None,
        // Zeros at the start of a file look like an end marker.
        IpcErrorKind::NoSchema => Some(
            "if the start was overwritten, `arrow-ipc recover FILE OUT.arrow` saves the complete batches after it",
        ),
        IpcErrorKind::Format(FormatErrorKind::Unsupported { what: UnsupportedPart::Part(words) })
            if words.contains("compressed") =>
        {
            Some("write the file again without compression")
        }
        IpcErrorKind::Format(FormatErrorKind::Unsupported {
            what: UnsupportedPart::Column { n_readable: 1.., .. },
        }) => Some("`arrow-ipc cat FILE --columns A,B` shows columns that can be read"),
        IpcErrorKind::Format(FormatErrorKind::Unsupported {
            what:
                UnsupportedPart::Column { .. }
                | UnsupportedPart::TypeTag { .. }
                | UnsupportedPart::WideInteger { .. },
        }) => Some("`arrow-ipc schema FILE` shows the types of all columns"),
        IpcErrorKind::Format(FormatErrorKind::NotUtf8 { .. }) => {
            Some("without --strict, it is read as escaped text, and written as the same bytes")
        }
        IpcErrorKind::EndMagic { .. } | IpcErrorKind::FooterLength { .. } => Some(
            "the end of the file is missing or damaged: was the writer finished? `arrow-ipc recover FILE OUT.arrow` \
             saves the complete batches",
        ),
        _ => salvage_advice(error),
    }
}

/// A hint for damage.
fn salvage_advice(error: &IpcError) -> Option<&'static str> {
    Some(match Salvage::from_error(error)? {
        Salvage::Nothing => "was the writer finished, and the copy complete?",
        Salvage::CompleteBatches => {
            "was the writer finished, and the copy complete? `arrow-ipc recover FILE OUT.arrow` saves the complete batches"
        }
        Salvage::BatchesOfGivenSchema => {
            "`arrow-ipc recover FILE OUT.arrow --schema COLUMNS.txt` saves the batches, if you know their columns"
        }
        Salvage::ReadableBatches => "`arrow-ipc recover FILE OUT.arrow` saves the batches that can be read",
        Salvage::ReadableMessages => {
            "`arrow-ipc inspect FILE` shows the messages, `arrow-ipc recover FILE OUT.arrow` saves the batches that can be read"
        }
    })
}

/// A hint for a cast that fails.
pub(super) fn cast_advice(error: &CastError) -> Option<String> {
    let advice = match error.kind() {
        CastErrorKind::Unsupported { .. } => {
            "--cast changes encodings, widths, scales and units, and numbers, dates and times to text and back; of CSV and JSON, --type says \
             the types"
        }
        CastErrorKind::Data(error)
            if matches!(error.kind(), DataErrorKind::Memory(BudgetError::Refused { .. })) =>
        {
            "--max-cast-bytes BYTES allows more"
        }
        CastErrorKind::LostDigits { .. } => "--lossy leaves out these digits",
        CastErrorKind::LostPart { .. } => "--lossy leaves out this part",
        CastErrorKind::LocalTime { is_repeated: true, .. } => "--lossy takes the earlier of both instants",
        CastErrorKind::LocalTime { is_repeated: false, .. } => {
            "--lossy makes such times later by as much as clocks are set forward"
        }
        CastErrorKind::UnknownZone { .. } => {
            "a zone is a name such as Europe/Paris, or an offset such as +02:00"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

/// A hint for inputs whose columns have no common type, or have a name twice. `file` is the input at fault, as an argument.
pub(super) fn merge_advice(error: &DatasetErrorKind, file: &str) -> Option<String> {
    if let Some((column, to)) = error.conflicting_column() {
        let typed = quoted(&format!("{}={}", option_name(column), to?));
        return Some(format!(
            "`convert` and `concat` with --cast {typed} give the column this type in all inputs"
        ));
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
    let CastErrorKind::LostDigits { to, .. } = error.kind() else { return None };
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

/// A hint for an output that does not support something in the input.
pub(crate) fn encode_advice(error: &IpcError) -> Option<String> {
    const REPLACING: &str = "a stream can replace them: --to stream --dictionaries replace";
    let advice = match error.kind() {
        IpcErrorKind::ReplacedDictionary { .. } => {
            "--dictionaries unify writes one dictionary with all values, and reads the input twice; --dictionaries delta appends new \
             values; a stream, OUT.arrows or --to stream, may replace them"
        }
        IpcErrorKind::SharedDictionaryValues { .. } => "--dictionaries unify joins the dictionaries",
        IpcErrorKind::NotInVersion { .. } => "omit --metadata-version 4: version 5 supports it",
        IpcErrorKind::Format(FormatErrorKind::TooManyFields { .. }) => TOO_MANY_FIELDS,
        IpcErrorKind::OppositeOrders { .. } | IpcErrorKind::UnknownOrder { .. } => REPLACING,
        IpcErrorKind::Select(error) if matches!(error.kind(), SelectErrorKind::OrderedDictionaries) => {
            REPLACING
        }
        IpcErrorKind::Select(select) => match select.kind() {
            SelectErrorKind::IndexOverflow { .. } => {
                let path = error.location().field.as_ref().unwrap_or(select.path());
                let [PathStep::Child { name, .. }] = path.steps() else { return None };
                let cast = quoted(&format!("{}=dictionary", option_name(name)));
                return Some(format!("--cast {cast} gives the column indices of 32 bits"));
            }
            SelectErrorKind::RunEndOverflow { .. } => {
                "--cast gives the column wider run ends, and a smaller --batch-rows joins fewer rows"
            }
            _ => return None,
        },
        _ => return None,
    };
    Some(advice.to_owned())
}

/// A hint for options that contradict each other.
pub(super) fn options_advice(error: &IpcError) -> Option<String> {
    let advice = match error.kind() {
        IpcErrorKind::NotInVersion { version: MetadataVersion::V5, .. } => {
            "--legacy-framing needs --metadata-version 4"
        }
        IpcErrorKind::NotInVersion { .. } => "omit --metadata-version 4",
        _ => return None,
    };
    Some(advice.to_owned())
}

/// A hint for an output that does not support some of the recovered data.
pub(crate) fn recover_advice(error: &IpcError) -> Option<String> {
    let cannot_unify = match error.kind() {
        IpcErrorKind::ReplacedDictionary { .. }
        | IpcErrorKind::OppositeOrders { .. }
        | IpcErrorKind::UnknownOrder { .. } => true,
        IpcErrorKind::Select(error) => matches!(error.kind(), SelectErrorKind::OrderedDictionaries),
        _ => false,
    };
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
