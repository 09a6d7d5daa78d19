//! Values of children and dictionaries that no slot of an array shows: below null structs, between the items of lists, not
//! selected by a union or an index.

use arrow_buffer::MemoryBudget;
use arrow_data::ArrayData;
use arrow_select::{Select, UnusedValues};

use super::{Cast, CastError, CutCount, dictionary_cache::DictionaryCache, error::CastResult, memory};

impl Cast {
    /// Casts an array again, of which a value cannot be cast, without hidden values. `count` is what the first cast has counted
    /// before its error. Counts the values that have lost digits, too.
    pub(super) fn without_hidden_faults(
        &self,
        array: &ArrayData,
        budget: &MemoryBudget,
        (mut error, count): (CastError, CutCount),
    ) -> CastResult<(ArrayData, CutCount)> {
        // If the budget refuses, nothing is known about hidden values.
        if let Ok(Some(shown)) = with_nulls(array, budget) {
            match self.once(&shown, budget, &self.known) {
                // Dictionaries of the first cast are not cast again.
                (Ok(cast), again) => {
                    let n_in_first = count.n_in_dictionaries.get();
                    return Ok((cast, again.with_dictionaries(n_in_first)));
                }
                // This value is not hidden.
                (Err(other), _) if other.kind().is_of_value() => error = other,
                // What became null may be an error of its own.
                (Err(_), _) => {}
            }
        }
        let Ok(Some(shown)) = removed(array, budget) else { return Err(error) };
        // The dictionaries that are kept for later arrays have all of their values.
        let (cast, count) = self.once(&shown, budget, &DictionaryCache::default());
        // The slots of another error would be those of the copy.
        cast.map(|cast| (cast, count)).map_err(|_| error)
    }

    /// Casts an array again, of which values have lost digits, if these may be hidden.
    pub(super) fn without_hidden_cuts(
        &self,
        array: &ArrayData,
        budget: &MemoryBudget,
        (cast, count): (ArrayData, CutCount),
    ) -> (ArrayData, CutCount) {
        let shown = with_nulls(array, budget).ok().flatten();
        match shown.map(|shown| self.once(&shown, budget, &self.known)) {
            // The dictionaries are those of the first cast, also where another thread has replaced them.
            Some((Ok(cast), again)) => {
                (cast, again.without_dictionaries().with_dictionaries(count.n_in_dictionaries.get()))
            }
            Some((Err(_), _)) | None => (cast, count),
        }
    }
}

/// The array with nulls in place of hidden values of its children. The slots of the children stay where they are. `None` if no
/// value is hidden.
pub(super) fn with_nulls(array: &ArrayData, budget: &MemoryBudget) -> CastResult<Option<ArrayData>> {
    // The references to each slot of a child are counted in a number.
    let _counts = memory::charge(n_child_slots(array) as u128 * size_of::<usize>() as u128, budget)?;
    let shown = array.with_unused_nulls()?;
    Ok((!shown.same_memory(array)).then_some(shown))
}

/// A copy without hidden values. Those that cannot be removed are null, but ordered dictionaries inside the values of
/// dictionaries keep them. `None` if the array can have no hidden values.
fn removed(array: &ArrayData, budget: &MemoryBudget) -> CastResult<Option<ArrayData>> {
    if array.children().is_empty() && array.dictionary().is_none() {
        return Ok(None);
    }
    let _copy = memory::charge(array.n_bytes().into(), budget)?;
    let copy = array.compact()?;
    let shown = with_nulls(&copy, budget)?.unwrap_or(copy);
    Ok(Some(shown.with_used_values(UnusedValues::Remove)?))
}

/// The number of slots of the longest child whose slots have bytes.
fn n_child_slots(array: &ArrayData) -> usize {
    let n_own = |child: &ArrayData| if child.is_backed() { child.len() } else { 0 };
    array.children().iter().map(|child| n_own(child).max(n_child_slots(child))).max().unwrap_or(0)
}
