//! Opens a file: reads its end, then the footer.

use std::sync::{Arc, OnceLock};

use super::{
    decoder::FileDecoder,
    metadata::MetadataCache,
    plan::PlanInput,
    provided_ranges::ProvidedRanges,
    read_footer::{ALIGNMENT, FoundContainer, ReadFooter},
    state::{FileOrigin, FileState, RowEnds},
    walk::StreamWalk,
};
use crate::{
    error::{IpcErrorKind, Result},
    file::footer::{FILE_OR_STREAM, Footer},
    message_decoder::MessageDecoder,
    options::ReadOptions,
    source::LocatedBytes,
};
use arrow_ipc_format::Container;

/// Reads the footer, and makes the decoder of the file.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) footer: ReadFooter,
    pub(super) options: ReadOptions,
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
            tail: base,
            whole: OnceLock::new(),
            metadata_cache: Arc::new(metadata_cache),
            limits: self.footer.limits.clone(),
            dictionary_blocks: OnceLock::new(),
            row_ends: RowEnds::default(),
            origin: FileOrigin::File,
        };
        Ok(FileDecoder { file: Arc::new(file), message_decoder, dictionaries: None, projection: None })
    }
}
