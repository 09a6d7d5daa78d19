//! Creates, syncs and removes folders, and finds out whether files can be moved between them.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use crate::temporary::{TemporaryKind, lock_new};

/// A folder with a temporary name.
pub(crate) struct TemporaryFolder {
    pub(crate) path: PathBuf,
    /// Has the lock, if the file system has locks. `None` if the system cannot open folders.
    pub(crate) opened: Option<File>,
}

impl TemporaryFolder {
    /// Creates and locks a temporary folder for `path`. Removes temporary folders whose processes have ended.
    pub(crate) fn create(path: &Path) -> io::Result<TemporaryFolder> {
        let create = |name: &Path| {
            fs::create_dir(name)?;
            open_new(name)
        };
        let (path, opened) = TemporaryKind::Folder.create(path, create)?;
        Ok(TemporaryFolder { path, opened })
    }

    /// Creates and locks a temporary folder for `path` in the first of these folders where that is possible, and from which
    /// it can be moved to `path`.
    pub(crate) fn create_in(parents: &[PathBuf], path: &Path) -> io::Result<TemporaryFolder> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let create = |parent: &Path| {
            let new = TemporaryFolder::create(&parent.join(name))?;
            check_moves(path, &new.path)?;
            Ok(new)
        };
        first_possible(parents, create)
    }
}

/// Opens and locks a new folder.
fn open_new(folder: &Path) -> io::Result<Option<File>> {
    if !cfg!(unix) {
        return Ok(None);
    }
    let opened = match File::open(folder) {
        // Another process found the folder before it was locked, and has removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        opened => opened?,
    };
    lock_new(&opened, folder)?;
    Ok(Some(opened))
}

/// The result in the first of these folders in which something can be created, or the error of the last.
pub(crate) fn first_possible<T>(
    parents: &[PathBuf],
    mut create: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let mut created = Err(io::ErrorKind::InvalidInput.into());
    for parent in parents {
        created = create(parent);
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

/// The path of a folder, with links resolved. The folder need not exist.
///
/// # Errors
/// If the current folder or the nearest folder above that exists cannot be read.
pub fn resolve_links(folder: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(folder)?;
    let nearest = path.ancestors().find(|path| path.exists()).unwrap_or(&path);
    let resolved = nearest.canonicalize()?;
    let new = path.strip_prefix(nearest).ok().filter(|new| !new.as_os_str().is_empty());
    Ok(new.map_or(resolved.clone(), |new| resolved.join(new)))
}

/// The path whose temporary names are for a temporary folder inside `folder`.
pub(crate) fn path_inside(folder: &Path) -> io::Result<PathBuf> {
    Ok(folder.join(folder.file_name().ok_or(io::ErrorKind::InvalidInput)?))
}

/// Creates the missing folders above a path, and syncs them. Adds them to `created`, outer folders first.
pub(crate) fn create_above(path: &Path, created: &mut Vec<PathBuf>) -> io::Result<()> {
    let Some(above) = path.parent().filter(|above| !above.is_dir()) else { return Ok(()) };
    create_above(above, created)?;
    match fs::create_dir(above) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) => {}
        Ok(()) => created.push(above.to_owned()),
    }
    above.parent().map_or(Ok(()), sync_folder)
}

/// Removes folders, inner folders first, unless they have files of other programs.
pub(crate) fn remove_created(created: &[PathBuf]) {
    created.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
}

/// Syncs the names in a folder, and in all folders below, to the disk.
pub(crate) fn sync_all_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_all_folders(&entry.path())?;
        }
    }
    sync_folder(folder)
}

/// Syncs the names in a folder to the disk. An empty path is the current folder.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(test)]
    SYNCED.with_borrow_mut(|synced| synced.push(folder.to_owned()));
    // Other systems cannot open folders.
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}

#[cfg(test)]
thread_local! {
    /// The folders that were synced.
    pub(crate) static SYNCED: std::cell::RefCell<Vec<PathBuf>> = const { std::cell::RefCell::new(Vec::new()) };
}
