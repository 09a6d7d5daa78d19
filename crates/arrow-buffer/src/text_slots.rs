//! Text, and offsets that have been checked to lie between characters.

#[deny(unsafe_code)]
pub(crate) mod builder;
#[deny(unsafe_code)]
pub(crate) mod growing;

use std::fmt;
use std::ops::Range;

use crate::buffer::Buffer;
use crate::offsets::{OffsetWidth, OffsetsError, check_offsets};
use crate::text::{Text, TextOffsetsError};
use crate::utf8::Characters;
use crate::values::Values;

/// Text and the offsets of its slots. The offsets are in order, and each lies between two characters, or at the start or the
/// end. So every slot reads as `str` without another check.
///
/// ```
/// use arrow_buffer::{Buffer, TextSlots, Values};
///
/// let offsets = Values::from(vec![0, 4, 4, 9]);
/// let slots = TextSlots::<i32>::try_new(offsets, Buffer::copy_from("zoë grüße".as_bytes()))?;
/// assert_eq!((slots.get(0), slots.get(1), slots.get(3)), (Some("zoë"), Some(""), None));
/// # Ok::<(), arrow_buffer::TextSlotsError>(())
/// ```
#[derive(Clone, Default)]
pub struct TextSlots<O: OffsetWidth> {
    /// The offsets: one more than there are slots, or none if there are no slots.
    offsets: Values<O>,
    text: Text,
}

impl<O: OffsetWidth> TextSlots<O> {
    /// Checks that the offsets are in order, that the bytes are UTF-8, and that no offset is inside a character or
    /// outside of the bytes.
    ///
    /// # Errors
    ///
    /// Invalid offsets, and the errors of [`Text::try_new_at`].
    pub fn try_new(offsets: Values<O>, bytes: Buffer) -> Result<TextSlots<O>, TextSlotsError> {
        check_offsets(&offsets)?;
        let (text, characters) = Text::try_with_characters(bytes).map_err(TextOffsetsError::NotUtf8)?;
        let is_inside = |end: &O| end.to_usize().is_some_and(|end| end <= text.len());
        // Each position of ASCII text is between two characters. The offsets are in order and not negative: if the last is in bounds,
        // all are.
        let is_done = characters == Characters::Ascii && offsets.last().is_none_or(is_inside);
        let text = text.with_boundaries_at(if is_done { &[] } else { &offsets })?;
        Ok(TextSlots { offsets, text })
    }

    /// The number of slots.
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a slot. `None` if out of bounds.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<&str> {
        self.borrowed().get(slot)
    }

    /// The texts of all slots, one after the other.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        self.borrowed().iter_slots(0..self.len())
    }

    /// Borrows the slots. A loop reads slots faster from the result than from `TextSlots`.
    #[inline]
    pub fn borrowed(&self) -> TextSlotsRef<'_, O> {
        TextSlotsRef { offsets: &self.offsets, text: &self.text }
    }

    /// The `n_slots` slots from slot `start` on. Shares the memory.
    ///
    /// # Panics
    ///
    /// If the range is out of bounds, like indexing into a slice.
    pub fn slice(&self, start: usize, n_slots: usize) -> TextSlots<O> {
        let end = start.checked_add(n_slots).filter(|&end| end <= self.len());
        let Some(end) = end else {
            panic!("{n_slots} slots from slot {start} are out of bounds of {} slots", self.len())
        };
        let offsets =
            if self.offsets.is_empty() { Values::default() } else { self.offsets.slice(start..=end) };
        TextSlots { offsets, text: self.text.clone() }
    }

    /// The offsets: one more than there are slots, or none if there are no slots.
    pub fn offsets(&self) -> &Values<O> {
        &self.offsets
    }

    /// The text to which the offsets refer.
    pub fn text(&self) -> &Text {
        &self.text
    }
}

/// Slots that are borrowed from [`TextSlots`].
#[derive(Clone, Copy)]
pub struct TextSlotsRef<'a, O> {
    /// The offsets of a `TextSlots`. Only [`TextSlots::borrowed`] makes this type.
    offsets: &'a [O],
    text: &'a str,
}

impl<'a, O: OffsetWidth> TextSlotsRef<'a, O> {
    /// The text of a slot. `None` if out of bounds.
    #[inline]
    pub fn get(self, slot: usize) -> Option<&'a str> {
        // The end is looked up first: if it exists, the start does too.
        let end = *self.offsets.get(slot.checked_add(1)?)?;
        let start = *self.offsets.get(slot)?;
        let range = position(start)..position(end);
        // SAFETY: `range` lies between consecutive offsets of a `TextSlots`. These are boundaries of its text, and no
        // offset is less than the offset before it: checked in `TextSlots::try_new`, true of appended texts in
        // `TextSlotsBuilder` and `GrowingTextSlots`, and kept by `slice`. Neither offsets nor text can change.
        Some(unsafe { self.text.get_unchecked(range) })
    }

    /// The texts of a range of slots, one after the other. The iterator is empty if the range is out of bounds.
    #[inline]
    pub fn iter_slots(
        self,
        slots: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator + Clone {
        let text = self.text;
        let offsets = self.offsets.get(slots.start..slots.end.saturating_add(1)).unwrap_or_default();
        let ends = offsets.get(1..).unwrap_or_default();
        ends.iter().zip(offsets).map(move |(&end, &start)| {
            let range = position(start)..position(end);
            // SAFETY: `range` lies between consecutive offsets of a `TextSlots`. These are boundaries of its text, and
            // no offset is less than the offset before it: checked in `TextSlots::try_new`, true of appended texts in
            // `TextSlotsBuilder` and `GrowingTextSlots`, and kept by `slice`. Neither offsets nor text can change.
            unsafe { text.get_unchecked(range) }
        })
    }
}

/// Shows the number of slots.
impl<O> fmt::Debug for TextSlotsRef<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TextSlotsRef({} slots)", self.offsets.len().saturating_sub(1))
    }
}

/// The error for offsets that are out of order, bytes that are not UTF-8, or offsets inside characters.
#[derive(Clone, PartialEq, Eq)]
pub enum TextSlotsError {
    /// The offsets are out of order.
    Offsets(OffsetsError),
    /// The bytes are not UTF-8, or an offset does not lie between two characters.
    Text(TextOffsetsError),
}

arrow_error::debug_as_display!(TextSlotsError);

impl fmt::Display for TextSlotsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextSlotsError::Offsets(error) => fmt::Display::fmt(error, f),
            TextSlotsError::Text(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for TextSlotsError {}

impl From<OffsetsError> for TextSlotsError {
    fn from(error: OffsetsError) -> TextSlotsError {
        TextSlotsError::Offsets(error)
    }
}

impl From<TextOffsetsError> for TextSlotsError {
    fn from(error: TextOffsetsError) -> TextSlotsError {
        TextSlotsError::Text(error)
    }
}

/// An offset as a position. It is not negative, and fits a `usize`.
#[inline]
fn position<O: OffsetWidth>(offset: O) -> usize {
    let offset: i64 = offset.into();
    offset as usize
}

/// Shows the beginning of the text, and the number of slots.
impl<O: OffsetWidth> fmt::Debug for TextSlots<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TextSlots({} slots of {:?})", self.len(), self.text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::TextSlots;
    use crate::{Buffer, Values};

    proptest! {
        /// If the check accepts an input, its slots read as the same text as with checked slicing.
        #[test]
        fn agrees_with_slicing(
            text in "[a-zäß世🦀]{0,12}", offsets in prop::collection::vec(-1..30_i64, 0..8), sorted: bool, start in 0..8_usize,
        ) {
            let mut offsets = offsets;
            if sorted {
                offsets.sort_unstable();
            }
            let is_boundary = |&at: &i64| usize::try_from(at).is_ok_and(|at| text.is_char_boundary(at));
            let wide = TextSlots::try_new(Values::from(offsets.clone()), Buffer::copy_from(text.as_bytes()));
            prop_assert_eq!(wide.is_ok(), offsets.is_sorted() && offsets.iter().all(is_boundary));
            let narrow: Vec<i32> = offsets.iter().map(|&at| at as i32).collect();
            let narrow = TextSlots::try_new(Values::from(narrow), Buffer::copy_from(text.as_bytes()));
            let (Ok(wide), Ok(narrow)) = (wide, narrow) else { return Ok(()) };
            let slots: Vec<&str> =
                offsets.windows(2).map(|at| text.get(at[0] as usize..at[1] as usize).unwrap_or("out of order")).collect();
            prop_assert!(wide.iter().eq(slots.iter().copied()) && narrow.iter().eq(slots.iter().copied()));
            for (slot, text) in slots.iter().enumerate() {
                prop_assert_eq!((wide.get(slot), narrow.get(slot)), (Some(*text), Some(*text)));
            }
            prop_assert_eq!(wide.borrowed().iter_slots(0..slots.len() + 1).len(), 0);
            prop_assert_eq!((wide.get(slots.len()), wide.get(usize::MAX)), (None, None));
            let start = start.min(slots.len());
            prop_assert!(wide.slice(start, slots.len() - start).iter().eq(slots[start..].iter().copied()));
        }
    }
}
