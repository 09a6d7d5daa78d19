//! Opens the part of a file up to its last complete footer.

use std::{io, ops::Range};

use arrow_buffer::Buffer;

use crate::{
    error::{ErrorClass, Result},
    file::{
        footer::{FILE, Footer, FooterSearch, START_BYTES},
        read::FileReader,
        write::FileEncoder,
    },
    options::{ReadOptions, WriteOptions},
    source::Source,
};
use arrow_ipc_format::Limits;

/// A source with only the first bytes of another source.
#[derive(Debug)]
pub(super) struct FilePrefix<'a, S> {
    source: &'a S,
    pub(super) n_bytes: u64,
}

/// Opens a file up to its last complete footer. The source of the reader ends after this footer.
///
/// # Errors
/// If the source fails, or the file has no complete footer. The error then describes the end of the file.
pub(super) fn open_complete<S: Source>(
    source: &S,
    options: ReadOptions,
) -> Result<FileReader<FilePrefix<'_, S>>> {
    let n_bytes = source.n_bytes()?;
    let open = |n_bytes| FileReader::try_new_with(FilePrefix { source, n_bytes }, options.clone());
    let error = match open(n_bytes) {
        Err(error) if matches!(error.class(), ErrorClass::Truncated | ErrorClass::Malformed) => error,
        opened => return opened,
    };
    Footer::check_start(&source.fetch(0..n_bytes.min(START_BYTES))?, FILE)?;
    let found = FooterSearch::new(n_bytes, options.limits().clone()).find(|range| source.fetch(range))?;
    let (_, range) = found.ok_or(error)?;
    open(range.end)
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

impl Footer {
    /// The bytes after the last complete footer of a file, which a [`FileAppender`](crate::FileAppender) removes. Empty if the
    /// file ends with a footer.
    ///
    /// A crash of an appender leaves at most zeros and 9 other bytes. Any other bytes may come from another program;
    /// `arrow-ipc-recover` finds the batches in them.
    ///
    /// # Errors
    /// The errors of [`read_last`](Footer::read_last).
    pub fn bytes_after_last(source: &impl Source, limits: &Limits) -> Result<Range<u64>> {
        let complete = open_complete(source, ReadOptions::new().with_limits(limits.clone()))?;
        Ok(complete.source().n_bytes..source.n_bytes()?)
    }
}

impl<S: Source> FileReader<S> {
    /// See [`FileDecoder::plan_continue_writing`](crate::FileDecoder::plan_continue_writing).
    pub(super) fn continue_writing(&self, options: WriteOptions) -> Result<FileEncoder> {
        self.run(self.decoder().plan_continue_writing(options))
    }
}

impl<S: Source> Source for FilePrefix<'_, S> {
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
