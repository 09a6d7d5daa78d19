//! Keeps the cast values of dictionaries, for later arrays that share the dictionaries.
//!
//! Code that does not recurse is in this module, so that each level of nesting takes little stack.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use arrow_buffer::MemoryBudget;
use arrow_data::{ArrayData, GrowingArray};
use arrow_schema::DataType;

use super::{error::CastResult, memory};

/// For each position in a type, the dictionary that was last cast at this position.
#[derive(Debug, Default)]
pub(super) struct KnownDictionaries(Mutex<HashMap<u64, Box<Known>>>);

impl KnownDictionaries {
    /// Finds the known dictionary whose values are equal to `values` or to the first ones of `values`. A dictionary with
    /// only the first values is removed from the map: then nothing else refers to it, and it can grow without a copy.
    #[inline(never)]
    pub(super) fn find(&self, place: u64, values: &ArrayData, to: &DataType) -> Option<Box<Known>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = known.get(&place).filter(|last| last.is_continued_by(values, to))?;
        match last.old.len() == values.len() {
            true => Some(Known::first(values, last.new.clone())),
            false => known.remove(&place),
        }
    }

    /// Keeps a dictionary, and returns its cast values.
    pub(super) fn keep(&self, place: u64, next: Box<Known>) -> ArrayData {
        let new = next.new.clone();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(place, next);
        new
    }
}

/// A dictionary before and after a cast.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) old: ArrayData,
    pub(super) new: ArrayData,
    /// The cast dictionary as an array that can grow; `None` until it has grown once.
    growing: Option<GrowingArray>,
}

impl Known {
    pub(super) fn first(old: &ArrayData, new: ArrayData) -> Box<Known> {
        Box::new(Known { old: old.clone(), new, growing: None })
    }

    fn is_continued_by(&self, values: &ArrayData, to: &DataType) -> bool {
        self.new.data_type() == to
            && self.old.data_type() == values.data_type()
            && values.continues_memory(&self.old)
    }

    /// The values in `values` after the values of the known dictionary. The result is in a box, so that each level of
    /// nesting takes little stack.
    pub(super) fn added(&self, values: &ArrayData) -> Box<ArrayData> {
        Box::new(values.slice(self.old.len(), values.len().saturating_sub(self.old.len())))
    }

    /// Casts the values that were added, and appends them to the dictionary. `None` if this fails, or if the cast of the
    /// dictionary has failed before.
    #[inline(never)]
    pub(super) fn grown(
        self: Box<Self>,
        values: &ArrayData,
        added: &CastResult<ArrayData>,
        budget: &MemoryBudget,
    ) -> Option<Box<Known>> {
        let (added, Known { new, growing, .. }) = (added.as_ref().ok()?, *self);
        let growing = match growing {
            Some(growing) => growing,
            None => GrowingArray::new(new.data_type()).append(&new, u64::MAX).ok()?,
        };
        let growing = growing.append(added, u64::MAX).ok()?;
        let new = growing.array();
        memory::charge(u128::from(new.n_bytes()), budget).ok()?;
        Some(Box::new(Known { old: values.clone(), new, growing: Some(growing) }))
    }
}
