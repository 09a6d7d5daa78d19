//! Finds out whether slots refer to at least `n` different bytes or values. Bytes and values to which several slots
//! refer count once.
//!
//! The cheapest method is tried first: if slots refer to their data in order, the first slots are enough for the
//! answer.

use std::{hint::select_unpredictable, iter, ops::ControlFlow};

use arrow_buffer::View;
use arrow_data::{ArrayData, References, positions::numbers};

use super::used::{UsedRange, UsedRanges, lengths, try_each};
use crate::error::SelectError;

/// Slots count as unordered once the total length of their ranges exceeds `2 * (n + MAX_SEEN_AGAIN)`, where `n` is the
/// number of different bytes or values so far.
const MAX_SEEN_AGAIN: usize = 4 << 10;

/// The number of views that are visited before the next check whether enough bytes were found.
const N_AT_ONCE: usize = 256;

/// If the data has at most this number of bytes or values for each range, a bitmap marks each byte or value. Otherwise
/// the ranges are sorted.
const MAX_BITS_PER_PART: usize = 256;

/// Whether valid slots refer to at least `n` different bytes of data buffers of views, items of list views, or
/// values of children of dense unions. Slots of other layouts refer to none of these.
///
/// If the content is unchecked and invalid, the answer has no meaning.
///
/// # Errors
/// An internal error, if an invariant of arrays is broken.
///
/// ```
/// use arrow_buffer::{Buffer, View};
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_schema::DataType;
/// use arrow_select::refers_to_at_least;
///
/// let text = b"a text that three slots refer to, and more";
/// let views = vec![View::long(&text[..31], 0, 0).expect("more than 12 bytes"); 3];
/// let array = ArrayData::try_new(ArrayParts {
///     buffers: [Buffer::from(views), Buffer::new()],
///     variadic: Some([Buffer::copy_from(text)].into()),
///     ..ArrayParts::new(DataType::Utf8View, 3)
/// })?;
/// assert_eq!((refers_to_at_least(&array, 31), refers_to_at_least(&array, 32)), (Ok(true), Ok(false)));
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
pub fn refers_to_at_least(array: &ArrayData, n: usize) -> Result<bool, SelectError> {
    if n == 0 {
        return Ok(true);
    }
    if let Some(found) = in_order(array, n)? {
        return Ok(found);
    }
    // The sum of the lengths of all ranges is at least the number of different bytes or slots.
    let mut sum = 0_usize;
    let mut n_parts = 0_usize;
    let _ = try_each(array, |part| {
        sum = sum.saturating_add(part.n());
        n_parts += 1;
        ControlFlow::Continue(())
    })?;
    if sum < n {
        return Ok(false);
    }
    match marked(array, n, n_parts)? {
        Some(found) => Ok(found),
        None => Ok(UsedRanges::from_array(array)?.n() >= n),
    }
}

/// The answer if slots refer to their data nearly in order, otherwise `None`.
#[inline(never)]
fn in_order(array: &ArrayData, n: usize) -> Result<Option<bool>, SelectError> {
    if array.layout().references() == References::Data && begins_in_order(array, n)? {
        return Ok(Some(true));
    }
    let mut ends = vec![0_usize; lengths(array).len()];
    let mut n_new = 0_usize;
    let mut n_seen = 0_usize;
    let end = try_each(array, |UsedRange { of, start, end }| {
        let Some(reached) = ends.get_mut(of) else { return ControlFlow::Break(()) };
        n_new = n_new.saturating_add(end.saturating_sub(start.max(*reached)));
        n_seen = n_seen.saturating_add(end - start);
        *reached = end.max(*reached);
        if n_new >= n || n_seen / 2 > n_new.saturating_add(MAX_SEEN_AGAIN) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    Ok(match end {
        _ if n_new >= n => Some(true),
        // All ranges were seen, and no byte or slot was seen twice.
        ControlFlow::Continue(()) if n_seen < n || n_seen == n_new => Some(false),
        ControlFlow::Continue(()) | ControlFlow::Break(()) => None,
    })
}

/// Whether the first views refer to at least `n` bytes, and the bytes of each view follow the bytes of the view before
/// it. Builders write views in this order. `false` means that the answer is unknown.
fn begins_in_order(array: &ArrayData, n: usize) -> Result<bool, SelectError> {
    let views = numbers::<View>(array.buffer(0), array.len())?;
    let validity = array.validity_with_nulls();
    let n = u64::try_from(n).unwrap_or(u64::MAX);
    let mut seen = SeenInOrder { is_in_order: true, reached: 0, n_bytes: 0 };
    for (chunk_idx, chunk) in views.chunks(N_AT_ONCE).enumerate() {
        match validity {
            None => seen.follow(chunk.iter().zip(iter::repeat(true))),
            Some(validity) => {
                let bits = validity.slice(chunk_idx * N_AT_ONCE, chunk.len());
                seen.follow(chunk.iter().zip(bits.iter()));
            }
        }
        if !seen.is_in_order || seen.n_bytes >= n {
            break;
        }
    }
    Ok(seen.is_in_order && seen.n_bytes >= n)
}

struct SeenInOrder {
    is_in_order: bool,
    /// The buffer index and the offset at which the last value ended.
    reached: u64,
    n_bytes: u64,
}

impl SeenInOrder {
    /// Counts the bytes of views whose bit is set. A branch for short values would often be mispredicted where short
    /// and long values are mixed.
    #[inline(always)]
    fn follow<'a>(&mut self, views: impl Iterator<Item = (&'a View, bool)>) {
        for (view, bit) in views {
            let at = |number: i32| u64::from(number.cast_unsigned());
            let start = at(view.buffer_idx()) << 32 | at(view.offset());
            let length = at(view.n_bytes());
            let counts = bit & !view.is_inline();
            self.is_in_order &= !counts | (start >= self.reached);
            self.reached = select_unpredictable(counts, start.wrapping_add(length), self.reached);
            self.n_bytes = self.n_bytes.wrapping_add(select_unpredictable(counts, length, 0));
        }
    }
}

/// The answer from a bitmap with a bit for each byte or slot; `None` if marking would take longer than sorting.
#[inline(never)]
fn marked(array: &ArrayData, n: usize, n_parts: usize) -> Result<Option<bool>, SelectError> {
    let lengths = lengths(array);
    let n_bits = lengths.iter().fold(0_usize, |sum, n| sum.saturating_add(*n));
    if n_bits / MAX_BITS_PER_PART > n_parts {
        return Ok(None);
    }
    let mut first_bits = Vec::with_capacity(lengths.len());
    let mut n_bits = 0_usize;
    for length in &lengths {
        first_bits.push(n_bits);
        n_bits += length;
    }
    let mut marks = MarkedBits { words: vec![0; n_bits.div_ceil(64)] };
    let mut n_new = 0_usize;
    // Ranges that overlap mark the same bits many times, so the number of marks is limited.
    let mut n_left = n_bits.saturating_mul(4).saturating_add(n_parts.saturating_mul(64));
    let mut is_cut_short = false;
    let _ = try_each(array, |part| {
        let first =
            first_bits.get(part.of).zip(lengths.get(part.of)).filter(|(_, length)| part.end <= **length);
        let Some((first, _)) = first else { return ControlFlow::Continue(()) };
        match n_left.checked_sub(part.n()) {
            Some(left) => n_left = left,
            None => {
                is_cut_short = true;
                return ControlFlow::Break(());
            }
        }
        n_new += part.n() - marks.set(first + part.start, first + part.end);
        if n_new >= n { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok((!is_cut_short).then_some(n_new >= n))
}

struct MarkedBits {
    words: Vec<u64>,
}

impl MarkedBits {
    /// Sets the bits from `start` to `end`, at least one bit. Returns how many of these bits were set before.
    #[inline]
    fn set(&mut self, start: usize, end: usize) -> usize {
        let last = end - 1;
        let first_word = start / 64;
        let last_word = last / 64;
        let (from, to) = (u64::MAX << (start % 64), u64::MAX >> (63 - last % 64));
        if first_word == last_word {
            return self.set_in(first_word, from & to);
        }
        let between = (first_word + 1..last_word).map(|word| self.set_in(word, u64::MAX)).sum::<usize>();
        self.set_in(first_word, from) + between + self.set_in(last_word, to)
    }

    #[inline]
    fn set_in(&mut self, word: usize, bits: u64) -> usize {
        let Some(word) = self.words.get_mut(word) else { return 0 };
        let before = *word & bits;
        *word |= bits;
        if before == 0 { 0 } else { before.count_ones() as usize }
    }
}

#[cfg(test)]
mod tests {
    use testing_support::Rng;

    use super::*;

    #[test]
    fn marks_are_those_of_single_bits() {
        let mut rng = Rng::new(3);
        for _ in 0..50 {
            let mut marks = MarkedBits { words: vec![0; 5] };
            let mut naive = [false; 320];
            for _ in 0..20 {
                let start = rng.below(320);
                let end = start + 1 + rng.below(320 - start);
                let before = naive[start..end].iter().filter(|bit| **bit).count();
                naive[start..end].fill(true);
                assert_eq!(marks.set(start, end), before, "{start}..{end}");
            }
        }
    }
}
