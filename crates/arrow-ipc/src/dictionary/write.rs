//! Writes dictionaries: compares the dictionaries of a batch with the dictionaries of the reader, and finds the values to
//! send.

use std::{fmt, sync::Arc};

use arrow_data::ArrayData;

use crate::error::Result;
use arrow_ipc_format::{
    WrittenContainer,
    columns::{DictionaryIdx, SchemaColumns},
};

mod recent;
mod walk;

mod appending;
mod replacing;

pub use self::appending::{DictionaryUnifier, UnifiedDictionaries};

pub(crate) use self::appending::{IndexMaps, Mapping};

use self::{
    appending::AppendingDictionaries,
    replacing::{Replacement, ReplacingDictionaries},
};

/// What a writer does if a batch has other values in a dictionary than the writer has written.
///
/// Dictionaries in the same memory are equal without a comparison. Otherwise the writer compares values as
/// [`ArrayData::same_values`](arrow_data::ArrayData::same_values) does. `Replace` and `Error` compare all values in
/// order. `Delta` and `Unify` look each value up. A dictionary does not count as changed if no valid index of the batch
/// refers to it.
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
/// let mut encoder = StreamEncoder::try_new_with(batches[0].schema(), options)?;
/// encoder.start()?;
/// encoder.encode(&batches[0])?;
/// // One value is added, and the second batch is written with the indices 2 and 0.
/// let messages = encoder.encode(&batches[1])?.messages().to_vec();
/// assert_eq!(messages[0].kind(), MessageKind::DictionaryBatch);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub enum DictionaryPolicy {
    /// In a stream, writes the new dictionary, which later batches also use. In a file, refuses the batch, because a file
    /// has one dictionary for all batches.
    ///
    /// If the dictionary only grows, writes the new values as a delta. In a stream, the new values must follow the
    /// written values in the same memory, as in batches that were read from a stream with deltas. After the first such
    /// delta, it is enough that the dictionary begins with values that are equal to the written values. In a file, the
    /// dictionary must begin with the values that this writer has written.
    #[default]
    Replace,
    /// Writes new values as a delta. Changes the indices of the batch, unless its dictionary begins with all written
    /// values, or the written values begin with its dictionary.
    ///
    /// Refuses a batch if a changed index does not fit its type, or if indices into an ordered dictionary would change.
    /// The writer stores a copy of all written values in memory. Some readers do not support deltas: polars 2.1 refuses
    /// all of them, and pyarrow 26 those of a dictionary whose values have dictionaries.
    Delta,
    /// Writes each dictionary once, with the values of all batches. A
    /// [`DictionaryUnifier`](crate::dictionary::DictionaryUnifier) must have read all batches before:
    /// [`with_unified_dictionaries`](crate::WriteOptions::with_unified_dictionaries) does this for batches
    /// in memory. Refuses a batch with other values, or if a changed index does not fit its type. The values of ordered
    /// dictionaries keep their order.
    Unify(UnifiedDictionaries),
    /// Refuses the batch. A dictionary without valid indices is often not written, so a later batch that uses its values
    /// can be refused, too.
    Error,
}

impl dyn DictionaryTracker {
    /// A tracker for a new stream or file, whose reader has no dictionaries.
    ///
    /// # Errors
    /// If a dictionary of the schema is not among the unified dictionaries.
    pub(crate) fn try_new(
        columns: &SchemaColumns,
        container: WrittenContainer,
        policy: DictionaryPolicy,
    ) -> Result<Box<dyn DictionaryTracker>> {
        Ok(match policy {
            DictionaryPolicy::Replace | DictionaryPolicy::Error => Box::new(ReplacingDictionaries::new(
                columns,
                container,
                Replacement::from_policy(&policy, container),
            )),
            DictionaryPolicy::Delta => Box::new(AppendingDictionaries::new(columns, container)),
            DictionaryPolicy::Unify(unified) => Box::new(unified.into_appending(columns, container)?),
        })
    }
}

/// Tracks which values the reader has of each dictionary of a schema, and finds the values that a batch needs.
///
/// A tracker examines a whole batch, so that the dictionaries can be written before it.
/// [`commit`](DictionaryTracker::commit) then makes the changes final.
///
/// An array without valid indices, often an empty array, needs no dictionary. Its dictionary is not compared with other
/// dictionaries. It is written only if the reader needs a dictionary before a batch with valid indices has one.
pub(crate) trait DictionaryTracker: fmt::Debug + Send + Sync {
    /// Records that the reader already has these values of a dictionary.
    ///
    /// # Errors
    /// If the values are invalid, or differ from the unified values.
    #[cfg(feature = "file")]
    fn register(
        &mut self,
        columns: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()>;

    /// Finds the dictionaries to write before a batch. Forgets the previous batch if it was not committed.
    ///
    /// # Errors
    /// If the policy refuses the batch.
    fn observe(&mut self, columns: &SchemaColumns, arrays: &[ArrayData]) -> Result<()>;

    /// At the end of a file, finds the dictionaries to which no valid index refers. Readers may look for them, too.
    fn observe_end(&mut self, columns: &SchemaColumns);

    /// The dictionaries to write before the batch, inner dictionaries first.
    fn pending(&self) -> &[PendingDictionary];

    /// The new indices for the batch and for the pending values.
    fn maps(&self) -> &IndexMaps {
        IndexMaps::NONE
    }

    /// Records that all [`pending`](Self::pending) dictionaries and the batch have been written.
    fn commit(&mut self);

    /// Starts a new stream, whose reader has no dictionaries. The values of a unified dictionary stay the same.
    fn reset(&mut self);

    /// Drops the changes for a batch that was examined but not written.
    fn forget(&mut self);
}

/// Values of a dictionary to write before the batch.
#[derive(Debug, Clone)]
pub(crate) struct PendingDictionary {
    pub(crate) dictionary: DictionaryIdx,
    pub(crate) values: Arc<ArrayData>,
    /// Whether the values are appended to the written values. If not, they replace the written values.
    pub(crate) is_delta: bool,
}
