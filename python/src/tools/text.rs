//! CSV and JSON lines: reads rows of text as a stream, and writes batches as text.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::ArrayError;
use arrow_data::RecordBatch;
use arrow_ipc_tools::{Import, ToolError, ToolErrorKind, compressed::Compressor};
use arrow_schema::Metadata;
use arrow_select::concat_batches;
use arrow_text::format::Counted;
use arrow_text::{CsvOptions, CsvWriter, JsonWriter, RowErrorKind};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{IntoPyDict, PyDict, PyList, PyTuple},
};

use super::{
    arguments::{InferRowsArg, Keywords, TextArgs},
    open::{GivenText, OpenInput, again, open_any, separator, warn_skipped},
};
use crate::{
    calls,
    data::Batches,
    error::{Failure, Result, exception, warn},
    forks::refuse_after_fork,
    hints::{TypeOrigin, hint_of_value},
    options,
    sink::Sink,
    source::Input,
    stream::Stream,
};

/// Quotes a name as in the text of schemas, or in a path.
#[pyfunction]
#[pyo3(signature = (name, *, in_path = false))]
pub(crate) fn _quoted(name: &str, in_path: bool) -> String {
    if in_path {
        return arrow_schema::FieldPath::root().child(0, name).to_string();
    }
    arrow_schema::QuotedName(name).to_string()
}

#[doc = concat!("read_csv(source, *, schema=None", text_arguments!(), ", threads=None)\n--\n")]
/// Reads CSV, and returns a stream of its rows. Other threads read ahead.
///
/// `source` is a path, bytes or a file-like object, and may be compressed with gzip, Zstandard or LZ4. The texts of a
/// list, or of a pattern such as "log-*.csv", are read in sequence, and one that is named twice is read twice. The first one that has rows determines the
/// columns and types of all; `infer_rows` counts its rows. The others have the same columns in any order; `dataset` of
/// Arrow files reads files of different columns. Items of a list are not patterns. The other arguments are
/// as for `convert`.
///
/// >>> arrow_ipc.read_csv(b"id,name\n1,ada\n2,\n").schema
/// Schema("id: int64\nname: utf8")
#[pyfunction]
#[pyo3(signature = (source, *, schema = None, threads = None, **keywords), text_signature = None)]
pub(crate) fn read_csv<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    schema: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = options::number_from_0)] threads: Option<NonZero<usize>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Stream> {
    let keywords = Keywords::new("read_csv", keywords);
    let text = GivenText::new(Some("csv"), schema, TextArgs::take(&keywords)?)?;
    keywords.finish()?;
    read(py, source, text, threads)
}

/// Reads JSON lines, with one object on each line, and returns a stream of the rows. Other threads read ahead. The
/// arguments are as for `read_csv`.
///
/// >>> rows = arrow_ipc.read_json(b'{"id": 1, "tags": ["a"]}\n{"id": 2}\n')
/// >>> next(rows).to_pylist()
/// [{'id': 1, 'tags': ['a']}, {'id': 2, 'tags': None}]
#[pyfunction]
#[pyo3(
    signature = (source, *, schema = None, infer_rows = None, types = None, max_null_bytes = None, encoding = None, threads = None, **keywords),
    text_signature = "(source, *, schema=None, infer_rows=None, types=None, max_null_bytes=None, encoding=None, threads=None)"
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn read_json<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    schema: Option<&Bound<'py, PyAny>>,
    infer_rows: Option<InferRowsArg>,
    types: Option<Bound<'py, PyAny>>,
    #[pyo3(from_py_with = options::number_from_0)] max_null_bytes: Option<u64>,
    encoding: Option<String>,
    #[pyo3(from_py_with = options::number_from_0)] threads: Option<NonZero<usize>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Stream> {
    Keywords::new("read_json", keywords).finish()?;
    let args = TextArgs { infer_rows, types, max_null_bytes, encoding, ..TextArgs::default() };
    read(py, source, GivenText::new(Some("jsonl"), schema, args)?, threads)
}

fn read(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    text: GivenText,
    threads: Option<NonZero<usize>>,
) -> Result<Stream> {
    let sources = sources_of(source)?.into_iter().map(Input::at_current_position);
    let mut sources = sources.collect::<io::Result<Vec<_>>>()?.into_iter();
    py.detach(|| {
        let opened = move |source: Input, text: &GivenText| {
            let name =
                if let Input::Path(path) = &source { format!("{}: ", path.display()) } else { String::new() };
            match open_any(source, text)? {
                OpenInput::Text(import) => Ok((name, import.with_n_threads(options::n_threads(threads)))),
                OpenInput::Arrow(_) => {
                    let text = format!("{name}this is Arrow data: open and read_stream read it");
                    Err(Failure::from(crate::error::misuse("NotText", text)))
                }
            }
        };
        // The first text with rows determines the columns, or else the first one with names. Texts that only have names are
        // read last: their columns have the types of the others.
        let quiet = text.without_notes();
        let is_list = sources.len() > 1;
        let mut only_names = VecDeque::new();
        let mut empty = None;
        let first = loop {
            Python::attach(|py| py.check_signals())?;
            let Some(source) = sources.next() else {
                if let Some(source) = only_names.pop_front() {
                    break opened(source, &quiet)?;
                }
                let none = || exception::<PyValueError>("there are no files to read: the list is empty").into();
                return Err(empty.unwrap_or_else(none));
            };
            let may_wait = is_list && text.schema.is_none() && is_short(&source);
            let source_again = if may_wait { again(&source)? } else { None };
            match (opened(source, &text), source_again) {
                (Err(Failure::Tool(error)), _) if is_empty(&error) => empty = Some(Failure::Tool(error)),
                (Ok((_, import)), Some(source)) => match import.into_batches().next() {
                    None => only_names.push_back(source),
                    Some(_) => break opened(source, &quiet)?,
                },
                (first, _) => break first?,
            }
        };
        let schema = Arc::clone(first.1.schema());
        let hint = (is_list && text.schema.is_none()).then(|| {
            let of = first.0.strip_suffix(": ").unwrap_or("the first text with rows");
            format!(
                "the columns of all are those of {of}; if files may have other columns, `convert` each of them to an Arrow file: \
                 dataset([...]) of these reads all columns, with nulls where a file lacks one"
            )
        });
        let text = text.with_schema(&schema);
        let quiet = quiet.with_schema(&schema);
        let rest = sources.map(move |source| opened(source, &text));
        let without_rows = only_names.into_iter().map(move |source| opened(source, &quiet));
        let texts = std::iter::once(Ok(first)).chain(rest).chain(without_rows);
        let origins = std::iter::once(TypeOrigin::MayBeInferred).chain(std::iter::repeat(TypeOrigin::OfFirstText));
        let mut batches = texts.zip(origins).flat_map(move |(text, origin)| rows_of(text, hint.clone(), origin));
        let mut has_failed = false;
        let batches = std::iter::from_fn(move || {
            let batch = if has_failed { None } else { batches.next() };
            has_failed |= matches!(batch, Some(Err(_)));
            batch
        });
        Ok(Stream::new(Batches { schema, batches: refuse_after_fork(Box::new(batches)), second_pass: None }, Metadata::new()))
    })
}

/// The texts to read in sequence: a single text, the texts of a list, or the files of a pattern, sorted by name.
fn sources_of(source: &Bound<'_, PyAny>) -> PyResult<Vec<Input>> {
    if source.is_instance_of::<PyList>() || source.is_instance_of::<PyTuple>() {
        return source.try_iter()?.map(|source| Input::try_new(&source?)).collect();
    }
    let input = Input::try_new(source)?;
    if let Input::Path(path) = &input
        && path.to_string_lossy().contains(['*', '?', '['])
        && !path.exists()
    {
        let pattern = path.as_os_str();
        let in_all_folders = [("recursive", true)].into_py_dict(source.py())?;
        let found =
            calls::import(source.py(), "glob")?.call_method("glob", (pattern,), Some(&in_all_folders))?;
        let mut found: Vec<PathBuf> = found.extract()?;
        found.retain(|path| !path.is_dir());
        found.sort();
        if !found.is_empty() {
            return Ok(found.into_iter().map(Input::Path).collect());
        }
    }
    Ok(vec![input])
}

/// Whether the source has so few bytes that reading it twice takes no time.
fn is_short(source: &Input) -> bool {
    const MAX_BYTES: u64 = 64 << 10;
    match source {
        Input::Path(path) => path.metadata().is_ok_and(|found| found.len() < MAX_BYTES),
        Input::Memory(bytes) => (bytes.len() as u64) < MAX_BYTES,
        Input::FileLike(_) | Input::Ranges(_) => false,
    }
}

fn is_empty(error: &ToolError) -> bool {
    matches!(error.kind(), ToolErrorKind::Empty)
}

/// Reads the rows of a text, and warns of skipped rows at the end. `text` has the name of the file with a colon, or
/// an empty name. `hint` is for texts of a list with other columns; `None` if there is no list, or a schema is given.
fn rows_of(
    text: Result<(String, Import)>,
    hint: Option<String>,
    origin: TypeOrigin,
) -> Box<dyn Iterator<Item = Result<RecordBatch>> + Send> {
    let (name, import) = match text {
        Ok(text) => text,
        Err(failure) => return Box::new(std::iter::once(Err(failure))),
    };
    let skipped = import.skipped();
    let warning = std::iter::once_with(move || warn_skipped(&name, &skipped).err());
    let failed = move |error: ToolError| {
        let better = match (error.kind(), &hint) {
            (ToolErrorKind::Row(row), Some(hint)) => match row.kind() {
                RowErrorKind::OtherNames { .. } => Some(hint.clone()),
                RowErrorKind::UnknownName { .. } if origin == TypeOrigin::OfFirstText => Some(hint.clone()),
                _ => hint_of_value(row, origin),
            },
            _ => None,
        };
        match better {
            Some(hint) => Failure::from(error).with_hint(&hint),
            None => error.into(),
        }
    };
    let batches = import.into_batches().map(move |batch| batch.map_err(&failed));
    Box::new(batches.chain(warning.flatten().map(|error| Err(error.into()))))
}

/// Writes rows as CSV: a line of names, and a line for each row. A null is an empty cell, and an empty text is "". In
/// a single column, a null is also "", because readers skip empty lines. If this column is text, such nulls are read
/// back as empty text; a warning says so.
///
/// `dest` and `data` are as for `write_file`. `delimiter` is the character between cells; `no_header` leaves out the
/// line of names. If a path ends with .gz or .zst, the text is compressed. With
/// `escape_formulas`, text that a spreadsheet would execute gets an apostrophe. `decimal` is the decimal mark of numbers: `delimiter=";"` and `decimal=","` write
/// CSV for Excel in most of Europe.
///
/// >>> arrow_ipc.write_csv("people.csv", arrow_ipc.open("people.arrow"))
/// >>> from pathlib import Path
/// >>> Path("people.csv").read_text()
/// 'id,name\n1,ada\n2,\n3,grace\n'
#[pyfunction]
#[pyo3(
    signature = (dest, data, *, delimiter = ",", no_header = false, escape_formulas = false, decimal = '.', **keywords),
    text_signature = "(dest, data, *, delimiter=',', no_header=False, escape_formulas=False, decimal='.')"
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn write_csv(
    py: Python<'_>,
    dest: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = options::word)] delimiter: &str,
    #[pyo3(from_py_with = options::flag)] no_header: bool,
    #[pyo3(from_py_with = options::flag)] escape_formulas: bool,
    decimal: char,
    keywords: Option<Bound<'_, PyDict>>,
) -> Result<()> {
    Keywords::new("write_csv", keywords).finish()?;
    let options: CsvOptions = separator(delimiter)?;
    let options = if no_header { options.without_header() } else { options };
    let marked = options.with_number_marks(decimal, None);
    let options = marked.map_err(|error| exception::<PyValueError>(error.to_string()))?;
    let options = if escape_formulas { options.with_escaped_formulas() } else { options };
    let mut writer = CsvWriter::new_with(options);
    let mut n_like_empty = 0_u64;
    let mut n_empty_lines = 0_u64;
    write(py, dest, data, |batch, out| {
        let rows = writer.rows(batch)?;
        n_like_empty = n_like_empty.saturating_add(rows.n_like_empty());
        n_empty_lines = n_empty_lines.saturating_add(rows.n_empty_lines());
        Ok(rows.write_to(out))
    })?;
    if n_like_empty > 0 {
        let nulls = Counted(n_like_empty, "null");
        warn(&format!(
            "{nulls} written as \"\", like empty text: the CSV has a single column; write_json keeps nulls"
        ))?;
    }
    if n_empty_lines > 0 {
        let rows = Counted(n_empty_lines, "row");
        warn(&format!(
            "{rows} without columns written as blank lines, which readers of CSV skip; write_json keeps rows"
        ))?;
    }
    Ok(())
}

/// Writes rows as lossless JSON lines, one object on each line. If column names repeat, a row is a list of pairs,
/// which `read_json` can read with a `schema`. `dest` and `data` are as for `write_csv`.
///
/// >>> arrow_ipc.write_json("people.jsonl", arrow_ipc.open("people.arrow")[:1])
/// >>> from pathlib import Path
/// >>> Path("people.jsonl").read_text()
/// '{"id":1,"name":"ada"}\n'
#[pyfunction]
#[pyo3(signature = (dest, data, **keywords), text_signature = "(dest, data)")]
pub(crate) fn write_json(
    py: Python<'_>,
    dest: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    keywords: Option<Bound<'_, PyDict>>,
) -> Result<()> {
    Keywords::new("write_json", keywords).finish()?;
    let mut writer = JsonWriter::new();
    write(py, dest, data, move |batch, out| writer.rows(batch).map(|rows| rows.write_to(out)))
}

/// Writes each batch as text, which `rows` formats.
fn write(
    py: Python<'_>,
    dest: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    mut rows: impl FnMut(
        &RecordBatch,
        &mut Compressor<BufWriter<Sink>>,
    ) -> std::result::Result<std::io::Result<()>, ArrayError>
    + Send,
) -> Result<()> {
    // Opens the data first: if this fails, the destination is unchanged.
    let data = Batches::try_new(data)?;
    let mut out = Sink::create_text(dest)?;
    py.detach(|| {
        let mut none = Some(concat_batches(Arc::clone(&data.schema), &[])?);
        for batch in data.batches {
            Python::attach(|py| py.check_signals())?;
            rows(&batch?, &mut out)??;
            none = None;
        }
        // Without batches, writes only the line of names.
        if let Some(none) = none {
            rows(&none, &mut out)??;
        }
        let mut sink = out.finish()?.into_inner().map_err(|error| error.into_error())?;
        sink.flush()?;
        Ok(sink.finish()?)
    })
}
