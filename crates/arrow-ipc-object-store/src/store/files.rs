//! Objects as sources for threads that block until answers arrive: single objects, and files of data sets.

use std::{
    io,
    ops::Range,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, FetchCostEstimator, ReadOptions, Source};
use arrow_ipc_async::{AsyncSource, Tail};
use arrow_ipc_dataset::{FileStamp, FileStore, FileVersion, StoredFile};
use futures_util::join;
use tokio::runtime::Handle;

use super::{
    object_store::{ObjectStore, path::Path as ObjectPath},
    source::ObjectSource,
};
use crate::options::ObjectOptions;

/// The bytes to read at the end when an object is opened. They probably contain the footer.
const TAIL_BYTES: u64 = (64 << 10) + 64;

/// The bytes to read at the end when a file of a data set is opened. They contain the footer of a file with a hundred
/// columns and statistics, and are few compared with the bytes that are read later.
const TAIL_BYTES_OF_SET: u64 = (32 << 10) + 64;

/// The bytes at the start that tell files from streams.
const START_BYTES: u64 = 8;

/// An object as a [`Source`]. The thread that reads blocks until the answers arrive. Several ranges are requested at
/// the same time.
#[derive(Debug, Clone)]
pub struct BlockingObject {
    object: ObjectSource,
    runtime: Handle,
    start: Buffer,
    tail: Option<Tail>,
    /// The cost of requests to the store, if the object is a file of a data set.
    costs: Option<Arc<FetchCostEstimator>>,
}

impl BlockingObject {
    /// An object of which nothing is requested before it is read, for streams that are opened with their
    /// [index](arrow_ipc::FileReader::try_new_indexed).
    pub fn new(object: ObjectSource, runtime: Handle) -> BlockingObject {
        BlockingObject { object, runtime, start: Buffer::new(), tail: None, costs: None }
    }

    /// Opens an object. Requests its first and its last bytes at the same time. `runtime` makes the requests.
    ///
    /// # Errors
    /// If the store fails, or the object does not exist.
    ///
    /// # Panics
    /// If the calling thread belongs to a tokio runtime, since such a thread must not block. The methods that read
    /// panic in the same case.
    pub fn open(object: ObjectSource, runtime: Handle) -> io::Result<BlockingObject> {
        let both = async { join!(object.fetch_tail(TAIL_BYTES), object.fetch(0..START_BYTES)) };
        let (tail, start) = runtime.block_on(both);
        // If the object is shorter than the requested start, this request may fail.
        let tail = tail?;
        let start = start.unwrap_or_else(|_| Buffer::new());
        Ok(BlockingObject { object, runtime, start, tail: Some(tail), costs: None })
    }

    /// The first eight bytes of the object, if [`open`](BlockingObject::open) has read them. Empty if the object is shorter.
    pub fn start(&self) -> &Buffer {
        &self.start
    }

    /// The last bytes of the object and its length, if [`open`](BlockingObject::open) has read them.
    pub fn tail(&self) -> Option<&Tail> {
        self.tail.as_ref()
    }

    /// The same object, for asynchronous reading.
    pub fn object(&self) -> &ObjectSource {
        &self.object
    }

    /// The bytes of a range, if opening the object has read them.
    fn cached(&self, range: &Range<u64>) -> Option<Buffer> {
        let n_bytes = range.end.checked_sub(range.start)?;
        let tail = || {
            let tail = self.tail.as_ref()?;
            let tail_start = tail.file_bytes.checked_sub(tail.bytes.len() as u64)?;
            tail.bytes.try_slice(range.start.checked_sub(tail_start)?, n_bytes).ok()
        };
        self.start.try_slice(range.start, n_bytes).ok().or_else(tail)
    }
}

impl Source for BlockingObject {
    fn n_bytes(&self) -> io::Result<u64> {
        match &self.tail {
            Some(tail) => Ok(tail.file_bytes),
            None => self.runtime.block_on(self.object.n_bytes()),
        }
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        match self.cached(&range) {
            Some(bytes) => Ok(bytes),
            None => self.runtime.block_on(self.object.fetch(range)),
        }
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let far = |range: &&Range<u64>| self.cached(range).is_none();
        let wanted: Vec<Range<u64>> = ranges.iter().filter(far).cloned().collect();
        let max_requests = self.fetch_cost().requests_in_flight_for(&wanted);
        let max_requests = usize::try_from(max_requests).unwrap_or(usize::MAX);
        let begin = Instant::now();
        let mut fetched = self.runtime.block_on(self.object.fetch_many(&wanted, max_requests))?.into_iter();
        if let Some(costs) = &self.costs {
            costs.observe(&wanted, begin.elapsed());
        }
        // There is an answer for each range that `cached` does not have.
        let next = |range| self.cached(range).or_else(|| fetched.next());
        Ok(ranges.iter().map_while(next).collect())
    }

    fn fetch_cost(&self) -> FetchCost {
        self.costs.as_ref().map_or(FetchCost::OBJECT_STORE, |costs| costs.cost())
    }
}

impl StoredFile for BlockingObject {
    fn version(&self) -> io::Result<FileVersion> {
        // The tag is that of the first answer, which may be this one.
        let n_bytes = self.n_bytes()?;
        let stamp = FileStamp::from_tag(&self.object.tag_text().unwrap_or_default());
        Ok(FileVersion { n_bytes, stamp })
    }

    fn options(&self) -> ReadOptions {
        // A reader requests up to 63 bytes more than its tail, to begin at a multiple of 64.
        let tail_bytes = self.tail.as_ref().map(|tail| (tail.bytes.len() as u64).saturating_sub(64));
        tail_bytes.into_iter().fold(ReadOptions::new(), ReadOptions::with_tail_bytes)
    }
}

/// Opens the objects of a store as files of data sets. The path of a file is the path of the object in the store.
///
/// Measures the time of requests, and [estimates](FetchCostEstimator) their cost for files that are opened later. The
/// first files have [`FetchCost::OBJECT_STORE`].
///
/// ```
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::FileWriter;
/// # use arrow_schema::DataType;
/// # use object_store_0_14 as object_store;
/// use std::sync::Arc;
///
/// use arrow_ipc_dataset::{Dataset, DatasetOptions};
/// use arrow_ipc_object_store::ObjectFiles;
/// use object_store::{ObjectStore, ObjectStoreExt, memory::InMemory, path::Path};
///
/// let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
/// let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # let file = FileWriter::write_to_vec(batch.schema(), &[batch.clone()])?;
/// # runtime.block_on(store.put(&Path::from("day=1/a.arrow"), file.into()))?;
/// // An object: day=1/a.arrow.
/// let files = ObjectFiles::new(store, runtime.handle().clone());
/// let set = Dataset::open_with(["day=1/a.arrow"], DatasetOptions::new().with_store(Arc::new(files)))?;
/// assert_eq!(set.schema().to_string(), "id: int64\nday: int64");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ObjectFiles {
    store: Arc<dyn ObjectStore>,
    runtime: Handle,
    options: ObjectOptions,
    costs: Arc<FetchCostEstimator>,
}

impl ObjectFiles {
    /// Opens objects of this store. `runtime` makes the requests. Threads that read block until the answers arrive, so
    /// they must not be threads of the runtime.
    pub fn new(store: Arc<dyn ObjectStore>, runtime: Handle) -> ObjectFiles {
        ObjectFiles::new_with(store, runtime, ObjectOptions::default())
    }

    /// Like [`new`](ObjectFiles::new), with options.
    pub fn new_with(store: Arc<dyn ObjectStore>, runtime: Handle, options: ObjectOptions) -> ObjectFiles {
        let costs = Arc::new(FetchCostEstimator::new(FetchCost::OBJECT_STORE));
        ObjectFiles { store, runtime, options, costs }
    }

    fn object(&self, path: &Path) -> io::Result<ObjectSource> {
        let store = Arc::clone(&self.store);
        Ok(ObjectSource::new_with(store, key_of(path)?, self.options.clone()))
    }
}

impl FileStore for ObjectFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        let (object, runtime) = (self.object(path)?, self.runtime.clone());
        let tail = Some(runtime.block_on(object.fetch_tail(TAIL_BYTES_OF_SET))?);
        let costs = Some(Arc::clone(&self.costs));
        Ok(Arc::new(BlockingObject { object, runtime, start: Buffer::new(), tail, costs }))
    }
}

/// The path of an object. It has `/` as the separator on all systems.
fn key_of(path: &Path) -> io::Result<ObjectPath> {
    let refused = |what: &str| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("the path of an object {what}: {}", path.display()),
        )
    };
    // `Path` leaves these names out, so the path would be that of another object.
    if path.components().collect::<PathBuf>().as_os_str().len() != path.as_os_str().len() {
        return Err(refused("must not contain empty names or `.`"));
    }
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name.to_str().ok_or_else(|| refused("must be UTF-8"))?),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
            Component::ParentDir => return Err(refused("must not contain `..`")),
        }
    }
    let key = names.join("/");
    ObjectPath::parse(key).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}
