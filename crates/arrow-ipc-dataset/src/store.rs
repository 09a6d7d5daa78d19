//! The stores of the files of data sets: the file system, or another store.

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

/// Opens the files of data sets, for several threads at once. A store is, for example, an object store or a server. The
/// store decides the meaning of its paths.
///
/// [`DatasetOptions::with_store`](crate::DatasetOptions::with_store) opens a data set in a store, and
/// [`ReadTask::read_from`](crate::ReadTask::read_from) reads a task from a store.
pub trait FileStore: fmt::Debug + Send + Sync {
    /// Opens a file. All bytes that are read from it must belong to one version.
    ///
    /// # Errors
    /// If the file does not exist, or cannot be read.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>>;

    /// All bytes of a file. This is used for manifests. By default, it opens the file and fetches all of it.
    ///
    /// # Errors
    /// The errors of [`open`](FileStore::open).
    fn read(&self, path: &Path) -> io::Result<Buffer> {
        let file = self.open(path)?;
        file.fetch(0..file.n_bytes()?)
    }

    /// The names of the files in a folder, in any order. The result is empty if there is no such folder. By default,
    /// the list is always empty, so that each input is a file.
    ///
    /// # Errors
    /// If the store cannot list names.
    fn names_in(&self, folder: &Path) -> io::Result<Vec<String>> {
        let _ = folder;
        Ok(Vec::new())
    }

    /// How names are written in this path. By default, they are written unchanged.
    fn names(&self, path: &Path) -> StoreNames {
        let _ = path;
        StoreNames::Plain
    }

    /// The number of threads that may wait for the store at the same time. Each thread opens and reads a file. Default:
    /// 64.
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
    /// The version of the file. If the file may change while it is open, this is its current version.
    ///
    /// # Errors
    /// If the store does not know the version.
    fn version(&self) -> io::Result<FileVersion>;

    /// The options for reading the file. If the store fetched bytes at the end of the file when it opened it, the
    /// options contain their number.
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

/// The greatest number of files of a store that stay open, since each may keep its last bytes in memory.
const MAX_OPEN: usize = 256;

/// A store whose files stay open, so that a file that several tasks read is opened once.
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
