//! Opens the part of a file up to its last complete footer.

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

#[derive(Debug)]
pub(super) struct CompleteFile<'a, S> {
    reader: FileReader<Start<'a, S>>,
    n_bytes: u64,
}

/// A source with only the first bytes of another source.
#[derive(Debug)]
struct Start<'a, S> {
    source: &'a S,
    n_bytes: u64,
}

///
/// # Errors
/// If the source fails, or the file has no complete footer. The error then describes the end of the file.
pub(super) fn open_complete<S: Source>(source: &S, options: ReadOptions) -> Result<CompleteFile<'_, S>> {
    let n_bytes = source.n_bytes()?;
    let opened = FileReader::try_from_source(Start { source, n_bytes }, options.clone());
    match opened {
        Ok(reader) => Ok(CompleteFile { reader, n_bytes }),
        Err(error) => before_the_damage(source, n_bytes, options, error),
    }
}

impl Footer {
    /// Reads the last complete footer of a file, even if the end of the file is incomplete. A
    /// [`FileAppender`](crate::FileAppender) appends after the blocks of this footer. See also [`read`](Footer::read).
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

/// Opens a file up to its last complete footer. `error` is the error at the end of the file.
///
/// # Errors
/// Returns `error` if it does not come from the bytes of the file, or if there is no complete footer.
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

    /// The position after the magic that follows the footer.
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// See [`FileDecoder::continue_writing`](crate::FileDecoder::continue_writing).
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
