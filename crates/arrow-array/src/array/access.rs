//! How iteration reads slots: what access needs, borrowed, with loops that check as little as they can.

use std::ops::Range;

use arrow_buffer::{Bitmap, Native, TextSlotsRef};

use super::{Array, Width, proven::range};

/// What reading the slots of an array needs, borrowed from it. Part of [`Array`], and not for use by others.
pub trait Access: Copy {
    /// A value.
    type Item;

    /// Whether reading a null slot costs less than a branch around it. What is read there is thrown away.
    const NULLS_ARE_CHEAP: bool = false;

    /// The value of a slot; what is empty or zero if out of bounds. The slot may be null: then the value means nothing.
    fn at(self, slot: usize) -> Self::Item;

    /// Folds slots that are all valid.
    #[inline]
    fn fold_valid<B>(self, slots: Range<usize>, start: B, mut step: impl FnMut(B, Self::Item) -> B) -> B {
        slots.fold(start, |folded, slot| step(folded, self.at(slot)))
    }

    /// Folds slots; `valid` has a bit for each, which says whether it is valid.
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

/// Bits, to be read one by one.
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

/// Access through the array itself.
#[derive(Debug)]
pub struct Whole<'a, A>(pub(super) &'a A);

impl<A> Clone for Whole<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Whole<'_, A> {}

impl<'a, A: Array> Access for Whole<'a, A> {
    type Item = A::Item<'a>;

    #[inline]
    fn at(self, slot: usize) -> A::Item<'a> {
        self.0.at(slot)
    }
}

/// Numbers.
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

/// Utf8 values with offsets.
#[derive(Debug, Clone, Copy)]
pub enum Texts<'a, O: Width> {
    /// Every slot is proven to be text.
    Proven(TextSlotsRef<'a, O>),
    /// Null slots may cut characters.
    Loose {
        /// Where the slots begin and end.
        offsets: &'a [O],
        /// All of the text.
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

/// Few arrays are so; loops are shorter without it.
#[inline(never)]
fn loose<'a, O: Width>(offsets: &[O], text: &'a str, slot: usize) -> &'a str {
    text.get(range(offsets, slot)).unwrap_or_default()
}

/// Binary values with offsets.
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

/// Folds where slots lie. The end of one is the start of the next, so that each offset is looked at once.
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
