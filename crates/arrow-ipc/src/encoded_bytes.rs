//! The length of the messages of batches, without an encoder.

use arrow_data::{ArrayData, RecordBatch, Table};

use crate::{error::Result, options::WriteOptions, stream::StreamEncoder};

/// Counts the bytes of the messages that a writer writes for arrays, batches and tables, without writing them.
///
/// `ArrayData::n_held_bytes` is the memory that stays allocated, and `arrow_select::ReferredBytes` counts the bytes to
/// which slots refer.
pub trait EncodedBytes {
    /// The length of the message that a writer writes with default options. See
    /// [`n_encoded_bytes_with`](EncodedBytes::n_encoded_bytes_with).
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_ipc::{EncodedBytes, StreamEncoder};
    ///
    /// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1000).into())])?;
    /// let mut encoder = StreamEncoder::try_new(batch.schema())?;
    /// encoder.start()?;
    /// assert_eq!(batch.n_encoded_bytes()?, encoder.encode(&batch)?.n_bytes());
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`] and [`encode`](crate::BatchEncoder::encode).
    fn n_encoded_bytes(&self) -> Result<u64> {
        self.n_encoded_bytes_with(WriteOptions::default())
    }

    /// The length of the message that a writer writes with these options: its prefix, metadata and body. Of an
    /// array, the message of a batch with this only column; of a table, the messages of its
    /// [batches](Table::batches). The length is exact, unless bodies are compressed or [shared
    /// buffers](crate::SharedBuffers::Once) are written once: then it is an [upper
    /// bound](crate::BatchEncoder::max_message_sizes).
    ///
    /// Messages of the schema and of dictionaries do not count, since they depend on what was written before:
    /// [`message_sizes`](crate::BatchEncoder::message_sizes) of an encoder counts them.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`] and [`encode`](crate::BatchEncoder::encode).
    fn n_encoded_bytes_with(&self, options: WriteOptions) -> Result<u64>;
}

impl EncodedBytes for RecordBatch {
    fn n_encoded_bytes_with(&self, options: WriteOptions) -> Result<u64> {
        let mut encoder = StreamEncoder::try_new_with(self.schema(), options)?;
        n_bytes_of(&mut encoder, self)
    }
}

impl EncodedBytes for ArrayData {
    fn n_encoded_bytes_with(&self, options: WriteOptions) -> Result<u64> {
        RecordBatch::try_from_columns([("", self.clone())])?.n_encoded_bytes_with(options)
    }
}

impl EncodedBytes for Table {
    fn n_encoded_bytes_with(&self, options: WriteOptions) -> Result<u64> {
        let mut encoder = StreamEncoder::try_new_with(self.schema(), options)?;
        let mut sizes = self.batches().map(|batch| n_bytes_of(&mut encoder, &batch));
        sizes.try_fold(0_u64, |sum, n_bytes| Ok(sum.saturating_add(n_bytes?)))
    }
}

fn n_bytes_of(encoder: &mut StreamEncoder, batch: &RecordBatch) -> Result<u64> {
    let max_bytes = encoder.options().max_message_bytes();
    let pieces = encoder.split(batch, max_bytes)?;
    Ok(pieces.iter().fold(0_u64, |sum, (_, n_bytes)| sum.saturating_add(*n_bytes)))
}

/// Splits a batch into the fewest pieces whose messages have at most `max_bytes` bytes each, prefix, metadata and
/// body together, with default options. See [`split_by_encoded_bytes_with`].
///
/// ```
/// use arrow_array::{Int64Array, Utf8Array};
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{EncodedBytes, split_by_encoded_bytes};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..1000).into())])?;
/// let pieces = split_by_encoded_bytes(&batch, 4096)?;
/// assert_eq!(pieces.iter().map(RecordBatch::n_rows).collect::<Vec<_>>(), [488, 488, 24]);
/// assert_eq!(pieces[0].n_encoded_bytes()?, 4096);
///
/// let text = "a text that is too long".repeat(1000);
/// let texts = Utf8Array::try_from_iter(["short", &text])?;
/// let batch = RecordBatch::try_from_columns([("text", texts.into())])?;
/// let error = split_by_encoded_bytes(&batch, 4096).unwrap_err();
/// assert!(error.to_string().starts_with("row 1 of the batch does not fit: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of [`split_by_encoded_bytes_with`].
pub fn split_by_encoded_bytes(batch: &RecordBatch, max_bytes: u64) -> Result<Vec<RecordBatch>> {
    split_by_encoded_bytes_with(batch, max_bytes, WriteOptions::default())
}

/// Splits a batch into the fewest pieces whose messages have at most `max_bytes` bytes each, if a writer writes them with
/// these options. If the whole batch fits, it is the only piece. Lengths are those of
/// [`n_encoded_bytes_with`](EncodedBytes::n_encoded_bytes_with).
///
/// Pieces are slices, which share the data of the batch. Where slots of views, list views or dense unions refer to their data
/// in any order, a slice that does not fit is copied without unused data, unless
/// [`with_unused_items`](WriteOptions::with_unused_items) keeps it. If items of list views or values of dense unions are runs
/// or views, the copy may be the longer one, and there may be more pieces than necessary. Columns whose null slots are to be
/// [zeros](crate::NullSlots::Zeros) are copied once, and the pieces share the copy.
///
/// [`WriteOptions::with_max_message_bytes`] splits all batches that a writer writes.
///
/// # Errors
/// If the message of a single row is longer; the error names the first such row. If the message of a batch without rows is
/// longer. The errors of [`StreamEncoder::try_new`] and [`encode`](crate::BatchEncoder::encode).
pub fn split_by_encoded_bytes_with(
    batch: &RecordBatch,
    max_bytes: u64,
    options: WriteOptions,
) -> Result<Vec<RecordBatch>> {
    let mut encoder = StreamEncoder::try_new_with(batch.schema(), options)?;
    Ok(encoder.split(batch, Some(max_bytes))?.into_iter().map(|(piece, _)| piece).collect())
}
