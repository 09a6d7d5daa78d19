//! Destinations of bytes: files at paths, and file-like objects of Python.

use std::fs::{self, File};
use std::io::{self, IoSlice, Write};
use std::path::PathBuf;

use arrow_ipc::{AtomicFile, IpcErrorKind};
use pyo3::{exceptions::PyTypeError, intern, prelude::*, types::PyBytes};

use crate::{calls, error::Result};

/// A destination.
pub(crate) enum Sink {
    /// A file that gets its name when it is complete.
    Atomic(AtomicFile),
    /// Something that is not a regular file: a pipe, or a device.
    Plain(File),
    FileLike(Py<PyAny>),
}

/// How many bytes are passed to a file-like object at once, in a copy.
const MAX_BYTES: usize = 1 << 20;

impl Sink {
    /// Text and `os.PathLike` are paths; what has `write` is a file.
    pub(crate) fn try_new(object: &Bound<'_, PyAny>) -> Result<Sink> {
        if let Ok(path) = object.extract::<PathBuf>() {
            return Ok(Sink::at(path)?);
        }
        if object.hasattr(intern!(object.py(), "write"))? {
            return Ok(Sink::FileLike(object.clone().unbind()));
        }
        let found = object.get_type();
        Err(PyTypeError::new_err(format!("expected a path or a file-like object, found {found}")).into())
    }

    fn at(path: PathBuf) -> arrow_ipc::Result<Sink> {
        let named = |error| IpcErrorKind::Open { path: path.clone(), error };
        // A symbolic link stays a link to its target.
        let target = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let is_special = fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file());
        if is_special {
            let file = fs::OpenOptions::new().write(true).open(&target).map_err(named)?;
            return Ok(Sink::Plain(file));
        }
        Ok(Sink::Atomic(AtomicFile::create(&target).map_err(named)?))
    }

    /// Marks the file as complete.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Sink::Atomic(mut file) => file.commit(),
            Sink::Plain(_) => Ok(()),
            Sink::FileLike(_) => Ok(()),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Sink::Atomic(file) => file.write_vectored(slices),
            Sink::Plain(file) => file.write_vectored(slices),
            Sink::FileLike(object) => write_to(object, slices),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Atomic(file) => file.flush(),
            Sink::Plain(file) => file.flush(),
            Sink::FileLike(object) => with(object, |file| {
                if file.hasattr(intern!(file.py(), "flush"))? {
                    calls::method(file, "flush", ())?;
                }
                Ok(())
            }),
        }
    }
}

/// Calls Python; what it raises is kept in the error.
fn with<T>(object: &Py<PyAny>, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> io::Result<T> {
    match Python::try_attach(|py| call(object.bind(py))) {
        Some(called) => called.map_err(io::Error::other),
        None => Err(io::Error::other("the interpreter has ended")),
    }
}

fn write_to(object: &Py<PyAny>, slices: &[IoSlice<'_>]) -> io::Result<usize> {
    let mut gathered = Vec::new();
    let mut n_left = MAX_BYTES;
    for slice in slices {
        let piece = slice.get(..n_left).unwrap_or(slice);
        gathered.extend_from_slice(piece);
        n_left = n_left.saturating_sub(piece.len());
    }
    let n_bytes = gathered.len();
    let n_written = with(object, |file| {
        let written = calls::method(file, "write", (PyBytes::new(file.py(), &gathered),))?;
        // Objects that are no files often say nothing, and have written all.
        if written.is_none() { Ok(n_bytes) } else { written.extract() }
    })?;
    if n_written > n_bytes {
        return Err(io::Error::other(format!("`write` of {n_bytes} bytes says that it wrote {n_written}")));
    }
    Ok(n_written)
}
