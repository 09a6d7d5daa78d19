//! Prepares the text of batches, and reuses names and dictionaries of earlier batches.

use std::{fmt, sync::Arc};

use arrow_data::RecordBatch;
use arrow_schema::{LookupError, Schema};

use super::{
    ColumnText, TextStyle,
    column::Grower,
    records::RecordColumn,
    shape::{NameText, TypeNames},
};
use crate::error::{ArrayError, ArrayErrorKind};

/// Prepares the text of the columns of several batches. Dictionaries that batches share are prepared once.
///
/// Batches may have any schema. Names are prepared once for each schema. A dictionary is prepared and validated once,
/// as long as it stays in memory. So the cost of a batch is in proportion to its own arrays, even if the dictionary is
/// much larger.
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
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct TextCache {
    schema: Option<Arc<Schema>>,
    names: Option<Arc<NameText>>,
    shapes: Vec<TypeNames>,
    grower: Grower,
}

impl TextCache {
    /// An empty cache.
    pub fn new() -> TextCache {
        TextCache::default()
    }

    /// The rows of a batch. Each row is a JSON object with a member for each column, or an array of pairs if names of
    /// columns repeat. If there are no columns, the objects are empty.
    ///
    /// # Errors
    /// If the content of a column is invalid. The error names the column.
    pub fn rows(&mut self, batch: &RecordBatch) -> Result<ColumnText, ArrayError> {
        let positions = 0..batch.n_columns();
        let columns: Result<_, ArrayError> =
            positions.map(|position| self.column(batch, position, TextStyle::Json)).collect();
        let columns = columns?;
        self.prepare(batch.schema());
        let new = || Arc::new(NameText::of_record(batch.schema().fields()));
        let names = Arc::clone(self.names.get_or_insert_with(new));
        Ok(ColumnText::of(Box::new(RecordColumn { names, columns }), batch.n_rows()))
    }

    /// A column of a batch.
    ///
    /// # Errors
    /// If the column does not exist, or its content is invalid. The error names the column.
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
        Ok(ColumnText::of(writer, column.len()))
    }

    fn prepare(&mut self, schema: &Arc<Schema>) {
        if self.schema.as_ref().is_some_and(|known| Arc::ptr_eq(known, schema)) {
            return;
        }
        self.shapes = schema.fields().iter().map(TypeNames::of_field).collect();
        self.names = None;
        self.schema = Some(Arc::clone(schema));
    }
}

impl fmt::Debug for TextCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextCache").finish_non_exhaustive()
    }
}
