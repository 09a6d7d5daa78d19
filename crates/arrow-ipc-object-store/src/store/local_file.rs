//! A file that a local store has opened. Its ranges are read without further requests.

use std::{
    fs::{self, File, Metadata},
    io,
    ops::Range,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::SystemTime,
};

use arrow_buffer::Buffer;
use arrow_ipc::Source;
use tokio::runtime::Handle;

use super::object_store::{GetResult, GetResultPayload, ObjectMeta};
use crate::error::{ObjectErrorKind, Tag};

/// The file of an object, once a local store has opened it. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct LocalFile(Arc<OnceLock<Arc<OpenFile>>>);

impl LocalFile {
    pub(super) fn is_open(&self) -> bool {
        self.0.get().is_some()
    }

    /// Keeps the file of an answer open. Returns an answer that has none.
    pub(super) fn keep(&self, result: GetResult) -> Result<Option<GetResult>, ObjectErrorKind> {
        match result.payload {
            GetResultPayload::File(file, path) if OpenFile::is_described_by(&file, &result.meta) => {
                let opened = Arc::new(OpenFile::try_new(file, path)?);
                self.0.get_or_init(|| opened);
                Ok(None)
            }
            payload @ (GetResultPayload::File(..) | GetResultPayload::Stream(_)) => {
                Ok(Some(GetResult { payload, ..result }))
            }
        }
    }

    /// The bytes of a range, if the file is open.
    pub(super) async fn fetch(&self, range: Range<u64>) -> Result<Option<Buffer>, ObjectErrorKind> {
        match self.0.get() {
            Some(file) => Arc::clone(file).fetch(range).await.map(Some),
            None => Ok(None),
        }
    }
}

/// An open file. After each range, its path is compared with the file, so a change is an error as it is with a request.
#[derive(Debug)]
struct OpenFile {
    file: File,
    path: PathBuf,
    identity: FileIdentity,
}

/// What tells a file and its content from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileIdentity {
    inode: u64,
    modified: Option<SystemTime>,
    n_bytes: u64,
}

impl OpenFile {
    /// Whether an answer of a store describes this file. Stores that keep copies of distant objects describe the objects.
    fn is_described_by(file: &File, meta: &ObjectMeta) -> bool {
        file.metadata().is_ok_and(|found| {
            let found = FileIdentity::new(&found);
            found.n_bytes == meta.size && found.modified == Some(SystemTime::from(meta.last_modified))
        })
    }

    fn try_new(file: File, path: PathBuf) -> Result<OpenFile, ObjectErrorKind> {
        let identity = FileIdentity::new(&file.metadata().map_err(cause)?);
        Ok(OpenFile { file, path, identity })
    }

    /// Reads a range, on a thread that may block.
    async fn fetch(self: Arc<Self>, range: Range<u64>) -> Result<Buffer, ObjectErrorKind> {
        match Handle::try_current() {
            Ok(runtime) => {
                let read = runtime.spawn_blocking(move || self.read(range));
                read.await.map_err(|error| ObjectErrorKind::Store(Box::new(error)))?
            }
            Err(_) => self.read(range),
        }
    }

    fn read(&self, range: Range<u64>) -> Result<Buffer, ObjectErrorKind> {
        let bytes = self.file.fetch(range);
        self.check()?;
        bytes.map_err(cause)
    }

    /// Compares the file with what has its path now.
    fn check(&self) -> Result<(), ObjectErrorKind> {
        let now = FileIdentity::new(&fs::metadata(&self.path).map_err(cause)?);
        if now == self.identity {
            return Ok(());
        }
        let (tag, before) = (Tag::ETag, self.identity.to_etag());
        Err(ObjectErrorKind::Changed { tag, before, now: Some(now.to_etag()) })
    }
}

impl FileIdentity {
    fn new(metadata: &Metadata) -> FileIdentity {
        FileIdentity { inode: inode(metadata), modified: metadata.modified().ok(), n_bytes: metadata.len() }
    }

    /// The etag that `object_store` gives such a file.
    fn to_etag(self) -> String {
        let since = self.modified.and_then(|modified| modified.duration_since(SystemTime::UNIX_EPOCH).ok());
        format!("{:x}-{:x}-{:x}", self.inode, since.unwrap_or_default().as_micros(), self.n_bytes)
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}

fn cause(error: io::Error) -> ObjectErrorKind {
    if error.kind() == io::ErrorKind::NotFound {
        ObjectErrorKind::NotFound(Box::new(error))
    } else if error.kind() == io::ErrorKind::PermissionDenied {
        ObjectErrorKind::NotAllowed(Box::new(error))
    } else {
        ObjectErrorKind::Store(Box::new(error))
    }
}
