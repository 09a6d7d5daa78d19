//! `append`: appends batches to a file.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_ipc::{Compression, DictionaryPolicy, ReadOptions};
use arrow_ipc_report::statistics_note;
use arrow_ipc_tools::{
    InputName, Reshaping, RowWindow, ToolError, ToolErrorKind,
    append::{AppendReport, AppendTarget, append_in_place},
};
use arrow_schema::{Field, Metadata};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};

use super::{
    arguments::{ChangeArgs, Keywords},
    change_args::{reshaping, row_window},
    open::open,
    recover::copy_report,
    report,
    watcher::Watcher,
};
use crate::{
    data::Batches,
    error::{Failure, Result, exception},
    file::Reader,
    options::{self, unknown},
    sink::refuse_url,
    source::{Input, refuse_fifo},
};

#[doc = concat!(
    "append(path, data, *, compression=None, dictionaries='refuse', alignment=64, rows=None", change_arguments!(),
    ", progress=None)\n--\n"
)]
/// Appends rows to the file at `path`, in place. After an error, the file is unchanged. If the process is killed, the
/// file still ends with a complete footer. While another process or thread appends, raises an error of kind `Locked`;
/// try again later.
///
/// `data` is a file or streams, as for `open`, or Arrow data, as for `write_file`. Its columns must be those of the
/// file. If the footer has row counts and statistics, those of the new batches are added. `compression` is the codec
/// of new bodies, by default that of the file's last batch; "none" compresses nothing. `dictionaries` says what to do
/// with batches whose dictionaries differ from those of the file. "refuse", the default, raises an error. "delta"
/// appends new values to the dictionaries of the file; not all readers of files support this.
///
/// For a file or streams, `rows`, and the arguments from `columns` to `trust_statistics`, are as for `convert`.
/// `alignment` is the alignment of new bodies. `progress` is as for `count`.
///
/// Returns a report: `n_batches` and `n_rows` count the appended batches and rows; `lost` lists, as texts, what was
/// lost from a file or streams.
///
/// >>> arrow_ipc.append("people.arrow", "people.arrows")
/// <arrow_ipc.CopyReport>
/// appended: 3 rows in 1 batch
#[pyfunction]
#[pyo3(
    signature = (
        path, data, *, compression = None, dictionaries = "refuse", alignment = 64, rows = None, progress = None, **keywords,
    ),
    text_signature = None,
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn append<'py>(
    py: Python<'py>,
    path: PathBuf,
    data: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
    #[pyo3(from_py_with = options::word)] dictionaries: &str,
    #[pyo3(from_py_with = options::number_from_0)] alignment: usize,
    rows: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    refuse_url(&path)?;
    refuse_fifo(&path, "rows are appended to files")?;
    let policy = match dictionaries {
        "refuse" => DictionaryPolicy::Replace,
        "delta" => DictionaryPolicy::Delta,
        other => return Err(unknown("dictionaries", other, "'refuse' or 'delta'").into()),
    };
    let writing = options::write_options().with_dictionaries(policy).with_alignment(alignment);
    let writing = match compression {
        Some(compression) => options::with_named(writing, "compression", &compression)?,
        None => {
            let codec = py.detach(|| AppendTarget::last_batch_codec(&path));
            writing.with_compression(codec.map(Compression::with_codec))
        }
    };
    let keywords = Keywords::new("append", keywords);
    let args = ChangeArgs::take(&keywords)?;
    keywords.finish()?;
    let changes = Changes {
        reshaping: reshaping(&args)?,
        rows: rows.map(row_window).transpose()?,
        watcher: Watcher::try_new(progress)?,
    };
    let more = AppendSource::try_new(data, &path)?;
    if matches!(more, AppendSource::Data(_)) && (changes.reshaping.is_some() || changes.rows.is_some()) {
        let text = "rows and columns are chosen of a file or of streams: of Arrow data, choose them before";
        return Err(exception::<PyValueError>(text).into());
    }
    let is_source = matches!(more, AppendSource::Source(_));
    let is_index = |field: &Field| field.name().starts_with("__index_level_");
    let has_index = matches!(&more, AppendSource::Data(data) if data.schema.fields().iter().any(is_index));
    let appended = py.detach(|| append_in_place(&path, writing, |to| more.append_to(to, changes)));
    let (mut appended, lost) = appended.map_err(|failure| {
        let failure = with_path(&path, failure).with_dictionary_hint(HINT).with_format_of(&path);
        let failure = if is_source { failure.with_columns_hint() } else { failure };
        let failure = if has_index {
            failure.with_hint(
                "`frame.reset_index(drop=True)` has no index, which is the column __index_level_0__",
            )
        } else {
            failure
        };
        if path.exists() {
            failure
        } else {
            failure.with_hint("write_file makes a file, and append adds to it")
        }
    })?;
    appended.lost.extend(lost.map(|lost| statistics_note(lost).to_owned()));
    let (said, text) = copy_report(py, "appended", (appended.n_batches, appended.n_rows), appended.lost)?;
    report("CopyReport", said, text)
}

/// How rows and columns change before they are appended.
struct Changes {
    reshaping: Option<Reshaping>,
    rows: Option<RowWindow>,
    watcher: Watcher,
}

/// A hint for values that the dictionaries of the file lack.
const HINT: &str = "dictionaries=\"delta\" uses the values of the file, and appends new ones";

/// The data to append.
enum AppendSource {
    Source(Input),
    Data(Batches),
}

struct AppendCounts {
    n_batches: u64,
    n_rows: u64,
    lost: Vec<String>,
}

impl AppendSource {
    fn try_new(data: &Bound<'_, PyAny>, path: &Path) -> Result<AppendSource> {
        match Input::try_new(data) {
            Ok(input) => Ok(AppendSource::Source(input)),
            // An object that is not a source of bytes must be Arrow data.
            Err(error) if error.is_instance_of::<PyTypeError>(data.py()) => {
                // If the file is invalid, appending to it returns the error.
                let source = Input::Path(path.to_owned()).into_source();
                let file = source.and_then(|file| {
                    Reader::try_new_with(file, ReadOptions::new().with_limits(options::limits()))
                });
                let schema = file.ok().map(|file| Arc::clone(file.schema()));
                Ok(AppendSource::Data(Batches::with_schema(data, schema.as_ref())?))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn append_to(self, to: &mut AppendTarget<'_>, changes: Changes) -> Result<AppendCounts> {
        let Changes { reshaping, rows, mut watcher } = changes;
        match self {
            AppendSource::Source(input) => {
                let mut window = rows.unwrap_or(RowWindow::new(0, None));
                let input = open(input)?;
                let name: InputName = input.name().clone();
                let reshaping = reshaping.as_ref();
                let report = to.append_input(input, reshaping, &mut window, &mut watcher);
                let report = watcher.or(report)?;
                window.check_start(&name)?;
                Ok(AppendCounts::from(&report))
            }
            AppendSource::Data(data) => {
                let failed = |error| ToolError::new("the data", ToolErrorKind::Output(error));
                to.check_columns(&data.schema).map_err(failed)?;
                for batch in data.batches {
                    let batch = batch?;
                    to.append(&batch, &Metadata::new()).map_err(failed)?;
                    Python::attach(|py| py.check_signals())?;
                }
                Ok(AppendCounts::from(&to.report()))
            }
        }
    }
}

impl From<&AppendReport> for AppendCounts {
    fn from(report: &AppendReport) -> AppendCounts {
        let lost = report.losses.iter().map(ToString::to_string).collect();
        AppendCounts { n_batches: report.n_batches, n_rows: report.n_rows, lost }
    }
}

/// Converts an error of the file to which rows are appended, so that it names this file, and not the source.
fn with_path(path: &Path, failure: Failure) -> Failure {
    match failure {
        Failure::Tool(error) if matches!(error.kind(), ToolErrorKind::Output(_)) => {
            ToolError::new(path, error.into_kind()).into()
        }
        failure => failure,
    }
}
