//! Record batches and readers of batches in both directions.

use std::{error::Error, sync::Arc};

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::Schema;

use super::array::{our_array, rs_array};
use super::arrow::{
    array::{RecordBatch as RsRecordBatch, RecordBatchOptions, RecordBatchReader},
    datatypes::SchemaRef,
    error::ArrowError,
};
use super::traits::{FromArrowRs, ToArrowRs, refused};
use crate::error::{AdapterErrorKind, Result};

impl ToArrowRs for RecordBatch {
    type Output = RsRecordBatch;

    fn to_arrow_rs(&self) -> Result<RsRecordBatch> {
        rs_batch(self, self.schema().to_arrow_rs()?)
    }
}

/// Makes a batch of arrow-rs, whose schema is that of `batch`.
fn rs_batch(batch: &RecordBatch, schema: SchemaRef) -> Result<RsRecordBatch> {
    let mut columns = Vec::with_capacity(batch.n_columns());
    for (position, (column, field)) in batch.columns().iter().zip(schema.fields()).enumerate() {
        let column = rs_array(column, field.data_type());
        columns.push(column.map_err(|error| error.in_field(position, field.name()))?);
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.n_rows()));
    RsRecordBatch::try_new_with_options(schema, columns, &options).map_err(refused)
}

impl FromArrowRs<RsRecordBatch> for RecordBatch {
    fn try_from_arrow_rs(batch: &RsRecordBatch) -> Result<RecordBatch> {
        our_batch(batch, &Arc::new(Schema::try_from_arrow_rs(batch.schema_ref().as_ref())?))
    }
}

/// Makes a batch of this schema, whose types are those of `batch`.
fn our_batch(batch: &RsRecordBatch, schema: &Arc<Schema>) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields()).enumerate();
    let columns = columns.map(|(position, (column, field))| {
        our_array(&**column, field.data_type()).map_err(|error| error.in_field(position, field.name()))
    });
    let columns: Vec<ArrayData> = columns.collect::<Result<_>>()?;
    Ok(RecordBatch::try_new_with_rows(Arc::clone(schema), columns, batch.num_rows())?)
}

/// Passes batches of one schema to arrow-rs. The types of arrow-rs are made once.
#[derive(Debug, Clone)]
pub struct BatchConverter {
    schema: Arc<Schema>,
    rs_schema: SchemaRef,
}

impl BatchConverter {
    /// A converter of batches that have this schema.
    ///
    /// # Errors
    ///
    /// If arrow-rs has no such schema.
    pub fn try_new(schema: impl Into<Arc<Schema>>) -> Result<BatchConverter> {
        let schema = schema.into();
        Ok(BatchConverter { rs_schema: schema.to_arrow_rs()?, schema })
    }

    /// The schema of the batches of arrow-rs.
    pub fn rs_schema(&self) -> &SchemaRef {
        &self.rs_schema
    }

    /// Makes a batch of arrow-rs, which shares the memory of `batch`.
    ///
    /// # Errors
    ///
    /// If the batch has another schema, or invalid content.
    pub fn to_arrow_rs(&self, batch: &RecordBatch) -> Result<RsRecordBatch> {
        if !Arc::ptr_eq(batch.schema(), &self.schema) && *batch.schema() != self.schema {
            return Err(AdapterErrorKind::OtherSchema.into());
        }
        rs_batch(batch, Arc::clone(&self.rs_schema))
    }
}

/// A `RecordBatchReader` of arrow-rs that returns the batches of one of our readers: of a `StreamReader`, of the
/// batches of a `FileReader` or of a task of a data set, or of any iterator of results.
#[derive(Debug, Clone)]
pub struct ArrowRsReader<I> {
    batches: I,
    converter: BatchConverter,
}

impl<I> ArrowRsReader<I> {
    /// Makes a reader of batches that have this schema.
    ///
    /// # Errors
    ///
    /// If arrow-rs has no such schema.
    pub fn try_new(schema: impl Into<Arc<Schema>>, batches: I) -> Result<Self> {
        Ok(Self { batches, converter: BatchConverter::try_new(schema)? })
    }
}

/// An error of the reader becomes an external error, which can be downcast.
impl<I, E> Iterator for ArrowRsReader<I>
where
    I: Iterator<Item = std::result::Result<RecordBatch, E>>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    type Item = std::result::Result<RsRecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match self.batches.next()? {
            Ok(batch) => batch,
            Err(error) => return Some(Err(ArrowError::from_external_error(error.into()))),
        };
        Some(self.converter.to_arrow_rs(&batch).map_err(ArrowError::from))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.batches.size_hint()
    }
}

impl<I, E> RecordBatchReader for ArrowRsReader<I>
where
    I: Iterator<Item = std::result::Result<RecordBatch, E>>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    fn schema(&self) -> SchemaRef {
        Arc::clone(self.converter.rs_schema())
    }
}

/// The batches of a `RecordBatchReader` of arrow-rs, as ours.
#[derive(Debug, Clone)]
pub struct ArrowRsBatches<R> {
    reader: R,
    schema: Arc<Schema>,
    rs_schema: SchemaRef,
}

impl<R: RecordBatchReader> ArrowRsBatches<R> {
    /// Makes an iterator of the batches of `reader`.
    ///
    /// # Errors
    ///
    /// If the format has no such schema.
    pub fn try_new(reader: R) -> Result<Self> {
        let rs_schema = reader.schema();
        Ok(Self { reader, schema: Arc::new(Schema::try_from_arrow_rs(rs_schema.as_ref())?), rs_schema })
    }

    /// The schema of all batches.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn batch(&self, batch: std::result::Result<RsRecordBatch, ArrowError>) -> Result<RecordBatch> {
        let batch = batch.map_err(refused)?;
        // Readers of arrow-rs may return batches with other metadata or names.
        let same_types = || {
            let (found, expected) = (batch.schema_ref().fields(), self.rs_schema.fields());
            let types = |(found, expected): (&Arc<_>, &Arc<_>)| has_same_type(found, expected);
            found.len() == expected.len() && found.iter().zip(expected).all(types)
        };
        if !Arc::ptr_eq(batch.schema_ref(), &self.rs_schema) && !same_types() {
            return Err(AdapterErrorKind::OtherSchema.into());
        }
        our_batch(&batch, &self.schema)
    }
}

fn has_same_type(found: &super::arrow::datatypes::Field, expected: &super::arrow::datatypes::Field) -> bool {
    found.data_type() == expected.data_type()
}

impl<R: RecordBatchReader> Iterator for ArrowRsBatches<R> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next()?;
        Some(self.batch(batch))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.reader.size_hint()
    }
}
