//! Finds the slots of a child that belong to valid slots of its parent.
//!
//! The code is written for clarity, not for speed. It returns ranges, because a run-end encoded child may have too many
//! slots to visit. The content of the parent must be checked.

use std::ops::Range;

use crate::{
    array::{
        ArrayData,
        positions::{Ranges, RunEnds, TypeIds, inside, union_child},
    },
    error::DataError,
    layout::ChildLen,
};

type LiveRanges<'a> = Box<dyn Iterator<Item = Result<Range<usize>, DataError>> + 'a>;

/// The slots of the `position`-th child that belong to valid slots of `array`. No slot is in two ranges, unless slots of
/// a dense union share a value.
pub(super) fn live_ranges(array: &ArrayData, position: usize) -> Result<LiveRanges<'_>, DataError> {
    let layout = array.layout();
    if array.data_type().as_union().is_some() {
        let type_ids = TypeIds::try_new(array)?;
        let selected = (0..array.len()).map(move |slot| inside(type_ids.get(slot)));
        let in_child = move |(id, _): &(i8, usize)| union_child(array.data_type(), *id) == Some(position);
        let in_child = selected.filter(move |selected| selected.as_ref().map_or(true, in_child));
        return Ok(Box::new(in_child.map(|selected| selected.map(|(_, at)| at..at.saturating_add(1)))));
    }
    Ok(match layout.child_len() {
        ChildLen::NoChildren => Box::new(std::iter::empty()),
        ChildLen::SameAsParent => Box::new(valid_ranges(array).map(Ok)),
        ChildLen::Times(size) => {
            // The slots may take no memory, so there may be too many to visit each of them.
            let times = move |slot: usize| inside(slot.checked_mul(size as usize));
            Box::new(valid_ranges(array).map(move |slots| Ok(times(slots.start)?..times(slots.end)?)))
        }
        ChildLen::FromData if layout.has_own_items() => {
            let ranges = Ranges::try_new(array)?;
            Box::new(valid_ranges(array).flatten().map(move |slot| inside(ranges.get(slot))))
        }
        ChildLen::FromData => Box::new(list_views(array)?),
        ChildLen::Runs => Box::new(std::iter::once(runs(array))),
    })
}

/// The valid slots, by the bitmap of the array.
fn valid_ranges(array: &ArrayData) -> Box<dyn Iterator<Item = Range<usize>> + '_> {
    match array.validity() {
        Some(validity) => Box::new(validity.iter_set_runs()),
        None => Box::new(std::iter::once(0..array.len())),
    }
}

/// The slots of list views, each once, although list views may overlap.
fn list_views(array: &ArrayData) -> Result<impl Iterator<Item = Result<Range<usize>, DataError>>, DataError> {
    let slots = Ranges::try_new(array)?;
    let ranges = valid_ranges(array).flatten().map(|slot| inside(slots.get(slot)));
    let mut ranges = ranges.collect::<Result<Vec<Range<usize>>, DataError>>()?;
    ranges.sort_unstable_by_key(|range| range.start);
    let mut n_seen = 0;
    Ok(ranges.into_iter().map(move |range| {
        let unseen = range.start.max(n_seen)..range.end;
        n_seen = n_seen.max(range.end);
        Ok(unseen)
    }))
}

/// The range of the runs that contain slots of a run-end encoded array.
fn runs(array: &ArrayData) -> Result<Range<usize>, DataError> {
    let Some(last) = array.len().checked_sub(1) else { return Ok(0..0) };
    let ends = RunEnds::try_new(array)?;
    let (first, last) = inside(ends.run_of(0).zip(ends.run_of(last)))?;
    Ok(first..last.saturating_add(1))
}
