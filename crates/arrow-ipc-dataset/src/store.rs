//! Stores, which open the files of data sets: the file system, or others.

use std::{
    collections::HashMap,
    ffi::OsString,
    fmt,
    fs::{self, File},
    io,
    ops::Range,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use arrow_buffer::Buffer;
use arrow_ipc::{FileReader, Limits, ReadAt, ReadOptions, RecycledMemory, Source};

use crate::{error::DatasetErrorKind as Kind, version::FileVersion};

/// Opens the files of data sets, for example in an object store or on a server. Several threads may use a store at
/// the same time. The store decides what its paths mean.
///
/// [`DatasetOptions::with_store`](crate::DatasetOptions::with_store) opens a data set in a store, and
/// [`ReadTask::read_from`](crate::ReadTask::read_from) reads a task from a store.
pub trait FileStore: fmt::Debug + Send + Sync {
    /// Opens a file. All bytes that are later read from it must belong to the same version.
    ///
    /// # Errors
    /// If the file does not exist, or cannot be read.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>>;

    /// How this path writes names. Default: [`StoreNames::Plain`].
    fn names(&self, path: &Path) -> StoreNames {
        let _ = path;
        StoreNames::Plain
    }

    /// How many threads may wait for the store at the same time, each for one file. Default: 64. With 0, there are
    /// as many threads as the caller requests.
    fn n_waiting(&self) -> usize {
        64
    }
}

/// How a path writes the names of files and folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreNames {
    /// All of the path is names, which are not escaped.
    Plain,
    /// `scheme://user:password@names`. Scheme, user and password are no folders. Names are not escaped.
    Url,
    /// A URL of HTTP: `scheme://authority/names`. Names are escaped: `%` with two hexadecimal digits is a byte. They end at
    /// the first `?` or `#`.
    HttpUrl,
}

/// A file that a [`FileStore`] has opened.
pub trait StoredFile: Source + fmt::Debug {
    /// The version of the file. If the file may change while it is open, this is its current version. Readers call this after the
    /// last batch of the file that they need, and after each batch if the version has a modification time.
    ///
    /// # Errors
    /// If the version cannot be determined.
    fn version(&self) -> io::Result<FileVersion>;

    /// The options for reading the file. If the store has fetched the last bytes while opening the file, the options
    /// should have their number. Without a memory and a memory budget, the file gets the memory of the scan that reads it.
    fn options(&self) -> ReadOptions {
        ReadOptions::new()
    }

    /// Expects that some ranges of the file are read, and others are not, so that the system need not read ahead. A file
    /// on Linux passes this on to the system. Default: does nothing.
    fn expect_random_access(&self) {}
}

impl StoredFile for File {
    fn version(&self) -> io::Result<FileVersion> {
        FileVersion::from_file(self)
    }

    fn expect_random_access(&self) {
        // This is advice: if the system refuses it, it reads more than is requested.
        #[cfg(target_os = "linux")]
        let _ = rustix::fs::fadvise(self, 0, None, rustix::fs::Advice::Random);
    }
}

/// The file system of this machine, as a store.
#[derive(Debug, Clone, Default)]
pub struct LocalFiles {
    limits: Limits,
}

impl LocalFiles {
    /// The file system, with the default limits of reading.
    pub fn new() -> LocalFiles {
        LocalFiles::default()
    }

    /// Sets the limits of reading files.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> LocalFiles {
        LocalFiles { limits }
    }
}

/// A file of this machine, and the limits of reading it.
#[derive(Debug)]
struct LocalFile {
    file: File,
    limits: Limits,
}

impl Source for LocalFile {
    fn n_bytes(&self) -> io::Result<u64> {
        self.file.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.file.fetch(range)
    }

    fn read_at(&self) -> Option<&dyn ReadAt> {
        Source::read_at(&self.file)
    }
}

impl StoredFile for LocalFile {
    fn version(&self) -> io::Result<FileVersion> {
        self.file.version()
    }

    fn options(&self) -> ReadOptions {
        ReadOptions::new().with_limits(self.limits.clone())
    }

    fn expect_random_access(&self) {
        self.file.expect_random_access();
    }
}

impl FileStore for LocalFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        // Opening a pipe would wait for a writer, and reading a device may never end.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        Ok(Arc::new(LocalFile { file: File::open(path)?, limits: self.limits.clone() }))
    }

    fn n_waiting(&self) -> usize {
        0
    }
}

/// The maximal number of files that stay open. Each may have its last bytes in memory.
const MAX_OPEN: usize = 256;

/// A file of at most this length may stay in memory as a whole, in bytes.
const MAX_WHOLE_BYTES: u64 = 1 << 20;

/// The maximal size of decompressed buffers that the readers of a store retain during a scan, in bytes.
const MAX_RECYCLED_BYTES: usize = 64 << 20;

/// Opens the files of a data set. A file of a store stays open, with its footer, the metadata that was read of it, and its
/// dictionaries: none of them is requested twice. Files of this machine are opened again for each scan, since that costs little, and
/// since a system limits the number of open files.
///
/// Clones share the open files.
#[derive(Clone)]
pub struct OpenFiles {
    shared: Arc<SharedFiles>,
}

struct SharedFiles {
    store: Arc<dyn FileStore>,
    /// The files by the bytes of their paths.
    open: Mutex<HashMap<OsString, OpenFile>>,
    recycled: RecycledMemory,
}

impl fmt::Debug for OpenFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenFiles").field(self.store()).finish()
    }
}

/// A file whose footer was read, and its version at that time.
#[derive(Debug, Clone)]
pub(crate) struct OpenFile {
    pub(crate) version: FileVersion,
    pub(crate) reader: FileReader<Arc<dyn StoredFile>>,
}

impl OpenFiles {
    /// Opens files of a store.
    pub fn new(store: Arc<dyn FileStore>) -> OpenFiles {
        let recycled = RecycledMemory::with_max_bytes(MAX_RECYCLED_BYTES);
        OpenFiles { shared: Arc::new(SharedFiles { store, open: Mutex::default(), recycled }) }
    }

    /// Opens files of this machine.
    pub fn local() -> OpenFiles {
        OpenFiles::new(Arc::new(LocalFiles::new()))
    }

    /// The store of the files.
    pub fn store(&self) -> &Arc<dyn FileStore> {
        &self.shared.store
    }

    /// Whether requests take long, so that files stay open.
    pub(crate) fn is_far(&self) -> bool {
        self.shared.store.n_waiting() > 0
    }

    /// Frees the memory that readers of open files retain for the next batch.
    pub(crate) fn free_recycled(&self) {
        self.shared.recycled.free();
    }

    /// Opens a file, or returns the open one. Reads the footer. `recycled` is the memory for batches of a file of this machine.
    ///
    /// # Errors
    /// If the file has another version than `expected`, does not exist, or cannot be read.
    pub(crate) fn open(
        &self,
        path: &Path,
        expected: Option<FileVersion>,
        recycled: Option<&RecycledMemory>,
    ) -> Result<OpenFile, Kind> {
        let same = |version| expected.map_or(Ok(()), |expected| Kind::check_same(expected, version));
        if let Some(file) = self.opened().get(path.as_os_str()).cloned() {
            return same(file.version).map(|()| file);
        }
        let source = self.shared.store.open(path)?;
        let version = source.version()?;
        same(version)?;
        if expected.is_none() {
            // Only the end is read, and the metadata of messages.
            source.expect_random_access();
        }
        let recycled = if self.is_far() { Some(&self.shared.recycled) } else { recycled };
        let options = options_of(&*source, recycled);
        let file = OpenFile { version, reader: FileReader::try_new_with(source, options)? };
        if self.is_far() {
            let mut opened = self.opened();
            if opened.len() >= MAX_OPEN
                && let Some(any) = opened.keys().next().cloned()
            {
                opened.remove(&any);
            }
            opened.insert(path.into(), file.clone());
        }
        Ok(file)
    }

    fn opened(&self) -> MutexGuard<'_, HashMap<OsString, OpenFile>> {
        self.shared.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The options of a file. Unless these say where its batches are read into, this is `recycled`.
pub(crate) fn options_of(file: &dyn StoredFile, recycled: Option<&RecycledMemory>) -> ReadOptions {
    let options = file.options().with_whole_file_bytes(MAX_WHOLE_BYTES);
    let has_own = options.recycled_memory().is_some() || options.memory_budget().is_some();
    match recycled.filter(|_| !has_own) {
        Some(recycled) => options.with_recycled_memory(recycled.clone()),
        None => options,
    }
}
