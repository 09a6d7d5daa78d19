//! Destinations of bytes: files at paths, and file-like objects of Python.

use std::fs::{self, File};
use std::io::{self, BufWriter, IoSlice, Write};
use std::path::{Path, PathBuf};

use arrow_ipc::{AtomicFile, IpcErrorKind};
use arrow_ipc_tools::{Foreign, compressed::Compressing};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::PyBytes,
};

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
    /// For Arrow data. Text and `os.PathLike` are paths; what has `write` is a file.
    ///
    /// # Errors
    /// If the destination cannot be opened. If its name says that it is compressed as a whole.
    pub(crate) fn try_new(object: &Bound<'_, PyAny>) -> Result<Sink> {
        if let Ok(path) = object.extract::<PathBuf>()
            && let Some((end, _)) = packed(&path)
        {
            let path = path.display();
            let text = format!(
                "{path}: Arrow data is not compressed as a whole, which would have to be read from its start: use \
                 compression='zstd' and a name without {end}"
            );
            return Err(PyValueError::new_err(text).into());
        }
        Sink::open(object)
    }

    /// For text, which is compressed as the name says.
    ///
    /// # Errors
    /// If the destination cannot be opened. If its name has a codec that is not written.
    pub(crate) fn of_text(object: &Bound<'_, PyAny>) -> Result<Compressing<BufWriter<Sink>>> {
        let path = object.extract::<PathBuf>().ok();
        let codec = path.as_deref().and_then(packed);
        if let (Some((end, None)), Some(path)) = (&codec, &path) {
            let text = format!("{}: {end} is not written; use .gz or .zst", path.display());
            return Err(PyValueError::new_err(text).into());
        }
        let out = BufWriter::with_capacity(1 << 20, Sink::open(object)?);
        Ok(Compressing::try_new(codec.and_then(|(_, codec)| codec), out)?)
    }

    fn open(object: &Bound<'_, PyAny>) -> Result<Sink> {
        if let Ok(path) = object.extract::<PathBuf>() {
            return Ok(Sink::at(path)?);
        }
        if object.hasattr(intern!(object.py(), "write"))? {
            return Ok(Sink::FileLike(object.clone().unbind()));
        }
        let found = object.get_type();
        Err(PyTypeError::new_err(format!("expected a path or a file-like object, found {found}")).into())
    }

    /// A file at a path.
    pub(crate) fn at(path: PathBuf) -> arrow_ipc::Result<Sink> {
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

/// What the name of a file says of its compression as a whole, with the codec if it is one that is written.
fn packed(path: &Path) -> Option<(&'static str, Option<Foreign>)> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "gz" => Some((".gz", Some(Foreign::Gzip))),
        "zst" => Some((".zst", Some(Foreign::Zstd))),
        "bz2" => Some((".bz2", None)),
        "xz" => Some((".xz", None)),
        _ => None,
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
