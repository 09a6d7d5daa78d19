//! Conversion between record batches and arrays of structs.

use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Schema};

use super::StructArray;
use crate::error::{ArrayError, ArrayErrorKind};

impl TryFrom<&StructArray> for RecordBatch {
    type Error = ArrayError;

    /// Makes a batch of the columns. Copies nothing. The schema has no metadata of its own.
    ///
    /// # Errors
    /// If a struct is null, since rows of a batch cannot be null.
    fn try_from(structs: &StructArray) -> Result<RecordBatch, ArrayError> {
        let null_count = structs.null_count();
        if null_count > 0 {
            return Err(ArrayErrorKind::NullStructs { null_count: null_count as u64 }.into());
        }
        let schema = Schema::new(structs.fields().to_vec());
        Ok(RecordBatch::try_new_with_rows(schema, structs.columns().to_vec(), structs.len())?)
    }
}

impl TryFrom<StructArray> for RecordBatch {
    type Error = ArrayError;

    /// Does the same as the conversion of a `&StructArray`, with the same errors.
    fn try_from(structs: StructArray) -> Result<RecordBatch, ArrayError> {
        RecordBatch::try_from(&structs)
    }
}

impl TryFrom<&RecordBatch> for StructArray {
    type Error = ArrayError;

    /// Makes one struct for each row. No struct is null. Copies nothing. Drops the metadata of the schema.
    ///
    /// # Errors
    /// If the content of a column is invalid.
    fn try_from(batch: &RecordBatch) -> Result<StructArray, ArrayError> {
        StructArray::try_from(ArrayData::try_new(ArrayParts {
            children: Some(batch.columns().into()),
            ..ArrayParts::new(DataType::struct_(batch.schema().fields().to_vec()), batch.n_rows())
        })?)
    }
}

impl TryFrom<RecordBatch> for StructArray {
    type Error = ArrayError;

    /// Does the same as the conversion of a `&RecordBatch`, with the same errors.
    fn try_from(batch: RecordBatch) -> Result<StructArray, ArrayError> {
        StructArray::try_from(&batch)
    }
}
