//! Items of list views and values of dictionaries that no valid slot refers to, left out before a batch is written.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Buffer, Native};
use arrow_data::{ArrayData, ArrayParts, DataError, Level, OffsetType, Physical, RecordBatch};
use arrow_schema::IndexType;

use super::{
    internal,
    words::{Position, numbers},
};
use crate::{
    columns::Columns,
    error::{Context, Result},
    options::{Unused, WriteOptions},
};

/// What is left out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trim {
    items: Unused,
    values: Unused,
}

impl Trim {
    pub(crate) fn new(options: &WriteOptions) -> Trim {
        Trim { items: options.unused_items, values: options.unused_values }
    }

    /// The batch without what it does not use; `None` if it is written as it is.
    ///
    /// # Errors
    /// If the content of a column has not been checked, and is found to be wrong.
    pub(crate) fn batch(self, columns: &Columns, batch: &RecordBatch) -> Result<Option<RecordBatch>> {
        if (self.items, self.values) == (Unused::Written, Unused::Written) || batch.n_columns() == 0 {
            return Ok(None);
        }
        let arrays = batch.columns().iter().zip(columns.roots());
        let trimmed = arrays.map(|(array, root)| {
            let checked = array.clone().validate(Level::Content).in_field(|| columns.path(*root))?;
            self.array(&checked).in_field(|| columns.path(*root))
        });
        let trimmed = trimmed.collect::<Result<Vec<ArrayData>>>()?;
        Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), trimmed)?))
    }

    /// An array whose content has been checked. Recurses once for each level of its type, in loops, so that little stack is taken
    /// for each.
    fn array(self, array: &ArrayData) -> Result<ArrayData> {
        if array.children().is_empty() && array.dictionary().is_none() {
            return Ok(array.clone());
        }
        let mut parts = self.without_below(array)?;
        if let Some(children) = &mut parts.children {
            for child in Arc::make_mut(children) {
                *child = self.array(child)?;
            }
        }
        // Values without anything below them stay in the same memory: dictionaries are known by that.
        if let Some(values) = parts.dictionary.as_mut().filter(|values| !values.children().is_empty()) {
            *values = Arc::new(self.array(values)?);
        }
        Ok(ArrayData::try_new(*parts)?)
    }

    /// What the array itself does not use, left out; its children and its dictionary have the rest as it was.
    #[inline(never)]
    fn without_below(self, array: &ArrayData) -> Result<Box<ArrayParts>> {
        let mut parts = Box::new(array.clone().into_parts());
        match array.layout().physical() {
            Physical::ListView(offset) if self.items == Unused::LeftOut => match offset {
                OffsetType::Int32 => trim_list_view::<i32>(array, &mut parts)?,
                OffsetType::Int64 => trim_list_view::<i64>(array, &mut parts)?,
            },
            Physical::Dictionary(index) if self.values == Unused::LeftOut => match index {
                IndexType::Int8 | IndexType::UInt8 => trim_dictionary::<u8>(array, &mut parts)?,
                IndexType::Int16 | IndexType::UInt16 => trim_dictionary::<u16>(array, &mut parts)?,
                IndexType::Int32 | IndexType::UInt32 => trim_dictionary::<u32>(array, &mut parts)?,
                IndexType::Int64 | IndexType::UInt64 => trim_dictionary::<u64>(array, &mut parts)?,
            },
            Physical::ListView(_)
            | Physical::Dictionary(_)
            | Physical::Null
            | Physical::Bits
            | Physical::Fixed(_)
            | Physical::Bytes(_)
            | Physical::Views
            | Physical::List(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Runs(_) => {}
        }
        Ok(parts)
    }
}

/// Keeps the items that valid slots refer to, each once and in their order, so that slots which share items still do.
fn trim_list_view<O: Position>(array: &ArrayData, parts: &mut ArrayParts) -> Result<()> {
    let offsets = numbers::<O>(array.buffer(0), array.len()).map_err(DataError::from)?;
    let sizes = numbers::<O>(array.buffer(1), array.len()).map_err(DataError::from)?;
    let Some(items) = array.children().first() else { return Err(internal("a list view has no child")) };
    let ranges = || {
        let slots = offsets.iter().zip(sizes).enumerate();
        slots.map(|(slot, (offset, size))| match is_valid(array, slot) {
            true => offset.to_usize().zip(size.to_usize()),
            false => Some((0, 0)),
        })
    };
    let mut used = Used::new(items.len());
    ranges().try_for_each(|range| used.add(range))?;
    let Some(kept) = used.kept() else { return Ok(()) };
    let missing = || internal("an item of a checked list view is missing");
    let mut moved: [Vec<O>; 2] = [Vec::with_capacity(array.len()), Vec::with_capacity(array.len())];
    for range in ranges() {
        let (offset, size) = range.ok_or_else(missing)?;
        let offset = if size == 0 { Some(0) } else { kept.place(offset) };
        moved[0].push(offset.and_then(O::from_usize).ok_or_else(missing)?);
        moved[1].push(O::from_usize(size).ok_or_else(missing)?);
    }
    parts.buffers = moved.map(Buffer::from);
    parts.children = Some([items.take_ranges(&kept.ranges)?].into());
    Ok(())
}

/// Keeps the values that valid indices refer to, in their order.
fn trim_dictionary<T>(array: &ArrayData, parts: &mut ArrayParts) -> Result<()>
where
    T: Native + TryFrom<u64>,
    u64: TryFrom<T>,
{
    let indices = numbers::<T>(array.buffer(0), array.len()).map_err(DataError::from)?;
    let Some(values) = array.dictionary() else { return Err(internal("a dictionary has no values")) };
    let selected = || {
        indices.iter().enumerate().map(|(slot, index)| {
            let index = u64::try_from(*index).ok().and_then(|index| usize::try_from(index).ok());
            if is_valid(array, slot) { index.map(|index| (index, 1)) } else { Some((0, 0)) }
        })
    };
    let mut used = Used::new(values.len());
    selected().try_for_each(|range| used.add(range))?;
    let Some(kept) = used.kept() else { return Ok(()) };
    let moved = selected().map(|selected| {
        let (index, n_values) = selected?;
        let place = if n_values == 0 { 0 } else { kept.place(index)? };
        T::try_from(place as u64).ok()
    });
    let moved: Option<Vec<T>> = moved.collect();
    let moved = moved.ok_or_else(|| internal("a value of a checked index is missing"))?;
    parts.buffers[0] = Buffer::from(moved);
    parts.dictionary = Some(Arc::new(values.take_ranges(&kept.ranges)?));
    Ok(())
}

fn is_valid(array: &ArrayData, slot: usize) -> bool {
    array.validity().is_none_or(|validity| validity.get(slot) == Some(true))
}

/// Ranges of slots that are used. Memory follows the ranges: there may be more slots than bytes, as of the null type or
/// of runs.
struct Used {
    ranges: Vec<Range<usize>>,
    n_slots: usize,
}

/// What is kept of some slots: not all of them.
struct Kept {
    /// In order, without overlaps.
    ranges: Vec<Range<usize>>,
    /// For each range how many slots before it are kept.
    places: Vec<usize>,
}

impl Used {
    fn new(n_slots: usize) -> Used {
        Used { ranges: Vec::new(), n_slots }
    }

    /// Adds a range by its first slot and its length.
    fn add(&mut self, range: Option<(usize, usize)>) -> Result<()> {
        let outside = || internal("a checked range lies outside of what it refers to");
        let (start, n_slots) = range.ok_or_else(outside)?;
        let end = start.checked_add(n_slots).filter(|end| *end <= self.n_slots).ok_or_else(outside)?;
        if n_slots > 0 && self.ranges.last() != Some(&(start..end)) {
            self.ranges.push(start..end);
        }
        Ok(())
    }

    /// `None` if all slots are used.
    fn kept(self) -> Option<Kept> {
        let mut ranges = self.ranges;
        ranges.sort_unstable_by_key(|range| range.start);
        ranges.dedup_by(|next, range| {
            let joins = next.start <= range.end;
            if joins {
                range.end = range.end.max(next.end);
            }
            joins
        });
        let mut n_kept = 0;
        let place = |range: &Range<usize>| {
            let place = n_kept;
            n_kept += range.len();
            place
        };
        let places = ranges.iter().map(place).collect();
        (n_kept < self.n_slots).then_some(Kept { ranges, places })
    }
}

impl Kept {
    /// Where a kept slot is among those that are kept.
    fn place(&self, slot: usize) -> Option<usize> {
        let idx = self.ranges.partition_point(|range| range.start <= slot).checked_sub(1)?;
        let (range, place) = (self.ranges.get(idx)?, self.places.get(idx)?);
        if range.contains(&slot) { Some(place + (slot - range.start)) } else { None }
    }
}
