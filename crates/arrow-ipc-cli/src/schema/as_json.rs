//! A schema as JSON, for other programs.

use arrow_ipc::{Container, Endianness, Feature, IpcSchema};
use arrow_schema::{DataType, Field, Metadata};

use crate::{json::Json, tensors::Description};

/// All that a stream or file says about its columns.
pub(super) fn schema_as_json(container: Container, schema: &IpcSchema, metadata: &Metadata) -> Json {
    let kind = if container == Container::File { "file" } else { "stream" };
    let mut members = vec![("container", Json::from(kind))];
    members.extend(schema_members(schema));
    members.push(("container_metadata", Json::pairs(metadata)));
    Json::Object(members)
}

/// What the message of a tensor says.
pub(super) fn tensor_as_json(tensor: &Description) -> Json {
    let mut members = vec![("container", Json::from("tensor"))];
    members.extend(tensor.members().map(|members| ("tensor", members)));
    members.push(("metadata", Json::pairs(&tensor.metadata)));
    Json::Object(members)
}

/// What the schema itself says.
pub(crate) fn schema_members(schema: &IpcSchema) -> Vec<(&'static str, Json)> {
    let endianness = match schema.endianness() {
        Endianness::Little => "little",
        Endianness::Big => "big",
    };
    let mut ids = schema.dictionary_ids().iter();
    let fields = fields_as_json(schema.schema().fields(), &mut ids);
    vec![
        ("metadata_version", Json::Text(format!("{:?}", schema.version()))),
        ("endianness", Json::from(endianness)),
        (
            "features",
            Json::List(schema.features().iter().map(|feature| Json::from(feature_name(*feature))).collect()),
        ),
        ("fields", fields),
        ("metadata", Json::pairs(schema.schema().metadata())),
    ]
}

/// What the schema declares that readers have to support.
pub(crate) fn feature_name(feature: Feature) -> &'static str {
    match feature {
        Feature::DictionaryReplacement => "dictionary replacement",
        Feature::CompressedBody => "compressed body",
        _ => "unused",
    }
}

/// Ids of dictionaries are listed in the order of the fields, those inside of a dictionary's values behind its own.
type Ids<'a> = std::slice::Iter<'a, i64>;

fn fields_as_json(fields: &[Field], ids: &mut Ids<'_>) -> Json {
    Json::List(fields.iter().map(|field| field_as_json(field, ids)).collect())
}

fn field_as_json(field: &Field, ids: &mut Ids<'_>) -> Json {
    let mut members = vec![
        ("name", Json::from(field.name())),
        ("type", Json::display(field.data_type())),
        ("nullable", Json::from(field.is_nullable())),
    ];
    if let Some(extension) = field.extension() {
        members.push(("extension", Json::from(extension.name)));
    }
    members.extend(type_members(field.data_type(), ids));
    if !field.metadata().is_empty() {
        members.push(("metadata", Json::pairs(field.metadata())));
    }
    Json::Object(members)
}

/// What is inside of a type, beside its text form.
fn type_members(data_type: &DataType, ids: &mut Ids<'_>) -> Vec<(&'static str, Json)> {
    if let Some(dictionary) = data_type.as_dictionary() {
        let id = ids.next().copied();
        let mut values = vec![("type", Json::display(dictionary.value()))];
        values.extend(type_members(dictionary.value(), ids));
        let members = vec![
            ("id", Json::from(id)),
            ("index_type", Json::display(dictionary.index_type())),
            ("ordered", Json::from(dictionary.is_ordered())),
            ("values", Json::Object(values)),
        ];
        return vec![("dictionary", Json::Object(members))];
    }
    match data_type.children() {
        [] => Vec::new(),
        children => vec![("children", fields_as_json(children, ids))],
    }
}
