//! Makes bodies whose bytes differ from the bytes of the arrays: in the other byte order, or compressed. The walk
//! collects the buffers and changes their byte order. Then each buffer is compressed and added to the body.

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::Swap;
use arrow_select::UnusedValues;

use super::{
    sink::{BufferMemory, RepeatedBuffers, Sink},
    words::shift_bits,
};
use crate::{
    compression::{BodyCompressor, BufferEncoding},
    error::Result,
    options::SharedBuffers,
    segment::Segments,
};
use arrow_ipc_format::BatchHeaderBuilder;

/// The conversions of the buffers of a body.
#[derive(Debug)]
pub(crate) struct BodyTransform {
    /// Whether the byte order of the body is not the byte order of the arrays.
    pub(crate) swaps: bool,
    /// The compressor, if the body is compressed. Compression is the last conversion.
    pub(crate) compressor: Option<BodyCompressor>,
    /// Whether a buffer that several columns share is written once or each time.
    pub(crate) shared_buffers: SharedBuffers,
    /// What happens to bytes and items to which no slot refers.
    pub(crate) unused_items: UnusedValues,
}

impl Default for BodyTransform {
    fn default() -> BodyTransform {
        BodyTransform {
            swaps: false,
            compressor: None,
            shared_buffers: SharedBuffers::default(),
            unused_items: UnusedValues::Bounded,
        }
    }
}

impl BodyTransform {
    /// Whether the body has the unchanged bytes of the arrays, apart from unused items.
    pub(crate) fn is_plain(&self) -> bool {
        !self.swaps && self.compressor.is_none()
    }
}

#[derive(Debug)]
pub(crate) struct TransformSink<'a> {
    lists: &'a mut BatchHeaderBuilder,
    /// The buffers so far, in the byte order of the body.
    buffers: Vec<TransformedBuffer>,
    swaps: bool,
    /// The buffers so far, by their memory; `None` if buffers with the same memory are written each time.
    repeats: Option<&'a mut RepeatedBuffers>,
}

impl<'a> TransformSink<'a> {
    pub(crate) fn new(
        lists: &'a mut BatchHeaderBuilder,
        transform: &BodyTransform,
        repeats: Option<&'a mut RepeatedBuffers>,
    ) -> TransformSink<'a> {
        TransformSink { lists, buffers: Vec::new(), swaps: transform.swaps, repeats }
    }

    /// Adds the buffers to the body, compressed if there is a compressor.
    pub(crate) fn finish(self, transform: &mut BodyTransform, segments: &mut Segments) -> Result<()> {
        if let Some(compressor) = &mut transform.compressor {
            return append(compressor, &self.buffers, self.lists, segments);
        }
        for buffer in self.buffers {
            match buffer {
                TransformedBuffer::Bytes(bytes) => {
                    segments.zeros(self.lists.add_buffer(bytes.len()));
                    if !bytes.is_empty() {
                        segments.share(&bytes, 0, bytes.len());
                    }
                }
                TransformedBuffer::Repeated(earlier) => {
                    self.lists.repeat_buffer(earlier)?;
                }
            }
        }
        Ok(())
    }

    /// If an earlier buffer of the message has the same memory, adds a reference to it and returns `true`.
    fn is_repeated(&mut self, buffer: &Buffer, memory: BufferMemory, swap: Swap) -> bool {
        let Some(repeats) = &mut self.repeats else { return false };
        let Some(earlier) = repeats.find_or_add(memory, buffer, swap, self.buffers.len()) else {
            return false;
        };
        self.buffers.push(TransformedBuffer::Repeated(earlier));
        true
    }

    /// Adds a buffer that was made for this message.
    fn push_rebuilt(&mut self, swap: Swap, mut bytes: BufferMut) {
        if self.swaps {
            swap.from_native(&mut bytes);
        }
        self.buffers.push(TransformedBuffer::Bytes(bytes.freeze()));
    }
}

impl Sink for TransformSink<'_> {
    fn node(&mut self, n_slots: usize, null_count: usize) {
        self.lists.add_node(n_slots, null_count);
    }

    fn variadic_count(&mut self, n_buffers: usize) {
        self.lists.add_variadic_count(n_buffers);
    }

    fn share(&mut self, swap: Swap, buffer: &Buffer, start: usize, end: usize) {
        if self.is_repeated(buffer, BufferMemory::from_bytes(buffer, start, end), swap) {
            return;
        }
        if self.swaps && swap.changes_bytes() {
            self.push_rebuilt(swap, BufferMut::from(&buffer[start..end]))
        } else {
            self.buffers.push(TransformedBuffer::Bytes(buffer.slice(start..end)))
        }
    }

    fn bits(&mut self, buffer: &Buffer, bit_offset: usize, n_bits: usize) -> Result<()> {
        if bit_offset.is_multiple_of(8) && n_bits.is_multiple_of(8) {
            let start = bit_offset / 8;
            self.share(Swap::None, buffer, start, start + n_bits / 8);
            return Ok(());
        }
        if self.is_repeated(buffer, BufferMemory::from_bits(buffer, bit_offset, n_bits), Swap::None) {
            return Ok(());
        }
        let mut bytes = BufferMut::with_capacity(n_bits.div_ceil(8));
        bytes.extend_zeros(n_bits.div_ceil(8));
        shift_bits(buffer, bit_offset, n_bits, &mut bytes)?;
        self.push_rebuilt(Swap::None, bytes);
        Ok(())
    }

    fn rebuild(
        &mut self,
        swap: Swap,
        n_bytes: usize,
        write: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let mut bytes = BufferMut::with_capacity(n_bytes);
        bytes.extend_zeros(n_bytes);
        write(&mut bytes)?;
        self.push_rebuilt(swap, bytes);
        Ok(())
    }

    fn n_buffers(&self) -> usize {
        self.buffers.len()
    }
}

/// The content of one buffer of the body.
#[derive(Debug)]
enum TransformedBuffer {
    Bytes(Buffer),
    /// The same bytes as the earlier buffer at this position.
    Repeated(usize),
}

/// Compresses all buffers and adds them to the body. Their offsets are multiples of 8, not 64, which readers accept.
fn append(
    compressor: &mut BodyCompressor,
    buffers: &[TransformedBuffer],
    lists: &mut BatchHeaderBuilder,
    segments: &mut Segments,
) -> Result<()> {
    #[cfg(feature = "rayon")]
    if let Some(frames) =
        compressor.compress_all(&buffers.iter().map(TransformedBuffer::bytes).collect::<Vec<_>>())?
    {
        for (buffer, (compressed, frame)) in buffers.iter().zip(frames) {
            append_one(buffer, lists, segments, |segments, _| {
                segments.share(&frame, 0, frame.len());
                Ok(compressed)
            })?;
        }
        return Ok(());
    }
    for buffer in buffers {
        append_one(buffer, lists, segments, |segments, bytes| {
            segments.gather_with(|gathered| compressor.compress(bytes, gathered))
        })?;
    }
    Ok(())
}

fn append_one(
    buffer: &TransformedBuffer,
    lists: &mut BatchHeaderBuilder,
    segments: &mut Segments,
    compress: impl FnOnce(&mut Segments, &Buffer) -> Result<BufferEncoding>,
) -> Result<()> {
    let buffer = match buffer {
        TransformedBuffer::Bytes(buffer) => buffer,
        TransformedBuffer::Repeated(earlier) => {
            return Ok(lists.repeat_buffer(*earlier)?);
        }
    };
    if buffer.is_empty() {
        lists.add_packed_buffer(0);
        return Ok(());
    }
    segments.zeros(lists.n_packed_padding());
    let start = segments.n_bytes();
    match compress(segments, buffer)? {
        BufferEncoding::Frame => {}
        BufferEncoding::Raw => {
            segments.gather(&BufferEncoding::RAW_PREFIX);
            segments.share(buffer, 0, buffer.len());
        }
    }
    lists.add_packed_buffer(segments.n_bytes() - start);
    Ok(())
}

#[cfg(feature = "rayon")]
impl TransformedBuffer {
    /// The bytes to compress; none for a repeated buffer.
    fn bytes(&self) -> Buffer {
        match self {
            TransformedBuffer::Bytes(buffer) => buffer.clone(),
            TransformedBuffer::Repeated(_) => Buffer::new(),
        }
    }
}
