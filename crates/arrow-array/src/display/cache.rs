//! Prepares the text of batches, and reuses prepared names and dictionaries for later batches.

use std::{fmt, sync::Arc};

use arrow_data::RecordBatch;
use arrow_schema::{LookupError, Schema};

use super::{
    ColumnText, TextStyle,
    column::ColumnWriters,
    records::RecordColumn,
    shape::{NameText, TypeNames},
};
use crate::error::{ArrayError, ArrayErrorKind};

/// Prepares the columns of many batches for writing as text. A dictionary that several batches share is prepared once.
///
/// Batches may have different schemas. Names are prepared once for each schema. The cache keeps the prepared text of
/// a dictionary while the array of the dictionary is in memory. An equal dictionary in another array is prepared and
/// validated again. So the cost of a batch depends on its own arrays, even if its dictionary is large.
///
/// ```
/// use arrow_array::{Int64Array, TextCache, TextStyle};
/// use arrow_data::RecordBatch;
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut cache = TextCache::new();
/// for batch in [batch.slice(0, 1), batch.slice(1, 1)] {
///     let rows = cache.rows(&batch)?;
///     let ids = cache.column(&batch, 0, TextStyle::Plain)?;
///     assert_eq!(rows.value(0).to_string(), format!("{{\"id\":{}}}", ids.value(0)));
/// }
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Default)]
pub struct TextCache {
    schema: Option<Arc<Schema>>,
    names: Option<Arc<NameText>>,
    shapes: Vec<TypeNames>,
    grower: ColumnWriters,
}

impl TextCache {
    /// Makes an empty cache. Allocates no memory.
    pub fn new() -> TextCache {
        TextCache::default()
    }

    /// The rows of a batch as text. Each row is a JSON object with a member for each column, or an array of pairs if names of
    /// columns repeat. Without columns, each row is an empty object.
    ///
    /// # Errors
    /// If the content of a column is invalid. The error names the column.
    pub fn rows(&mut self, batch: &RecordBatch) -> Result<ColumnText, ArrayError> {
        let positions = 0..batch.n_columns();
        let columns: Result<_, ArrayError> =
            positions.map(|position| self.column(batch, position, TextStyle::Json)).collect();
        let columns = columns?;
        self.prepare(batch.schema());
        let new = || Arc::new(NameText::for_record(batch.schema().fields()));
        let names = Arc::clone(self.names.get_or_insert_with(new));
        let n_slots = batch.n_rows();
        Ok(ColumnText::new(Box::new(RecordColumn { names, columns, n_slots }), n_slots))
    }

    /// One column of a batch as text.
    ///
    /// # Errors
    /// If `position` is out of bounds. If the content of the column is invalid. The error names the column.
    pub fn column(
        &mut self,
        batch: &RecordBatch,
        position: usize,
        style: TextStyle,
    ) -> Result<ColumnText, ArrayError> {
        self.prepare(batch.schema());
        let n_fields = batch.n_columns();
        let column = batch.column_at(position);
        let column = column.ok_or(ArrayErrorKind::Lookup(LookupError::OutOfRange { position, n_fields }))?;
        let no_shape = TypeNames::default();
        let shape = self.shapes.get(position).unwrap_or(&no_shape);
        let writer = self.grower.writer(column, shape, style).map_err(|error| {
            let name = batch.schema().field(position).map_or("", |field| field.name());
            error.in_field(position, name)
        })?;
        Ok(ColumnText::new(writer, column.len()))
    }

    fn prepare(&mut self, schema: &Arc<Schema>) {
        if self.schema.as_ref().is_some_and(|known| Arc::ptr_eq(known, schema)) {
            return;
        }
        self.shapes = schema.fields().iter().map(TypeNames::for_field).collect();
        self.names = None;
        self.schema = Some(Arc::clone(schema));
    }
}

impl fmt::Debug for TextCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextCache").finish_non_exhaustive()
    }
}
