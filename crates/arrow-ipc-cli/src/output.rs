//! Where data goes: standard output, or a file that appears only when it is complete.

use std::{
    fmt,
    fs::{self, File},
    io::{self, BufWriter, IoSlice, StdoutLock, Write},
    path::{Path, PathBuf},
};

use arrow_ipc::AtomicFile;

use crate::{exit::Failure, interrupt::removed_when_interrupted};

/// What was given on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputName {
    Stdout,
    Path(PathBuf),
}

/// Standard output in large pieces; it must be flushed.
pub(crate) fn buffered_stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(64 << 10, io::stdout().lock())
}

/// Whether whoever read what we write has gone.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Where a conversion is written to. Dropped without [`keep`](Output::keep), a file is gone.
#[derive(Debug)]
pub(crate) enum Output {
    /// Standard output, or what is not a regular file: a pipe, a device. Bytes are there as they are written.
    Direct(File),
    /// A file under a temporary name in the folder of its final one, with the permissions of the one it replaces.
    Pending(AtomicFile),
}

impl Output {
    /// Begins an output.
    ///
    /// # Errors
    /// If it cannot be opened or created.
    pub(crate) fn create(name: &OutputName) -> Result<Output, Failure> {
        let create = || match name {
            OutputName::Stdout => open_stdout().map(Output::Direct),
            OutputName::Path(path) => create_path(path),
        };
        create().map_err(|error| Failure::Write { name: name.clone(), error })
    }

    /// Puts a complete file where it belongs.
    ///
    /// # Errors
    /// If what was written cannot be stored, or the file not be renamed.
    pub(crate) fn keep(self, name: &OutputName) -> Result<(), Failure> {
        let keep = || match self {
            Output::Direct(mut file) => file.flush(),
            Output::Pending(mut file) => file.commit(),
        };
        keep().map_err(|error| Failure::Write { name: name.clone(), error })
    }
}

fn create_path(path: &Path) -> io::Result<Output> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Ok(Output::Direct(File::options().write(true).open(path)?)),
        Ok(metadata) if metadata.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        // The file behind a link is replaced, not the link.
        Ok(metadata) => {
            let path = path.canonicalize()?;
            let file = removed_when_interrupted(|| AtomicFile::create(path))?;
            // From the beginning, so that nobody reads what is not for everyone before it is complete.
            if let Some(temporary) = file.temporary_path() {
                fs::set_permissions(temporary, metadata.permissions())?;
            }
            Ok(Output::Pending(file))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A link to what is not there yet stays a link.
            let path = match path.read_link() {
                Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
                Err(_) => path.to_owned(),
            };
            removed_when_interrupted(|| AtomicFile::create(path)).map(Output::Pending)
        }
        Err(error) => Err(error),
    }
}

/// Standard output as a file: the standard library's own handle looks for line breaks in all that goes through it.
#[cfg(unix)]
fn open_stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn open_stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Direct(file) => file.write(bytes),
            Output::Pending(file) => file.write(bytes),
        }
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Output::Direct(file) => file.write_vectored(pieces),
            Output::Pending(file) => file.write_vectored(pieces),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Direct(file) => file.flush(),
            Output::Pending(file) => file.flush(),
        }
    }
}

impl fmt::Display for OutputName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutputName::Stdout => f.write_str("standard output"),
            OutputName::Path(path) => fmt::Display::fmt(&path.display(), f),
        }
    }
}
