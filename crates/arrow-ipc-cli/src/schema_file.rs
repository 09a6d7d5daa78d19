//! A schema in a file: as text, as JSON, or that of an Arrow file or stream.

use std::{fs::File, io::Read, path::Path};

use arrow_ipc_tools::{Input, Rows, ToolError, ToolErrorKind};
use arrow_schema::{Field, Schema, TextParser};
use serde_json::Value;

use crate::exit::Failure;

/// The schema that a file has.
///
/// # Errors
/// If the file cannot be read, or has none.
pub(crate) fn schema_of(path: &Path) -> Result<Schema, Failure> {
    const MAX_TEXT_BYTES: u64 = 16 << 20;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_TEXT_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| ToolError::new(path.into(), ToolErrorKind::Read(error)))?;
    let text = std::str::from_utf8(&bytes).ok().filter(|text| !text.trim().is_empty());
    if let Some(text) = text.filter(|text| text.trim_start().starts_with('{')) {
        return of_json(text).map_err(|reason| Failure::SchemaJson { name: path.into(), reason });
    }
    let parsed = text.map(|text| TextParser::new().with_familiar_names().schema(text));
    if let Some(Ok(schema)) = parsed {
        return Ok(schema);
    }
    match (Input::open(path).and_then(Rows::open_schema), parsed) {
        (Ok(rows), _) => Ok(Schema::clone(rows.ipc_schema().schema())),
        (Err(_), Some(Err(error))) => Err(Failure::SchemaText { name: path.into(), error }),
        (Err(error), _) => Err(error.into()),
    }
}

/// The schema in the form of `schema --json`: of each field name, type and whether it may be null.
fn of_json(text: &str) -> Result<Schema, String> {
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let fields = document.get("fields").and_then(Value::as_array).ok_or("\"fields\" is not a list")?;
    let fields = fields.iter().enumerate().map(|(idx, field)| {
        let member = |name: &str| field.get(name).and_then(Value::as_str);
        let name = member("name").ok_or_else(|| format!("field {idx} has no name"))?;
        let text = member("type").ok_or_else(|| format!("field {idx} has no type"))?;
        let data_type = TextParser::new().with_familiar_names().data_type(text);
        let field_made =
            Field::new(name, data_type.map_err(|error| format!("the type of field {idx}: {error}"))?);
        let is_nullable = field.get("nullable").and_then(Value::as_bool).unwrap_or(true);
        Ok(if is_nullable { field_made } else { field_made.required() })
    });
    fields.collect::<Result<Vec<Field>, String>>().map(Schema::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_names_and_types() {
        let text = r#"{"fields":[{"name":"a","type":"int64","nullable":false},{"name":"b c","type":"list<string>"}]}"#;
        assert_eq!(of_json(text).unwrap().to_string(), "a: int64 not null\n\"b c\": list<item: utf8>");
        let cases = [
            ("{", "EOF"),
            ("{}", "\"fields\" is not a list"),
            (r#"{"fields":[{"type":"int8"}]}"#, "field 0 has no name"),
            (r#"{"fields":[{"name":"a"}]}"#, "field 0 has no type"),
            (
                r#"{"fields":[{"name":"a","type":"int9"}]}"#,
                "the type of field 0: byte 0: unknown type \"int9\"",
            ),
        ];
        for (text, expected) in cases {
            let error = of_json(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
