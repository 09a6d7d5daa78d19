//! The dictionaries that the reader has, under any policy.

use std::{fmt, sync::Arc};

use arrow_data::ArrayData;

use super::IndexMaps;
use crate::{
    columns::{DictionaryIdx, SchemaColumns},
    error::Result,
};

/// Values of a dictionary that must be written before the batch.
#[derive(Debug, Clone)]
pub(crate) struct PendingDictionary {
    pub(crate) dictionary: DictionaryIdx,
    pub(crate) values: Arc<ArrayData>,
    /// Whether the values are appended to the written values.
    pub(crate) is_delta: bool,
}

/// Remembers the values that the reader has of each dictionary of a schema, by the rules of a policy.
///
/// A tracker first looks at a whole batch, so that the dictionaries can be written before the batch.
/// [`commit`](DictionaryTracker::commit) makes its decisions final.
///
/// An array without valid indices, often an empty one, needs no dictionary. The values of its dictionary are not compared
/// with those of other fields. They are only written if the reader needs a dictionary before a batch has other values.
pub(crate) trait DictionaryTracker: fmt::Debug + Send + Sync {
    /// Notes that the reader already has these values of a dictionary.
    ///
    /// # Errors
    /// If the values are invalid, or not among the values of the unified dictionary.
    fn know(
        &mut self,
        columns: &SchemaColumns,
        dictionary: DictionaryIdx,
        values: &Arc<ArrayData>,
    ) -> Result<()>;

    /// Finds the dictionaries that must be written before a batch. Forgets the previous batch if it was not committed.
    ///
    /// # Errors
    /// If the policy does not allow the batch.
    fn look_at(&mut self, columns: &SchemaColumns, arrays: &[ArrayData]) -> Result<()>;

    /// Finds the dictionaries of a file that no valid index of any batch needs. Readers may still look for them.
    fn look_at_end(&mut self, columns: &SchemaColumns);

    /// The dictionaries that must be written, inner dictionaries first.
    fn pending(&self) -> &[PendingDictionary];

    /// The new indices of the batch and of the pending values.
    fn maps(&self) -> &IndexMaps {
        IndexMaps::NONE
    }

    /// Records that everything [`pending`](Self::pending) has been written.
    fn commit(&mut self);

    /// Begins another stream, whose reader has no dictionaries. Unified dictionaries are kept.
    fn reset(&mut self);

    /// Forgets a batch that was looked at but not written.
    fn forget(&mut self);
}
