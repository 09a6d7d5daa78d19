//! Finds features of a valid input that some other readers do not support.

use arrow_ipc::{Endianness, IpcSchema, SchemaIrregularity};
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
    /// The entries or keys of a map are nullable.
    NullableMap,
    /// A dictionary has no index type.
    NoIndexType,
    /// The schema has no list of fields.
    NoFields,
    /// A dictionary has this id.
    DictionaryId(i64),
}

const PYARROW: &str = "pyarrow 26";
const POLARS: &str = "polars 2.1";
const NANOARROW: &str = "nanoarrow 0.9";

const VIEWS: &[&str] = &["binary_view", "utf8_view"];
const LIST_VIEWS: &[&str] = &["list_view", "large_list_view"];
const RUNS: &[&str] = &["run_end_encoded"];

const NULLABLE_MAP: &str = "maps whose entries or keys are nullable";
const NO_INDEX_TYPE: &str = "dictionaries without an index type";
const NO_FIELDS: &str = "a schema without a list of fields";
const DICTIONARY_EXTENSION: &str = "canonical extension types of dictionary-encoded fields";

/// What other readers do not support. `testing/python/test_peers.py` checks this table.
const KNOWN: [(&str, RowCondition, &str); 22] = [
    (PYARROW, RowCondition::NullableMap, NULLABLE_MAP),
    (NANOARROW, RowCondition::NullableMap, NULLABLE_MAP),
    (PYARROW, RowCondition::NoIndexType, NO_INDEX_TYPE),
    (POLARS, RowCondition::NoIndexType, NO_INDEX_TYPE),
    (PYARROW, RowCondition::NoFields, NO_FIELDS),
    (POLARS, RowCondition::NoFields, NO_FIELDS),
    (PYARROW, RowCondition::DictionaryId(-1), "the dictionary id -1"),
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
    notes_of(schema, n_deltas, |_| true)
}

fn notes_of(
    schema: &IpcSchema,
    n_deltas: u64,
    is_wanted: impl Fn(&RowCondition) -> bool,
) -> Vec<PortabilityNote> {
    let is_swapped = schema.endianness() == Endianness::Big;
    let notes = KNOWN.iter().filter(|(_, when, _)| is_wanted(when)).filter_map(|(reader, when, what)| {
        let field = match when {
            RowCondition::Types(types) => Some(first_of(types, schema)?),
            RowCondition::Swapped(types) if is_swapped => Some(first_of(types, schema)?),
            RowCondition::Swapped(_) => return None,
            RowCondition::DictionaryExtension => Some(PortabilityNote::dictionary_extension(schema)?),
            RowCondition::NullableMap => {
                let field = |found: &SchemaIrregularity| {
                    if let SchemaIrregularity::NullableMap { field } = found {
                        Some(field.clone())
                    } else {
                        None
                    }
                };
                Some(schema.irregularities().iter().find_map(field)?)
            }
            RowCondition::NoIndexType => {
                let field = |found: &SchemaIrregularity| {
                    if let SchemaIrregularity::NoIndexType { field } = found {
                        Some(field.clone())
                    } else {
                        None
                    }
                };
                Some(schema.irregularities().iter().find_map(field)?)
            }
            RowCondition::NoFields if schema.irregularities().contains(&SchemaIrregularity::NoFields) => None,
            RowCondition::NoFields => return None,
            RowCondition::DictionaryId(id) => Some(field_of_dictionary(schema, *id)?),
            RowCondition::Deltas if n_deltas > 0 => None,
            RowCondition::Deltas => return None,
        };
        Some(PortabilityNote { reader, what, field })
    });
    notes.collect()
}

/// The path to the first field of one of these types, at any depth.
fn first_of(types: &[&str], schema: &IpcSchema) -> Option<FieldPath> {
    schema.schema().path_of_first(|field| types.contains(&field.data_type().value_type().name()))
}

/// The path to the first field of the dictionary with this id.
fn field_of_dictionary(schema: &IpcSchema, id: i64) -> Option<FieldPath> {
    let mut ids = schema.dictionary_ids().iter();
    schema.schema().path_of_first(|field| field.data_type().is_dictionary() && ids.next() == Some(&id))
}

impl PortabilityNote {
    /// What other readers refuse because of the form of the schema, not because of its types.
    pub fn for_schema(schema: &IpcSchema) -> Vec<PortabilityNote> {
        let is_of_form = |condition: &RowCondition| match condition {
            RowCondition::NullableMap | RowCondition::NoIndexType => true,
            RowCondition::NoFields | RowCondition::DictionaryId(_) => true,
            RowCondition::Types(_) | RowCondition::Swapped(_) => false,
            RowCondition::Deltas | RowCondition::DictionaryExtension => false,
        };
        notes_of(schema, 0, is_of_form)
    }

    /// The path to the first dictionary-encoded field with a canonical extension type whose storage is never a dictionary.
    pub fn dictionary_extension(schema: &IpcSchema) -> Option<FieldPath> {
        const OPAQUE: &str = "arrow.opaque";
        let is_of_values = |field: &Field| {
            let name = field.extension().map(|extension| extension.name);
            field.data_type().is_dictionary()
                && name.is_some_and(|name| name.starts_with("arrow.") && name != OPAQUE)
        };
        schema.schema().path_of_first(is_of_values)
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
