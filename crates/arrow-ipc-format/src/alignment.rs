//! Lengths, and the alignment of messages, bodies and buffers.

use std::ops::Range;

use crate::error::{FormatErrorKind, Result};

/// The length of a range in bytes; 0 if `end` is before `start`.
pub fn length_of(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

/// Computes `n * part / all`, rounded down. If `all` is 0, divides by 1.
pub fn share_of(n: u64, part: u64, all: u64) -> u64 {
    let share = u128::from(n) * u128::from(part) / u128::from(all.max(1));
    u64::try_from(share).unwrap_or(u64::MAX)
}

/// From this length on, buffers begin at multiples of 64, unless the chosen alignment is smaller.
const LARGE_BYTES: u64 = 64;
/// The smallest allowed alignment, and the alignment of the smallest buffers.
pub const SMALL_ALIGNMENT: u64 = 8;

/// The alignment of messages and bodies: they begin and end at multiples of this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alignment(u64);

impl Alignment {
    /// The largest alignment that a caller may set. A larger one would only add zeros.
    pub const MAX: usize = 64 << 10;

    /// # Errors
    /// If `n_bytes` is not a power of two from 8 to [`MAX`](Alignment::MAX).
    pub fn try_new(n_bytes: usize) -> Result<Alignment> {
        let is_allowed = n_bytes.is_power_of_two() && (8..=Alignment::MAX).contains(&n_bytes);
        let kind = FormatErrorKind::Alignment { requested: n_bytes, max: Alignment::MAX };
        if is_allowed { Ok(Alignment(n_bytes as u64)) } else { Err(kind.into()) }
    }

    /// The alignment in bytes.
    pub fn n_bytes(self) -> u64 {
        self.0
    }

    /// The position of a buffer of `n_bytes` bytes, if the bytes before it end at `end`.
    #[inline]
    pub fn buffer_start(self, end: u64, n_bytes: u64) -> u64 {
        // Most buffers of small batches are smaller than both alignments, so they need no further comparison.
        if n_bytes < self.0.min(LARGE_BYTES) {
            return round_up(end, SMALL_ALIGNMENT);
        }
        round_up(end, if n_bytes >= self.0 { self.0 } else { LARGE_BYTES })
    }
}

impl Default for Alignment {
    fn default() -> Alignment {
        Alignment(LARGE_BYTES)
    }
}

/// Rounds `n_bytes` up to a multiple of `alignment`, a power of two. If the result exceeds 64 bits, returns the
/// largest multiple that fits.
#[inline]
pub fn round_up(n_bytes: u64, alignment: u64) -> u64 {
    n_bytes.saturating_add(alignment - 1) & !(alignment - 1)
}
