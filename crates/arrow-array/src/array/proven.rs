//! Validates the data of arrays, and reads their buffers as numbers.

use std::ops::Range;

use arrow_buffer::{Buffer, NativeType, OffsetWidth, TextSlots, Values};
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind, ProvenText, Validation};

use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// The integer type of offsets: `i32` or `i64`. Its constants name the Arrow types that have offsets of this width, for error
/// messages. The trait is sealed.
pub trait Width: OffsetWidth + sealed::WidthOfText {
    /// `binary` or `large_binary`.
    const BINARY: &'static str;
    /// `utf8` or `large_utf8`.
    const UTF8: &'static str;
    /// `list` or `large_list`.
    const LIST: &'static str;
    /// `list_view` or `large_list_view`.
    const LIST_VIEW: &'static str;
    /// `int32` or `int64`.
    const OFFSETS: &'static str;
}

mod sealed {
    use super::*;

    /// The functions of `arrow-data` for text with offsets of this width. The trait is private, so other crates cannot
    /// implement [`Width`].
    pub trait WidthOfText: OffsetWidth {
        /// The slots of a utf8 array. `None` unless every slot, null slots included, has been checked as UTF-8.
        fn text_slots(data: &ArrayData) -> Option<&TextSlots<Self>>;

        /// Passes checked slots to `arrow-data`, which then does not check them again.
        fn proven(slots: TextSlots<Self>) -> ProvenText;
    }
}

impl Width for i32 {
    const BINARY: &'static str = "binary";
    const UTF8: &'static str = "utf8";
    const LIST: &'static str = "list";
    const LIST_VIEW: &'static str = "list_view";
    const OFFSETS: &'static str = "int32";
}

impl sealed::WidthOfText for i32 {
    fn text_slots(data: &ArrayData) -> Option<&TextSlots<i32>> {
        data.text_slots()
    }

    fn proven(slots: TextSlots<i32>) -> ProvenText {
        slots.into()
    }
}

impl Width for i64 {
    const BINARY: &'static str = "large_binary";
    const UTF8: &'static str = "large_utf8";
    const LIST: &'static str = "large_list";
    const LIST_VIEW: &'static str = "large_list_view";
    const OFFSETS: &'static str = "int64";
}

impl sealed::WidthOfText for i64 {
    fn text_slots(data: &ArrayData) -> Option<&TextSlots<i64>> {
        data.large_text_slots()
    }

    fn proven(slots: TextSlots<i64>) -> ProvenText {
        slots.into()
    }
}

/// Validates the content of an array. Returns an error that contains `name` if the array is not of the `expected` kind.
pub(super) fn proven_as(
    data: ArrayData,
    expected: Kind,
    name: &'static str,
) -> Result<ArrayData, ArrayError> {
    if kind(data.data_type()) != expected {
        return Err(ArrayError::type_mismatch(name, data.data_type()));
    }
    Ok(data.validate(Validation::Content)?)
}

/// Makes an array and checks its content. A null in a field that is not nullable is an error.
pub(crate) fn assemble(parts: ArrayParts) -> Result<ArrayData, ArrayError> {
    let array = ArrayData::try_new(parts)?.validate(Validation::Content)?;
    array.check_required_children()?;
    Ok(array)
}

/// The first `n` numbers of a buffer.
///
/// The structure of an array guarantees that the buffer is long enough. If it is too short nevertheless, the result is an error
/// and not a panic.
pub(super) fn numbers<T: NativeType>(buffer: &Buffer, n: usize) -> Result<Values<T>, ArrayError> {
    Values::try_new(buffer.clone(), n).map_err(|_| {
        let n_slots = n as u64;
        let found = buffer.len() as u64;
        let needed = n_slots.saturating_mul(size_of::<T>() as u64);
        DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found }).into()
    })
}

/// The offsets of an array: one more than there are slots, or no offset if there are no slots.
pub(super) fn offsets<O: OffsetWidth>(data: &ArrayData) -> Result<Values<O>, ArrayError> {
    let n_offsets = if data.is_empty() { 0 } else { data.len().saturating_add(1) };
    numbers(data.buffer(0), n_offsets)
}

/// The range between the offset of a slot and the next offset. Empty if the slot is out of bounds.
#[inline]
pub(crate) fn range<O: OffsetWidth>(offsets: &[O], slot: usize) -> Range<usize> {
    let Some([start, end]) = slot.checked_add(2).and_then(|after| offsets.get(slot..after)) else {
        return 0..0;
    };
    match (start.to_usize(), end.to_usize()) {
        (Some(start), Some(end)) if start <= end => start..end,
        _ => 0..0,
    }
}

/// The range of a slot with an offset and a size; empty if the slot is out of bounds.
pub(crate) fn sized_range<O: OffsetWidth>(offsets: &[O], sizes: &[O], slot: usize) -> Range<usize> {
    let at = |numbers: &[O]| numbers.get(slot).and_then(|number| number.to_usize());
    match (at(offsets), at(sizes)) {
        (Some(start), Some(n_items)) => start..start.saturating_add(n_items),
        _ => 0..0,
    }
}

/// The slots of `child` in `range`, which the content check has found to be in bounds.
pub(super) fn part(child: &ArrayData, range: Range<usize>) -> ArrayData {
    child.slice(range.start, range.len())
}
