//! Stores, which open the files of data sets: the file system, or others.

use std::{
    collections::HashMap,
    ffi::OsString,
    fmt,
    fs::{self, File},
    io,
    ops::Range,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_buffer::Buffer;
use arrow_ipc::{Limits, ReadAt, ReadOptions, Source};

use crate::version::FileVersion;

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

/// A store that keeps files open, so that several tasks open a file only once.
#[derive(Debug)]
pub(crate) struct OpenFiles {
    store: Arc<dyn FileStore>,
    /// The files by the bytes of their paths.
    open: Mutex<HashMap<OsString, Arc<dyn StoredFile>>>,
}

impl OpenFiles {
    pub(crate) fn new(store: Arc<dyn FileStore>) -> OpenFiles {
        OpenFiles { store, open: Mutex::default() }
    }
}

impl FileStore for OpenFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        let open = || self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = open().get(path.as_os_str()) {
            return Ok(Arc::clone(file));
        }
        let file = self.store.open(path)?;
        let mut open = open();
        if open.len() >= MAX_OPEN {
            open.clear();
        }
        open.insert(path.into(), Arc::clone(&file));
        Ok(file)
    }

    fn names(&self, path: &Path) -> StoreNames {
        self.store.names(path)
    }

    fn n_waiting(&self) -> usize {
        self.store.n_waiting()
    }
}
