//! Builds text slot by slot. Each offset is the end of a text, so it lies between two characters.

use crate::offsets::{OffsetOverflow, OffsetWidth};
use crate::text::Text;
use crate::text_slots::TextSlots;
use crate::values::Values;

/// Collects texts into [`TextSlots`]. [`finish`](TextSlotsBuilder::finish) checks nothing, since every offset is the
/// end of a text.
///
/// ```
/// use arrow_buffer::TextSlotsBuilder;
///
/// let mut builder = TextSlotsBuilder::<i32>::new();
/// builder.push("zoë")?;
/// builder.push_empty(1);
/// builder.push("grüße")?;
/// builder.truncate(2);
/// let slots = builder.finish();
/// assert_eq!((slots.len(), slots.get(0), slots.get(1)), (2, Some("zoë"), Some("")));
/// # Ok::<(), arrow_buffer::OffsetOverflow>(())
/// ```
#[derive(Debug, Clone)]
pub struct TextSlotsBuilder<O> {
    /// The offsets: 0, then the length of `text` after each slot. They do not decrease.
    offsets: Vec<O>,
    text: String,
}

impl<O: OffsetWidth> TextSlotsBuilder<O> {
    /// Makes a builder without slots.
    pub fn new() -> TextSlotsBuilder<O> {
        TextSlotsBuilder { offsets: vec![O::ZERO], text: String::new() }
    }

    /// The number of slots.
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The total number of bytes of all texts.
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }

    /// Reserves capacity for more slots and their bytes.
    pub fn reserve(&mut self, n_slots: usize, n_bytes: usize) {
        self.offsets.reserve(n_slots);
        self.text.reserve(n_bytes);
    }

    /// Appends a text.
    ///
    /// # Errors
    ///
    /// If the length of all texts together does not fit the type of the offsets. After an error, nothing is appended.
    #[inline]
    pub fn push(&mut self, text: &str) -> Result<(), OffsetOverflow> {
        let end = self.text.len().saturating_add(text.len());
        let Some(end) = O::from_usize(end) else {
            return Err(OffsetOverflow { slot: self.len(), n_bits: size_of::<O>() * 8 });
        };
        self.text.push_str(text);
        self.offsets.push(end);
        Ok(())
    }

    /// Appends `n_slots` empty texts.
    pub fn push_empty(&mut self, n_slots: usize) {
        self.offsets.resize(self.offsets.len().saturating_add(n_slots), self.end());
    }

    /// The text of a slot. `None` if out of bounds.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<&str> {
        let position = |idx: usize| self.offsets.get(idx).and_then(|offset| offset.to_usize());
        self.text.get(position(slot)?..position(slot.checked_add(1)?)?)
    }

    /// Removes all slots after the first `n_slots`, and their text. Does nothing if there are at most `n_slots` slots.
    pub fn truncate(&mut self, n_slots: usize) {
        self.offsets.truncate(n_slots.saturating_add(1));
        self.text.truncate(self.end().to_usize().expect("offsets are made of lengths"));
    }

    /// Returns the texts, and leaves the builder empty.
    pub fn finish(&mut self) -> TextSlots<O> {
        let offsets = Values::from(std::mem::replace(&mut self.offsets, vec![O::ZERO]));
        TextSlots { offsets, text: Text::from(std::mem::take(&mut self.text)) }
    }

    fn end(&self) -> O {
        self.offsets.last().copied().expect("the first offset is always there")
    }
}

impl<O: OffsetWidth> Default for TextSlotsBuilder<O> {
    fn default() -> Self {
        Self::new()
    }
}
