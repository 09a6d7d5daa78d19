//! Rows that do not come from a single stream or file: rows of text, or of the files of a data set.

use std::{fmt, fs::File, io, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{BatchWithMetadata, ErrorClass, IpcError, IpcErrorKind, StreamWriter, WriteOptions};
use arrow_schema::{Metadata, Schema};

use crate::{
    columns::Selection,
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
};

/// Batches that an iterator makes when they are needed.
pub(crate) struct GeneratedRows {
    pub(crate) schema: Arc<Schema>,
    /// The custom metadata of the whole, as a stream has it in its schema message.
    pub(crate) metadata: Metadata,
    batches: Option<GeneratedBatches>,
    /// The positions of the returned columns; `None` for all columns.
    columns: Option<Vec<usize>>,
    /// Whether only the columns that the query needs are left.
    pub(crate) is_narrowed: bool,
}

type GeneratedBatches = Box<dyn Iterator<Item = Result<BatchWithMetadata, ToolError>> + Send>;

impl GeneratedRows {
    /// Rows without custom metadata.
    pub(crate) fn new(
        schema: Arc<Schema>,
        batches: impl Iterator<Item = Result<RecordBatch, ToolError>> + Send + 'static,
    ) -> GeneratedRows {
        let batches = batches.map(|batch| Ok(BatchWithMetadata::new(batch?, Metadata::new())));
        GeneratedRows::with_metadata(schema, Metadata::new(), batches)
    }

    /// Rows with the custom metadata of the whole and of batches.
    pub(crate) fn with_metadata(
        schema: Arc<Schema>,
        metadata: Metadata,
        batches: impl Iterator<Item = Result<BatchWithMetadata, ToolError>> + Send + 'static,
    ) -> GeneratedRows {
        let batches: Option<GeneratedBatches> = Some(Box::new(batches));
        GeneratedRows { schema, metadata, batches, columns: None, is_narrowed: false }
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
    pub(crate) fn next_batch(&mut self, name: &InputName) -> Result<Option<BatchWithMetadata>, ToolError> {
        let Some(mut batches) = self.batches.take() else { return Ok(None) };
        let Some(mut next) = batches.next().transpose()? else { return Ok(None) };
        self.batches = Some(batches);
        if let Some(columns) = &self.columns {
            let failed = |error| ToolErrorKind::Columns { error, schema: Arc::clone(&self.schema) };
            next.batch = next.batch.project(columns).map_err(failed).in_input(name)?;
        }
        Ok(Some(next))
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
        let options = options.with_file_metadata(self.metadata.clone());
        let mut writer = StreamWriter::try_new_with(file, &self.schema, options).map_err(failed)?;
        while let Some(next) = self.next_batch(name)? {
            writer.write_with_metadata(&next.batch, &next.metadata).map_err(failed)?;
        }
        writer.finish().map_err(failed)
    }
}

impl fmt::Debug for GeneratedRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GeneratedRows").field("schema", &self.schema).finish_non_exhaustive()
    }
}
