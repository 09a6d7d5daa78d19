//! Reads a schema in the form of `schema --json`: name, type, nullability and metadata of each field, then the metadata
//! of the schema.

use std::{fmt, sync::Arc};

use arrow_schema::{DataType, DictionaryType, Field, Metadata, ParseError, Schema, TextParser, TypeError};
use serde_json::Value;

/// Why JSON is no schema, and where: `fields[1].children[0]`.
#[derive(Debug, thiserror::Error)]
#[error("{place}{reason}")]
pub(crate) struct JsonError {
    place: ListPath,
    reason: Reason,
}

#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error("{0}")]
    Syntax(serde_json::Error),
    #[error("\"{name}\" is not {expected}")]
    Member { name: &'static str, expected: &'static str },
    #[error("type: {0}")]
    Type(ParseError),
    #[error("not what its type says, which is {expected}")]
    OtherChild { expected: Field },
    #[error("{found} children, but its type has {expected}")]
    ChildCount { found: usize, expected: usize },
    #[error("{0}")]
    Children(TypeError),
}

/// The names and positions of lists, outer ones first.
#[derive(Debug, Default)]
struct ListPath(Vec<(&'static str, usize)>);

impl fmt::Display for ListPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (list, idx)) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { "." };
            write!(f, "{separator}{list}[{idx}]")?;
        }
        if self.0.is_empty() { Ok(()) } else { f.write_str(": ") }
    }
}

impl From<Reason> for JsonError {
    fn from(reason: Reason) -> JsonError {
        JsonError { place: ListPath::default(), reason }
    }
}

impl JsonError {
    fn inside(mut self, list: &'static str, idx: usize) -> JsonError {
        self.place.0.insert(0, (list, idx));
        self
    }
}

/// Reads a schema. The other members of types are only used for the metadata of children, and must not contradict the
/// text of the type.
pub(crate) fn schema(text: &str) -> Result<Schema, JsonError> {
    let document: Value = serde_json::from_str(text).map_err(Reason::Syntax)?;
    let fields = list(&document, "fields")?.ok_or(Reason::Member { name: "fields", expected: "a list" })?;
    Ok(Schema::new(each("fields", fields, field)?).with_metadata(metadata(&document)?))
}

fn each(
    list: &'static str,
    items: &[Value],
    mut field_of: impl FnMut(&Value) -> Result<Field, JsonError>,
) -> Result<Vec<Field>, JsonError> {
    let items = items.iter().enumerate();
    items.map(|(idx, item)| field_of(item).map_err(|error| error.inside(list, idx))).collect()
}

fn field(value: &Value) -> Result<Field, JsonError> {
    let text_of = |name: &'static str| {
        let text = value.get(name).and_then(Value::as_str);
        text.ok_or(Reason::Member { name, expected: "a string" })
    };
    let name = text_of("name")?;
    let data_type = TextParser::new().with_familiar_names().data_type(text_of("type")?);
    let data_type = with_metadata_of_children(data_type.map_err(Reason::Type)?, value)?;
    let is_nullable = match value.get("nullable") {
        None => true,
        Some(Value::Bool(is_nullable)) => *is_nullable,
        Some(_) => return Err(Reason::Member { name: "nullable", expected: "true or false" }.into()),
    };
    let field = Field::new(name, data_type).with_nullability(is_nullable.into());
    Ok(field.with_metadata(metadata(value)?))
}

/// The same type, with the metadata of its children in the JSON.
fn with_metadata_of_children(data_type: DataType, value: &Value) -> Result<DataType, JsonError> {
    if let Some(dictionary) = data_type.as_dictionary() {
        let Some(values) = value.get("dictionary").and_then(|said| said.get("values")) else {
            return Ok(data_type);
        };
        let values = with_metadata_of_children(dictionary.value().clone(), values)?;
        let changed = DictionaryType::try_new(dictionary.index(), values, dictionary.order());
        return Ok(changed.map_err(Reason::Children)?.into());
    }
    let Some(said) = list(value, "children")? else { return Ok(data_type) };
    let expected = data_type.children();
    if said.len() != expected.len() {
        return Err(Reason::ChildCount { found: said.len(), expected: expected.len() }.into());
    }
    let mut expected = expected.iter();
    let children = each("children", said, |child| {
        let child = field(child)?;
        match expected.next() {
            Some(expected) if !expected.same_column(&child) => {
                Err(Reason::OtherChild { expected: expected.clone() }.into())
            }
            _ => Ok(child),
        }
    })?;
    Ok(data_type.with_children(children).map_err(Reason::Children)?)
}

/// The pairs of key and value, each a string or null. There are none if the member is absent.
fn metadata(value: &Value) -> Result<Metadata, JsonError> {
    let no_pairs = Reason::Member { name: "metadata", expected: "a list of pairs of strings" };
    let text = |value: &Value| match value {
        Value::String(text) => Some(Some(Arc::from(text.as_str()))),
        Value::Null => Some(None),
        _ => None,
    };
    let pair = |pair: &Value| match pair.as_array().map(Vec::as_slice) {
        Some([key, value]) => text(key).zip(text(value)),
        _ => None,
    };
    let pairs = list(value, "metadata")?.unwrap_or_default().iter().map(pair);
    Ok(Metadata::from_pairs(pairs.collect::<Option<Vec<_>>>().ok_or(no_pairs)?))
}

/// The list with this name, if there is one.
fn list<'a>(value: &'a Value, name: &'static str) -> Result<Option<&'a [Value]>, Reason> {
    match value.get(name) {
        None => Ok(None),
        Some(Value::Array(items)) => Ok(Some(items)),
        Some(_) => Err(Reason::Member { name, expected: "a list" }),
    }
}

#[cfg(test)]
mod tests {
    use arrow_ipc::{Container, IpcSchema};
    use arrow_ipc_tools::{JsonLine, schema_as_json};

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
            let json = schema_as_json(Container::File, &ipc_schema, &metadata);
            assert_eq!(super::schema(&JsonLine(&json).to_string()).unwrap(), schema);
        }
        assert!(n > 40, "{n}");
    }

    #[test]
    fn what_is_no_schema_is_refused_with_its_place() {
        let cases = [
            ("{", "EOF"),
            ("{}", "\"fields\" is not a list"),
            (r#"{"fields":{}}"#, "\"fields\" is not a list"),
            (r#"{"fields":[{"type":"int8"}]}"#, "fields[0]: \"name\" is not a string"),
            (r#"{"fields":[{"name":"a"}]}"#, "fields[0]: \"type\" is not a string"),
            (
                r#"{"fields":[{"name":"a","type":"int8","nullable":1}]}"#,
                "fields[0]: \"nullable\" is not true",
            ),
            (r#"{"fields":[{"name":"a","type":"int9"}]}"#, "fields[0]: type: byte 0: unknown type \"int9\""),
            (r#"{"fields":[],"metadata":[["a"]]}"#, "\"metadata\" is not a list of pairs of strings"),
            (
                r#"{"fields":[{"name":"a","type":"int8","metadata":[[1,"b"]]}]}"#,
                "fields[0]: \"metadata\" is not a list of pairs",
            ),
            (
                r#"{"fields":[{"name":"a","type":"list<int8>","children":[]}]}"#,
                "fields[0]: 0 children, but its type has 1",
            ),
            (
                r#"{"fields":[{"name":"a","type":"list<int8>","children":[{"name":"item","type":"int16"}]}]}"#,
                "fields[0].children[0]: not what its type says, which is item: int8",
            ),
        ];
        for (text, expected) in cases {
            let error = super::schema(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        let deep = format!("{}{}", r#"{"fields":[{"children":"#.repeat(5000), "]}".repeat(5000));
        assert!(super::schema(&deep).unwrap_err().to_string().contains("recursion limit"));
    }
}
