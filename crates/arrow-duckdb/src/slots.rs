//! Slots without bytes. DuckDB visits each slot, and a small file can have any number of them: nulls, runs, and lists of nulls. So
//! a call has a budget for the slots that the bytes of its files do not stand for.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering},
};

use arrow_data::{ArrayData, Physical, positions::Ranges};
use arrow_ipc_dataset::TaskFile;

use crate::bind::MAX_SLOTS_WITHOUT_BYTES;

/// How many slots a byte of a batch can stand for: readers decompress 1,024 bytes of one, and a slot has at least a bit.
const SLOTS_PER_BYTE: u64 = 8 * 1_024;

/// The slots without bytes that a call may still have. Its threads share it.
#[derive(Debug)]
pub(crate) struct SlotBudget {
    max_slots: u64,
    n_left: AtomicU64,
}

impl SlotBudget {
    pub(crate) fn new(max_slots: u64) -> SlotBudget {
        SlotBudget { max_slots, n_left: AtomicU64::new(max_slots) }
    }

    fn spend(&self, n_slots: u64) -> Result<(), TooManySlots> {
        let spent = |n_left: u64| n_left.checked_sub(n_slots);
        let spent = self.n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spent);
        spent.map_or(Err(TooManySlots { max_slots: self.max_slots }), |_| Ok(()))
    }
}

/// The slots for which the bytes of a file's batches stand, as far as none has used them up.
#[derive(Debug, Default)]
pub(crate) struct CoveredSlots(u64);

impl CoveredSlots {
    pub(crate) fn new(batches: &TaskFile) -> CoveredSlots {
        CoveredSlots(batches.n_bytes.saturating_mul(SLOTS_PER_BYTE))
    }

    /// Uses up slots, and what is more of the budget.
    ///
    /// # Errors
    /// If the budget is too small.
    pub(crate) fn spend(&mut self, n_slots: u64, budget: &SlotBudget) -> Result<(), TooManySlots> {
        let n_covered = n_slots.min(self.0);
        self.0 = self.0.saturating_sub(n_covered);
        match n_slots.saturating_sub(n_covered) {
            0 => Ok(()),
            n_more => budget.spend(n_more),
        }
    }
}

/// The slots of an array and of its children to which it refers. Recurses once for each level.
pub(crate) fn n_slots(array: &ArrayData) -> u64 {
    let children = array.children().iter().map(|child| match items(array) {
        Some((start, n_items)) => child.try_slice(start, n_items).map_or(0, |items| n_slots(&items)),
        None => n_slots(child),
    });
    children.fold(array.len() as u64, u64::saturating_add)
}

/// The first item of lists with offsets, and the number of items. A slice of lists keeps the items of all.
fn items(array: &ArrayData) -> Option<(usize, usize)> {
    if !matches!(array.layout().physical(), Physical::List(_)) {
        return None;
    }
    let Some(last) = array.len().checked_sub(1) else { return Some((0, 0)) };
    let ranges = Ranges::try_new(array).ok()?;
    let (start, end) = (ranges.get(0)?.start, ranges.get(last)?.end);
    Some((start, end.saturating_sub(start)))
}

/// More slots than a call may have do not have bytes.
#[derive(Debug)]
pub(crate) struct TooManySlots {
    max_slots: u64,
}

impl fmt::Display for TooManySlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooManySlots { max_slots } = self;
        let name = MAX_SLOTS_WITHOUT_BYTES.to_string_lossy();
        write!(
            f,
            "this call reads more than {max_slots} slots without bytes, and DuckDB visits each: a greater {name} allows them"
        )
    }
}
