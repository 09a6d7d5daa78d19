//! One value of an array of any type, as text.

use std::fmt;

use super::{ColumnText, TextStyle};
use crate::dispatch::AnyArray;

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
