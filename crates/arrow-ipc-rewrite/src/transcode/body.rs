//! Writes the buffers of an input body to another body, at other positions or with other compression.

use arrow_buffer::Buffer;

use super::{
    entries::{Entries, Entry},
    recompress::{FetchBuffer, Frames, RecompressedBuffer, Recompressor},
    relocation::BufferMove,
};
use arrow_ipc::{
    Compression, RecycledMemory, Result, SharedBuffers, Threads, WriteOptions,
    compression::{BufferEncoding, CompressedBuffer, PREFIX_BYTES, decompress_all},
    error::Context,
    segment::BodyPart,
};
use arrow_ipc_format::{BatchHeaderBuilder, BatchView, BodyRange, Codec, Limits};

/// The options for output bodies, and reused memory.
#[derive(Debug)]
pub(super) struct Bodies {
    /// Compresses buffers; `None` if the output is not compressed.
    recompressor: Option<Recompressor>,
    threads: Threads,
    shared: SharedBuffers,
    memory: RecycledMemory,
}

/// An input body and its message.
#[derive(Clone, Copy)]
pub(super) struct InputBody<'a, F> {
    pub(super) message: &'a BatchView,
    /// The indices of the buffers that the output does not have.
    pub(super) left_out: &'a [usize],
    /// The codec of the bytes that `fetch` returns; `None` if they are not compressed.
    pub(super) codec: Option<Codec>,
    pub(super) limits: &'a Limits,
    /// Returns bytes of the body.
    pub(super) fetch: F,
}

impl Bodies {
    pub(super) fn new(options: &WriteOptions) -> Bodies {
        let threads = options.threads();
        let shared = options.shared_buffers();
        let recompressor = options.compression().map(|compression| Recompressor::new(compression, threads));
        Bodies { recompressor, threads, shared, memory: RecycledMemory::default() }
    }

    pub(super) fn compression(&self) -> Option<Compression> {
        self.recompressor.as_ref().map(Recompressor::compression)
    }

    pub(super) fn shared(&self) -> SharedBuffers {
        self.shared
    }

    /// Whether buffers are copied unchanged. `codec` is the codec of the input.
    pub(super) fn keeps_bytes(&self, codec: Option<Codec>) -> bool {
        codec.is_none() && self.recompressor.is_none()
    }

    /// Adds the buffers to `lists` and their new positions to `moves`. Their bytes do not change.
    pub(super) fn relocate(
        &self,
        source: &BatchView,
        left_out: &[usize],
        lists: &mut BatchHeaderBuilder,
        moves: &mut Vec<BufferMove>,
    ) -> Result<()> {
        let entries = Entries::try_new(source, left_out, self.shared)?;
        let n_bytes = |idx| entries.range(idx).n_bytes();
        add_buffers(&entries, lists, n_bytes, |idx, start| {
            moves.push(BufferMove { from: entries.range(idx), start });
        })?;
        lists.end_body();
        Ok(())
    }

    /// Adds the buffers to `lists`, and returns their bytes.
    pub(super) fn write(
        &self,
        source: InputBody<'_, FetchBuffer<'_>>,
        lists: &mut BatchHeaderBuilder,
    ) -> Result<Vec<BodyPart>> {
        let entries = Entries::try_new(source.message, source.left_out, self.shared)?;
        let bytes = match (&self.recompressor, source.codec) {
            (Some(recompressor), _) => {
                let parts = recompress(recompressor, source, &entries, lists)?;
                lists.end_body();
                return Ok(parts);
            }
            (None, Some(codec)) => self.decompress(codec, source, &entries)?,
            (None, None) => {
                let fetch =
                    |(idx, range): &(usize, BodyRange)| (source.fetch)(*idx, *range).in_buffer(*idx, None);
                entries.ranges().iter().map(fetch).collect::<Result<Vec<_>>>()?
            }
        };
        let n_bytes = |idx: usize| bytes.get(idx).map_or(0, |bytes| bytes.len() as u64);
        let mut parts = Vec::with_capacity(bytes.len());
        add_buffers(&entries, lists, n_bytes, |idx, offset| {
            parts.extend(bytes.get(idx).map(|bytes| BodyPart { offset, bytes: bytes.clone() }));
        })?;
        lists.end_body();
        Ok(parts)
    }

    /// Fetches all buffers, and decompresses them.
    fn decompress(
        &self,
        codec: Codec,
        source: InputBody<'_, FetchBuffer<'_>>,
        entries: &Entries,
    ) -> Result<Vec<Buffer>> {
        let mut budget = source.limits.decompression_budget(source.message.envelope().n_body_bytes());
        let mut open = |idx: usize, range: BodyRange| -> Result<CompressedBuffer> {
            let opened = CompressedBuffer::try_new(codec, (source.fetch)(idx, range)?)?;
            opened.charge(&mut budget)?;
            Ok(opened)
        };
        let opened = entries.ranges().iter().map(|(idx, range)| open(*idx, *range).in_buffer(*idx, None));
        let opened = opened.collect::<Result<Vec<_>>>()?;
        decompress_all(&opened, &self.memory, self.threads).or_else(|(position, error)| {
            let buffer_idx = entries.ranges().get(position).map_or(position, |(idx, _)| *idx);
            Err(error).in_buffer(buffer_idx, None)
        })
    }
}

/// Adds the buffers of an uncompressed body to `lists`. `n_bytes` returns the length of a range. `put` is called with
/// each range and its offset in the new body.
pub(super) fn add_buffers(
    entries: &Entries,
    lists: &mut BatchHeaderBuilder,
    n_bytes: impl Fn(usize) -> u64,
    mut put: impl FnMut(usize, u64),
) -> Result<()> {
    for entry in entries.iter() {
        match entry {
            Entry::Empty => {
                lists.add_buffer(0);
            }
            Entry::Repeated(earlier) => lists.repeat_buffer(earlier)?,
            Entry::Bytes(idx) => {
                lists.add_buffer(usize::try_from(n_bytes(idx)).unwrap_or(usize::MAX));
                put(idx, last_offset(lists));
            }
        }
    }
    Ok(())
}

/// The offset of the buffer that was added last.
fn last_offset(lists: &BatchHeaderBuilder) -> u64 {
    lists.buffers().last().map_or(0, |[offset, _]| offset.cast_unsigned())
}

/// Adds the buffers of a compressed body to `lists`. `put` adds each range.
pub(super) fn pack(
    entries: &Entries,
    lists: &mut BatchHeaderBuilder,
    mut put: impl FnMut(usize, &mut BatchHeaderBuilder) -> Result<()>,
) -> Result<()> {
    for entry in entries.iter() {
        match entry {
            Entry::Empty => lists.add_packed_buffer(0),
            Entry::Repeated(earlier) => lists.repeat_buffer(earlier)?,
            Entry::Bytes(idx) => put(idx, lists)?,
        }
    }
    Ok(())
}

/// Compresses all buffers, adds them to `lists`, and returns their bytes.
fn recompress(
    recompressor: &Recompressor,
    source: InputBody<'_, FetchBuffer<'_>>,
    entries: &Entries,
    lists: &mut BatchHeaderBuilder,
) -> Result<Vec<BodyPart>> {
    let budget = source.limits.decompression_budget(source.message.envelope().n_body_bytes());
    let codec = source.codec;
    let ranges = entries.ranges();
    let fetch = source.fetch;
    let mut recompressed = recompressor.recompress(Frames { codec, ranges, fetch, budget })?.into_iter();
    let mut parts = Vec::with_capacity(ranges.len());
    pack(entries, lists, |_, lists| {
        match recompressed.next() {
            Some(RecompressedBuffer::Frame(bytes)) => {
                lists.add_packed_buffer(bytes.len() as u64);
                parts.push(BodyPart { offset: last_offset(lists), bytes });
            }
            Some(RecompressedBuffer::Raw(bytes)) if !bytes.is_empty() => {
                const N_PREFIX_BYTES: u64 = PREFIX_BYTES as u64;
                lists.add_packed_buffer((bytes.len() as u64).saturating_add(N_PREFIX_BYTES));
                let offset = last_offset(lists);
                parts.push(BodyPart { offset, bytes: Buffer::from_static(&BufferEncoding::RAW_PREFIX) });
                parts.push(BodyPart { offset: offset.saturating_add(N_PREFIX_BYTES), bytes });
            }
            Some(RecompressedBuffer::Raw(_)) | None => lists.add_packed_buffer(0),
        }
        Ok(())
    })?;
    Ok(parts)
}
