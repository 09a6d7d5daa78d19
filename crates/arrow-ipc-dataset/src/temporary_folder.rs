//! Folders with temporary names, which are locked while their process runs.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use arrow_ipc::AtomicFile;

/// The number of temporary paths at which abandoned folders are looked for.
const MAX_LOOKED: usize = 32;

/// A folder with a temporary name, and its lock.
pub(crate) struct TemporaryFolder {
    pub(crate) path: PathBuf,
    /// `None` if the system or the file system has no locks.
    pub(crate) lock: Option<File>,
}

impl TemporaryFolder {
    /// Creates and locks a temporary folder for `path` in the first of these places where that is possible, and from which it
    /// can be moved to `path`.
    pub(crate) fn create_in(places: &[PathBuf], path: &Path) -> io::Result<TemporaryFolder> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let create = |place: &Path| {
            let new = TemporaryFolder::create(&place.join(name))?;
            check_moves(path, &new.path)?;
            Ok(new)
        };
        first_possible(places, create)
    }

    /// Creates and locks a temporary folder for `path`. Removes temporary folders whose processes have ended.
    pub(crate) fn create(path: &Path) -> io::Result<TemporaryFolder> {
        TemporaryFolder::remove_abandoned(path);
        for temporary in AtomicFile::temporary_paths(path) {
            match fs::create_dir(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                created => created?,
            }
            match locked(&temporary).map_err(|error| error.kind()) {
                Ok(lock) => return Ok(TemporaryFolder { path: temporary, lock }),
                // Another process found the folder before it was locked, and removes it now.
                Err(io::ErrorKind::WouldBlock) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Whether `found` is the path of a temporary folder for `path`.
    pub(crate) fn is_of(path: &Path, found: &Path) -> bool {
        AtomicFile::temporary_paths(path).take(MAX_LOOKED).any(|temporary| temporary == found)
    }

    /// Removes the temporary folders for `path` that no process has locked.
    pub(crate) fn remove_abandoned(path: &Path) {
        for left in AtomicFile::temporary_paths(path).take(MAX_LOOKED) {
            if left.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
                && let Ok(Some(lock)) = locked(&left)
            {
                let _ = fs::remove_dir_all(&left);
                drop(lock);
            }
        }
    }
}

/// The result of the first place where something can be created, or the error of the last.
pub(crate) fn first_possible<T>(
    places: &[PathBuf],
    mut create: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let mut created = Err(io::ErrorKind::InvalidInput.into());
    for place in places {
        created = create(place);
        if created.is_ok() {
            break;
        }
    }
    created
}

/// Checks that files can be moved between the folder above `path` and the new folder `new`, by trying it.
/// Neither paths nor the numbers of file systems show that: nothing can be moved between a folder and a bind mount in it.
///
/// # Errors
/// If nothing can be moved. Then `new` is removed.
pub(crate) fn check_moves(path: &Path, new: &Path) -> io::Result<()> {
    if path.parent() == new.parent() {
        return Ok(());
    }
    let moves = || {
        // Linux compares mounts before it looks for what is to be moved. So nothing has to be made, which readers that list hidden
        // folders could see.
        if cfg!(target_os = "linux") {
            return match fs::rename(new.join("probe"), path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                moved => moved,
            };
        }
        let probe = TemporaryFolder::create(path)?;
        let moved = new.join("probe");
        match fs::rename(&probe.path, &moved) {
            Ok(()) => fs::remove_dir(&moved),
            Err(error) => fs::remove_dir(&probe.path).and(Err(error)),
        }
    };
    moves().or_else(|error| fs::remove_dir(new).and(Err(error)))
}

/// Locks a folder. Returns `None` if the system or the file system does not support that; then no process removes the
/// folder of another.
///
/// # Errors
/// [`WouldBlock`](io::ErrorKind::WouldBlock) if another process has locked or removed the folder.
#[cfg(unix)]
fn locked(folder: &Path) -> io::Result<Option<File>> {
    use std::{
        fs::{Metadata, TryLockError},
        os::unix::fs::MetadataExt,
    };
    let file = match File::open(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(io::ErrorKind::WouldBlock.into()),
        opened => opened?,
    };
    let place = |metadata: Metadata| (metadata.dev(), metadata.ino());
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(_)) => Ok(None),
        Ok(()) => match (file.metadata().map(place), folder.symlink_metadata().map(place)) {
            (Ok(open), Ok(named)) if open == named => Ok(Some(file)),
            _ => Err(io::ErrorKind::WouldBlock.into()),
        },
    }
}

#[cfg(not(unix))]
fn locked(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}
