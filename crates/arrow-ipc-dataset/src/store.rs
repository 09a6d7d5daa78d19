//! Where the files of data sets are: in the file system, or in a store that others know.

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

/// Opens the files of data sets, by several threads at once: a store of objects, or a server. Paths are what the store takes for them.
///
/// [`DatasetOptions::with_store`](crate::DatasetOptions::with_store) reads a data set from there, and
/// [`ReadTask::read_from`](crate::ReadTask::read_from) a task.
pub trait FileStore: fmt::Debug + Send + Sync {
    /// Opens a file. What is read of it is of one version.
    ///
    /// # Errors
    /// If it is not there, or cannot be read.
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>>;

    /// All bytes of a file, which is a manifest. By default it is opened and read.
    ///
    /// # Errors
    /// As [`open`](FileStore::open).
    fn read(&self, path: &Path) -> io::Result<Buffer> {
        let file = self.open(path)?;
        file.fetch(0..file.n_bytes()?)
    }

    /// The names of the files in a folder, in any order; none if there is no such folder. By default there are none: then each input is a
    /// file.
    ///
    /// # Errors
    /// If the store cannot tell.
    fn names_in(&self, folder: &Path) -> io::Result<Vec<String>> {
        let _ = folder;
        Ok(Vec::new())
    }

    /// How names stand in a path. By default as they are.
    fn names(&self, path: &Path) -> StoreNames {
        let _ = path;
        StoreNames::Plain
    }

    /// How many threads may wait for the store at the same time: so many files are opened and read at once. By default 64.
    fn n_waiting(&self) -> usize {
        64
    }
}

/// How names of files and folders stand in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreNames {
    /// As they are.
    Plain,
    /// As in URLs: `%` with two digits is a byte.
    Escaped,
}

/// A file that a [`FileStore`] has opened.
pub trait StoredFile: Source + fmt::Debug {
    /// What is told from other states of the file. If it may change while it is open, what it is now.
    ///
    /// # Errors
    /// If the store does not tell.
    fn version(&self) -> io::Result<FileVersion>;

    /// How it is read: a store that has fetched the end of the file when it was opened says how much of it is there.
    fn options(&self) -> ReadOptions {
        ReadOptions::new()
    }
}

impl StoredFile for File {
    fn version(&self) -> io::Result<FileVersion> {
        FileVersion::of(self)
    }
}

/// The file system.
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

/// So many files of a store stay open: each may keep its end in memory.
const MAX_OPEN: usize = 256;

/// A store whose parts stay open, so that tasks which read parts of a file open it once.
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
