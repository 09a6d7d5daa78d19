//! What a writer does when a dictionary changes.

use super::unify::UnifiedDictionaries;

/// What a writer does when a batch has other values in a dictionary than those that have been written.
///
/// Dictionaries in the same memory are the same, and are not looked at. Of others the values count: where `Replace` and
/// `Error` compare the bytes of a whole dictionary, by a hash at first, `Delta` and `Unify` look each value up, as
/// [`ArrayData::same_values`](arrow_data::ArrayData::same_values) compares them. A dictionary that no valid index of a
/// batch refers to is never a change.
///
/// ```
/// use arrow_array::{DictionaryBuilder, Utf8Builder};
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{DictionaryPolicy, MessageKind, StreamEncoder, WriteOptions};
/// use arrow_schema::IndexType;
///
/// let batch = |words: [&str; 2]| -> Result<RecordBatch, Box<dyn std::error::Error>> {
///     let mut column = DictionaryBuilder::try_new(IndexType::Int32, Utf8Builder::new())?;
///     words.into_iter().for_each(|word| column.append(word));
///     Ok(RecordBatch::try_from_columns([("word", column.finish()?.into())])?)
/// };
/// let batches = [batch(["ada", "grace"])?, batch(["edsger", "ada"])?];
/// let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
/// let mut encoder = StreamEncoder::new(batches[0].schema(), options)?;
/// encoder.start()?;
/// encoder.encode(&batches[0])?;
/// // One value is added, and the second batch is written with the indices 2 and 0.
/// let messages = encoder.encode(&batches[1])?.messages().to_vec();
/// assert_eq!(messages[0].kind(), MessageKind::DictionaryBatch);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum DictionaryPolicy {
    /// In a stream the dictionary is written again, and counts for the batches that follow. A file has one for all its
    /// batches, so there the batch is refused.
    #[default]
    Replace,
    /// Values that have not been written follow as a delta. Where a dictionary does not begin with all those that have
    /// been written, or is the beginning of them, the batch's indices are changed.
    ///
    /// A batch is refused if a changed index does not fit its type, or if values of a dictionary whose order has a
    /// meaning would have to be put behind others. The writer keeps all values that it has written, as bytes. There are
    /// readers that do not take deltas of nested types, or of files.
    Delta,
    /// Each dictionary is written once, with the values of all batches, which a
    /// [`DictionaryUnifier`](crate::DictionaryUnifier) has looked at before. Otherwise as `Delta`; a batch with values
    /// that were not found then is refused.
    Unify(UnifiedDictionaries),
    /// The batch is refused. So is one with values where there was no valid index before, if the stream has given the
    /// reader other ones by then.
    Error,
}
