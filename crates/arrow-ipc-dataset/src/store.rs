//! The stores that open the files of data sets: the file system, or another store.

use std::{
    collections::HashMap,
    fmt,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use arrow_buffer::Buffer;
use arrow_ipc::{ReadOptions, Source};

use crate::version::FileVersion;

/// Opens the files of data sets, for example in an object store or on a server. Several threads may call it at the same
/// time. The store defines the meaning of its paths.
///
/// [`DatasetOptions::with_store`](crate::DatasetOptions::with_store) opens a data set in a store, and
/// [`ReadTask::read_from`](crate::ReadTask::read_from) reads a task from a store.
pub trait FileStore: fmt::Debug + Send + Sync {
    /// Opens a file. All bytes that are read from the opened file must belong to one version.
    ///
    /// # Errors
    /// If the file does not exist, or cannot be read.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>>;

    /// Reads all bytes of a file. Used for manifests. The default opens the file and fetches all bytes.
    ///
    /// # Errors
    /// The errors of [`open`](FileStore::open).
    fn read(&self, path: &Path) -> io::Result<Buffer> {
        let file = self.open(path)?;
        file.fetch(0..file.n_bytes()?)
    }

    /// The names of the files in a folder, in any order. The list is empty if the folder does not exist. The default
    /// returns an empty list, so that no input is a folder.
    ///
    /// # Errors
    /// If the store cannot list names.
    fn names_in(&self, folder: &Path) -> io::Result<Vec<String>> {
        let _ = folder;
        Ok(Vec::new())
    }

    /// How names are written in this path. The default is [`StoreNames::Plain`].
    fn names(&self, path: &Path) -> StoreNames {
        let _ = path;
        StoreNames::Plain
    }

    /// The number of threads that may wait for the store at the same time, each for one file. Default: 64. With 0, the
    /// caller's number of threads is used.
    fn n_waiting(&self) -> usize {
        64
    }
}

/// How the names of files and folders are written in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreNames {
    /// Names are written unchanged.
    Plain,
    /// Names are written as in URLs: `%` with two hexadecimal digits is a byte.
    Escaped,
}

/// A file that a [`FileStore`] has opened.
pub trait StoredFile: Source + fmt::Debug {
    /// The version of the file. If the file may change while it is open, this must be its current version.
    ///
    /// # Errors
    /// If the version cannot be determined.
    fn version(&self) -> io::Result<FileVersion>;

    /// The options for reading the file. If the store has already fetched bytes at the end of the file while opening
    /// it, the options should contain their number.
    fn options(&self) -> ReadOptions {
        ReadOptions::new()
    }
}

impl StoredFile for File {
    fn version(&self) -> io::Result<FileVersion> {
        FileVersion::of(self)
    }
}

/// The file system of this machine, as a store.
#[derive(Debug, Clone, Copy)]
pub struct LocalFiles;

impl FileStore for LocalFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        Ok(Arc::new(File::open(path)?))
    }

    fn n_waiting(&self) -> usize {
        0
    }
}

/// The maximal number of files of a store that stay open. An open file may hold its last bytes in memory.
const MAX_OPEN: usize = 256;

/// A store that holds files open, so that a file is opened once even if several tasks read it.
#[derive(Debug)]
pub(crate) struct OpenFiles {
    store: Arc<dyn FileStore>,
    open: Mutex<HashMap<PathBuf, Arc<dyn StoredFile>>>,
}

impl OpenFiles {
    pub(crate) fn new(store: Arc<dyn FileStore>) -> OpenFiles {
        OpenFiles { store, open: Mutex::default() }
    }
}

impl FileStore for OpenFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        let open = || self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = open().get(path) {
            return Ok(Arc::clone(file));
        }
        let file = self.store.open(path)?;
        let mut open = open();
        if open.len() >= MAX_OPEN {
            open.clear();
        }
        open.insert(path.to_owned(), Arc::clone(&file));
        Ok(file)
    }

    fn names(&self, path: &Path) -> StoreNames {
        self.store.names(path)
    }

    fn n_waiting(&self) -> usize {
        self.store.n_waiting()
    }
}
