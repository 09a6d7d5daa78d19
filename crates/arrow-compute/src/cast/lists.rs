//! Casts lists with offsets of either width, list views, lists of fixed size, and maps.

use std::{ops::Range, sync::Arc};

use arrow_array::{AnyArray, Lists, MapArray, Scalar, with_list};
use arrow_buffer::{Buffer, MemoryBudget};
use arrow_data::{ArrayData, ArrayParts, OffsetType, Physical, Validation, layout, positions::Ranges};
use arrow_schema::{DataType, Field};

use super::{CastContext, CastErrorKind, check_nulls, encoded, error::CastResult, memory, numbers};

pub(super) fn cast(casting: CastContext<'_>, array: &ArrayData, to: &DataType) -> CastResult<ArrayData> {
    let unsupported = || CastErrorKind::Unsupported { from: array.data_type().clone(), to: to.clone() };
    let field = to.children().first().ok_or_else(unsupported)?;
    let to = TargetList { data_type: to, field, budget: casting.budget };
    let (mut ranges, _charge) = memory::list(array.len(), casting.budget)?;
    let _plan = memory::charge(array.len() as u128 * memory::PLANNED_BYTES, casting.budget)?;
    extend_ranges(&mut ranges, array)?;
    let items = selected(array, to, &ranges)?;
    casting.child(&items, field, 0).and_then(|items| with_items(array, to, items, &ranges))
}
/// Whether lists refer to fewer than half of their items, each to items after those of the one before. Items to which several
/// lists refer would be copied for each.
#[inline(never)]
pub(super) fn shows_few_items(array: &ArrayData) -> CastResult<bool> {
    let enough = array.children().first().map_or(0, ArrayData::len).div_ceil(2);
    let ranges = Ranges::try_new(array)?;
    let mut shown = (0..array.len()).filter_map(|slot| ranges.get(slot)).filter(|range| !range.is_empty());
    let (mut end, mut n_shown) = (0, 0_usize);
    Ok(enough > 0
        && shown.all(|range| {
            let is_after = range.start >= end;
            end = range.end;
            n_shown = n_shown.saturating_add(range.len());
            is_after && n_shown < enough
        }))
}

/// Casts the items in `ranges`, one range after the other, and drops all other items. The result is boxed, so that recursive
/// callers use little stack.
#[inline(never)]
fn selected(array: &ArrayData, to: TargetList<'_>, ranges: &[Range<usize>]) -> CastResult<Box<ArrayData>> {
    let from = array.data_type();
    let unsupported = || CastErrorKind::Unsupported { from: from.clone(), to: to.data_type.clone() };
    let items = array.children().first().ok_or_else(unsupported)?;
    let items = memory::selector(to.budget).take_ranges(items, ranges)?;
    check_nulls(&items, from.children().first(), to.field).map_err(|error| error.in_child(0, to.field))?;
    Ok(Box::new(items))
}

/// The type of the new lists, and the field of their items.
#[derive(Clone, Copy)]
struct TargetList<'a> {
    data_type: &'a DataType,
    field: &'a Field,
    budget: &'a MemoryBudget,
}

/// Makes an array of lists from cast items, in the layout of the new type.
#[inline(never)]
fn with_items(
    array: &ArrayData,
    made: TargetList<'_>,
    mut items: ArrayData,
    ranges: &[Range<usize>],
) -> CastResult<ArrayData> {
    let to = made.data_type;
    let unsupported = || CastErrorKind::Unsupported { from: array.data_type().clone(), to: to.clone() };
    let parts = ArrayParts::new(to.clone(), array.len());
    let n_offsets = array.len().saturating_add(1);
    let buffers = match layout(to).physical() {
        Physical::List(offset) => {
            [offsets(offset, made, n_offsets, std::iter::once(0).chain(ends(ranges)))?, Buffer::new()]
        }
        Physical::ListView(offset) => {
            let starts = std::iter::once(0).chain(ends(ranges)).take(ranges.len());
            [
                offsets(offset, made, ranges.len(), starts)?,
                offsets(offset, made, ranges.len(), ranges.iter().map(Range::len))?,
            ]
        }
        Physical::FixedSizeList(n_items) => {
            let n_items = n_items.as_usize();
            let validity = array.validity();
            let is_null = |slot| validity.is_some_and(|validity| validity.get(slot) == Some(false));
            let mut slots = ranges.iter().enumerate();
            let wrong = slots.find(|(slot, range)| range.len() != n_items && !is_null(*slot));
            if let Some((slot, _)) = wrong {
                let value = memory::start_of(&AnyArray::try_new(array)?, slot);
                return Err(CastErrorKind::OutOfRange { value, slot, to: to.clone() }.into());
            }
            if ranges.iter().any(|range| range.len() != n_items) {
                items = with_null_items(&items, made, n_items, ranges)?;
            }
            parts.buffers.clone()
        }
        Physical::Null
        | Physical::Bits
        | Physical::Fixed(_)
        | Physical::Bytes(_)
        | Physical::Views
        | Physical::Struct
        | Physical::Union(_)
        | Physical::Runs(_)
        | Physical::Dictionary(_) => return Err(unsupported().into()),
    };
    let validity = array.validity().cloned();
    let children = Some(Arc::from([items]));
    Ok(ArrayData::try_new(ArrayParts { validity, buffers, children, ..parts })?
        .validate(Validation::Content)?)
}

/// Copies the items in order. Adds `n_items` null items for each null slot, since a null of a fixed-size list has items, too.
fn with_null_items(
    items: &ArrayData,
    TargetList { field, budget, .. }: TargetList<'_>,
    n_items: usize,
    ranges: &[Range<usize>],
) -> CastResult<ArrayData> {
    let to = field.data_type();
    let unsupported = || CastErrorKind::Unsupported { from: DataType::Null, to: to.clone() };
    let single = DataType::fixed_size_list(field.clone(), 1).map_err(|_| unsupported())?;
    let null = encoded::nulls(&single, 1, budget).map(|null| null.children().first().cloned());
    let null_item = match null {
        Ok(null) => null.ok_or_else(unsupported)?,
        // The items cannot be null, so an existing item is repeated.
        Err(_) if !items.is_empty() => items.slice(0, 1),
        Err(error) => return Err(error),
    };
    let n_null_bytes = memory::null_bytes(to).max(u128::from(null_item.n_bytes()));
    memory::charge(n_null_bytes.saturating_mul(n_items as u128), budget)?;
    let selector = memory::selector(budget);
    let null_items = Scalar::try_from_slot(&null_item, 0)?.to_array_with(n_items, &selector)?.into_data();
    let at_end = items.len()..items.len().saturating_add(n_items);
    let ((mut all, _charge), mut start) = (memory::list(ranges.len(), budget)?, 0_usize);
    for range in ranges {
        let end = start.saturating_add(range.len());
        all.push(if range.len() == n_items { start..end } else { at_end.clone() });
        start = end;
    }
    Ok(selector.take_ranges(&selector.concat(&[items.clone(), null_items])?, &all)?)
}

/// Appends the range of the items of each slot. Null slots have empty ranges.
#[inline(never)]
fn extend_ranges(ranges: &mut Vec<Range<usize>>, array: &ArrayData) -> CastResult<()> {
    let array = &AnyArray::try_new(array)?;
    let slots = 0..array.len();
    with_list!(
        array,
        lists => ranges.extend(slots.map(|slot| Lists::range(lists, slot))),
        other => if let Some(maps) = other.downcast_ref::<MapArray>() {
            ranges.extend(slots.map(|slot| maps.range(slot)));
        }
    );
    Ok(())
}

/// The end of each list, if all lists followed each other without gaps.
fn ends(ranges: &[Range<usize>]) -> impl Iterator<Item = usize> + Clone {
    ranges.iter().scan(0_usize, |end, range| {
        *end = end.saturating_add(range.len());
        Some(*end)
    })
}

fn offsets(
    offset: OffsetType,
    made: TargetList<'_>,
    n_numbers: usize,
    numbers: impl Iterator<Item = usize> + Clone,
) -> CastResult<Buffer> {
    let data_type = match offset {
        OffsetType::Int32 => DataType::Int32,
        OffsetType::Int64 => DataType::Int64,
    };
    let list = numbers.clone().map(|number| number as i128);
    numbers::buffer(&data_type, list, n_numbers, made.budget)?.map_err(|slot| {
        let value = format!("offset {}", numbers.clone().nth(slot).unwrap_or_default());
        CastErrorKind::OutOfRange { value, slot, to: made.data_type.clone() }.into()
    })
}
