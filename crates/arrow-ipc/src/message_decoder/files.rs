//! Dictionaries of files. A dictionary is read when a batch first needs it, and does not change afterwards. All
//! decoders of the file see its values, without a lock.

use std::{ops::Range, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, Validation};

use super::MessageDecoder;
use crate::{
    batch::ProjectedSchema,
    dictionary::{DictionaryQuota, DictionaryStore, DictionaryValues, Growth},
    error::{BlockIndex, Context, CopyCause, Result},
    frame::Body,
    recycled::RecycledMemory,
};
use arrow_ipc_format::{BatchView, columns::DictionaryIdx};

#[derive(Debug)]
pub(crate) struct FileDictionaryBatch {
    pub(crate) message: Arc<BatchView>,
    pub(crate) body: Buffer,
    pub(crate) location: (BlockIndex, u64),
}

impl MessageDecoder {
    /// Returns a decoder with a range of the selected columns.
    ///
    /// # Errors
    /// If `columns` is out of bounds of the selected columns.
    pub(crate) fn part(&self, columns: Range<usize>) -> Result<MessageDecoder> {
        Ok(self.with_selection(self.selection.part(columns)?))
    }

    pub(crate) fn selection(&self) -> &ProjectedSchema {
        &self.selection
    }

    /// Whether all columns of the schema are selected, in order.
    pub(crate) fn selects_all(&self) -> bool {
        // A projection makes a schema of its own.
        Arc::ptr_eq(self.schema(), self.ipc_schema().schema())
    }

    /// The number of ranges of selected columns, the number of selected columns, and the number of all columns.
    /// Children count as columns.
    pub(crate) fn selected_share(&self) -> (u64, (u64, u64)) {
        let columns = &self.columns().batch;
        let mut ranges = self.selection.ranges(columns);
        ranges.sort_unstable_by_key(|range| range.start);
        let mut n_ranges = 0;
        let mut n_selected = 0u64;
        let mut end = None;
        for range in ranges {
            n_ranges += u64::from(end != Some(range.start));
            n_selected = n_selected.saturating_add(range.len() as u64);
            end = Some(range.end);
        }
        (n_ranges, (n_selected, columns.n_columns() as u64))
    }

    pub(crate) fn memory(&self) -> &RecycledMemory {
        &self.shared.memory
    }

    /// Returns a decoder that reads all dictionaries, not only the dictionaries of the selected columns.
    pub(crate) fn with_all_dictionaries(&self) -> MessageDecoder {
        MessageDecoder {
            is_needed: self.is_needed.iter().map(|_| true).collect::<Vec<bool>>().into(),
            ..self.clone()
        }
    }

    /// A decoder of the same messages to which no dictionary has arrived. It counts the memory of its own dictionaries.
    pub(crate) fn without_dictionaries(&self) -> MessageDecoder {
        let dictionaries = DictionaryStore::new(self.columns(), &self.options().limits);
        MessageDecoder { dictionaries: Arc::new(dictionaries), ..self.clone() }
    }

    /// This decoder with the dictionaries of another decoder of the same messages.
    pub(crate) fn with_dictionaries_of(&self, other: &MessageDecoder) -> MessageDecoder {
        MessageDecoder { dictionaries: Arc::clone(&other.dictionaries), ..self.clone() }
    }

    /// Whether this decoder needs all dictionaries that another decoder of the same messages needs.
    pub(crate) fn needs_dictionaries_of(&self, other: &MessageDecoder) -> bool {
        self.is_needed.iter().zip(other.is_needed.iter()).all(|(here, there)| *here || !*there)
    }

    /// The dictionaries of the selected columns, including those inside other dictionaries.
    pub(crate) fn needed_dictionaries(&self) -> impl Iterator<Item = DictionaryIdx> + '_ {
        let needed = self.is_needed.iter().enumerate().filter(|(_, is_needed)| **is_needed);
        needed.map(|(idx, _)| DictionaryIdx(idx))
    }

    pub(crate) fn has_dictionary(&self, dictionary: DictionaryIdx) -> bool {
        self.dictionaries.is_defined(dictionary)
    }

    /// Whether a delta copies many bits of a dictionary if another decoder has its values.
    pub(crate) fn has_long_bitmaps(&self) -> bool {
        self.dictionaries.has_long_bitmaps()
    }

    pub(crate) fn loaded_dictionaries(&self) -> impl Iterator<Item = (DictionaryIdx, &Arc<ArrayData>)> + '_ {
        let all = (0..self.columns().dictionaries.len()).map(DictionaryIdx);
        all.filter_map(|dictionary| Some((dictionary, self.dictionaries.values(dictionary)?)))
    }

    pub(crate) fn has_needed_dictionaries(&self) -> bool {
        self.needed_dictionaries().all(|dictionary| self.has_dictionary(dictionary))
    }

    /// Decodes a dictionary and its deltas, and publishes the values as one array. Dictionaries inside the values must
    /// have been loaded. Validates at least up to the level `least`.
    ///
    /// # Errors
    /// If a batch is malformed, unsupported or over a limit. If all values together exceed the offsets of their type,
    /// or the memory for dictionaries.
    pub(crate) fn load_dictionary(
        &self,
        dictionary: DictionaryIdx,
        batches: &[FileDictionaryBatch],
        least: Validation,
    ) -> Result<()> {
        let Some((base, deltas)) = batches.split_first() else { return Ok(()) };
        let limits = self.shared.growth_limits();
        let columns = self.columns().for_dictionary(Some(dictionary));
        let n_received = batches.iter().map(|batch| batch.message.envelope().n_message_bytes());
        let n_received = n_received.fold(0, u64::saturating_add);
        let quota = self.dictionaries.quota_to_add(dictionary, n_received);
        let mut values = self.values_of(dictionary, quota, base)?;
        if !deltas.is_empty() {
            let allowed = self.options().allow_copy(CopyCause::Deltas, values.n_bytes());
            allowed.in_field(|| columns.values_path())?;
            let first = DictionaryValues {
                array: &values,
                n_message_bytes: base.message.envelope().n_message_bytes(),
            };
            let growth = Growth::new(values.data_type()).add(first, limits);
            let mut growth = growth.in_field(|| columns.values_path())?;
            for delta in deltas {
                let (block, position) = delta.location;
                let mut left = quota;
                left.spend(growth.n_own_bytes()).in_block(block, position)?;
                let array = self.values_of(dictionary, left, delta)?;
                let n_message_bytes = delta.message.envelope().n_message_bytes();
                let added = growth.add(DictionaryValues { array: &array, n_message_bytes }, limits);
                growth = added.in_field(|| columns.values_path()).in_block(block, position)?;
            }
            self.shared.counters.joined(growth.n_copied_bytes());
            values = ArrayData::clone(&growth.values());
        }
        let values = values.validate(least).in_field(|| columns.values_path())?;
        let inside: Vec<DictionaryIdx> = self.columns().dictionaries_inside(dictionary).collect();
        let (block, position) = base.location;
        self.dictionaries.publish(dictionary, Arc::new(values), n_received, &inside).in_block(block, position)
    }

    fn values_of(
        &self,
        dictionary: DictionaryIdx,
        quota: DictionaryQuota,
        batch: &FileDictionaryBatch,
    ) -> Result<ArrayData> {
        let (block, position) = batch.location;
        let body = Body::Whole(batch.body.clone());
        self.dictionary_values(dictionary, quota, &batch.message, &body).in_block(block, position)
    }
}
