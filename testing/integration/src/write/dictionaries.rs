//! Collects one dictionary for each id from all batches.

use std::{fmt::Write, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};

use super::columns::write_column;
use crate::{
    error::{DocumentErrorKind as Kind, Result},
    schema::Node,
};

/// The dictionaries in the order in which they are written: inner dictionaries first.
pub(super) struct Dictionaries<'a>(Vec<Dictionary<'a>>);

struct Dictionary<'a> {
    id: i64,
    node: &'a Node<'a>,
    /// `None` before the first batch.
    values: Option<Arc<ArrayData>>,
}

impl<'a> Dictionaries<'a> {
    pub(super) fn of(fields: &'a [Node<'a>], batches: &[RecordBatch]) -> Result<Dictionaries<'a>> {
        let mut dictionaries = Dictionaries(Vec::new());
        for field in fields {
            field.visit_dictionaries(&mut |id, node| {
                if !dictionaries.0.iter().any(|known| known.id == id) {
                    dictionaries.0.push(Dictionary { id, node, values: None });
                }
                Ok::<(), crate::DocumentError>(())
            })?;
        }
        for batch in batches {
            for (node, column) in fields.iter().zip(batch.columns()) {
                dictionaries.collect(node, column)?;
            }
        }
        Ok(dictionaries)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Collects the dictionaries of a column and of its children.
    fn collect(&mut self, node: &Node<'_>, array: &ArrayData) -> Result<()> {
        let mut holder = array;
        if let (Some(id), Some(values)) = (node.id, array.dictionary()) {
            self.add(id, values)?;
            holder = values;
        }
        for (child, array) in node.children.iter().zip(holder.children()) {
            self.collect(child, array)?;
        }
        Ok(())
    }

    /// Adds a dictionary of a batch. A dictionary that extends the earlier one replaces it, since all indices keep their
    /// meaning.
    fn add(&mut self, id: i64, values: &Arc<ArrayData>) -> Result<()> {
        let Some(known) = self.0.iter_mut().find(|known| known.id == id) else { return Ok(()) };
        let Some(before) = &known.values else {
            known.values = Some(Arc::clone(values));
            return Ok(());
        };
        if Arc::ptr_eq(before, values) {
            return Ok(());
        }
        let n_common = before.len().min(values.len());
        if !before.slice(0, n_common).same_values(&values.slice(0, n_common))? {
            return Err(Kind::ChangedDictionary { id }.into());
        }
        if values.len() > before.len() {
            known.values = Some(Arc::clone(values));
        }
        Ok(())
    }

    pub(super) fn write(&self, out: &mut String) -> Result<()> {
        out.push('[');
        for (idx, Dictionary { id, node, values }) in self.0.iter().enumerate() {
            out.push_str(if idx == 0 { "" } else { "," });
            let empty = || ArrayData::new_empty(node.field.data_type().value_type());
            let values = values.as_ref().map_or_else(empty, |values| ArrayData::clone(values));
            let _ = write!(out, "{{\"id\":{id},\"data\":{{\"count\":{},\"columns\":[", values.len());
            let written = write_column(out, &format!("DICT{id}"), &values);
            written.map_err(|error| error.in_item(idx).in_member("dictionaries"))?;
            out.push_str("]}}");
        }
        out.push(']');
        Ok(())
    }
}
