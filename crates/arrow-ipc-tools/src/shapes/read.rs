//! Reads a document of shapes.

use std::{collections::HashMap, sync::Arc};

use arrow_ipc::{
    Feature, IpcSchema, WriteOptions, WrittenContainer,
    plan::{BatchShape, ColumnShape},
};
use arrow_schema::{DataType, Field, Metadata, Schema};
use arrow_text::JsonSchema;
use serde_json::{Map, Value};

use super::{
    error::{ShapesError, ShapesErrorKind as Kind},
    place::Place,
};

use crate::{convert::WholeMetadata, describe::feature_of, limited_text::first_chars};

pub(super) type ShapesResult<T> = std::result::Result<T, ShapesError>;

const DOCUMENT: &[&str] = &["schema", "metadata", "footer_metadata", "features", "dictionaries", "batches"];
/// The allowed members of a document without a schema.
const DOCUMENT_WITHOUT_SCHEMA: &[&str] =
    &["metadata", "footer_metadata", "features", "dictionaries", "batches"];
const DICTIONARY: &[&str] = &["id", "rows", "values", "metadata"];
const BATCH: &[&str] = &["rows", "count", "columns", "metadata"];
const COLUMN: &[&str] = &["nulls", "bytes", "data_buffers", "slots", "children"];
/// A column has at most one of these members.
const EXCLUSIVE: &[&str] = &["bytes", "data_buffers", "children"];

const NUMBER: &str = "a whole number from 0 to 18446744073709551615";
const FEATURE: &str = "a feature: \"dictionary replacement\", \"compressed body\" or \"unused\"";
const COUNT: &str = "a number of batches";

/// A document, and its schema. The schema is in the document, or comes from the caller.
#[derive(Debug, Clone)]
pub(super) struct Document {
    text: Arc<str>,
    value: Value,
    pub(super) schema: IpcSchema,
    /// The metadata of the schema message and of the footer; `None` if the document has none.
    metadata: Option<WholeMetadata>,
    features: Option<Vec<Feature>>,
    /// The number of batches with each shape.
    pub(super) counts: Vec<usize>,
}

impl Document {
    /// Reads a document, and checks its structure. Does not compare shapes with the schema.
    pub(super) fn read(text: &str, schema: Option<IpcSchema>) -> ShapesResult<Document> {
        let value: Value = serde_json::from_str(text).map_err(ShapesError::of_text)?;
        let whole = JsonNode { value: &value, place: Place::Whole, text };
        let members = whole.members(if schema.is_some() { DOCUMENT_WITHOUT_SCHEMA } else { DOCUMENT })?;
        let schema = match schema {
            Some(schema) => schema,
            None => whole.required(members, "schema", |node| node.schema())?,
        };
        whole.required(members, "batches", |_| Ok(()))?;
        let message = whole.optional(members, "metadata", |node| node.metadata())?;
        let footer = whole.optional(members, "footer_metadata", |node| node.metadata())?;
        let has_metadata = message.is_some() || footer.is_some();
        let metadata = has_metadata.then(|| WholeMetadata::new(message.unwrap_or_default(), footer));
        let features = whole.optional(members, "features", |node| node.items(|node| node.feature()))?;
        let document = Document { text: text.into(), value, schema, metadata, features, counts: Vec::new() };
        document.dictionaries(|_, _| Ok(()))?;
        let mut counts = Vec::new();
        document.batches(|_, count| {
            counts.push(count);
            Ok(())
        })?;
        Ok(Document { counts, ..document })
    }

    /// Adds the metadata and features of the document to the options.
    pub(super) fn options_for(&self, container: WrittenContainer, options: WriteOptions) -> WriteOptions {
        let options = match &self.metadata {
            Some(metadata) => metadata.clone().into_options(container, options),
            None => options,
        };
        match &self.features {
            Some(features) => options.with_features(features.iter().copied()),
            None => options,
        }
    }

    /// Passes the id and the shape of each dictionary to `take`. Creates one shape at a time, because a few bytes of
    /// text may describe many columns.
    pub(super) fn dictionaries(
        &self,
        mut take: impl FnMut(i64, &BatchShape) -> arrow_ipc::Result<()>,
    ) -> ShapesResult<()> {
        let value_types = value_types(&self.schema);
        self.items("dictionaries", |node| {
            let members = node.members(DICTIONARY)?;
            let id = node.required(members, "id", |node| {
                node.value.as_i64().ok_or_else(|| node.expected("the id of a dictionary"))
            })?;
            let Some(value_type) = value_types.get(&id) else {
                return Err(node.error(Kind::NoDictionary { id }));
            };
            let values = node.optional(members, "values", |node| node.column(value_type))?;
            let shape = node.batch(members, Some(vec![values.unwrap_or_default()]))?;
            take(id, &shape).map_err(|error| node.error(Kind::Plan(error)))
        })
    }

    /// Passes each shape of batches to `take`, with the number of batches that have it.
    pub(super) fn batches(
        &self,
        mut take: impl FnMut(&BatchShape, usize) -> arrow_ipc::Result<()>,
    ) -> ShapesResult<()> {
        let fields = self.schema.schema().fields();
        self.items("batches", |node| {
            let members = node.members(BATCH)?;
            let columns = node.optional(members, "columns", |node| node.columns(fields))?;
            let count = node.optional(members, "count", |node| {
                usize::try_from(node.number()?).map_err(|_| node.expected(COUNT))
            })?;
            let shape = node.batch(members, columns)?;
            take(&shape, count.unwrap_or(1)).map_err(|error| node.error(Kind::Plan(error)))
        })
    }

    fn items(
        &self,
        name: &'static str,
        read: impl FnMut(JsonNode<'_>) -> ShapesResult<()>,
    ) -> ShapesResult<()> {
        let whole = JsonNode { value: &self.value, place: Place::Whole, text: &self.text };
        whole.optional(whole.object()?, name, |node| node.each(read)).map(Option::unwrap_or_default)
    }
}

/// The type of each dictionary's values, by id. The ids of a schema are in pre-order of the fields.
fn value_types(schema: &IpcSchema) -> HashMap<i64, &DataType> {
    let fields = schema.schema().fields_in_pre_order();
    let value_types = fields.filter_map(|field| Some(field.data_type().as_dictionary()?.value()));
    let mut by_id = HashMap::new();
    for (id, value_type) in schema.dictionary_ids().iter().zip(value_types) {
        by_id.entry(*id).or_insert(value_type);
    }
    by_id
}

/// A JSON value, and the path to it in the document.
#[derive(Clone, Copy)]
pub(super) struct JsonNode<'a> {
    pub(super) value: &'a Value,
    pub(super) place: Place<'a>,
    pub(super) text: &'a str,
}

impl<'a> JsonNode<'a> {
    pub(super) fn error(&self, kind: Kind) -> ShapesError {
        ShapesError::new(kind, self.place.source(self.text))
    }

    pub(super) fn expected(&self, expected: &'static str) -> ShapesError {
        const MAX_CHARS: usize = 40;
        let found = match self.value {
            Value::Array(_) => "an array".to_owned(),
            Value::Object(_) => "an object".to_owned(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => self.value.to_string(),
        };
        self.error(Kind::Expected { expected, found: first_chars(found, MAX_CHARS) })
    }

    pub(super) fn object(&self) -> ShapesResult<&'a Map<String, Value>> {
        self.value.as_object().ok_or_else(|| self.expected("an object"))
    }

    pub(super) fn string(&self) -> ShapesResult<&'a str> {
        self.value.as_str().ok_or_else(|| self.expected("text"))
    }

    /// The members of an object. A member that is not in `allowed` is an error.
    fn members(&self, allowed: &'static [&'static str]) -> ShapesResult<&'a Map<String, Value>> {
        let members = self.object()?;
        match members.keys().find(|name| !allowed.contains(&name.as_str())) {
            None => Ok(members),
            Some(name) => Err(self.error(Kind::UnknownMember { name: name.clone(), allowed })),
        }
    }

    pub(super) fn optional<T>(
        &self,
        members: &Map<String, Value>,
        name: &'static str,
        read: impl FnOnce(JsonNode<'_>) -> ShapesResult<T>,
    ) -> ShapesResult<Option<T>> {
        let value = members.get(name);
        value
            .map(|value| read(JsonNode { value, place: Place::Member(&self.place, name), text: self.text }))
            .transpose()
    }

    pub(super) fn required<T>(
        &self,
        members: &Map<String, Value>,
        name: &'static str,
        read: impl FnOnce(JsonNode<'_>) -> ShapesResult<T>,
    ) -> ShapesResult<T> {
        let found = self.optional(members, name, read)?;
        found.ok_or_else(|| self.error(Kind::Missing { name }))
    }

    fn each(&self, mut read: impl FnMut(JsonNode<'_>) -> ShapesResult<()>) -> ShapesResult<()> {
        let items = self.value.as_array().ok_or_else(|| self.expected("an array"))?;
        items.iter().enumerate().try_for_each(|(idx, value)| {
            read(JsonNode { value, place: Place::Item(&self.place, idx), text: self.text })
        })
    }

    pub(super) fn items<T>(
        &self,
        mut read: impl FnMut(JsonNode<'_>) -> ShapesResult<T>,
    ) -> ShapesResult<Vec<T>> {
        let mut items = Vec::new();
        self.each(|node| {
            items.push(read(node)?);
            Ok(())
        })?;
        Ok(items)
    }

    fn number(&self) -> ShapesResult<u64> {
        self.value.as_u64().ok_or_else(|| self.expected(NUMBER))
    }

    fn schema(self) -> ShapesResult<IpcSchema> {
        match self.value {
            Value::String(text) => {
                let schema: Schema = text.parse().map_err(|error| self.error(Kind::TextSchema(error)))?;
                Ok(IpcSchema::from(schema))
            }
            Value::Object(_) => {
                let schema = JsonSchema::parse(&self.value.to_string());
                let schema = schema.map_err(|error| self.error(Kind::JsonSchema(error)))?;
                IpcSchema::try_with_dictionary_ids(schema.schema().clone(), schema.dictionary_ids())
                    .map_err(|error| self.error(Kind::Plan(error.into())))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                Err(self.expected("a schema: an object, or the types as text"))
            }
        }
    }

    /// Reads the shape of a dictionary or batch.
    fn batch(
        &self,
        members: &Map<String, Value>,
        columns: Option<Vec<ColumnShape>>,
    ) -> ShapesResult<BatchShape> {
        let n_rows = self.required(members, "rows", |node| node.number())?;
        let metadata = self.optional(members, "metadata", |node| node.metadata())?;
        let shape = BatchShape::new(n_rows).with_columns(columns.unwrap_or_default());
        Ok(shape.with_metadata(metadata.unwrap_or_default()))
    }

    fn feature(&self) -> ShapesResult<Feature> {
        self.value.as_str().and_then(feature_of).ok_or_else(|| self.expected(FEATURE))
    }

    /// Reads metadata from an array of pairs, as `schema --json` writes it. An object is impossible, because keys may
    /// repeat or be null.
    pub(super) fn metadata(&self) -> ShapesResult<Metadata> {
        let pairs = self.items(|pair| {
            let parts = pair.items(|part| match part.value {
                Value::Null => Ok(None),
                Value::String(text) => Ok(Some(Arc::from(text.as_str()))),
                Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                    Err(part.expected("text or null"))
                }
            })?;
            let parts: [Option<Arc<str>>; 2] =
                parts.try_into().map_err(|_| pair.expected("a pair of key and value"))?;
            Ok(parts.into())
        })?;
        Ok(Metadata::from_pairs(pairs))
    }

    /// Reads the shapes of fields, from an array in the order of the fields or from an object with their names.
    fn columns(self, fields: &[Field]) -> ShapesResult<Vec<ColumnShape>> {
        let mut shapes = Vec::new();
        match self.value {
            Value::Array(items) => {
                let (expected, found) = (fields.len(), items.len());
                if found > expected {
                    return Err(self.error(Kind::TooManyFields { expected, found }));
                }
                for (idx, (value, field)) in items.iter().zip(fields).enumerate() {
                    let node = JsonNode { value, place: Place::Item(&self.place, idx), text: self.text };
                    shapes.push(node.column(field.data_type())?);
                }
            }
            Value::Object(members) => {
                // `None` if several fields have this name.
                let mut positions: HashMap<&str, Option<usize>> = HashMap::with_capacity(fields.len());
                for (idx, field) in fields.iter().enumerate() {
                    positions.entry(field.name()).and_modify(|found| *found = None).or_insert(Some(idx));
                }
                shapes.resize(fields.len(), ColumnShape::new());
                for (name, value) in members {
                    let node = JsonNode { value, place: Place::Member(&self.place, name), text: self.text };
                    let Some(position) = positions.get(name.as_str()) else {
                        return Err(node.error(Kind::NoField { name: name.clone() }));
                    };
                    let found = position.and_then(|idx| Some((fields.get(idx)?, shapes.get_mut(idx)?)));
                    let Some((field, shape)) = found else {
                        return Err(node.error(Kind::AmbiguousField { name: name.clone() }));
                    };
                    *shape = node.column(field.data_type())?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                return Err(self.expected("an array or an object of shapes"));
            }
        }
        Ok(shapes)
    }

    /// Reads the shape of a column. `null` means no nulls and no data of variable size. `serde_json` limits the
    /// nesting, and thus the recursion.
    fn column(self, data_type: &DataType) -> ShapesResult<ColumnShape> {
        if self.value.is_null() {
            return Ok(ColumnShape::new());
        }
        let members = self.members(COLUMN)?;
        if EXCLUSIVE.iter().filter(|name| members.contains_key(**name)).count() > 1 {
            return Err(self.error(Kind::Exclusive { names: EXCLUSIVE }));
        }
        let bytes = self.optional(members, "bytes", |node| node.number())?.map(ColumnShape::bytes);
        let views = self.optional(members, "data_buffers", |node| node.items(|node| node.number()))?;
        let children = self.optional(members, "children", |node| node.columns(data_type.children()))?;
        let shape = bytes.or(views.map(ColumnShape::views)).or(children.map(ColumnShape::nested));
        let n_nulls = self.optional(members, "nulls", |node| node.number())?;
        let shape = shape.unwrap_or_default().with_nulls(n_nulls.unwrap_or_default());
        let n_slots = self.optional(members, "slots", |node| node.number())?;
        Ok(n_slots.map_or(shape.clone(), |n_slots| shape.with_n_slots(n_slots)))
    }
}
