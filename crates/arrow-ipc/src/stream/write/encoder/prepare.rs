//! Makes batches ready to be written: without what is unused, and with null slots as the options want them.

use std::sync::Arc;

use arrow_data::RecordBatch;

use super::{BatchEncoder, Trailer, pieces};
use crate::{
    batch::{trim, zero_nulls},
    error::{IpcErrorKind, Result},
    unused::UnusedData,
};

impl<T: Trailer> BatchEncoder<T> {
    /// Compares a batch with the schema, and its dictionaries with those that were written. Returns the batch as
    /// [`prepare`](BatchEncoder::prepare) does.
    pub(super) fn observe(
        &mut self,
        batch: &RecordBatch,
        max_bytes: Option<u64>,
    ) -> Result<Option<RecordBatch>> {
        self.check_columns(batch)?;
        let observed = self.prepare(batch, self.options.unused_data(), max_bytes)?;
        self.tracker.observe(&self.columns, observed.as_ref().unwrap_or(batch).columns())?;
        Ok(observed)
    }

    /// The batch without unused items and values, with null slots as the options want them, and as it must be to split it;
    /// `None` if it is the same. All of this is done before a batch is split, since pieces share the children of the batch.
    pub(super) fn prepare(
        &self,
        batch: &RecordBatch,
        unused: UnusedData,
        max_bytes: Option<u64>,
    ) -> Result<Option<RecordBatch>> {
        let columns = &self.columns.batch;
        let trimmed = trim(columns, batch, unused)?;
        let checked = match (trimmed, max_bytes) {
            (None, Some(_)) => pieces::checked(columns, batch, self.options.unused_items())?,
            (trimmed, _) => trimmed,
        };
        let arrays = checked.as_ref().unwrap_or(batch).columns();
        match zero_nulls(columns, arrays, self.options.null_slots)? {
            Some(arrays) if !arrays.is_empty() => {
                Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), arrays)?))
            }
            Some(_) | None => Ok(checked),
        }
    }

    /// # Errors
    /// If names, types or nullability differ from the schema's.
    pub(super) fn check_columns(&mut self, batch: &RecordBatch) -> Result<()> {
        if !Arc::ptr_eq(&self.known_to_fit, batch.schema()) {
            self.schema.schema().check_same_columns(batch.schema()).map_err(IpcErrorKind::Schema)?;
            self.known_to_fit = Arc::clone(batch.schema());
        }
        Ok(())
    }
}
