//! Rows that callers see as one batch, in the arrays in which they were read. A column is joined when one array of it is needed.

use std::{
    iter,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_data::{ArrayData, ChunkedArray, RecordBatch, Table};
use arrow_schema::{FieldPath, Schema};
use arrow_select::{combine_chunks, combine_table};

use crate::{
    data::{Batches, SecondPass},
    error::Result,
    unify,
    widen::{concat_wider, has_runs},
    write::check_signals,
};

/// Pieces with fewer bytes on average are joined at once: to read them one by one would take longer.
const MIN_BYTES_OF_PIECE: u64 = 64 << 10;

/// The rows of a batch.
pub(crate) struct JoinedRows {
    schema: Arc<Schema>,
    n_rows: usize,
    /// A joined column replaces its pieces, which frees their memory. Nothing else is done while this is locked: the
    /// interpreter may wait for it.
    table: Mutex<Table>,
}

impl From<RecordBatch> for JoinedRows {
    fn from(batch: RecordBatch) -> JoinedRows {
        Table::from(batch).into()
    }
}

impl From<Table> for JoinedRows {
    fn from(table: Table) -> JoinedRows {
        JoinedRows { schema: Arc::clone(table.schema()), n_rows: table.n_rows(), table: Mutex::new(table) }
    }
}

impl JoinedRows {
    /// All rows of these batches. Copies small ones, and columns of different dictionaries, or of runs. If such a column has too many
    /// values for its indices, or too many slots for its run ends, these are wider than in the batches.
    ///
    /// # Errors
    /// If the columns of a batch differ from the schema, or columns that are copied cannot be joined.
    pub(crate) fn try_new(schema: &Arc<Schema>, batches: Vec<RecordBatch>) -> Result<JoinedRows> {
        let n_batches = batches.len() as u64;
        let table = Table::try_from_batches(Arc::clone(schema), batches)?;
        let n_bytes = |column: &ChunkedArray| column.chunks().iter().map(ArrayData::n_bytes).sum::<u64>();
        let is_small = |column| n_bytes(column) < MIN_BYTES_OF_PIECE.saturating_mul(n_batches);
        let are_small = table.columns().iter().all(is_small);
        let mut columns = table.columns().to_vec();
        let mut fields = schema.fields().to_vec();
        for (position, (column, field)) in iter::zip(&mut columns, &mut fields).enumerate() {
            let is_joined = are_small || !has_one_dictionary(column) || has_runs(column.data_type());
            if !is_joined || column.n_chunks() == 1 {
                continue;
            }
            check_signals()?;
            let joined = match combine_chunks(column).or_else(|_| concat_wider(column.chunks())) {
                Ok(joined) => joined,
                // This error has the name of the column.
                Err(_) => combine_table(&table.project(&[position])?)?.columns()[0].clone(),
            };
            if joined.data_type() != field.data_type() {
                *field = field.clone().with_data_type(joined.data_type().clone());
            }
            *column = joined.into();
        }
        let is_wider = fields[..] != schema.fields()[..];
        let schema = if is_wider {
            Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone()))
        } else {
            Arc::clone(schema)
        };
        Ok(Table::try_new_with_rows(schema, columns, table.n_rows())?.into())
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.schema.fields().len()
    }

    /// The columns as they are now.
    pub(crate) fn table(&self) -> Table {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The rows `start..start + n_rows`, which are in bounds.
    pub(crate) fn slice(&self, start: usize, n_rows: usize) -> Result<JoinedRows> {
        Ok(self.table().try_slice(start, n_rows)?.into())
    }

    pub(crate) fn project(&self, positions: &[usize]) -> Result<JoinedRows> {
        Ok(self.table().project(positions)?.into())
    }

    /// All values of a column, as one array.
    ///
    /// # Errors
    /// If they do not fit one array, such as 3 GB of `utf8`.
    pub(crate) fn column(&self, position: usize) -> Result<ArrayData> {
        let table = self.table();
        let chunks = table.column_at(position).map_or(&[][..], ChunkedArray::chunks);
        if let [only] = chunks {
            return Ok(only.clone());
        }
        let joined = match table.column_at(position).map(combine_chunks) {
            Some(Ok(joined)) => joined,
            // This error has the name of the column.
            _ => return Ok(combine_table(&table.project(&[position])?)?.columns()[0].clone()),
        };
        self.put(position, &joined)?;
        Ok(joined)
    }

    /// The values at the path of a nested field. Joins only these.
    ///
    /// # Errors
    /// As for [`column`](JoinedRows::column).
    pub(crate) fn at_path(&self, path: &FieldPath) -> Result<ArrayData> {
        let table = self.table();
        let pieces: Vec<ArrayData> =
            table.batches().map(|batch| batch.at_path(path)).collect::<std::result::Result<_, _>>()?;
        match &pieces[..] {
            [] => Ok(self.whole()?.at_path(path)?),
            [only] => Ok(only.clone()),
            several => Ok(concat_wider(several)?),
        }
    }

    /// All rows in one batch. Notices Ctrl-C between columns.
    ///
    /// # Errors
    /// As for [`column`](JoinedRows::column).
    pub(crate) fn whole(&self) -> Result<RecordBatch> {
        let mut columns = Vec::with_capacity(self.n_columns());
        for position in 0..self.n_columns() {
            check_signals()?;
            columns.push(self.column(position)?);
        }
        Ok(RecordBatch::try_new_with_rows(Arc::clone(&self.schema), columns, self.n_rows)?)
    }

    /// The rows as batches, of which there is one at least. Copies nothing.
    pub(crate) fn batches(&self) -> Result<Batches> {
        let table = self.table();
        if self.n_rows == 0 {
            return Ok(Batches::one(self.whole()?));
        }
        let batches = table.batches().map(Ok);
        let schema = Arc::clone(&self.schema);
        Ok(Batches { schema, batches: Box::new(batches), second_pass: Some(SecondPass::InMemory) })
    }

    fn put(&self, position: usize, joined: &ArrayData) -> Result<()> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let mut columns = table.columns().to_vec();
        if let Some(column) = columns.get_mut(position) {
            *column = joined.clone().into();
        }
        *table = Table::try_new_with_rows(Arc::clone(&self.schema), columns, self.n_rows)?;
        Ok(())
    }
}

/// Whether all pieces of a column have the same dictionaries, in the same memory.
fn has_one_dictionary(column: &ChunkedArray) -> bool {
    let dictionaries = |chunk| {
        let mut found = Vec::new();
        unify::dictionaries_in(chunk, &mut found);
        found
    };
    let Some((first, others)) = column.chunks().split_first() else { return true };
    let first = dictionaries(first);
    let same = |(one, other): (&Arc<ArrayData>, &Arc<ArrayData>)| one.same_memory(other);
    others.iter().all(|chunk| iter::zip(&first, &dictionaries(chunk)).all(same))
}
