//! Finds the data to which slots refer: ranges of data buffers, of items of list views, and of children of dense unions.

use std::ops::{ControlFlow, Range};

use arrow_buffer::{Bitmap, BudgetError, View};
use arrow_data::{
    ArrayData, DataErrorKind, References,
    positions::{DictionaryIndices, Ranges, numbers, union_child},
};
use arrow_schema::visit as work;

use crate::error::SelectError;

/// What happens to data to which no slot refers: bytes of data buffers, items of list views, values of children of
/// dense unions, values of dictionaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnusedValues {
    /// Unused data stays, and nothing is copied.
    Keep,
    /// If there is at most as much unused as used data, the unused data stays, and nothing is copied. Otherwise the
    /// unused data is removed. Only data between the first and the last used byte or slot counts.
    Bounded,
    /// Unused data is removed, and the used data is copied.
    Remove,
}

impl UnusedValues {
    /// Whether unused data is removed if `n_used` of `n_all` bytes or slots are used.
    pub(super) fn leaves_out(self, n_used: usize, n_all: usize) -> bool {
        match self {
            UnusedValues::Keep => false,
            UnusedValues::Bounded => n_used < n_all.div_ceil(2),
            UnusedValues::Remove => n_used < n_all,
        }
    }
}

/// A range of bytes or slots that a slot refers to; at least one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct UsedRange {
    /// The index of the data buffer or of the child.
    pub(super) of: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl UsedRange {
    #[inline]
    fn new(of: usize, start: usize, n: usize) -> Option<UsedRange> {
        Some(UsedRange { of, start, end: start.checked_add(n)? })
    }

    #[inline]
    pub(super) fn n(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The lengths of the data buffers or children; empty if the layout has none.
pub(super) fn lengths(array: &ArrayData) -> Vec<usize> {
    match array.layout().references() {
        References::Data => array.variadic().iter().map(|data| data.len()).collect(),
        References::Items | References::Values => array.children().iter().map(ArrayData::len).collect(),
        References::None | References::InOrder | References::Dictionary => Vec::new(),
    }
}

/// Calls `visit` with the range of each valid slot, in order, until `visit` breaks. If the content is unchecked, ranges may be out of
/// bounds; invalid slots are skipped.
#[inline(always)]
pub(super) fn try_each(
    array: &ArrayData,
    mut visit: impl FnMut(UsedRange) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, SelectError> {
    work(array.len());
    let validity = array.validity_with_nulls();
    Ok(match array.layout().references() {
        References::Data => {
            let views = numbers::<View>(array.buffer(0), array.len())?;
            each_valid(views.iter(), validity, |view| {
                if view.is_inline() {
                    ControlFlow::Continue(())
                } else {
                    view_range(view).map_or(ControlFlow::Continue(()), &mut visit)
                }
            })
        }
        References::Items => {
            let ranges = Ranges::try_new(array)?;
            each_valid(0..array.len(), validity, |slot| {
                let range = ranges.get(slot).filter(|range| !range.is_empty());
                let part = range.and_then(|range| UsedRange::new(0, range.start, range.len()));
                part.map_or(ControlFlow::Continue(()), &mut visit)
            })
        }
        References::Values => {
            let ids = numbers::<i8>(array.buffer(0), array.len())?;
            let offsets = numbers::<i32>(array.buffer(1), array.len())?;
            let positions = (0..=i8::MAX).map(|id| union_child(array.data_type(), id)).collect::<Vec<_>>();
            ids.iter().zip(offsets.iter()).try_for_each(|(id, offset)| {
                let position = usize::try_from(*id).ok().and_then(|id| *positions.get(id)?);
                let part = position.and_then(|of| UsedRange::new(of, usize::try_from(*offset).ok()?, 1));
                part.map_or(ControlFlow::Continue(()), &mut visit)
            })
        }
        References::None | References::InOrder | References::Dictionary => ControlFlow::Continue(()),
    })
}

/// The bytes to which a long view refers.
#[inline]
pub(super) fn view_range(view: &View) -> Option<UsedRange> {
    let of = usize::try_from(view.buffer_idx()).ok()?;
    UsedRange::new(of, usize::try_from(view.offset()).ok()?, usize::try_from(view.n_bytes()).ok()?)
}

#[inline(always)]
fn each_valid<T>(
    mut slots: impl Iterator<Item = T>,
    validity: Option<&Bitmap>,
    mut visit: impl FnMut(T) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match validity {
        None => slots.try_for_each(visit),
        Some(validity) => slots
            .zip(validity.iter())
            .try_for_each(|(slot, bit)| if bit { visit(slot) } else { ControlFlow::Continue(()) }),
    }
}

/// The data to which slots refer: bytes of data buffers, slots of children, values of dictionaries. Data to which
/// several slots refer counts once.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_select::UsedRanges;
/// use arrow_schema::{DataType, IndexType};
///
/// let mut used = UsedRanges::default();
/// for indices in [vec![7i8, 3, 4], vec![7, 8]] {
///     let parts = ArrayParts::new(DataType::dictionary(IndexType::Int8, DataType::Utf8)?, indices.len());
///     used.add_slots(&ArrayData::try_new(ArrayParts {
///         buffers: [Buffer::from(indices), Buffer::new()],
///         // The values need not be there.
///         dictionary: Some(ArrayData::new_empty(&DataType::Utf8).into()),
///         ..parts
///     })?)?;
/// }
/// assert_eq!((used.n_of(0, 100), used.n_of(0, 8)), (4, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct UsedRanges {
    /// The ranges. Ranges are in order and do not overlap, except for ranges that were added since the last join.
    parts: Vec<UsedRange>,
    n_joined: usize,
}

impl UsedRanges {
    /// Adds the ranges to which the valid slots of an array refer by offsets, views, type ids or indices. Its data
    /// buffers, children and dictionary are not read. Invalid views, indices, list views and slots of unions refer to
    /// nothing.
    ///
    /// # Errors
    /// If offsets of a list, utf8 or binary are negative or decrease. If the system refuses memory.
    pub fn add_slots(&mut self, array: &ArrayData) -> Result<(), SelectError> {
        let slots = (0..array.len()).filter(|slot| array.is_valid(*slot));
        match array.layout().references() {
            References::InOrder => {
                array.check_offset_order()?;
                let ranges = Ranges::try_new(array)?;
                let mut ranges = slots.filter_map(|slot| ranges.get(slot)).filter(|range| !range.is_empty());
                ranges.try_for_each(|Range { start, end }| self.insert(UsedRange { of: 0, start, end }))
            }
            References::Dictionary => {
                let indices = DictionaryIndices::try_new(array)?;
                let mut values = slots.filter_map(|slot| UsedRange::new(0, indices.number(slot)?, 1));
                values.try_for_each(|value| self.insert(value))
            }
            References::None | References::Data | References::Items | References::Values => {
                self.add_all(array, UsedRanges::insert)
            }
        }
    }

    /// Counts the bytes or slots that were added, among the first `n` of the data buffer or child with index `of`. A
    /// dictionary has index 0.
    pub fn n_of(&mut self, of: usize, n: usize) -> usize {
        if self.parts.len() != self.n_joined {
            self.join();
        }
        let first = self.parts.partition_point(|part| part.of < of);
        let parts = self.parts.iter().skip(first).take_while(|part| part.of == of);
        parts.fold(0, |sum, part| sum.saturating_add(part.end.min(n).saturating_sub(part.start)))
    }

    /// When there are twice as many ranges as after the last join, all ranges are joined. So memory is in proportion to
    /// the different ranges.
    fn insert(&mut self, part: UsedRange) -> Result<(), SelectError> {
        const LEAST: usize = 1 << 16;
        self.add(part)?;
        if self.parts.len() >= self.n_joined.saturating_mul(2).max(LEAST) {
            self.join();
        }
        Ok(())
    }

    fn add_all(
        &mut self,
        array: &ArrayData,
        add: impl Fn(&mut UsedRanges, UsedRange) -> Result<(), SelectError>,
    ) -> Result<(), SelectError> {
        let mut added = Ok(());
        let _ = try_each(array, |part| {
            added = add(self, part);
            if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        added
    }

    /// The ranges to which valid slots refer.
    pub(super) fn from_array(array: &ArrayData) -> Result<UsedRanges, SelectError> {
        let mut used = UsedRanges::default();
        used.add_all(array, UsedRanges::add)?;
        Ok(used.joined())
    }

    /// Adds a range. Consecutive ranges are joined, so that memory is in proportion to the ranges that are out of order.
    ///
    /// # Errors
    /// If the system refuses memory.
    #[inline]
    pub(super) fn add(&mut self, part: UsedRange) -> Result<(), SelectError> {
        match self.parts.last_mut() {
            Some(last) if last.of == part.of && (last.start..=last.end).contains(&part.start) => {
                last.end = last.end.max(part.end);
            }
            Some(_) | None => {
                let requested = self.parts.len().saturating_mul(2 * size_of::<UsedRange>()) as u64;
                let reserved = self.parts.try_reserve(1);
                reserved.map_err(|_| DataErrorKind::Memory(BudgetError::OutOfMemory { requested }))?;
                self.parts.push(part);
            }
        }
        Ok(())
    }

    /// Sorts the ranges, and joins those that overlap.
    pub(super) fn joined(mut self) -> UsedRanges {
        self.join();
        self
    }

    fn join(&mut self) {
        self.parts.sort_unstable();
        self.parts.dedup_by(|next, part| {
            let joins = next.of == part.of && next.start <= part.end;
            if joins {
                part.end = part.end.max(next.end);
            }
            joins
        });
        self.n_joined = self.parts.len();
    }

    pub(super) fn parts(&self) -> &[UsedRange] {
        &self.parts
    }

    /// The ranges of each data buffer or child that has at least one range.
    pub(super) fn by_source(&self) -> impl Iterator<Item = &[UsedRange]> {
        self.parts.chunk_by(|part, next| part.of == next.of)
    }

    pub(super) fn n(&self) -> usize {
        self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.n()))
    }
}

/// Finds the joined range that contains a range. Neighbouring slots mostly refer to the same joined range, or to the
/// next one.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    parts: &'a [UsedRange],
    last: usize,
}

impl<'a> Finder<'a> {
    pub(super) fn new(used: &'a UsedRanges) -> Finder<'a> {
        Finder { parts: &used.parts, last: 0 }
    }

    /// The index in the list of the joined range that contains `part`.
    #[inline]
    pub(super) fn find(&mut self, part: UsedRange) -> Option<usize> {
        let holds = |idx: usize| {
            let found = self.parts.get(idx)?;
            (found.of == part.of && found.start <= part.start && part.end <= found.end).then_some(idx)
        };
        let near = holds(self.last).or_else(|| holds(self.last.saturating_add(1)));
        let found = near.or_else(|| {
            let after =
                self.parts.partition_point(|joined| (joined.of, joined.start) <= (part.of, part.start));
            holds(after.checked_sub(1)?)
        })?;
        self.last = found;
        Some(found)
    }
}

#[cfg(test)]
mod tests;
