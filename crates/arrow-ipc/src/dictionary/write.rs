//! Writing dictionaries: what the reader has of each, and what the policy of the writer sends before a batch.

use std::{fmt, sync::Arc};

use arrow_data::ArrayData;

use crate::{
    columns::{DictionaryIdx, SchemaColumns},
    error::Result,
};

mod seen;
mod walk;

mod appending;
mod known;
mod pool;
mod replacing;
mod unify;

pub use self::unify::{DictionaryUnifier, UnifiedDictionaries};

pub(crate) use self::{
    pool::{IndexMaps, Mapping},
    replacing::Replacement,
    walk::{DictionaryLinks, WriteOrder},
};

use self::{appending::AppendingDictionaries, replacing::ReplacingDictionaries};

/// What a writer does if a batch has other values in a dictionary than those that were written.
///
/// Dictionaries in the same memory are equal without a comparison. Otherwise their values are compared, as by
/// [`ArrayData::same_values`]: `Replace` and `Error` compare all values in order, `Delta` and `Unify` look each value up.
/// A dictionary that no valid index of a batch refers to never counts as changed.
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
    /// A stream gets the dictionary again, for the batches that follow. A file has one dictionary for all batches, so it
    /// refuses the batch.
    ///
    /// A dictionary that grows is written as deltas. In a stream, its values must continue the written ones in the same
    /// memory, as in batches that were read from a stream with deltas. In a file, it must begin with the values that this
    /// writer has written.
    #[default]
    Replace,
    /// New values are written as a delta. Indices of the batch are changed, unless its dictionary begins with all written
    /// values or is the start of them.
    ///
    /// A batch is refused if a changed index does not fit its type, or if values would be appended to an ordered
    /// dictionary. The writer keeps all written values, as bytes. Some readers do not support deltas of nested types, or
    /// deltas in files.
    Delta,
    /// Each dictionary is written once, with the values of all batches. A
    /// [`DictionaryUnifier`](crate::dictionary::DictionaryUnifier) must have read all batches before. All else is as
    /// for `Delta`. A batch with unknown values is refused.
    Unify(UnifiedDictionaries),
    /// The batch is refused. A batch is also refused if its values first had no valid index, and the stream has sent
    /// other values since.
    Error,
}

/// The container that is written, by its rules for dictionaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WrittenContainer {
    /// Each dictionary is written before the first batch, as some readers expect.
    Stream,
    /// Batches are read in any order, so no dictionary is replaced. A dictionary may follow batches that do not need it.
    File,
}

/// Values that must be written before the batch.
#[derive(Debug, Clone)]
pub(crate) struct PendingDictionary {
    pub(crate) dictionary: DictionaryIdx,
    pub(crate) values: Arc<ArrayData>,
    /// Whether they are appended to the written values.
    pub(crate) is_delta: bool,
}

/// Remembers what the reader has of each dictionary of a schema, by the rules of a policy.
///
/// It first looks at a whole batch, so that the dictionaries can be written before the batch.
/// [`commit`](DictionaryTracker::commit) makes its decisions final.
///
/// An array without valid indices, often an empty one, needs no dictionary. Its values are not compared with those of
/// other fields. They are only written if the reader needs some before others exist.
pub(crate) trait DictionaryTracker: fmt::Debug + Send + Sync {
    /// Says that the reader already has these values of a dictionary.
    ///
    /// # Errors
    /// If they are invalid, or the unified dictionary has others.
    fn know(
        &mut self,
        columns: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()>;

    /// Finds the dictionaries that must be written before a batch. Forgets an earlier batch that was not committed.
    ///
    /// # Errors
    /// If the policy does not allow the batch.
    fn look_at(&mut self, columns: &SchemaColumns, arrays: &[ArrayData]) -> Result<()>;

    /// Finds the dictionaries of a file that no valid index of any batch needs. Readers may still look for them.
    fn look_at_end(&mut self, columns: &SchemaColumns);

    /// What must be written, inner dictionaries before outer ones.
    fn pending(&self) -> &[PendingDictionary];

    /// The new indices of the batch and of the pending values.
    fn maps(&self) -> &IndexMaps {
        IndexMaps::NONE
    }

    /// Records that everything pending has been written.
    fn commit(&mut self);

    /// Begins another stream, whose reader has no dictionaries. Unified dictionaries are kept.
    fn reset(&mut self);

    /// Forgets a batch that was looked at but not written.
    fn forget(&mut self);
}

impl dyn DictionaryTracker {
    /// Nothing has been written.
    ///
    /// # Errors
    /// If a dictionary of the schema is not among the unified ones.
    pub(crate) fn try_new(
        columns: &SchemaColumns,
        place: WrittenContainer,
        policy: DictionaryPolicy,
    ) -> Result<Box<dyn DictionaryTracker>> {
        Ok(match policy {
            DictionaryPolicy::Replace | DictionaryPolicy::Error => {
                Box::new(ReplacingDictionaries::new(columns, place, &policy))
            }
            DictionaryPolicy::Delta => Box::new(AppendingDictionaries::new(columns, place)),
            DictionaryPolicy::Unify(unified) => Box::new(unified.into_appending(columns, place)?),
        })
    }
}
