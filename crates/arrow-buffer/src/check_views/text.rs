//! Checks whether the values of views are UTF-8, without reading each value.
//!
//! The range of a data buffer that views refer to is checked as a whole. If it is UTF-8, then every value in it that
//! starts and ends between characters is UTF-8. If the range is not UTF-8, [`character_spans`](super::character_spans) finds which
//! of its values are UTF-8. That module also reads the range once, so a million views of the same bytes do not cause a
//! million checks.

use std::ops::Range;

use crate::buffer::Buffer;
use crate::check_views::survey::{AdjacentValues, BLOCK, BlockObserver, ViewObserver, mask_idx, words};
use crate::number::view::{MAX_INLINE_BYTES, View};
use crate::utf8::{self, Characters};

/// If the range that views refer to is longer than this factor times the total length of their values, the values are
/// checked one by one.
const SPARSE: u64 = 16;

/// The number of data buffers that are sampled, and the length of each sample, to guess which characters the data consist
/// of.
const N_SAMPLED: usize = 4;
const SAMPLE_BYTES: usize = 256;

/// What one pass over valid views has found out about their values. The data buffers are checked afterwards.
pub(super) struct TextCheck {
    /// For each data buffer, the range to which views refer; empty if no view refers to the buffer.
    extents: Vec<Range<usize>>,
    /// The kind of characters that the data is expected to have. The ends of values are checked during the pass only if they may cut
    /// a character.
    expected: Characters,
    /// Whether every long value that was checked seems to start and end between characters.
    between_characters: bool,
    n_long_bytes: u64,
    /// The first slot whose value is not UTF-8, among the values that were checked one by one.
    first_wrong: Option<usize>,
}

/// The state of a [`TextCheck`] while it checks one block, kept in registers.
pub(super) struct BlockCheck<'a> {
    check: &'a mut TextCheck,
    /// The data buffer to which the last view referred. `extent` is the range of this buffer to which views have referred
    /// since the buffer changed.
    current: i32,
    extent: Range<usize>,
    between_characters: bool,
    n_long_bytes: u64,
}

/// An empty extent. After a range has been added, the extent is that range.
const NO_EXTENT: Range<usize> = Range { start: usize::MAX, end: 0 };

impl TextCheck {
    pub(super) fn new(data: &[Buffer]) -> TextCheck {
        let expected =
            if data.iter().take(N_SAMPLED).all(is_start_ascii) { Characters::Ascii } else { Characters::Any };
        TextCheck {
            expected,
            between_characters: true,
            extents: vec![NO_EXTENT; data.len()],
            n_long_bytes: 0,
            first_wrong: None,
        }
    }

    /// The first view whose value is not UTF-8. All views must have been passed to this check, and be in bounds.
    pub(super) fn first_not_utf8(self, views: &[View], data: &[Buffer]) -> Option<usize> {
        let wrong_long = self.first_long_not_utf8(views, data);
        self.first_wrong.into_iter().chain(wrong_long).min()
    }

    fn first_long_not_utf8(&self, views: &[View], data: &[Buffer]) -> Option<usize> {
        let n_covered = self.extents.iter().map(|extent| extent.len() as u64).sum::<u64>();
        if self.n_long_bytes < n_covered / SPARSE {
            return first_not_utf8_naive(views, data);
        }
        let check = |(buffer, extent): (&Buffer, &Range<usize>)| {
            utf8::check(buffer.get(extent.clone()).unwrap_or_default())
        };
        let checked: Vec<_> = data.iter().zip(&self.extents).map(check).collect();
        let is_any = |checked: &Result<Characters, usize>| *checked == Ok(Characters::Any);
        let cuts_characters = checked.iter().any(is_any)
            && match self.expected {
                Characters::Ascii => !are_between_characters(views, data),
                Characters::Any => !self.between_characters,
            };
        let suspicious: Vec<bool> = checked
            .iter()
            .map(|checked| match checked {
                Ok(Characters::Ascii) => false,
                Ok(Characters::Any) => cuts_characters,
                Err(_) => true,
            })
            .collect();
        if !suspicious.contains(&true) {
            return None;
        }
        super::character_spans::first_not_utf8(views, data, &suspicious)
    }
}

impl ViewObserver for TextCheck {
    type OfBlock<'a> = BlockCheck<'a>;

    fn block(&mut self) -> BlockCheck<'_> {
        BlockCheck { check: self, current: 0, extent: NO_EXTENT, between_characters: true, n_long_bytes: 0 }
    }

    fn value(&mut self, slot: usize, bytes: &[u8]) {
        if self.first_wrong.is_none() && str::from_utf8(bytes).is_err() {
            self.first_wrong = Some(slot);
        }
    }
}

impl BlockCheck<'_> {
    /// Adds a range to the extent of its buffer.
    #[inline]
    fn extend(&mut self, buffer_idx: i32, range: &Range<usize>) {
        if buffer_idx != self.current {
            self.keep_extent();
            (self.current, self.extent) = (buffer_idx, NO_EXTENT);
        }
        self.extent = self.extent.start.min(range.start)..self.extent.end.max(range.end);
    }

    /// Stores the current extent in the list.
    #[inline]
    fn keep_extent(&mut self) {
        let extent = usize::try_from(self.current).ok().and_then(|idx| self.check.extents.get_mut(idx));
        if let Some(extent) = extent {
            *extent = extent.start.min(self.extent.start)..extent.end.max(self.extent.end);
        }
    }
}

impl BlockObserver for BlockCheck<'_> {
    #[inline]
    fn long(&mut self, view: &View, buffer: &[u8], range: Range<usize>) {
        self.n_long_bytes += range.len() as u64;
        if self.check.expected == Characters::Any {
            let [first, ..] = view.prefix();
            self.between_characters &= utf8::starts_character(first) & utf8::is_boundary(buffer, range.end);
        }
        self.extend(view.buffer_idx(), &range);
    }

    #[inline]
    fn run(&mut self, run: &AdjacentValues<'_>) {
        let AdjacentValues { buffer_idx, buffer, range, starts_characters } = run;
        self.n_long_bytes += range.len() as u64;
        // Each value of the run ends where the next starts, so only the start of each value needs a check.
        self.between_characters &= starts_characters & utf8::is_boundary(buffer, range.end);
        self.extend(*buffer_idx, range);
    }

    #[inline]
    fn finish(mut self, block: &[View], first_slot: usize, inline: Characters) {
        self.keep_extent();
        let check = self.check;
        check.between_characters &= self.between_characters;
        check.n_long_bytes = check.n_long_bytes.saturating_add(self.n_long_bytes);
        if inline == Characters::Any && check.first_wrong.is_none() && !is_inline_utf8(block) {
            let is_wrong =
                |view: &View| view.inline_bytes().is_some_and(|bytes| str::from_utf8(bytes).is_err());
            check.first_wrong = block.iter().position(is_wrong).map(|idx| first_slot + idx);
        }
    }
}

fn is_start_ascii(buffer: &Buffer) -> bool {
    buffer.iter().take(SAMPLE_BYTES).all(u8::is_ascii)
}

/// Whether the inline values of a block are UTF-8. All are checked at once.
///
/// Sizes and long views are replaced by zeros. The four zeros in place of each size separate the values, so that no
/// character continues in the next value.
fn is_inline_utf8(block: &[View]) -> bool {
    const AFTER_SIZE: [u64; 2] = [u64::from_ne_bytes([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]), u64::MAX];
    let mut masked = [[0_u64; 2]; BLOCK];
    for (to, view) in masked.iter_mut().zip(block) {
        let [first, second] = words(view);
        let mask = if mask_idx(view) <= MAX_INLINE_BYTES { u64::MAX } else { 0 };
        *to = [first & AFTER_SIZE[0] & mask, second & mask];
    }
    let n_views = block.len().min(BLOCK);
    simdutf8::basic::from_utf8(bytemuck::cast_slice(&masked[..n_views])).is_ok()
}

/// Whether every long value seems to start and end between characters. This is certain only if its data buffer is
/// UTF-8. All views are valid.
fn are_between_characters(views: &[View], data: &[Buffer]) -> bool {
    views.iter().fold(true, |ok, view| {
        // For inline values, some byte is read, too, but ignored. This avoids a branch.
        let mask = if view.is_inline() { 0 } else { usize::MAX };
        let buffer = data.get(view.buffer_idx() as usize & mask).map_or(&[][..], Buffer::as_slice);
        let end = (view.offset() as usize).wrapping_add(view.n_bytes() as usize) & mask;
        let [first, ..] = view.prefix();
        let is_between = utf8::starts_character(first) & utf8::is_boundary(buffer, end);
        ok & (is_between | (mask == 0))
    })
}

/// Checks the long values one by one.
fn first_not_utf8_naive(views: &[View], data: &[Buffer]) -> Option<usize> {
    views.iter().position(|view| {
        let is_text = |bytes: &[u8]| simdutf8::basic::from_utf8(bytes).is_ok();
        !view.is_inline() && !view.bytes(data).is_ok_and(is_text)
    })
}
