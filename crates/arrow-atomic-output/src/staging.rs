//! Hidden folders in which several processes write files, before one of them moves the files to an
//! [`AtomicFolder`](crate::AtomicFolder).

#[cfg(unix)]
use std::fs::Metadata;
use std::{
    fs::{self, File},
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
};

use crate::{
    folders::{check_moves, create_above, first_possible, path_inside},
    temporary::{MAX_NAME_BYTES, TemporaryKind, TemporaryPath, first_temporary_paths},
};

pub use crate::folders::resolve_links;

/// Whether an [`AtomicFolder`](crate::AtomicFolder) can get the path `root`: there is nothing, or a folder with nothing but
/// what writers of this path have left, which is removed then. The path has no links.
///
/// # Errors
/// If the path is no folder, or cannot be read.
pub fn is_free(root: &Path) -> io::Result<bool> {
    if root.symlink_metadata().is_err() {
        return Ok(true);
    }
    let inside = path_inside(root)?;
    for entry in fs::read_dir(root)? {
        let found = entry?.path();
        if !first_temporary_paths(&inside).any(|temporary| temporary == found) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Creates a hidden folder from which files can be moved to the folder `root`, which may exist, and missing folders above
/// `root`. It is above all folders for which `is_in_set` returns `true`, if that is possible. The path has no links.
///
/// # Errors
/// [`CrossesDevices`](io::ErrorKind::CrossesDevices) if `root` is a mount point. If the folder cannot be created.
pub fn create_folder(root: &Path, is_in_set: impl Fn(&Path) -> bool) -> io::Result<PathBuf> {
    let target = if root.symlink_metadata().is_ok() { path_inside(root)? } else { root.to_owned() };
    let name = root.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let name = Some(name.to_string_lossy()).filter(|name| name.len() <= MAX_NAME_BYTES);
    let name = format!(".{}.{}.parts", name.unwrap_or_default(), random_name());
    create_above(root, &mut Vec::new())?;
    let create = |parent: &Path| {
        let staging = parent.join(&name);
        fs::create_dir(&staging)?;
        check_moves(&target, &staging)?;
        Ok(staging)
    };
    first_possible(&staging_parents(root, is_in_set), create)
}

/// Removes a file of a hidden folder when it is dropped, unless [`keep`](UnfinishedFile::keep) was called. If a process
/// forks, only the process that created the file removes it.
#[derive(Debug)]
pub struct UnfinishedFile(TemporaryPath);

impl UnfinishedFile {
    /// Creates a file.
    ///
    /// # Errors
    /// If it exists, or cannot be created.
    pub fn create(path: PathBuf) -> io::Result<(File, UnfinishedFile)> {
        let file = File::create_new(&path)?;
        Ok((file, UnfinishedFile(TemporaryPath::new(TemporaryKind::File, path))))
    }

    /// The complete file stays. Returns `false` if another process has removed it.
    pub fn keep(self) -> bool {
        self.0.lock().take().is_some_and(|path| path.exists())
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        self.0.remove();
    }
}

/// A name that no other process uses, from the random keys of the operating system.
pub fn random_name() -> String {
    format!("{:016x}", RandomState::new().hash_one(std::process::id()))
}

/// The folders in which a hidden folder for the new folder `path` can be, the best first. The last is the folder above
/// `path`. If that belongs to a data set, the others are above it, up to the first that does not: some readers, such as
/// polars, also read hidden folders. All are on one file system, have the owner and group of the folder above `path`, and
/// give nobody more access than that.
pub(crate) fn staging_parents(path: &Path, is_in_set: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut parents: Vec<PathBuf> = Vec::new();
    for parent in path.ancestors().skip(1) {
        // The root of the file system gets no hidden folder.
        if parents.first().is_some_and(|beside| parent.parent().is_none() || !is_alike(beside, parent)) {
            break;
        }
        parents.push(parent.to_owned());
        if !is_in_set(parent) {
            break;
        }
    }
    parents.reverse();
    parents
}

/// Whether a folder above another is on the same file system, has its owner and group, gives nobody more access, and
/// passes its group on to new folders if the other does.
#[cfg(unix)]
fn is_alike(beside: &Path, above: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    const PERMISSIONS: u32 = 0o777;
    const SET_GROUP: u32 = 0o2000;
    let (Ok(beside), Ok(above)) = (fs::metadata(beside), fs::metadata(above)) else { return false };
    let of = |folder: &Metadata| (folder.dev(), folder.uid(), folder.gid(), folder.mode() & SET_GROUP);
    of(&beside) == of(&above) && above.mode() & !beside.mode() & PERMISSIONS == 0
}

/// Other systems do not say this.
#[cfg(not(unix))]
fn is_alike(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_hidden_folder_is_above_the_data_set() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("top");
        let is_in_set = |folder: &Path| folder.file_name().is_some_and(|name| name == "set");
        let best = |path: &str| {
            let parents = staging_parents(&root.join(path), is_in_set);
            assert_eq!(parents.last(), root.join(path).parent().map(Path::to_owned).as_ref(), "{path}");
            parents[0].strip_prefix(&root).unwrap().to_str().unwrap().to_owned()
        };
        fs::create_dir_all(root.join("plain/set/set")).unwrap();
        for (path, expected) in [
            ("new", ""),
            ("plain/new", "plain"),
            ("plain/set/new", "plain"),
            ("plain/set/set/new", "plain"),
            ("plain/set/set", "plain"),
            // These folders do not exist.
            ("none/set/new", "none/set"),
            ("none/more/new", "none/more"),
        ] {
            assert_eq!(best(path), expected, "{path}");
        }
        // What is written has the permissions of a private data set.
        fs::set_permissions(root.join("plain/set"), fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(best("plain/set/new"), "plain/set");
    }

    #[test]
    fn an_unfinished_file_is_removed_by_its_process() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str| UnfinishedFile::create(folder.path().join(name)).unwrap().1;
        let names = || {
            let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        drop(create("dropped"));
        assert!(create("kept").keep());
        let mut other = create("other");
        other.0.abandon();
        drop(other);
        assert!(names().iter().eq(["kept", "other"]));
        let removed = create("removed");
        fs::remove_file(folder.path().join("removed")).unwrap();
        assert!(!removed.keep());
        assert!(UnfinishedFile::create(folder.path().join("kept")).is_err());
        assert_eq!(names().len(), 2);
    }

    #[test]
    fn a_folder_with_what_writers_left_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("data");
        assert!(is_free(&root).unwrap());
        fs::create_dir_all(root.join(".data.0.arrow-ipc.tmp")).unwrap();
        assert!(is_free(&root).unwrap());
        fs::write(root.join("a"), b"").unwrap();
        assert!(!is_free(&root).unwrap());
    }
}
