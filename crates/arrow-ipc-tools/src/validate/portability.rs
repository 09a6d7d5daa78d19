//! Finds features of a valid input that some other readers do not support.

use arrow_ipc::{Endianness, IpcSchema};
use arrow_schema::{Field, FieldPath};

/// A feature of an input that a reader does not support, according to the tests of this project. Other versions of
/// the reader may support it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortabilityNote {
    /// The name of the reader, with the version that was tested.
    pub reader: &'static str,
    /// The unsupported feature, in a few words.
    pub what: &'static str,
    /// The first field that uses the feature; `None` if no field is concerned.
    pub field: Option<FieldPath>,
}

/// When a row of the table `KNOWN` applies to an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowCondition {
    /// A field has one of these types.
    Types(&'static [&'static str]),
    /// A field has one of these types, and the input is big-endian.
    Swapped(&'static [&'static str]),
    Deltas,
    /// A dictionary-encoded field has a canonical extension type whose storage is never a dictionary.
    DictionaryExtension,
}

const PYARROW: &str = "pyarrow 26";
const POLARS: &str = "polars 2.1";
const NANOARROW: &str = "nanoarrow 0.9";

const VIEWS: &[&str] = &["binary_view", "utf8_view"];
const LIST_VIEWS: &[&str] = &["list_view", "large_list_view"];
const RUNS: &[&str] = &["run_end_encoded"];

const DICTIONARY_EXTENSION: &str = "canonical extension types of dictionary-encoded fields";

/// What other readers do not support. `testing/python/test_peers.py` checks this table.
const KNOWN: [(&str, RowCondition, &str); 15] = [
    (PYARROW, RowCondition::DictionaryExtension, DICTIONARY_EXTENSION),
    (POLARS, RowCondition::DictionaryExtension, DICTIONARY_EXTENSION),
    (PYARROW, RowCondition::Swapped(VIEWS), "views in big-endian bodies"),
    (PYARROW, RowCondition::Swapped(RUNS), "run-end encoded columns in big-endian bodies"),
    (POLARS, RowCondition::Types(&["interval"]), "intervals"),
    (POLARS, RowCondition::Types(&["sparse_union", "dense_union"]), "unions"),
    (POLARS, RowCondition::Types(LIST_VIEWS), "list views"),
    (POLARS, RowCondition::Types(RUNS), "run-end encoded columns"),
    (POLARS, RowCondition::Types(&["decimal256"]), "decimals of 256 bits"),
    (POLARS, RowCondition::Swapped(VIEWS), "views in big-endian bodies"),
    (POLARS, RowCondition::Deltas, "deltas of dictionaries"),
    (NANOARROW, RowCondition::Types(VIEWS), "views"),
    (NANOARROW, RowCondition::Types(LIST_VIEWS), "list views"),
    (NANOARROW, RowCondition::Types(RUNS), "run-end encoded columns"),
    (NANOARROW, RowCondition::Deltas, "deltas of dictionaries"),
];

/// The notes about an input with this schema and this number of dictionary deltas.
pub(super) fn portability(schema: &IpcSchema, n_deltas: u64) -> Vec<PortabilityNote> {
    let is_swapped = schema.endianness() == Endianness::Big;
    let fields = schema.schema().fields();
    let notes = KNOWN.iter().filter_map(|(reader, when, what)| {
        let field = match when {
            RowCondition::Types(types) => Some(first_of(types, fields, &FieldPath::root())?),
            RowCondition::Swapped(types) if is_swapped => Some(first_of(types, fields, &FieldPath::root())?),
            RowCondition::Swapped(_) => return None,
            RowCondition::DictionaryExtension => Some(PortabilityNote::dictionary_extension(schema)?),
            RowCondition::Deltas if n_deltas > 0 => None,
            RowCondition::Deltas => return None,
        };
        Some(PortabilityNote { reader, what, field })
    });
    notes.collect()
}

/// The path to the first field of one of these types, at any depth.
fn first_of(types: &[&str], fields: &[Field], above: &FieldPath) -> Option<FieldPath> {
    let is_of_type = |field: &Field| types.contains(&field.data_type().value_type().name());
    first_field(&is_of_type, fields, above)
}

/// The path to the first field that `is_wanted` accepts, at any depth.
fn first_field(is_wanted: &dyn Fn(&Field) -> bool, fields: &[Field], above: &FieldPath) -> Option<FieldPath> {
    fields.iter().enumerate().find_map(|(position, field)| {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        let path = above.clone().child(position, field.to_shared_name());
        let data_type = field.data_type();
        if is_wanted(field) {
            return Some(path);
        }
        let inside = if data_type.is_dictionary() { path.dictionary() } else { path };
        first_field(is_wanted, data_type.value_children(), &inside)
    })
}

impl PortabilityNote {
    /// The path to the first dictionary-encoded field with a canonical extension type whose storage is never a dictionary.
    pub fn dictionary_extension(schema: &IpcSchema) -> Option<FieldPath> {
        const OPAQUE: &str = "arrow.opaque";
        let is_of_values = |field: &Field| {
            let name = field.extension().map(|extension| extension.name);
            field.data_type().is_dictionary()
                && name.is_some_and(|name| name.starts_with("arrow.") && name != OPAQUE)
        };
        first_field(&is_of_values, schema.schema().fields(), &FieldPath::root())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `KNOWN` has the names of types as text, so it must change when a type is renamed.
    #[test]
    fn types_are_called_so() {
        let all: Vec<&str> =
            testing_support::all_types().iter().map(|(_, data_type)| data_type.name()).collect();
        for (reader, when, _) in KNOWN {
            let (RowCondition::Types(types) | RowCondition::Swapped(types)) = when else { continue };
            for name in types {
                assert!(all.contains(name), "{reader}: {name} of {all:?}");
            }
        }
    }
}
