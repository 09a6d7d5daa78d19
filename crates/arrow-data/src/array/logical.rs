//! Finds the slots that are null because they select a null of a dictionary, a run or a child of a union.

use arrow_buffer::{Bitmap, BitmapBuilder};
use arrow_schema::PathStep;

use crate::{
    array::{
        ArrayData,
        positions::{DictionaryIndices, RunEnds, TypeIds, inside, union_child},
    },
    error::DataError,
    layout::Nulls,
};

/// The result of [`ArrayData::logical_validity`].
pub(super) fn validity(array: &ArrayData) -> Result<Option<Bitmap>, DataError> {
    Ok(match found(array)? {
        FoundNulls::None => None,
        FoundNulls::All => Some(Bitmap::try_new_unset_in(array.len(), None)?),
        FoundNulls::Bits(validity) => Some(validity),
        FoundNulls::Runs(ends, values) => {
            let mut validity = BitmapBuilder::try_with_capacity_in(array.len(), None)?;
            ends.for_each_run(0..array.len(), |run, slots| {
                validity.extend_constant(values.is_valid(run), slots.len());
                Ok(())
            })?;
            validity.finish_with_nulls()
        }
    })
}

/// The result of [`ArrayData::logical_null_count`].
pub(super) fn null_count(array: &ArrayData) -> Result<usize, DataError> {
    if array.dictionary().is_none() && array.layout().nulls() != Nulls::InChildren {
        return Ok(array.null_count());
    }
    Ok(match found(array)? {
        FoundNulls::None => 0,
        FoundNulls::All => array.len(),
        FoundNulls::Bits(validity) => validity.count_unset(),
        FoundNulls::Runs(ends, values) => {
            let mut n_nulls = 0;
            ends.for_each_run(0..array.len(), |run, slots| {
                n_nulls += if values.is_valid(run) { 0 } else { slots.len() };
                Ok(())
            })?;
            n_nulls
        }
    })
}

/// The nulls of an array.
enum FoundNulls {
    None,
    All,
    /// At least one slot is null.
    Bits(Bitmap),
    /// At least one run has a null value. There may be more slots than bits fit in memory.
    Runs(RunEnds, Box<FoundNulls>),
}

impl FoundNulls {
    fn new(validity: BitmapBuilder) -> FoundNulls {
        validity.finish_with_nulls().map_or(FoundNulls::None, FoundNulls::Bits)
    }

    fn is_valid(&self, slot: usize) -> bool {
        match self {
            FoundNulls::None => true,
            FoundNulls::All => false,
            FoundNulls::Bits(validity) => validity.get(slot) == Some(true),
            FoundNulls::Runs(ends, values) => ends.run_of(slot).is_some_and(|run| values.is_valid(run)),
        }
    }
}

fn found(array: &ArrayData) -> Result<FoundNulls, DataError> {
    match (array.layout().nulls(), array.dictionary()) {
        (_, Some(values)) => {
            let values = found(values).map_err(|error| error.below(PathStep::Dictionary))?;
            selected(array, &values)
        }
        (Nulls::InChildren, None) => {
            let found = |(position, child): (usize, &ArrayData)| {
                found(child).map_err(|error| error.in_child(array.data_type(), position))
            };
            let is_union = array.data_type().as_union().is_some();
            let children = array.children().iter().enumerate().skip(usize::from(!is_union)).map(found);
            let mut children = children.collect::<Result<Vec<FoundNulls>, DataError>>()?;
            if is_union { in_children(array, &children) } else { in_runs(array, inside(children.pop())?) }
        }
        (Nulls::Bitmap | Nulls::All, None) => Ok(own(array)),
    }
}

/// The nulls in the validity bitmap of the array, or all slots for the null type.
#[inline(never)]
fn own(array: &ArrayData) -> FoundNulls {
    match array.validity_with_nulls() {
        Some(validity) => FoundNulls::Bits(validity.clone()),
        None if array.layout().nulls() == Nulls::All && !array.is_empty() => FoundNulls::All,
        None => FoundNulls::None,
    }
}

/// The slots of a dictionary-encoded array that are not null and do not select a null.
#[inline(never)]
fn selected(array: &ArrayData, values: &FoundNulls) -> Result<FoundNulls, DataError> {
    array.check_positions()?;
    let own = own(array);
    if matches!(values, FoundNulls::None) {
        return Ok(own);
    }
    let indices = DictionaryIndices::try_new(array)?;
    let mut validity = BitmapBuilder::try_with_capacity_in(array.len(), None)?;
    let mut is_inside = true;
    validity.extend((0..array.len()).map(|slot| {
        own.is_valid(slot) && {
            let index = indices.get(slot);
            is_inside &= index.is_some();
            index.is_some_and(|index| values.is_valid(index))
        }
    }));
    inside(is_inside.then(|| FoundNulls::new(validity)))
}

#[inline(never)]
fn in_runs(array: &ArrayData, values: FoundNulls) -> Result<FoundNulls, DataError> {
    array.check_positions()?;
    if matches!(values, FoundNulls::None) {
        return Ok(FoundNulls::None);
    }
    Ok(FoundNulls::Runs(RunEnds::try_new(array)?, Box::new(values)))
}

#[inline(never)]
fn in_children(array: &ArrayData, children: &[FoundNulls]) -> Result<FoundNulls, DataError> {
    array.check_positions()?;
    if children.iter().all(|child| matches!(child, FoundNulls::None)) {
        return Ok(FoundNulls::None);
    }
    // The index is a type id, and type ids are not negative.
    let child_of = |id| union_child(array.data_type(), id).and_then(|position| children.get(position));
    let by_id: Vec<Option<&FoundNulls>> = (0..=i8::MAX).map(child_of).collect();
    let type_ids = TypeIds::try_new(array)?;
    let mut validity = BitmapBuilder::try_with_capacity_in(array.len(), None)?;
    let mut is_inside = true;
    validity.extend((0..array.len()).map(|slot| {
        let selected = type_ids.get(slot);
        let child = |id| usize::try_from(id).ok().and_then(|id| by_id.get(id).copied().flatten());
        let child = selected.and_then(|(id, at)| child(id).zip(Some(at)));
        is_inside &= child.is_some();
        child.is_some_and(|(child, at)| child.is_valid(at))
    }));
    inside(is_inside.then(|| FoundNulls::new(validity)))
}
