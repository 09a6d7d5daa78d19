//! Imports streams. They are read array by array.

use std::fmt;
use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch, Validation};
use arrow_schema::{Field, Schema};

use super::ArrowArrayStream;
use crate::error::CDataError;
use crate::stats::CopyStats;

impl ArrowArrayStream {
    /// Reads the schema, and then record batches.
    ///
    /// # Errors
    /// If the stream fails or is released, or if its schema is invalid or does not describe record batches.
    pub fn into_batches(mut self, validation: Validation) -> Result<BatchReader, CDataError> {
        let schema = Arc::new(self.0.schema()?.to_schema()?);
        Ok(BatchReader { schema, source: ImportedStream::new(self, validation) })
    }

    /// Reads the type, and then arrays. Record batches are arrays of structs, so any stream can be read like this.
    ///
    /// # Errors
    /// If the stream fails or is released, or if its type is invalid.
    pub fn into_arrays(mut self, validation: Validation) -> Result<ArrayReader, CDataError> {
        let field = self.0.schema()?.to_field()?;
        Ok(ArrayReader { field, source: ImportedStream::new(self, validation) })
    }
}

/// What both readers share.
struct ImportedStream {
    /// The stream. It is released after its end and after an error, which frees its resources.
    stream: ArrowArrayStream,
    validation: Validation,
    stats: CopyStats,
}

impl ImportedStream {
    fn new(stream: ArrowArrayStream, validation: Validation) -> ImportedStream {
        ImportedStream { stream, validation, stats: CopyStats::new() }
    }

    /// The next array, imported by `import`. After an error or at the end, the stream is released, and there are no more arrays.
    fn next<T>(
        &mut self,
        import: impl FnOnce(crate::ArrowArray, Validation, &mut CopyStats) -> Result<T, CDataError>,
    ) -> Option<Result<T, CDataError>> {
        if self.stream.is_released() {
            return None;
        }
        let next = self.stream.0.next();
        let next = next
            .and_then(|array| array.map(|array| import(array, self.validation, &mut self.stats)).transpose());
        if !matches!(next, Ok(Some(_))) {
            self.stream = ArrowArrayStream::empty();
        }
        next.transpose()
    }
}

/// The record batches of a stream; made by [`ArrowArrayStream::into_batches`]. It is exhausted after an error.
pub struct BatchReader {
    schema: Arc<Schema>,
    source: ImportedStream,
}

impl BatchReader {
    /// The schema of all batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The copies that were made so far.
    pub fn stats(&self) -> CopyStats {
        self.source.stats
    }
}

impl Iterator for BatchReader {
    type Item = Result<RecordBatch, CDataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let schema = &self.schema;
        self.source.next(|array, validation, stats| {
            // SAFETY: the contract says that a stream gives arrays of its schema, which is this.
            unsafe { array.import_batch_counted(schema.clone(), validation, stats) }
        })
    }
}

impl std::iter::FusedIterator for BatchReader {}

impl fmt::Debug for BatchReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchReader").field("stream", &self.source.stream).finish_non_exhaustive()
    }
}

/// The arrays of a stream; made by [`ArrowArrayStream::into_arrays`]. It is exhausted after an error.
pub struct ArrayReader {
    field: Field,
    source: ImportedStream,
}

impl ArrayReader {
    /// The field of all arrays.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The copies that were made so far.
    pub fn stats(&self) -> CopyStats {
        self.source.stats
    }
}

impl Iterator for ArrayReader {
    type Item = Result<ArrayData, CDataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let data_type = self.field.data_type();
        self.source.next(|array, validation, stats| {
            // SAFETY: the contract says that a stream gives arrays of its type, which is this.
            unsafe { array.import_counted(data_type, validation, stats) }
        })
    }
}

impl std::iter::FusedIterator for ArrayReader {}

impl fmt::Debug for ArrayReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayReader").field("stream", &self.source.stream).finish_non_exhaustive()
    }
}
