//! Writes columns whose values are encoded: dictionaries and runs.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{AppendedText, NULL, WriteSlot};
use crate::array::{DictionaryArray, RunEndEncodedArray};

/// Writes the decoded values of a dictionary-encoded array.
pub(super) struct DictionaryColumn {
    pub(super) array: DictionaryArray,
    /// The writer of the dictionary, which all columns with this dictionary share.
    pub(super) values: Arc<dyn WriteSlot>,
}

impl WriteSlot for DictionaryColumn {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        match self.array.index(slot) {
            Some(index) => self.values.write(index, out),
            None => out.write_str(NULL),
        }
    }

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        self.array.index(slot).map_or(AppendedText::Null, |index| self.values.append(index, out))
    }

    fn is_null(&self, slot: usize) -> bool {
        self.array.index(slot).is_none_or(|index| self.values.is_null(index))
    }
}

/// Writes the decoded values of a run-end encoded array.
pub(super) struct RunColumn {
    array: RunEndEncodedArray,
    values: Box<dyn WriteSlot>,
    /// The run that was written last. Slots are mostly written in order, so this run is tried before a search. A race between
    /// threads does not change the output, since the run of a slot is checked.
    last_run: AtomicUsize,
}

impl RunColumn {
    pub(super) fn new(array: RunEndEncodedArray, values: Box<dyn WriteSlot>) -> RunColumn {
        RunColumn { array, values, last_run: AtomicUsize::new(0) }
    }

    fn run_of(&self, slot: usize) -> Option<usize> {
        let last = self.last_run.load(Ordering::Relaxed);
        let covers = |run: &usize| self.array.run_slots(*run).contains(&slot);
        if let Some(run) = [last, last.saturating_add(1)].into_iter().find(covers) {
            if run != last {
                self.last_run.store(run, Ordering::Relaxed);
            }
            return Some(run);
        }
        let run = self.array.get(slot)?;
        self.last_run.store(run, Ordering::Relaxed);
        Some(run)
    }
}

impl WriteSlot for RunColumn {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        match self.run_of(slot) {
            Some(run) => self.values.write(run, out),
            None => out.write_str(NULL),
        }
    }

    fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        self.run_of(slot).map_or(AppendedText::Null, |run| self.values.append(run, out))
    }

    fn is_null(&self, slot: usize) -> bool {
        self.run_of(slot).is_none_or(|run| self.values.is_null(run))
    }
}
