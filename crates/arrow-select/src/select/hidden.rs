//! Replaces the bytes of null slots by zeros, since they may be old memory content that must not be published, or makes null
//! what no valid slot refers to.

use std::ops::Range;

use arrow_buffer::{Bitmap, Buffer, BufferMut};
use arrow_data::{
    ArrayData, ArrayParts, BufferSpec, Nulls, Physical, Role, Validation,
    positions::{Ranges, RunEnds, TypeIds, bits, inside, union_child},
    trimmed,
};

use super::{
    UnusedValues, change_unchecked,
    compact::{finish, replace_child},
    compact_views,
};
use crate::error::SelectError;

/// What replaces values that no valid slot shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replacement {
    /// Zeros replace the bytes of null slots, and of slots to which no parent refers. No slot becomes null.
    Zeros,
    /// Slots to which no parent refers become null, if their layout has a validity bitmap. No bytes change.
    Nulls,
}

/// Does the work of [`with_zeroed_nulls`](super::Select::with_zeroed_nulls) and
/// [`with_unused_nulls`](super::Select::with_unused_nulls). If the content was checked, the changed content is checked again.
pub(super) fn replace_hidden(array: &ArrayData, by: Replacement) -> Result<ArrayData, SelectError> {
    change_unchecked(array, |array| match replaced(array, None, by)? {
        None => Ok(array.clone()),
        Some(replaced) => Ok(replaced.validate(array.checked().min(Validation::Content))?),
    })
}

/// Replaces the values of null slots, and of slots whose bit in `seen` is not set because no parent refers to them; `None`
/// if nothing is replaced. Recurses once for each level of the type, and uses little stack.
fn replaced(
    array: &ArrayData,
    seen: Option<&Bitmap>,
    by: Replacement,
) -> Result<Option<ArrayData>, SelectError> {
    array.check_positions()?;
    let keep = visible_slots(array, seen)?;
    if keep.is_none() && array.children().is_empty() {
        return Ok(None);
    }
    let leaves_out = |n_part, n_all| UnusedValues::Bounded.leaves_out(n_part, n_all);
    // A slice costs what it refers to, not what it keeps in memory. Nulls change no bytes, so all of them are shared.
    let trimmed = if by == Replacement::Zeros { trimmed(array, keep.as_ref(), leaves_out)? } else { None };
    let is_trimmed = trimmed.is_some();
    let array = trimmed.as_deref().unwrap_or(array);
    let mut changed = match by {
        Replacement::Zeros if is_trimmed || keep.is_some() => {
            Some(with_zeroed_buffers(array, keep.as_ref())?)
        }
        Replacement::Nulls if seen.is_some() => with_validity(array, keep.as_ref()),
        Replacement::Zeros | Replacement::Nulls => None,
    };
    for (position, child) in array.children().iter().enumerate() {
        let seen = if array.data_type().is_struct() {
            // The bitmap has a bit for each slot of the children.
            keep.clone()
        } else if child.is_backed() {
            seen_slots(array, keep.as_ref(), position, by)?
        } else {
            None
        };
        let new = replaced(child, seen.as_ref().filter(|seen| !seen.all_set()), by);
        if let Some(new) = new.map_err(|error| error.in_child(array.data_type(), position))? {
            replace_child(array, &mut changed, position, new);
        }
    }
    changed.map(finish).transpose()
}

/// The slots whose values stay; `None` if all stay.
#[inline(never)]
fn visible_slots(array: &ArrayData, seen: Option<&Bitmap>) -> Result<Option<Bitmap>, SelectError> {
    let own = array.validity_with_nulls();
    let keep = match (own, seen) {
        (Some(own), Some(seen)) => Some(own.and(seen).map_err(|_| other_length())?),
        (Some(only), None) | (None, Some(only)) => Some(only.clone()),
        (None, None) => None,
    };
    Ok(keep.filter(|keep| !keep.all_set()))
}

/// The error if a bitmap does not have the length of its array.
fn other_length() -> SelectError {
    SelectError::internal("the mask of null slots and the array differ in length")
}

/// The array with nulls in all slots but these, which are valid; `None` if the others are null already, or the layout has no
/// validity.
#[inline(never)]
fn with_validity(array: &ArrayData, keep: Option<&Bitmap>) -> Option<Box<ArrayParts>> {
    let n_valid = array.validity_with_nulls().map_or(array.len(), Bitmap::count_set);
    let n_visible = keep.map_or(array.len(), Bitmap::count_set);
    if array.layout().nulls() != Nulls::Bitmap || n_visible == n_valid {
        return None;
    }
    let parts = array.clone().into_parts();
    Some(Box::new(ArrayParts { validity: keep.cloned(), declared_null_count: None, ..parts }))
}

#[inline(never)]
fn with_zeroed_buffers(array: &ArrayData, keep: Option<&Bitmap>) -> Result<Box<ArrayParts>, SelectError> {
    let mut parts = Box::new(array.clone().into_parts());
    let Some(keep) = keep else { return Ok(parts) };
    let layout = array.layout();
    for (k, spec) in layout.data_buffers().iter().enumerate() {
        let buffer = inside(parts.buffers.get_mut(k))?;
        match (spec.role, layout.physical()) {
            (Role::Values, Physical::Bits) => {
                let visible = bits(array)?.and(keep).map_err(|_| other_length())?;
                *buffer = visible.to_packed();
                parts.offset = 0;
            }
            (Role::Values | Role::Sizes, _) | (Role::Offsets, Physical::ListView(_)) => {
                *buffer = zeroed_elements(buffer, spec, keep)?;
            }
            (Role::Bytes, _) => *buffer = zeroed_bytes(array, keep)?,
            (Role::Views, _) => {
                (*buffer, parts.variadic) = compact_views(array, Some(keep), Some(UnusedValues::Remove))?;
            }
            // Numbers that refer to values are not replaced, even in null slots.
            (Role::Offsets | Role::TypeIds | Role::Validity | Role::Variadic, _) => {}
        }
    }
    Ok(parts)
}

fn zeroed_elements(buffer: &Buffer, spec: &BufferSpec, keep: &Bitmap) -> Result<Buffer, SelectError> {
    let n_bytes = inside(usize::try_from(spec.element_bytes()).ok())?;
    if n_bytes == 0 {
        return Ok(buffer.clone());
    }
    let mut bytes = BufferMut::from(&**buffer);
    for (element, keep) in bytes.chunks_exact_mut(n_bytes).zip(keep.iter()) {
        if !keep {
            element.fill(0);
        }
    }
    Ok(bytes.freeze())
}

fn zeroed_bytes(array: &ArrayData, keep: &Bitmap) -> Result<Buffer, SelectError> {
    let ranges = Ranges::try_new(array)?;
    let mut bytes = BufferMut::from(&**array.buffer(1));
    for (slot, _) in keep.iter().enumerate().filter(|(_, keep)| !keep) {
        inside(ranges.get(slot).and_then(|range| bytes.get_mut(range)))?.fill(0);
    }
    Ok(bytes.freeze())
}

/// Marks the slots of a child to which the parent's slots in `keep` refer; `None` means all slots of the child. Without
/// `keep`, all slots of the parent count. Then lists and runs refer to all slots from the first to the last; zeros need not
/// replace the others, to which no slot refers. Parents whose slots take no memory are not visited slot by slot.
#[inline(never)]
fn seen_slots(
    array: &ArrayData,
    keep: Option<&Bitmap>,
    position: usize,
    by: Replacement,
) -> Result<Option<Bitmap>, SelectError> {
    let physical = array.layout().physical();
    let is_in_order = matches!(physical, Physical::List(_) | Physical::Runs(_));
    if keep.is_none() && is_in_order && by == Replacement::Zeros {
        return Ok(None);
    }
    let n_slots = inside(array.children().get(position))?.len();
    let mut visible = (0..array.len()).filter(|slot| keep.is_none_or(|keep| keep.get(*slot) == Some(true)));
    let mut seen = SlotCounts::new(n_slots);
    match physical {
        // Run ends refer to values, so they are not replaced.
        Physical::Runs(_) if position == 0 => return Ok(None),
        Physical::Runs(_) if keep.is_none() => {
            if let Some(last) = array.len().checked_sub(1) {
                let ends = RunEnds::try_new(array)?;
                let runs = ends.run_of(0).zip(ends.run_of(last));
                seen.add(runs.map(|(first, last)| first..last.saturating_add(1)))?;
            }
        }
        Physical::Runs(_) => {
            let ends = RunEnds::try_new(array)?;
            let mut end = 0;
            for slot in visible {
                if slot >= end {
                    let run = inside(ends.run_of(slot))?;
                    seen.add_slot(run)?;
                    end = inside(ends.end_of(run))?;
                }
            }
        }
        Physical::Union(_) => {
            let type_ids = TypeIds::try_new(array)?;
            for slot in visible {
                let (id, at) = inside(type_ids.get(slot))?;
                if union_child(array.data_type(), id) == Some(position) {
                    seen.add_slot(at)?;
                }
            }
        }
        Physical::FixedSizeList(size) if keep.is_none() => {
            seen.add(array.len().checked_mul(size.as_usize()).map(|end| 0..end))?;
        }
        Physical::List(_) | Physical::ListView(_) | Physical::FixedSizeList(_) => {
            let ranges = Ranges::try_new(array)?;
            visible.try_for_each(|slot| seen.add(ranges.get(slot)))?;
        }
        Physical::Struct
        | Physical::Null
        | Physical::Bits
        | Physical::Fixed(_)
        | Physical::Bytes(_)
        | Physical::Views
        | Physical::Dictionary(_) => return Ok(keep.cloned()),
    }
    Ok(Some(seen.finish()))
}

/// Ranges of slots, which may overlap. `changes[slot]` is the number of ranges that begin at the slot, minus the number
/// that end just before it. The sum of all changes up to a slot is the number of ranges that contain the slot.
struct SlotCounts {
    changes: Vec<isize>,
}

impl SlotCounts {
    fn new(n_slots: usize) -> SlotCounts {
        SlotCounts { changes: vec![0; n_slots] }
    }

    fn add_slot(&mut self, slot: usize) -> Result<(), SelectError> {
        self.add(Some(slot..slot.saturating_add(1)))
    }

    fn add(&mut self, range: Option<Range<usize>>) -> Result<(), SelectError> {
        let range = inside(range.filter(|range| range.end <= self.changes.len()))?;
        if range.is_empty() {
            return Ok(());
        }
        *inside(self.changes.get_mut(range.start))? += 1;
        // For a range that ends at the last slot, there is no next slot whose count changes.
        if let Some(change) = self.changes.get_mut(range.end) {
            *change -= 1;
        }
        Ok(())
    }

    fn finish(self) -> Bitmap {
        let mut n_open = 0isize;
        let is_seen = |change| {
            n_open += change;
            n_open > 0
        };
        self.changes.into_iter().map(is_seen).collect()
    }
}
