//! The schemas of documents, with the ids of dictionaries. Fields are paired with these ids, since ids are no part of
//! types.

use arrow_ipc::IpcSchema;
use arrow_schema::Field;
use arrow_text::JsonSchema;

use crate::{
    error::{DocumentError, Result},
    json::Json,
};

/// The schema of a document.
pub(crate) fn read_schema(json: Json<'_>) -> Result<IpcSchema> {
    let read = JsonSchema::parse(json.text()).map_err(DocumentError::of_schema)?;
    let ids = read.dictionary_ids().to_vec();
    Ok(IpcSchema::try_with_dictionary_ids(std::sync::Arc::clone(read.schema()), ids)?)
}

pub(crate) fn schema_json(schema: &IpcSchema) -> Result<String> {
    let (schema, ids) = (schema.schema(), schema.dictionary_ids());
    let json = JsonSchema::try_with_dictionary_ids(std::sync::Arc::clone(schema), ids.to_vec());
    Ok(json.map_err(DocumentError::of_schema)?.to_string())
}

/// A field, and its children. For a dictionary, the children are those of its values.
#[derive(Debug)]
pub(crate) struct Node<'a> {
    pub(crate) field: &'a Field,
    /// The id of the dictionary, if the field is dictionary-encoded.
    pub(crate) id: Option<i64>,
    pub(crate) children: Vec<Node<'a>>,
}

/// The fields of a schema as trees.
pub(crate) fn tree(schema: &IpcSchema) -> Vec<Node<'_>> {
    nodes(schema.schema().fields(), &mut schema.dictionary_ids().iter().copied())
}

/// Makes the nodes of fields. `ids` has the ids in pre-order.
fn nodes<'a>(fields: &'a [Field], ids: &mut impl Iterator<Item = i64>) -> Vec<Node<'a>> {
    let node = |field: &'a Field| {
        let id = if field.data_type().is_dictionary() { ids.next() } else { None };
        Node { field, id, children: nodes(field.data_type().value_children(), ids) }
    };
    fields.iter().map(node).collect()
}

impl<'a> Node<'a> {
    /// Calls `visit` for every field with a dictionary, inner fields first.
    pub(crate) fn visit_dictionaries<E>(
        &'a self,
        visit: &mut impl FnMut(i64, &'a Node<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.children.iter().try_for_each(|child| child.visit_dictionaries(visit))?;
        self.id.map_or(Ok(()), |id| visit(id, self))
    }

    /// Whether the dictionaries in both fields have the same ids.
    pub(crate) fn same_ids(&self, other: &Node<'_>) -> bool {
        self.id == other.id
            && self.children.len() == other.children.len()
            && self.children.iter().zip(&other.children).all(|(a, b)| a.same_ids(b))
    }
}
