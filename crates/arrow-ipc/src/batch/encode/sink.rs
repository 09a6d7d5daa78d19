//! Receives the content of a message from the walk over arrays. Sinks for writing make the lists of nodes and
//! buffers, and the body. The sink for planning only counts the bytes.

use std::{
    collections::HashMap,
    mem::{Discriminant, discriminant},
};

use arrow_buffer::Buffer;
use arrow_data::Swap;

use super::words::{BITS_OUTSIDE, shift_bits};
use crate::{
    compression::BufferEncoding,
    error::{IpcError, Result},
    segment::Segments,
};
use arrow_ipc_format::BatchHeaderBuilder;

/// Receives the nodes and buffers of a message in order.
pub(crate) trait Sink {
    /// Receives the node of the next array, in pre-order.
    fn node(&mut self, n_slots: usize, null_count: usize);

    /// Receives the number of data buffers that follow the views of the field.
    fn variadic_count(&mut self, n_buffers: usize);

    /// Receives the next buffer: the bytes `start..end` of an existing buffer. `swap` is the kind of words whose byte
    /// order may change.
    fn share(&mut self, swap: Swap, buffer: &Buffer, start: usize, end: usize);

    /// Receives the next buffer: `n_bits` bits of an existing buffer. The new buffer starts with the first of these
    /// bits, and ends with zeros up to a full byte.
    ///
    /// # Errors
    /// If the existing buffer is too short, which the structure of arrays excludes.
    fn bits(&mut self, buffer: &Buffer, bit_offset: usize, n_bits: usize) -> Result<()>;

    /// Receives the next buffer, which `write` fills. `write` is called only if the bytes are needed, and must
    /// overwrite all bytes of its argument. `swap` is the kind of words whose byte order may change.
    fn rebuild(
        &mut self,
        swap: Swap,
        n_bytes: usize,
        write: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()>;

    /// Reports that the walk has copied used data into a new buffer of this length.
    fn count_rebuilt(&mut self, _: usize) {}

    /// The number of buffers that the sink has received.
    fn n_buffers(&self) -> usize;

    /// Receives an empty buffer.
    #[inline]
    fn empty(&mut self) {
        self.share(Swap::None, &Buffer::new(), 0, 0);
    }
}

/// Makes the lists and segments of a message whose body consists of the unchanged bytes of arrays.
#[derive(Debug)]
pub(crate) struct SegmentSink<'a> {
    pub(crate) lists: &'a mut BatchHeaderBuilder,
    pub(crate) segments: &'a mut Segments,
    /// The buffers so far, by their memory; `None` if buffers with the same memory are written each time.
    pub(crate) repeats: Option<&'a mut RepeatedBuffers>,
}

impl SegmentSink<'_> {
    #[inline]
    fn add_buffer(&mut self, n_bytes: usize) {
        let n_padding = self.lists.add_buffer(n_bytes);
        self.segments.zeros(n_padding);
    }

    /// If an earlier buffer of the message has the same memory, adds a reference to it and returns `true`.
    #[inline]
    fn is_repeated(&mut self, buffer: &Buffer, memory: impl FnOnce() -> BufferMemory) -> bool {
        let Some(repeats) = &mut self.repeats else { return false };
        match repeats.find_or_add(memory(), buffer, Swap::None, self.lists.buffers().len()) {
            Some(earlier) => self.lists.repeat_buffer(earlier).is_ok(),
            None => false,
        }
    }
}

impl Sink for SegmentSink<'_> {
    #[inline]
    fn node(&mut self, n_slots: usize, null_count: usize) {
        self.lists.add_node(n_slots, null_count);
    }

    fn variadic_count(&mut self, n_buffers: usize) {
        self.lists.add_variadic_count(n_buffers);
    }

    #[inline]
    fn share(&mut self, _: Swap, buffer: &Buffer, start: usize, end: usize) {
        if self.is_repeated(buffer, || BufferMemory::from_bytes(buffer, start, end)) {
            return;
        }
        self.add_buffer(end - start);
        if start < end {
            self.segments.share(buffer, start, end);
        }
    }

    fn bits(&mut self, buffer: &Buffer, bit_offset: usize, n_bits: usize) -> Result<()> {
        let n_bytes = n_bits.div_ceil(8);
        if self.is_repeated(buffer, || BufferMemory::from_bits(buffer, bit_offset, n_bits)) {
            return Ok(());
        }
        self.add_buffer(n_bytes);
        if n_bytes == 0 {
            return Ok(());
        }
        let start = bit_offset / 8;
        let n_spare = (8 - n_bits % 8) % 8;
        if !bit_offset.is_multiple_of(8) {
            return self.segments.rebuild(n_bytes, |to| shift_bits(buffer, bit_offset, n_bits, to));
        }
        let last = start + n_bytes - 1;
        let Some(last_byte) = buffer.get(last) else { return Err(IpcError::internal(BITS_OUTSIDE)) };
        if n_spare == 0 {
            self.segments.share(buffer, start, start + n_bytes);
        } else {
            // The last byte has bits past the end, so a copy with zeros replaces this byte.
            self.segments.share(buffer, start, last);
            self.segments.gather(&[last_byte << n_spare >> n_spare]);
        }
        Ok(())
    }

    fn rebuild(
        &mut self,
        _: Swap,
        n_bytes: usize,
        write: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        self.add_buffer(n_bytes);
        self.segments.rebuild(n_bytes, write)
    }

    fn count_rebuilt(&mut self, n_bytes: usize) {
        self.segments.count_rebuilt(n_bytes);
    }

    fn n_buffers(&self) -> usize {
        self.lists.buffers().len()
    }

    #[inline]
    fn empty(&mut self) {
        self.lists.add_buffer(0);
    }
}

/// Counts the nodes, buffers and bytes of a message without making a body.
impl Sink for BatchHeaderBuilder {
    fn node(&mut self, n_slots: usize, null_count: usize) {
        self.add_node(n_slots, null_count);
    }

    fn variadic_count(&mut self, n_buffers: usize) {
        self.add_variadic_count(n_buffers);
    }

    fn share(&mut self, _: Swap, _: &Buffer, start: usize, end: usize) {
        self.add_buffer(end - start);
    }

    fn bits(&mut self, _: &Buffer, _: usize, n_bits: usize) -> Result<()> {
        self.add_buffer(n_bits.div_ceil(8));
        Ok(())
    }

    fn rebuild(&mut self, _: Swap, n_bytes: usize, _: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<()> {
        self.add_buffer(n_bytes);
        Ok(())
    }

    fn n_buffers(&self) -> usize {
        self.buffers().len()
    }
}

/// Counts the nodes and buffers of a message whose body is compressed, and makes an upper bound of its bytes: a buffer whose
/// frame saves too little is stored as it is, after a prefix.
pub(crate) struct CompressionBound<'a>(pub(crate) &'a mut BatchHeaderBuilder);

impl CompressionBound<'_> {
    fn add(&mut self, n_bytes: usize) {
        let n_prefix_bytes = if n_bytes > 0 { BufferEncoding::RAW_PREFIX.len() as u64 } else { 0 };
        self.0.add_packed_buffer((n_bytes as u64).saturating_add(n_prefix_bytes));
    }
}

impl Sink for CompressionBound<'_> {
    fn node(&mut self, n_slots: usize, null_count: usize) {
        self.0.add_node(n_slots, null_count);
    }

    fn variadic_count(&mut self, n_buffers: usize) {
        self.0.add_variadic_count(n_buffers);
    }

    fn share(&mut self, _: Swap, _: &Buffer, start: usize, end: usize) {
        self.add(end - start);
    }

    fn bits(&mut self, _: &Buffer, _: usize, n_bits: usize) -> Result<()> {
        self.add(n_bits.div_ceil(8));
        Ok(())
    }

    fn rebuild(&mut self, _: Swap, n_bytes: usize, _: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<()> {
        self.add(n_bytes);
        Ok(())
    }

    fn n_buffers(&self) -> usize {
        self.0.buffers().len()
    }
}

/// The buffers of a message by their memory, each with its position. They are retained until [`clear`](Self::clear), so no
/// address is reused: some of them belong to arrays that the walk makes and drops before the message is complete.
#[derive(Debug, Default)]
pub(crate) struct RepeatedBuffers {
    by_memory: HashMap<MemoryKey, (usize, Buffer)>,
}

/// The memory of a buffer, and the kind of its words if their byte order may change.
type MemoryKey = (BufferMemory, Option<Discriminant<Swap>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BufferMemory {
    address: usize,
    bit_offset: usize,
    n_bits: usize,
}

/// Buffers of fewer bits are written each time, since a reference to them saves nothing.
const MIN_BITS: usize = 64 * 8;

impl BufferMemory {
    pub(super) fn from_bits(buffer: &Buffer, bit_offset: usize, n_bits: usize) -> BufferMemory {
        let address = buffer.as_ptr().addr().wrapping_add(bit_offset / 8);
        BufferMemory { address, bit_offset: bit_offset % 8, n_bits }
    }

    pub(super) fn from_bytes(buffer: &Buffer, start: usize, end: usize) -> BufferMemory {
        BufferMemory::from_bits(buffer, start.saturating_mul(8), (end - start).saturating_mul(8))
    }
}

impl RepeatedBuffers {
    /// Removes all buffers. Must be called after each message, even if it fails.
    #[inline]
    pub(crate) fn clear(&mut self) {
        // Few writers have any.
        if !self.by_memory.is_empty() {
            self.by_memory.clear();
        }
    }

    /// Returns the position of an earlier buffer with this memory and this kind of words. If there is none, stores
    /// `position` and returns `None`. The memory must lie in `buffer`.
    pub(super) fn find_or_add(
        &mut self,
        memory: BufferMemory,
        buffer: &Buffer,
        swap: Swap,
        position: usize,
    ) -> Option<usize> {
        if memory.n_bits < MIN_BITS {
            return None;
        }
        // Buffers without words are never swapped, so their kind of words does not matter.
        let swap = swap.changes_bytes().then(|| discriminant(&swap));
        let (earlier, _) = self.by_memory.entry((memory, swap)).or_insert_with(|| (position, buffer.clone()));
        (*earlier != position).then_some(*earlier)
    }
}
