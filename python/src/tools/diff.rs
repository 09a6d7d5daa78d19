//! `diff`: compares two files or streams.

use std::ops::ControlFlow;

use arrow_ipc_report::{DiffSummaryText, DifferenceText};
use arrow_ipc_tools::{
    ColumnNames, DiffOptions, DiffSink, Difference, Note, Observer, Progress, RowWindow,
    diff::{Comparison, MetadataScope},
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyList, PyString},
};

use super::{
    arguments::{Keywords, TextArgs},
    change_args::{column_names_of, row_query, row_window},
    open::{GivenText, note_skipped, open_rows},
    report,
    watcher::Watcher,
};
use crate::{
    error::{Result, exception, variant_name},
    options,
    source::Input,
};

fn tolerance_of(given: Option<f64>) -> Result<Option<f64>> {
    if given.is_some_and(|tolerance| !tolerance.is_finite() || tolerance < 0.0) {
        return Err(exception::<PyValueError>("tolerance: expected a number that is not negative").into());
    }
    Ok(given)
}

#[doc = concat!(
    "diff(a, b, *, columns=None, key=None, ignore_metadata=False, tolerance=None, max_rows=10, count_all=False, rows=None, where=None, trust_statistics=False, \
     from_=None", text_arguments!(), ", progress=None)\n--\n"
)]
/// Compares the schema, metadata and rows of two files or streams. Encoding, compression and batch boundaries may
/// differ.
///
/// `a` and `b` are as the source of `count`. `columns` selects columns, and nested fields by their paths. `key` is a
/// column, or a list of columns: rows with equal values in them are paired, in any order. No two rows of a side may
/// have the same key. Without `key`, rows are compared in their order; rows that only one side has are found if the rows
/// around them are equal. Columns of other types are compared in a wider type that has the values of both, if there is one:
/// int32 and int64, text and dictionaries of text, seconds and milliseconds. `ignore_metadata` ignores the metadata of the
/// input, the schema and the fields. Numbers in columns of floating-point numbers are equal if they differ by at most
/// `tolerance`.
///
/// The comparison stops after `max_rows` different rows. With `count_all`, or with a `key`, all rows are compared, and
/// `max_rows` limits only how many are listed. `rows`, `where`, `trust_statistics`, and `from_` to `max_null_bytes` are
/// as for `stats`, and apply to both sides. `progress` is as for `count`.
///
/// Returns a report. `same` is True or False, or None if no difference was found, but bytes after the end of a stream
/// were not compared. `differences` is a list of dicts. Each has a `kind` such as "Type", "Value" or "OnlyRow", a
/// sentence as `text`, and the `row`, `key` and `field` that differ, or None. Rows are counted from 0; the row of a
/// pair is that of `a`. `notes` are texts.
///
/// >>> arrow_ipc.diff("people.arrow", "people.arrows").same
/// True
/// >>> found = arrow_ipc.diff("people.arrow", b"id,name\n3,grace\n2,bob\n", key="id")
/// >>> [(each["kind"], each["row"], each["text"]) for each in found.differences if each["key"]]
/// [('Value', 1, 'id 2, field name: null in A, "bob" in B'), ('OnlyRow', 0, 'id 1: row 0, only in A')]
#[pyfunction]
#[pyo3(
    signature = (
        a, b, *, columns = None, key = None, ignore_metadata = false, tolerance = None, max_rows = 10, count_all = false, rows = None, r#where = None,
        trust_statistics = false, from_ = None, progress = None, **keywords,
    ),
    text_signature = None,
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    key: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = options::flag)] ignore_metadata: bool,
    tolerance: Option<f64>,
    #[pyo3(from_py_with = options::number_from_0)] max_rows: u64,
    #[pyo3(from_py_with = options::flag)] count_all: bool,
    rows: Option<&Bound<'py, PyAny>>,
    r#where: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::flag)] trust_statistics: bool,
    #[pyo3(from_py_with = options::word_or_none)] from_: Option<&str>,
    progress: Option<&Bound<'py, PyAny>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    let query = row_query(columns, r#where, trust_statistics)?;
    if key.is_some() && rows.is_some() {
        let text = "rows: with a key, all rows are paired; where chooses some of them";
        return Err(exception::<PyValueError>(text).into());
    }
    let key = key.map(|key| column_names_of("key", &one_or_many(key)?)).transpose()?;
    if key.as_ref().is_some_and(ColumnNames::is_empty) {
        return Err(exception::<PyValueError>("key: a key has at least one column").into());
    }
    let options = DiffOptions {
        query,
        key,
        rows: rows.map_or(Ok(RowWindow::ALL), row_window)?,
        ignores_metadata: ignore_metadata,
        tolerance: tolerance_of(tolerance)?,
        max_rows,
        counts_all: count_all,
    };
    let a = Input::try_new(a)?;
    let b = Input::try_new(b)?;
    let keywords = Keywords::new("diff", keywords);
    let text = GivenText::new(from_, None, TextArgs::take(&keywords)?)?;
    keywords.finish()?;
    let mut found =
        DifferenceCollector { watcher: Watcher::try_new(progress)?, ..DifferenceCollector::default() };
    let summary = py.detach(|| {
        let ((a, skipped_of_a), (b, skipped_of_b)) = (open_rows(a, &text)?, open_rows(b, &text)?);
        let summary = Comparison::open(a, &options)?.against(b, &mut found);
        let summary = found.watcher.or(summary)?;
        note_skipped(&skipped_of_a, &mut found.watcher.notes)?;
        note_skipped(&skipped_of_b, &mut found.watcher.notes)?;
        Result::Ok(summary)
    })?;
    let said = PyDict::new(py);
    said.set_item("same", summary.is_same)?;
    let differences = found.differences.iter().map(|difference| as_dict(py, difference));
    said.set_item("differences", differences.collect::<PyResult<Vec<_>>>()?)?;
    said.set_item("notes", found.watcher.notes)?;
    let summary = summary.is_same.map(|_| DiffSummaryText(&summary).to_string());
    let lines = found.differences.iter().map(|difference| DifferenceText(difference).to_string());
    let text: Vec<String> = summary.into_iter().chain(lines).collect();
    report("DiffReport", said, text.join("\n"))
}

/// Collects the differences of a comparison.
#[derive(Default)]
struct DifferenceCollector {
    differences: Vec<Difference>,
    watcher: Watcher,
}

impl Observer for DifferenceCollector {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.watcher.progress(progress)
    }

    fn note(&mut self, note: &Note) {
        self.watcher.note(note);
    }
}

impl DiffSink for DifferenceCollector {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        self.differences.push(difference);
        ControlFlow::Continue(())
    }
}

fn as_dict<'py>(py: Python<'py>, difference: &Difference) -> PyResult<Bound<'py, PyDict>> {
    let row = match difference {
        Difference::Value { row, .. }
        | Difference::MoreColumns { row, .. }
        | Difference::OnlyRow { row, .. } => Some(row),
        _ => None,
    };
    let key = row.and_then(|row| row.key.as_deref());
    let row = match difference {
        Difference::OneMoreRow { row, .. } => Some(*row),
        _ => row.map(|row| row.number),
    };
    let field = match difference {
        Difference::Value { column, .. } => Some(column),
        Difference::Metadata { of: MetadataScope::Field(path), .. }
        | Difference::OnlyIn { path, .. }
        | Difference::Name { path, .. }
        | Difference::Nullability { path, .. }
        | Difference::Type { path, .. }
        | Difference::NotCompared { path } => Some(path),
        _ => None,
    };
    let dict = PyDict::new(py);
    dict.set_item("kind", variant_name(difference))?;
    dict.set_item("text", DifferenceText(difference).to_string())?;
    dict.set_item("row", row)?;
    dict.set_item("key", key)?;
    dict.set_item("field", field.map(ToString::to_string))?;
    Ok(dict)
}

/// A list of column names. A single name may be a text.
fn one_or_many<'py>(names: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if names.is_instance_of::<PyString>() {
        Ok(PyList::new(names.py(), [names])?.into_any())
    } else {
        Ok(names.clone())
    }
}
