//! Prepares arrays for access: checks their content, and makes typed views of their buffers.

use std::ops::Range;

use arrow_buffer::{Buffer, Native, OffsetWidth, TextSlots, Values};
use arrow_data::{ArrayData, DataError, DataErrorKind, Level, ProvenText};

use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// The integer type of offsets, `i32` or `i64`, with the names of the Arrow types whose offsets have this width. The
/// trait is sealed.
pub trait Width: OffsetWidth + sealed::WidthOfText {
    /// The name of the binary type.
    const BINARY: &'static str;
    /// The name of the utf8 type.
    const UTF8: &'static str;
    /// The name of the list type.
    const LIST: &'static str;
    /// The name of the list-view type.
    const LIST_VIEW: &'static str;
    /// The name of the type of the offsets.
    const OFFSETS: &'static str;
}

mod sealed {
    use super::*;

    /// The functions of `arrow-data` for text with offsets of this width. The trait is private, so other crates cannot
    /// implement [`Width`].
    pub trait WidthOfText: OffsetWidth {
        /// The text of an array; `None` unless every slot, null or not, is proven to be UTF-8.
        fn text_slots(data: &ArrayData) -> Option<&TextSlots<Self>>;

        /// Checked text, from which an array can be made without another check.
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

/// Checks the content of an array, and returns the array. Returns an error if the array has another type.
pub(super) fn proven_as(
    data: ArrayData,
    expected: Kind,
    name: &'static str,
) -> Result<ArrayData, ArrayError> {
    if kind(data.data_type()) != expected {
        return Err(ArrayError::type_mismatch(name, data.data_type()));
    }
    Ok(data.validate(Level::Content)?)
}

/// The first `n` numbers of a buffer.
///
/// The structure of an array guarantees that the buffer has `n` numbers. If the buffer has fewer numbers nevertheless,
/// the result is an error and not a panic.
pub(super) fn numbers<T: Native>(buffer: &Buffer, n: usize) -> Result<Values<T>, ArrayError> {
    Values::try_new(buffer.clone(), n).map_err(|_| {
        let (n_slots, found) = (n as u64, buffer.len() as u64);
        let needed = n_slots.saturating_mul(size_of::<T>() as u64);
        DataError::from(DataErrorKind::BufferTooShort { n_slots, needed, found }).into()
    })
}

/// The offsets of `n_slots` slots: one more than slots, or none if there are no slots.
pub(super) fn offsets<O: OffsetWidth>(data: &ArrayData) -> Result<Values<O>, ArrayError> {
    let n_offsets = if data.is_empty() { 0 } else { data.len().saturating_add(1) };
    numbers(data.buffer(0), n_offsets)
}

/// The range of a slot between two offsets; empty if the slot is out of bounds.
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

/// A slice of a child. The content check has found that every range lies inside the child.
pub(super) fn part(child: &ArrayData, range: Range<usize>) -> ArrayData {
    child.slice(range.start, range.len())
}
