//! `convert`: rewrites a file, stream or text as a file or stream.

use std::num::NonZero;

use arrow_ipc::{DictionaryMode, Framing, SharedBuffers};
use arrow_ipc_tools::{Conversion, ConvertOptions, InputName, Loss, RowWindow, import::SkipCounter};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};

use super::{
    arguments::{ChangeArgs, Keywords, TextArgs},
    change_args::{row_window, with_changes},
    open::{GivenText, OpenInput, open_any},
    report,
    watcher::Watcher,
};
use crate::{
    error::{Failure, Result, exception},
    options,
    sink::Sink,
    source::Input,
    write::WriteRequest,
};

#[doc = concat!(
    "convert(source, dest, *, container=None, compression=None, dictionaries='replace', unused='bounded', null_slots='keep'", change_arguments!(),
    ", rows=None, batch_rows=None, unchecked=False, from_=None, schema=None", text_arguments!(),
    ", row_counts='none', alignment=64, endianness=None, metadata_version=5, legacy_framing=False, share_buffers=False, \
     statistics=False, same_metadata=False, threads=None, progress=None)\n--\n"
)]
/// Rewrites a file or streams as a file or stream, or writes the rows of CSV or JSON lines to a file or stream. The
/// output has the same rows, batches and dictionary ids, and all metadata that it supports. Returns a report whose
/// `loss_report` lists, as texts, what was lost.
///
/// `source` is as for `open`, and may be compressed with gzip, Zstandard or LZ4. `container` is "file" or "stream". By
/// default, the name of `dest` decides: .arrows is a stream; .arrow, .feather and .ipc are files. `compression`,
/// `dictionaries`, `unused` and `null_slots` are as for `write_file` and `write_stream`. `dest` may be the path of `source`,
/// because a file gets its name when it is complete.
///
/// `columns` are the columns to write, in this order: names, paths of nested fields, or patterns with `*`. A field
/// becomes a column, whose name is the path. `cast` has new types of columns: `{"id": "int32"}`; "dictionary" keeps the
/// type of the values. A value that does not fit is an error; with `lossy`, digits that do not fit are removed. Fields
/// of structs are matched by name. If names differ, fields are renamed in order, unless a name is at another position.
/// `columns`, `where` and `cast` take the names of the source. `rename` maps names of selected columns
/// to new names. `max_cast_bytes` is the memory limit for casts. `rows` is a slice, a range or a pair of start and
/// stop, counted from 0, without negative numbers; a stop after the last row is allowed. `batch_rows` is the number of rows of each batch. `where` is a condition on rows, in the
/// notation of the program: `"id > 1 and name like 'a%'"`; `rows` then selects from the rows that match, and may
/// begin after them; without `where`, its start must exist. With `trust_statistics`, a batch is skipped if the statistics
/// in the footer say that no row matches. If they are wrong, rows are missing; `validate` checks them. With `statistics`, the output gets
/// such statistics and row counts, as for `write_file`. The output has none without it, also if the source has some, and if they would be more
/// than 2 % of the file; the `notes` of the report say so. With `unchecked`, values that need not be
/// decoded are not checked.
///
/// The following arguments are for text. `from_` is "csv" or "jsonl"; by default, the first line decides. `schema` is
/// the schema of the rows; by default it is inferred from the first `infer_rows` rows, which may be "all" (default:
/// the rows in the first 8 MiB). `types` sets the types of some columns, and a line with one of their names is the header of CSV.
/// `delimiter`, `header` and `no_header` describe CSV. `null` is a text, or several texts, that are read as null,
/// besides an empty cell. By default, these are NA, N/A, n/a, #N/A, NULL, null, None and \N in columns that are not
/// text. The first `skip` lines and lines that begin with `comment` are ignored. `ragged` says what to do with rows
/// that have more or fewer cells than there are columns: "error", "pad" or "skip"; an empty cell at the end of all rows
/// is left out in any case. `decimal` and `thousands` are the marks of numbers. `dates` is "dmy", "mdy" or "ymd" for
/// dates such as 31/12/2024, alone or with a time such as 17:07 or 5:07 PM. `quote` is the character around quoted
/// cells; with '', quotes are ordinary text. `encoding` is "utf-8", "utf-16le", "utf-16be", "latin1" or "windows-1252".
/// `max_null_bytes` is the memory limit for nulls. A warning lists the properties that were detected in the first
/// lines.
///
/// `row_counts` is "none" or "written", as for `plan`. `alignment` is the alignment of bodies and large
/// buffers. `endianness` is "little" or "big", by default the byte order of the machine. `metadata_version=4` and
/// `legacy_framing=True` are for old readers. `same_metadata` is as for `write_file`. With `share_buffers`, a buffer that several columns share is written once.
/// `threads` is the number of threads that read text. `progress` is as for `count`.
///
/// >>> arrow_ipc.convert("people.arrow", "copy.arrows", compression="zstd").lost
/// []
/// >>> _ = arrow_ipc.convert(b"id;name\n1;ada\n", "few.arrow", cast={"id": "int8"}, rename={"name": "who"})
/// >>> arrow_ipc.open("few.arrow").to_pylist(), arrow_ipc.open("few.arrow").schema["id"].type
/// ([{'id': 1, 'who': 'ada'}], 'int8')
/// >>> arrow_ipc.convert("people.arrow", "some.arrow", where="id in (1, 3)").lost, arrow_ipc.open("some.arrow")["id"].to_pylist()
/// ([], [1, 3])
#[pyfunction]
#[pyo3(
    signature = (
        source, dest, *, container = None, compression = None, dictionaries = "replace", unused = "bounded", null_slots = "keep", rows = None, batch_rows = None,
        unchecked = false, from_ = None, schema = None, row_counts = "none", alignment = 64, endianness = None, metadata_version = 5,
        legacy_framing = false, share_buffers = false, statistics = false, same_metadata = false, threads = None, progress = None, **keywords,
    ),
    text_signature = None,
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    dest: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = options::word_or_none)] container: Option<&str>,
    #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
    #[pyo3(from_py_with = options::word)] dictionaries: &str,
    #[pyo3(from_py_with = options::word)] unused: &str,
    #[pyo3(from_py_with = options::word)] null_slots: &str,
    rows: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = options::number_from_0)] batch_rows: Option<u64>,
    #[pyo3(from_py_with = options::flag)] unchecked: bool,
    #[pyo3(from_py_with = options::word_or_none)] from_: Option<&str>,
    schema: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = options::word)] row_counts: &str,
    #[pyo3(from_py_with = options::number_from_0)] alignment: usize,
    #[pyo3(from_py_with = options::word_or_none)] endianness: Option<&str>,
    metadata_version: u32,
    #[pyo3(from_py_with = options::flag)] legacy_framing: bool,
    #[pyo3(from_py_with = options::flag)] share_buffers: bool,
    #[pyo3(from_py_with = options::flag)] statistics: bool,
    #[pyo3(from_py_with = options::flag)] same_metadata: bool,
    #[pyo3(from_py_with = options::number_from_0)] threads: Option<NonZero<usize>>,
    progress: Option<&Bound<'py, PyAny>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    let wanted =
        WriteRequest::parse(compression.as_deref(), dictionaries)?.with_unused(unused, null_slots)?;
    let mut writing = options::with_named(wanted.options, "row_counts", row_counts)?
        .with_alignment(alignment)
        .with_version(options::metadata_version(metadata_version)?)
        .with_framing(if legacy_framing { Framing::Legacy } else { Framing::Current })
        .with_shared_buffers(if share_buffers { SharedBuffers::Once } else { SharedBuffers::Repeated });
    if let Some(endianness) = endianness {
        writing = options::with_named(writing, "endianness", endianness)?;
    }
    let writing = options::with_metadata_of_footer(writing, same_metadata, statistics)?;
    let container = options::container_of(container, dest)?;
    let zero = || exception::<PyValueError>("batch_rows is 0; allowed: 1 and more");
    let options = ConvertOptions {
        writing: Some(writing),
        unifies_dictionaries: wanted.dictionaries == DictionaryMode::Unify,
        writes_statistics: statistics,
        checks_values: !unchecked,
        rows: rows.map_or(Ok(RowWindow::ALL), row_window)?,
        n_batch_rows: batch_rows.map(|n_rows| NonZero::new(n_rows).ok_or_else(zero)).transpose()?,
        ..ConvertOptions::new(container)
    };
    let keywords = Keywords::new("convert", keywords);
    let options = with_changes(options, &ChangeArgs::take(&keywords)?)?;
    let args = TextArgs::take(&keywords)?;
    keywords.finish()?;
    let is_of_text = from_.is_some() || schema.is_some() || args.is_given();
    let text = GivenText::new(from_, schema, args)?;
    let source = Input::try_new(source)?;
    let mut watcher = Watcher::try_new(progress)?;
    let (input, skipped) = match py.detach(|| open_any(source, &text))? {
        OpenInput::Arrow(_) if is_of_text => {
            let text = "from_ to max_null_bytes, among them schema, delimiter and null, are for text, but the source is Arrow data";
            return Err(exception::<PyValueError>(text).into());
        }
        OpenInput::Arrow(input) => (input, SkipCounter::default()),
        OpenInput::Text(import) => {
            let import = import.with_n_threads(options::n_threads(threads));
            let skipped = import.skipped();
            (import.into_input().with_limits(options::limits()), skipped)
        }
    };
    let opened = py.detach(|| {
        let opened = Conversion::open(vec![input], &options, &mut watcher);
        watcher.or(opened)
    })?;
    write(py, opened, dest, watcher, &skipped)
}

pub(super) fn texts_of(losses: &[(InputName, Loss)]) -> impl Iterator<Item = String> {
    losses.iter().map(|(name, loss)| format!("{name}: {loss}"))
}

/// Writes the rows of an opened input, after opening the destination.
pub(super) fn write<'py>(
    py: Python<'py>,
    opened: Conversion,
    dest: &Bound<'py, PyAny>,
    mut watcher: Watcher,
    skipped: &SkipCounter,
) -> Result<Bound<'py, PyAny>> {
    let sink = Sink::try_new(dest)?;
    let losses = py.detach(|| {
        let written = opened.write_to(sink, &mut watcher);
        let (sink, losses) = watcher.or(written).map_err(Failure::with_unify_hint)?;
        sink.finish()?;
        let skipped = skipped.rows();
        let lost_rows = (skipped.n_rows() > 0).then(|| skipped.to_string());
        Result::Ok(lost_rows.into_iter().chain(texts_of(&losses)).collect())
    })?;
    loss_report(py, losses, watcher)
}

pub(super) fn loss_report(py: Python<'_>, losses: Vec<String>, watcher: Watcher) -> Result<Bound<'_, PyAny>> {
    let said = PyDict::new(py);
    let text = losses.join("\n");
    said.set_item("lost", losses)?;
    said.set_item("notes", watcher.notes)?;
    report("ConvertReport", said, text)
}
