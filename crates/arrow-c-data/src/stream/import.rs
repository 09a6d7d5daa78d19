//! Imports streams, array by array.

use std::fmt;
use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch, Validation};
use arrow_schema::{Field, Schema};

use super::ArrowArrayStream;
use crate::ArrayImporter;
use crate::error::CDataError;
use crate::schema::MAX_FIELDS;
use crate::stats::CopyStats;

impl ArrowArrayStream {
    /// Reads the schema, and returns a reader of the record batches.
    ///
    /// # Errors
    /// If the stream fails or is released, or if its schema is invalid or does not describe record batches.
    pub fn into_batches(self, validation: Validation) -> Result<BatchReader, CDataError> {
        self.into_batches_with(validation, MAX_FIELDS)
    }

    /// Like [`into_batches`](ArrowArrayStream::into_batches), with at most `max_fields` fields, nested ones included, in place of one
    /// million.
    ///
    /// # Errors
    /// The errors of [`into_batches`](ArrowArrayStream::into_batches).
    pub fn into_batches_with(
        mut self,
        validation: Validation,
        max_fields: u64,
    ) -> Result<BatchReader, CDataError> {
        let schema = Arc::new(self.0.schema()?.to_schema_with(max_fields)?);
        Ok(BatchReader { schema, source: ImportedStream::new(self, validation) })
    }

    /// Reads the type, and returns a reader of the arrays. A record batch is read as an array of structs, so this
    /// method works for any stream.
    ///
    /// # Errors
    /// If the stream fails or is released, or if its type is invalid.
    pub fn into_arrays(self, validation: Validation) -> Result<ArrayReader, CDataError> {
        self.into_arrays_with(validation, MAX_FIELDS)
    }

    /// Like [`into_arrays`](ArrowArrayStream::into_arrays), with at most `max_fields` fields, nested ones included, in place of one
    /// million.
    ///
    /// # Errors
    /// The errors of [`into_arrays`](ArrowArrayStream::into_arrays).
    pub fn into_arrays_with(
        mut self,
        validation: Validation,
        max_fields: u64,
    ) -> Result<ArrayReader, CDataError> {
        let field = self.0.schema()?.to_field_with(max_fields)?;
        Ok(ArrayReader { field, source: ImportedStream::new(self, validation) })
    }
}

/// The state of [`BatchReader`] and [`ArrayReader`].
struct ImportedStream {
    /// The stream. The stream is released after its end or after an error, which frees its resources.
    stream: ArrowArrayStream,
    importer: ArrayImporter,
}

impl ImportedStream {
    fn new(stream: ArrowArrayStream, validation: Validation) -> ImportedStream {
        ImportedStream { stream, importer: ArrayImporter::new(validation) }
    }

    /// The next array, imported by `import`; `None` at the end. After the end or an error, the stream is released, and
    /// all further calls return `None`.
    fn next<T>(
        &mut self,
        import: impl FnOnce(crate::ArrowArray, &mut ArrayImporter) -> Result<T, CDataError>,
    ) -> Option<Result<T, CDataError>> {
        if self.stream.is_released() {
            return None;
        }
        let next = self.stream.0.next();
        let next = next.and_then(|array| array.map(|array| import(array, &mut self.importer)).transpose());
        if !matches!(next, Ok(Some(_))) {
            self.stream = ArrowArrayStream::empty();
        }
        next.transpose()
    }
}

/// The record batches of a stream; made by [`ArrowArrayStream::into_batches`]. After an error, the iterator is
/// exhausted.
pub struct BatchReader {
    schema: Arc<Schema>,
    source: ImportedStream,
}

impl BatchReader {
    /// The schema of all batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The numbers of buffers and bytes that were copied so far.
    pub fn stats(&self) -> CopyStats {
        self.source.importer.stats()
    }

    /// The same reader, which imports batches by `importer`, and so at its level of validation. For several streams whose
    /// batches share dictionaries: see [`ArrayImporter::sharing_checks`].
    #[must_use]
    pub fn with_importer(mut self, importer: ArrayImporter) -> BatchReader {
        self.source.importer = importer;
        self
    }
}

impl Iterator for BatchReader {
    type Item = Result<RecordBatch, CDataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let schema = &self.schema;
        self.source.next(|array, importer| {
            // SAFETY: the contract says that a stream returns arrays of its schema, and `schema` is the schema of this
            // stream.
            unsafe { importer.import_batch(array, schema.clone()) }
        })
    }
}

impl std::iter::FusedIterator for BatchReader {}

impl fmt::Debug for BatchReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchReader").field("stream", &self.source.stream).finish_non_exhaustive()
    }
}

/// The arrays of a stream; made by [`ArrowArrayStream::into_arrays`]. After an error, the iterator is exhausted.
pub struct ArrayReader {
    field: Field,
    source: ImportedStream,
}

impl ArrayReader {
    /// The field of all arrays.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// The numbers of buffers and bytes that were copied so far.
    pub fn stats(&self) -> CopyStats {
        self.source.importer.stats()
    }
}

impl Iterator for ArrayReader {
    type Item = Result<ArrayData, CDataError>;

    fn next(&mut self) -> Option<Self::Item> {
        let data_type = self.field.data_type();
        self.source.next(|array, importer| {
            // SAFETY: the contract says that a stream returns arrays of its type, and `data_type` is the type of this
            // stream.
            unsafe { importer.import(array, data_type) }
        })
    }
}

impl std::iter::FusedIterator for ArrayReader {}

impl fmt::Debug for ArrayReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrayReader").field("stream", &self.source.stream).finish_non_exhaustive()
    }
}
