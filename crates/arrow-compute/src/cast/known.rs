//! The values of dictionaries that have been cast, for arrays that share them.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use arrow_data::{ArrayData, GrowingArray};
use arrow_schema::DataType;

use super::{CastError, Casting, memory};

/// The dictionary that was cast last at each place of a type.
#[derive(Debug, Default)]
pub(super) struct KnownDictionaries(Mutex<HashMap<u64, Known>>);

/// A dictionary before and after a cast.
#[derive(Debug)]
struct Known {
    old: ArrayData,
    new: ArrayData,
    /// The new one, once it has grown.
    growing: Option<GrowingArray>,
}

impl Known {
    fn is_continued_by(&self, values: &ArrayData, to: &DataType) -> bool {
        self.new.data_type() == to
            && self.old.data_type() == values.data_type()
            && values.continues_memory(&self.old)
    }
}

impl Casting<'_> {
    /// Casts the values of a dictionary. Values that were cast before are not cast again.
    #[inline(never)]
    pub(super) fn dictionary(self, values: &ArrayData, to: &DataType) -> Result<ArrayData, CastError> {
        let known = || self.known.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = {
            let mut known = known();
            match known.get(&self.place).filter(|last| last.is_continued_by(values, to)) {
                Some(last) if last.old.len() == values.len() => return Ok(last.new.clone()),
                // Only what nobody else has grows without a copy.
                Some(_) => known.remove(&self.place),
                None => None,
            }
        };
        // Not locked while values are cast: there may be dictionaries inside of this one.
        let next = last.and_then(|last| self.grown(last, values, to));
        let next = match next {
            Some(next) => next,
            None => Known { old: values.clone(), new: self.inside(0).array(values, to)?, growing: None },
        };
        let new = next.new.clone();
        known().insert(self.place, next);
        Ok(new)
    }

    /// The known values with the new ones; `None` if that fails. Casting all values then gives the error with its
    /// place.
    fn grown(self, last: Known, values: &ArrayData, to: &DataType) -> Option<Known> {
        let Known { old, new, growing } = last;
        let added = values.slice(old.len(), values.len().saturating_sub(old.len()));
        let added = self.inside(0).array(&added, to).ok()?;
        let growing = match growing {
            Some(growing) => growing,
            None => GrowingArray::new(to).append(&new, u64::MAX).ok()?,
        };
        let growing = growing.append(&added, u64::MAX).ok()?;
        let new = growing.array();
        memory::charge(u128::from(new.n_bytes()), self.budget).ok()?;
        Some(Known { old: values.clone(), new, growing: Some(growing) })
    }
}
