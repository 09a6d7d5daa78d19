//! Creates a file that gets its name only when it is complete.

use std::{
    fs::{self, File, Metadata},
    io::{self, IoSlice, Write},
    path::{Path, PathBuf},
};

use crate::{
    early_sync::EarlySync,
    folders::sync_folder,
    permissions::{new_file, permit_file},
    temporary::{TemporaryKind, TemporaryPath, first_temporary_paths, lock_new, temporary_paths},
};

/// A file with a temporary name in the same folder. [`commit`](AtomicFile::commit) gives it its final name. Until then,
/// an existing file with the final name does not change. Dropping an uncommitted `AtomicFile` removes the temporary file.
///
/// On Unix, the file gets the group and the permissions of the file that it replaces. So only users who could open the
/// old file can open the new file. If the process may not set the group, the group of the new file gets no permissions.
/// Access control lists are not copied.
///
/// The temporary file is locked. If the process ends without removing the file, the system releases the lock, and the
/// next [`create`](AtomicFile::create) with the same path removes the file. This needs Unix, and a file system with
/// locks. The temporary name consists of the file name and a number, such as `.people.arrow.0.arrow-ipc.tmp`.
///
/// If a process forks, only the process that created the temporary file removes it.
///
/// ```
/// use std::io::Write;
/// use arrow_atomic_output::AtomicFile;
///
/// # let folder = std::env::temp_dir().join(format!("arrow-atomic-output-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let path = folder.join("people.arrow");
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"ARROW1")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert!(path.exists());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    path: PathBuf,
    temporary: TemporaryPath,
    early_sync: Option<EarlySync>,
    is_committed: bool,
}

/// Systems follow about as many links in a row.
const MAX_LINKS: u32 = 40;

impl AtomicFile {
    /// Creates the temporary file. Removes temporary files for the same path whose processes have ended. The commit replaces
    /// a symbolic link; see [`target_of`](AtomicFile::target_of).
    ///
    /// # Errors
    /// If the folder does not exist or is not writable, or if the path is a folder, or a link to one.
    pub fn create(path: impl AsRef<Path>) -> io::Result<AtomicFile> {
        let path = path.as_ref();
        let before = fs::metadata(path).ok();
        // The commit would fail after all the work, or replace the link.
        if before.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let before = before.filter(Metadata::is_file);
        let create = |name: &Path| {
            let file = new_file(before.as_ref()).open(name)?;
            lock_new(&file, name)?;
            Ok(file)
        };
        let (temporary, file) = TemporaryKind::File.create(path, create)?;
        let temporary = TemporaryPath::new(TemporaryKind::File, temporary);
        let file = AtomicFile { file, path: path.into(), temporary, early_sync: None, is_committed: false };
        if let Some(before) = &before {
            permit_file(&file.file, before)?;
        }
        Ok(file)
    }

    /// The path for [`create`](AtomicFile::create) that replaces the target of a symbolic link, and not the link. The target
    /// need not exist.
    pub fn target_of(path: &Path) -> PathBuf {
        let mut target = path.to_owned();
        for _ in 0..MAX_LINKS {
            // Links of open files, such as `/dev/stdout`, can contain a text that is no path.
            if target.exists() {
                break;
            }
            let Ok(next) = target.read_link() else { break };
            target = target.parent().unwrap_or(Path::new("")).join(next);
        }
        target.canonicalize().unwrap_or(target)
    }

    /// Syncs the file from time to time while it is being written, in another thread. So less is left to sync in
    /// [`commit`](AtomicFile::commit). A short file needs no thread.
    pub fn with_early_sync(mut self) -> AtomicFile {
        self.early_sync = Some(EarlySync::new());
        self
    }

    /// The temporary files for `path`: files of processes that still write them, and of processes that were killed.
    pub fn unfinished(path: &Path) -> impl Iterator<Item = PathBuf> {
        first_temporary_paths(path).filter(|temporary| temporary.is_file())
    }

    /// The temporary paths for `path`, in the order in which [`create`](AtomicFile::create) tries them. None if the
    /// path has no file name.
    pub fn temporary_paths(path: &Path) -> impl Iterator<Item = PathBuf> {
        temporary_paths(path)
    }

    /// The final name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The temporary name; `None` after the file was committed or removed.
    pub fn temporary_path(&self) -> Option<PathBuf> {
        self.temporary.lock().clone()
    }

    /// Returns a function that removes the temporary file, unless the file was committed.
    /// [`commit`](AtomicFile::commit) fails after this function was called. Call the function if a process ends without
    /// dropping values, for example on an interrupt.
    pub fn remover(&self) -> impl Fn() + Clone + Send + Sync + 'static {
        let temporary = self.temporary.clone();
        move || _ = temporary.remove()
    }

    /// Waits until all bytes are on the disk, then gives the file its final name. This replaces an existing file. A
    /// second call does nothing.
    ///
    /// # Errors
    /// If syncing fails; this removes the temporary file. If renaming fails, or if the [`remover`](AtomicFile::remover) has
    /// removed the file; dropping this value then removes the temporary file.
    pub fn commit(&mut self) -> io::Result<()> {
        if self.is_committed {
            return Ok(());
        }
        let early_sync = self.early_sync.take().map_or(Ok(()), EarlySync::finish);
        if let Err(error) = early_sync.and_then(|()| self.file.sync_all()) {
            // The system reports lost bytes only once, so a second call would not find them.
            self.temporary.remove();
            return Err(error);
        }
        let mut temporary = self.temporary.lock();
        let name = temporary.as_ref().ok_or(io::ErrorKind::NotFound)?;
        fs::rename(name, &self.path)?;
        *temporary = None;
        drop(temporary);
        self.is_committed = true;
        // The lock is no longer needed, and would keep appenders out.
        let _ = self.file.unlock();
        // The new name then survives a loss of power. The file is complete, so an error here is ignored.
        let _ = self.path.parent().map(sync_folder);
        Ok(())
    }

    fn note_written(&mut self, n_bytes: usize) {
        if let Some(sync) = &mut self.early_sync {
            sync.note_written(n_bytes, || self.file.try_clone());
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_bytes = self.file.write(bytes)?;
        self.note_written(n_bytes);
        Ok(n_bytes)
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        let n_bytes = self.file.write_vectored(slices)?;
        self.note_written(n_bytes);
        Ok(n_bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        self.temporary.remove();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    /// A committed file is an ordinary file, which other processes may lock to append to it.
    #[test]
    fn a_committed_file_is_not_locked() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(folder.path().join("a.arrow")).unwrap();
        let handle = file.file.try_clone().unwrap();
        file.commit().unwrap();
        File::open(file.path()).unwrap().try_lock().unwrap();
        drop(handle);
    }

    #[test]
    fn the_target_of_a_link_is_written_even_if_it_does_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join("below")).unwrap();
        fs::write(root.join("below/there"), b"before").unwrap();
        for (target, link) in [
            ("below/there", "to_there"),
            ("below/new", "to_new"),
            ("to_new", "to_link"),
            ("../new", "below/to_above"),
            ("loop", "loop"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        for (path, expected) in [
            ("to_there", "below/there"),
            ("to_new", "below/new"),
            ("to_link", "below/new"),
            ("below/to_above", "below/../new"),
            ("below/../none", "below/../none"),
            ("loop", "loop"),
        ] {
            assert_eq!(AtomicFile::target_of(&root.join(path)), root.join(expected), "{path}");
        }
        let mut file = AtomicFile::create(AtomicFile::target_of(&root.join("to_link"))).unwrap();
        file.write_all(b"after").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(root.join("to_link")).unwrap(), b"after");
        assert!(root.join("to_link").is_symlink() && root.join("to_new").is_symlink());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_path_of_an_open_file_without_a_name_stays() {
        use std::os::fd::AsRawFd;
        let (_reader, writer) = io::pipe().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = File::create(folder.path().join("removed")).unwrap();
        fs::remove_file(folder.path().join("removed")).unwrap();
        for descriptor in [writer.as_raw_fd(), file.as_raw_fd()] {
            let path = PathBuf::from(format!("/proc/self/fd/{descriptor}"));
            assert_eq!(AtomicFile::target_of(&path), path);
        }
    }

    #[test]
    fn a_file_whose_bytes_were_lost_is_never_committed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.arrow");
        let mut file = AtomicFile::create(&path).unwrap();
        file.early_sync = Some(EarlySync::failing());
        file.commit().unwrap_err();
        assert_eq!(file.commit().unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn permissions_are_those_of_the_replaced_file_from_the_first_moment() {
        let folder = std::env::temp_dir().join(format!("arrow-atomic-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.arrow");
        let created = folder.join("created");
        let before = |mode: u32| {
            fs::write(&path, b"before").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        for mode_before in [0o600, 0o400, 0o640, 0o666] {
            before(mode_before);
            // The process is compared first, so a forked process does nothing.
            new_file(Some(&fs::metadata(&path).unwrap())).open(&created).unwrap();
            assert_eq!(mode(&created) & !mode_before, 0, "{mode_before:o}: {:o}", mode(&created));
            fs::remove_file(&created).unwrap();

            let mut file = AtomicFile::create(&path).unwrap();
            assert_eq!(mode(&file.temporary_path().unwrap()), mode_before);
            file.write_all(b"after").unwrap();
            file.commit().unwrap();
            assert_eq!((mode(&path), &*fs::read(&path).unwrap()), (mode_before, &b"after"[..]));
            fs::remove_file(&path).unwrap();
        }
        // The permissions of a foreign group are kept only with the group. Only some processes may set it.
        before(0o2640);
        let group = 12_345;
        match chown(&path, None, Some(group)) {
            Ok(()) => {
                let mut file = AtomicFile::create(&path).unwrap();
                assert_eq!(fs::metadata(file.temporary_path().unwrap()).unwrap().gid(), group);
                file.commit().unwrap();
                assert_eq!((fs::metadata(&path).unwrap().gid(), mode(&path)), (group, 0o640));
            }
            Err(error) => println!("SKIPPED: a file of another group: {error}"),
        }
        fs::remove_file(&path).unwrap();
        // A new file has the default permissions of this process.
        fs::write(&created, b"").unwrap();
        let file = AtomicFile::create(&path).unwrap();
        assert_eq!(mode(&file.temporary_path().unwrap()), mode(&created));
        drop(file);
        fs::remove_dir_all(&folder).unwrap();
    }
}
