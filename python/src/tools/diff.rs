//! `diff`: how two files or streams differ.

use std::ops::ControlFlow;

use arrow_ipc_tools::{
    ColumnName, ColumnNames, DiffOptions, DiffReport, Difference, MetadataOf, Note, Observer, Progress,
    Verdict,
};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};

use super::{Signals, open};
use crate::{
    error::{Result, variant_name},
    source::Input,
};

/// Compares the schema, metadata and rows of two files or streams, however they are encoded, compressed and split into batches.
///
/// A dict: `same` is True, False, or None if nothing differs in what was read, but bytes follow a stream; `differences` is a list of
/// dicts with `kind`, `text`, and where they are known `row` and `field`; `notes` are texts. `columns` compares these only, and
/// fields inside of columns by their paths. `max_rows` limits the rows that are told of, after which it stops, unless
/// `count_all`.
///
/// >>> arrow_ipc.diff("people.arrow", "people.arrows")["same"]
/// True
#[pyfunction]
#[pyo3(signature = (a, b, *, columns = None, ignore_metadata = false, max_rows = 10, count_all = false))]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    ignore_metadata: bool,
    max_rows: u64,
    count_all: bool,
) -> Result<Bound<'py, PyDict>> {
    let mut options = DiffOptions::new().with_max_rows(max_rows);
    if let Some(columns) = columns {
        options = options.with_columns(names(columns)?);
    }
    if ignore_metadata {
        options = options.ignoring_metadata();
    }
    if count_all {
        options = options.counting_all();
    }
    let (a, b) = (Input::try_new(a)?, Input::try_new(b)?);
    let (verdict, report) = py.detach(|| {
        let mut report = Report::default();
        let verdict = arrow_ipc_tools::diff(open(a)?, open(b)?, &options, &mut report);
        Ok::<_, crate::error::Failure>((std::mem::take(&mut report.signals).or(verdict)?, report))
    })?;
    let same = match verdict {
        Verdict::Same => Some(true),
        Verdict::Different => Some(false),
        Verdict::Unknown => None,
    };
    let said = PyDict::new(py);
    said.set_item("same", same)?;
    let differences = report.differences.iter().map(|difference| as_dict(py, difference));
    said.set_item("differences", differences.collect::<PyResult<Vec<_>>>()?)?;
    said.set_item("notes", report.notes)?;
    Ok(said)
}

/// Names of columns, or paths of fields inside of them.
fn names(columns: &Bound<'_, PyAny>) -> PyResult<ColumnNames> {
    if columns.extract::<&str>().is_ok() {
        return Err(PyTypeError::new_err("columns is a str; pass a list of names"));
    }
    let names = columns.try_iter()?.map(|name| Ok(ColumnName::NameOrPath(name?.extract()?)));
    names.collect()
}

/// What is told, until a signal is raised.
#[derive(Default)]
struct Report {
    differences: Vec<Difference>,
    notes: Vec<String>,
    signals: Signals,
}

impl Observer for Report {
    fn progress(&mut self, _: Progress) -> ControlFlow<()> {
        self.signals.check()
    }

    fn note(&mut self, note: &Note) {
        self.notes.push(note.to_string());
    }
}

impl DiffReport for Report {
    fn difference(&mut self, difference: Difference) -> ControlFlow<()> {
        self.differences.push(difference);
        ControlFlow::Continue(())
    }
}

fn as_dict<'py>(py: Python<'py>, difference: &Difference) -> PyResult<Bound<'py, PyDict>> {
    let row = match difference {
        Difference::Value(difference) => Some(difference.row()),
        Difference::MoreColumns { row, .. } | Difference::OneMoreRow { row, .. } => Some(*row),
        _ => None,
    };
    let field = match difference {
        Difference::Value(difference) => Some(difference.column()),
        Difference::Metadata { of: MetadataOf::Field(path), .. }
        | Difference::OnlyIn { path, .. }
        | Difference::Name { path, .. }
        | Difference::Nullability { path, .. }
        | Difference::Type { path, .. }
        | Difference::NotCompared { path } => Some(path),
        _ => None,
    };
    let dict = PyDict::new(py);
    dict.set_item("kind", variant_name(difference))?;
    dict.set_item("text", difference.to_string())?;
    dict.set_item("row", row)?;
    dict.set_item("field", field.map(ToString::to_string))?;
    Ok(dict)
}
