//! Record batches in both directions.

use std::sync::Arc;

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::Schema;

use super::array::{our_array, rs_array};
use super::arrow::{
    array::{RecordBatch as RsRecordBatch, RecordBatchOptions},
    datatypes::SchemaRef,
};
use super::traits::{FromArrowRs, ToArrowRs, refused};
use crate::error::Result;

impl ToArrowRs for RecordBatch {
    type Output = RsRecordBatch;

    fn to_arrow_rs(&self) -> Result<RsRecordBatch> {
        rs_batch(self, self.schema().to_arrow_rs()?)
    }
}

/// Makes a batch of arrow-rs, whose schema is that of `batch`.
pub(super) fn rs_batch(batch: &RecordBatch, schema: SchemaRef) -> Result<RsRecordBatch> {
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
pub(super) fn our_batch(batch: &RsRecordBatch, schema: &Arc<Schema>) -> Result<RecordBatch> {
    let columns = batch.columns().iter().zip(schema.fields()).enumerate();
    let columns = columns.map(|(position, (column, field))| {
        our_array(&**column, field.data_type()).map_err(|error| error.in_field(position, field.name()))
    });
    let columns: Vec<ArrayData> = columns.collect::<Result<_>>()?;
    Ok(RecordBatch::try_new_with_rows(Arc::clone(schema), columns, batch.num_rows())?)
}
