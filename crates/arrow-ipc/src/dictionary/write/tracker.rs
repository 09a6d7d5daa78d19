//! The interface of the policies for writing dictionaries.

use std::{fmt, sync::Arc};

use arrow_data::ArrayData;

use super::IndexMaps;
use crate::error::Result;
use arrow_ipc_format::columns::{DictionaryIdx, SchemaColumns};

/// Values of a dictionary to write before the batch.
#[derive(Debug, Clone)]
pub(crate) struct PendingDictionary {
    pub(crate) dictionary: DictionaryIdx,
    pub(crate) values: Arc<ArrayData>,
    /// Whether the values are appended to the written values. If not, they replace the written values.
    pub(crate) is_delta: bool,
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
