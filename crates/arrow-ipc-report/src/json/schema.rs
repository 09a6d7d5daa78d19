//! A schema as JSON.

use arrow_ipc::{Container, Endianness, IpcSchema, UnsupportedColumn};
use arrow_ipc_tools::columns::merge_unsupported_columns;
use arrow_schema::{DataType, Field, Metadata};
use serde_json::Value;

use super::{JsonMembers, display, object, pairs};
use crate::describe::feature_name;
use crate::note::unsupported_note;

/// Writes the schema of a stream or file as JSON. `metadata` is the metadata of the schema message or footer.
pub fn schema_as_json(container: Container, schema: &IpcSchema, metadata: &Metadata) -> Value {
    let kind = if container == Container::File { "file" } else { "stream" };
    let mut members = vec![("container", Value::from(kind))];
    members.extend(schema_members(schema));
    members.push(("container_metadata", pairs(metadata)));
    object(members)
}

pub(super) fn schema_members(schema: &IpcSchema) -> JsonMembers {
    let endianness = match schema.endianness() {
        Endianness::Little => "little",
        Endianness::Big => "big",
    };
    let mut ids = schema.dictionary_ids().iter();
    let supported = schema.schema().fields().iter().map(|field| field_as_json(field, &mut ids));
    let fields = Value::Array(merge_unsupported_columns(schema, supported, unsupported_as_json));
    vec![
        ("metadata_version", Value::String(format!("{:?}", schema.version()))),
        ("endianness", Value::from(endianness)),
        (
            "features",
            Value::Array(
                schema.features().iter().map(|feature| Value::from(feature_name(*feature))).collect(),
            ),
        ),
        ("fields", fields),
        ("metadata", pairs(schema.schema().metadata())),
    ]
}

/// The dictionary ids of the fields that are still to be written, in the order of the fields. The id of a dictionary
/// precedes the ids of dictionaries inside it.
type Ids<'a> = std::slice::Iter<'a, i64>;

fn fields_as_json(fields: &[Field], ids: &mut Ids<'_>) -> Value {
    Value::Array(fields.iter().map(|field| field_as_json(field, ids)).collect())
}

/// Writes a column of an unknown type, with an error instead of a type.
fn unsupported_as_json(column: &UnsupportedColumn) -> Value {
    object(vec![
        ("name", Value::from(column.name())),
        ("type", Value::Null),
        ("error", Value::String(unsupported_note(column))),
    ])
}

fn field_as_json(field: &Field, ids: &mut Ids<'_>) -> Value {
    let mut members = vec![
        ("name", Value::from(field.name())),
        ("type", display(field.data_type())),
        ("nullable", Value::from(field.is_nullable())),
    ];
    if let Some(extension) = field.extension() {
        members.push(("extension", Value::from(extension.name)));
    }
    members.extend(type_members(field.data_type(), ids));
    if !field.metadata().is_empty() {
        members.push(("metadata", pairs(field.metadata())));
    }
    object(members)
}

fn type_members(data_type: &DataType, ids: &mut Ids<'_>) -> JsonMembers {
    if let Some(dictionary) = data_type.as_dictionary() {
        let id = ids.next().copied();
        let mut values = vec![("type", display(dictionary.value()))];
        values.extend(type_members(dictionary.value(), ids));
        let members = vec![
            ("id", Value::from(id)),
            ("index_type", display(dictionary.index_type())),
            ("ordered", Value::from(dictionary.is_ordered())),
            ("values", object(values)),
        ];
        return vec![("dictionary", object(members))];
    }
    match data_type.children() {
        [] => Vec::new(),
        children => vec![("children", fields_as_json(children, ids))],
    }
}
