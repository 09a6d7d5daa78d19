//! The names and extension types that writers of columns need, computed once for all batches of a schema.

use std::{collections::HashSet, sync::Arc};

use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};

use super::strings::write_json;
use crate::form::ValueForm;

/// The names and extension types in a type, at each level of nesting.
#[derive(Default)]
pub(super) struct TypeNames {
    /// The names of the fields; `None` if the type is not a struct or a union.
    names: Option<Arc<NameText>>,
    /// The text form of the extension type. `None` if values are written like values of the storage type.
    pub(super) form: Option<ValueForm>,
    /// The names in each of the [`parts`] of an array, or in the values of a dictionary.
    below: Vec<TypeNames>,
}

/// The text before, between and after the values of a struct or a union.
pub(super) struct NameText {
    /// The text before each value, with its name.
    pub(super) before: Vec<String>,
    pub(super) end: &'static str,
}

impl TypeNames {
    pub(super) fn from_data_type(data_type: &DataType) -> TypeNames {
        if let Some(dictionary) = data_type.as_dictionary() {
            return TypeNames {
                below: vec![TypeNames::from_data_type(dictionary.value())],
                ..TypeNames::default()
            };
        }
        let below = parts_of_type(data_type).iter().map(TypeNames::for_field).collect();
        TypeNames { names: names_of(data_type), form: None, below }
    }

    pub(super) fn for_field(field: &Field) -> TypeNames {
        let mut names = TypeNames::from_data_type(field.data_type());
        if let Some(form) = ValueForm::from_field(field) {
            // The extension type applies to the values of dictionaries and runs.
            let mut values = (&mut names, field.data_type());
            loop {
                let (names, data_type) = values;
                let below = match (data_type.as_dictionary(), data_type.as_run_end_encoded()) {
                    (Some(dictionary), _) => dictionary.value(),
                    (None, Some(runs)) => runs.values().data_type(),
                    (None, None) => {
                        names.form = Some(form);
                        break;
                    }
                };
                let Some(first) = names.below.first_mut() else { break };
                values = (first, below);
            }
        }
        names
    }

    /// The names in a child, or in the values of a dictionary.
    pub(super) fn below(&self, position: usize) -> &TypeNames {
        static NO_SHAPE: TypeNames = TypeNames { names: None, form: None, below: Vec::new() };
        self.below.get(position).unwrap_or(&NO_SHAPE)
    }

    /// The names of the fields of a struct or a union, from the cache or from `data_type`.
    pub(super) fn names(&self, data_type: &DataType) -> Arc<NameText> {
        self.names
            .clone()
            .or_else(|| names_of(data_type))
            .unwrap_or_else(|| Arc::new(NameText::for_record(&[])))
    }
}

/// The arrays inside `data` that need a writer: its children, but for a map its keys and values, and for runs only the
/// values.
pub(super) fn parts(data: &ArrayData) -> &[ArrayData] {
    let children = data.children();
    let data_type = data.data_type();
    if data_type.as_map().is_some() {
        children.first().map_or(&[], |entries| entries.children())
    } else if data_type.as_run_end_encoded().is_some() {
        children.get(1..).unwrap_or_default()
    } else {
        children
    }
}

/// Like [`parts`], for a type.
fn parts_of_type(data_type: &DataType) -> &[Field] {
    let children = data_type.children();
    if data_type.as_map().is_some() {
        children.first().map_or(&[], |entries| entries.data_type().children())
    } else if data_type.as_run_end_encoded().is_some() {
        children.get(1..).unwrap_or_default()
    } else {
        children
    }
}

// This is a separate function, so that recursive functions use less stack.
#[inline(never)]
fn names_of(data_type: &DataType) -> Option<Arc<NameText>> {
    if let Some(union) = data_type.as_union() {
        Some(Arc::new(NameText::for_union(union.fields(), union.type_ids())))
    } else {
        data_type.as_struct().map(|fields| Arc::new(NameText::for_record(fields)))
    }
}

impl NameText {
    /// Makes the text around the values of a JSON object, or of an array of pairs if names repeat.
    pub(super) fn for_record(fields: &[Field]) -> NameText {
        let (first, next, between, end) = if fields.is_empty() {
            ("", "", "", "{}")
        } else if has_repeated_names(fields) {
            ("[[", "],[", ",", "]]")
        } else {
            ("{", ",", ":", "}")
        };
        let before = |(position, field): (usize, &Field)| {
            let start = if position == 0 { first } else { next };
            format!("{start}{}{between}", json_name(field.name()))
        };
        NameText { before: fields.iter().enumerate().map(before).collect(), end }
    }

    /// Makes the text around the value of a JSON object with one member, or of a pair of type id and value if names repeat.
    fn for_union(fields: &[Field], type_ids: &[i8]) -> NameText {
        if has_repeated_names(fields) {
            let before = type_ids.iter().map(|type_id| format!("[{type_id},")).collect();
            return NameText { before, end: "]" };
        }
        let before = fields.iter().map(|field| format!("{{{}:", json_name(field.name()))).collect();
        NameText { before, end: "}" }
    }
}

/// Whether several fields have the same name.
fn has_repeated_names(fields: &[Field]) -> bool {
    let mut seen = HashSet::with_capacity(fields.len());
    !fields.iter().all(|field| seen.insert(field.name()))
}

fn json_name(name: &str) -> String {
    let mut json = String::with_capacity(name.len() + 2);
    // Writing to a `String` does not fail.
    let _ = write_json(name, &mut json);
    json
}
