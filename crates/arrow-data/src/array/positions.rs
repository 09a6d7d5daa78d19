//! Finds the values to which the numbers of an array refer: items of lists, values of dictionaries, runs.
//!
//! The callers have checked the content. If a number is wrong nevertheless, the result is `None`. Code that copies or
//! counts values returns an internal error for `None` ([`inside`]); code that compares values reports a difference.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, NativeType, OffsetWidth, Values, View};
use arrow_schema::{DataType, IndexType, RunEndType, UnionMode};

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::{OffsetType, Physical},
};

/// Checks that `n` slots from `start` on are among `n_slots`.
///
/// # Errors
/// If they are not.
#[inline]
pub fn check_range(start: usize, n: usize, n_slots: usize) -> Result<(), DataError> {
    if start.checked_add(n).is_some_and(|end| end <= n_slots) {
        return Ok(());
    }
    let end = start as u128 + n as u128;
    Err(Kind::SliceOutOfRange { start: start as u64, end, n_slots: n_slots as u64 }.into())
}

/// The value that a checked number refers to.
///
/// # Errors
/// An internal error, if there is no value.
#[inline]
pub fn inside<T>(found: Option<T>) -> Result<T, DataError> {
    found.ok_or_else(|| DataError::internal("a checked position is out of bounds"))
}

/// For each slot of an array of lists of any kind, the range of its items.
#[derive(Debug, Clone)]
pub enum Ranges {
    /// One offset of 32 bits per slot, and the end of the last slot.
    Offsets32(Values<i32>),
    /// Offsets of 64 bits.
    Offsets64(Values<i64>),
    /// An offset and a size of 32 bits for each slot.
    Views32(Values<i32>, Values<i32>),
    /// An offset and a size of 64 bits for each slot.
    Views64(Values<i64>, Values<i64>),
    /// Every slot has the same number of items.
    Times(usize),
}

impl Ranges {
    /// The ranges of a list, or of binary or utf8 with offsets.
    pub fn try_new(array: &ArrayData) -> Result<Ranges, DataError> {
        let n_slots = array.len();
        let (first, second) = (array.buffer(0), array.buffer(1));
        // An array without slots may have no offsets at all.
        let n_offsets = if n_slots == 0 { 0 } else { n_slots.saturating_add(1) };
        let physical = array.layout().physical();
        if let Physical::FixedSizeList(size) = physical {
            return Ok(Ranges::Times(size.as_usize()));
        }
        let has_sizes = matches!(physical, Physical::ListView(_));
        match offset_type(array)? {
            OffsetType::Int32 if has_sizes => {
                Ok(Ranges::Views32(numbers(first, n_slots)?, numbers(second, n_slots)?))
            }
            OffsetType::Int64 if has_sizes => {
                Ok(Ranges::Views64(numbers(first, n_slots)?, numbers(second, n_slots)?))
            }
            OffsetType::Int32 => Ok(Ranges::Offsets32(numbers(first, n_offsets)?)),
            OffsetType::Int64 => Ok(Ranges::Offsets64(numbers(first, n_offsets)?)),
        }
    }

    /// The range of a slot's items; `None` if the range would end before it begins, or there is no such slot. The range
    /// may end past the end of the child or buffer.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<Range<usize>> {
        match self {
            Ranges::Offsets32(offsets) => between(offsets, slot),
            Ranges::Offsets64(offsets) => between(offsets, slot),
            Ranges::Views32(offsets, sizes) => sized(offsets, sizes, slot),
            Ranges::Views64(offsets, sizes) => sized(offsets, sizes, slot),
            Ranges::Times(size) => {
                let start = slot.checked_mul(*size)?;
                Some(start..start.checked_add(*size)?)
            }
        }
    }
}

#[inline]
fn between<O: OffsetWidth>(offsets: &[O], slot: usize) -> Option<Range<usize>> {
    let [start, end] = offsets.get(slot..)?.first_chunk()?;
    let (start, end) = (start.to_usize()?, end.to_usize()?);
    (start <= end).then_some(start..end)
}

#[inline]
fn sized<O: OffsetWidth>(offsets: &[O], sizes: &[O], slot: usize) -> Option<Range<usize>> {
    let (start, size) = (offsets.get(slot)?.to_usize()?, sizes.get(slot)?.to_usize()?);
    Some(start..start.checked_add(size)?)
}

/// The indices of a dictionary-encoded array. Indices of valid slots are not negative.
#[derive(Debug, Clone)]
pub struct DictionaryIndices {
    numbers: IndexNumbers,
    n_values: usize,
}

#[derive(Debug, Clone)]
enum IndexNumbers {
    Bits8(Values<u8>),
    Bits16(Values<u16>),
    Bits32(Values<u32>),
    Bits64(Values<u64>),
}

impl DictionaryIndices {
    /// The indices of a dictionary-encoded array.
    ///
    /// # Errors
    /// An internal error, if the array has another layout.
    pub fn try_new(array: &ArrayData) -> Result<DictionaryIndices, DataError> {
        let buffer = array.buffer(0);
        let n_slots = array.len();
        let numbers = match index_type(array)? {
            IndexType::Int8 | IndexType::UInt8 => IndexNumbers::Bits8(numbers(buffer, n_slots)?),
            IndexType::Int16 | IndexType::UInt16 => IndexNumbers::Bits16(numbers(buffer, n_slots)?),
            IndexType::Int32 | IndexType::UInt32 => IndexNumbers::Bits32(numbers(buffer, n_slots)?),
            IndexType::Int64 | IndexType::UInt64 => IndexNumbers::Bits64(numbers(buffer, n_slots)?),
        };
        Ok(DictionaryIndices { numbers, n_values: inside(array.dictionary())?.len() })
    }

    /// The index in a valid slot, if the dictionary has that value.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<usize> {
        self.number(slot).filter(|index| *index < self.n_values)
    }

    /// The index in a slot, even if the slot is null or the dictionary has no such value.
    #[inline]
    pub fn number(&self, slot: usize) -> Option<usize> {
        Some(match &self.numbers {
            IndexNumbers::Bits8(indices) => usize::from(*indices.get(slot)?),
            IndexNumbers::Bits16(indices) => usize::from(*indices.get(slot)?),
            IndexNumbers::Bits32(indices) => usize::try_from(*indices.get(slot)?).ok()?,
            IndexNumbers::Bits64(indices) => usize::try_from(*indices.get(slot)?).ok()?,
        })
    }
}

/// The type ids and offsets of a union, which select a slot of a child for each slot.
#[derive(Debug, Clone)]
pub struct TypeIds {
    ids: Values<i8>,
    /// The offsets; `None` if children have the length of the union.
    offsets: Option<Values<i32>>,
    /// The length of each child, by type id; 0 for unknown type ids.
    n_slots: Box<[usize; 128]>,
}

impl TypeIds {
    /// The type ids of a union.
    ///
    /// # Errors
    /// An internal error, if the array has another layout.
    pub fn try_new(array: &ArrayData) -> Result<TypeIds, DataError> {
        let is_dense = array.layout().physical() == Physical::Union(UnionMode::Dense);
        let offsets = if is_dense { Some(numbers(array.buffer(1), array.len())?) } else { None };
        let mut n_slots = Box::new([0; 128]);
        for (id, child) in inside(array.data_type().as_union())?.type_ids().iter().zip(array.children()) {
            *inside(usize::try_from(*id).ok().and_then(|id| n_slots.get_mut(id)))? = child.len();
        }
        Ok(TypeIds { ids: numbers(array.buffer(0), array.len())?, offsets, n_slots })
    }

    /// The type id of a slot, and the slot of the child that it selects; `None` if the child does not have that slot.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<(i8, usize)> {
        let id = *self.ids.get(slot)?;
        let at = match &self.offsets {
            Some(offsets) => usize::try_from(*offsets.get(slot)?).ok()?,
            None => slot,
        };
        let n_slots = *self.n_slots.get(usize::try_from(id).ok()?)?;
        (at < n_slots).then_some((id, at))
    }
}

/// The run ends of a run-end encoded array.
#[derive(Debug, Clone)]
pub struct RunEnds {
    ends: RunEndNumbers,
    /// The position of the first slot of the array, counted from the start of the first run.
    offset: usize,
    n_slots: usize,
}

#[derive(Debug, Clone)]
enum RunEndNumbers {
    Bits16(Values<i16>),
    Bits32(Values<i32>),
    Bits64(Values<i64>),
}

impl RunEnds {
    /// The run ends of a run-end encoded array.
    ///
    /// # Errors
    /// An internal error, if the array has another layout.
    pub fn try_new(array: &ArrayData) -> Result<RunEnds, DataError> {
        let Some(ends) = array.children().first() else {
            return Err(DataError::internal("a run-end encoded array has no run ends"));
        };
        let buffer = ends.buffer(0);
        let n_runs = ends.len();
        let ends = match run_end_type(array.data_type())? {
            RunEndType::Int16 => RunEndNumbers::Bits16(numbers(buffer, n_runs)?),
            RunEndType::Int32 => RunEndNumbers::Bits32(numbers(buffer, n_runs)?),
            RunEndType::Int64 => RunEndNumbers::Bits64(numbers(buffer, n_runs)?),
        };
        Ok(RunEnds { ends, offset: array.offset(), n_slots: array.len() })
    }

    /// The number of all runs, including runs outside the array.
    #[inline]
    pub fn n_runs(&self) -> usize {
        match &self.ends {
            RunEndNumbers::Bits16(ends) => ends.len(),
            RunEndNumbers::Bits32(ends) => ends.len(),
            RunEndNumbers::Bits64(ends) => ends.len(),
        }
    }

    /// The run that contains a slot. The structure of arrays guarantees that the run has a value.
    #[inline]
    pub fn run_of(&self, slot: usize) -> Option<usize> {
        let at = self.offset.checked_add(slot)?;
        match &self.ends {
            RunEndNumbers::Bits16(ends) => first_after(ends, at),
            RunEndNumbers::Bits32(ends) => first_after(ends, at),
            RunEndNumbers::Bits64(ends) => first_after(ends, at),
        }
    }

    /// The position after the last slot of a run.
    #[inline]
    pub fn end_of(&self, run: usize) -> Option<usize> {
        let end = match &self.ends {
            RunEndNumbers::Bits16(ends) => i64::from(*ends.get(run)?),
            RunEndNumbers::Bits32(ends) => i64::from(*ends.get(run)?),
            RunEndNumbers::Bits64(ends) => *ends.get(run)?,
        };
        // Where `usize` has 32 bits, the last run may end past all slots that an array can have.
        let end = usize::try_from(u64::try_from(end).ok()?).unwrap_or(usize::MAX);
        // The array may begin after the start of a run, and end inside a run.
        Some(end.saturating_sub(self.offset).min(self.n_slots))
    }

    /// Calls `visit(run, slots)` in order for each run that overlaps `slots`, with the slots that overlap.
    ///
    /// # Errors
    /// An internal error if a run is empty, or if a slot has no run. The errors of `visit`.
    pub fn for_each_run(
        &self,
        slots: Range<usize>,
        mut visit: impl FnMut(usize, Range<usize>) -> Result<(), DataError>,
    ) -> Result<(), DataError> {
        let Range { mut start, end } = slots;
        if start >= end {
            return Ok(());
        }
        let mut run = inside(self.run_of(start))?;
        while start < end {
            let run_end = inside(self.end_of(run).filter(|run_end| *run_end > start))?.min(end);
            visit(run, start..run_end)?;
            (start, run) = (run_end, run + 1);
        }
        Ok(())
    }
}

fn first_after<T: NativeType + Into<i64>>(ends: &[T], at: usize) -> Option<usize> {
    let run = ends.partition_point(|end| usize::try_from((*end).into()).is_ok_and(|end| end <= at));
    (run < ends.len()).then_some(run)
}

/// The type of an array's offsets.
///
/// # Errors
/// An internal error if the layout has no offsets: callers have checked the layout.
pub fn offset_type(array: &ArrayData) -> Result<OffsetType, DataError> {
    let offset_type = array.layout().physical().offset_type();
    offset_type.ok_or_else(|| DataError::internal("the layout has no offsets"))
}

/// The type of the indices of a dictionary-encoded array.
pub fn index_type(array: &ArrayData) -> Result<IndexType, DataError> {
    let dictionary = array.data_type().as_dictionary();
    let index_type = dictionary.map(|dictionary| dictionary.index());
    index_type.ok_or_else(|| DataError::internal("the array is not dictionary-encoded"))
}

/// The type of the run ends of a run-end encoded type.
pub fn run_end_type(data_type: &DataType) -> Result<RunEndType, DataError> {
    let run_end_type = data_type.as_run_end_encoded().map(|runs| runs.run_end_type());
    run_end_type.ok_or_else(|| DataError::internal("the array is not run-end encoded"))
}

/// The first `n` numbers of a buffer. The structure of arrays guarantees that they exist and are aligned.
#[inline]
pub fn numbers<T: NativeType>(buffer: &Buffer, n: usize) -> Result<Values<T>, DataError> {
    Values::try_new(buffer.clone(), n).map_err(|_| {
        let needed = (n as u64).saturating_mul(size_of::<T>() as u64);
        Kind::BufferTooShort { n_slots: n as u64, needed, found: buffer.len() as u64 }.into()
    })
}

/// The values of a bit-packed array.
pub fn bits(array: &ArrayData) -> Result<Bitmap, DataError> {
    Bitmap::try_new(array.buffer(0).clone(), array.offset(), array.len()).map_err(|error| {
        let n_slots = array.len() as u64;
        let found = error.n_bytes as u64;
        Kind::BufferTooShort { n_slots, needed: n_slots.div_ceil(8), found }.into()
    })
}

/// The position of the child with this type id; `None` if the type is no union or no child has the id.
pub fn union_child(data_type: &DataType, type_id: i8) -> Option<usize> {
    data_type.as_union().and_then(|union| union.child_of(type_id))
}

/// The utf8 or binary values of an array.
#[derive(Debug)]
pub(crate) enum SlotBytes {
    Offsets(Ranges, Buffer),
    Views(Values<View>, Arc<[Buffer]>),
}

impl SlotBytes {
    pub(crate) fn try_new(array: &ArrayData) -> Result<SlotBytes, DataError> {
        if !array.layout().is_variadic() {
            return Ok(SlotBytes::Offsets(Ranges::try_new(array)?, array.buffer(1).clone()));
        }
        let data = array.shared_variadic().cloned().unwrap_or_default();
        Ok(SlotBytes::Views(numbers(array.buffer(0), array.len())?, data))
    }

    pub(crate) fn n_bytes(&self) -> usize {
        match self {
            SlotBytes::Offsets(_, bytes) => bytes.len(),
            SlotBytes::Views(_, data) => data.iter().fold(0, |n, bytes| n.saturating_add(bytes.len())),
        }
    }

    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Option<&[u8]> {
        match self {
            SlotBytes::Offsets(ranges, bytes) => bytes.as_slice().get(ranges.get(slot)?),
            SlotBytes::Views(views, data) => {
                let view = views.get(slot)?;
                view.inline_bytes().or_else(|| long_view_bytes(view, data))
            }
        }
    }
}

fn long_view_bytes<'a>(view: &View, data: &'a [Buffer]) -> Option<&'a [u8]> {
    let buffer = data.get(usize::try_from(view.buffer_idx()).ok()?)?;
    let start = usize::try_from(view.offset()).ok()?;
    buffer.as_slice().get(start..start.checked_add(usize::try_from(view.n_bytes()).ok()?)?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_schema::Field;

    use super::*;
    use crate::array::ArrayParts;

    /// An array with valid structure and unchecked content.
    fn unchecked(data_type: DataType, buffers: [Buffer; 2], child: Option<ArrayData>) -> ArrayData {
        let is_dictionary = data_type.as_dictionary().is_some();
        let (dictionary, children) = match child {
            Some(child) if is_dictionary => (Some(Arc::new(child)), None),
            child => (None, child.map(|child| Arc::from([child]))),
        };
        let parts = ArrayParts::new(data_type, 2);
        ArrayData::try_new(ArrayParts { buffers, children, dictionary, ..parts }).unwrap()
    }

    fn nulls(n_slots: usize) -> ArrayData {
        ArrayData::try_new(ArrayParts::new(DataType::Null, n_slots)).unwrap()
    }

    fn list(offsets: Vec<i32>) -> Ranges {
        let data_type = DataType::list(Field::new("item", DataType::Null));
        Ranges::try_new(&unchecked(data_type, [offsets.into(), Buffer::new()], Some(nulls(9)))).unwrap()
    }

    #[test]
    fn wrong_offsets_lead_nowhere() {
        assert_eq!([0, 1, 2].map(|slot| list(vec![0, 2, 5]).get(slot)), [Some(0..2), Some(2..5), None]);
        assert_eq!([0, 1].map(|slot| list(vec![0, -2, 5]).get(slot)), [None, None]);
        assert_eq!([0, 1].map(|slot| list(vec![3, 2, 2]).get(slot)), [None, Some(2..2)]);
        let views = |offsets: Vec<i64>, sizes: Vec<i64>| {
            let data_type = DataType::large_list_view(Field::new("item", DataType::Null));
            let array = unchecked(data_type, [offsets.into(), sizes.into()], Some(nulls(9)));
            [0, 1].map(|slot| Ranges::try_new(&array).unwrap().get(slot))
        };
        assert_eq!(views(vec![7, 0], vec![2, 9]), [Some(7..9), Some(0..9)]);
        assert_eq!(views(vec![-1, 0], vec![2, -1]), [None, None]);
        assert_eq!([0, usize::MAX].map(|slot| Ranges::Times(3).get(slot)), [Some(0..3), None]);
    }

    #[test]
    fn wrong_indices_lead_nowhere() {
        let data_type = DataType::dictionary(IndexType::Int8, DataType::Null).unwrap();
        let array = unchecked(data_type, [vec![4i8, 5].into(), Buffer::new()], Some(nulls(5)));
        let indices = DictionaryIndices::try_new(&array).unwrap();
        assert_eq!([0, 1, 2].map(|slot| indices.get(slot)), [Some(4), None, None]);
    }

    #[test]
    fn wrong_type_ids_and_offsets_lead_nowhere() {
        let dense = |ids: Vec<i8>, offsets: Vec<i32>| {
            let fields = [(7, Field::new("n", DataType::Null))];
            let data_type = DataType::union(UnionMode::Dense, fields).unwrap();
            let array = unchecked(data_type, [ids.into(), offsets.into()], Some(nulls(5)));
            [0, 1].map(|slot| TypeIds::try_new(&array).unwrap().get(slot))
        };
        assert_eq!(dense(vec![7, 7], vec![4, 5]), [Some((7, 4)), None]);
        assert_eq!(dense(vec![7, 7], vec![-1, 0]), [None, Some((7, 0))]);
        assert_eq!(dense(vec![0, -1], vec![0, 0]), [None, None]);
    }

    #[test]
    fn wrong_run_ends_lead_nowhere() {
        let runs = |ends: Vec<i64>| {
            let n_runs = ends.len();
            let parts = ArrayParts::new(DataType::Int64, n_runs);
            let ends = ArrayData::try_new(ArrayParts { buffers: [ends.into(), Buffer::new()], ..parts });
            let parts = ArrayParts::new(DataType::run_end_encoded(RunEndType::Int64, DataType::Null), 6);
            let children = Some(Arc::from([ends.unwrap(), nulls(n_runs)]));
            let ends =
                RunEnds::try_new(&ArrayData::try_new(ArrayParts { children, ..parts }).unwrap()).unwrap();
            let mut found = Vec::new();
            let visited = ends.for_each_run(1..6, |run, slots| {
                found.push((run, slots));
                Ok(())
            });
            (visited.is_ok(), found)
        };
        assert_eq!(runs(vec![2, 9]), (true, vec![(0, 1..2), (1, 2..6)]));
        // More slots than `usize` can count on targets of 32 bits.
        assert_eq!(runs(vec![2, 5_000_000_000]), (true, vec![(0, 1..2), (1, 2..6)]));
        assert_eq!(runs(vec![2, i64::MAX]), (true, vec![(0, 1..2), (1, 2..6)]));
        assert_eq!(runs(vec![2, 5]), (false, vec![(0, 1..2), (1, 2..5)]));
        assert_eq!(runs(vec![3, -1, 6]), (false, vec![(0, 1..3)]));
    }
}
