//! Temporary files and folders: their names, their locks, and their removal.

use std::{
    ffi::OsString,
    fs::{self, File, TryLockError},
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// In a temporary name, the final name has at most this number of bytes: systems limit the length of names, and the
/// temporary name is longer than the final one.
pub(crate) const MAX_NAME_BYTES: usize = 200;

const MAX_ATTEMPTS: u32 = 1_000;

/// The search for abandoned files and folders ends after this many unused numbers in a row.
const MAX_UNUSED: usize = 32;

/// The end of temporary names. Other programs do not use such names by chance, so an unlocked file or folder with such a
/// name is removed.
const SUFFIX: &str = "arrow-ipc.tmp";

/// What is temporary. Writers of files remove no folders, and writers of folders no files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TemporaryKind {
    File,
    Folder,
}

/// The path of a temporary file or folder of this process.
#[derive(Debug, Clone)]
pub(crate) struct TemporaryPath {
    kind: TemporaryKind,
    /// `None` after it got its final name, or was removed.
    path: Arc<Mutex<Option<PathBuf>>>,
    /// The process that created it. A forked process has a copy of this value, but must not remove anything.
    process: u32,
}

impl TemporaryPath {
    pub(crate) fn new(kind: TemporaryKind, path: PathBuf) -> TemporaryPath {
        TemporaryPath { kind, path: Arc::new(Mutex::new(Some(path))), process: std::process::id() }
    }

    /// Nothing is removed as long as the path is locked.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.path.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the file or folder, unless it got its final name. Returns whether this process had to.
    pub(crate) fn remove(&self) -> bool {
        if self.process == std::process::id()
            && let Some(path) = self.lock().take()
        {
            // `drop` cannot return an error. If something remains, its name shows that it is temporary.
            let _ = self.kind.remove(&path);
            return true;
        }
        false
    }

    /// Removes nothing, as after a kill.
    #[cfg(test)]
    pub(crate) fn abandon(&mut self) {
        self.process = 0;
    }
}

impl TemporaryKind {
    /// Creates a file or folder with the first temporary name for `path` that no other process uses. Removes those whose
    /// processes have ended. `create` returns [`AlreadyExists`](io::ErrorKind::AlreadyExists) if another process uses a name.
    pub(crate) fn create<T>(
        self,
        path: &Path,
        create: impl Fn(&Path) -> io::Result<T>,
    ) -> io::Result<(PathBuf, T)> {
        path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let is_used = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
        let mut names = temporary_paths(path);
        while let Some(name) = names.next() {
            let created = match create(&name) {
                Err(error) if is_used(&error) && self.remove_abandoned(&name) => create(&name),
                created => created,
            };
            if created.as_ref().is_err_and(is_used) {
                continue;
            }
            let created = created?;
            self.remove_all_abandoned(names);
            return Ok((name, created));
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Removes those with these names whose processes have ended. Stops after `MAX_UNUSED` unused names in a row.
    pub(crate) fn remove_all_abandoned(self, names: impl Iterator<Item = PathBuf>) {
        let mut n_unused = 0;
        for name in names {
            if name.symlink_metadata().is_err() {
                n_unused += 1;
            } else {
                n_unused = 0;
                self.remove_abandoned(&name);
            }
            if n_unused == MAX_UNUSED {
                return;
            }
        }
    }

    /// Removes a temporary file or folder unless a process has locked it. Returns whether it was removed.
    #[cfg(unix)]
    fn remove_abandoned(self, name: &Path) -> bool {
        // Opening a pipe would block.
        let is_of_kind = name.symlink_metadata().is_ok_and(|metadata| match self {
            TemporaryKind::File => metadata.is_file(),
            TemporaryKind::Folder => metadata.is_dir(),
        });
        if !is_of_kind {
            return false;
        }
        let Ok(opened) = self.open(name) else { return false };
        opened.try_lock().is_ok() && is_at(&opened, name) && self.remove(name).is_ok()
    }

    /// Does nothing, since other systems do not show whether a name belongs to an open file.
    #[cfg(not(unix))]
    fn remove_abandoned(self, _: &Path) -> bool {
        false
    }

    /// Opens a file or folder to lock it.
    #[cfg(unix)]
    fn open(self, name: &Path) -> io::Result<File> {
        let opened = match self {
            TemporaryKind::File => fs::OpenOptions::new().read(true).write(true).open(name),
            TemporaryKind::Folder => return File::open(name),
        };
        // A temporary file may be read-only, since it has the permissions of the replaced file.
        opened.or_else(|_| File::open(name))
    }

    fn remove(self, path: &Path) -> io::Result<()> {
        match self {
            TemporaryKind::File => fs::remove_file(path),
            TemporaryKind::Folder => fs::remove_dir_all(path),
        }
    }
}

/// Locks a new file or folder as long as it is open. Does nothing if the system or the file system has no locks; then no
/// process removes those of others.
///
/// # Errors
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if another process found it before it was locked, and removes it now.
pub(crate) fn lock_new(created: &File, name: &Path) -> io::Result<()> {
    match created.try_lock() {
        Ok(()) if is_at(created, name) => Ok(()),
        Ok(()) | Err(TryLockError::WouldBlock) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Whether an open file or folder still has this name. If not, another one may have the name.
#[cfg(unix)]
fn is_at(open: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (open.metadata(), name.symlink_metadata()) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// The temporary paths for `path`, in the order in which they are tried. None if the path has no file name.
pub(crate) fn temporary_paths(path: &Path) -> impl Iterator<Item = PathBuf> {
    (0..MAX_ATTEMPTS).map_while(move |number| numbered(path, number))
}

/// The temporary paths at which abandoned files and folders are looked for.
pub(crate) fn first_temporary_paths(path: &Path) -> impl Iterator<Item = PathBuf> {
    temporary_paths(path).take(MAX_UNUSED)
}

/// The temporary name with this number. `None` if the path has no file name.
fn numbered(path: &Path, number: u32) -> Option<PathBuf> {
    let name = path.file_name()?;
    let mut temporary = OsString::from(".");
    if name.len() <= MAX_NAME_BYTES {
        temporary.push(name);
    } else {
        temporary.push(format!("{:016x}", BuildHasherDefault::<DefaultHasher>::default().hash_one(name)));
    }
    temporary.push(format!(".{number}.{SUFFIX}"));
    Some(path.with_file_name(temporary))
}
