//! Reads slots for iteration, with borrowed state and with loops that check as little as possible.

use std::ops::Range;

use arrow_buffer::{Bitmap, Native, TextSlotsRef};

use super::proven::{Width, range};

/// Borrowed state for reading the slots of an array. Only this crate uses and implements this trait.
pub trait Access: Copy {
    /// The type of a value.
    type Item;

    /// Whether reading a null slot and dropping the result costs less than a branch around it.
    const NULLS_ARE_CHEAP: bool = false;

    /// The value of a slot; zero or an empty value if out of bounds. The value of a null slot has no meaning.
    fn at(self, slot: usize) -> Self::Item;

    /// Folds consecutive slots, all of them valid.
    #[inline]
    fn fold_valid<B>(self, slots: Range<usize>, start: B, mut step: impl FnMut(B, Self::Item) -> B) -> B {
        slots.fold(start, |folded, slot| step(folded, self.at(slot)))
    }

    /// Folds consecutive slots. `valid` has a bit for each slot.
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

/// A bitmap whose bits are read one by one.
#[derive(Debug, Clone, Copy)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> BitReader<'a> {
    #[inline]
    pub(super) fn of(bitmap: &'a Bitmap) -> BitReader<'a> {
        BitReader { bytes: bitmap.buffer(), offset: bitmap.bit_offset() }
    }

    /// A bit that lies inside the bitmap.
    #[inline]
    pub(super) fn get(self, slot: usize) -> bool {
        let at = self.offset + slot;
        self.bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1)
    }
}

/// The numbers of an array.
#[derive(Debug, Clone, Copy)]
pub struct Numbers<'a, T>(pub(super) &'a [T]);

impl<T: Native> Access for Numbers<'_, T> {
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

/// Utf8 values with offsets, for reading.
#[derive(Debug, Clone, Copy)]
pub enum Texts<'a, O: Width> {
    /// Every slot is proven to be UTF-8.
    Proven(TextSlotsRef<'a, O>),
    /// Null slots may begin or end inside characters.
    Loose {
        /// The offsets of the slots.
        offsets: &'a [O],
        /// The text of all slots.
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

/// Reads a slot of an array in which null slots may have offsets inside characters. This is a separate function, since
/// few arrays have such slots and the loops of callers are shorter without this code.
#[inline(never)]
fn loose<'a, O: Width>(offsets: &[O], text: &'a str, slot: usize) -> &'a str {
    text.get(range(offsets, slot)).unwrap_or_default()
}

/// Binary values with offsets, for reading.
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
