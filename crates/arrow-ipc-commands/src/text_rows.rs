//! Text as a stream of its rows, for the commands that read rows: other threads make the stream, as `convert` does. With `--threads 1`
//! it is one, which must not use the pool: that is the calling thread, which waits for it.

use std::{
    io::{self, IoSlice, Read, Write},
    num::NonZeroUsize,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use arrow_ipc::Threads;
use arrow_ipc_tools::{ConvertOptions, Import, Input, Target, ToolError};

use crate::{
    args::TextOptions,
    exit::Failure,
    import::{self, Opened},
    names::InputName,
    text_error::TextError,
};

/// So many pieces wait to be read: each is a message, or a part of one.
const MAX_PIECES: usize = 4;

/// Opens Arrow data, or CSV or lines of JSON, whose schema is inferred.
///
/// # Errors
/// If it cannot be read, or is neither. If an option is given that is for another form.
pub(crate) fn open_rows(name: &InputName, options: &TextOptions) -> Result<Input, Failure> {
    match import::open(name, options) {
        // What is compressed may be neither: the first bytes tell more of it than those inside.
        Err(failure @ (Failure::Tool(_) | Failure::Advised { .. }))
            if name.is_file() && options.from.is_none() =>
        {
            Err(name.open().err().map_or(failure, Failure::from))
        }
        Err(failure) => Err(failure),
        Ok(Opened::Arrow(input)) => Ok(input),
        Ok(Opened::Text(text)) => {
            let import = import::import(name, text, options, None)?;
            let n_threads = NonZeroUsize::new(Threads::n_available()).unwrap_or(NonZeroUsize::MIN);
            let import = import.with_threads(n_threads);
            Ok(Input::try_from_reader(arrow_ipc_tools::InputName::from(name), Pieces::of(import))?)
        }
    }
}

/// Reads what the other thread writes.
struct Pieces {
    given: Receiver<Result<Vec<u8>, ToolError>>,
    piece: io::Cursor<Vec<u8>>,
}

impl Pieces {
    fn of(import: Import) -> Pieces {
        let (send, given) = sync_channel(MAX_PIECES);
        thread::spawn(move || {
            let options = ConvertOptions::new(Target::Stream);
            if let Err(error) = import.write_to(Sender(send.clone()), &options, &mut ()) {
                // Nobody listens any more if the rows that were wanted have been read.
                let _ = send.send(Err(error));
            }
        });
        Pieces { given, piece: io::Cursor::default() }
    }
}

impl Read for Pieces {
    fn read(&mut self, place: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.piece.read(place)? {
                0 if !place.is_empty() => {}
                n_bytes => return Ok(n_bytes),
            }
            match self.given.recv() {
                Ok(Ok(piece)) => self.piece = io::Cursor::new(piece),
                Ok(Err(error)) => {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, TextError::new(error)));
                }
                Err(_) => return Ok(0),
            }
        }
    }
}

struct Sender(SyncSender<Result<Vec<u8>, ToolError>>);

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    /// All of them at once. They do not wait for more: the rows that are wanted may be among them.
    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        let bytes = pieces.iter().map(|piece| &**piece).collect::<Vec<&[u8]>>().concat();
        let n_bytes = bytes.len();
        self.0.send(Ok(bytes)).map(|()| n_bytes).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
