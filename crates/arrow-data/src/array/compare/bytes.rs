//! Compares utf8 and binary values, with offsets or with views.

use arrow_buffer::OffsetWidth;
use arrow_schema::visit;

use super::{memo::Memo, raw::first_mismatch};
use crate::{
    array::{
        ArrayData,
        positions::{Ranges, SlotBytes},
    },
    error::DataError,
};

/// The utf8 or binary values of both columns.
#[derive(Debug)]
pub(super) struct Bytes {
    left: SlotBytes,
    right: SlotBytes,
    /// Ranges of bytes that have been found equal. Views and indices may refer to the same bytes many times.
    memo: Memo,
}

/// The number of slots whose offsets are compared at once.
const BLOCK_SLOTS: usize = 1024;

/// The length in bytes above which values that may be shared are looked up in the memo before they are compared.
const BLOCK_BYTES: usize = 4096;

impl Bytes {
    pub(super) fn try_of(left: &ArrayData, right: &ArrayData) -> Result<Bytes, DataError> {
        let (left, right) = (SlotBytes::try_new(left)?, SlotBytes::try_new(right)?);
        let memo = Memo::new(BLOCK_BYTES, left.n_bytes().saturating_add(right.n_bytes()));
        Ok(Bytes { left, right, memo })
    }

    #[cfg(test)]
    pub(super) fn n_compared(&self) -> usize {
        self.memo.n_compared()
    }

    /// Whether null slots may be compared too. Offsets of null slots are in order; views of null slots may have any
    /// bytes.
    pub(super) fn is_total(&self) -> bool {
        matches!((&self.left, &self.right), (SlotBytes::Offsets(..), SlotBytes::Offsets(..)))
    }

    /// The number of equal values before the first that differs; `None` if all are equal.
    pub(super) fn find(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        visit(n);
        if !self.is_total() {
            return (0..n).find(|k| !self.same(i + k, j + k));
        }
        let mut done = 0;
        while done < n {
            let n_block = (n - done).min(BLOCK_SLOTS);
            let (from, to) = (i + done, j + done);
            if n_block == 1 || !self.same_block(from, to, n_block) {
                let differs = |k: &usize| !self.same(from + k, to + k);
                if let Some(k) = (0..n_block).find(differs) {
                    return Some(done + k);
                }
            }
            done += n_block;
        }
        None
    }

    #[inline]
    fn same(&mut self, left: usize, right: usize) -> bool {
        if let (SlotBytes::Views(left_views, _), SlotBytes::Views(right_views, _)) = (&self.left, &self.right)
            && let (Some(left), Some(right)) = (left_views.get(left), right_views.get(right))
        {
            // A view contains all bytes of a short value, and the first four bytes of a long one.
            if left.is_inline() {
                return left == right;
            }
            if left.n_bytes() != right.n_bytes() || left.prefix() != right.prefix() {
                return false;
            }
        }
        // A value that is out of bounds does not equal any value.
        let (Some(left), Some(right)) = (self.left.get(left), self.right.get(right)) else { return false };
        same_bytes(left, right, &mut self.memo)
    }

    /// Whether `n` slots have the same lengths and bytes. Compares all of them at once.
    fn same_block(&mut self, i: usize, j: usize, n: usize) -> bool {
        let (SlotBytes::Offsets(left, left_bytes), SlotBytes::Offsets(right, right_bytes)) =
            (&self.left, &self.right)
        else {
            return false;
        };
        let sizes = match (left, right) {
            (Ranges::Offsets32(left), Ranges::Offsets32(right)) => {
                same_offsets::<i32>(left, right, [i, j, n]) || same_sizes::<i32, i32>(left, right, [i, j, n])
            }
            (Ranges::Offsets64(left), Ranges::Offsets64(right)) => {
                same_offsets::<i64>(left, right, [i, j, n]) || same_sizes::<i64, i64>(left, right, [i, j, n])
            }
            (Ranges::Offsets32(left), Ranges::Offsets64(right)) => {
                same_sizes::<i32, i64>(left, right, [i, j, n])
            }
            (Ranges::Offsets64(left), Ranges::Offsets32(right)) => {
                same_sizes::<i64, i32>(left, right, [i, j, n])
            }
            _ => return false,
        };
        let all =
            |ranges: &Ranges, start: usize| Some(ranges.get(start)?.start..ranges.get(start + n - 1)?.end);
        let (Some(left), Some(right)) = (all(left, i), all(right, j)) else { return false };
        let (left, right) = (left_bytes.as_slice().get(left), right_bytes.as_slice().get(right));
        let (Some(left), Some(right)) = (left, right) else { return false };
        sizes && same_bytes(left, right, &mut self.memo)
    }
}

/// Whether two ranges of bytes are equal. The memo identifies ranges by their addresses, since buffers of one array may
/// share memory.
#[inline]
fn same_bytes(left: &[u8], right: &[u8], memo: &mut Memo) -> bool {
    if left.len() != right.len() {
        return false;
    }
    if left.len() <= BLOCK_BYTES {
        visit(left.len());
        return std::ptr::eq(left, right) || left == right;
    }
    let differing = memo.find(left.as_ptr().addr(), right.as_ptr().addr(), left.len(), |k, n| {
        // Bytes that are out of bounds do not equal any bytes.
        let (Some(left), Some(right)) = (left.get(k..k + n), right.get(k..k + n)) else { return Some(0) };
        first_mismatch(left, right)
    });
    differing.is_none()
}

/// Whether the offsets are equal numbers, as in a copy of an array. Compares them as bytes.
fn same_offsets<O: OffsetWidth>(left: &[O], right: &[O], [i, j, n]: [usize; 3]) -> bool {
    let both = left.get(i..=i + n).zip(right.get(j..=j + n));
    both.is_some_and(|(left, right)| left.first() == right.first() && left == right)
}

fn same_sizes<L: OffsetWidth, R: OffsetWidth>(left: &[L], right: &[R], [i, j, n]: [usize; 3]) -> bool {
    let (Some(left), Some(right)) = (left.get(i..=i + n), right.get(j..=j + n)) else { return false };
    let (Some(first_left), Some(first_right)) = (left.first(), right.first()) else { return false };
    // Offsets are not negative, so the difference of any two fits. If the lengths are equal, the offsets of both sides
    // differ by `shift`.
    let shift: i64 = (*first_right).into() - (*first_left).into();
    let pairs = left.iter().zip(right);
    pairs.fold(true, |same, (left, right)| same & ((*right).into() - (*left).into() == shift))
}
