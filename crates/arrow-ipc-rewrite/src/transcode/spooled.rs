//! Writes new bodies to a temporary output in pieces of 1 MiB, so they need not be in memory.

use std::io::{self, Seek, SeekFrom, Write};

use arrow_buffer::{Buffer, BufferMut};

use super::{
    Transcoder,
    body::{Bodies, InputBody, add_buffers, pack},
    check::AcceptedBatch,
    entries::Entries,
    reframed,
};
use arrow_ipc::{
    Compression, Encoded, IpcErrorKind, Result,
    compression::{BufferCompressor, BufferContent, BufferEncoding, FetchRange, PREFIX_BYTES},
    error::Context,
};
use arrow_ipc_format::{BatchHeaderBuilder, BodyRange, Message};

impl Transcoder {
    /// Like [`transcode_from`](Transcoder::transcode_from), for a batch or dictionary with a body that need not fit
    /// into memory. `fetch` returns ranges of about 1 MiB, some of them more than once. This method writes the new body
    /// to `spool`, from its current position. Afterwards, write the result, then
    /// [`n_body_bytes`](arrow_ipc::MessageSize::n_body_bytes) bytes from `spool`; ignore bytes after these. Compression
    /// uses only the calling thread. Zstandard frames may differ from the frames of
    /// [`transcode`](Transcoder::transcode).
    ///
    /// # Errors
    /// The errors of [`transcode_from`](Transcoder::transcode_from). If writing to `spool` fails, or if the message is a tensor.
    pub fn transcode_to_spool(
        &mut self,
        message: &Message,
        fetch: impl Fn(BodyRange) -> io::Result<Buffer>,
        spool: &mut (impl Write + Seek),
    ) -> Result<Encoded<'_>> {
        let fetch = |range: BodyRange| Ok(range.exactly(fetch(range)?)?);
        let spool = Spool { sink: spool, n_bytes: 0 };
        self.spool_with(message, &fetch, spool).at_message(message)
    }

    fn spool_with<W: Write + Seek>(
        &mut self,
        message: &Message,
        fetch: FetchRange<'_>,
        mut spool: Spool<'_, W>,
    ) -> Result<Encoded<'_>> {
        let AcceptedBatch { open, left_out } = self.check_batch(message)?;
        let Transcoder { encoder, dictionaries, limits, bodies, header, .. } = self;
        let source =
            InputBody { message: &open, left_out: &left_out, codec: open.compression(), limits, fetch };
        reframed(encoder, dictionaries, &open, header, |header| {
            bodies.spool(source, header, &mut spool).map(|()| None)
        })
    }
}

/// The output of the caller, and the number of bytes of the body in it.
struct Spool<'a, W> {
    sink: &'a mut W,
    n_bytes: u64,
}

impl<W: Write + Seek> Spool<'_, W> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.sink.write_all(bytes).map_err(IpcErrorKind::Write)?;
        self.n_bytes = self.n_bytes.saturating_add(bytes.len() as u64);
        Ok(())
    }

    fn zeros(&mut self, n_bytes: usize) -> Result<()> {
        // The number of zeros is less than the alignment.
        self.put(&vec![0; n_bytes])
    }

    /// Moves back to `n_bytes` after the start of the body. Later writes overwrite the bytes there.
    fn rewind(&mut self, n_bytes: u64) -> Result<()> {
        let back = i64::try_from(self.n_bytes.saturating_sub(n_bytes)).unwrap_or(i64::MAX);
        let back = SeekFrom::Current(back.saturating_neg());
        self.sink.seek(back).map_err(IpcErrorKind::Write)?;
        self.n_bytes = n_bytes;
        Ok(())
    }
}

impl Bodies {
    /// Adds the buffers of a body to `lists`, and writes their bytes to `spool`.
    fn spool<W: Write + Seek>(
        &self,
        source: InputBody<'_, FetchRange<'_>>,
        lists: &mut BatchHeaderBuilder,
        spool: &mut Spool<'_, W>,
    ) -> Result<()> {
        let entries = Entries::try_new(source.message, source.left_out, self.shared())?;
        let mut budget = source.limits.decompression_budget(source.message.envelope().n_body_bytes());
        let mut contents = Vec::with_capacity(entries.ranges().len());
        for (idx, range) in entries.ranges() {
            let content = BufferContent::try_new(source.codec, *range, source.fetch, &mut budget);
            contents.push((*idx, content.in_buffer(*idx, None)?));
        }
        match self.compression() {
            None => {
                let n_bytes = |idx: usize| contents.get(idx).map_or(0, |(_, content)| content.n_bytes());
                let mut written = Ok(());
                add_buffers(&entries, lists, n_bytes, |idx, offset| {
                    let Some((buffer_idx, content)) = contents.get(idx) else { return };
                    if written.is_ok() {
                        // The number of zeros is less than the alignment.
                        written = spool.zeros(offset.saturating_sub(spool.n_bytes) as usize);
                    }
                    if written.is_ok() {
                        written =
                            content.for_each(|piece| spool.put(piece.bytes())).in_buffer(*buffer_idx, None);
                    }
                })?;
                written?;
            }
            Some(compression) => {
                let mut frames = FrameInPieces::try_new(compression)?;
                pack(&entries, lists, |idx, lists| {
                    let Some((buffer_idx, content)) = contents.get(idx) else { return Ok(()) };
                    compress(&mut frames, content, lists, &mut *spool).in_buffer(*buffer_idx, None)
                })?;
            }
        }
        spool.zeros(lists.end_body())
    }
}

/// Compresses a buffer if that saves enough bytes, and writes it to `spool`.
fn compress<W: Write + Seek>(
    frames: &mut FrameInPieces,
    content: &BufferContent<'_>,
    lists: &mut BatchHeaderBuilder,
    spool: &mut Spool<'_, W>,
) -> Result<()> {
    if content.n_bytes() == 0 {
        // An empty buffer may have a frame, which is checked.
        content.for_each(|_| Ok(()))?;
        lists.add_packed_buffer(0);
        return Ok(());
    }
    spool.zeros(lists.n_packed_padding())?;
    let start = spool.n_bytes;
    spool.put(&content.n_bytes().to_le_bytes())?;
    if !frames.make(content, |bytes| spool.put(bytes))? {
        spool.rewind(start)?;
        spool.put(&BufferEncoding::RAW_PREFIX)?;
        content.for_each(|piece| spool.put(piece.bytes()))?;
    }
    debug_assert!(spool.n_bytes > start + PREFIX_BYTES as u64, "something follows the length");
    lists.add_packed_buffer(spool.n_bytes.saturating_sub(start));
    Ok(())
}

/// Compresses content that arrives in pieces of 1 MiB.
struct FrameInPieces {
    encoder: BufferCompressor,
    frame: BufferMut,
}

impl FrameInPieces {
    /// # Errors
    /// If the codec is not built in, or does not have the level.
    fn try_new(compression: Compression) -> Result<FrameInPieces> {
        Ok(FrameInPieces { encoder: BufferCompressor::try_new(compression)?, frame: BufferMut::new() })
    }

    /// Compresses a buffer, and calls `put` with the bytes of the frame. Returns whether the frame saves enough bytes.
    ///
    /// # Errors
    /// If the content cannot be read or compressed, or `put` fails.
    fn make(
        &mut self,
        content: &BufferContent<'_>,
        mut put: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<bool> {
        let FrameInPieces { encoder, frame } = self;
        let mut n_bytes = 0usize;
        frame.clear();
        encoder.begin(content.n_bytes(), frame)?;
        content.for_each(|piece| {
            encoder.add(piece, frame)?;
            n_bytes = n_bytes.saturating_add(frame.len());
            put(frame)?;
            frame.clear();
            Ok(())
        })?;
        let n_content_bytes = usize::try_from(content.n_bytes()).unwrap_or(usize::MAX);
        Ok(encoder.saves_enough(n_content_bytes, n_bytes))
    }
}
