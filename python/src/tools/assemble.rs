//! `concat_files` and `split_file`: join files or streams, and write parts of a file or stream.

use std::{num::NonZero, path::PathBuf};

use arrow_ipc::{DictionaryMode, WrittenContainer};
use arrow_ipc_tools::{Conversion, ConvertOptions, RowWindow, convert::FileSplit, import::SkipCounter};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyDict, PyInt},
};

use super::{
    arguments::{ChangeArgs, Keywords, PartsArgs},
    change_args::{reshaping, row_window, with_changes},
    convert::{loss_report, write},
    open::open,
    parts,
    watcher::Watcher,
};
use crate::{
    error::{Result, exception},
    options::{self, dictionary_mode},
    sink::{refuse_source, refuse_url},
    source::Input,
};

#[doc = concat!(
    "concat_files(sources, dest, *, union=False, container=None, batch_rows=None, compression=None, dictionaries='replace', rows=None",
    change_arguments!(), ", progress=None)\n--\n"
)]
/// Joins files or streams with the same columns to one, `dest`. Returns a report of what was lost. With `union`, writes the
/// columns of all sources: what a source lacks is null, and types are those that hold the values of all.
///
/// Whole batches are copied without decoding if the rows then stay the same. Their values are not checked. `sources`
/// are as for `open`, and one that is named twice is read twice; `container` is as for `convert`. `dest` must be another file than each of them. Batches are split and joined to `batch_rows` rows. `compression`
/// is the codec of all bodies, or "none". By default, batches keep their codec, and new batches get that of the first
/// batch. `dictionaries` is as for `write_file`, and also applies if the sources have different dictionaries. `rows`
/// counts over all sources. The arguments from `columns` to `trust_statistics` are as for `convert`; `progress` is as
/// for `count`. The output has no statistics in its footer; `notes` of the report say if a source has some, and
/// `convert(source, dest, statistics=True)` writes new ones.
///
/// >>> arrow_ipc.concat_files(["people.arrow", "people.arrows"], "both.arrow").lost
/// []
/// >>> arrow_ipc.open("both.arrow").num_rows
/// 6
#[pyfunction]
#[pyo3(
    signature = (
        sources, dest, *, union = false, container = None, batch_rows = None, compression = None, dictionaries = "replace", rows = None,
        progress = None, **keywords,
    ),
    text_signature = None,
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn concat_files<'py>(
    py: Python<'py>,
    sources: &Bound<'py, PyAny>,
    dest: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = options::flag)] union: bool,
    #[pyo3(from_py_with = options::word_or_none)] container: Option<&str>,
    #[pyo3(from_py_with = options::number_from_0)] batch_rows: Option<u64>,
    #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
    #[pyo3(from_py_with = options::word)] dictionaries: &str,
    rows: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    let options = ConvertOptions::copying(options::container_of(container, dest)?);
    let options = with_form(with_batch_rows(options, batch_rows)?, compression.as_deref(), dictionaries)?;
    let keywords = Keywords::new("concat_files", keywords);
    let options = with_changes(options, &ChangeArgs::take(&keywords)?)?;
    keywords.finish()?;
    let rows = rows.map_or(Ok(RowWindow::ALL), row_window)?;
    let options = ConvertOptions { rows, ..options };
    if sources.extract::<PathBuf>().is_ok() {
        let given = sources.repr()?;
        let text = format!("sources is one path; pass a list: [{given}]");
        return Err(exception::<PyTypeError>(text).into());
    }
    let sources = sources.try_iter()?.map(|source| {
        let source = source?;
        refuse_source(&source, dest)?;
        Input::try_new(&source)
    });
    let sources = sources.collect::<PyResult<Vec<_>>>()?;
    let columns = if union { ColumnsOf::All } else { ColumnsOf::Each };
    assemble(py, (sources, columns), dest, (&options, Watcher::try_new(progress)?))
}

/// The columns that the inputs of a tool have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnsOf {
    /// Each has its own columns.
    Each,
    /// Each has the columns of all.
    All,
}

#[doc = concat!(
    "split_file(source, dest, *, batches=None, rows=None, container=None, batch_rows=None, compression=None, dictionaries='replace'",
    change_arguments!(), parts_arguments!(), ", progress=None)\n--\n"
)]
/// Writes a part of a file or stream, or all rows as several files. Returns a report of what was lost.
///
/// `batches` or `rows` is a slice, a range or a pair of start and stop, counted from 0. The start must exist, unless
/// it is 0 or `where` selects rows; a stop after the last one is allowed. `source` is as for `open`, and the other arguments are as for `concat_files`.
///
/// With `into`, `target_bytes` or `by`, `dest` is a new or empty folder that gets several files, or streams if
/// `container` is "stream". `into` is a number of files with equal numbers of rows. `target_bytes` is the approximate
/// size of each file, measured by the batches of the source. `by` names columns: each of their values gets a file
/// without these columns, in a folder that `dataset` reads, such as day=2026-01-01. `rows` and `where` select rows
/// first. `dataset` infers the types of such columns from the names of folders: "1" and "01" become the same number,
/// unless its `schema` says that the column is text. `max_files` is the maximal number of files. After an error,
/// there are no files.
///
/// >>> arrow_ipc.split_file("people.arrow", "part.arrow", rows=(1, 3)).lost
/// []
/// >>> arrow_ipc.open("part.arrow")["id"].to_pylist()
/// [2, 3]
/// >>> _ = arrow_ipc.split_file("people.arrow", "parts", into=2)
/// >>> arrow_ipc.open("parts/part-0.arrow")["id"].to_pylist(), arrow_ipc.open("parts/part-1.arrow")["id"].to_pylist()
/// ([1], [2, 3])
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
#[pyfunction]
#[pyo3(
    signature = (
        source, dest, *, batches = None, rows = None, container = None, batch_rows = None, compression = None,
        dictionaries = "replace", progress = None, **keywords,
    ),
    text_signature = None,
)]
pub(crate) fn split_file<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    dest: &Bound<'py, PyAny>,
    batches: Option<&Bound<'_, PyAny>>,
    rows: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::word_or_none)] container: Option<&str>,
    #[pyo3(from_py_with = options::number_from_0)] batch_rows: Option<u64>,
    #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
    #[pyo3(from_py_with = options::word)] dictionaries: &str,
    progress: Option<&Bound<'py, PyAny>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    let keywords = Keywords::new("split_file", keywords);
    let changes = ChangeArgs::take(&keywords)?;
    let parts_args = PartsArgs::take(&keywords)?;
    keywords.finish()?;
    if rows.is_some_and(|rows| rows.is_instance_of::<PyInt>()) {
        const TEXT: &str = "rows is a slice, a range or a pair of start and stop: into= and target_bytes= write several files";
        return Err(exception::<PyTypeError>(TEXT).into());
    }
    let others =
        [("batches", batches.is_some()), ("rows", rows.is_some()), ("where", changes.condition.is_some())];
    let by = parts::split_by(&parts_args, &others)?;
    let container = match &by {
        Some(_) => container.map_or(Ok(WrittenContainer::File), options::container)?,
        None => options::container_of(container, dest)?,
    };
    let options = ConvertOptions::copying(container);
    let options = with_form(with_batch_rows(options, batch_rows)?, compression.as_deref(), dictionaries)?;
    let reshaping = reshaping(&changes)?;
    if batches.is_some() && rows.is_some() {
        return Err(exception::<PyValueError>("batches and rows exclude each other").into());
    }
    let batches = batches.map(|batches| options::range_from_start("batches", batches)).transpose()?;
    let rows = rows.map_or(Ok(RowWindow::ALL), row_window)?;
    let options = ConvertOptions { reshaping, batches, rows, ..options };
    let source = Input::try_new(source)?;
    let mut watcher = Watcher::try_new(progress)?;
    let Some(by) = by else {
        return assemble(py, (vec![source], ColumnsOf::Each), dest, (&options, watcher));
    };
    let max_files = parts_args.max_files.unwrap_or(parts::MAX_FILES);
    let split = FileSplit { root: dest.extract()?, by, max_files };
    refuse_url(&split.root)?;
    let losses = py.detach(|| parts::write(source, &split, &options, &mut watcher))?;
    loss_report(py, losses, watcher)
}

fn with_batch_rows(options: ConvertOptions, batch_rows: Option<u64>) -> PyResult<ConvertOptions> {
    match batch_rows {
        None => Ok(options),
        Some(n_rows) => match NonZero::new(n_rows) {
            Some(n_rows) => Ok(ConvertOptions { n_batch_rows: Some(n_rows), ..options }),
            None => Err(exception::<PyValueError>("batch_rows is 0; allowed: 1 and more")),
        },
    }
}

/// Leaves batches as they are, unless an argument changes them.
fn with_form(
    options: ConvertOptions,
    compression: Option<&str>,
    dictionaries: &str,
) -> PyResult<ConvertOptions> {
    let compressed = |text| options::with_named(options::write_options(), "compression", text);
    let writing = compression.map(compressed).transpose()?;
    let options = ConvertOptions { writing, ..options };
    Ok(match dictionary_mode(dictionaries)? {
        DictionaryMode::Replace => options,
        DictionaryMode::Unify => ConvertOptions { unifies_dictionaries: true, ..options },
        dictionaries => ConvertOptions { dictionaries: Some(dictionaries.policy()), ..options },
    })
}

fn assemble<'py>(
    py: Python<'py>,
    (sources, columns): (Vec<Input>, ColumnsOf),
    dest: &Bound<'py, PyAny>,
    (options, mut watcher): (&ConvertOptions, Watcher),
) -> Result<Bound<'py, PyAny>> {
    let opened = py.detach(|| {
        let inputs = sources.into_iter().map(open).collect::<Result<Vec<_>>>()?;
        let inputs = match columns {
            ColumnsOf::Each => inputs,
            ColumnsOf::All => arrow_ipc_tools::Input::union(inputs)?.1,
        };
        let opened = Conversion::open(inputs, options, &mut watcher);
        watcher.or(opened)
    })?;
    write(py, opened, dest, watcher, &SkipCounter::default())
}
