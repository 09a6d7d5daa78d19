//! Opens a file: reads its end, then the footer.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use arrow_buffer::Buffer;

use super::{
    decoder::FileDecoder,
    metadata::MetadataCache,
    plan::PlanInput,
    provided_ranges::ProvidedRanges,
    row_ends::RowEnds,
    state::{FileOrigin, FileState},
    stream_dictionaries::StreamDictionaries,
    walk::{StreamWalk, WalkedStream},
};
use crate::{
    error::{FormatErrorKind, IpcError, IpcErrorKind, Result},
    file::footer::{FILE_OR_STREAM, Footer, START_BYTES, TAIL_BYTES},
    message_decoder::MessageDecoder,
    options::ReadOptions,
    source::{LocatedBytes, planner::METADATA_REQUEST_BYTES},
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

/// Reads the footer, and makes the decoder of the file.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) footer: ReadFooter,
    pub(super) options: ReadOptions,
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
const ALIGNMENT: u64 = 64;

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

impl OpenFile {
    pub(super) async fn open(self, input: &PlanInput) -> Result<FileDecoder> {
        let OpenFile { footer: ReadFooter { file_bytes, .. }, .. } = self;
        match self.footer.read(input).await? {
            FoundContainer::File(footer) => return self.file(*footer, &input.lock()),
            FoundContainer::Other(Container::Stream) => {}
            FoundContainer::Other(_) if file_bytes == 0 => return Err(IpcErrorKind::EmptyInput.into()),
            FoundContainer::Other(found) => {
                let expected = FILE_OR_STREAM;
                return Err(IpcErrorKind::WrongContainer { expected, found }.into());
            }
        }
        let walked = StreamWalk::new(file_bytes, self.options).finish(input).await?;
        Ok(FileDecoder::from_stream(walked, file_bytes, &input.lock()))
    }

    fn file(&self, footer: Footer, bytes: &ProvidedRanges) -> Result<FileDecoder> {
        // The bytes at the end stay in memory if they are no more than requested, or the whole file.
        let n_bytes = self.footer.file_bytes;
        let is_retained = |part: &&LocatedBytes| {
            let n_part_bytes = part.bytes.len() as u64;
            n_part_bytes <= self.options.tail_bytes_of(n_bytes).saturating_add(ALIGNMENT)
                || n_part_bytes == n_bytes
        };
        let base = bytes.last_part().filter(is_retained).cloned();
        let metadata_cache = if base.as_ref().is_some_and(|base| base.bytes.len() as u64 == n_bytes) {
            MetadataCache::for_dictionaries(&footer, self.options.metadata_cache_bytes())
        } else {
            MetadataCache::new(&footer, self.options.metadata_cache_bytes())
        };
        let options = self.options.clone();
        let counters = Arc::clone(bytes.counters());
        let message_decoder = MessageDecoder::with_counters(footer.ipc_schema().clone(), options, counters)?;
        message_decoder.check_metadata(footer.metadata())?;
        let file = FileState {
            footer,
            n_bytes,
            base,
            metadata_cache,
            limits: self.footer.limits.clone(),
            dictionary_blocks: OnceLock::new(),
            row_ends: RowEnds::default(),
            origin: FileOrigin::File,
        };
        Ok(FileDecoder { file: Arc::new(file), message_decoder, dictionaries: None, projection: None })
    }
}

impl FileDecoder {
    /// The decoder of a stream whose messages were found.
    pub(super) fn from_stream(walked: WalkedStream, input_bytes: u64, bytes: &ProvidedRanges) -> FileDecoder {
        let WalkedStream { decoder, footer, messages } = walked;
        let is_whole = |part: &&LocatedBytes| part.bytes.len() as u64 == input_bytes;
        let base = bytes.whole().filter(is_whole).cloned();
        let max_cached_bytes = decoder.options().metadata_cache_bytes();
        let metadata_cache = match &base {
            Some(_) => MetadataCache::for_dictionaries(&footer, max_cached_bytes),
            None => MetadataCache::new(&footer, max_cached_bytes),
        };
        let dictionaries = StreamDictionaries::new(&footer, &messages.dictionaries);
        let limits = decoder.options().limits().clone();
        let file = FileState {
            footer,
            n_bytes: input_bytes,
            base,
            metadata_cache,
            limits,
            dictionary_blocks: OnceLock::new(),
            row_ends: RowEnds::default(),
            origin: FileOrigin::Stream(messages),
        };
        FileDecoder {
            file: Arc::new(file),
            message_decoder: decoder,
            dictionaries: Some(Arc::new(dictionaries)),
            projection: None,
        }
    }

    /// A decoder of the same input with other options, which is opened without a request. It shares the footer and the
    /// bytes that opening has read, but nothing that was read later, such as dictionaries. A program that keeps a decoder
    /// to open the input again thus keeps little memory.
    ///
    /// The decoder has the batches that opening has found. If a stream ended there at a message that was over a limit, and
    /// the new limits allow the message, then reading to the end fails with
    /// [`StreamContinues`](IpcErrorKind::StreamContinues). [`plan_refresh`](FileDecoder::plan_refresh) finds the messages
    /// from there on.
    ///
    /// # Errors
    /// If the projection in the options does not fit the schema, or the schema is over their limits.
    ///
    /// ```
    /// # use arrow_array::Int64Array;
    /// # use arrow_data::RecordBatch;
    /// use arrow_ipc::{FileReader, FileWriter, Projection, ReadOptions};
    ///
    /// # let columns = [("id", Int64Array::from_iter(0..3).into()), ("size", Int64Array::from_iter(4..7).into())];
    /// # let batch = RecordBatch::try_from_columns(columns)?;
    /// let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
    /// let decoder = FileReader::try_from_buffer(file)?.decoder().clone();
    /// let sizes = decoder.reopen_with(ReadOptions::new().with_projection(Projection::names(["size"])))?;
    /// assert_eq!((sizes.n_batches(), sizes.schema().to_string().as_str()), (1, "size: int64"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reopen_with(&self, options: ReadOptions) -> Result<FileDecoder> {
        let FileState { footer, base, .. } = &*self.file;
        let message_decoder = MessageDecoder::try_new_with(footer.ipc_schema().clone(), options)?;
        message_decoder.check_metadata(footer.metadata())?;
        Ok(self.reopened(footer.clone(), base.clone(), message_decoder))
    }

    /// A decoder of the same input without the bytes at its end, which opening has read, and without what was read later. It
    /// keeps what the footer says, so a program can keep many decoders to open their inputs again. Plans request the bytes
    /// that they need, also those at the end.
    ///
    /// ```
    /// # use arrow_array::Int64Array;
    /// # use arrow_data::RecordBatch;
    /// use arrow_ipc::{FileReader, FileWriter, file::PlanStep};
    ///
    /// # let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(0..3).into())])?;
    /// let file = FileWriter::write_to_buffer(batch.schema(), &[batch.clone()])?;
    /// let decoder = FileReader::try_from_buffer(file)?.decoder().without_tail();
    /// assert_eq!(decoder.n_batches(), 1);
    /// assert!(matches!(decoder.plan_batch(0)?.step()?, PlanStep::Need(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_tail(&self) -> FileDecoder {
        if let FileOrigin::Body(_) = self.file.origin {
            // The metadata of its only batch was read with the message, and is not read again.
            return self.clone();
        }
        let footer = self.file.footer.clone().into_copied();
        let reopened = self.reopened(footer, None, self.message_decoder.without_dictionaries());
        FileDecoder { projection: self.projection.clone(), ..reopened }
    }

    /// A decoder that shares nothing that was read after opening.
    fn reopened(
        &self,
        footer: Footer,
        base: Option<LocatedBytes>,
        message_decoder: MessageDecoder,
    ) -> FileDecoder {
        let FileState { n_bytes, origin, .. } = &*self.file;
        let options = message_decoder.options();
        let max_cached_bytes = options.metadata_cache_bytes();
        let is_in_memory = base.as_ref().is_some_and(|base| base.bytes.len() as u64 == *n_bytes);
        let metadata_cache = if is_in_memory {
            MetadataCache::for_dictionaries(&footer, max_cached_bytes)
        } else {
            MetadataCache::new(&footer, max_cached_bytes)
        };
        let dictionaries = match origin {
            FileOrigin::Stream(messages) => {
                Some(Arc::new(StreamDictionaries::new(&footer, &messages.dictionaries)))
            }
            FileOrigin::File | FileOrigin::Body(_) => None,
        };
        let file = FileState {
            footer,
            n_bytes: *n_bytes,
            base,
            metadata_cache,
            limits: options.limits().clone(),
            dictionary_blocks: OnceLock::new(),
            row_ends: RowEnds::default(),
            origin: origin.clone(),
        };
        FileDecoder { file: Arc::new(file), message_decoder, dictionaries, projection: None }
    }

    /// Uses the dictionaries that were loaded before the stream grew.
    pub(super) fn with_loaded_dictionaries_of(mut self, before: Option<&StreamDictionaries>) -> FileDecoder {
        let stream = self.dictionaries.as_mut().and_then(Arc::get_mut);
        if let Some((stream, before)) = stream.zip(before) {
            stream.share_cache_of(before);
        }
        self
    }
}
