//! Slots of text that grow while other code reads snapshots.

use crate::buffer::growing::GrowingBuffer;
use crate::offsets::{OffsetOverflow, OffsetWidth};
use crate::text::GrowingText;
use crate::text_slots::TextSlots;
use crate::values::Values;

/// Text slots that can grow. A snapshot is a [`TextSlots`], and copies nothing. It needs no check, since every offset
/// is the end of an appended text.
///
/// ```
/// use arrow_buffer::GrowingTextSlots;
///
/// let mut texts = GrowingTextSlots::<i32>::new();
/// texts.push("zoë")?;
/// let before = texts.snapshot();
/// texts.extend_from_slots(&before)?;
/// let after = texts.snapshot();
/// assert!(before.iter().eq(["zoë"]) && after.iter().eq(["zoë", "zoë"]));
/// # Ok::<(), arrow_buffer::OffsetOverflow>(())
/// ```
#[derive(Debug, Clone)]
pub struct GrowingTextSlots<O> {
    /// The offsets, of type `O`: 0, then the length of `text` after each slot. They do not decrease.
    offsets: GrowingBuffer,
    n_slots: usize,
    text: GrowingText,
    width: std::marker::PhantomData<O>,
}

impl<O: OffsetWidth> GrowingTextSlots<O> {
    /// Makes an empty list of slots.
    pub fn new() -> GrowingTextSlots<O> {
        let mut offsets = GrowingBuffer::new();
        offsets.extend_values(&[O::ZERO]);
        GrowingTextSlots { offsets, n_slots: 0, text: GrowingText::new(), width: std::marker::PhantomData }
    }

    /// The number of slots.
    pub fn len(&self) -> usize {
        self.n_slots
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.n_slots == 0
    }

    /// The total number of bytes of all texts.
    pub fn n_bytes(&self) -> usize {
        self.text.len()
    }

    /// Appends a text.
    ///
    /// # Errors
    ///
    /// If the length of all texts together does not fit the type of the offsets. After an error, nothing is appended.
    pub fn push(&mut self, text: &str) -> Result<(), OffsetOverflow> {
        let end = self.text.len().checked_add(text.len()).and_then(O::from_usize);
        let end = end.ok_or_else(|| self.overflow(0))?;
        self.text.push(text);
        self.offsets.extend_values(&[end]);
        self.n_slots += 1;
        Ok(())
    }

    /// Appends all slots, and only the text that they refer to.
    ///
    /// # Errors
    ///
    /// If the length of all texts together does not fit the type of the offsets. After an error, nothing is appended.
    pub fn extend_from_slots(&mut self, slots: &TextSlots<O>) -> Result<(), OffsetOverflow> {
        let offsets = slots.offsets.as_slice();
        let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else { return Ok(()) };
        let position = |offset: &O| offset.to_usize().expect("offsets of text are not negative");
        let (first, last) = (position(first), position(last));
        let start = self.text.len();
        let moved = |offset: &O| start.checked_add(position(offset) - first).and_then(O::from_usize);
        let mut ends: Vec<O> = Vec::with_capacity(slots.len());
        for (slot, end) in offsets.iter().skip(1).enumerate() {
            ends.push(moved(end).ok_or_else(|| self.overflow(slot))?);
        }
        // Both offsets lie between characters, the first is not greater than the last, and all offsets between them lie between characters.
        self.text.push(&slots.text[first..last]);
        self.offsets.extend_values(&ends);
        self.n_slots += ends.len();
        Ok(())
    }

    /// All slots so far. Nothing is copied. The slots of the snapshot never change.
    pub fn snapshot(&self) -> TextSlots<O> {
        let Ok(offsets) = Values::try_new(self.offsets.snapshot(), self.n_slots + 1) else {
            unreachable!("the buffer is aligned, and an offset was appended for every slot")
        };
        TextSlots { offsets, text: self.text.snapshot() }
    }

    /// The error for a slot that does not fit. `slot` counts from the first slot that is being appended.
    fn overflow(&self, slot: usize) -> OffsetOverflow {
        OffsetOverflow { slot: self.n_slots.saturating_add(slot), n_bits: size_of::<O>() * 8 }
    }
}

impl<O: OffsetWidth> Default for GrowingTextSlots<O> {
    fn default() -> Self {
        Self::new()
    }
}
