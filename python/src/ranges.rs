//! Files at URLs. Python code fetches ranges of them, several at the same time.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arrow_buffer::Buffer;
use arrow_ipc::{FetchCost, FetchCostEstimator, ReadOptions, Source};
use arrow_ipc_dataset::{FileStamp, FileStore, FileVersion, StoreNames, StoredFile};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyBytes,
};

use crate::{
    calls::{self, ObjectRef},
    error::exception,
    memory, options,
};

/// A file that a Python object fetches with `size` and `fetch(ranges, max_requests)`. Several threads may call it.
#[derive(Debug)]
pub(crate) struct RangeFile {
    file: ObjectRef<PyAny>,
    n_bytes: u64,
    /// The URL without its query. Its extension determines the format.
    path: String,
    cost: RequestCost,
}

/// The cost of requests to a server.
#[derive(Debug, Clone)]
enum RequestCost {
    Fixed(FetchCost),
    /// Requests for all files of a host are observed together.
    Observed(Arc<FetchCostEstimator>),
}

impl RequestCost {
    /// The cost of requests to the host of a URL, as far as the requests of this process have shown it.
    fn observed_at(url: &str) -> RequestCost {
        static HOSTS: Mutex<BTreeMap<String, Arc<FetchCostEstimator>>> = Mutex::new(BTreeMap::new());
        const MAX_HOSTS: usize = 256;
        let (scheme, rest) = url.split_once("://").unwrap_or_default();
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        let mut hosts = HOSTS.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MAX_HOSTS {
            hosts.clear();
        }
        let costs = hosts.entry(format!("{scheme}://{host}").to_ascii_lowercase());
        RequestCost::Observed(Arc::clone(
            costs.or_insert_with(|| Arc::new(FetchCostEstimator::new(INITIAL_COST))),
        ))
    }

    fn current(&self) -> FetchCost {
        match self {
            RequestCost::Fixed(cost) => *cost,
            RequestCost::Observed(costs) => costs.cost(),
        }
    }
}

/// The cost of requests that arguments give; `None` if they give nothing. What is not given is as for an object store.
pub(crate) fn given_cost(
    request_ms: Option<f64>,
    bytes_per_second: Option<NonZeroU64>,
) -> PyResult<Option<FetchCost>> {
    if request_ms.is_none() && bytes_per_second.is_none() {
        return Ok(None);
    }
    let request = match request_ms {
        None => INITIAL_COST.request(),
        Some(ms) => Duration::try_from_secs_f64(ms / 1_000.0).map_err(|_| {
            exception::<PyValueError>(format!(
                "request_ms is {ms}; allowed: a number of milliseconds from 0 on"
            ))
        })?,
    };
    let bytes_per_second = bytes_per_second.map_or(INITIAL_COST.bytes_per_second(), NonZeroU64::get);
    Ok(Some(
        FetchCost::new(request, bytes_per_second)
            .with_requests_in_flight(INITIAL_COST.requests_in_flight())
            .with_small_requests_in_flight(INITIAL_COST.small_requests_in_flight()),
    ))
}

/// The arguments that give this cost.
pub(crate) fn arguments_of(cost: FetchCost) -> (f64, u64) {
    (cost.request().as_secs_f64() * 1_000.0, cost.bytes_per_second())
}

/// The error for a cost of requests to something that is no server.
pub(crate) fn no_requests() -> PyErr {
    exception::<PyTypeError>(
        "request_ms and bytes_per_second say what requests to a server cost, and the source is no URL",
    )
}

/// Whether a text is a URL: a scheme of at least two characters, and `://`. A single letter is a drive.
pub(crate) fn is_url(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    let is_scheme = |scheme: &str| {
        scheme.len() > 1 && scheme.chars().all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char))
    };
    scheme.is_some_and(is_scheme)
}

/// A path. In a URL, the password and the query, which may be a signature, are left out.
pub(crate) fn without_secrets(path: &Path) -> PathBuf {
    let Some(url) = path.to_str().filter(|text| is_url(text)) else { return path.to_owned() };
    let whole = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = whole.split_once("://") else { return whole.into() };
    let (host, below) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}/{below}").into()
}

/// Converts the URL of a local file, such as `file:///data/a%20b.arrow`, to a path. Returns any other object unchanged.
pub(crate) fn local<'py>(source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let is_file =
        |url: &str| url.split_once("://").is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("file"));
    if !source.extract().is_ok_and(is_file) {
        return Ok(source.clone());
    }
    let py = source.py();
    let parts = calls::method(&calls::import(py, "urllib.parse")?, "urlsplit", (source,))?;
    let part = |name| -> PyResult<String> { parts.getattr(name)?.extract() };
    let is_here = matches!(&*part("netloc")?, "" | "localhost");
    if !is_here || !part("query")?.is_empty() || !part("fragment")?.is_empty() {
        let text = format!(
            "{}: a URL of a local file is file:///path, in which `?` is %3F and `#` is %23; `pathlib.Path.as_uri` makes one",
            source.str()?
        );
        return Err(exception::<PyValueError>(text));
    }
    calls::method(&calls::import(py, "urllib.request")?, "url2pathname", (part("path")?,))
}

impl RangeFile {
    pub(crate) fn open(py: Python<'_>, url: &str) -> PyResult<RangeFile> {
        RangeFile::from_object(url, calls::method(&remote(py)?, "open_url", (url,))?)
    }

    /// Opens a stream that has an index. Reads the first bytes, which contain the schema, and not the last.
    pub(crate) fn open_stream(py: Python<'_>, url: &str) -> PyResult<RangeFile> {
        RangeFile::from_object(url, calls::method(&remote(py)?, "open_url", (url, START_BYTES, true))?)
    }

    fn from_object(url: &str, file: Bound<'_, PyAny>) -> PyResult<RangeFile> {
        let n_bytes = file.getattr("size")?.extract()?;
        let path = url.split(['?', '#']).next().unwrap_or_default().to_owned();
        Ok(RangeFile { file: ObjectRef::new(&file), n_bytes, path, cost: RequestCost::observed_at(url) })
    }

    /// Returns another reference to the same version of the file.
    pub(crate) fn again(&self) -> RangeFile {
        let file = Python::attach(|py| ObjectRef::new(self.file.bind(py)));
        RangeFile { file, n_bytes: self.n_bytes, path: self.path.clone(), cost: self.cost.clone() }
    }

    /// The file with this cost of requests, if one is given.
    pub(crate) fn with_cost(self, given: Option<FetchCost>) -> RangeFile {
        RangeFile { cost: given.map_or(self.cost, RequestCost::Fixed), ..self }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The tag of this version of the file.
    pub(crate) fn version(&self, py: Python<'_>) -> PyResult<String> {
        calls::method(self.file.bind(py), "version", ())?.extract()
    }

    /// Reads all bytes, from start to end.
    pub(crate) fn into_reader(self) -> impl Read + Send {
        RangeReader { file: self, position: 0, rest: Buffer::new() }
    }
}

impl Source for RangeFile {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.n_bytes)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        let fetched = self.fetch_many(&[range])?;
        fetched.into_iter().next().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    fn fetch_many(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Buffer>> {
        let max_requests = self.fetch_cost().requests_in_flight_for(ranges);
        let begin = Instant::now();
        let fetched = attached(|py| {
            let ranges: Vec<(u64, u64)> = ranges.iter().map(|range| (range.start, range.end)).collect();
            let fetched = calls::method(self.file.bind(py), "fetch", (ranges, max_requests))?;
            fetched.try_iter()?.map(|bytes| lend(&bytes?)).collect()
        })?;
        // Opening may have read the last bytes.
        let tail_start = self.n_bytes.saturating_sub(TAIL_BYTES_OF_SET + 64);
        if let RequestCost::Observed(costs) = &self.cost
            && ranges.iter().all(|range| range.start < tail_start)
        {
            // The estimate counts on more requests at the same time than there are connections.
            let n_ranges = u32::try_from(ranges.len()).unwrap_or(u32::MAX);
            let expected_rounds = n_ranges.div_ceil(max_requests.max(1));
            let actual_rounds = n_ranges.div_ceil(max_requests.clamp(1, MAX_CONNECTIONS)).max(1);
            costs.observe(ranges, begin.elapsed() * expected_rounds / actual_rounds);
        }
        Ok(fetched)
    }

    fn fetch_cost(&self) -> FetchCost {
        self.cost.current()
    }
}

impl StoredFile for RangeFile {
    fn version(&self) -> io::Result<FileVersion> {
        let tag = attached(|py| self.version(py))?;
        Ok(FileVersion { n_bytes: self.n_bytes, stamp: FileStamp::from_tag(&tag) })
    }

    fn options(&self) -> ReadOptions {
        ReadOptions::new().with_limits(options::limits()).with_tail_bytes(TAIL_BYTES_OF_SET)
    }
}

/// The number of last bytes that are read when a file of a data set is opened.
const TAIL_BYTES_OF_SET: u64 = 32 << 10;

/// The number of first bytes that are read when a stream with an index is opened.
const START_BYTES: u64 = 16 << 10;

/// Opens the files of a data set at URLs.
#[derive(Debug)]
pub(crate) struct UrlFiles {
    /// The cost of requests, if it is given.
    cost: Option<FetchCost>,
}

impl UrlFiles {
    pub(crate) fn new(cost: Option<FetchCost>) -> UrlFiles {
        UrlFiles { cost }
    }
}

/// Lists the files of URLs, in their order: those below a folder, and those that a pattern selects.
pub(crate) fn files_of(py: Python<'_>, urls: &[PathBuf]) -> PyResult<Vec<PathBuf>> {
    let module = calls::import(py, "arrow_ipc._listing")?;
    let mut files = Vec::with_capacity(urls.len());
    for url in urls {
        let found: Vec<String> = calls::method(&module, "files_of", (url.as_os_str(),))?.extract()?;
        files.extend(found.into_iter().map(PathBuf::from));
    }
    Ok(files)
}

impl FileStore for UrlFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        let url = path.to_str().ok_or(io::ErrorKind::InvalidInput)?;
        let tail_bytes = TAIL_BYTES_OF_SET + 64;
        let opened = attached(|py| {
            RangeFile::from_object(url, calls::method(&remote(py)?, "open_url", (url, tail_bytes))?)
        })?;
        Ok(Arc::new(opened.with_cost(self.cost)))
    }

    /// Only HTTP escapes names; other file systems do not.
    fn names(&self, path: &Path) -> StoreNames {
        let scheme = path.to_str().and_then(|url| url.get(.."http".len()));
        if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http")) {
            StoreNames::HttpUrl
        } else {
            StoreNames::Url
        }
    }
}

fn remote(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    calls::import(py, "arrow_ipc._remote")
}

/// Calls Python code, and returns its result. Fails if the interpreter has ended.
fn attached<T>(ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> io::Result<T> {
    match Python::try_attach(ask) {
        Some(given) => given.map_err(io::Error::other),
        None => Err(io::Error::other("the interpreter has ended")),
    }
}

/// The maximal number of connections to a host, as in `_connections.py`.
const MAX_CONNECTIONS: u32 = 16;

/// At most 64 requests run at the same time: each needs a thread, and runs Python code for about half a millisecond, one
/// thread at a time.
const INITIAL_COST: FetchCost = FetchCost::OBJECT_STORE.with_small_requests_in_flight(64);

fn lend(bytes: &Bound<'_, PyAny>) -> PyResult<Buffer> {
    // Refuses other objects, because their memory could change while it is read.
    let Ok(bytes) = bytes.cast::<PyBytes>() else {
        return Err(exception::<PyTypeError>(format!("`fetch` gave {} and not bytes", bytes.get_type())));
    };
    Ok(memory::lend(bytes.as_any())?.unwrap_or_default())
}

/// Reads a file from start to end, in large ranges.
struct RangeReader {
    file: RangeFile,
    position: u64,
    rest: Buffer,
}

impl Read for RangeReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const RANGE_BYTES: u64 = 8 << 20;
        if self.rest.is_empty() {
            let end = self.file.n_bytes.min(self.position.saturating_add(RANGE_BYTES));
            if self.position >= end {
                return Ok(0);
            }
            self.rest = self.file.fetch(self.position..end)?;
            self.position = end;
        }
        let bytes = self.rest.split_to(self.rest.len().min(buffer.len()));
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}
