//! Reads slots for iteration, in loops with few checks.

use std::ops::Range;

use arrow_buffer::{Bitmap, NativeType, TextSlotsRef};

use super::proven::{Width, range};

/// Reads the slots of an array from borrowed buffers. Only this crate uses and implements this trait.
pub trait Access: Copy {
    /// The Rust type of the value of a slot.
    type Item;

    /// Whether it is faster to read a null slot and drop the result than to branch on validity.
    const NULLS_ARE_CHEAP: bool = false;

    /// The value of a slot; zero or an empty value if out of bounds. The value of a null slot has no meaning.
    fn at(self, slot: usize) -> Self::Item;

    /// Folds the values of `slots`. All these slots must be valid.
    #[inline]
    fn fold_valid<B>(self, slots: Range<usize>, start: B, mut step: impl FnMut(B, Self::Item) -> B) -> B {
        slots.fold(start, |folded, slot| step(folded, self.at(slot)))
    }

    /// Folds the values of `slots`, `None` for null slots. `valid` has one bit for each of these slots.
    #[inline]
    fn fold<B>(
        self,
        slots: Range<usize>,
        valid: &Bitmap,
        start: B,
        mut step: impl FnMut(B, Option<Self::Item>) -> B,
    ) -> B {
        let mut base = slots.start;
        valid.words().fold(start, |folded, word| {
            let here = base..slots.end.min(base.saturating_add(64));
            base = here.end;
            if word == u64::MAX {
                return self.fold_valid(here, folded, |folded, value| step(folded, Some(value)));
            }
            let mut bits = word;
            let mut next = || {
                let is_valid = bits & 1 == 1;
                bits >>= 1;
                is_valid
            };
            if Self::NULLS_ARE_CHEAP {
                return self.fold_valid(here, folded, |folded, value| step(folded, next().then_some(value)));
            }
            here.fold(folded, |folded, slot| step(folded, if next() { Some(self.at(slot)) } else { None }))
        })
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> BitReader<'a> {
    #[inline]
    pub(super) fn from_bitmap(bitmap: &'a Bitmap) -> BitReader<'a> {
        BitReader { bytes: bitmap.buffer(), offset: bitmap.bit_offset() }
    }

    /// A bit of the bitmap, which must be in bounds.
    #[inline]
    pub(super) fn get(self, slot: usize) -> bool {
        let at = self.offset + slot;
        self.bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1)
    }
}

/// Reads fixed-width numbers.
#[derive(Debug, Clone, Copy)]
pub struct Numbers<'a, T>(pub(super) &'a [T]);

impl<T: NativeType> Access for Numbers<'_, T> {
    type Item = T;
    const NULLS_ARE_CHEAP: bool = true;

    #[inline]
    fn at(self, slot: usize) -> T {
        self.0.get(slot).copied().unwrap_or_default()
    }

    #[inline]
    fn fold_valid<B>(self, slots: Range<usize>, start: B, step: impl FnMut(B, T) -> B) -> B {
        self.0.get(slots).unwrap_or_default().iter().copied().fold(start, step)
    }
}

/// Reads utf8 values with offsets.
#[derive(Debug, Clone, Copy)]
pub enum Texts<'a, O: Width> {
    /// Every slot is proven to be UTF-8.
    Proven(TextSlotsRef<'a, O>),
    /// Null slots may begin or end inside characters.
    Loose {
        /// The offsets of the slots.
        offsets: &'a [O],
        /// The text to which the offsets refer.
        text: &'a str,
    },
}

impl<'a, O: Width> Access for Texts<'a, O> {
    type Item = &'a str;
    const NULLS_ARE_CHEAP: bool = true;

    #[inline]
    fn at(self, slot: usize) -> &'a str {
        match self {
            Texts::Proven(slots) => slots.get(slot).unwrap_or_default(),
            Texts::Loose { offsets, text } => loose(offsets, text, slot),
        }
    }

    #[inline]
    fn fold_valid<B>(self, slots: Range<usize>, start: B, mut step: impl FnMut(B, &'a str) -> B) -> B {
        match self {
            Texts::Proven(texts) => texts.iter_slots(slots).fold(start, step),
            Texts::Loose { offsets, text } => fold_ranges(offsets, slots, start, |folded, range| {
                step(folded, text.get(range).unwrap_or_default())
            }),
        }
    }
}

/// Reads a slot of an array in which null slots may have offsets inside characters. Such arrays are rare, so this code
/// is not inlined into the loops of callers.
#[inline(never)]
fn loose<'a, O: Width>(offsets: &[O], text: &'a str, slot: usize) -> &'a str {
    text.get(range(offsets, slot)).unwrap_or_default()
}

/// Reads binary values with offsets.
#[derive(Debug, Clone, Copy)]
pub struct Strings<'a, O> {
    pub(super) offsets: &'a [O],
    pub(super) bytes: &'a [u8],
}

impl<'a, O: Width> Access for Strings<'a, O> {
    type Item = &'a [u8];
    const NULLS_ARE_CHEAP: bool = true;

    #[inline]
    fn at(self, slot: usize) -> &'a [u8] {
        self.bytes.get(range(self.offsets, slot)).unwrap_or_default()
    }

    #[inline]
    fn fold_valid<B>(self, slots: Range<usize>, start: B, mut step: impl FnMut(B, &'a [u8]) -> B) -> B {
        fold_ranges(self.offsets, slots, start, |folded, range| {
            step(folded, self.bytes.get(range).unwrap_or_default())
        })
    }
}

/// Folds the ranges of slots. Each range starts where the previous one ends, so each offset is read once.
#[inline]
fn fold_ranges<B, O: Width>(
    offsets: &[O],
    slots: Range<usize>,
    start: B,
    mut step: impl FnMut(B, Range<usize>) -> B,
) -> B {
    let [first, ends @ ..] = offsets.get(slots.start..slots.end.saturating_add(1)).unwrap_or_default() else {
        return start;
    };
    let position = |offset: O| offset.to_usize().unwrap_or_default();
    let mut from = position(*first);
    ends.iter().fold(start, |folded, end| {
        let to = position(*end);
        step(folded, std::mem::replace(&mut from, to)..to)
    })
}
