//! The slots of a child that can be seen through valid slots of its parent.
//!
//! Made for clarity, not for speed. Ranges, because a child of runs may have more slots than could be walked. The
//! content of the parent has been checked.

use std::ops::Range;

use arrow_buffer::{Native, OffsetWidth};
use arrow_schema::{RunEndType, UnionMode};

use super::{elements, offsets};
use crate::{
    array::ArrayData,
    error::DataError,
    layout::{OffsetType, Physical, union_child},
};

type Ranges<'a> = Box<dyn Iterator<Item = Range<usize>> + 'a>;

/// The slots of the `position`-th child that belong to valid slots of `array`. No slot is in two of the ranges, except
/// where slots of a dense union share a value.
pub(super) fn live_ranges(array: &ArrayData, position: usize) -> Result<Ranges<'_>, DataError> {
    Ok(match array.layout().physical() {
        Physical::Struct => valid_ranges(array),
        Physical::FixedSizeList(size) => {
            // As long as `size` reaches into the child, which the structure check has measured, products fit.
            let size = size.as_usize();
            Box::new(
                valid_ranges(array)
                    .map(move |slots| slots.start.saturating_mul(size)..slots.end.saturating_mul(size)),
            )
        }
        Physical::List(OffsetType::Int32) => Box::new(lists::<i32>(array)?),
        Physical::List(OffsetType::Int64) => Box::new(lists::<i64>(array)?),
        Physical::ListView(OffsetType::Int32) => Box::new(list_views::<i32>(array)?),
        Physical::ListView(OffsetType::Int64) => Box::new(list_views::<i64>(array)?),
        Physical::Union(UnionMode::Sparse) => {
            Box::new(selecting(array, position)?.map(|(slot, _)| slot..slot.saturating_add(1)))
        }
        Physical::Union(UnionMode::Dense) => {
            let offsets: &[i32] = elements(array, 1, array.len())?;
            let at = |(slot, _): (usize, i8)| offsets.get(slot)?.to_usize();
            Box::new(selecting(array, position)?.filter_map(at).map(|slot| slot..slot.saturating_add(1)))
        }
        Physical::Runs(run_end_type) => Box::new(std::iter::once(runs(array, run_end_type)?)),
        Physical::Null
        | Physical::Bits
        | Physical::Fixed(_)
        | Physical::Bytes(_)
        | Physical::Views
        | Physical::Dictionary(_) => Box::new(std::iter::empty()),
    })
}

/// The valid slots, by its own bitmap.
fn valid_ranges(array: &ArrayData) -> Ranges<'_> {
    match array.validity() {
        Some(validity) => Box::new(validity.iter_set_runs()),
        None => Box::new(std::iter::once(0..array.len())),
    }
}

/// The slots of a union whose type id selects a child.
fn selecting(array: &ArrayData, position: usize) -> Result<impl Iterator<Item = (usize, i8)>, DataError> {
    let ids: &[i8] = elements(array, 0, array.len())?;
    let selects = move |id: i8| union_child(array.data_type(), id) == Some(position);
    Ok(ids.iter().copied().enumerate().filter(move |(_, id)| selects(*id)))
}

fn lists<O: OffsetWidth>(array: &ArrayData) -> Result<impl Iterator<Item = Range<usize>>, DataError> {
    let offsets: &[O] = offsets::of_slots(array)?;
    let ends = offsets.get(1..).unwrap_or_default();
    let valid = offsets.iter().zip(ends).enumerate().filter(|(slot, _)| array.is_valid(*slot));
    Ok(valid.map(|(_, (start, end))| range(start.to_usize(), end.to_usize())))
}

/// Each slot once, though list views may overlap: many that all cover much must not cost their product.
fn list_views<O: OffsetWidth>(array: &ArrayData) -> Result<impl Iterator<Item = Range<usize>>, DataError> {
    let starts: &[O] = elements(array, 0, array.len())?;
    let sizes: &[O] = elements(array, 1, array.len())?;
    let valid = starts.iter().zip(sizes).enumerate().filter(|(slot, _)| array.is_valid(*slot));
    let mut ranges: Vec<Range<usize>> = valid
        .map(|(_, (start, size))| {
            let start = start.to_usize();
            range(start, start.zip(size.to_usize()).and_then(|(start, size)| start.checked_add(size)))
        })
        .collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let mut n_seen = 0;
    Ok(ranges.into_iter().map(move |range| {
        let unseen = range.start.max(n_seen)..range.end;
        n_seen = n_seen.max(range.end);
        unseen
    }))
}

fn range(start: Option<usize>, end: Option<usize>) -> Range<usize> {
    start.unwrap_or(0)..end.unwrap_or(0)
}

/// The runs that reach into the slots of a run-end encoded array.
fn runs(array: &ArrayData, run_end_type: RunEndType) -> Result<Range<usize>, DataError> {
    let Some(ends) = array.children().first().filter(|_| !array.is_empty()) else { return Ok(0..0) };
    match run_end_type {
        RunEndType::Int16 => runs_of::<i16>(array, ends),
        RunEndType::Int32 => runs_of::<i32>(array, ends),
        RunEndType::Int64 => runs_of::<i64>(array, ends),
    }
}

fn runs_of<T: Native + Into<i64>>(array: &ArrayData, ends: &ArrayData) -> Result<Range<usize>, DataError> {
    let run_ends: &[T] = elements(ends, 0, ends.len())?;
    let run_of = |slot: usize| {
        run_ends.partition_point(|end| usize::try_from((*end).into()).is_ok_and(|end| end <= slot))
    };
    let last = array.offset().saturating_add(array.len()).saturating_sub(1);
    Ok(run_of(array.offset())..run_of(last).saturating_add(1).min(run_ends.len()))
}
