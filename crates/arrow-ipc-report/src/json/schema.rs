//! A schema as JSON.

use std::cell::Cell;

use arrow_ipc::{IpcSchema, UnsupportedColumn};
use arrow_ipc_tools::columns::merge_unsupported_columns;
use arrow_schema::{DataType, DictionaryType, Field, Metadata};
use serde_core::ser::SerializeMap;

use super::{AsText, Items, JsonMembers, JsonObject, Pairs};
use crate::{
    describe::{endianness_name, feature_name},
    note::unsupported_note,
};

/// The schema of an input, with what the input adds to it.
#[derive(Debug, Clone, Copy)]
pub struct SchemaJson<'a> {
    /// The kind of the input, such as the [name of its container](crate::container_name).
    pub container: &'a str,
    /// The schema of the messages.
    pub schema: &'a IpcSchema,
    /// The metadata of the schema message or footer.
    pub metadata: &'a Metadata,
}

impl JsonMembers for SchemaJson<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("container", self.container)?;
        self.schema.serialize_members(object)?;
        object.serialize_entry("container_metadata", &Pairs(self.metadata))
    }
}

impl JsonMembers for IpcSchema {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let ids = Cell::new(self.dictionary_ids());
        let supported =
            self.schema().fields().iter().map(|field| Column::Supported(FieldJson { field, ids: &ids }));
        let columns = merge_unsupported_columns(self, supported, Column::Unsupported);
        object.serialize_entry("metadata_version", &AsText(format_args!("{:?}", self.version())))?;
        object.serialize_entry("endianness", endianness_name(self.endianness()))?;
        object.serialize_entry("features", &Items(|| self.features().iter().map(|it| feature_name(*it))))?;
        object.serialize_entry("fields", &Items(|| columns.iter().map(JsonObject)))?;
        object.serialize_entry("metadata", &Pairs(self.schema().metadata()))
    }
}

enum Column<'a> {
    Supported(FieldJson<'a>),
    /// A column of an unknown type, with an error instead of a type.
    Unsupported(&'a UnsupportedColumn),
}

impl JsonMembers for Column<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        match self {
            Column::Supported(field) => field.serialize_members(object),
            Column::Unsupported(column) => {
                object.serialize_entry("name", column.name())?;
                object.serialize_entry("type", &None::<&str>)?;
                object.serialize_entry("error", &unsupported_note(column))
            }
        }
    }
}

struct FieldJson<'a> {
    field: &'a Field,
    ids: &'a DictionaryIds<'a>,
}

/// The dictionary ids of the fields that are still to be written, in the order of the fields. The id of a dictionary
/// precedes the ids of dictionaries inside it.
type DictionaryIds<'a> = Cell<&'a [i64]>;

impl JsonMembers for FieldJson<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let FieldJson { field, ids } = *self;
        object.serialize_entry("name", field.name())?;
        object.serialize_entry("type", &AsText(field.data_type()))?;
        object.serialize_entry("nullable", &field.is_nullable())?;
        if let Some(extension) = field.extension() {
            object.serialize_entry("extension", extension.name)?;
        }
        serialize_inner(field.data_type(), ids, object)?;
        if field.metadata().is_empty() {
            return Ok(());
        }
        object.serialize_entry("metadata", &Pairs(field.metadata()))
    }
}

/// Writes what is inside a type: its dictionary or its children.
fn serialize_inner<'a, M: SerializeMap>(
    data_type: &'a DataType,
    ids: &'a DictionaryIds<'a>,
    object: &mut M,
) -> Result<(), M::Error> {
    if let Some(dictionary) = data_type.as_dictionary() {
        return object.serialize_entry("dictionary", &JsonObject(DictionaryJson { dictionary, ids }));
    }
    match data_type.children() {
        [] => Ok(()),
        children => {
            let child = |field| JsonObject(FieldJson { field, ids });
            object.serialize_entry("children", &Items(|| children.iter().map(child)))
        }
    }
}

struct DictionaryJson<'a> {
    dictionary: &'a DictionaryType,
    ids: &'a DictionaryIds<'a>,
}

impl JsonMembers for DictionaryJson<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let DictionaryJson { dictionary, ids } = *self;
        let (id, rest) = ids.get().split_first().unzip();
        ids.set(rest.unwrap_or_default());
        object.serialize_entry("id", &id)?;
        object.serialize_entry("index_type", &AsText(dictionary.index_type()))?;
        object.serialize_entry("ordered", &dictionary.is_ordered())?;
        object.serialize_entry("values", &JsonObject(TypeJson { data_type: dictionary.value(), ids }))
    }
}

struct TypeJson<'a> {
    data_type: &'a DataType,
    ids: &'a DictionaryIds<'a>,
}

impl JsonMembers for TypeJson<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("type", &AsText(self.data_type))?;
        serialize_inner(self.data_type, self.ids, object)
    }
}
