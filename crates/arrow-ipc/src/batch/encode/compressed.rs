//! The buffers of a body, compressed one by one to where they are written from.

use arrow_buffer::Buffer;

use crate::{
    compression::{Compressed, Compressor},
    error::Result,
    message::BatchLists,
    segment::Segments,
};

/// Gives all buffers their places. They lie close: what is compressed has no alignment, and what is not has none that
/// readers need beyond 8.
pub(super) fn append(
    compressor: &mut Compressor,
    buffers: &[Buffer],
    lists: &mut BatchLists,
    segments: &mut Segments,
) -> Result<()> {
    #[cfg(feature = "rayon")]
    if let Some(frames) = compressor.compress_all(buffers)? {
        for (buffer, (compressed, frame)) in buffers.iter().zip(frames) {
            append_one(buffer, lists, segments, |segments| {
                let n_bytes = frame.len();
                if compressed == Compressed::Frame {
                    segments.share(&frame.freeze(), 0, n_bytes);
                }
                Ok(compressed)
            })?;
        }
        return Ok(());
    }
    for buffer in buffers {
        append_one(buffer, lists, segments, |segments| {
            segments.gather_with(|gathered| compressor.compress(buffer, gathered))
        })?;
    }
    Ok(())
}

fn append_one(
    buffer: &Buffer,
    lists: &mut BatchLists,
    segments: &mut Segments,
    compress: impl FnOnce(&mut Segments) -> Result<Compressed>,
) -> Result<()> {
    if buffer.is_empty() {
        lists.add_packed_buffer(0);
        return Ok(());
    }
    segments.zeros(lists.n_packed_padding());
    let start = segments.n_bytes();
    match compress(segments)? {
        Compressed::Frame | Compressed::Empty => {}
        Compressed::Raw => {
            segments.gather(&Compressed::RAW_PREFIX);
            segments.share(buffer, 0, buffer.len());
        }
    }
    lists.add_packed_buffer(segments.n_bytes() - start);
    Ok(())
}
