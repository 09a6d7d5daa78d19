//! Text, or a data set, as a stream of its rows, which another thread makes.

use std::{
    io::{self, IoSlice, Read, Seek, Write},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use super::failure::TextFailure;
use crate::error::ToolError;

/// At most this many pieces wait to be read. Each is a message, or a part of one.
const MAX_PIECES: usize = 4;

/// Reads the bytes that the other thread writes.
struct ThreadReader {
    /// Pieces, and an empty one at the end.
    given: Receiver<Result<Vec<u8>, ToolError>>,
    piece: io::Cursor<Vec<u8>>,
    has_ended: bool,
}

/// Writes a stream.
pub type WriteStream = Box<dyn FnOnce(&mut dyn Write) -> Result<(), ToolError> + Send>;

/// The stream, which another thread makes. If the system refuses another thread, the whole stream is made first, in a
/// temporary file.
///
/// # Errors
/// If there is no temporary file.
pub fn stream_of(write: WriteStream) -> io::Result<Box<dyn Read + Send>> {
    let (send, given) = sync_channel(MAX_PIECES);
    let (hand_over, handed_over) = sync_channel::<WriteStream>(1);
    let mut sender = ThreadWriter(send.clone());
    let make = move || {
        if let Ok(write) = handed_over.recv() {
            let ends = sender.0.clone();
            written(write, &mut sender, &ends);
        }
    };
    let pieces = ThreadReader { given, piece: io::Cursor::default(), has_ended: false };
    if thread::Builder::new().spawn(make).is_ok() {
        // It waits for this.
        let _ = hand_over.send(write);
        return Ok(Box::new(pieces));
    }
    let mut file = tempfile::tempfile()?;
    written(write, &mut file, &send);
    file.rewind()?;
    Ok(Box::new(file.chain(pieces)))
}

/// Writes the stream. No rows follow after an error.
fn written(write: WriteStream, sink: &mut dyn Write, ends: &SyncSender<Result<Vec<u8>, ToolError>>) {
    let end = write(sink).map(|()| Vec::new());
    // Nobody listens any more if the rows that were wanted have been read.
    let _ = ends.send(end);
}

impl Read for ThreadReader {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.piece.read(place)? {
                0 if !place.is_empty() && !self.has_ended => {}
                n_bytes => return Ok(n_bytes),
            }
            match self.given.recv() {
                Ok(Ok(end)) if end.is_empty() => self.has_ended = true,
                Ok(Ok(piece)) => self.piece = io::Cursor::new(piece),
                Ok(Err(error)) => {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, TextFailure::new(error)));
                }
                // The other thread always says that it ends, unless it panics.
                Err(_) => return Err(io::Error::other("the thread that reads the input has stopped")),
            }
        }
    }
}

struct ThreadWriter(SyncSender<Result<Vec<u8>, ToolError>>);

impl Write for ThreadWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    /// Sends all pieces at once. They do not wait for more, since the wanted rows may be among them.
    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        let bytes = pieces.iter().map(|piece| &**piece).collect::<Vec<&[u8]>>().concat();
        let n_bytes = bytes.len();
        if n_bytes == 0 {
            return Ok(0);
        }
        self.0.send(Ok(bytes)).map(|()| n_bytes).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_stops_is_no_end() {
        for has_end in [true, false] {
            let (send, given) = sync_channel(MAX_PIECES);
            let mut pieces = ThreadReader { given, piece: io::Cursor::default(), has_ended: false };
            let mut sender = ThreadWriter(send.clone());
            sender.write_all(b"some ").unwrap();
            assert_eq!(sender.write(b"").unwrap(), 0);
            sender.write_all(b"bytes").unwrap();
            if has_end {
                send.send(Ok(Vec::new())).unwrap();
            }
            drop((sender, send));
            let mut found = Vec::new();
            assert_eq!(pieces.read_to_end(&mut found).is_ok(), has_end);
            assert_eq!(found, b"some bytes");
        }
    }
}
