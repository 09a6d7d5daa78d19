//! Rows that do not come from a single stream or file: rows of text, or of the files of a data set.

use std::{fmt, fs::File, io, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{ErrorClass, IpcError, IpcErrorKind, StreamWriter, WriteOptions};
use arrow_schema::Schema;

use crate::{
    columns::Selection,
    error::{InputContext, ToolError, ToolErrorKind},
    name::InputName,
};

/// Batches that an iterator makes when they are needed.
pub(crate) struct GeneratedRows {
    pub(crate) schema: Arc<Schema>,
    batches: Option<GeneratedBatches>,
    /// The positions of the returned columns; `None` for all columns.
    columns: Option<Vec<usize>>,
    /// Whether only the columns that the query needs are left.
    pub(crate) is_narrowed: bool,
}

type GeneratedBatches = Box<dyn Iterator<Item = Result<RecordBatch, ToolError>> + Send>;

impl GeneratedRows {
    pub(crate) fn new(schema: Arc<Schema>, batches: GeneratedBatches) -> GeneratedRows {
        GeneratedRows { schema, batches: Some(batches), columns: None, is_narrowed: false }
    }

    /// Drops all columns that `selection` does not need. Returns the schema of the remaining columns.
    pub(crate) fn keep_needed(&mut self, selection: &Selection) -> Result<Arc<Schema>, ToolErrorKind> {
        let Some(columns) = selection.columns_read() else { return Ok(Arc::clone(&self.schema)) };
        let schema = self.schema.project(&columns);
        self.columns = Some(columns);
        schema
            .map(Arc::new)
            .map_err(|error| ToolErrorKind::Columns { error, schema: Arc::clone(&self.schema) })
    }

    /// Returns the next batch. After an error, there are no more batches.
    pub(crate) fn next_batch(&mut self, name: &InputName) -> Result<Option<RecordBatch>, ToolError> {
        let Some(mut batches) = self.batches.take() else { return Ok(None) };
        let Some(batch) = batches.next().transpose()? else { return Ok(None) };
        self.batches = Some(batches);
        let Some(columns) = &self.columns else { return Ok(Some(batch)) };
        let failed = |error| ToolErrorKind::Columns { error, schema: Arc::clone(&self.schema) };
        batch.project(columns).map(Some).map_err(failed).in_input(name)
    }

    /// The total length of the buffers of a batch.
    pub(crate) fn n_bytes_of(batch: &RecordBatch) -> u64 {
        batch.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add)
    }

    /// Writes all rows to a temporary file, as a stream. Returns the file.
    ///
    /// # Errors
    /// If the rows cannot be read or written.
    pub(crate) fn spooled(mut self, name: &InputName) -> Result<File, ToolError> {
        let failed = |error: IpcError| {
            let is_io = error.class() == ErrorClass::Io;
            let kind = if is_io {
                ToolErrorKind::Spool(io::Error::other(error))
            } else {
                ToolErrorKind::Output(error)
            };
            ToolError::new(name, kind)
        };
        let file = tempfile::tempfile().map_err(|error| failed(IpcErrorKind::Write(error).into()))?;
        // Readers of the copy have the limits of the input.
        let options = WriteOptions::new().with_max_fields(u64::MAX);
        let mut writer = StreamWriter::try_new_with(file, &self.schema, options).map_err(failed)?;
        while let Some(batch) = self.next_batch(name)? {
            writer.write(&batch).map_err(failed)?;
        }
        writer.finish().map_err(failed)
    }
}

impl fmt::Debug for GeneratedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GeneratedRows").field("schema", &self.schema).finish_non_exhaustive()
    }
}
