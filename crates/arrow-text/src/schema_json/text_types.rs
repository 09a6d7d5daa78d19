//! Reads a schema from the JSON that `schema --json` of the program writes, in which types are text.

use std::sync::Arc;

use arrow_schema::{DataType, DictionaryType, Field, Metadata, Schema, TextParser};

use super::{
    error::{Result, SchemaJsonError, SchemaJsonErrorKind as Kind},
    json::JsonValue,
    read::MAX_DEPTH,
};

/// Reads a schema from the JSON that `arrow-ipc schema --json` writes. Skips unknown members. The text of a type determines the
/// type. Other members of the type add the metadata of children, and must not contradict the text.
///
/// ```
/// let schema = arrow_text::schema_from_json(r#"{"fields": [{"name": "id", "type": "int64"}]}"#)?;
/// assert_eq!(schema.to_string(), "id: int64");
/// # Ok::<(), arrow_text::SchemaJsonError>(())
/// ```
///
/// # Errors
/// If the text is not JSON, or is not a schema in this form. The error has the path to the wrong value.
pub fn schema_from_json(text: &str) -> Result<Schema, SchemaJsonError> {
    let object = JsonValue::parse(text)?.object()?;
    let fields = object.read_all("fields", |field| read_field(field, 1))?;
    let metadata = object.read_if_there("metadata", read_metadata)?;
    Ok(Schema::new(fields).with_metadata(metadata.unwrap_or_default()))
}

fn read_field(json: JsonValue<'_>, level: usize) -> Result<Field> {
    if level > MAX_DEPTH {
        return Err(Kind::TooDeep { limit: MAX_DEPTH }.into());
    }
    let object = json.object()?;
    let name = object.read("name", JsonValue::string)?;
    let data_type = object.read("type", |json| {
        let data_type = TextParser::new().with_familiar_names().data_type(&json.string()?);
        data_type.map_err(|error| Kind::TypeText(error).into())
    })?;
    let field = Field::new(name, with_metadata_of_children(data_type, json, level)?);
    let is_nullable = object.read_if_there("nullable", JsonValue::boolean)?;
    let metadata = object.read_if_there("metadata", read_metadata)?;
    Ok(field.with_nullability(is_nullable.unwrap_or(true).into()).with_metadata(metadata.unwrap_or_default()))
}

/// Adds the metadata of children in the JSON to a type.
fn with_metadata_of_children(data_type: DataType, json: JsonValue<'_>, level: usize) -> Result<DataType> {
    let object = json.object()?;
    if let Some(dictionary) = data_type.as_dictionary() {
        let values = object.read_if_there("dictionary", |json| {
            let value = dictionary.value().clone();
            json.object()?.read_if_there("values", |json| with_metadata_of_children(value, json, level))
        })?;
        let Some(values) = values.flatten() else { return Ok(data_type) };
        return Ok(DictionaryType::try_new(dictionary.index(), values, dictionary.order())?.into());
    }
    let children = object.read_if_there("children", |json| read_children(&data_type, json, level + 1))?;
    Ok(children.map(|children| data_type.with_children(children)).transpose()?.unwrap_or(data_type))
}

/// Reads the children of a type, which the text of the type determines up to their metadata.
fn read_children(data_type: &DataType, json: JsonValue<'_>, level: usize) -> Result<Vec<Field>> {
    let expected = data_type.children();
    let children = json.items(|json| read_field(json, level))?;
    if children.len() != expected.len() {
        let (expected, found) = (expected.len(), children.len());
        return Err(Kind::ChildCount { name: data_type.to_string(), expected, found }.into());
    }
    for (idx, (expected, child)) in expected.iter().zip(&children).enumerate() {
        if !expected.same_column(child) {
            let kind = Kind::OtherChild { expected: Box::new(expected.clone()) };
            return Err(SchemaJsonError::from(kind).in_item(idx));
        }
    }
    Ok(children)
}

/// Reads metadata from an array of pairs. An object is impossible, because keys may repeat or be null.
fn read_metadata(json: JsonValue<'_>) -> Result<Metadata> {
    let pairs = json.items(|pair| {
        let parts =
            pair.items(|part| if part.is_null() { Ok(None) } else { Ok(Some(Arc::from(part.string()?))) })?;
        let parts: [Option<Arc<str>>; 2] =
            parts.try_into().map_err(|_| pair.expected("a pair of key and value"))?;
        Ok(parts.into())
    })?;
    Ok(Metadata::from_pairs(pairs))
}
