//! Reads the footer of a file: at its end, or the last complete one before incomplete bytes.

use std::{io, ops::Range};

use arrow_buffer::Buffer;

use super::{
    fetch::{FetchContext, run},
    plan::{PlanInput, ReadPlan},
    provided_ranges::ProvidedRanges,
    reader::{FileReader, at_its_length},
    unreferenced::{FileEnds, UnreferencedBytes, search},
};
use crate::{
    error::{ErrorClass, FormatErrorKind, IpcError, IpcErrorKind, Result},
    file::footer::{FILE, Footer, FooterSearch, START_BYTES, TAIL_BYTES},
    options::ReadOptions,
    recycled::BufferPool,
    source::{Source, planner::METADATA_REQUEST_BYTES},
};
use arrow_ipc_format::{Container, Limits};

#[derive(Debug)]
pub(super) struct ReadFooter {
    pub(super) file_bytes: u64,
    pub(super) limits: Limits,
    /// The number of bytes in the first request, which reads the end of the file.
    pub(super) tail_bytes: u64,
    /// Whether the first bytes of the file are requested. If they are provided, their magic is checked in both cases.
    pub(super) needs_start: bool,
}

/// What an input is, by its footer or by its first bytes.
#[derive(Debug)]
pub(super) enum FoundContainer {
    File(Box<Footer>),
    Other(Container),
}

impl FoundContainer {
    /// What the first bytes show, unless they are the magic of a file.
    fn without_magic(start: &[u8]) -> Option<FoundContainer> {
        let found = Container::detect(start);
        (found != Container::File).then_some(FoundContainer::Other(found))
    }
}

/// The alignment of the ranges that are read before the footer is known, so that bytes have the same alignment in memory
/// as in the file.
pub(super) const ALIGNMENT: u64 = 64;

impl ReadFooter {
    /// The range of the first request, at the end of the file.
    fn tail(&self) -> Range<u64> {
        let start = self.file_bytes.saturating_sub(self.tail_bytes);
        start - start % ALIGNMENT..self.file_bytes
    }

    pub(super) async fn read(&self, input: &PlanInput) -> Result<FoundContainer> {
        let file_bytes = self.file_bytes;
        let tail_start = file_bytes.checked_sub(TAIL_BYTES).filter(|start| *start >= START_BYTES);
        let Some(tail_start) = tail_start else {
            let needed = START_BYTES + TAIL_BYTES;
            let error = FormatErrorKind::Truncated { what: "file", needed, available: file_bytes };
            return self.without_footer(error.into(), None, input).await;
        };
        let tail = match self.take(tail_start..file_bytes, Some(self.tail()), input).await? {
            Ok(tail) => tail,
            Err(other) => return Ok(other),
        };
        // The first messages, if it is a stream.
        let first_bytes = Some(0..file_bytes.min(METADATA_REQUEST_BYTES));
        let range = match Footer::range(&tail, file_bytes, &self.limits) {
            Ok(range) => range,
            Err(error) => return self.without_footer(error, first_bytes, input).await,
        };
        let position = range.start;
        let footer = match self.take(range, None, input).await? {
            Ok(footer) => footer,
            Err(other) => return Ok(other),
        };
        match Footer::parse(&footer, position, &self.limits) {
            Ok(footer) => Ok(FoundContainer::File(Box::new(footer))),
            Err(error) => self.without_footer(error.at_byte(position), first_bytes, input).await,
        }
    }

    /// The bytes of a range, and the first bytes if they are required. If the first bytes are provided without the magic of a
    /// file, returns what they show.
    async fn take(
        &self,
        range: Range<u64>,
        hint: Option<Range<u64>>,
        input: &PlanInput,
    ) -> Result<std::result::Result<Buffer, FoundContainer>> {
        let pass = |bytes: &mut ProvidedRanges| {
            let start = 0..START_BYTES;
            let start = if self.needs_start { bytes.take(start) } else { bytes.find(&start) };
            if let Some(other) = start.as_deref().and_then(FoundContainer::without_magic) {
                return Ok(Some(Err(other)));
            }
            let found = bytes.take(range.clone());
            if found.is_none() {
                hint.iter().for_each(|hint| bytes.hint(hint.clone()));
            }
            let is_complete = start.is_some() || !self.needs_start;
            Ok(found.filter(|_| is_complete).map(Ok))
        };
        input.pass(pass).await
    }

    /// Without a valid footer at the end, the first bytes show what the input is. `error` is the error of a file.
    async fn without_footer(
        &self,
        error: IpcError,
        hint: Option<Range<u64>>,
        input: &PlanInput,
    ) -> Result<FoundContainer> {
        let pass = |bytes: &mut ProvidedRanges| {
            let start = bytes.take(0..self.file_bytes.min(START_BYTES));
            if start.is_none() {
                hint.iter().for_each(|hint| bytes.hint(hint.clone()));
            }
            Ok(start)
        };
        let start = input.pass(pass).await?;
        FoundContainer::without_magic(&start).ok_or(error)
    }
}

impl Footer {
    /// Reads the footer of a file, and checks the magic at the start. Use this function in tools that need only the
    /// footer. A [`FileReader`] already has its [`footer`](FileReader::footer).
    ///
    /// # Errors
    /// If the source fails, is not an Arrow file, or its footer is malformed, unsupported or over a limit.
    pub fn read(source: &impl Source, limits: &Limits) -> Result<Footer> {
        let footer = at_its_length(source, |file_bytes| {
            let limits = limits.clone();
            let footer = ReadFooter { file_bytes, limits, tail_bytes: 0, needs_start: true };
            run(
                source,
                ReadPlan::for_length(file_bytes, None, |input| async move {
                    match footer.read(&input).await? {
                        FoundContainer::File(footer) => Ok(*footer),
                        FoundContainer::Other(_) if file_bytes == 0 => Err(IpcErrorKind::EmptyInput.into()),
                        FoundContainer::Other(found) => {
                            Err(IpcErrorKind::WrongContainer { expected: FILE, found }.into())
                        }
                    }
                }),
                FetchContext { cost: source.fetch_cost(), budget: None, pool: &BufferPool::default() },
            )
        });
        footer.map(Footer::into_copied)
    }

    /// The position at which the messages of a file end and its footer begins, even if the footer lists blocks that cannot be
    /// in the file, for example because bytes before it are missing. `None` if no footer is at the end. Use this function
    /// in tools that show damaged files.
    ///
    /// # Errors
    /// If the source fails.
    pub fn find_position(source: &impl Source, limits: &Limits) -> Result<Option<u64>> {
        let n_bytes = source.n_bytes()?;
        let Some(tail_start) = n_bytes.checked_sub(TAIL_BYTES).filter(|start| *start >= START_BYTES) else {
            return Ok(None);
        };
        let Ok(range) = Footer::range(&source.fetch(tail_start..n_bytes)?, n_bytes, limits) else {
            return Ok(None);
        };
        let footer = source.fetch(range.clone())?;
        let is_footer = Footer::parse_shifted(&footer, range.start, limits).is_ok();
        Ok(is_footer.then_some(range.start))
    }

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

    /// Like [`FileReader::unreferenced_bytes`](crate::FileReader::unreferenced_bytes), for a file whose footer is this one.
    ///
    /// # Errors
    /// If the source fails.
    pub fn unreferenced_bytes(
        &self,
        source: &impl Source,
        limits: &Limits,
    ) -> Result<Option<UnreferencedBytes>> {
        let n_bytes = source.n_bytes()?;
        let (ends, limits) = (FileEnds::from_footer(self, n_bytes), limits.clone());
        run(
            source,
            ReadPlan::for_length(n_bytes, None, |input| search(ends, limits, input)),
            FetchContext { cost: source.fetch_cost(), budget: None, pool: &BufferPool::default() },
        )
    }
}

/// A source with only the first bytes of another source.
#[derive(Debug)]
pub(crate) struct FilePrefix<'a, S> {
    source: &'a S,
    pub(crate) n_bytes: u64,
}

/// Opens a file up to its last complete footer. The source of the reader ends after this footer.
///
/// # Errors
/// If the source fails, or the file has no complete footer. The error then describes the end of the file.
pub(crate) fn open_complete<S: Source>(
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
