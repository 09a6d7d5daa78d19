//! The length of a message that is not written yet.

use arrow_data::RecordBatch;
use arrow_schema::Metadata;

use super::from_arrays::ArrayLists;
use crate::{error::Result, message::MessageEncoder, segment::encoded::MessageSize};

/// The exact length of the message that a writer with default options writes for a batch without custom metadata.
/// Dictionary messages are not included. The function is fast: it reads only null counts, first and last offsets, and
/// views. The length of a compressed message cannot be computed.
///
/// # Errors
/// If writing the batch would fail: types are nested too deep, or the batch has a slice of an unchecked array that is
/// invalid.
///
/// ```
/// use arrow_data::{ArrayData, RecordBatch};
/// use arrow_ipc::{StreamEncoder, WriteOptions, plan::batch_message_size};
/// use arrow_schema::DataType;
///
/// let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut encoder = StreamEncoder::try_new(batch.schema(), WriteOptions::default())?;
/// encoder.start()?;
/// assert_eq!(batch_message_size(&batch)?.n_bytes(), encoder.encode(&batch)?.n_bytes());
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
pub fn batch_message_size(batch: &RecordBatch) -> Result<MessageSize> {
    let lists = ArrayLists::of_batch(batch)?.lists;
    let n_metadata_bytes = MessageEncoder::default().n_batch_bytes(None, &lists, &Metadata::new())?;
    Ok(MessageSize::new(n_metadata_bytes, lists.n_body_bytes()))
}
