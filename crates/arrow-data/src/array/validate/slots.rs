//! Checks arrays that may be slices of other arrays: only what their slots refer to is read, and what several arrays share
//! is checked once.
//!
//! A slice keeps whole children and bytes. Before the check, they are trimmed to the part to which the slots refer, from
//! the parents down. Slices whose slots are in order refer to different parts, so the checks of all of them together cost as
//! much as the check of the whole array. Dictionaries, and children to which slots refer in any order, are not trimmed.
//! [`CheckedArrays`] remembers them.

use std::sync::Arc;

use arrow_schema::{DataType, PathStep, UnionMode};

use super::Repairs;
use crate::{
    array::{
        ArrayData,
        positions::{Ranges, RunEnds, TypeIds, union_child},
        trimmed::{in_order, trimmed},
    },
    error::DataError,
    layout::{Content, Physical, References, layout},
    validation::Validation,
};

/// Arrays that were checked as a whole, such as dictionaries. An array of the same memory is not checked again.
///
/// **Invariant:** it holds each of these arrays, so their memory is not released, and nobody may use it for other values.
/// An array at the same addresses has the same values.
#[derive(Debug, Default)]
pub struct CheckedArrays(Vec<Option<CheckedArray>>);

#[derive(Debug)]
struct CheckedArray {
    /// The array before the check, which may have replaced buffers.
    unchecked: ArrayData,
    checked: Arc<ArrayData>,
}

/// Trims arrays, and replaces what is known by its checked form.
pub(crate) struct SlotChecks<'a> {
    level: Validation,
    repairs: &'a mut Repairs,
    known: &'a mut CheckedArrays,
    /// The position in `known` of the next array that may be known.
    position: usize,
}

impl<'a> SlotChecks<'a> {
    pub(crate) fn new(
        level: Validation,
        repairs: &'a mut Repairs,
        known: &'a mut CheckedArrays,
    ) -> SlotChecks<'a> {
        SlotChecks { level, repairs, known, position: 0 }
    }

    /// Recurses once for each level of the type, and uses little stack.
    pub(crate) fn prepare(&mut self, array: &mut ArrayData) -> Result<(), DataError> {
        let order = self.trim(array);
        if self.reads_children(array) {
            let ArrayData { data_type, children, .. } = array;
            for (position, child) in children.iter_mut().flat_map(Arc::make_mut).enumerate() {
                let prepared = match order {
                    SlotOrder::Any => self.known_child(child),
                    SlotOrder::Increasing => {
                        self.position = self.position.saturating_add(1);
                        self.prepare(child)
                    }
                    SlotOrder::ByLayout => self.prepare(child),
                };
                prepared.map_err(|error| error.in_child(data_type, position))?;
            }
        }
        if let Some(values) = &mut array.dictionary {
            *values = self.known(values).map_err(|error| error.below(PathStep::Dictionary))?;
        }
        Ok(())
    }

    fn reads_children(&self, array: &ArrayData) -> bool {
        array.children().iter().any(|child| self.reads(child))
    }

    /// Whether a check of this array reads slots of it.
    fn reads(&self, array: &ArrayData) -> bool {
        self.level == Validation::Strict
            || array.layout().content() != Content::Any
            || array.declared_null_count().is_some() && array.validity().is_some()
            || self.reads_children(array)
    }

    /// Trims the array, if that spares the check something. If positions are wrong, the array stays as it is, and validation
    /// reports them.
    #[inline(never)]
    fn trim(&mut self, array: &mut ArrayData) -> SlotOrder {
        let (order, is_part) = match array.layout().physical() {
            Physical::Bytes(_) => (SlotOrder::ByLayout, has_long_prefix(array)),
            Physical::List(_) => (SlotOrder::ByLayout, self.reads_children(array) && is_part_of_items(array)),
            // The search for runs needs no order, and a check of all run ends would read all of them.
            Physical::Runs(_) => {
                if is_part_of_runs(array) {
                    self.trim_to_part(array);
                }
                return SlotOrder::ByLayout;
            }
            Physical::ListView(_) if self.reads_children(array) => (order_of_views(array), true),
            Physical::Union(UnionMode::Dense) if self.reads_children(array) => (order_of_values(array), true),
            Physical::ListView(_)
            | Physical::Union(_)
            | Physical::Null
            | Physical::Bits
            | Physical::Fixed(_)
            | Physical::Views
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Dictionary(_) => return SlotOrder::ByLayout,
        };
        if order != SlotOrder::Any && is_part && array.check_positions().is_ok() {
            self.trim_to_part(array);
        }
        order
    }

    /// Replaces the array by the part to which its slots refer.
    fn trim_to_part(&mut self, array: &mut ArrayData) {
        if let Ok(Some(part)) = trimmed(array, None, |n_part, n_all| n_part < n_all)
            && self.count(array, &part)
        {
            *array = *part;
        }
    }

    /// Counts the offsets that a part does not share with its array. Returns whether this is within the limit.
    fn count(&mut self, array: &ArrayData, part: &ArrayData) -> bool {
        // The second buffer of text has its bytes, which are shared.
        let n_numbers = if part.data_type().is_text() { 1 } else { 2 };
        (0..n_numbers).all(|k| {
            let (before, after) = (array.buffer(k), part.buffer(k));
            after.is_empty() || after.as_ptr() == before.as_ptr() || self.repairs.count(after.len()).is_ok()
        })
    }

    fn known_child(&mut self, child: &mut ArrayData) -> Result<(), DataError> {
        let whole = Arc::new(child.clone());
        let checked = self.known(&whole)?;
        *child = ArrayData::clone(&checked);
        self.position = self.position.saturating_add(n_known_below(child.data_type()));
        Ok(())
    }

    /// The checked form of a dictionary or child.
    fn known(&mut self, whole: &Arc<ArrayData>) -> Result<Arc<ArrayData>, DataError> {
        let position = self.position;
        self.position = position.saturating_add(1);
        if let Some(Some(known)) = self.known.0.get(position)
            && known.checked.checked >= self.level
            && known.unchecked.same_memory(whole)
        {
            return Ok(Arc::clone(&known.checked));
        }
        let checked = Arc::new(ArrayData::clone(whole).validate_counted(self.level, self.repairs)?);
        if self.known.0.len() <= position {
            self.known.0.resize_with(position.saturating_add(1), || None);
        }
        if let Some(entry) = self.known.0.get_mut(position) {
            *entry = Some(CheckedArray { unchecked: ArrayData::clone(whole), checked: Arc::clone(&checked) });
        }
        Ok(checked)
    }
}

/// The number of arrays below an array of this type that may be known.
fn n_known_below(data_type: &DataType) -> usize {
    let layout = layout(data_type);
    let below = data_type.children().iter().map(|field| n_known_below(field.data_type()));
    let own = match layout.references() {
        References::Dictionary => 1,
        References::Items | References::Values => data_type.children().len(),
        References::None | References::InOrder | References::Data => 0,
    };
    below.fold(own, usize::saturating_add)
}

/// Whether slots refer to a child in order. If so, the slots of other slices refer to other values of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotOrder {
    /// The layout says so, or has no children to which slots refer by numbers.
    ByLayout,
    /// The slots of a layout that allows any order.
    Increasing,
    Any,
}

/// Whether more bytes precede the first slot than offsets take. Fewer are checked with the slots, which costs less than new
/// offsets.
fn has_long_prefix(array: &ArrayData) -> bool {
    array.data_type().is_text() && in_order(array).is_ok_and(|range| range.start > array.buffer(0).len())
}

/// Whether a list has items before the first or after the last offset.
fn is_part_of_items(array: &ArrayData) -> bool {
    let n_items = array.children().first().map_or(0, ArrayData::len);
    in_order(array).is_ok_and(|range| range != (0..n_items))
}

/// Whether an array has some of the slots of its runs.
fn is_part_of_runs(array: &ArrayData) -> bool {
    let is_last = |ends: RunEnds| match array.len().checked_sub(1) {
        Some(last) => ends.run_of(last).is_some_and(|run| run.saturating_add(1) == ends.n_runs()),
        None => ends.n_runs() == 0,
    };
    array.offset() > 0 || !RunEnds::try_new(array).is_ok_and(is_last)
}

/// `Increasing` if each list view that is not empty begins at or after the end of those before it.
fn order_of_views(array: &ArrayData) -> SlotOrder {
    let Ok(ranges) = Ranges::try_new(array) else { return SlotOrder::Any };
    let mut end = 0;
    let is_increasing = (0..array.len()).all(|slot| match ranges.get(slot) {
        Some(range) if range.is_empty() => true,
        Some(range) => range.start >= std::mem::replace(&mut end, range.end),
        None => false,
    });
    if is_increasing { SlotOrder::Increasing } else { SlotOrder::Any }
}

/// `Increasing` if no slot of a dense union refers to a value before that of an earlier slot.
fn order_of_values(array: &ArrayData) -> SlotOrder {
    let Ok(type_ids) = TypeIds::try_new(array) else { return SlotOrder::Any };
    let mut last = vec![0; array.children().len()];
    let is_increasing = (0..array.len()).all(|slot| {
        let value = type_ids.get(slot);
        let value = value.and_then(|(id, at)| Some((union_child(array.data_type(), id)?, at)));
        let last = value.and_then(|(position, at)| Some((last.get_mut(position)?, at)));
        last.is_some_and(|(last, at)| at >= std::mem::replace(last, at))
    });
    if is_increasing { SlotOrder::Increasing } else { SlotOrder::Any }
}
