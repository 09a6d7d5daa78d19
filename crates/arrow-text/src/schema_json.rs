//! Schemas in the JSON form of Arrow's integration tests, and in that of `schema --json` of the program.

mod error;
mod json;
mod read;
mod read_type;
mod text_types;
mod write;

use std::{fmt, str::FromStr, sync::Arc};

use arrow_schema::Schema;

pub use self::{
    error::{SchemaJsonError, SchemaJsonErrorKind},
    text_types::schema_from_json,
};

/// A schema and the ids of its dictionaries, in the JSON form of Arrow's integration tests. `Display` writes this JSON, and
/// [`parse`](JsonSchema::parse) reads it. Other implementations write and read the same JSON.
///
/// The JSON contains the whole schema, except the difference between absent and empty metadata. Ids are in the order of
/// [`Schema::fields_in_pre_order`]. Fields with the same id share a dictionary. It is not checked that their values have the
/// same type.
///
/// ```
/// use arrow_schema::Schema;
/// use arrow_text::JsonSchema;
///
/// let schema: Schema = "id: int64 not null\nword: dictionary<int8, utf8>".parse()?;
/// let json = JsonSchema::new(schema.clone()).to_string();
/// assert!(json.starts_with(
///     r#"{"fields":[{"name":"id","nullable":false,"type":{"name":"int","isSigned":true,"bitWidth":64},"children":[]},"#
/// ));
/// let parsed: JsonSchema = json.parse()?;
/// assert_eq!((&**parsed.schema(), parsed.dictionary_ids()), (&schema, &[0][..]));
///
/// let error = JsonSchema::parse(r#"{"fields": [{"name": "a", "nullable": true, "type": {"name": "text"}}]}"#).unwrap_err();
/// assert_eq!(error.to_string(), r#"fields[0].type: there is no type "text""#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonSchema {
    schema: Arc<Schema>,
    dictionary_ids: Vec<i64>,
}

impl JsonSchema {
    /// Numbers the dictionaries of a schema from 0.
    pub fn new(schema: impl Into<Arc<Schema>>) -> JsonSchema {
        let schema = schema.into();
        let dictionary_ids = (0..).take(n_dictionaries(&schema)).collect();
        JsonSchema { schema, dictionary_ids }
    }

    /// Gives these ids to the dictionaries of a schema, in pre-order.
    ///
    /// # Errors
    /// If the number of ids differs from the number of dictionary-encoded fields.
    pub fn try_with_dictionary_ids(
        schema: impl Into<Arc<Schema>>,
        dictionary_ids: Vec<i64>,
    ) -> Result<JsonSchema, SchemaJsonError> {
        let schema = schema.into();
        let expected = n_dictionaries(&schema);
        let found = dictionary_ids.len();
        if expected != found {
            return Err(SchemaJsonErrorKind::DictionaryIds { expected, found }.into());
        }
        Ok(JsonSchema { schema, dictionary_ids })
    }

    /// Reads a schema from JSON. Skips unknown members. Types may have at most 64 levels.
    ///
    /// # Errors
    /// If the text is not JSON, or not the JSON of a schema. The error contains the path of the value.
    pub fn parse(text: &str) -> Result<JsonSchema, SchemaJsonError> {
        let (schema, dictionary_ids) = read::read_schema(text)?;
        Ok(JsonSchema { schema: Arc::new(schema), dictionary_ids })
    }

    /// The schema, without the ids.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The id of each dictionary-encoded field, nested fields included, in pre-order.
    pub fn dictionary_ids(&self) -> &[i64] {
        &self.dictionary_ids
    }
}

fn n_dictionaries(schema: &Schema) -> usize {
    schema.fields_in_pre_order().filter(|field| field.data_type().is_dictionary()).count()
}

impl fmt::Display for JsonSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write::write_schema(&self.schema, &self.dictionary_ids, f)
    }
}

impl FromStr for JsonSchema {
    type Err = SchemaJsonError;

    fn from_str(text: &str) -> Result<JsonSchema, SchemaJsonError> {
        JsonSchema::parse(text)
    }
}
