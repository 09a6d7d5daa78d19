//! Pieces of the buffers of a structure, as buffers that keep it alive.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer, ForeignMemory};
use arrow_data::{BufferSpec, ChildLen, Role};

use super::ArrowArray;
use super::import::Typed;
use crate::error::CDataErrorKind as Kind;
use crate::options::CopyStats;

/// No buffer is longer: no machine can address so much, and nothing that is allocated is larger than half of the addresses.
const MAX_BYTES: u64 = if isize::BITS < 64 { isize::MAX.unsigned_abs() as u64 } else { 1 << 56 };

/// Some slots of an array: `start` counts from the beginning of its buffers, so the array's offset is in it.
///
/// The end of the slots is at most the sum of length and offset of the array.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) start: u64,
    pub(super) n_slots: u64,
}

impl Window {
    /// `n_slots` slots of `array`, from its slot `skip` on.
    pub(super) fn of(array: &ArrowArray, skip: u64, n_slots: u64) -> Result<Window, Kind> {
        let (offset, n_found) = (count("offset", array.offset)?, count("length", array.length)?);
        match skip.checked_add(n_slots) {
            // No sum of two positive `i64` overflows a `u64`.
            Some(needed) if needed <= n_found => Ok(Window { start: offset.saturating_add(skip), n_slots }),
            needed => Err(Kind::ChildLength { needed: needed.unwrap_or(u64::MAX), found: array.length }),
        }
    }

    /// All slots of `array`.
    pub(super) fn all(array: &ArrowArray) -> Result<Window, Kind> {
        Window::of(array, 0, count("length", array.length)?)
    }

    /// The last slot of `array`; none if there is none.
    pub(super) fn last_slot(array: &ArrowArray) -> Result<Window, Kind> {
        let n_slots = count("length", array.length)?;
        Window::of(array, n_slots.saturating_sub(1), n_slots.min(1))
    }

    /// Which slots of a child belong to this window of its parent; `None` if their numbers overflow.
    pub(super) fn of_child(self, child_len: ChildLen, child: &ArrowArray) -> Option<Result<Window, Kind>> {
        match child_len {
            ChildLen::SameAsParent => Some(Window::of(child, self.start, self.n_slots)),
            ChildLen::Times(size) => {
                let skip = self.start.checked_mul(u64::from(size))?;
                Some(Window::of(child, skip, self.n_slots.checked_mul(u64::from(size))?))
            }
            ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => Some(Window::all(child)),
        }
    }

    /// The slot after the last. No sum of two positive `i64` overflows a `u64`.
    pub(super) fn end(self) -> u64 {
        self.start.saturating_add(self.n_slots)
    }
}

/// A number that is not negative.
pub(super) fn count(member: &'static str, found: i64) -> Result<u64, Kind> {
    u64::try_from(found).map_err(|_| Kind::Negative { member, found })
}

/// Where the buffers of a structure come from, and what was copied of them. The structure is of the type that it is read as.
pub(super) struct Source<'a> {
    memory: ForeignMemory,
    stats: &'a mut CopyStats,
}

impl<'a> Source<'a> {
    /// The buffers of the structure, its children and dictionaries. They all keep it alive.
    pub(super) fn new<T>(typed: &Typed<T>, stats: &'a mut CopyStats) -> Source<'a> {
        Source { memory: ForeignMemory::new(Arc::<ArrowArray>::clone(&typed.base)), stats }
    }

    /// The `n_bytes` bytes of a buffer from `skip_bytes` on. They belong to slots of the array, or to its data.
    fn bytes(&self, array: &ArrowArray, piece: &Piece) -> Result<Buffer, Kind> {
        let Piece { position, role, skip_bytes, n_bytes } = *piece;
        if n_bytes == 0 {
            return Ok(Buffer::new());
        }
        let end = skip_bytes.checked_add(n_bytes);
        let first = array.filled_buffer(position, role, end.unwrap_or(u64::MAX))?;
        let too_large = Kind::SizeOverflow { length: array.length, offset: array.offset };
        let end = end.filter(|end| *end <= MAX_BYTES).and_then(|end| usize::try_from(end).ok());
        let fits = end.is_some_and(|end| first.addr().checked_add(end).is_some());
        let (Ok(skip), Ok(n), true) = (usize::try_from(skip_bytes), usize::try_from(n_bytes), fits) else {
            return Err(too_large);
        };
        let start = std::ptr::NonNull::new(first.as_ptr().wrapping_add(skip)).ok_or(too_large)?;
        // SAFETY: the contract of the crate says that the buffer is as long as its slots, or the last offset, or the buffer of
        // lengths, say, for its type, which is the one that it is read as: this source was made of a `Typed`. The callers ask for no
        // more. It says that the bytes do not change, and live until the base structure is
        // released, which `memory` owns. The end does not overflow.
        Ok(unsafe { self.memory.buffer(start, n) })
    }

    /// The elements of a window, aligned.
    pub(super) fn elements(
        &mut self,
        array: &ArrowArray,
        position: usize,
        spec: &BufferSpec,
        window: Window,
    ) -> Result<Buffer, Kind> {
        let buffer = self.unaligned(array, position, spec, window)?;
        Ok(self.aligned(buffer, spec.alignment_bytes()))
    }

    /// The elements of a window, where they lie.
    pub(super) fn unaligned(
        &self,
        array: &ArrowArray,
        position: usize,
        spec: &BufferSpec,
        window: Window,
    ) -> Result<Buffer, Kind> {
        let overflow = || Kind::SizeOverflow { length: array.length, offset: array.offset };
        let skip_bytes = window.start.checked_mul(spec.element_bytes()).ok_or_else(overflow)?;
        let n_bytes = spec.min_bytes(window.n_slots).ok_or_else(overflow)?;
        self.bytes(array, &Piece { position, role: spec.role, skip_bytes, n_bytes })
    }

    /// The bits of a window.
    pub(super) fn bits(
        &self,
        array: &ArrowArray,
        position: usize,
        role: Role,
        window: Window,
    ) -> Result<Bitmap, Kind> {
        let first_byte = window.start / 8;
        let bit_offset = window.start % 8;
        let overflow = || Kind::SizeOverflow { length: array.length, offset: array.offset };
        let n_bytes = bit_offset.checked_add(window.n_slots).ok_or_else(overflow)?.div_ceil(8);
        let n_bytes = if window.n_slots == 0 { 0 } else { n_bytes };
        let bytes = self.bytes(array, &Piece { position, role, skip_bytes: first_byte, n_bytes })?;
        let n_bits = usize::try_from(window.n_slots).map_err(|_| overflow())?;
        let bit_offset =
            if n_bytes == 0 { 0 } else { usize::try_from(bit_offset).map_err(|_| overflow())? };
        Bitmap::try_new(bytes, bit_offset, n_bits).map_err(|_| overflow())
    }

    /// The first `n_bytes` bytes of a buffer of data.
    pub(super) fn data(
        &self,
        array: &ArrowArray,
        position: usize,
        role: Role,
        n_bytes: u64,
    ) -> Result<Buffer, Kind> {
        self.bytes(array, &Piece { position, role, skip_bytes: 0, n_bytes })
    }

    /// The same bytes, copied if they are not aligned.
    fn aligned(&mut self, buffer: Buffer, n_bytes: usize) -> Buffer {
        if buffer.is_aligned_to(n_bytes) {
            return buffer;
        }
        self.stats.add(1, buffer.len() as u64);
        buffer.to_aligned(n_bytes)
    }
}

/// Which bytes of which buffer.
#[derive(Debug, Clone, Copy)]
struct Piece {
    position: usize,
    role: Role,
    skip_bytes: u64,
    n_bytes: u64,
}
