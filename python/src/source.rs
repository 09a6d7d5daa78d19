//! Where bytes are read: paths, URLs, memory, and file-like Python objects.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_buffer::{Buffer, BufferMut};
use arrow_ipc::{FetchCost, FormatErrorKind, IpcError, IpcErrorKind, ReadAt, Source};
use arrow_ipc_tools::{ForeignFormat, InputName, SharedSource, ToolError, ToolErrorKind};
use pyo3::{
    exceptions::{PyBlockingIOError, PyTypeError, PyUnicodeEncodeError, PyValueError},
    prelude::*,
    types::{PyByteArray, PyBytes, PyList, PyMemoryView},
};

use crate::{
    calls::{self, ObjectRef},
    dataset::{Dataset, Task},
    error::{Failure, Result, exception},
    hints::PIPE_HINT,
    memory,
    ranges::{RangeFile, is_url, local},
    turn_lock::TurnLock,
};

/// How errors call a source without a path.
pub(crate) const FILE_LIKE: &str = "the file-like object";
pub(crate) const URL: &str = "the URL";

/// The path that an object is, if it is one.
///
/// # Errors
/// `UnicodeEncodeError` for a text that is not Unicode, which no path can be.
pub(crate) fn path_of(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    match object.extract() {
        Ok(path) => Ok(Some(path)),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(object.py()) => Err(error),
        Err(_) => Ok(None),
    }
}

/// What bytes are read from.
pub(crate) enum Input {
    Path(PathBuf),
    Memory(Buffer),
    FileLike(FileLike),
    Ranges(RangeFile),
}

impl Input {
    /// Detects what an object is. A text is a URL or a path, and `os.PathLike` is a path. An `mmap` is read like a
    /// file. Other objects with the buffer protocol are memory, and objects with `read` are files.
    pub(crate) fn try_new(object: &Bound<'_, PyAny>) -> PyResult<Input> {
        let object = &local(object)?;
        if let Ok(text) = object.extract::<&str>()
            && is_url(text)
        {
            return Ok(Input::Ranges(RangeFile::open(object.py(), text)?));
        }
        if let Some(path) = path_of(object)? {
            return Ok(if is_fifo(&path) {
                Input::FileLike(FileLike::from_fifo(object)?)
            } else {
                Input::Path(path)
            });
        }
        if let Some(map) = memory::map_of(object)? {
            return Ok(Input::FileLike(FileLike::from_memory(&map)?));
        }
        if let Some(bytes) = memory::lend(object)? {
            return Ok(Input::Memory(bytes));
        }
        if object.is_instance_of::<Dataset>() || object.is_instance_of::<Task>() {
            let found = object.get_type();
            return Err(exception::<PyTypeError>(format!(
                "expected a path, a URL, bytes, a memory map or a file-like object, found {found}: its rows are an `Iterable` of batches, \
                 which `write_file` and `write_csv` take; tools take its path, and `where=` and `columns=`"
            )));
        }
        if object.hasattr("read")? {
            calls::check_binary(object, "rb")?;
            return Ok(Input::FileLike(FileLike::new(object)));
        }
        let has = |name: &str| object.hasattr(name).unwrap_or(false);
        let found = object.get_type();
        let advice = if object.is_instance_of::<PyList>() {
            ": `dataset` reads many Arrow files as one, and `read_csv` and `read_json` many texts"
        } else if has("makefile") {
            ": `makefile(\"rb\")` of a socket is one"
        } else if has("__arrow_c_stream__") || has("__arrow_c_array__") {
            ": this is Arrow data and not a source of bytes; `write_stream` makes bytes of it"
        } else {
            ""
        };
        Err(exception::<PyTypeError>(format!(
            "expected a path, a URL, bytes, a memory map or a file-like object, found {found}{advice}"
        )))
    }

    /// The same source, but a file-like object from its current position on, as text is read.
    pub(crate) fn at_current_position(self) -> io::Result<Input> {
        match self {
            Input::FileLike(file) => Ok(Input::FileLike(file.at_current_position()?)),
            other => Ok(other),
        }
    }

    /// Opens a source for `memory_map`: maps a file at a path, or uses the memory of an object without a copy. The
    /// caller keeps the promise in the documentation of `open`.
    pub(crate) fn try_new_mapped(object: &Bound<'_, PyAny>) -> Result<Input> {
        if let Ok(path) = object.extract::<PathBuf>()
            && !object.extract().is_ok_and(is_url)
        {
            refuse_fifo(&path, "memory_map maps files")?;
            return object.py().detach(|| Ok(Input::Memory(map(&open(path)?)?)));
        }
        match memory::lend_in_place(object)? {
            Some(bytes) => Ok(Input::Memory(bytes)),
            None if object.extract().is_ok_and(is_url) => {
                let text = "memory_map needs a path, and this is a URL: open it without memory_map";
                Err(exception::<PyTypeError>(text).into())
            }
            None => {
                let found = object.get_type();
                let text =
                    format!("memory_map needs a path, or an object that lends its bytes, found {found}");
                Err(exception::<PyTypeError>(text).into())
            }
        }
    }

    /// Converts an error of opening the input. Adds the path, and says that an empty input is empty.
    pub(crate) fn failed(&self, error: IpcError) -> Failure {
        let at = error.location();
        let is_at_start = at.byte_offset.unwrap_or(0) == 0 && at.block.is_none();
        let is_empty = matches!(
            error.kind(),
            IpcErrorKind::EmptyInput | IpcErrorKind::Format(FormatErrorKind::Truncated { available: 0, .. })
        );
        if is_at_start && is_empty {
            return ToolError::new(self.name(), ToolErrorKind::Empty).into();
        }
        let code = match error.kind() {
            IpcErrorKind::Io(cause) | IpcErrorKind::Fetch { error: cause, .. } => cause.raw_os_error(),
            IpcErrorKind::Open { error: cause, .. } => cause.raw_os_error(),
            _ => None,
        };
        match (self, code) {
            (Input::Path(path), Some(code)) => {
                Failure::from_path(path.clone(), io::Error::from_raw_os_error(code))
            }
            _ => Failure::from_input(error, self),
        }
    }

    /// How errors call the input.
    fn name(&self) -> InputName {
        match self {
            Input::Path(path) => path.as_path().into(),
            Input::Memory(_) => "the bytes".into(),
            Input::FileLike(_) => FILE_LIKE.into(),
            Input::Ranges(_) => URL.into(),
        }
    }

    /// Converts an error of reading the input by position, and says what reads a pipe.
    pub(crate) fn failed_by_position(&self, error: IpcError) -> Failure {
        let failure = self.failed(error);
        match self {
            Input::FileLike(file) if !file.is_seekable().unwrap_or(true) => failure.with_hint(PIPE_HINT),
            _ => failure,
        }
    }

    /// Opens the input, to read it by position.
    pub(crate) fn into_source(self) -> arrow_ipc::Result<AnySource> {
        match self {
            Input::Path(path) => Ok(AnySource::File(open(path)?)),
            Input::Memory(bytes) => Ok(AnySource::Memory(bytes)),
            Input::FileLike(file) => Ok(AnySource::FileLike(file)),
            Input::Ranges(file) => Ok(AnySource::Ranges(file)),
        }
    }

    /// Reads all bytes of the input.
    pub(crate) fn read_all(self) -> arrow_ipc::Result<Buffer> {
        let source = self.into_source()?;
        Ok(source.fetch(0..source.n_bytes()?)?)
    }

    /// Returns the same input, to open it again in another way. The two must not be read at the same time.
    pub(crate) fn again(&self) -> Input {
        match self {
            Input::Path(path) => Input::Path(path.clone()),
            Input::Memory(bytes) => Input::Memory(bytes.clone()),
            Input::FileLike(file) => Input::FileLike(file.again()),
            Input::Ranges(file) => Input::Ranges(file.again()),
        }
    }

    /// The codec with which the whole input is compressed. Moves a file-like object back to its start.
    pub(crate) fn codec(&self) -> io::Result<Option<ForeignFormat>> {
        Ok(ForeignFormat::detect_codec(&self.start(MAGIC_BYTES)?))
    }

    /// The format of an input that is not Arrow data, from its first bytes.
    pub(crate) fn foreign(&self) -> io::Result<Option<ForeignFormat>> {
        // The tools inspect as many bytes.
        Ok(ForeignFormat::detect(&self.start(4 << 10)?))
    }

    /// The first `n_bytes` bytes; fewer if the input is shorter.
    fn start(&self, n_bytes: usize) -> io::Result<Vec<u8>> {
        match self {
            Input::Path(path) => first_bytes(&mut File::open(path)?, n_bytes),
            Input::Memory(bytes) => Ok(bytes.iter().take(n_bytes).copied().collect()),
            Input::FileLike(file) => first_bytes(&mut file.again().rewind()?, n_bytes),
            Input::Ranges(file) => Ok(file.fetch(0..file.n_bytes()?.min(n_bytes as u64))?.to_vec()),
        }
    }

    /// Opens the input, to read it from start to end. Returns bytes that were already read, and a reader for the rest.
    pub(crate) fn into_stream(self) -> arrow_ipc::Result<(Vec<Buffer>, AnyReader)> {
        match self {
            Input::Path(path) => arriving(Box::new(open(path)?)),
            Input::Memory(bytes) => match ForeignFormat::detect_codec(&bytes) {
                Some(codec) => Ok((Vec::new(), codec.decompress(buffered(io::Cursor::new(bytes)))?)),
                None => Ok((vec![bytes], Box::new(io::empty()))),
            },
            Input::FileLike(file) => arriving(Box::new(file)),
            Input::Ranges(file) => arriving(Box::new(file.into_reader())),
        }
    }
}

/// The number of bytes that are needed to detect a codec.
const MAGIC_BYTES: usize = 4;

fn first_bytes(bytes: &mut impl Read, n_bytes: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    bytes.take(n_bytes as u64).read_to_end(&mut start)?;
    Ok(start)
}

/// Decompresses the input if necessary. Returns bytes that were already read, and a reader for the rest.
fn arriving(mut bytes: AnyReader) -> arrow_ipc::Result<(Vec<Buffer>, AnyReader)> {
    let start = first_bytes(&mut bytes, MAGIC_BYTES)?;
    Ok(match ForeignFormat::detect_codec(&start) {
        Some(codec) => (Vec::new(), codec.decompress(buffered(io::Cursor::new(start).chain(bytes)))?),
        None => (vec![start.into()], bytes),
    })
}

fn buffered(bytes: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(io::BufReader::with_capacity(256 << 10, bytes))
}

pub(crate) type AnyReader = Box<dyn Read + Send>;

/// Maps a file into memory. The caller of `arrow_ipc.open(path, memory_map=True)` has promised not to change it.
fn map(file: &File) -> io::Result<Buffer> {
    // SAFETY: nobody writes to the file or shortens it while it is mapped: the documented promise of a caller who passes
    // `memory_map=True`, as for Python's own `mmap`. By default files are not mapped.
    unsafe { Buffer::map(file) }
}

#[cfg(unix)]
pub(crate) fn is_fifo(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type()))
}

/// Refuses a named pipe. It cannot be read by position, and opening it would wait for a writer.
pub(crate) fn refuse_fifo(path: &Path, what: &str) -> PyResult<()> {
    if is_fifo(path) {
        Err(exception::<PyValueError>(format!("{}: {what}, and this is a named pipe", path.display())))
    } else {
        Ok(())
    }
}

#[cfg(not(unix))]
pub(crate) fn is_fifo(_path: &Path) -> bool {
    false
}

fn open(path: PathBuf) -> arrow_ipc::Result<File> {
    File::open(&path).map_err(|error| IpcError::from(IpcErrorKind::Open { path, error }))
}

/// Any input that is read by position.
pub(crate) enum AnySource {
    Memory(Buffer),
    File(File),
    FileLike(FileLike),
    Ranges(RangeFile),
    /// A file that was compressed as a whole, after decompression.
    Unpacked(SharedSource),
}

impl Source for AnySource {
    fn n_bytes(&self) -> io::Result<u64> {
        match self {
            AnySource::Memory(bytes) => bytes.n_bytes(),
            AnySource::File(file) => file.n_bytes(),
            AnySource::FileLike(file) => file.n_bytes(),
            AnySource::Ranges(file) => file.n_bytes(),
            AnySource::Unpacked(file) => file.n_bytes(),
        }
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        match self {
            AnySource::Memory(bytes) => bytes.fetch(range),
            AnySource::File(file) => file.fetch(range),
            AnySource::FileLike(file) => file.fetch(range),
            AnySource::Ranges(file) => file.fetch(range),
            AnySource::Unpacked(file) => file.fetch(range),
        }
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        match self {
            AnySource::Ranges(file) => file.fetch_many(ranges),
            AnySource::Memory(_) | AnySource::File(_) | AnySource::FileLike(_) | AnySource::Unpacked(_) => {
                ranges.iter().map(|range| self.fetch(range.clone())).collect()
            }
        }
    }

    fn fetch_cost(&self) -> FetchCost {
        match self {
            AnySource::Memory(bytes) => bytes.fetch_cost(),
            AnySource::File(file) => file.fetch_cost(),
            AnySource::FileLike(file) => file.fetch_cost(),
            AnySource::Ranges(file) => file.fetch_cost(),
            AnySource::Unpacked(file) => file.fetch_cost(),
        }
    }

    fn whole(&self) -> Option<Buffer> {
        match self {
            AnySource::Memory(bytes) => bytes.whole(),
            AnySource::File(file) => file.whole(),
            AnySource::FileLike(_) | AnySource::Ranges(_) | AnySource::Unpacked(_) => None,
        }
    }

    /// Only files are read into memory that is reused.
    fn read_at(&self) -> Option<&dyn ReadAt> {
        match self {
            AnySource::File(file) => Some(file),
            AnySource::Memory(_) | AnySource::FileLike(_) | AnySource::Ranges(_) | AnySource::Unpacked(_) => {
                None
            }
        }
    }
}

/// A Python object with `read`, and with `seek` if it is read by position. Reading moves its position.
///
/// Threads use the object in turns. They wait without the interpreter's lock, because the thread that uses the object
/// may need it.
pub(crate) struct FileLike {
    object: ObjectRef<PyAny>,
    turn: TurnLock<()>,
    /// The position at which text begins.
    start: u64,
}

impl FileLike {
    fn new(object: &Bound<'_, PyAny>) -> FileLike {
        FileLike { object: ObjectRef::new(object), turn: TurnLock::new("the file-like object", ()), start: 0 }
    }

    /// Memory that other code may change. It is copied when it is read.
    fn from_memory(bytes: &Bound<'_, PyMemoryView>) -> PyResult<FileLike> {
        let module = calls::import(bytes.py(), "arrow_ipc._memory")?;
        Ok(FileLike::new(&calls::method(&module, "MemoryFile", (bytes,))?))
    }

    /// A named pipe. Python opens it, because Ctrl-C can then end the wait for a writer.
    fn from_fifo(path: &Bound<'_, PyAny>) -> PyResult<FileLike> {
        let module = calls::import(path.py(), "arrow_ipc._memory")?;
        Ok(FileLike::new(&calls::method(&module, "Fifo", (path,))?))
    }

    /// Calls Python code. If it raises an exception, the returned error contains it.
    fn with<T>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> io::Result<T> {
        let called = Python::try_attach(|py| {
            let _turn = self.turn.take(py)?;
            call(self.object.bind(py))
        });
        match called {
            Some(called) => called.map_err(io::Error::other),
            None => Err(io::Error::other("the interpreter has ended")),
        }
    }

    /// Returns the same object. The two must not be read at the same time.
    pub(crate) fn again(&self) -> FileLike {
        Python::attach(|py| FileLike { start: self.start, ..FileLike::new(self.object.bind(py)) })
    }

    /// Moves the file to its start.
    pub(crate) fn rewind(self) -> io::Result<FileLike> {
        self.with(|file| calls::method(file, "seek", (self.start,)).map(drop))?;
        Ok(self)
    }

    /// The file from its current position on.
    fn at_current_position(self) -> io::Result<FileLike> {
        let start = if self.is_seekable()? {
            self.with(|file| match file.getattr_opt("tell")? {
                Some(tell) => calls::call(&tell, ())?.extract(),
                None => Ok(0),
            })?
        } else {
            0
        };
        Ok(FileLike { start, ..self })
    }

    /// Whether the file can be read by position.
    pub(crate) fn is_seekable(&self) -> io::Result<bool> {
        self.with(|file| match file.getattr_opt("seekable")? {
            Some(seekable) => calls::call(&seekable, ())?.is_truthy(),
            None => file.hasattr("seek"),
        })
    }
}

impl Source for FileLike {
    fn n_bytes(&self) -> io::Result<u64> {
        self.with(|file| calls::method(file, "seek", (0, 2))?.extract())
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.with(|file| {
            calls::method(file, "seek", (range.start,))?;
            let n_wanted = range.end.saturating_sub(range.start);
            let first = read(file, "read", n_wanted)?;
            if first.len() as u64 == n_wanted {
                return Ok(Some(first));
            }
            let mut bytes = BufferMut::new();
            let mut piece = first;
            loop {
                bytes.extend_from_slice(&piece);
                let n_missing = n_wanted.saturating_sub(bytes.len() as u64);
                if n_missing == 0 {
                    return Ok(Some(bytes.freeze()));
                }
                if piece.is_empty() {
                    return Ok(None);
                }
                piece = read(file, "read", n_missing)?;
            }
        })?
        .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl Read for FileLike {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Reads at most this many bytes. Reading all bytes would wait for bytes that a live stream has not sent yet.
        const MAX_BYTES: usize = 8 << 20;
        let n_wanted = buffer.len().min(MAX_BYTES);
        let bytes = self.with(|file| {
            let has_read1 = file.hasattr("read1")?;
            read(file, if has_read1 { "read1" } else { "read" }, n_wanted as u64)
        })?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

/// Calls `read` or `read1` for at most `n_bytes` bytes.
fn read(file: &Bound<'_, PyAny>, method: &str, n_bytes: u64) -> PyResult<Buffer> {
    let mut found = calls::method(file, method, (n_bytes,))?;
    // Copies memory of these objects, because it could change while it is read.
    if found.is_instance_of::<PyByteArray>() || found.is_instance_of::<PyMemoryView>() {
        found = found.py().get_type::<PyBytes>().call1((found,))?;
    }
    if found.is_none() {
        let text = format!(
            "`{method}` of the file-like object gave None: it does not wait for bytes, as a file in blocking mode does"
        );
        return Err(exception::<PyBlockingIOError>(text));
    }
    let Ok(bytes) = found.cast::<PyBytes>() else {
        let found = found.get_type();
        return Err(exception::<PyTypeError>(format!(
            "`{method}` of the file-like object gave {found} and not bytes: open it in binary mode"
        )));
    };
    let bytes = memory::lend(bytes.as_any())?.unwrap_or_default();
    if bytes.len() as u64 > n_bytes {
        let n_found = bytes.len();
        return Err(exception::<PyTypeError>(format!(
            "`{method}({n_bytes})` of the file-like object gave {n_found} bytes, more than were asked for"
        )));
    }
    Ok(bytes)
}
