//! A file that appears under its name only when it is complete.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, IoSlice, Write},
    path::{Path, PathBuf},
};

/// A file that is written under a temporary name in the same folder, and takes its own name when it is
/// [committed](AtomicFile::commit). Until then, and if it is dropped before, what had the name stays as it is.
///
/// On Unix, it has the permissions of the file that it replaces from its first moment, so nobody can open it who could not open
/// that one.
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
    /// `None` once it has been renamed.
    temporary: Option<PathBuf>,
}

/// How many temporary names are tried, each with another number.
const MAX_ATTEMPTS: u32 = 1_000;

/// Longer names are not part of the temporary name.
const MAX_KEPT_BYTES: usize = 200;

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> io::Result<AtomicFile> {
        let path = path.as_ref();
        let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let before = fs::metadata(path).ok().filter(Metadata::is_file);
        for attempt in 0..MAX_ATTEMPTS {
            let mut temporary = std::ffi::OsString::from(".");
            // File names are limited in length, and this one gets a prefix and a suffix.
            if name.len() <= MAX_KEPT_BYTES {
                temporary.push(name);
            }
            temporary.push(format!(".{}-{attempt}.tmp", std::process::id()));
            let temporary = path.with_file_name(temporary);
            match new_file(before.as_ref()).open(&temporary) {
                Ok(file) => {
                    let file = AtomicFile { file, path: path.into(), temporary: Some(temporary) };
                    file.permit(before.as_ref())?;
                    return Ok(file);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Permits what the creation mask of the process forbade, as the file did that is replaced.
    #[cfg(unix)]
    fn permit(&self, before: Option<&Metadata>) -> io::Result<()> {
        before.map_or(Ok(()), |before| self.file.set_permissions(before.permissions()))
    }

    #[cfg(not(unix))]
    fn permit(&self, _: Option<&Metadata>) -> io::Result<()> {
        Ok(())
    }

    /// The name that it takes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name that it has until then; `None` once it is committed. Needed to remove the file if values are not
    /// dropped, as when the process is interrupted.
    pub fn temporary_path(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    /// Another handle of the temporary file, by which a thread can wait until bytes have reached the disk while others are
    /// written.
    ///
    /// # Errors
    /// If the system has no more handles.
    pub fn try_clone_file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Waits until all bytes have reached the disk, and gives the file its name, in place of a file that had it.
    /// Does nothing the second time.
    ///
    /// # Errors
    /// If either fails; the temporary file is removed when this is dropped.
    pub fn commit(&mut self) -> io::Result<()> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        self.file.sync_all()?;
        fs::rename(temporary, &self.path)?;
        self.temporary = None;
        self.sync_folder();
        Ok(())
    }

    /// Makes the new name durable where the system can. The file is complete in any case, so failing is no error.
    fn sync_folder(&self) {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
    }
}

/// How the temporary file is opened: with no more permissions than the file that it replaces.
#[cfg_attr(not(unix), expect(unused_variables))] // Other systems take permissions from the folder.
fn new_file(before: Option<&Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(before) = before {
        const PERMISSIONS: u32 = 0o777;
        let mode = std::os::unix::fs::PermissionsExt::mode(&before.permissions()) & PERMISSIONS;
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
        if let Some(temporary) = self.temporary.take() {
            // The error cannot be returned here; the name of what is left says what it is.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_those_of_the_replaced_file_from_the_first_moment() {
        let folder = std::env::temp_dir().join(format!("arrow-ipc-atomic-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (path, created) = (folder.join("a.arrow"), folder.join("created"));
        let before = |mode: u32| {
            fs::write(&path, b"before").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        for wanted in [0o600, 0o400, 0o640, 0o666] {
            before(wanted);
            // Before anything else is done with it.
            new_file(Some(&fs::metadata(&path).unwrap())).open(&created).unwrap();
            assert_eq!(mode(&created) & !wanted, 0, "{wanted:o}: {:o}", mode(&created));
            fs::remove_file(&created).unwrap();

            let mut file = AtomicFile::create(&path).unwrap();
            assert_eq!(mode(file.temporary_path().unwrap()), wanted);
            file.write_all(b"after").unwrap();
            file.commit().unwrap();
            assert_eq!((mode(&path), &*fs::read(&path).unwrap()), (wanted, &b"after"[..]));
            fs::remove_file(&path).unwrap();
        }
        // A new file has the permissions that files of this process have.
        fs::write(&created, b"").unwrap();
        let file = AtomicFile::create(&path).unwrap();
        assert_eq!(mode(file.temporary_path().unwrap()), mode(&created));
        drop(file);
        fs::remove_dir_all(&folder).unwrap();
    }
}
