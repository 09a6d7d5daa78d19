//! Files that were opened: their footers stay in DataFusion's cache of metadata, and several partitions open a file once.

use std::{
    any::Any,
    collections::{HashMap, VecDeque},
    fmt,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use arrow_ipc::{
    Container, FetchCost, FileDecoder, IpcError, IpcSchema, Projection, ReadOptions,
    file::{StreamEnd, UnreferencedBytes, UnreferencedKind},
};
use arrow_ipc_async::{AsyncFileReader, AsyncSource};
use datafusion::{
    execution::cache::cache_manager::{CachedFileMetadataEntry, FileMetadata, FileMetadataCache},
    object_store::{ObjectMeta, ObjectStore, path::Path},
};
use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
    lock::Mutex as AsyncMutex,
};

use crate::{
    error::IpcFileError,
    object::{ObjectFile, RequestCounts, has_version},
    options::IpcOptions,
    schema::schema_of_stream,
};

/// The number of bytes at the end of a file that are fetched to open it.
const TAIL_BYTES: u64 = 64 << 10;

/// Readers fetch so many bytes more, so that the end has the same alignment in memory as in the file.
const FOR_ALIGNMENT: u64 = 64;

/// Files of at most this length are cached as a whole. They are about as long as what is cached of a longer file.
const MAX_WHOLE_BYTES: u64 = 8 << 10;

/// The last bytes of a file.
const FILE_MAGIC: [u8; 6] = *b"ARROW1";

/// Opens files. Clones open each file once, if several ask for it at the same time, and share it while they read it.
#[derive(Clone, Default)]
pub(crate) struct OpenedFiles {
    opening: Arc<Mutex<HashMap<FileVersion, WeakShared<Opening>>>>,
    in_use: Arc<Mutex<HashMap<FileVersion, Weak<FileInUse>>>>,
}

type Opening = BoxFuture<'static, Result<FileDecoder, IpcFileError>>;

/// A version of a file in a store.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct FileVersion {
    /// The address tells stores apart.
    store: usize,
    path: Path,
    n_bytes: u64,
    modified_micros: i64,
    tags: [Option<String>; 2],
}

impl FileVersion {
    fn new(store: &Arc<dyn ObjectStore>, meta: &ObjectMeta) -> FileVersion {
        FileVersion {
            store: Arc::as_ptr(store).cast::<()>().addr(),
            path: meta.location.clone(),
            n_bytes: meta.size,
            modified_micros: meta.last_modified.timestamp_micros(),
            tags: [meta.e_tag.clone(), meta.version.clone()],
        }
    }
}

/// A file that one or several partitions read. They share the metadata of its batches and its dictionaries, and the file of a local
/// store, which is opened once.
pub(crate) struct FileInUse {
    decoder: FileDecoder,
    file: ObjectFile,
    loading: AsyncMutex<()>,
}

impl FileInUse {
    /// Reads the dictionaries of the columns of a reader, unless another partition has read them. If it is reading them, waits for it.
    pub(crate) async fn load_dictionaries(
        &self,
        reader: &AsyncFileReader<ObjectFile>,
    ) -> Result<(), IpcError> {
        // In a stream, each batch has its own.
        if reader.container() == Container::Stream || reader.footer().dictionaries().is_empty() {
            return Ok(());
        }
        let _alone = self.loading.lock().await;
        reader.load_dictionaries().await
    }
}

/// A store, and what is used to open files in it.
#[derive(Debug, Clone)]
pub(crate) struct OpeningContext {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) cache: Option<Arc<FileMetadataCache>>,
    pub(crate) options: IpcOptions,
    pub(crate) cost: FetchCost,
    /// Whether the store has its objects as files of this machine.
    pub(crate) is_local: bool,
    pub(crate) counts: RequestCounts,
}

impl OpeningContext {
    /// Options that open any file: no column is selected, so that none is of an unknown type.
    fn read_options(&self) -> ReadOptions {
        ReadOptions::new()
            .with_limits(self.options.limits().clone())
            .with_projection(Projection::Positions(Vec::new()))
            .with_tail_bytes(TAIL_BYTES)
            .with_fetch_cost(self.cost)
    }

    fn file(&self, meta: &ObjectMeta) -> Result<ObjectFile, IpcFileError> {
        let file = ObjectFile::try_new(&self.store, meta, &self.options, self.cost, self.counts.clone())?;
        Ok(if self.is_local { file.opened_first() } else { file })
    }

    /// The decoder of this version of a file, if it is in the cache.
    fn cached(&self, meta: &ObjectMeta) -> Option<FileDecoder> {
        let entry = self.cache.as_ref().filter(|_cache| has_version(meta))?.get(&meta.location)?;
        if !entry.is_valid_for(meta) || entry.meta.e_tag != meta.e_tag || entry.meta.version != meta.version {
            return None;
        }
        let opened = entry.file_metadata.as_any().downcast_ref::<OpenedFile>()?;
        Some(opened.decoder.clone())
    }

    fn keep(&self, meta: &ObjectMeta, decoder: &FileDecoder) {
        // Greater limits may allow the message at which a stream ends, and those after it, which are not found again.
        if let Some(cache) = &self.cache
            && has_version(meta)
            && decoder.stream_end() != Some(StreamEnd::Incomplete)
        {
            let is_whole = meta.size <= MAX_WHOLE_BYTES;
            let decoder = if is_whole { decoder.clone() } else { decoder.without_tail() };
            let opened = Arc::new(OpenedFile { decoder, n_tail_bytes: if is_whole { meta.size } else { 0 } });
            cache.put(&meta.location, CachedFileMetadataEntry::new(meta.clone(), opened));
        }
    }
}

/// The files of a query of which ranges were read last. Partitions that read the other ranges later share them, too.
#[derive(Clone, Default)]
pub(crate) struct RecentFiles(Arc<Mutex<VecDeque<Arc<FileInUse>>>>);

/// The number of files whose dictionaries stay in memory while a query runs.
const MAX_RECENT_FILES: usize = 16;

impl RecentFiles {
    pub(crate) fn keep(&self, file: &Arc<FileInUse>) {
        if file.decoder.footer().dictionaries().is_empty() {
            return;
        }
        let mut recent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.iter().any(|known| Arc::ptr_eq(known, file)) {
            return;
        }
        if recent.len() >= MAX_RECENT_FILES {
            recent.pop_front();
        }
        recent.push_back(Arc::clone(file));
    }
}

impl OpenedFiles {
    /// A reader of a file, without columns, and what it shares with others that read the file.
    pub(crate) async fn reader(
        &self,
        context: &OpeningContext,
        meta: &ObjectMeta,
    ) -> Result<(AsyncFileReader<ObjectFile>, Arc<FileInUse>), IpcFileError> {
        let file = context.file(meta)?;
        let version = FileVersion::new(&context.store, meta);
        let in_use = match self.in_use(&version) {
            Some(in_use) => in_use,
            None => {
                let decoder = match context.cached(meta) {
                    Some(decoder) => decoder,
                    None => self.opening(context, meta, &file).await?,
                };
                // The decoder that is cached reads no batches, so it keeps no dictionaries, but it keeps their metadata.
                let decoder = decoder.reopen_cached_with(context.read_options());
                let decoder = decoder.map_err(|error| IpcFileError::at(&meta.location, error))?;
                let opened =
                    Arc::new(FileInUse { decoder, file: file.clone(), loading: AsyncMutex::new(()) });
                // Two queries may read different versions of a file that no store has listed.
                if has_version(meta) { self.use_one(version, opened) } else { opened }
            }
        };
        let file = in_use.file.counted_by(file);
        Ok((AsyncFileReader::from_decoder(file, in_use.decoder.clone()), in_use))
    }

    fn in_use(&self, version: &FileVersion) -> Option<Arc<FileInUse>> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner).get(version)?.upgrade()
    }

    /// This file, unless another partition has opened it meanwhile.
    fn use_one(&self, version: FileVersion, opened: Arc<FileInUse>) -> Arc<FileInUse> {
        let mut in_use = self.in_use.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = in_use.get(&version).and_then(Weak::upgrade) {
            return known;
        }
        in_use.retain(|_, other| other.strong_count() > 0);
        in_use.insert(version, Arc::downgrade(&opened));
        opened
    }

    fn opening(&self, context: &OpeningContext, meta: &ObjectMeta, file: &ObjectFile) -> Shared<Opening> {
        let version = FileVersion::new(&context.store, meta);
        let mut opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opening.get(&version).and_then(WeakShared::upgrade) {
            return known;
        }
        opening.retain(|_, other| other.upgrade().is_some());
        let context = context.clone();
        let meta = meta.clone();
        let file = file.clone();
        let opened = async move {
            let reader = AsyncFileReader::try_new_with(file, context.read_options()).await;
            let failed = |error| IpcFileError::at(&meta.location, error);
            let reader = reader.map_err(failed)?;
            if let Some(UnreferencedBytes { kind, range }) =
                reader.unreferenced_bytes().await.map_err(failed)?
            {
                let (path, start) = (&meta.location, range.start);
                match kind {
                    UnreferencedKind::SecondFile => log::warn!(
                        "{path}: a second file begins at byte {start}; only batches of the first are read"
                    ),
                    UnreferencedKind::AfterLastBlock => log::warn!(
                        "{path}: {} bytes from byte {start} to the footer are in none of its blocks, and not read",
                        range.end.saturating_sub(start)
                    ),
                }
            }
            context.keep(&meta, reader.decoder());
            Ok(reader.decoder().clone())
        };
        let opened = opened.boxed().shared();
        if let Some(weak) = opened.downgrade() {
            opening.insert(version, weak);
        }
        opened
    }

    /// Opens a file, or a stream that is cached or short. Of other streams, each message would have to be visited.
    pub(crate) async fn find(
        &self,
        context: &OpeningContext,
        meta: &ObjectMeta,
    ) -> Result<FoundFile, IpcFileError> {
        if let Some(decoder) = context.cached(meta) {
            return Ok(FoundFile::Opened(decoder));
        }
        let file = context.file(meta)?;
        let tail = file.fetch_tail(TAIL_BYTES + FOR_ALIGNMENT).await;
        let tail = tail.map_err(|error| IpcFileError::at(&meta.location, IpcError::from(error)))?;
        if tail.bytes.len() as u64 == tail.file_bytes || tail.bytes.ends_with(&FILE_MAGIC) {
            return self.opening(context, meta, &file).await.map(FoundFile::Opened);
        }
        Ok(FoundFile::LongStream(file))
    }

    /// The schema of a file, or of a stream, of which only the beginning is fetched.
    pub(crate) async fn schema(
        &self,
        context: &OpeningContext,
        meta: &ObjectMeta,
    ) -> Result<IpcSchema, IpcFileError> {
        let file = match self.find(context, meta).await? {
            FoundFile::Opened(decoder) => return Ok(decoder.ipc_schema().clone()),
            FoundFile::LongStream(file) => file,
        };
        let schema = schema_of_stream(&file, context.read_options()).await;
        match schema.map_err(|error| IpcFileError::at(&meta.location, error))? {
            Some(schema) => Ok(schema),
            // Neither has it the end of a file nor the beginning of a stream: opening says what is wrong.
            None => Ok(self.opening(context, meta, &file).await?.ipc_schema().clone()),
        }
    }
}

/// What is known of a file after its end was fetched.
pub(crate) enum FoundFile {
    Opened(FileDecoder),
    /// It has no footer, so it is a stream, or damaged.
    LongStream(ObjectFile),
}

/// What the cache of DataFusion keeps of a file.
struct OpenedFile {
    decoder: FileDecoder,
    /// The number of bytes of the file that the decoder keeps.
    n_tail_bytes: u64,
}

impl OpenedFile {
    /// The bytes of the metadata of batches, once queries have read it.
    fn n_metadata_bytes(&self) -> usize {
        const MESSAGE_BYTES: u64 = 448;
        let blocks = self.decoder.footer().batches().iter().chain(self.decoder.footer().dictionaries());
        let n_bytes = blocks.fold(0u64, |sum, block| {
            sum.saturating_add(block.n_metadata_bytes()).saturating_add(MESSAGE_BYTES)
        });
        let n_bytes = n_bytes.min(self.decoder.options().metadata_cache_bytes());
        usize::try_from(n_bytes).unwrap_or(usize::MAX)
    }
}

impl FileMetadata for OpenedFile {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn memory_size(&self) -> usize {
        // Blocks as in the footer and as a slice, and row counts; fields and their columns; text of metadata.
        const BLOCK_BYTES: usize = 56;
        const FIELD_BYTES: usize = 512;
        const OTHER_BYTES: usize = 1_536;
        let footer = self.decoder.footer();
        let n_blocks = footer.n_batches().saturating_add(footer.dictionaries().len());
        let n_pair_bytes: usize =
            footer.metadata().iter().flat_map(|(key, value)| [key, value]).flatten().map(str::len).sum();
        usize::try_from(self.n_tail_bytes)
            .unwrap_or(usize::MAX)
            .saturating_add(n_blocks.saturating_mul(BLOCK_BYTES))
            .saturating_add(footer.schema().fields_in_pre_order().count().saturating_mul(FIELD_BYTES))
            .saturating_add(n_pair_bytes)
            .saturating_add(self.n_metadata_bytes())
            .saturating_add(OTHER_BYTES)
    }

    fn extra_info(&self) -> datafusion::common::HashMap<String, String> {
        let n_batches = self.decoder.n_batches().to_string();
        [("record_batches".to_owned(), n_batches)].into_iter().collect()
    }
}

impl fmt::Debug for OpenedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedFiles").finish_non_exhaustive()
    }
}
