//! Reads a schema from the JSON that `schema --json` writes.

mod error;
mod node;

use arrow_schema::{DataType, DictionaryType, Field, Schema, TextParser};
use serde_json::Value;

pub use self::error::{SchemaFromJsonError, SchemaFromJsonErrorKind};
use self::{
    error::SchemaFromJsonErrorKind as Kind,
    node::{JsonNode, JsonPath, NodeResult},
};

/// Reads a schema from the JSON that [`SchemaJson`](crate::SchemaJson) writes. The text of a type determines
/// the type. Other members of the type add the metadata of children, and must not contradict the text.
///
/// # Errors
/// If the text is not JSON, or is not a schema in this form. The error has the path to the wrong value.
pub fn schema_from_json(text: &str) -> Result<Schema, SchemaFromJsonError> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| SchemaFromJsonError::new(Kind::Syntax(error), String::new()))?;
    let whole = JsonNode { value: &value, path: JsonPath::Root };
    let members = whole.object()?;
    let fields = whole.required(members, "fields", |list| list.items(|node| field(&node)))?;
    let metadata = whole.optional(members, "metadata", |node| node.metadata())?;
    Ok(Schema::new(fields).with_metadata(metadata.unwrap_or_default()))
}

fn field(node: &JsonNode<'_>) -> NodeResult<Field> {
    let members = node.object()?;
    let name = node.required(members, "name", |node| node.string().map(str::to_owned))?;
    let data_type = node.required(members, "type", |node| {
        let data_type = TextParser::new().with_familiar_names().data_type(node.string()?);
        data_type.map_err(|error| node.error(Kind::Type(error)))
    })?;
    let field = Field::new(name, with_metadata_of_children(data_type, node)?);
    let is_nullable = node.optional(members, "nullable", |node| {
        node.value.as_bool().ok_or_else(|| node.expected("true or false"))
    })?;
    let metadata = node.optional(members, "metadata", |node| node.metadata())?;
    Ok(field.with_nullability(is_nullable.unwrap_or(true).into()).with_metadata(metadata.unwrap_or_default()))
}

/// Adds the metadata of children in the JSON to a type.
fn with_metadata_of_children(data_type: DataType, node: &JsonNode<'_>) -> NodeResult<DataType> {
    let members = node.object()?;
    if let Some(dictionary) = data_type.as_dictionary() {
        let values = node.optional(members, "dictionary", |node| {
            let value = dictionary.value().clone();
            node.optional(node.object()?, "values", |node| with_metadata_of_children(value, &node))
        })?;
        let Some(values) = values.flatten() else { return Ok(data_type) };
        let changed = DictionaryType::try_new(dictionary.index(), values, dictionary.order());
        return changed.map(Into::into).map_err(|error| node.error(Kind::Children(error)));
    }
    let children = node.optional(members, "children", |list| {
        let mut expected = data_type.children().iter();
        let children = list.items(|node| {
            let child = field(&node)?;
            match expected.next() {
                Some(expected) if !expected.same_column(&child) => {
                    Err(node.error(Kind::OtherChild { expected: expected.clone() }))
                }
                _ => Ok(child),
            }
        })?;
        let found = children.len();
        let expected = data_type.children().len();
        if found == expected { Ok(children) } else { Err(list.error(Kind::ChildCount { found, expected })) }
    })?;
    match children {
        Some(children) => {
            data_type.with_children(children).map_err(|error| node.error(Kind::Children(error)))
        }
        None => Ok(data_type),
    }
}

#[cfg(test)]
mod tests {
    use arrow_ipc::IpcSchema;
    use arrow_schema::Metadata;

    use crate::{JsonLine, JsonObject, SchemaJson};

    use super::*;

    fn with_metadata(data_type: &DataType, n: &mut u32) -> DataType {
        if let Some(dictionary) = data_type.as_dictionary() {
            let values = with_metadata(dictionary.value(), n);
            return DictionaryType::try_new(dictionary.index(), values, dictionary.order()).unwrap().into();
        }
        let children = data_type.children().iter().map(|child| {
            *n += 1;
            let metadata = Metadata::from_iter([("place", n.to_string().as_str()), ("", "\u{1b}\"")]);
            child.clone().with_data_type(with_metadata(child.data_type(), n)).with_metadata(metadata)
        });
        data_type.with_children(children.collect()).unwrap()
    }

    #[test]
    fn every_schema_is_read_as_it_was_written() {
        let mut n = 0;
        for (_, data_type) in testing_support::all_types() {
            let data_type = with_metadata(&data_type, &mut n);
            let metadata = Metadata::from_pairs(vec![(Some("a".into()), None), (None, Some("b".into()))]);
            let field = Field::new("x", data_type).required().with_metadata(metadata.clone());
            let schema =
                Schema::new(vec![field.clone(), field.with_name("y")]).with_metadata(metadata.clone());
            let ipc_schema = IpcSchema::from(schema.clone());
            let json = SchemaJson { container: "file", schema: &ipc_schema, metadata: &metadata };
            assert_eq!(schema_from_json(&JsonLine(JsonObject(json)).to_string()).unwrap(), schema);
        }
        assert!(n > 40, "{n}");
    }

    #[test]
    fn what_is_no_schema_is_refused_with_its_place() {
        let cases = [
            ("{", "not JSON: EOF"),
            ("{}", "the member \"fields\" is missing"),
            (r#"{"fields":{}}"#, "fields: expected an array, found an object"),
            (r#"{"fields":[{"type":"int8"}]}"#, "fields[0]: the member \"name\" is missing"),
            (r#"{"fields":[{"name":"a"}]}"#, "fields[0]: the member \"type\" is missing"),
            (r#"{"fields":[{"name":1,"type":"int8"}]}"#, "fields[0].name: expected text, found 1"),
            (
                "{\"fields\":[\n{\"name\":\"a\",\"type\":\"int8\",\"nullable\":1}]}",
                "fields[0].nullable: expected true or false, found 1",
            ),
            (r#"{"fields":[{"name":"a","type":"int9"}]}"#, "fields[0].type: byte 0: unknown type \"int9\""),
            (
                r#"{"fields":[],"metadata":[["a"]]}"#,
                "metadata[0]: expected a pair of key and value, found an array",
            ),
            (
                r#"{"fields":[{"name":"a","type":"int8","metadata":[[1,"b"]]}]}"#,
                "fields[0].metadata[0][0]: expected text or null, found 1",
            ),
            (
                r#"{"fields":[{"name":"a","type":"list<int8>","children":[]}]}"#,
                "fields[0].children: found 0 children, but the type has 1",
            ),
            (
                r#"{"fields":[{"name":"a","type":"list<int8>","children":[{"name":"item","type":"int16"}]}]}"#,
                "fields[0].children[0]: the type requires the child item: int8",
            ),
        ];
        for (text, expected) in cases {
            let error = schema_from_json(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        let deep = format!("{}{}", r#"{"fields":[{"children":"#.repeat(5000), "]}".repeat(5000));
        assert!(schema_from_json(&deep).unwrap_err().to_string().contains("recursion limit"));
    }
}
