//! Converts Python arguments to options.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{
    LazyLock,
    atomic::{AtomicU64, Ordering},
};

use arrow_ipc::{
    DictionaryMode, Limits, MetadataVersion, OptionError, Projection, ReadOptions, RecycledMemory, RowCounts,
    WriteOptions, WrittenContainer,
};
use arrow_schema::{FieldPath, LookupError, Metadata, Schema};
use pyo3::{
    conversion::FromPyObjectOwned,
    exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyFrozenSet, PyInt, PyMapping, PyRange, PySet, PySlice, PyTuple},
};

use crate::{
    error::{Failure, Result, column_error, exception},
    relation,
};

/// Sets how many fields a schema may have to `n`, nested ones included, in all reading, writing and exchange with other libraries of
/// this process from now on: one million, unless this function was called. Returns the previous number. Memory stays in proportion to the
/// metadata with any number. Each process has its own number, also one that runs a `Task`.
///
/// >>> before = arrow_ipc.set_max_fields(3_000_000)
/// >>> arrow_ipc.set_max_fields(before)
/// 3000000
#[pyfunction]
pub(crate) fn set_max_fields(#[pyo3(from_py_with = number_from_0)] n: NonZero<u64>) -> u64 {
    MAX_FIELDS.swap(n.get(), Ordering::Relaxed)
}

/// How many fields a schema may have, in all reading, writing and exchange. A static is the state of the module: a process loads it
/// once, and threads without the interpreter's lock read the number.
static MAX_FIELDS: LazyLock<AtomicU64> = LazyLock::new(|| AtomicU64::new(Limits::default().max_fields()));

pub(crate) fn max_fields() -> u64 {
    MAX_FIELDS.load(Ordering::Relaxed)
}

/// The limits of reading.
pub(crate) fn limits() -> Limits {
    Limits::default().with_max_fields(max_fields())
}

/// Options for writing, with the limit of fields.
pub(crate) fn write_options() -> WriteOptions {
    WriteOptions::new().with_max_fields(max_fields())
}

/// The options for a level of validation, "content", "structure" or "strict", and for `copies`, "allow" or "refuse". Each
/// reader has a buffer pool of its own. A loop needs memory for two batches, because its variable still has the previous batch while the next one is
/// read.
pub(crate) fn read_options(validation: &str, copies: &str) -> PyResult<ReadOptions> {
    let pool = RecycledMemory::with_max_bytes(128 << 20);
    let options = ReadOptions::new().with_limits(limits()).with_recycled_memory(pool);
    let options =
        options.with_named("validation", validation).and_then(|options| options.with_named("copies", copies));
    options.map_err(unset)
}

/// Parses `"file"` or `"stream"`.
pub(crate) fn container(text: &str) -> PyResult<WrittenContainer> {
    match text {
        "file" => Ok(WrittenContainer::File),
        "stream" => Ok(WrittenContainer::Stream),
        other => Err(unknown("container", other, "'file' or 'stream'")),
    }
}

/// The container to write: `given`, or according to the name of the destination.
pub(crate) fn container_of(given: Option<&str>, dest: &Bound<'_, PyAny>) -> PyResult<WrittenContainer> {
    if let Some(text) = given {
        return container(text);
    }
    let path: Option<PathBuf> = dest.extract().ok();
    path.as_deref().and_then(WrittenContainer::from_file_name).ok_or_else(|| {
        // A name such as `people.csv` or `people.csv.gz`.
        let is_text = |path: &PathBuf| {
            let is_packed =
                path.extension().is_some_and(|end| ["gz", "zst", "bz2", "xz"].iter().any(|codec| end == *codec));
            let names = [path.clone(), if is_packed { path.with_extension("") } else { path.clone() }];
            let mut ends = names.iter().filter_map(|path| path.extension());
            ends.any(|end| ["csv", "json", "jsonl"].iter().any(|format| end == *format))
        };
        const ADVICE: &str =
            "add container='stream' or container='file', or use .arrows, .arrow, .feather or .ipc";
        exception::<PyValueError>(match path {
            Some(path) if is_text(&path) => {
                let path = path.display();
                format!("{path}: this function writes Arrow data; `write_csv` and `write_json` write text of what `open` gives")
            }
            Some(path) => {
                let path = path.display();
                format!(
                    "{path}: the file extension does not say whether to write a stream or a file: {ADVICE}"
                )
            }
            None if !dest.hasattr("write").unwrap_or(false) => {
                let found = dest.get_type();
                return exception::<PyTypeError>(format!(
                    "the destination: expected a path or an object with `write`, found {found}"
                ));
            }
            None => format!("a file-like object does not say whether to write a stream or a file: {ADVICE}"),
        })
    })
}

/// The argument `compression` as text; `None` if it is `None`.
pub(crate) fn compression_text(given: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    given.extract().map_err(|_| {
        let found = given.get_type();
        let shown = "'none', 'lz4', 'zstd', or 'zstd:3' with a level";
        exception::<PyTypeError>(format!("compression: expected {shown}, found {found}"))
    })
}

/// The options with one that is given as text.
pub(crate) fn with_named(options: WriteOptions, name: &str, text: &str) -> PyResult<WriteOptions> {
    options.with_named(name, text).map_err(unset)
}

fn unset(error: OptionError) -> PyErr {
    exception::<PyValueError>(error.to_string())
}

/// How to write a dictionary that changes from batch to batch.
pub(crate) fn dictionary_mode(text: &str) -> PyResult<DictionaryMode> {
    text.parse().map_err(unset)
}

/// Limits the length of the messages of batches, if there is a limit.
pub(crate) fn with_max_message_bytes(options: WriteOptions, max_bytes: Option<u64>) -> WriteOptions {
    match max_bytes {
        Some(max_bytes) => options.with_max_message_bytes(max_bytes),
        None => options,
    }
}

/// Gives the schema message and the footer the same metadata, if `same_metadata` says so. A footer with statistics gets row counts, too.
///
/// # Errors
/// If the footer is also to have row counts or statistics.
pub(crate) fn with_metadata_of_footer(
    options: WriteOptions,
    same_metadata: bool,
    statistics: bool,
) -> PyResult<WriteOptions> {
    if !same_metadata {
        return Ok(if statistics { options.with_row_counts(RowCounts::Written) } else { options });
    }
    if statistics || options.row_counts() == RowCounts::Written {
        let text = "same_metadata leaves no room for row_counts and statistics, which only a footer has";
        return Err(exception::<PyValueError>(text));
    }
    Ok(options.with_same_metadata())
}

pub(crate) fn metadata_version(number: u32) -> PyResult<MetadataVersion> {
    match number {
        4 => Ok(MetadataVersion::V4),
        5 => Ok(MetadataVersion::V5),
        other => Err(exception::<PyValueError>(format!("metadata_version is {other}; allowed: 4 or 5"))),
    }
}

/// The number of cores that this process may use. Asked for once, because the system reads several files for it.
static N_CORES: LazyLock<NonZero<usize>> =
    LazyLock::new(|| std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN));

/// The number of threads in `requested`, or the number of cores.
pub(crate) fn n_threads(requested: Option<NonZero<usize>>) -> NonZero<usize> {
    requested.unwrap_or_else(|| *N_CORES)
}

pub(crate) fn unknown(what: &str, found: &str, allowed: &str) -> PyErr {
    exception::<PyValueError>(format!("{what} is {found:?}; allowed: {allowed}"))
}

/// The items of a list, read one after the other. A `Vec` would take memory for as many items as `__len__` promises.
pub(crate) struct Items<T>(pub(crate) Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for Items<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Items<T>> {
        let items = given.try_iter()?.map(|item| item?.extract().map_err(Into::into));
        Ok(Items(items.collect::<PyResult<_>>()?))
    }
}

/// A list of names or positions.
pub(crate) fn column_list<'py>(columns: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    column_list_as("columns", columns)
}

/// Like [`column_list`], for an argument that errors call `what`.
pub(crate) fn column_list_as<'py>(
    what: &str,
    columns: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if columns.extract::<&str>().is_ok() {
        return Err(exception::<PyTypeError>(format!("{what} is a str; pass a list of names")));
    }
    if columns.is_instance_of::<PySet>() || columns.is_instance_of::<PyFrozenSet>() {
        let text = format!("{what} is a set, whose order differs in each process; pass a list of names");
        return Err(exception::<PyTypeError>(text));
    }
    let columns: Vec<Bound<'py, PyAny>> = columns.try_iter()?.collect::<PyResult<_>>()?;
    if columns.iter().any(|column| column.is_instance_of::<PyBool>()) {
        const TEXT: &str = "columns are names or positions, found True or False: `batch.filter(mask)` takes the rows of a mask, and `filter(\"price > 10\")` those of a condition";
        return Err(exception::<PyTypeError>(TEXT));
    }
    Ok(columns)
}

/// Selects columns by name, pattern or position, or by the path of a nested field. A text with dots is a path only if no
/// column has this name.
pub(crate) fn projection(columns: &Bound<'_, PyAny>, schema: &Schema) -> Result<Projection> {
    let columns: Vec<Bound<'_, PyAny>> = relation::without_patterns(columns, schema)?.iter().collect();
    if let Some(positions) = columns.iter().map(number).collect::<PyResult<Option<Vec<i64>>>>()? {
        let n_fields = schema.fields().len();
        let positions = positions.into_iter().map(|position| from_end(position, n_fields)).collect();
        return Ok(Projection::Positions(positions));
    }
    let mut names = Vec::with_capacity(columns.len());
    for column in &columns {
        names.push(column.extract::<String>().map_err(|_| {
            exception::<PyTypeError>(format!(
                "columns are all names or all positions, found {}",
                column.get_type()
            ))
        })?);
    }
    let projection = Projection::names_or_paths(names, schema);
    if let Projection::Paths(paths) = &projection {
        for path in paths {
            schema.path(path).map_err(|error| not_found(&error, schema))?;
        }
    }
    Ok(projection)
}

/// Parses the path of a nested field, such as `address.city`; `None` if a column has this name, or if the key is not
/// a path.
pub(crate) fn path(key: &Bound<'_, PyAny>, schema: &Schema) -> Result<Option<FieldPath>> {
    let Ok(text) = key.extract::<&str>() else { return Ok(None) };
    let is_column = schema.fields().iter().any(|field| field.name() == text);
    if is_column || !text.contains('.') {
        return Ok(None);
    }
    schema.path(text).map(Some).map_err(|error| not_found(&error, schema))
}

/// The error for a name that does not exist, with a hint that lists names.
pub(crate) fn not_found(error: &LookupError, schema: &Schema) -> Failure {
    Python::attach(|py| column_error(py, error, error.to_string(), Some(schema)).into())
}

/// The position of the column with this name, or at this position from the start or end.
pub(crate) fn position(key: &Bound<'_, PyAny>, schema: &Schema) -> Result<usize> {
    let n_fields = schema.fields().len();
    let position = match number(key)? {
        Some(position) => from_end(position, n_fields),
        None => {
            let other_type = |found| format!("a column is a name or a position, found {found}");
            let name = word(key).map_err(|error| {
                let is_other_type = error.is_instance_of::<PyTypeError>(key.py());
                if is_other_type { exception::<PyTypeError>(other_type(key.get_type())) } else { error }
            })?;
            schema.index_of(name).map_err(|error| not_found(&error, schema))?
        }
    };
    if position < n_fields {
        Ok(position)
    } else {
        Err(LookupError::OutOfRange { position, n_fields }.into())
    }
}

/// The key as a position; `None` if it is not a number. A number that is too large is past the end.
pub(crate) fn number(key: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    match key.extract() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(key.py()) => {
            Ok(Some(if key.lt(0)? { i64::MIN } else { i64::MAX }))
        }
        Err(error) if error.is_instance_of::<PyTypeError>(key.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Converts an argument to a position or a signed count. A number that is too large is past the end.
pub(crate) fn saturated(given: &Bound<'_, PyAny>) -> PyResult<i64> {
    match number(given)? {
        Some(number) => Ok(number),
        None => given.extract(),
    }
}

/// Like [`saturated`], or `None`.
pub(crate) fn saturated_or_none(given: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if given.is_none() { Ok(None) } else { saturated(given).map(Some) }
}

/// Converts an argument to a count; `None` if the argument allows it.
///
/// # Errors
/// `ValueError` if the number is negative or too large, as for a wrong word.
pub(crate) fn number_from_0<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyAny>) -> PyResult<T> {
    given.extract().map_err(Into::<PyErr>::into).map_err(|error| {
        let py = given.py();
        if error.is_instance_of::<PyTypeError>(py) {
            return expected(&error, given);
        }
        if error.is_instance_of::<PyValueError>(py) && given.eq(0).unwrap_or(false) {
            return exception::<PyValueError>("expected 1 or more, found 0");
        }
        if !error.is_instance_of::<PyOverflowError>(py) {
            return error;
        }
        match given.lt(0) {
            Ok(true) => {
                let least = i32::from(PyInt::new(py, 0).extract::<T>().is_err());
                exception::<PyValueError>(format!("expected {least} or more, found {given}"))
            }
            _ => exception::<PyValueError>(format!("the number {given} is too large")),
        }
    })
}

/// Converts an argument to a bool; `None` if the argument allows it.
pub(crate) fn flag<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyAny>) -> PyResult<T> {
    number_from_0(given)
}

/// The argument as text.
pub(crate) fn word<'a>(given: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
    given.extract().map_err(|error| expected(&error, given))
}

/// The argument as text, or `None`.
pub(crate) fn word_or_none<'a>(given: &'a Bound<'_, PyAny>) -> PyResult<Option<&'a str>> {
    if given.is_none() { Ok(None) } else { word(given).map(Some) }
}

/// The error for an argument of the wrong type. Names the expected Python type.
fn expected(error: &PyErr, given: &Bound<'_, PyAny>) -> PyErr {
    let text = error.value(given.py()).to_string();
    let found = given.get_type();
    let expected = match text.rsplit_once(" is not an instance of '") {
        Some((_, name)) => name.trim_end_matches('\''),
        None if text.ends_with("cannot be interpreted as an integer") => "int",
        None => return error.clone_ref(given.py()),
    };
    exception::<PyTypeError>(format!("expected {expected}, found {found}"))
}

/// Converts a position, which counts from the end if it is negative. A position that does not exist becomes one past
/// the end.
pub(crate) fn from_end(position: i64, len: usize) -> usize {
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    let position = if position < 0 { position.saturating_add(len) } else { position };
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Converts rows, given as a `slice`, a `range` or a pair of start and stop. Calls `n_rows` only if a slice needs it.
pub(crate) fn rows(
    rows: &Bound<'_, PyAny>,
    n_rows: impl FnOnce() -> Result<u64>,
) -> Result<std::ops::Range<u64>> {
    range("rows", rows, n_rows)
}

/// Like [`rows`], for anything that is counted. Errors call it `what`.
pub(crate) fn range(
    what: &str,
    rows: &Bound<'_, PyAny>,
    len: impl FnOnce() -> Result<u64>,
) -> Result<std::ops::Range<u64>> {
    let (start, stop) = if let Ok(slice) = rows.cast::<PySlice>() {
        let len = isize::try_from(len()?).unwrap_or(isize::MAX);
        let indices = slice.indices(len)?;
        check_step(what, indices.step as i64)?;
        (indices.start as i64, indices.stop.max(indices.start) as i64)
    } else {
        start_and_stop(what, rows)?
    };
    match (u64::try_from(start), u64::try_from(stop)) {
        (Ok(start), Ok(stop)) if start <= stop => Ok(start..stop),
        _ => Err(out_of_bounds(what, start, stop, "use a slice to count from the end").into()),
    }
}

/// Like [`range`], if the total is unknown. Positions cannot count from the end then.
pub(crate) fn range_from_start(what: &str, given: &Bound<'_, PyAny>) -> Result<std::ops::Range<u64>> {
    let (start, stop) = if let Ok(slice) = given.cast::<PySlice>() {
        let part = |name| slice.getattr(name)?.extract::<Option<i64>>();
        check_step(what, part("step")?.unwrap_or(1))?;
        let start = part("start")?.unwrap_or(0);
        let stop = part("stop")?.unwrap_or(i64::MAX);
        if start < 0 || stop < 0 {
            return Err(exception::<PyValueError>(format!(
                "{what} are counted from the start, so negative numbers are not allowed"
            ))
            .into());
        }
        // A slice that ends before it starts is empty in Python.
        (start, stop.max(start))
    } else {
        start_and_stop(what, given)?
    };
    match (u64::try_from(start), u64::try_from(stop)) {
        (Ok(start), Ok(stop)) if start <= stop => Ok(start..stop),
        _ => Err(out_of_bounds(what, start, stop, "they are counted from the start").into()),
    }
}

/// The start and stop of a `range` or a pair.
fn start_and_stop(what: &str, given: &Bound<'_, PyAny>) -> PyResult<(i64, i64)> {
    if let Ok(range) = given.cast::<PyRange>() {
        let part = |name| range.getattr(name)?.extract::<i64>();
        check_step(what, part("step")?)?;
        return Ok((part("start")?, part("stop")?));
    }
    let pair = given.cast::<PyTuple>().map_err(PyErr::from).and_then(|pair| pair.extract());
    pair.map_err(|_| {
        let found = given.get_type();
        exception::<PyTypeError>(format!(
            "{what} is a slice, a range or a tuple of start and stop, found {found}"
        ))
    })
}

fn check_step(what: &str, step: i64) -> PyResult<()> {
    if step == 1 {
        return Ok(());
    }
    Err(exception::<PyValueError>(format!("the step of {what} is {step}; allowed: 1")))
}

fn out_of_bounds(what: &str, start: i64, stop: i64, hint: &str) -> PyErr {
    let hint = if (0..start).contains(&stop) { "the start comes first" } else { hint };
    exception::<PyIndexError>(format!("{what} {start}..{stop} are out of bounds; {hint}"))
}

/// Converts a mapping of texts, or pairs of texts, to metadata. Keys and values may be absent, as in files.
pub(crate) fn metadata(given: &Bound<'_, PyAny>) -> PyResult<Metadata> {
    let pairs = match given.cast::<PyMapping>() {
        Ok(mapping) => mapping.items()?.into_any(),
        Err(_) => given.clone(),
    };
    let mut read = Vec::new();
    // Other exceptions, such as `KeyboardInterrupt`, are passed on.
    let is_own = |error: &PyErr| !error.is_instance_of::<PyTypeError>(given.py());
    let refused = |error| {
        if is_own(&error) {
            return error;
        }
        exception::<PyTypeError>("metadata is a dict of str to str, or pairs of these")
    };
    for pair in pairs.try_iter().map_err(refused)? {
        let (key, value): (Option<String>, Option<String>) = pair?.extract().map_err(refused)?;
        read.push((key.map(Into::into), value.map(Into::into)));
    }
    Ok(Metadata::from_pairs(read))
}

/// The pairs of metadata, in order.
pub(crate) fn pairs(metadata: &Metadata) -> Vec<(Option<&str>, Option<&str>)> {
    metadata.iter().collect()
}
