//! Checks what is at the end of a stream: that it is complete, and the only one in its input.

use std::io::{self, Read};

use arrow_buffer::Buffer;
use arrow_ipc::{Limits, Source, file::StreamEnd};
use arrow_ipc_tools::trailing::Continuation;
use pyo3::prelude::*;

use crate::{
    error::{Failure, Result, add_hint, arrow_ipc_error},
    file::Reader,
    location::Location,
    source::AnySource,
};

/// Checks that a stream ends with a complete message, and that no other stream follows. Of a file, reads nothing.
///
/// # Errors
/// The error of [`read_stream`](crate::stream::read_stream) after the last batch.
pub(crate) fn check_end(reader: &Reader) -> Result<()> {
    reader.check_end()?;
    if reader.stream_end() != Some(StreamEnd::Marker) {
        return Ok(());
    }
    let source = reader.source();
    let position = reader.footer().position();
    let n_bytes = source.n_bytes()?;
    if position >= n_bytes {
        return Ok(());
    }
    let mut rest = BytesAfterEnd { source, position, n_bytes };
    check_only("open", position, Vec::new(), &mut rest, reader.decoder().options().limits())
}

/// Checks that no other stream follows a stream that ends at the byte offset `end`: its rows would be missing without
/// notice. `bytes` were already read, and `source` has the bytes after them. The error says that `function` reads one stream.
pub(crate) fn check_only(
    function: &str,
    end: u64,
    bytes: Vec<Buffer>,
    source: &mut impl Read,
    limits: &Limits,
) -> Result<()> {
    match Continuation::detect(end, bytes, source, None, limits)? {
        Continuation::Nothing | Continuation::Other(_) => Ok(()),
        Continuation::Stream { start, .. } => Err(more_streams(function, start)),
    }
}

fn more_streams(function: &str, start: u64) -> Failure {
    const HINT: &str = "convert(source, dest) makes one file or stream of all of them; of an open file, each call of \
                        read_stream(file) reads the next one";
    Python::attach(|py| {
        let location = Location { byte_offset: Some(start), ..Location::default() };
        let text = format!("at byte {start}: another stream follows, and {function} reads one");
        add_hint(py, arrow_ipc_error(py, text, "MoreStreams".to_owned(), "misuse", location), Some(HINT))
            .into()
    })
}

/// The bytes of a source from a position to its end.
struct BytesAfterEnd<'a> {
    source: &'a AnySource,
    position: u64,
    n_bytes: u64,
}

impl Read for BytesAfterEnd<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_wanted = self.n_bytes.saturating_sub(self.position).min(buffer.len() as u64);
        if n_wanted == 0 {
            return Ok(0);
        }
        let end = self.position.saturating_add(n_wanted);
        let n_read = (&*self.source.fetch(self.position..end)?).read(buffer)?;
        self.position = self.position.saturating_add(n_read as u64);
        Ok(n_read)
    }
}
