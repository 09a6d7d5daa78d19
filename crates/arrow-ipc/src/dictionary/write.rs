//! Dictionaries that are written: what the reader has of each, and what it needs before a batch, by the policy of the
//! writer.

use std::sync::Arc;

use arrow_data::ArrayData;

use crate::{
    columns::{DictionaryIdx, SchemaColumns},
    error::Result,
};

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
    walk::{DictionaryLinks, DictionaryOrder},
};

use self::{appending::AppendingDictionaries, replacing::ReplacingDictionaries};

/// What a writer does when a batch has other values in a dictionary than those that have been written.
///
/// Dictionaries in the same memory are the same, and are not looked at. Of others the values count, as
/// [`ArrayData::same_values`] compares them: `Replace` and `Error` compare all values in order, `Delta` and `Unify` look
/// each value up. A dictionary that no valid index of a batch refers to is never a change.
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
    /// In a stream the dictionary is written again, and counts for the batches that follow. A file has one for all its
    /// batches, so there the batch is refused.
    ///
    /// A dictionary that grows is written as deltas: in a stream one whose values continue those that have been written in the
    /// same memory, as they do in batches that were read from a stream with deltas; in a file one that begins with the values
    /// that this writer has written.
    #[default]
    Replace,
    /// Values that have not been written follow as a delta. Where a dictionary does not begin with all those that have
    /// been written, and is not a part from their start, the batch's indices are changed.
    ///
    /// A batch is refused if a changed index does not fit its type, or if values of a dictionary whose order has a
    /// meaning would have to follow others. The writer keeps all values that it has written, as bytes. Some readers do not
    /// support deltas of nested types, or deltas in files.
    Delta,
    /// Each dictionary is written once, with the values of all batches, which a
    /// [`DictionaryUnifier`](crate::DictionaryUnifier) has looked at before. Otherwise as `Delta`; a batch with values
    /// that were not found then is refused.
    Unify(UnifiedDictionaries),
    /// The batch is refused. So is one with values where there was no valid index before, if the stream has given the
    /// reader other ones by then.
    Error,
}

/// Remembers what each dictionary of a schema holds at the reader.
///
/// A batch is first looked at as a whole, so that its dictionaries can be written before it. What was decided takes effect
/// with [`commit`](DictionaryTracker::commit).
///
/// An array without a valid index, often an empty one, needs no dictionary. Its values are not compared with those of
/// other fields, and are written only if the reader needs some before there are others.
#[derive(Debug)]
pub(crate) enum DictionaryTracker {
    /// Dictionaries are written as they come, and again where they change.
    Replacing(ReplacingDictionaries),
    /// Values are added to what has been written, and indices changed.
    Appending(Box<AppendingDictionaries>),
}

/// Where dictionaries are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Each dictionary is written before the first batch: some readers expect all of them there.
    Stream,
    /// Batches are read in any order, so no dictionary is replaced. They may come after batches that do not need them.
    File,
}

/// Values that have to be written before the batch.
#[derive(Debug, Clone)]
pub(crate) struct PendingDictionary {
    pub(crate) dictionary: DictionaryIdx,
    pub(crate) values: Arc<ArrayData>,
    /// Whether they follow those that have been written.
    pub(crate) is_delta: bool,
}

impl DictionaryTracker {
    /// Nothing has been written.
    ///
    /// # Errors
    /// If a dictionary of the schema is not among the unified ones.
    pub(crate) fn try_new(
        columns: &SchemaColumns,
        place: Place,
        policy: DictionaryPolicy,
    ) -> Result<DictionaryTracker> {
        Ok(match policy {
            DictionaryPolicy::Replace | DictionaryPolicy::Error => {
                DictionaryTracker::Replacing(ReplacingDictionaries::new(columns, place, &policy))
            }
            DictionaryPolicy::Delta => {
                DictionaryTracker::Appending(Box::new(AppendingDictionaries::new(columns, place)))
            }
            DictionaryPolicy::Unify(unified) => {
                DictionaryTracker::Appending(Box::new(unified.into_appending(columns, place)?))
            }
        })
    }

    /// Says that the reader has these values of a dictionary, which were written before.
    ///
    /// # Errors
    /// If their content is not valid, or unified dictionaries have others.
    pub(crate) fn know(
        &mut self,
        columns: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()> {
        match self {
            DictionaryTracker::Replacing(replacing) => {
                replacing.know(dictionary, values);
                Ok(())
            }
            DictionaryTracker::Appending(appending) => appending.know(columns, dictionary, values),
        }
    }

    /// Looks for the dictionaries of a batch that have to be written before it. Forgets an earlier batch that has not
    /// been committed.
    ///
    /// # Errors
    /// If the policy does not allow what the batch needs.
    pub(crate) fn look_at(&mut self, columns: &SchemaColumns, arrays: &[ArrayData]) -> Result<()> {
        match self {
            DictionaryTracker::Replacing(replacing) => replacing.look_at(columns, arrays),
            DictionaryTracker::Appending(appending) => appending.look_at(columns, arrays),
        }
    }

    /// Looks for the dictionaries of a file that no valid index of any batch needs. Readers may still look for them.
    pub(crate) fn look_at_end(&mut self, columns: &SchemaColumns) {
        match self {
            DictionaryTracker::Replacing(replacing) => replacing.look_at_end(columns),
            DictionaryTracker::Appending(appending) => appending.look_at_end(columns),
        }
    }

    /// What has to be written, inner dictionaries before those whose values they are in.
    pub(crate) fn pending(&self) -> &[PendingDictionary] {
        match self {
            DictionaryTracker::Replacing(replacing) => replacing.pending(),
            DictionaryTracker::Appending(appending) => appending.pending(),
        }
    }

    /// What the indices of the batch become, and those inside of pending values.
    pub(crate) fn maps(&self) -> &IndexMaps {
        match self {
            DictionaryTracker::Replacing(_) => IndexMaps::NONE,
            DictionaryTracker::Appending(appending) => appending.maps(),
        }
    }

    /// Records that everything pending has been written.
    pub(crate) fn commit(&mut self) {
        match self {
            DictionaryTracker::Replacing(replacing) => replacing.commit(),
            DictionaryTracker::Appending(appending) => appending.commit(),
        }
    }

    /// Begins another stream, whose reader has nothing.
    pub(crate) fn reset(&mut self) {
        match self {
            DictionaryTracker::Replacing(replacing) => replacing.reset(),
            DictionaryTracker::Appending(appending) => appending.reset(),
        }
    }

    /// Forgets a batch that was looked at and is not written.
    pub(crate) fn forget(&mut self) {
        match self {
            DictionaryTracker::Replacing(replacing) => replacing.forget(),
            DictionaryTracker::Appending(appending) => appending.forget(),
        }
    }
}
