//! Finds which values are UTF-8 in data buffers that are not UTF-8 as a whole.
//!
//! A decoder divides a buffer into characters and invalid pieces. A piece is a byte that starts no character, or the
//! truncated start of a character. So all bytes of a piece after the first are continuation bytes. A value is UTF-8 if
//! and only if it starts and ends between characters and contains only characters. A value that starts inside a
//! character or a piece starts with a continuation byte. A value that starts with a piece is also invalid if it is
//! decoded alone. A value that ends inside a character is truncated. So it is enough to compare values with the
//! spans of characters, and each buffer is read only once, for any number of values.

use std::ops::Range;
use std::str::Utf8Chunks;

use crate::buffer::Buffer;
use crate::number::view::View;
use crate::utf8::is_boundary;

/// The slot of a long value, and its position in its data buffer. Sorts by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LongValue {
    buffer_idx: i32,
    start: i32,
    end: i64,
    slot: usize,
}

/// The first slot whose long value is not UTF-8, in the buffers that are not UTF-8 as a whole. All views were checked.
#[cold]
pub(super) fn first_not_utf8(views: &[View], data: &[Buffer], suspicious: &[bool]) -> Option<usize> {
    let is_suspicious = |view: &View| {
        let buffer = usize::try_from(view.buffer_idx()).ok().and_then(|idx| suspicious.get(idx));
        !view.is_inline() && buffer == Some(&true)
    };
    let looked_at = views.iter().enumerate().filter(|(_, view)| is_suspicious(view));
    let mut values: Vec<LongValue> = looked_at.map(|(slot, view)| LongValue::new(view, slot)).collect();
    values.sort_unstable();
    let in_buffers = values.chunk_by(|a, b| a.buffer_idx == b.buffer_idx);
    in_buffers.filter_map(|values| first_in_buffer(values, data)).min()
}

/// The first slot whose value is not UTF-8, among the sorted values of one buffer.
fn first_in_buffer(values: &[LongValue], data: &[Buffer]) -> Option<usize> {
    let first = values.first()?;
    let buffer = data.get(usize::try_from(first.buffer_idx).ok()?)?.as_slice();
    let origin = usize::try_from(first.start).ok()?;
    let mut spans =
        CharacterSpans { next: origin, current: origin..origin, pieces: buffer.get(origin..)?.utf8_chunks() };
    let mut first_wrong = None;
    for value in values {
        let is_text = value.range().is_some_and(|range| {
            let span = spans.reaching_past(range.start);
            let is_inside = span.start <= range.start && range.end <= span.end;
            // After a span comes an invalid piece, not a character. The piece may start with continuation bytes.
            let ends_whole = range.end == span.end || is_boundary(buffer, range.end);
            is_inside && ends_whole && is_boundary(buffer, range.start)
        });
        if !is_text && first_wrong.is_none_or(|slot| value.slot < slot) {
            first_wrong = Some(value.slot);
        }
    }
    first_wrong
}

/// Iterates over the longest ranges of a buffer that consist of characters only.
struct CharacterSpans<'a> {
    pieces: Utf8Chunks<'a>,
    current: Range<usize>,
    /// The position at which the next span starts.
    next: usize,
}

impl CharacterSpans<'_> {
    /// Moves on to the first span that ends after `position`, or to the last span.
    fn reaching_past(&mut self, position: usize) -> Range<usize> {
        while self.current.end <= position
            && let Some(piece) = self.pieces.next()
        {
            self.current = self.next..self.next + piece.valid().len();
            self.next = self.current.end + piece.invalid().len();
        }
        self.current.clone()
    }
}

impl LongValue {
    fn new(view: &View, slot: usize) -> LongValue {
        let (buffer_idx, start) = (view.buffer_idx(), view.offset());
        LongValue { buffer_idx, start, end: i64::from(start) + i64::from(view.n_bytes()), slot }
    }

    fn range(&self) -> Option<Range<usize>> {
        Some(usize::try_from(self.start).ok()?..usize::try_from(self.end).ok()?)
    }
}
