//! Changes of the metadata of a schema and of its fields.

use std::sync::Arc;

use arrow_schema::{DataType, DictionaryType, Field, Metadata, Schema};

use crate::error::ToolErrorKind;

/// Sets or removes a value in the metadata of a schema, or of a column or a field inside it.
///
/// ```
/// use arrow_ipc_tools::{Reshaping, convert::MetadataChange};
///
/// let source = MetadataChange::set("source", "sensor 7");
/// let unit = MetadataChange::set("unit", "m").for_column("place.height");
/// let reshaping = Reshaping::new().with_metadata(source).with_metadata(unit);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetadataChange {
    /// The name or path of the column or field; `None` for the schema.
    column: Option<String>,
    key: String,
    /// `None` removes the key.
    value: Option<String>,
}

impl MetadataChange {
    /// Sets the value of a key. If the key repeats, one of it stays.
    pub fn set(key: impl Into<String>, value: impl Into<String>) -> MetadataChange {
        MetadataChange { column: None, key: key.into(), value: Some(value.into()) }
    }

    /// Removes a key, which must exist.
    pub fn remove(key: impl Into<String>) -> MetadataChange {
        MetadataChange { column: None, key: key.into(), value: None }
    }

    /// Changes the metadata of a column, or of a field inside it, instead of the schema. The name or path is that in the
    /// result.
    #[must_use]
    pub fn for_column(self, column: impl Into<String>) -> MetadataChange {
        MetadataChange { column: Some(column.into()), ..self }
    }

    /// The position of the column whose metadata changes, or which has the field whose metadata changes. `None` for the schema,
    /// and if there is no such column.
    pub(super) fn position(&self, schema: &Schema) -> Option<usize> {
        let path = schema.column_or_path(self.column.as_ref()?).ok()?;
        path.positions().next().and_then(|position| usize::try_from(position).ok())
    }

    fn apply(&self, metadata: &Metadata) -> Result<Metadata, ToolErrorKind> {
        let MetadataChange { column, key, value } = self;
        let mut metadata = metadata.clone();
        match value {
            Some(value) => {
                if metadata.all(key).count() > 1 {
                    metadata.remove(key);
                }
                metadata.insert(key.as_str(), value.as_str());
            }
            None if metadata.all(key).next().is_none() => {
                let keys = metadata.iter().filter_map(|(key, _)| key.map(str::to_owned)).collect();
                return Err(ToolErrorKind::MetadataKey { key: key.clone(), column: column.clone(), keys });
            }
            None => drop(metadata.remove(key)),
        }
        Ok(metadata)
    }
}

/// Makes all changes in a schema, in order.
///
/// # Errors
/// If a field or a key to remove does not exist. If a change gives a field a canonical extension type whose metadata is invalid, or
/// whose storage has another type.
pub(super) fn changed(schema: Schema, changes: &[MetadataChange]) -> Result<Schema, ToolErrorKind> {
    let mut schema = schema;
    let mut extended = Vec::new();
    for change in changes {
        let Some(column) = &change.column else {
            let metadata = change.apply(schema.metadata())?;
            schema = schema.with_metadata(metadata);
            continue;
        };
        let failed = |error| ToolErrorKind::Columns { error, schema: Arc::new(schema.clone()) };
        let path = schema.column_or_path(column).map_err(failed)?;
        let positions: Vec<u32> = path.positions().collect();
        let fields = with_change(schema.fields(), &positions, change)?;
        schema = Schema::new(fields).with_metadata(schema.metadata().clone());
        if change.key.starts_with(EXTENSION) {
            extended.push(path);
        }
    }
    // The name and the metadata of an extension type are two changes.
    for path in extended {
        if let Some(Err(error)) = schema.field_by_path(&path).map(Field::canonical_extension) {
            return Err(ToolErrorKind::Extension { field: path.to_string(), error });
        }
    }
    Ok(schema)
}

/// The start of the keys of extension types.
const EXTENSION: &str = "ARROW:extension:";

/// The fields with a change of the one at a path. Recurses once for each step.
fn with_change(fields: &[Field], path: &[u32], change: &MetadataChange) -> Result<Vec<Field>, ToolErrorKind> {
    let mut fields = fields.to_vec();
    let Some((first, rest)) = path.split_first() else { return Ok(fields) };
    let position = usize::try_from(*first).unwrap_or(usize::MAX);
    if let Some(field) = fields.get_mut(position) {
        *field = if rest.is_empty() {
            field.clone().with_metadata(change.apply(field.metadata())?)
        } else {
            let children = with_change(field.data_type().value_children(), rest, change)?;
            field.clone().with_data_type(with_value_children(field.data_type(), children))
        };
    }
    Ok(fields)
}

/// Replaces the children of a type by children that differ only in their metadata.
fn with_value_children(data_type: &DataType, children: Vec<Field>) -> DataType {
    let with_children = |values: &DataType| values.with_children(children).unwrap_or_else(|_| values.clone());
    match data_type.as_dictionary() {
        None => with_children(data_type),
        Some(dictionary) => {
            let values = with_children(dictionary.value());
            DictionaryType::try_new(dictionary.index(), values, dictionary.order())
                .map_or_else(|_| data_type.clone(), DataType::from)
        }
    }
}
