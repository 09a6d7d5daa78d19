//! The header of the message of a batch, before the batch is encoded.

use arrow_data::RecordBatch;
use arrow_select::UnusedValues;

use super::encode::{EncodeRules, encode};
use crate::{dictionary::IndexMaps, error::Result};
use arrow_ipc_format::{
    BatchHeaderBuilder, IpcSchema, Limits, MetadataVersion, check_readable, columns::SchemaColumns,
};

/// The header of the message that a writer with default options writes for a batch: its nodes, and the offsets and lengths
/// of its buffers. It is computed from null counts, first and last offsets, and views; nothing is encoded. Dictionaries have
/// messages of their own.
#[derive(Debug)]
pub struct BatchLayout {
    columns: SchemaColumns,
    header: BatchHeaderBuilder,
}

impl BatchLayout {
    /// Computes the header of a batch.
    ///
    /// # Errors
    /// If writing the batch would fail: types are nested too deep, or the batch has a slice of an unchecked array that is
    /// invalid.
    pub fn try_from_batch(batch: &RecordBatch) -> Result<BatchLayout> {
        check_readable(batch.schema(), Limits::default().max_fields())?;
        let columns = SchemaColumns::try_new(&IpcSchema::from(batch.schema()))?;
        let mut header = BatchHeaderBuilder::default();
        header.begin(batch.n_rows() as u64);
        let rules = EncodeRules {
            version: MetadataVersion::V5,
            maps: IndexMaps::NONE,
            unused_items: UnusedValues::Bounded,
        };
        encode(&columns.batch, batch.columns(), rules, &mut header)?;
        header.end_body();
        header.wire_body_bytes()?;
        Ok(BatchLayout { columns, header })
    }

    /// The columns of the batch.
    pub fn columns(&self) -> &SchemaColumns {
        &self.columns
    }

    /// The header, for metadata V5.
    pub fn header(&self) -> &BatchHeaderBuilder {
        &self.header
    }
}
