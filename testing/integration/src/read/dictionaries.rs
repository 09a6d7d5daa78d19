//! The dictionaries of a document. They are found by id, and read when they are needed.

use std::{collections::HashMap, sync::Arc};

use arrow_data::ArrayData;

use super::slots::check_length;
use crate::{
    error::{DocumentError, DocumentErrorKind as Kind, Result},
    json::{Json, Object},
    schema::Node,
};

/// The known properties of each id.
pub(super) struct Dictionaries<'a>(HashMap<i64, Dictionary<'a>>);

struct Dictionary<'a> {
    /// The first field with this id.
    node: &'a Node<'a>,
    /// The index in the document, and the column of the values; `None` if the document has no such dictionary.
    json: Option<(usize, Json<'a>)>,
    values: Option<Arc<ArrayData>>,
}

impl<'a> Dictionaries<'a> {
    pub(super) fn try_new(fields: &'a [Node<'a>], json: Option<Json<'a>>) -> Result<Dictionaries<'a>> {
        let mut dictionaries = Dictionaries(HashMap::new());
        for field in fields {
            field.visit_dictionaries(&mut |id, node| dictionaries.declare(id, node))?;
        }
        for (idx, json) in json.map_or(Ok(Vec::new()), Json::array)?.into_iter().enumerate() {
            dictionaries.provide(idx, json).map_err(|error| error.in_item(idx))?;
        }
        Ok(dictionaries)
    }

    /// Stores a field. All fields with the same id must have the same type of values.
    fn declare(&mut self, id: i64, node: &'a Node<'a>) -> Result<()> {
        let first = self.0.entry(id).or_insert(Dictionary { node, json: None, values: None }).node;
        let (expected, found) = (first.field.data_type().value_type(), node.field.data_type().value_type());
        if expected.same_type(found) && first.same_ids(node) {
            return Ok(());
        }
        Err(Kind::SharedDictionary { id, expected: expected.clone(), found: found.clone() }.into())
    }

    /// Stores the position of the values. Dictionaries that no field has are ignored.
    fn provide(&mut self, idx: usize, json: Json<'a>) -> Result<()> {
        let object = json.object()?;
        let id = object.read("id", |json| json.number("an id"))?;
        let column = object.read("data", only_column)?;
        let Some(dictionary) = self.0.get_mut(&id) else { return Ok(()) };
        if dictionary.json.replace((idx, column)).is_some() {
            return Err(Kind::RepeatedDictionary { id }.into());
        }
        Ok(())
    }

    /// The values, if they have been read.
    pub(super) fn known(&self, id: i64) -> Option<Arc<ArrayData>> {
        self.0.get(&id)?.values.clone()
    }

    /// A field with this id, and the column of the values.
    pub(super) fn source(&self, id: i64) -> Result<(&'a Node<'a>, Json<'a>)> {
        let found = self.0.get(&id).and_then(|dictionary| Some((dictionary.node, dictionary.json?.1)));
        found.ok_or_else(|| Kind::NoDictionary { id }.into())
    }

    /// Stores the values for the next column.
    pub(super) fn keep(&mut self, id: i64, values: ArrayData) -> Arc<ArrayData> {
        let values = Arc::new(values);
        if let Some(dictionary) = self.0.get_mut(&id) {
            dictionary.values = Some(Arc::clone(&values));
        }
        values
    }

    /// Adds the path of the dictionary to an error in its values.
    pub(super) fn locate(&self, id: i64, error: DocumentError) -> DocumentError {
        let idx = self.0.get(&id).and_then(|dictionary| dictionary.json).map_or(0, |(idx, _)| idx);
        error.in_item(0).in_member("columns").in_member("data").in_item(idx).in_member("dictionaries")
    }
}

/// A dictionary is a batch with one column. This is the column.
fn only_column(json: Json<'_>) -> Result<Json<'_>> {
    let object: Object<'_> = json.object()?;
    let column = object.read("columns", |json| {
        let columns = json.array()?;
        check_length(1, columns.len())?;
        columns.first().copied().ok_or_else(|| json.expected("a column"))
    })?;
    object.read_if_there("count", |json| {
        let n_slots = column.object()?.read("count", number_of_slots)?;
        check_length(n_slots, number_of_slots(json)?)
    })?;
    Ok(column)
}

fn number_of_slots(json: Json<'_>) -> Result<usize> {
    json.number("a number of slots")
}
