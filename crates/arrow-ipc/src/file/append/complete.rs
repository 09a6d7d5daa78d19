//! Opens a file whose end may be incomplete, up to its last complete footer.

use std::{io, ops::Range};

use arrow_buffer::Buffer;

use crate::{
    error::{ErrorClass, IpcError, Result},
    file::{
        footer::{Footer, LastFooter, START_BYTES},
        read::FileReader,
        write::FileEncoder,
    },
    limits::Limits,
    options::{ReadOptions, WriteOptions},
    source::Source,
};

/// A file up to the end of its last complete footer.
#[derive(Debug)]
pub(super) struct CompleteFile<'a, S> {
    reader: FileReader<Start<'a, S>>,
    n_bytes: u64,
}

/// The first bytes of a source, as a source.
#[derive(Debug)]
struct Start<'a, S> {
    source: &'a S,
    n_bytes: u64,
}

/// Opens a file. If its end is incomplete, opens the part up to the last complete footer.
///
/// # Errors
/// If the source fails, or the file has no complete footer. The error then says what is wrong at the end of the file.
pub(super) fn open_complete<S: Source>(source: &S, options: ReadOptions) -> Result<CompleteFile<'_, S>> {
    let n_bytes = source.n_bytes()?;
    let opened = FileReader::try_from_source(Start { source, n_bytes }, options.clone());
    match opened {
        Ok(reader) => Ok(CompleteFile { reader, n_bytes }),
        Err(error) => before_the_damage(source, n_bytes, options, error),
    }
}

impl Footer {
    /// Reads the last complete footer of a file, even if the end of the file is incomplete.
    /// [`FileAppender`](crate::FileAppender) appends after this footer. See also [`read`](Footer::read).
    ///
    /// # Errors
    /// If the source fails, or is not an Arrow file with a complete footer.
    pub fn read_last(source: &impl Source, limits: &Limits) -> Result<Footer> {
        Ok(open_complete(source, ReadOptions::new().with_limits(limits.clone()))?
            .footer()
            .clone()
            .into_copied())
    }
}

/// Opens a file up to its last complete footer, after an error at its end.
///
/// # Errors
/// The error at the end, if the bytes of the file are not its cause, or if there is no complete footer.
fn before_the_damage<S: Source>(
    source: &S,
    n_bytes: u64,
    options: ReadOptions,
    error: IpcError,
) -> Result<CompleteFile<'_, S>> {
    if !matches!(error.class(), ErrorClass::Truncated | ErrorClass::Malformed) {
        return Err(error);
    }
    Footer::check_start(&source.fetch(0..n_bytes.min(START_BYTES))?)?;
    let mut search = LastFooter::new(n_bytes, options.limits().clone());
    let found = search.find(|range| Ok(Some(source.fetch(range)?)))?;
    let Some(n_bytes) = found.flatten() else { return Err(error) };
    Ok(CompleteFile { reader: FileReader::try_from_source(Start { source, n_bytes }, options)?, n_bytes })
}

impl<S: Source> CompleteFile<'_, S> {
    pub(super) fn footer(&self) -> &Footer {
        self.reader.footer()
    }

    /// The length up to the end of the footer and its magic.
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Plans to append after the last block: see
    /// [`FileDecoder::continue_writing`](crate::FileDecoder::continue_writing).
    pub(super) fn continue_writing(&self, options: WriteOptions) -> Result<FileEncoder> {
        self.reader.run(self.reader.decoder().continue_writing(options))
    }
}

impl<S: Source> Source for Start<'_, S> {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.n_bytes)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        if range.end > self.n_bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.source.fetch(range)
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        if ranges.iter().any(|range| range.end > self.n_bytes) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.source.fetch_many(ranges)
    }
}
