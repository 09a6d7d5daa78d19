//! Compresses the buffers of a body one by one into the output.

use arrow_buffer::Buffer;

use crate::{
    compression::{Compressed, Compressor},
    error::Result,
    message::BatchLists,
    segment::Segments,
};

/// The form in which one buffer is written.
#[derive(Debug)]
pub(super) enum Shaped {
    Bytes(Buffer),
    /// The bytes of the buffer at this earlier position.
    Repeated(usize),
}

/// Places all buffers. All begin at multiples of 8, which suffices for readers.
pub(super) fn append(
    compressor: &mut Compressor,
    buffers: &[Shaped],
    lists: &mut BatchLists,
    segments: &mut Segments,
) -> Result<()> {
    #[cfg(feature = "rayon")]
    if let Some(frames) = compressor.compress_all(&buffers.iter().map(Shaped::bytes).collect::<Vec<_>>())? {
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
    buffer: &Shaped,
    lists: &mut BatchLists,
    segments: &mut Segments,
    compress: impl FnOnce(&mut Segments, &Buffer) -> Result<Compressed>,
) -> Result<()> {
    let buffer = match buffer {
        Shaped::Bytes(buffer) => buffer,
        Shaped::Repeated(earlier) => {
            return lists.repeat_buffer(*earlier);
        }
    };
    if buffer.is_empty() {
        lists.add_packed_buffer(0);
        return Ok(());
    }
    segments.zeros(lists.n_packed_padding());
    let start = segments.n_bytes();
    match compress(segments, buffer)? {
        Compressed::Frame | Compressed::Empty => {}
        Compressed::Raw => {
            segments.gather(&Compressed::RAW_PREFIX);
            segments.share(buffer, 0, buffer.len());
        }
    }
    lists.add_packed_buffer(segments.n_bytes() - start);
    Ok(())
}

#[cfg(feature = "rayon")]
impl Shaped {
    /// The bytes to compress.
    fn bytes(&self) -> Buffer {
        match self {
            Shaped::Bytes(buffer) => buffer.clone(),
            Shaped::Repeated(_) => Buffer::new(),
        }
    }
}
