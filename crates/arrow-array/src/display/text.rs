//! The values of one column as text, and one value of an array of any type.

use std::fmt;

use super::{
    AppendedText, TextStyle, WriteSlot,
    truncation::{DEBUG_BYTES, write_cut},
};
use crate::{
    array::{SlotIter, SlotSource},
    dispatch::AnyArray,
};

/// Writes the values of an array of any type as text. Make a `ColumnText` once, then write slot by slot.
///
/// For many batches that may share dictionaries, [`TextCache`](crate::TextCache) prepares each dictionary once.
///
/// ```
/// use arrow_array::{ColumnText, Float64Array, TextStyle};
///
/// let array = Float64Array::from_iter([Some(1.0), Some(f64::NAN), None]);
/// let text = ColumnText::try_new(array.data(), TextStyle::Json)?;
/// let values: Vec<String> = text.iter().map(|value| value.to_string()).collect();
/// assert_eq!(values, ["1.0", "\"NaN\"", "null"]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub struct ColumnText {
    writer: Box<dyn WriteSlot>,
    n_slots: usize,
}

/// One value of a [`ColumnText`]. `Display` prints it on one line.
#[derive(Clone, Copy)]
pub struct ValueText<'a> {
    column: &'a ColumnText,
    slot: usize,
}

impl ColumnText {
    pub(super) fn new(writer: Box<dyn WriteSlot>, n_slots: usize) -> ColumnText {
        ColumnText { writer, n_slots }
    }

    pub(super) fn writer(&self) -> &dyn WriteSlot {
        &*self.writer
    }

    /// The number of slots of the array.
    pub fn len(&self) -> usize {
        self.n_slots
    }

    /// Whether the array has no slots.
    pub fn is_empty(&self) -> bool {
        self.n_slots == 0
    }

    /// Whether the text of a slot is `null`: the slot is out of bounds or null, or it selects a null of a dictionary or a run.
    pub fn is_null(&self, slot: usize) -> bool {
        self.writer.is_null(slot)
    }

    /// Writes the value of a slot, or `null` if the slot is null or out of bounds. Allocates nothing.
    ///
    /// # Errors
    /// If `out` returns an error.
    pub fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        self.writer.write(slot, out)
    }

    /// Appends the text of a slot to `out`, unless the slot is null or its text may be long. The text is the same as
    /// that of [`write`](ColumnText::write), which is slower.
    ///
    /// ```
    /// use arrow_array::{AppendedText, ColumnText, Int64Array, TextStyle};
    ///
    /// let array = Int64Array::from_iter([Some(12), None]);
    /// let text = ColumnText::try_new(array.data(), TextStyle::Plain)?;
    /// let mut out = b"n: ".to_vec();
    /// assert_eq!([text.append(0, &mut out), text.append(1, &mut out)], [AppendedText::Plain, AppendedText::Null]);
    /// assert_eq!(out, b"n: 12");
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn append(&self, slot: usize, out: &mut Vec<u8>) -> AppendedText<'_> {
        self.writer.append(slot, out)
    }

    /// The value of a slot, for printing.
    ///
    /// # Panics
    /// If the slot is out of bounds, as for indexing a slice.
    pub fn value(&self, slot: usize) -> ValueText<'_> {
        assert!(slot < self.n_slots, "slot {slot} is outside of an array of {}", self.n_slots);
        ValueText { column: self, slot }
    }

    /// The values of all slots in order, for printing. Nulls print as `null`.
    pub fn iter(&self) -> ColumnTextIter<'_> {
        SlotIter::new(self, 0..self.n_slots)
    }
}

impl fmt::Debug for ColumnText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ColumnText").field("n_slots", &self.n_slots).finish_non_exhaustive()
    }
}

impl fmt::Display for ValueText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.column.write(self.slot, f)
    }
}

impl fmt::Debug for ValueText<'_> {
    /// Prints the text of `Display`, cut after 1 KiB.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cut(f, DEBUG_BYTES, |out| write!(out, "{self}"))
    }
}

/// The values of a [`ColumnText`] in order, for printing.
pub type ColumnTextIter<'a> = SlotIter<&'a ColumnText>;

impl<'a> SlotSource for &'a ColumnText {
    type Item = ValueText<'a>;

    fn value_at(&self, slot: usize) -> ValueText<'a> {
        ValueText { column: self, slot }
    }
}

impl<'a> IntoIterator for &'a ColumnText {
    type Item = ValueText<'a>;
    type IntoIter = ColumnTextIter<'a>;

    fn into_iter(self) -> ColumnTextIter<'a> {
        self.iter()
    }
}

impl AnyArray {
    /// The value of a slot in the style of a table cell ([`TextStyle::Cell`]): as in JSON, but without quotes around text,
    /// dates and other strings. `null` if the slot is null or out of bounds.
    ///
    /// Each call prepares the column again. To write many values of a column, use [`ColumnText`](crate::ColumnText).
    ///
    /// ```
    /// use arrow_array::{AnyArray, Date32Array, Utf8ViewArray};
    ///
    /// let names = AnyArray::from(Utf8ViewArray::from_iter([Some("ada"), None]));
    /// assert_eq!(format!("{} {} {}", names.display(0), names.display(1), names.display(2)), "ada null null");
    /// assert_eq!(AnyArray::from(Date32Array::from_iter([1])).display(0).to_string(), "1970-01-02");
    /// ```
    pub fn display(&self, slot: usize) -> impl fmt::Display {
        ShownSlot { array: self, slot }
    }
}

struct ShownSlot<'a> {
    array: &'a AnyArray,
    slot: usize,
}

impl fmt::Display for ShownSlot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = ColumnText::try_new(self.array.data(), TextStyle::Cell).map_err(|_| fmt::Error)?;
        text.write(self.slot, f)
    }
}
