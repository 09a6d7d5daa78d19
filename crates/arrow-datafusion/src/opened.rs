//! Files that were opened: their footers stay in DataFusion's cache of metadata, and several partitions open a file once.

use std::{
    any::Any,
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_ipc::{FetchCost, FileDecoder, IpcError, IpcSchema, Projection, ReadOptions};
use arrow_ipc_async::{AsyncFileReader, AsyncSource};
use datafusion::{
    execution::cache::cache_manager::{CachedFileMetadataEntry, FileMetadata, FileMetadataCache},
    object_store::{ObjectMeta, ObjectStore, path::Path},
};
use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
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

/// The last bytes of a file.
const FILE_MAGIC: [u8; 6] = *b"ARROW1";

/// Opens files. Clones open each file once, if several ask for it at the same time.
#[derive(Clone, Default)]
pub(crate) struct OpenedFiles {
    opening: Arc<Mutex<HashMap<OpeningKey, WeakShared<Opening>>>>,
}

/// A file that is being opened. The address tells stores apart.
type OpeningKey = (usize, Path, Option<String>, u64);
type Opening = BoxFuture<'static, Result<FileDecoder, IpcFileError>>;

/// A store, and what is used to open files in it.
#[derive(Debug, Clone)]
pub(crate) struct OpeningContext {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) cache: Option<Arc<FileMetadataCache>>,
    pub(crate) options: IpcOptions,
    pub(crate) cost: FetchCost,
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
        ObjectFile::try_new(&self.store, meta, &self.options, self.cost, self.counts.clone())
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
        if let Some(cache) = &self.cache
            && has_version(meta)
        {
            let opened = Arc::new(OpenedFile { decoder: decoder.clone() });
            cache.put(&meta.location, CachedFileMetadataEntry::new(meta.clone(), opened));
        }
    }
}

impl OpenedFiles {
    /// A reader of a file, without columns.
    pub(crate) async fn reader(
        &self,
        context: &OpeningContext,
        meta: &ObjectMeta,
    ) -> Result<AsyncFileReader<ObjectFile>, IpcFileError> {
        let file = context.file(meta)?;
        let decoder = match context.cached(meta) {
            Some(decoder) => decoder,
            None => self.opening(context, meta, &file).await?,
        };
        // The decoder that is kept reads no batches, so it keeps no dictionaries.
        let decoder = decoder.reopen_with(context.read_options());
        let decoder = decoder.map_err(|error| IpcFileError::at(&meta.location, error))?;
        Ok(AsyncFileReader::from_decoder(file, decoder))
    }

    fn opening(&self, context: &OpeningContext, meta: &ObjectMeta, file: &ObjectFile) -> Shared<Opening> {
        let address = Arc::as_ptr(&context.store).cast::<()>().addr();
        let key = (address, meta.location.clone(), meta.e_tag.clone(), meta.size);
        let mut opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opening.get(&key).and_then(WeakShared::upgrade) {
            return known;
        }
        opening.retain(|_, other| other.upgrade().is_some());
        let context = context.clone();
        let meta = meta.clone();
        let file = file.clone();
        let opened = async move {
            let reader = AsyncFileReader::try_new_with(file, context.read_options()).await;
            let reader = reader.map_err(|error| IpcFileError::at(&meta.location, error))?;
            context.keep(&meta, reader.decoder());
            Ok(reader.decoder().clone())
        };
        let opened = opened.boxed().shared();
        if let Some(weak) = opened.downgrade() {
            opening.insert(key, weak);
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
}

impl FileMetadata for OpenedFile {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn memory_size(&self) -> usize {
        // The end of the file, 32 bytes for each block and row count, and what the schema and metadata need at least.
        let footer = self.decoder.footer();
        let n_blocks = footer.n_batches().saturating_add(footer.dictionaries().len());
        let n_metadata_bytes: usize =
            footer.metadata().iter().flat_map(|(key, value)| [key, value]).flatten().map(str::len).sum();
        let n_fields = footer.schema().fields().len();
        (TAIL_BYTES as usize)
            .saturating_add(n_blocks.saturating_mul(32))
            .saturating_add(n_fields.saturating_mul(256))
            .saturating_add(n_metadata_bytes)
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
