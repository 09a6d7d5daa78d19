//! Reads a schema from JSON.

use std::sync::Arc;

use arrow_schema::{DictionaryOrder, DictionaryType, Field, Metadata, Nullability, Schema};

use super::{
    error::{Result, SchemaJsonErrorKind as Kind},
    json::{JsonValue, ObjectMembers},
    read_type::{index_type, read_type},
};

/// The maximum depth of nested types. Readers of files have the same maximum.
pub(super) const MAX_DEPTH: usize = 64;

/// Returns the schema, and the ids of its dictionaries in pre-order.
pub(super) fn read_schema(text: &str) -> Result<(Schema, Vec<i64>)> {
    let object = JsonValue::parse(text)?.object()?;
    let mut ids = Vec::new();
    let fields = object.read_all("fields", |field| read_field(field, &mut ids, 1))?;
    let schema = Schema::new(fields).with_metadata(read_metadata(&object)?);
    Ok((schema, ids))
}

/// Reads a field and its children. Appends the ids of their dictionaries in pre-order.
fn read_field(json: JsonValue<'_>, ids: &mut Vec<i64>, level: usize) -> Result<Field> {
    if level > MAX_DEPTH {
        return Err(Kind::TooDeep { limit: MAX_DEPTH }.into());
    }
    let object = json.object()?;
    let encoding = object.read_if_there("dictionary", Encoding::read)?;
    ids.extend(encoding.as_ref().map(|encoding| encoding.id));
    let children = read_children(&object, ids, level)?;
    finish_field(&object, encoding, children)
}

fn read_children(object: &ObjectMembers<'_>, ids: &mut Vec<i64>, level: usize) -> Result<Vec<Field>> {
    let Some(children) = object.read_if_there("children", JsonValue::array)? else { return Ok(Vec::new()) };
    let mut fields = Vec::with_capacity(children.len());
    for (idx, child) in children.into_iter().enumerate() {
        let field = read_field(child, ids, level + 1);
        fields.push(field.map_err(|error| error.in_item(idx).in_member("children"))?);
    }
    Ok(fields)
}

/// Does the work of `read_field` that does not recurse, so that the recursive function uses little stack.
#[inline(never)]
fn finish_field(
    object: &ObjectMembers<'_>,
    encoding: Option<Encoding>,
    children: Vec<Field>,
) -> Result<Field> {
    let name = object.read("name", JsonValue::string)?;
    let nullability = Nullability::from(object.read("nullable", JsonValue::boolean)?);
    let mut data_type = object.read("type", |json| read_type(json, children))?;
    if let Some(Encoding { index, order, .. }) = encoding {
        data_type = DictionaryType::try_new(index, data_type, order)?.into();
    }
    let metadata = read_metadata(object)?;
    Ok(Field::new(name, data_type).with_nullability(nullability).with_metadata(metadata))
}

/// How the JSON of a field describes a dictionary.
struct Encoding {
    id: i64,
    index: arrow_schema::IndexType,
    order: DictionaryOrder,
}

impl Encoding {
    fn read(json: JsonValue<'_>) -> Result<Encoding> {
        let object = json.object()?;
        let is_ordered = object.read_if_there("isOrdered", JsonValue::boolean)?.unwrap_or(false);
        Ok(Encoding {
            id: object.read("id", |json| json.number("an id"))?,
            index: object.read("indexType", index_type)?,
            order: if is_ordered { DictionaryOrder::Ordered } else { DictionaryOrder::Unordered },
        })
    }
}

/// Reads the pairs in order. Empty if the member is missing or `null`.
fn read_metadata(object: &ObjectMembers<'_>) -> Result<Metadata> {
    let pairs = object.get("metadata")?.filter(|json| !json.is_null());
    if pairs.is_none() {
        return Ok(Metadata::new());
    }
    let pairs = object.read_all("metadata", |pair| {
        let pair = pair.object()?;
        let text = |name| pair.read(name, JsonValue::string).map(|text| Some(Arc::from(text)));
        Ok((text("key")?, text("value")?))
    })?;
    Ok(Metadata::from_pairs(pairs))
}
