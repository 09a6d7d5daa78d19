//! Writing dictionaries: the dictionaries that the reader has, and those that a policy sends before a batch.

use crate::{columns::SchemaColumns, error::Result, protocol::WrittenContainer};

mod seen;
mod walk;

mod appending;
mod known;
mod pool;
mod replacing;
mod tracker;
mod unify;

pub use self::unify::{DictionaryUnifier, UnifiedDictionaries};

pub(crate) use self::{
    pool::{IndexMaps, Mapping},
    replacing::Replacement,
    tracker::{DictionaryTracker, PendingDictionary},
    walk::WriteOrder,
};

use self::{appending::AppendingDictionaries, replacing::ReplacingDictionaries};

/// What a writer does if the dictionary of a batch has other values than the dictionary that was written before.
///
/// Dictionaries in the same memory are equal without a comparison. Otherwise their values are compared, as by
/// [`ArrayData::same_values`](arrow_data::ArrayData::same_values): `Replace` and `Error` compare all values in order, and `Delta` and
/// `Unify` look each value up. A dictionary that no valid index of a batch refers to never counts as changed.
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
/// let mut encoder = StreamEncoder::try_new(batches[0].schema(), options)?;
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
    /// In a stream, the dictionary is written again, and later batches use the new dictionary. In a file, the batch is refused, because a
    /// file has one dictionary for all batches.
    ///
    /// A dictionary that grows is written as deltas. In a stream, the new values must follow the written ones in the
    /// same memory, as in batches that were read from a stream with deltas. In a file, the dictionary must begin with
    /// the values that this writer has written.
    #[default]
    Replace,
    /// New values are written as a delta. Indices of the batch are changed, unless the dictionary of the batch begins
    /// with all written values, or the written values begin with this dictionary.
    ///
    /// A batch is refused if a changed index does not fit its type, or if indices into an ordered dictionary would
    /// change. The writer keeps a copy of all written values in memory. Some readers do not support deltas of nested
    /// types, or deltas in files.
    Delta,
    /// Each dictionary is written once, with the values of all batches. A
    /// [`DictionaryUnifier`](crate::dictionary::DictionaryUnifier) must have read all batches before. A batch with
    /// other values is refused. In all other respects, the policy is the same as `Delta`.
    Unify(UnifiedDictionaries),
    /// The batch is refused. It is also refused if an earlier batch had the same dictionary without a valid index, and
    /// other values were written.
    Error,
}

impl dyn DictionaryTracker {
    /// A tracker for a reader that has no dictionaries.
    ///
    /// # Errors
    /// If a dictionary of the schema is not among the unified dictionaries.
    pub(crate) fn try_new(
        columns: &SchemaColumns,
        place: WrittenContainer,
        policy: DictionaryPolicy,
    ) -> Result<Box<dyn DictionaryTracker>> {
        Ok(match policy {
            DictionaryPolicy::Replace | DictionaryPolicy::Error => {
                Box::new(ReplacingDictionaries::new(columns, place, Replacement::of(&policy, place)))
            }
            DictionaryPolicy::Delta => Box::new(AppendingDictionaries::new(columns, place)),
            DictionaryPolicy::Unify(unified) => Box::new(unified.into_appending(columns, place)?),
        })
    }
}

impl Replacement {
    pub(crate) fn of(policy: &DictionaryPolicy, place: WrittenContainer) -> Replacement {
        match (policy, place) {
            (DictionaryPolicy::Error, _) => Replacement::RefusedByPolicy,
            (_, WrittenContainer::File) => Replacement::RefusedInFile,
            (_, WrittenContainer::Stream) => Replacement::Allowed,
        }
    }
}
