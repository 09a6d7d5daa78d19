//! The writers of batch after batch, with what is kept from one to the next.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::Schema;

use super::{
    Style, WriteSlot,
    column::Grower,
    shape::{Names, Shape},
};
use crate::error::ArrayError;

/// Makes the writers of the columns of batches. What a batch costs is in proportion to its own arrays: names are
/// prepared once for each schema, and dictionaries once for as long as they live.
#[derive(Default)]
pub(super) struct Columns {
    schema: Option<Arc<Schema>>,
    rows: Option<Arc<Names>>,
    shapes: Vec<Shape>,
    grower: Grower,
}

impl Columns {
    /// The names of the columns.
    pub(super) fn names(&mut self, batch: &RecordBatch) -> Arc<Names> {
        self.prepare(batch.schema());
        let new = || Arc::new(Names::of_record(batch.schema().fields()));
        Arc::clone(self.rows.get_or_insert_with(new))
    }

    /// The writers of the first `n_columns` columns.
    pub(super) fn writers(
        &mut self,
        batch: &RecordBatch,
        n_columns: usize,
        style: Style,
    ) -> Result<Vec<Box<dyn WriteSlot>>, ArrayError> {
        let columns = batch.columns().iter().enumerate().take(n_columns);
        columns.map(|(position, column)| self.writer(batch, position, column, style)).collect()
    }

    /// The writer of a column of a batch, or of a part of the column.
    pub(super) fn writer(
        &mut self,
        batch: &RecordBatch,
        position: usize,
        column: &ArrayData,
        style: Style,
    ) -> Result<Box<dyn WriteSlot>, ArrayError> {
        self.prepare(batch.schema());
        let no_shape = Shape::default();
        let shape = self.shapes.get(position).unwrap_or(&no_shape);
        self.grower.writer(column, shape, style).map_err(|error| {
            let name = batch.schema().field(position).map_or("", |field| field.name());
            error.in_field(position, name)
        })
    }

    fn prepare(&mut self, schema: &Arc<Schema>) {
        if self.schema.as_ref().is_some_and(|known| Arc::ptr_eq(known, schema)) {
            return;
        }
        self.shapes = schema.fields().iter().map(|field| Shape::of(field.data_type())).collect();
        self.rows = None;
        self.schema = Some(Arc::clone(schema));
    }
}

/// The writer of one array by itself.
pub(super) fn writer_of(data: &ArrayData, style: Style) -> Result<Box<dyn WriteSlot>, ArrayError> {
    Grower::default().writer(data, &Shape::of(data.data_type()), style)
}
