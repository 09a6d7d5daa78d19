//! Bits in a buffer: validity, and values of booleans.

pub(crate) mod builder;
mod count;
pub(crate) mod growing;
pub(crate) mod iter;
pub(crate) mod logic;

use std::fmt;

use crate::bitmap::count::count_ones;
use crate::bitmap::iter::{BitmapIntoIter, BitmapIter, SetBits, SetRuns, Words, low_bits};
use crate::budget::{BudgetError, MemoryBudget};
use crate::buffer::Buffer;
use crate::buffer::mutable::BufferMut;

/// A shared range of bits. The first bit of a byte is its least significant bit. The range may start at any bit.
///
/// Specification: "Validity bitmaps". Slicing copies nothing. Two bitmaps are equal if their bits are equal; offsets
/// and unused bits do not matter.
///
/// ```
/// use arrow_buffer::Bitmap;
///
/// let bits = Bitmap::from_iter([true, false, true, true]);
/// assert_eq!(bits.count_set(), 3);
/// assert_eq!(bits.slice(1, 3).iter_set().collect::<Vec<_>>(), [1, 2]);
/// ```
#[derive(Clone, Default)]
pub struct Bitmap {
    /// The buffer has at least `bit_offset + len` bits.
    buffer: Buffer,
    bit_offset: usize,
    len: usize,
}

impl Bitmap {
    /// Makes a bitmap of the `n_bits` bits of `buffer` that begin at bit `bit_offset`.
    ///
    /// # Errors
    ///
    /// If the buffer has fewer than `bit_offset + n_bits` bits.
    pub fn try_new(buffer: Buffer, bit_offset: usize, n_bits: usize) -> Result<Bitmap, BitmapError> {
        let n_held = u128::from(buffer.len() as u64) * 8;
        match bit_offset.checked_add(n_bits) {
            Some(end) if end as u128 <= n_held => Ok(Bitmap { buffer, bit_offset, len: n_bits }),
            _ => Err(BitmapError { bit_offset, n_bits, n_bytes: buffer.len() }),
        }
    }

    /// Makes a bitmap of `n_bits` bits, all set.
    ///
    /// # Panics
    ///
    /// If the allocation fails, as `Vec` does.
    pub fn new_set(n_bits: usize) -> Bitmap {
        Bitmap::all_set_in(BufferMut::with_capacity(n_bits.div_ceil(8)), n_bits)
    }

    /// Like [`new_set`](Bitmap::new_set), but the memory is charged to a budget. Without a budget, only the system can
    /// refuse the memory.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_new_set_in(n_bits: usize, budget: Option<&MemoryBudget>) -> Result<Bitmap, BudgetError> {
        Ok(Bitmap::all_set_in(BufferMut::try_with_capacity_in(n_bits.div_ceil(8), budget)?, n_bits))
    }

    /// Makes a bitmap in memory with a capacity for `n_bits` bits, and sets all bits.
    fn all_set_in(mut bytes: BufferMut, n_bits: usize) -> Bitmap {
        bytes.resize(n_bits.div_ceil(8), 0xff);
        if let (Some(last), used @ 1..) = (bytes.as_mut_slice().last_mut(), n_bits % 8) {
            *last = low_bits(used) as u8;
        }
        Bitmap { buffer: bytes.freeze(), bit_offset: 0, len: n_bits }
    }

    /// Makes a bitmap of `n_bits` bits that are not set.
    ///
    /// # Panics
    ///
    /// If the allocation fails, as `Vec` does.
    pub fn new_unset(n_bits: usize) -> Bitmap {
        Bitmap { buffer: Buffer::zeroed(n_bits.div_ceil(8)), bit_offset: 0, len: n_bits }
    }

    /// Like [`new_unset`](Bitmap::new_unset), but the memory is charged to a budget. Without a budget, only the system
    /// can refuse the memory.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    pub fn try_new_unset_in(n_bits: usize, budget: Option<&MemoryBudget>) -> Result<Bitmap, BudgetError> {
        let buffer = Buffer::try_zeroed_in(n_bits.div_ceil(8), budget)?;
        Ok(Bitmap { buffer, bit_offset: 0, len: n_bits })
    }

    /// The length in bits.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bit at position `bit_idx`; `None` if out of bounds.
    #[inline]
    pub fn get(&self, bit_idx: usize) -> Option<bool> {
        if bit_idx >= self.len {
            return None;
        }
        let at = self.bit_offset + bit_idx;
        let byte = self.buffer.as_slice().get(at / 8)?;
        Some(byte >> (at % 8) & 1 == 1)
    }

    /// Iterates over all bits, from the first to the last.
    pub fn iter(&self) -> BitmapIter<'_> {
        BitmapIter::new(&self.buffer, self.bit_offset, self.len)
    }

    /// The positions of the bits that are set, ascending.
    pub fn iter_set(&self) -> SetBits<'_> {
        SetBits::new(self.words())
    }

    /// The ranges of bits that are set, ascending. At least one unset bit separates two ranges.
    ///
    /// ```
    /// use arrow_buffer::Bitmap;
    ///
    /// let bits = Bitmap::from_iter([true, true, false, true]);
    /// assert_eq!(bits.iter_set_runs().collect::<Vec<_>>(), [0..2, 3..4]);
    /// ```
    pub fn iter_set_runs(&self) -> SetRuns<'_> {
        SetRuns::new(self.words())
    }

    /// The bits in words of 64 bits; the first bit is the lowest bit of a word. The unused bits of the last word are zero.
    pub fn words(&self) -> Words<'_> {
        Words::new(&self.buffer, self.bit_offset, self.len)
    }

    /// The `n_bits` bits from position `start` on. Shares the memory.
    ///
    /// # Panics
    ///
    /// If the range is out of bounds, like indexing a slice; [`Bitmap::try_slice`] returns an error instead.
    pub fn slice(&self, start: usize, n_bits: usize) -> Bitmap {
        let Ok(slice) = self.try_slice(start, n_bits) else {
            panic!("{n_bits} bits from bit {start} are out of bounds of a bitmap of {} bits", self.len)
        };
        slice
    }

    /// The `n_bits` bits from position `start` on. Shares the memory.
    ///
    /// # Errors
    ///
    /// If the range is out of bounds.
    pub fn try_slice(&self, start: usize, n_bits: usize) -> Result<Bitmap, BitmapError> {
        if start.checked_add(n_bits).is_none_or(|end| end > self.len) {
            return Err(BitmapError { bit_offset: start, n_bits, n_bytes: self.len.div_ceil(8) });
        }
        Ok(Bitmap { buffer: self.buffer.clone(), bit_offset: self.bit_offset + start, len: n_bits })
    }

    /// Counts the bits that are set. Each call reads all bits.
    pub fn count_set(&self) -> usize {
        let end = self.bit_offset + self.len;
        let bytes = self.buffer.get(self.bit_offset / 8..end.div_ceil(8));
        let bytes = bytes.expect("a bitmap has the bytes of its bits");
        // Counts the bits of whole bytes, and subtracts the bits before and after this bitmap.
        let before = bytes.first().map_or(0, |first| u64::from(*first) & low_bits(self.bit_offset % 8));
        let after = match bytes.last() {
            Some(last) if !end.is_multiple_of(8) => last >> (end % 8),
            _ => 0,
        };
        count_ones(bytes) as usize - (before.count_ones() + after.count_ones()) as usize
    }

    /// Counts the bits that are not set. Each call reads all bits.
    pub fn count_unset(&self) -> usize {
        self.len - self.count_set()
    }

    /// Whether all bits are set.
    pub fn all_set(&self) -> bool {
        let n_whole = self.len / 64;
        let mut words = self.words();
        words.by_ref().take(n_whole).all(|word| word == u64::MAX)
            && words.next().is_none_or(|last| last == low_bits(self.len % 64))
    }

    /// The buffer that contains the bits; it may also contain other bits.
    pub const fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The offset of the first bit in the buffer, in bits.
    pub const fn bit_offset(&self) -> usize {
        self.bit_offset
    }

    /// A buffer that starts at the first bit and has as few bytes as possible. Unused bits are zero.
    ///
    /// Shares the memory if the bits start at a byte and the unused bits are zero already. Otherwise copies.
    pub fn to_packed(&self) -> Buffer {
        if self.len == 0 {
            return Buffer::new();
        }
        if self.bit_offset.is_multiple_of(8) {
            let first = self.bit_offset / 8;
            let packed = self.buffer.slice(first..first + self.len.div_ceil(8));
            let is_clean =
                |last: &u8| self.len.is_multiple_of(8) || u64::from(*last) <= low_bits(self.len % 8);
            if packed.last().is_none_or(is_clean) {
                return packed;
            }
        }
        self.copy_packed()
    }

    fn copy_packed(&self) -> Buffer {
        let mut packed = BufferMut::new();
        packed.extend_zeros(self.len.div_ceil(8));
        let (whole, last) = packed.as_mut_slice().as_chunks_mut::<8>();
        let mut whole = whole.iter_mut();
        self.words().for_each(|word| match whole.next() {
            Some(chunk) => *chunk = word.to_le_bytes(),
            None => last.copy_from_slice(&word.to_le_bytes()[..last.len()]),
        });
        packed.freeze()
    }
}

impl IntoIterator for Bitmap {
    type Item = bool;
    type IntoIter = BitmapIntoIter;

    fn into_iter(self) -> BitmapIntoIter {
        BitmapIntoIter { bits: 0..self.len(), bitmap: self }
    }
}

impl<'a> IntoIterator for &'a Bitmap {
    type Item = bool;
    type IntoIter = BitmapIter<'a>;

    fn into_iter(self) -> BitmapIter<'a> {
        self.iter()
    }
}

impl PartialEq for Bitmap {
    fn eq(&self, other: &Bitmap) -> bool {
        if self.len != other.len {
            return false;
        }
        // Whole bytes are compared only if both bitmaps start at a byte.
        let n_whole = if self.bit_offset % 8 == other.bit_offset % 8 && self.bit_offset.is_multiple_of(8) {
            self.len / 8
        } else {
            0
        };
        let whole = |bitmap: &Bitmap| bitmap.bit_offset / 8..bitmap.bit_offset / 8 + n_whole;
        let rest = |bitmap: &Bitmap| bitmap.slice(n_whole * 8, bitmap.len - n_whole * 8);
        self.buffer.get(whole(self)) == other.buffer.get(whole(other))
            && rest(self).words().eq(rest(other).words())
    }
}

impl Eq for Bitmap {}

impl fmt::Debug for Bitmap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const N_SHOWN: usize = 64;
        write!(f, "Bitmap({} bits: ", self.len)?;
        for bit in self.iter().take(N_SHOWN) {
            f.write_str(if bit { "1" } else { "0" })?;
        }
        f.write_str(if self.len > N_SHOWN { "…)" } else { ")" })
    }
}

/// The error for a range of bits that does not lie inside its buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BitmapError {
    /// The requested offset of the first bit.
    pub bit_offset: usize,
    /// The requested number of bits.
    pub n_bits: usize,
    /// The number of bytes that the buffer has.
    pub n_bytes: usize,
}

arrow_error::debug_as_display!(BitmapError);

impl fmt::Display for BitmapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BitmapError { bit_offset, n_bits, n_bytes } = self;
        write!(f, "{n_bits} bits from bit {bit_offset} are out of bounds of {n_bytes} bytes")
    }
}

impl std::error::Error for BitmapError {}
