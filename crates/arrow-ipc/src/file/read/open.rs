//! Opens a file: reads its end, then the footer.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use super::{
    decoder::{FileDecoder, FileState},
    metadata::MetadataCache,
    provided_ranges::ProvidedRanges,
};
use crate::{
    error::{Context, FormatErrorKind, Result},
    file::footer::{Footer, START_BYTES, TAIL_BYTES},
    message_decoder::MessageDecoder,
    options::ReadOptions,
    source::LocatedBytes,
};
use arrow_ipc_format::Limits;

#[derive(Debug)]
pub(super) struct ReadFooter {
    pub(super) file_bytes: u64,
    pub(super) limits: Limits,
    /// The number of bytes in the first request, which reads the end of the file.
    pub(super) tail_bytes: u64,
    pub(super) start: FirstBytes,
}

/// Whether the first bytes of the file are requested. If they are provided, their magic is checked in both cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstBytes {
    Required,
    IfProvided,
}

/// Reads the footer, and makes the decoder of the file.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) footer: ReadFooter,
    pub(super) options: ReadOptions,
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

    pub(super) fn read(&self, bytes: &mut ProvidedRanges) -> Result<Option<Footer>> {
        let file_bytes = self.file_bytes;
        let start_range = 0..file_bytes.min(START_BYTES);
        let tail_start = file_bytes.checked_sub(TAIL_BYTES).filter(|start| *start >= START_BYTES);
        let Some(tail_start) = tail_start else {
            let Some(start) = bytes.take(start_range) else { return Ok(None) };
            Footer::check_start(&start)?;
            let needed = START_BYTES + TAIL_BYTES;
            return Err(FormatErrorKind::Truncated { what: "file", needed, available: file_bytes }.into());
        };
        let start = match self.start {
            FirstBytes::Required => bytes.take(start_range.clone()),
            FirstBytes::IfProvided => bytes.find(&start_range),
        };
        let Some(tail) = bytes.take(tail_start..file_bytes) else {
            bytes.hint(self.tail());
            return Ok(None);
        };
        if start.is_none() && self.start == FirstBytes::Required {
            return Ok(None);
        }
        if let Some(start) = &start {
            Footer::check_start(start)?;
        }
        let range = match Footer::range(&tail, file_bytes, &self.limits) {
            Ok(range) => range,
            // Without a valid footer at the end, the first bytes show the format of the input.
            Err(error) => {
                let Some(start) = bytes.take(start_range) else { return Ok(None) };
                Footer::check_start(&start)?;
                return Err(error);
            }
        };
        let position = range.start;
        let Some(footer) = bytes.take(range) else { return Ok(None) };
        Footer::parse(&footer, position, &self.limits).at_byte(position).map(Some)
    }
}

impl OpenFile {
    pub(super) fn open(&self, bytes: &mut ProvidedRanges) -> Result<Option<FileDecoder>> {
        let Some(footer) = self.footer.read(bytes)? else { return Ok(None) };
        // The bytes at the end stay in memory if they are no more than requested, or the whole file.
        let n_bytes = self.footer.file_bytes;
        let is_kept = |part: &&LocatedBytes| {
            let n_part_bytes = part.bytes.len() as u64;
            n_part_bytes <= self.options.tail_bytes_of(n_bytes).saturating_add(ALIGNMENT)
                || n_part_bytes == n_bytes
        };
        let base = bytes.last_part().filter(is_kept).cloned();
        let kept = if base.as_ref().is_some_and(|base| base.bytes.len() as u64 == n_bytes) {
            MetadataCache::of_dictionaries(&footer, self.options.kept_metadata_bytes())
        } else {
            MetadataCache::new(&footer, self.options.kept_metadata_bytes())
        };
        let options = self.options.clone();
        let counters = Arc::clone(bytes.counters());
        let message_decoder = MessageDecoder::with_counters(footer.ipc_schema().clone(), options, counters)?;
        let file = FileState {
            footer,
            n_bytes,
            base,
            kept,
            limits: self.footer.limits.clone(),
            dictionary_blocks: OnceLock::new(),
            of_message: None,
        };
        Ok(Some(FileDecoder { file: Arc::new(file), message_decoder }))
    }
}
