//! Copies bodies from a source to a sink through a small window, because a whole body may not fit in memory.

use std::io::{self, BufWriter, Read, Write};

use arrow_buffer::Buffer;
use arrow_ipc::{IpcErrorKind, Source};
use arrow_ipc_rewrite::BufferMove;

use crate::{error::ToolErrorKind, source::SharedSource};

/// The maximal number of bytes of a body that are read at once.
const WINDOW_BYTES: u64 = 1 << 20;
/// Like `WINDOW_BYTES`, if requests have a high latency: enough for several concurrent requests.
const FAR_WINDOW_BYTES: u64 = 32 << 20;
/// The maximal gap between two buffers that are read together, in bytes.
const PADDING_BYTES: u64 = 64;
/// Shorter pieces than this are collected, and written together.
const GATHER_BYTES: usize = 64 << 10;

pub(super) struct SourceBody<'a> {
    source: &'a SharedSource,
    start: u64,
    n_bytes: u64,
    window: Buffer,
    /// The byte offset of the window in the body.
    window_start: u64,
}

impl<'a> SourceBody<'a> {
    pub(super) fn new(source: &'a SharedSource, start: u64, n_bytes: u64) -> SourceBody<'a> {
        SourceBody { source, start, n_bytes, window: Buffer::new(), window_start: 0 }
    }

    pub(super) fn copy(&mut self, sink: &mut dyn Write) -> Result<(), ToolErrorKind> {
        self.copy_range(0, self.n_bytes, self.n_bytes, sink)
    }

    /// Writes a new body of `n_bytes` bytes: the buffers of this body at new offsets, and zeros between them.
    pub(super) fn relocate(
        &mut self,
        moves: &[BufferMove],
        n_bytes: u64,
        sink: &mut dyn Write,
    ) -> Result<(), ToolErrorKind> {
        let mut sink = BufWriter::with_capacity(GATHER_BYTES, sink);
        let mut end = 0;
        for neighbours in moves.chunk_by(follows) {
            let fetch_end = neighbours.last().map_or(0, |last| last.from().end());
            for buffer in neighbours {
                zeros(buffer.start().saturating_sub(end), &mut sink)?;
                let from = buffer.from();
                self.copy_range(from.start(), from.end(), fetch_end, &mut sink)?;
                end = buffer.start().saturating_add(from.n_bytes());
            }
        }
        zeros(n_bytes.saturating_sub(end), &mut sink)?;
        sink.flush().map_err(output_error)
    }

    /// Writes the bytes `start..end` of the body. May also read the bytes up to `fetch_end`, which are needed next.
    fn copy_range(
        &mut self,
        start: u64,
        end: u64,
        fetch_end: u64,
        sink: &mut dyn Write,
    ) -> Result<(), ToolErrorKind> {
        let mut at = start;
        while at < end {
            let bytes = self.bytes(at, end - at, fetch_end).map_err(source_error)?;
            if bytes.is_empty() {
                return Err(source_error(io::ErrorKind::UnexpectedEof.into()));
            }
            at = at.saturating_add(bytes.len() as u64);
            sink.write_all(bytes).map_err(output_error)?;
        }
        Ok(())
    }

    /// Returns bytes from the offset `at` on: at most `n_requested`, and at most up to the end of the window. Reads no
    /// bytes after `fetch_end`, because the next buffer may be far away.
    fn bytes(&mut self, at: u64, n_requested: u64, fetch_end: u64) -> io::Result<&[u8]> {
        let window_end = self.window_start.saturating_add(self.window.len() as u64);
        if !(self.window_start..window_end).contains(&at) {
            let n_at_once = if self.source.is_far() { FAR_WINDOW_BYTES } else { WINDOW_BYTES };
            let end = self.n_bytes.min(fetch_end).min(at.saturating_add(n_at_once));
            // Frees the memory of the old window before the new one is read.
            self.window = Buffer::new();
            let range = self.start.saturating_add(at)..self.start.saturating_add(end);
            self.window = self.source.fetch(range)?;
            self.window_start = at;
        }
        let skipped = usize::try_from(at.saturating_sub(self.window_start)).unwrap_or(usize::MAX);
        let bytes = self.window.get(skipped..).unwrap_or_default();
        let n_bytes = usize::try_from(n_requested).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes.get(..n_bytes).unwrap_or_default())
    }
}

/// Whether the second buffer comes after the first, with at most `PADDING_BYTES` between them.
fn follows(first: &BufferMove, second: &BufferMove) -> bool {
    let gap = second.from().start().checked_sub(first.from().end());
    gap.is_some_and(|gap| gap <= PADDING_BYTES)
}

fn zeros(n_bytes: u64, sink: &mut dyn Write) -> Result<(), ToolErrorKind> {
    io::copy(&mut io::repeat(0).take(n_bytes), sink).map(drop).map_err(output_error)
}

/// The error of reading a body.
pub(super) fn source_error(error: io::Error) -> ToolErrorKind {
    ToolErrorKind::Input(IpcErrorKind::Io(error).into())
}

/// The error of writing the output, or a temporary file for it.
pub(super) fn output_error(error: io::Error) -> ToolErrorKind {
    ToolErrorKind::Output(IpcErrorKind::Write(error).into())
}
