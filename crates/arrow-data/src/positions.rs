//! What the numbers of an array point at: items of lists, values of dictionaries, runs.
//!
//! For code that walks content which has been checked. If a number is wrong in spite of that, what is read is empty or
//! the first, and nothing panics.

use std::ops::Range;

use arrow_buffer::{Bitmap, Buffer, Native, OffsetWidth, Values};
use arrow_schema::{DataType, IndexType, RunEndType, UnionMode};

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::{OffsetType, Physical},
};

/// Where the items of each slot of a list of any kind are in its child.
#[derive(Debug, Clone)]
pub(crate) enum Ranges {
    /// One offset a slot, and one more.
    Offsets32(Values<i32>),
    Offsets64(Values<i64>),
    /// An offset and a size a slot.
    Views32(Values<i32>, Values<i32>),
    Views64(Values<i64>, Values<i64>),
    /// As many items in every slot.
    Times(usize),
}

impl Ranges {
    /// Those of a list, or of binary or utf8 with offsets.
    pub(crate) fn of(array: &ArrayData) -> Result<Ranges, DataError> {
        let n_slots = array.len();
        let (first, second) = (array.buffer(0), array.buffer(1));
        // Without slots there may be no offset at all.
        let n_offsets = if n_slots == 0 { 0 } else { n_slots.saturating_add(1) };
        match array.layout().physical() {
            Physical::FixedSizeList(size) => Ok(Ranges::Times(size.as_usize())),
            Physical::Bytes(OffsetType::Int32) | Physical::List(OffsetType::Int32) => {
                Ok(Ranges::Offsets32(numbers(first, n_offsets)?))
            }
            Physical::Bytes(OffsetType::Int64) | Physical::List(OffsetType::Int64) => {
                Ok(Ranges::Offsets64(numbers(first, n_offsets)?))
            }
            Physical::ListView(OffsetType::Int32) => {
                Ok(Ranges::Views32(numbers(first, n_slots)?, numbers(second, n_slots)?))
            }
            Physical::ListView(OffsetType::Int64) => {
                Ok(Ranges::Views64(numbers(first, n_slots)?, numbers(second, n_slots)?))
            }
            Physical::Null
            | Physical::Bits
            | Physical::Fixed(_)
            | Physical::Views
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Runs(_)
            | Physical::Dictionary(_) => Err(DataError::internal("the slots of this layout have no ranges")),
        }
    }

    /// The items of a slot.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> Range<usize> {
        match self {
            Ranges::Offsets32(offsets) => between(offsets, slot),
            Ranges::Offsets64(offsets) => between(offsets, slot),
            Ranges::Views32(offsets, sizes) => sized(offsets, sizes, slot),
            Ranges::Views64(offsets, sizes) => sized(offsets, sizes, slot),
            Ranges::Times(size) => {
                let start = slot.saturating_mul(*size);
                start..start.saturating_add(*size)
            }
        }
    }
}

#[inline]
fn between<O: OffsetWidth>(offsets: &[O], slot: usize) -> Range<usize> {
    let at = |idx: usize| offsets.get(idx).and_then(|offset| offset.to_usize()).unwrap_or(0);
    at(slot)..at(slot.saturating_add(1))
}

#[inline]
fn sized<O: OffsetWidth>(offsets: &[O], sizes: &[O], slot: usize) -> Range<usize> {
    let at = |numbers: &[O]| numbers.get(slot).and_then(|number| number.to_usize()).unwrap_or(0);
    let start = at(offsets);
    start..start.saturating_add(at(sizes))
}

/// The indices of a dictionary-encoded array. Those of valid slots have no sign, whatever their type.
#[derive(Debug, Clone)]
pub(crate) enum Keys {
    Bits8(Values<u8>),
    Bits16(Values<u16>),
    Bits32(Values<u32>),
    Bits64(Values<u64>),
}

impl Keys {
    pub(crate) fn of(array: &ArrayData) -> Result<Keys, DataError> {
        let (buffer, n_slots) = (array.buffer(0), array.len());
        Ok(match index_type(array)? {
            IndexType::Int8 | IndexType::UInt8 => Keys::Bits8(numbers(buffer, n_slots)?),
            IndexType::Int16 | IndexType::UInt16 => Keys::Bits16(numbers(buffer, n_slots)?),
            IndexType::Int32 | IndexType::UInt32 => Keys::Bits32(numbers(buffer, n_slots)?),
            IndexType::Int64 | IndexType::UInt64 => Keys::Bits64(numbers(buffer, n_slots)?),
        })
    }

    /// The index in a slot that is valid.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> usize {
        match self {
            Keys::Bits8(keys) => keys.get(slot).map_or(0, |key| usize::from(*key)),
            Keys::Bits16(keys) => keys.get(slot).map_or(0, |key| usize::from(*key)),
            Keys::Bits32(keys) => keys.get(slot).map_or(0, |key| usize::try_from(*key).unwrap_or(0)),
            Keys::Bits64(keys) => keys.get(slot).map_or(0, |key| usize::try_from(*key).unwrap_or(0)),
        }
    }
}

/// What the slots of a union select.
#[derive(Debug, Clone)]
pub(crate) struct TypeIds {
    ids: Values<i8>,
    /// Absent where children are as long as the union.
    offsets: Option<Values<i32>>,
}

impl TypeIds {
    pub(crate) fn of(array: &ArrayData) -> Result<TypeIds, DataError> {
        let is_dense = array.layout().physical() == Physical::Union(UnionMode::Dense);
        let offsets = if is_dense { Some(numbers(array.buffer(1), array.len())?) } else { None };
        Ok(TypeIds { ids: numbers(array.buffer(0), array.len())?, offsets })
    }

    /// The type id of a slot, and the slot of the child that it selects.
    pub(crate) fn get(&self, slot: usize) -> (i8, usize) {
        let id = self.ids.get(slot).copied().unwrap_or(0);
        let at = match &self.offsets {
            Some(offsets) => offsets.get(slot).and_then(|offset| usize::try_from(*offset).ok()).unwrap_or(0),
            None => slot,
        };
        (id, at)
    }
}

/// Where the runs of a run-end encoded array end.
#[derive(Debug, Clone)]
pub(crate) struct RunEnds {
    ends: Ends,
    /// Where the array begins in the runs.
    offset: usize,
    n_slots: usize,
}

#[derive(Debug, Clone)]
enum Ends {
    Bits16(Values<i16>),
    Bits32(Values<i32>),
    Bits64(Values<i64>),
}

impl RunEnds {
    pub(crate) fn of(array: &ArrayData) -> Result<RunEnds, DataError> {
        let Some(ends) = array.children().first() else {
            return Err(DataError::internal("a run-end encoded array without run ends"));
        };
        let (buffer, n_runs) = (ends.buffer(0), ends.len());
        let ends = match run_end_type(array.data_type())? {
            RunEndType::Int16 => Ends::Bits16(numbers(buffer, n_runs)?),
            RunEndType::Int32 => Ends::Bits32(numbers(buffer, n_runs)?),
            RunEndType::Int64 => Ends::Bits64(numbers(buffer, n_runs)?),
        };
        Ok(RunEnds { ends, offset: array.offset(), n_slots: array.len() })
    }

    /// The run that a slot lies in.
    pub(crate) fn run_of(&self, slot: usize) -> usize {
        let at = self.offset.saturating_add(slot);
        match &self.ends {
            Ends::Bits16(ends) => first_after(ends, at),
            Ends::Bits32(ends) => first_after(ends, at),
            Ends::Bits64(ends) => first_after(ends, at),
        }
    }

    /// The slot after the last one of a run.
    pub(crate) fn end_of(&self, run: usize) -> usize {
        let end = match &self.ends {
            Ends::Bits16(ends) => ends.get(run).map(|end| i64::from(*end)),
            Ends::Bits32(ends) => ends.get(run).map(|end| i64::from(*end)),
            Ends::Bits64(ends) => ends.get(run).copied(),
        };
        let end = end.and_then(|end| usize::try_from(end).ok()).unwrap_or(usize::MAX);
        end.saturating_sub(self.offset).min(self.n_slots)
    }
}

fn first_after<T: Native + Into<i64>>(ends: &[T], at: usize) -> usize {
    ends.partition_point(|end| usize::try_from((*end).into()).is_ok_and(|end| end <= at))
}

/// The type of an array's offsets.
///
/// # Errors
/// An internal error if its layout has no offsets: callers know the layout. The same holds for the functions below.
pub(crate) fn offset_type(array: &ArrayData) -> Result<OffsetType, DataError> {
    let offset_type = array.layout().physical().offset_type();
    offset_type.ok_or_else(|| DataError::internal("an array of this layout has no offsets"))
}

/// The type of the indices of a dictionary-encoded array.
pub(crate) fn index_type(array: &ArrayData) -> Result<IndexType, DataError> {
    let dictionary = array.data_type().as_dictionary();
    let index_type = dictionary.map(|dictionary| dictionary.index());
    index_type.ok_or_else(|| DataError::internal("an array that is not dictionary-encoded has no indices"))
}

/// What the run ends of a run-end encoded type are.
pub(crate) fn run_end_type(data_type: &DataType) -> Result<RunEndType, DataError> {
    let run_end_type = data_type.as_run_end_encoded().map(|runs| runs.run_end_type());
    run_end_type.ok_or_else(|| DataError::internal("an array that is not run-end encoded has no run ends"))
}

/// The first `n` numbers of a buffer. That there are so many, and aligned, is sound structure.
pub(crate) fn numbers<T: Native>(buffer: &Buffer, n: usize) -> Result<Values<T>, DataError> {
    Values::try_new(buffer.clone(), n).map_err(|_| {
        let needed = (n as u64).saturating_mul(size_of::<T>() as u64);
        Kind::BufferTooShort { n_slots: n as u64, needed, found: buffer.len() as u64 }.into()
    })
}

/// The values of a bit-packed array.
pub(crate) fn bits(array: &ArrayData) -> Result<Bitmap, DataError> {
    Bitmap::try_new(array.buffer(0).clone(), array.offset(), array.len()).map_err(|error| {
        let (n_slots, found) = (array.len() as u64, error.n_bytes as u64);
        Kind::BufferTooShort { n_slots, needed: n_slots.div_ceil(8), found }.into()
    })
}
