//! Compares values of a fixed width by their bytes, and booleans by their bits.

use crate::{
    ArrayData,
    array::positions::{bits, inside},
};
use arrow_buffer::{Bitmap, Buffer};
use arrow_schema::visit;

use crate::error::DataError;

/// The buffers of values that are all `width` bytes.
#[derive(Debug)]
pub(super) struct FixedWidthPair {
    width: usize,
    left: Buffer,
    right: Buffer,
}

/// The number of bytes that are compared at once. The first difference is only searched in blocks that differ.
const BLOCK_BYTES: usize = 4096;

impl FixedWidthPair {
    /// Prepares to compare two arrays whose buffer 0 has elements of the same width.
    pub(super) fn try_of(left: &ArrayData, right: &ArrayData) -> Result<FixedWidthPair, DataError> {
        let width = inside(left.layout().data_buffers().first().map(|spec| spec.element_bytes()))?;
        let width = inside(usize::try_from(width).ok())?;
        Ok(FixedWidthPair { width, left: left.buffer(0).clone(), right: right.buffer(0).clone() })
    }

    /// The number of equal values before the first that differs; `None` if all are equal.
    #[inline]
    pub(super) fn find(&self, i: usize, j: usize, n: usize) -> Option<usize> {
        let n_bytes = n.saturating_mul(self.width);
        let bytes = |slot: usize| {
            let start = slot.saturating_mul(self.width);
            start..start.saturating_add(n_bytes)
        };
        let (left, right) = (self.left.as_slice().get(bytes(i)), self.right.as_slice().get(bytes(j)));
        // A value that is out of bounds does not equal any value.
        let (Some(left), Some(right)) = (left, right) else { return Some(0) };
        Some(first_mismatch(left, right)? / self.width.max(1))
    }
}

/// The position of the first byte that differs.
pub(super) fn first_mismatch(left: &[u8], right: &[u8]) -> Option<usize> {
    if std::ptr::eq(left, right) {
        return None;
    }
    visit(left.len().min(right.len()));
    let blocks = left.chunks(BLOCK_BYTES).zip(right.chunks(BLOCK_BYTES)).enumerate();
    for (block_idx, (left, right)) in blocks {
        if left != right {
            let at = left.iter().zip(right).position(|(left, right)| left != right);
            return Some(block_idx * BLOCK_BYTES + at.unwrap_or(left.len().min(right.len())));
        }
    }
    None
}

#[derive(Debug)]
pub(super) struct Bits {
    left: Bitmap,
    right: Bitmap,
}

impl Bits {
    pub(super) fn try_of(left: &ArrayData, right: &ArrayData) -> Result<Bits, DataError> {
        Ok(Bits { left: bits(left)?, right: bits(right)? })
    }

    /// Compares `n` bits, from bit `i` of the left and bit `j` of the right bitmap on. Returns the number of equal bits
    /// before the first difference; `None` if all are equal.
    pub(super) fn find(&self, i: usize, j: usize, n: usize) -> Option<usize> {
        differing_bit((&self.left, i), (&self.right, j), n)
    }
}

/// The number of equal bits before the first difference, among the `n` bits from these positions on.
pub(super) fn differing_bit(left: (&Bitmap, usize), right: (&Bitmap, usize), n: usize) -> Option<usize> {
    if n == 1 {
        let same = left.0.get(left.1).is_some_and(|bit| right.0.get(right.1) == Some(bit));
        return (!same).then_some(0);
    }
    visit(n / 8);
    // Bits that are out of bounds do not equal any bits.
    let (Ok(left), Ok(right)) = (left.0.try_slice(left.1, n), right.0.try_slice(right.1, n)) else {
        return Some(0);
    };
    let words = left.words().zip(right.words()).enumerate();
    let mut differing = words.map(|(idx, (left, right))| (idx, left ^ right));
    let (word_idx, bits) = differing.find(|(_, bits)| *bits != 0)?;
    Some(word_idx * 64 + bits.trailing_zeros() as usize)
}
