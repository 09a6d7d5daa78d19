//! The rows of text, or of a data set, as a stream that another thread writes.

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

/// The stream, which another thread writes while it is read. If the system starts no other thread, the whole stream is
/// first written to a temporary file.
///
/// # Errors
/// If no thread can be started, and no temporary file can be made.
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
        // The thread waits for the function.
        let _ = hand_over.send(write);
        return Ok(Box::new(pieces));
    }
    let mut file = tempfile::tempfile()?;
    written(write, &mut file, &send);
    file.rewind()?;
    Ok(Box::new(file.chain(pieces)))
}

/// Writes the stream, then sends its end or its error.
fn written(write: WriteStream, sink: &mut dyn Write, ends: &SyncSender<Result<Vec<u8>, ToolError>>) {
    let end = write(sink).map(|()| Vec::new());
    // If all wanted rows have been read, the reader is gone, and sending fails.
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
                // The other thread always sends an end, unless it panics.
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

    /// Sends all pieces at once, without waiting for more bytes: the wanted rows may be among them.
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
