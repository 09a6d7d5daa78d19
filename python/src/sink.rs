//! Where bytes are written: files at paths and in stores, and file-like Python objects.

use std::fs::{self, File};
use std::io::{self, BufWriter, IoSlice, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::{Duration, Instant};

use arrow_buffer::Buffer;
use arrow_ipc::{AtomicFile, Encoded, IpcErrorKind, segment::Segment};
use arrow_ipc_tools::{ForeignFormat, InputSet, compressed::Compressor, identity::FileIdentity};
use pyo3::{
    exceptions::{PyBlockingIOError, PyOSError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyMemoryView},
};

use crate::{
    array::Array,
    calls::{self, ObjectRef},
    error::{Result, exception, with_location},
    location::Location,
    options,
    ranges::{is_url, local},
    source::{is_fifo, path_of},
};

/// Writes bytes. Notices Ctrl-C, even while a large batch is written.
pub(crate) struct Sink {
    to: Dest,
    looked: Instant,
    /// Whether writing has failed. A buffered writer around the sink must then not write again when it is dropped.
    has_failed: bool,
}

enum Dest {
    /// A file that gets its name when it is complete.
    Atomic(AtomicFile),
    /// A pipe or device.
    Plain(File),
    FileLike(ObjectRef<PyAny>),
    Store(StoreFile),
}

/// A file in a store, which gets its name when it is complete. Dropping it earlier removes what was written.
struct StoreFile {
    /// Has `write`, `commit` and `abort`.
    file: ObjectRef<PyAny>,
    is_complete: bool,
}

impl StoreFile {
    fn create(url: &Bound<'_, PyAny>) -> PyResult<StoreFile> {
        let module = calls::import(url.py(), "arrow_ipc._store_writer")?;
        let file = calls::method(&module, "create", (url,))?;
        Ok(StoreFile { file: ObjectRef::new(&file), is_complete: false })
    }

    fn commit(mut self) -> io::Result<()> {
        with(&self.file, |file| calls::method(file, "commit", ()).map(drop))?;
        self.is_complete = true;
        Ok(())
    }
}

impl Drop for StoreFile {
    fn drop(&mut self) {
        if !self.is_complete {
            // An exception may be active while the file is dropped.
            let _ = attached(|py| {
                let raised = PyErr::take(py);
                let aborted = calls::method(self.file.bind(py), "abort", ());
                if let Some(raised) = raised {
                    raised.restore(py);
                }
                aborted.map(drop)
            });
        }
    }
}

/// The maximal number of bytes that are copied for one call of `write` of a file-like object.
const MAX_BYTES: usize = 1 << 20;

/// Data of at least this length is passed to a file-like object in its own call.
const ALONE_BYTES: usize = 64 << 10;
/// The time between two checks for interrupts, because each may wait for the interpreter's lock.
pub(crate) const TURN: Duration = Duration::from_millis(20);

impl Sink {
    /// Opens a destination for Arrow data. A text is a URL or a path, `os.PathLike` is a path; any object with `write` is a file.
    ///
    /// # Errors
    /// If the destination cannot be opened, or its name has the extension of a codec for whole files.
    pub(crate) fn try_new(object: &Bound<'_, PyAny>) -> Result<Sink> {
        if let Ok(path) = object.extract::<PathBuf>()
            && let Some((end, _)) = compression_of(&path)
        {
            let path = path.display();
            let text = format!(
                "{path}: Arrow data is not compressed as a whole, since it could only be read from its start: use \
                 compression='zstd' and a name without {end}"
            );
            return Err(exception::<PyValueError>(text).into());
        }
        Sink::open(object)
    }

    /// Opens a destination for text. The extension of its name says whether to compress the text.
    ///
    /// # Errors
    /// If the destination cannot be opened, or its name has the extension of an unsupported codec.
    pub(crate) fn create_text(object: &Bound<'_, PyAny>) -> Result<Compressor<BufWriter<Sink>>> {
        let path = object.extract::<PathBuf>().ok();
        let codec = path.as_deref().and_then(compression_of);
        if let (Some((end, None)), Some(path)) = (&codec, &path) {
            let text = format!("{}: text cannot be compressed as {end}; use .gz or .zst", path.display());
            return Err(exception::<PyValueError>(text).into());
        }
        let out = BufWriter::with_capacity(1 << 20, Sink::open(object)?);
        Ok(Compressor::try_new(codec.and_then(|(_, codec)| codec), out)?)
    }

    fn open(object: &Bound<'_, PyAny>) -> Result<Sink> {
        let object = &local(object)?;
        if object.extract().is_ok_and(is_url) {
            return Ok(Sink::to(Dest::Store(StoreFile::create(object)?)));
        }
        if let Some(path) = path_of(object)? {
            return Ok(Sink::at(path)?);
        }
        if object.hasattr("write")? {
            calls::check_binary(object, "wb")?;
            return Ok(Sink::to(Dest::FileLike(ObjectRef::new(object))));
        }
        let found = object.get_type();
        Err(exception::<PyTypeError>(format!("expected a path or a file-like object, found {found}")).into())
    }

    /// Opens a file at a path.
    pub(crate) fn at(path: PathBuf) -> arrow_ipc::Result<Sink> {
        let named = |error| IpcErrorKind::Open { path: path.clone(), error };
        // Replaces the target of a symbolic link, not the link.
        let target = AtomicFile::target_of(&path);
        let is_special = fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file());
        if is_special {
            if is_fifo(&target) {
                // Python waits for a reader of the pipe, without the interpreter's lock. Ctrl-C ends the wait.
                let opened = attached(|py| {
                    let module = calls::import(py, "arrow_ipc._memory")?;
                    Ok(ObjectRef::new(&calls::method(&module, "Fifo", (target.as_path(), "wb"))?))
                });
                return Ok(Sink::to(Dest::FileLike(opened.map_err(named)?)));
            }
            let file = fs::OpenOptions::new().write(true).open(&target).map_err(named)?;
            return Ok(Sink::to(Dest::Plain(file)));
        }
        Ok(Sink::to(Dest::Atomic(AtomicFile::create(&target).map_err(named)?)))
    }

    fn to(to: Dest) -> Sink {
        Sink { to, looked: Instant::now(), has_failed: false }
    }

    /// Writes some bytes, unless writing has failed before. Notices interrupts.
    fn unless_failed(&mut self, write: impl FnOnce(&mut Dest) -> io::Result<usize>) -> io::Result<usize> {
        if self.has_failed {
            return Err(io::Error::other("the writer cannot continue after its earlier error"));
        }
        let is_due = self.looked.elapsed() >= TURN;
        if is_due {
            self.looked = Instant::now();
        }
        let looked = if is_due { attached(|py| py.check_signals()) } else { Ok(()) };
        let written = looked.and_then(|()| write(&mut self.to));
        // Interrupted calls are made again.
        self.has_failed = written.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        written
    }

    /// Writes messages. File-like objects get large buffers as a `memoryview`, without a copy, and all other bytes as
    /// `bytes`. A buffer stays valid if the object keeps the view.
    pub(crate) fn put(&mut self, messages: &Encoded<'_>) -> io::Result<()> {
        let put = self.try_put(messages);
        // Also if the destination has written nothing, without an error of its own.
        self.has_failed |= put.is_err();
        put
    }

    fn try_put(&mut self, messages: &Encoded<'_>) -> io::Result<()> {
        if matches!(self.to, Dest::Atomic(_) | Dest::Plain(_)) {
            return messages.write_to(self);
        }
        let mut small = Vec::new();
        for segment in messages.segments() {
            match segment {
                Segment::Data(buffer) if buffer.len() >= ALONE_BYTES => {
                    self.write_all(&mem::take(&mut small))?;
                    self.put_buffer(buffer)?;
                }
                _ => {
                    for slice in segment.slices(usize::MAX) {
                        if small.len().saturating_add(slice.len()) >= ALONE_BYTES {
                            self.write_all(&mem::take(&mut small))?;
                            self.write_all(slice)?;
                        } else {
                            small.extend_from_slice(slice);
                        }
                    }
                }
            }
        }
        self.write_all(&small)
    }

    fn put_buffer(&mut self, buffer: &Buffer) -> io::Result<()> {
        let mut rest = buffer.clone();
        while !rest.is_empty() {
            let written = self.unless_failed(|to| match to {
                Dest::FileLike(file) | Dest::Store(StoreFile { file, .. }) => with(file, |file| {
                    let view = Array::try_from_bytes(rest.clone()).map_err(PyErr::from)?;
                    let view = PyMemoryView::from(Bound::new(file.py(), view)?.as_any())?;
                    written(file, view.as_any(), rest.len())
                }),
                Dest::Atomic(file) => file.write(&rest),
                Dest::Plain(file) => file.write(&rest),
            });
            match written {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n_bytes) => rest = rest.slice(n_bytes.min(rest.len())..rest.len()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Completes the file, which then gets its name.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.to {
            Dest::Atomic(mut file) => file.commit(),
            Dest::Store(file) => file.commit(),
            Dest::Plain(_) | Dest::FileLike(_) => Ok(()),
        }
    }
}

/// Refuses a destination that is a source which stays: it is damaged, or one of several that are joined.
///
/// # Errors
/// If both are the same file, whatever their names are.
pub(crate) fn refuse_source(source: &Bound<'_, PyAny>, dest: &Bound<'_, PyAny>) -> PyResult<()> {
    path_in(dest).map_or(Ok(()), |dest| refuse_source_at(source, &dest))
}

/// The path of an object: itself, or the one with which a file object was opened.
fn path_in(object: &Bound<'_, PyAny>) -> Option<PathBuf> {
    let name = || object.getattr("name").and_then(|name| name.extract::<PathBuf>());
    object.extract::<PathBuf>().or_else(|_| name()).ok()
}

/// Like [`refuse_source`], for the path of a destination.
///
/// # Errors
/// As for [`refuse_source`].
fn refuse_source_at(source: &Bound<'_, PyAny>, dest: &Path) -> PyResult<()> {
    let Some(source) = path_in(source) else { return Ok(()) };
    let files = match InputSet::files_of(&source) {
        Some(Ok(files)) => files,
        Some(Err(_)) | None => vec![source],
    };
    match files.iter().find(|file| FileIdentity::is_same_file(file, dest)) {
        Some(file) => {
            let text = format!("{}: a source is not replaced: choose another dest", file.display());
            Err(exception::<PyValueError>(text))
        }
        None => Ok(()),
    }
}

/// Refuses a URL, which would be used as a path.
pub(crate) fn refuse_url(path: &Path) -> PyResult<()> {
    match path.to_str().filter(|text| is_url(text)) {
        Some(url) => {
            let text = format!("{url}: expected a path: this call writes to no URL");
            Err(exception::<PyValueError>(text))
        }
        None => Ok(()),
    }
}

/// The codec for the extension of a name, and whether it can be written; `None` for other extensions.
fn compression_of(path: &Path) -> Option<(&'static str, Option<ForeignFormat>)> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "gz" => Some((".gz", Some(ForeignFormat::Gzip))),
        "zst" => Some((".zst", Some(ForeignFormat::Zstd))),
        "lz4" => Some((".lz4", None)),
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
        self.unless_failed(|to| match to {
            Dest::Atomic(file) => file.write_vectored(slices),
            Dest::Plain(file) => file.write_vectored(slices),
            Dest::FileLike(file) | Dest::Store(StoreFile { file, .. }) => write_to(file, slices),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_failed {
            return Err(io::Error::other("the writer cannot continue after its earlier error"));
        }
        match &mut self.to {
            Dest::Atomic(file) => file.flush(),
            Dest::Plain(file) => file.flush(),
            // All bytes are written before the commit.
            Dest::Store(_) => Ok(()),
            Dest::FileLike(object) => with(object, |file| {
                if file.hasattr("flush")? {
                    calls::method(file, "flush", ())?;
                }
                Ok(())
            }),
        }
    }
}

fn with<T>(object: &ObjectRef<PyAny>, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> io::Result<T> {
    attached(|py| call(object.bind(py)))
}

/// Calls Python code. If it raises an exception, the returned error contains it.
pub(crate) fn attached<T>(call: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    match Python::try_attach(call) {
        Some(called) => called.map_err(io::Error::other),
        None => Err(io::Error::other("the interpreter has ended")),
    }
}

fn write_to(object: &ObjectRef<PyAny>, slices: &[IoSlice<'_>]) -> io::Result<usize> {
    // Long data is written alone, because several slices are copied to a new `bytearray`.
    let slices = match slices {
        [first, ..] if first.len() >= ALONE_BYTES => slice::from_ref(first),
        _ => slices,
    };
    let n_bytes =
        slices.iter().fold(0, |n_bytes: usize, slice| n_bytes.saturating_add(slice.len())).min(MAX_BYTES);
    with(object, |file| {
        let bytes = match slices {
            [only] => PyBytes::new(file.py(), only.get(..n_bytes).unwrap_or(only)),
            _ => PyBytes::new_with(file.py(), n_bytes, |mut buffer| {
                for slice in slices {
                    // Writes as many bytes as fit in `buffer`.
                    let _ = buffer.write(slice)?;
                }
                Ok(())
            })?,
        };
        written(file, bytes.as_any(), n_bytes)
    })
}

/// Calls `write` with some bytes, and returns how many of them were written.
fn written(file: &Bound<'_, PyAny>, bytes: &Bound<'_, PyAny>, n_bytes: usize) -> PyResult<usize> {
    let written = calls::method(file, "write", (bytes,))?;
    // Raw files of the standard library return `None` if nothing can be written without blocking. Many other file-like
    // objects do so after writing all bytes.
    if written.is_none() && file.is_instance(&calls::import(file.py(), "io")?.getattr("RawIOBase")?)? {
        let text =
            format!("the file is non-blocking and takes no bytes now; {n_bytes} bytes were not written");
        return Err(with_location(file.py(), exception::<PyBlockingIOError>(text), Location::default()));
    }
    let n_written = if written.is_none() { Some(n_bytes as i64) } else { options::number(&written)? };
    let n_written = n_written.and_then(|n_written| usize::try_from(n_written).ok());
    // Asking again after 0 might never end.
    n_written.filter(|n_written| (1..=n_bytes).contains(n_written)).ok_or_else(|| {
        let text = format!("`write` got {n_bytes} bytes, but says that it wrote {written}");
        with_location(file.py(), exception::<PyOSError>(text), Location::default())
    })
}
