//! Reads ranges of an object. All ranges come from the same version of the object.

use std::{
    io,
    ops::Range,
    sync::{Arc, OnceLock},
};

use arrow_buffer::Buffer;
use arrow_ipc_async::{AsyncSource, Tail};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::{
    chunks::Chunks,
    local_file::LocalFile,
    object_store::{Error, GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore, path::Path},
    version::{Version, cause},
};
use crate::{
    error::{ObjectError, ObjectErrorKind, Tag},
    options::ObjectOptions,
};

/// An object in a store, for reading ranges.
///
/// The first answer has a tag, which identifies the version of the object: the etag, or else the version id, or else
/// the time of the last modification in seconds. Later requests have the condition that the tag is the same. Each
/// answer is also compared with the tag and the length of the first answer: if they differ, the request fails with
/// [`ObjectErrorKind::Changed`]. If the store returns no tag, it fails with [`ObjectErrorKind::Untagged`], unless the
/// [options](ObjectOptions::with_untagged_objects) allow objects without tags.
///
/// A request also fails if the answer has another range or length. The store decides how often it repeats requests.
/// Clones share the tag and the length of the first answer.
///
/// If a store answers with a local file, the file stays open, and further ranges are read from it without a request
/// (feature `fs`). After each range, the path is compared with the file.
///
/// ```
/// # use std::sync::Arc;
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc_object_store::ObjectUpload;
/// # use arrow_schema::DataType;
/// # use object_store_0_14 as object_store;
/// use arrow_ipc_async::AsyncFileReader;
/// use arrow_ipc_object_store::ObjectSource;
/// use object_store::{ObjectStore, memory::InMemory, path::Path};
///
/// # let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// # let mut encoder = arrow_ipc::FileEncoder::try_new(batch.schema())?;
/// # let mut upload = ObjectUpload::new(Arc::clone(&store), Path::from("people.arrow"));
/// # upload.put(encoder.finish()?.into_owned()).await?;
/// # upload.finish().await?;
/// let source = ObjectSource::new(Arc::clone(&store), Path::from("people.arrow"));
/// let file = AsyncFileReader::try_new(source).await?;
/// println!("{}", file.schema());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ObjectSource {
    store: Arc<dyn ObjectStore>,
    path: Path,
    options: ObjectOptions,
    /// The version in the first answer; empty before the first answer.
    version: Arc<OnceLock<Version>>,
    /// The file, once a local store has opened it.
    file: LocalFile,
}

impl ObjectSource {
    /// An object in a store. Makes no request.
    pub fn new(store: Arc<dyn ObjectStore>, path: Path) -> ObjectSource {
        ObjectSource::new_with(store, path, ObjectOptions::default())
    }

    /// Like [`new`](ObjectSource::new), with options.
    pub fn new_with(store: Arc<dyn ObjectStore>, path: Path, options: ObjectOptions) -> ObjectSource {
        ObjectSource { store, path, options, version: Arc::default(), file: LocalFile::default() }
    }

    /// An object in the version of `meta`, which is an entry of a listing of the store.
    ///
    /// # Errors
    /// If `meta` has no tag, and the options do not allow objects without tags.
    pub fn try_from_meta(store: Arc<dyn ObjectStore>, meta: ObjectMeta) -> Result<ObjectSource, ObjectError> {
        ObjectSource::try_from_meta_with(store, meta, ObjectOptions::default())
    }

    /// Like [`try_from_meta`](ObjectSource::try_from_meta), with options.
    ///
    /// # Errors
    /// The errors of [`try_from_meta`](ObjectSource::try_from_meta).
    pub fn try_from_meta_with(
        store: Arc<dyn ObjectStore>,
        meta: ObjectMeta,
        options: ObjectOptions,
    ) -> Result<ObjectSource, ObjectError> {
        let source = ObjectSource::new_with(store, meta.location.clone(), options);
        source.check(&meta).map_err(|kind| source.error(None, kind))?;
        Ok(source)
    }

    /// The path of the object in its store.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The property of the object that shows a change; `None` before the first answer, and if the store returns no tag.
    pub fn tag(&self) -> Option<Tag> {
        self.version.get().and_then(Version::tag)
    }

    #[cfg(feature = "dataset")]
    pub(super) fn tag_text(&self) -> Option<String> {
        self.version.get().and_then(Version::tag_text)
    }

    /// The bytes of several ranges, in the order of the ranges. Runs at most `max_requests` requests at the same time;
    /// 0 counts as 1.
    ///
    /// # Errors
    /// If a [`fetch`](AsyncSource::fetch) fails. Returns the error of the first range that failed.
    pub async fn fetch_many(&self, ranges: &[Range<u64>], max_requests: usize) -> io::Result<Vec<Buffer>> {
        let requests = ranges.iter().map(|range| self.fetch(range.clone()));
        stream::iter(requests).buffered(max_requests.max(1)).try_collect().await
    }

    /// Requests the whole object with one request, for streams and other data that you read from start to end.
    ///
    /// # Errors
    /// If the store fails, or the object has changed since an earlier answer.
    pub async fn chunks(&self) -> Result<Chunks, ObjectError> {
        let result = self.get(self.condition()).await.map_err(|kind| self.error(None, kind))?;
        Ok(Chunks::new(self.path.clone(), result))
    }

    async fn try_n_bytes(&self) -> Result<u64, ObjectError> {
        if let Some(version) = self.version.get() {
            return Ok(version.n_bytes());
        }
        let options = GetOptions { head: true, ..GetOptions::default() };
        let result = self.get(options).await.map_err(|kind| self.error(None, kind))?;
        Ok(result.meta.size)
    }

    async fn try_fetch(&self, range: Range<u64>) -> Result<Buffer, ObjectError> {
        if range.is_empty() {
            return Ok(Buffer::new());
        }
        if let Some(bytes) = self.read_file(&range).await? {
            return Ok(bytes);
        }
        let options = GetOptions { range: Some(GetRange::Bounded(range.clone())), ..self.condition() };
        let failed = |kind| self.error(Some(range.clone()), kind);
        let result = self.get(options).await.map_err(failed)?;
        if result.range != range {
            return Err(failed(ObjectErrorKind::OtherRange { found: result.range }));
        }
        self.gather(result).await
    }

    /// The last bytes and the length of the object, with one request; `None` if the store does not support this.
    async fn try_fetch_suffix(&self, max_bytes: u64) -> Result<Option<Tail>, ObjectError> {
        let options = GetOptions { range: Some(GetRange::Suffix(max_bytes)), ..self.condition() };
        let result = match self.get_unchecked(options).await {
            Ok(result) => result,
            // The store does not support requests for the last bytes, or the object is empty.
            Err(Error::NotSupported { .. } | Error::NotImplemented { .. } | Error::Generic { .. }) => {
                return Ok(None);
            }
            Err(error) => return Err(self.error(None, self.cause(error))),
        };
        self.check(&result.meta).map_err(|kind| self.error(None, kind))?;
        let file_bytes = result.meta.size;
        let range = file_bytes.saturating_sub(max_bytes)..file_bytes;
        if result.range != range {
            return Err(self.error(Some(range), ObjectErrorKind::OtherRange { found: result.range }));
        }
        let bytes = self.gather(result).await?;
        Ok(Some(Tail { file_bytes, bytes }))
    }

    /// Opens the object if its store has it as a local file: with one request, which reads no bytes. Further ranges are no
    /// requests then (feature `fs`).
    ///
    /// # Errors
    /// If the store fails, or the object has changed since an earlier answer.
    pub async fn retain_file(&self) -> Result<(), ObjectError> {
        if self.file.is_open() {
            return Ok(());
        }
        let opened = self.get(self.condition()).await.and_then(|result| self.file.keep(result));
        opened.map(drop).map_err(|kind| self.error(None, kind))
    }

    /// The bytes of an answer. If it is an open file, the file is retained.
    async fn gather(&self, result: GetResult) -> Result<Buffer, ObjectError> {
        let range = result.range.clone();
        let retained = self.file.keep(result).map_err(|kind| self.error(Some(range.clone()), kind))?;
        match retained {
            Some(result) => Chunks::gather(self.path.clone(), result).await,
            None => Ok(self.read_file(&range).await?.unwrap_or_default()),
        }
    }

    /// The bytes of a range, if the object is an open file.
    async fn read_file(&self, range: &Range<u64>) -> Result<Option<Buffer>, ObjectError> {
        let failed = |kind| self.error(Some(range.clone()), kind);
        self.file.fetch(range.clone()).await.map_err(failed)
    }

    async fn try_fetch_tail(&self, max_bytes: u64) -> Result<Tail, ObjectError> {
        // The last 0 bytes cannot be requested.
        if max_bytes > 0
            && let Some(tail) = self.try_fetch_suffix(max_bytes).await?
        {
            return Ok(tail);
        }
        let file_bytes = self.try_n_bytes().await?;
        let bytes = self.try_fetch(file_bytes.saturating_sub(max_bytes)..file_bytes).await?;
        Ok(Tail { file_bytes, bytes })
    }

    /// Restricts a request to the version of the first answer.
    fn condition(&self) -> GetOptions {
        self.version.get().map(Version::condition).unwrap_or_default()
    }

    async fn get_unchecked(&self, options: GetOptions) -> Result<GetResult, Error> {
        self.store.get_opts(&self.path, options).await
    }

    async fn get(&self, options: GetOptions) -> Result<GetResult, ObjectErrorKind> {
        let result = self.get_unchecked(options).await.map_err(|error| self.cause(error))?;
        self.check(&result.meta)?;
        Ok(result)
    }

    fn cause(&self, error: Error) -> ObjectErrorKind {
        match self.version.get() {
            Some(version) => version.cause(error),
            None => cause(error),
        }
    }

    /// Stores the version of the first answer, and compares later answers with it.
    fn check(&self, meta: &ObjectMeta) -> Result<(), ObjectErrorKind> {
        let version = match self.version.get() {
            Some(version) => version,
            None => {
                let version = Version::new(meta.clone());
                if version.tag().is_none() && !self.options.allows_untagged() {
                    return Err(ObjectErrorKind::Untagged);
                }
                self.version.get_or_init(|| version)
            }
        };
        version.check(meta)
    }

    fn error(&self, range: Option<Range<u64>>, kind: ObjectErrorKind) -> ObjectError {
        ObjectError::new(&self.path, range, kind)
    }
}

impl AsyncSource for ObjectSource {
    async fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.try_n_bytes().await?)
    }

    async fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        Ok(self.try_fetch(range).await?)
    }

    async fn fetch_tail(&self, max_bytes: u64) -> io::Result<Tail> {
        Ok(self.try_fetch_tail(max_bytes).await?)
    }
}
