//! Creates a file that gets its name only when it is complete.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, OpenOptions, TryLockError},
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher},
    io::{self, IoSlice, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
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
/// use arrow_ipc::AtomicFile;
///
/// # let folder = std::env::temp_dir().join(format!("arrow-ipc-doc-{}", std::process::id()));
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
    temporary: TemporaryFile,
    is_committed: bool,
}

/// `None` after the file was committed or removed.
#[derive(Debug, Clone)]
struct TemporaryFile {
    name: Arc<Mutex<Option<PathBuf>>>,
    /// The process that created the file. A forked process has a copy, but must not remove the file.
    process: u32,
}

const MAX_ATTEMPTS: u32 = 1_000;

/// The search for abandoned files ends after this many unused numbers in a row.
const MAX_UNUSED: usize = 32;

/// In a temporary name, a hash replaces a file name that is longer than this number of bytes.
const MAX_KEPT_BYTES: usize = 200;

/// The end of temporary names. Other programs do not use such names by chance, so an unlocked file with such a name is
/// removed.
const SUFFIX: &str = "arrow-ipc.tmp";

impl AtomicFile {
    /// Creates the temporary file. Removes temporary files for the same path whose processes have ended.
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
        for number in 0..MAX_ATTEMPTS {
            let temporary = numbered(path, number).ok_or(io::ErrorKind::InvalidInput)?;
            let Some(file) = create_locked(&temporary, before.as_ref())? else { continue };
            let name = Arc::new(Mutex::new(Some(temporary)));
            let temporary = TemporaryFile { name, process: std::process::id() };
            let file = AtomicFile { file, path: path.into(), temporary, is_committed: false };
            file.permit(before.as_ref())?;
            remove_all_abandoned((number + 1..MAX_ATTEMPTS).filter_map(|number| numbered(path, number)));
            return Ok(file);
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// The temporary files for `path`: files of processes that still write them, and of processes that were killed.
    pub fn unfinished(path: &Path) -> impl Iterator<Item = PathBuf> {
        AtomicFile::temporary_paths(path).take(MAX_UNUSED).filter(|temporary| temporary.is_file())
    }

    /// The temporary paths for `path`, in the order in which [`create`](AtomicFile::create) tries them. None if the
    /// path has no file name.
    pub fn temporary_paths(path: &Path) -> impl Iterator<Item = PathBuf> {
        (0..MAX_ATTEMPTS).map_while(move |number| numbered(path, number))
    }

    /// Sets the group and the permissions of the replaced file.
    #[cfg(unix)]
    fn permit(&self, before: Option<&Metadata>) -> io::Result<()> {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let Some(before) = before else { return Ok(()) };
        let is_of_group = self.file.metadata()?.gid() == before.gid();
        let mode = if is_of_group || fchown(&self.file, None, Some(before.gid())).is_ok() {
            before.mode() & 0o777
        } else {
            // Members of the old group now count as other users. They keep only the permissions that both the group and
            // other users had.
            before.mode() & 0o700 | before.mode() & before.mode() >> 3 & 0o007
        };
        self.file.set_permissions(fs::Permissions::from_mode(mode))
    }

    #[cfg(not(unix))]
    fn permit(&self, _: Option<&Metadata>) -> io::Result<()> {
        Ok(())
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
        move || temporary.remove()
    }

    /// Returns another handle of the temporary file, for example to sync it in one thread while another thread writes.
    ///
    /// # Errors
    /// If the system cannot open another handle.
    pub fn try_clone_file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Waits until all bytes are on the disk, then gives the file its final name. This replaces an existing file. A
    /// second call does nothing.
    ///
    /// # Errors
    /// If syncing or renaming fails, or if the [`remover`](AtomicFile::remover) has removed the file. Dropping this value
    /// then removes the temporary file.
    pub fn commit(&mut self) -> io::Result<()> {
        if self.is_committed {
            return Ok(());
        }
        self.file.sync_all()?;
        let mut temporary = self.temporary.lock();
        let name = temporary.as_ref().ok_or(io::ErrorKind::NotFound)?;
        fs::rename(name, &self.path)?;
        *temporary = None;
        drop(temporary);
        self.is_committed = true;
        // The lock is no longer needed, and would keep appenders out.
        let _ = self.file.unlock();
        self.sync_folder();
        Ok(())
    }

    /// Makes the new name survive a loss of power, if the system supports this. Ignores errors, since the file is
    /// complete.
    fn sync_folder(&self) {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
    }
}

impl TemporaryFile {
    fn lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.name.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self) {
        if self.process == std::process::id()
            && let Some(name) = self.lock().take()
        {
            // `drop` cannot return an error. If the file remains, its name shows that it is temporary.
            let _ = fs::remove_file(name);
        }
    }
}

/// The temporary name with this number. `None` if the path has no file name.
fn numbered(path: &Path, number: u32) -> Option<PathBuf> {
    let name = path.file_name()?;
    let mut temporary = OsString::from(".");
    // Systems limit the length of file names, and the temporary name is longer than the file name.
    if name.len() <= MAX_KEPT_BYTES {
        temporary.push(name);
    } else {
        temporary.push(format!("{:016x}", BuildHasherDefault::<DefaultHasher>::default().hash_one(name)));
    }
    temporary.push(format!(".{number}.{SUFFIX}"));
    Some(path.with_file_name(temporary))
}

/// Creates and locks a file. Returns `None` if another writer uses the name.
fn create_locked(temporary: &Path, before: Option<&Metadata>) -> io::Result<Option<File>> {
    let file = match new_file(before).open(temporary) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && remove_abandoned(temporary) => {
            new_file(before).open(temporary)
        }
        opened => opened,
    };
    let file = match file {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
        opened => opened?,
    };
    let is_ours = match file.try_lock() {
        Ok(()) => is_at(&file, temporary),
        // Another process found the file before it was locked, and removes it now.
        Err(TryLockError::WouldBlock) => false,
        // Locks are not supported here, so no other process removes the file.
        Err(TryLockError::Error(_)) => true,
    };
    Ok(is_ours.then_some(file))
}

/// Removes temporary files that other processes have left. Stops after `MAX_UNUSED` unused names in a row.
fn remove_all_abandoned(names: impl Iterator<Item = PathBuf>) {
    let mut n_unused = 0;
    for name in names {
        if name.symlink_metadata().is_err() {
            n_unused += 1;
        } else {
            n_unused = 0;
            remove_abandoned(&name);
        }
        if n_unused == MAX_UNUSED {
            return;
        }
    }
}

/// Removes a temporary file unless a process has locked it. Returns whether the file was removed.
#[cfg(unix)]
fn remove_abandoned(temporary: &Path) -> bool {
    // Opening a pipe would block, so only regular files are opened.
    if !temporary.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    // The temporary file may be read-only, since it has the permissions of the replaced file.
    let opened = OpenOptions::new().read(true).write(true).open(temporary);
    let Ok(file) = opened.or_else(|_| File::open(temporary)) else { return false };
    file.try_lock().is_ok() && is_at(&file, temporary) && fs::remove_file(temporary).is_ok()
}

/// Does nothing, since other systems do not show whether a name belongs to an open file.
#[cfg(not(unix))]
fn remove_abandoned(_: &Path) -> bool {
    false
}

/// Whether an open file still has this name. If not, another file may have the name.
#[cfg(unix)]
fn is_at(file: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), name.symlink_metadata()) {
        (Ok(open), Ok(named)) => (open.dev(), open.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Opens the temporary file with no more permissions than the file that it replaces.
#[cfg_attr(not(unix), expect(unused_variables))] // Other systems take permissions from the folder.
fn new_file(before: Option<&Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(before) = before {
        // The permissions of the group are added together with the group.
        let mode = std::os::unix::fs::PermissionsExt::mode(&before.permissions()) & 0o700;
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    }
    options
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        self.file.write_vectored(slices)
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
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_those_of_the_replaced_file_from_the_first_moment() {
        let folder = std::env::temp_dir().join(format!("arrow-ipc-atomic-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.arrow");
        let created = folder.join("created");
        let before = |mode: u32| {
            fs::write(&path, b"before").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        for wanted in [0o600, 0o400, 0o640, 0o666] {
            before(wanted);
            // The process is compared first, so a forked process does nothing.
            new_file(Some(&fs::metadata(&path).unwrap())).open(&created).unwrap();
            assert_eq!(mode(&created) & !wanted, 0, "{wanted:o}: {:o}", mode(&created));
            fs::remove_file(&created).unwrap();

            let mut file = AtomicFile::create(&path).unwrap();
            assert_eq!(mode(&file.temporary_path().unwrap()), wanted);
            file.write_all(b"after").unwrap();
            file.commit().unwrap();
            assert_eq!((mode(&path), &*fs::read(&path).unwrap()), (wanted, &b"after"[..]));
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
