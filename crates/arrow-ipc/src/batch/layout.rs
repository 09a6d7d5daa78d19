//! The header of the message of a batch, before the batch is encoded.

use arrow_data::RecordBatch;
use arrow_schema::Metadata;
use arrow_select::UnusedValues;

use super::encode::{EncodeRules, encode};
use crate::{dictionary::IndexMaps, error::Result, segment::encoded::MessageSize};
use arrow_ipc_format::{
    BatchHeaderBuilder, IpcSchema, Limits, MetadataEncoder, MetadataVersion, check_readable,
    columns::SchemaColumns,
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

impl MessageSize {
    /// The exact size of the message that a writer with default options writes for a batch without custom metadata.
    /// Dictionaries have messages of their own. The function is fast: it reads only null counts, first and last offsets, and
    /// views. The size of a compressed message cannot be computed.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_ipc::{MessageSize, StreamEncoder};
    /// use arrow_schema::DataType;
    ///
    /// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// let mut encoder = StreamEncoder::try_new(batch.schema())?;
    /// encoder.start()?;
    /// assert_eq!(MessageSize::try_from_batch(&batch)?.n_bytes(), encoder.encode(&batch)?.n_bytes());
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`BatchLayout::try_from_batch`](crate::message::BatchLayout::try_from_batch).
    pub fn try_from_batch(batch: &RecordBatch) -> Result<MessageSize> {
        let layout = BatchLayout::try_from_batch(batch)?;
        let metadata = MetadataEncoder::default().batch_metadata(None, &layout.header, &Metadata::new())?;
        Ok(MessageSize::new(metadata.n_bytes() as u64, layout.header.n_body_bytes()))
    }
}
