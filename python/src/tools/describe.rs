//! `count`, `stats`, `explain`: describe what an input contains.

use std::num::NonZero;

use arrow_compute::Extreme;
use arrow_ipc_report::{
    ExplanationText, NoteText, StatsTable, TextColors, WithInput, stats_headline, suggest_dictionaries,
};
use arrow_ipc_tools::{
    InputName, InputSet, Observer, RowWindow, SummaryOptions, ToolError, ToolErrorKind, count::RowCount,
    count_rows, summarize, summary::ColumnSummary,
};
use arrow_schema::Field;
use pyo3::{
    prelude::*,
    types::{PyDict, PyFloat, PyString},
};

use super::{
    arguments::{Keywords, TextArgs},
    change_args::{column_names, row_query, row_window},
    damage, dict_of,
    open::{GivenText, from_set_error, note_skipped, open_one, open_rows},
    report,
    watcher::Watcher,
};
use crate::{array::Array, error::Result, options, source::Input};

#[doc = concat!(
    "count(source, *, where=None, trust_statistics=False, from_=None", text_arguments!(), ", progress=None)\n--\n"
)]
/// Counts rows, reading only metadata, or the rows for which a condition is true. Without a condition and `types`, the values of
/// text are not checked.
///
/// `source` is a file or streams, as for `open`, or CSV or JSON lines, as for `convert`. `progress` is a function
/// that is called from time to time with the amount of work done, the total if it is known, and the unit: "bytes" or
/// "batches". Several inputs, or several files that are written, count as one work if their totals are known and have one
/// unit. A second pass begins again at 0, such as one that first reads all dictionaries. `where`, `trust_statistics`, and `from_` to `max_null_bytes`, which are for text, are as for `convert`.
/// A folder or a pattern is a data set of Arrow files, as for `dataset`. All functions that read rows accept these
/// sources. `read_csv` and `read_json` take patterns of texts.
///
/// >>> found = arrow_ipc.count("people.arrow")
/// >>> found.n_rows, found.n_batches
/// (3, 1)
/// >>> arrow_ipc.count("people.arrow", where="id >= 2").n_rows
/// 2
#[pyfunction]
#[pyo3(
    signature = (source, *, r#where = None, trust_statistics = false, from_ = None, progress = None, **keywords),
    text_signature = None,
)]
pub(crate) fn count<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    r#where: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::flag)] trust_statistics: bool,
    #[pyo3(from_py_with = options::word_or_none)] from_: Option<&str>,
    progress: Option<&Bound<'py, PyAny>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    let keywords = Keywords::new("count", keywords);
    let text = GivenText::new(from_, None, TextArgs::take(&keywords)?)?;
    keywords.finish()?;
    let source = Input::try_new(source)?;
    let query = row_query(None, r#where, trust_statistics)?;
    let text = if query.condition().is_some() { text } else { text.for_counting() };
    let mut watcher = Watcher::try_new(progress)?;
    let (name, found) = py.detach(|| {
        if let Input::Path(path) = &source
            && from_.is_none()
            && let Some(set) = InputSet::open(path, &query, &options::limits())
        {
            let found = set.map_err(from_set_error)?.count(&mut watcher);
            return Ok((InputName::from(&**path), watcher.or(found)?));
        }
        let (input, skipped) = open_rows(source, &text)?;
        let name = input.name().clone();
        let found = if query.condition().is_some() {
            RowCount::matching(input, query, &mut watcher)
        } else {
            count_rows(input, &mut watcher)
        };
        let found = watcher.or(found)?;
        note_skipped(&skipped, &mut watcher.notes)?;
        Result::Ok((name, found))
    })?;
    let said = PyDict::new(py);
    said.set_item("n_rows", found.n_rows)?;
    said.set_item("n_batches", found.n_batches)?;
    said.set_item("n_tensors", found.remarks.n_tensors)?;
    found.remarks.notes(&name).for_each(|note| watcher.note(&note));
    said.set_item("notes", watcher.notes)?;
    report("CountReport", said, found.n_rows.to_string())
}

#[doc = concat!(
    "stats(source, *, columns=None, rows=None, where=None, trust_statistics=False, from_=None", text_arguments!(),
    ", threads=None, progress=None)\n--\n"
)]
/// Describes each column: its type, nulls, distinct values, minimum and maximum, and size.
///
/// `source` and `progress` are as for `count`. `columns` are names, paths of fields inside columns, or patterns with
/// `*`. `rows` is as for `convert`. `where`, `trust_statistics`, and `from_`
/// to `max_null_bytes`, which are for text, are as for `convert`. `threads` is the number of threads that work, by
/// default the number of cores; the report does not depend on it.
///
/// Returns a report with `n_rows` and `n_batches` of the selection, `n_bytes` of the input, and `columns`: a dict for
/// each column, by position or name. `null_count`, `n_distinct`, `min`, `max`, `mean`, `n_nan`, and `mean_length` of text
/// and lists describe the selected rows, and are None where the type has none. `histogram` counts finite numbers in 16
/// equal ranges, from the least to the greatest of them. `n_bytes`, the `share` of the input and `n_decompressed_bytes` are those of all rows.
///
/// `min` and `max` of dates, times and decimals are Python values. If Python cannot represent one of them, for
/// example because of nanoseconds, both are text. `json.dumps` of a report needs `default=str` for such values.
/// `distinct_is_exact` is false if the number of distinct values is an estimate.
///
/// >>> print(arrow_ipc.stats("people.arrow", columns=["id"], rows=(0, 2)).columns[0]["max"])
/// 2
/// >>> name = arrow_ipc.stats("people.arrow", where="id > 1").columns["name"]
/// >>> name["null_count"], name["n_distinct"], name["min"]
/// (1, 1, 'grace')
#[pyfunction]
#[pyo3(
    signature = (
        source, *, columns = None, rows = None, r#where = None, trust_statistics = false, from_ = None, threads = None, progress = None,
        **keywords,
    ),
    text_signature = None,
)]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn stats<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    rows: Option<&Bound<'py, PyAny>>,
    r#where: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::flag)] trust_statistics: bool,
    #[pyo3(from_py_with = options::word_or_none)] from_: Option<&str>,
    #[pyo3(from_py_with = options::number_from_0)] threads: Option<NonZero<usize>>,
    progress: Option<&Bound<'py, PyAny>>,
    keywords: Option<Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>> {
    let query = row_query(columns, r#where, trust_statistics)?;
    let rows = rows.map_or(Ok(RowWindow::ALL), row_window)?;
    let n_threads = options::n_threads(threads);
    let options = SummaryOptions { query, rows, n_threads };
    let keywords = Keywords::new("stats", keywords);
    let text = GivenText::new(from_, None, TextArgs::take(&keywords)?)?;
    keywords.finish()?;
    let source = Input::try_new(source)?;
    let mut watcher = Watcher::try_new(progress)?;
    let (name, found, text) = py.detach(|| {
        let (input, skipped) = open_rows(source, &text)?;
        let name = input.name().clone();
        let found = summarize(input, &options, &mut watcher);
        let found = watcher.or(found)?;
        note_skipped(&skipped, &mut watcher.notes)?;
        let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Values(error));
        let StatsTable { header, rows, .. } = StatsTable::try_new(&found, None).map_err(failed)?;
        let advice = suggest_dictionaries(&name, &found, &options).join("\n");
        let text = format!("{header}\n{rows}{}{advice}", stats_headline(&found));
        Result::Ok((name, found, text))
    })?;
    let said = dict_of(py, WithInput { input: Some(&name.to_string()), result: &found })?;
    for (column, said) in found.columns.iter().zip(said.as_any().get_item("columns")?.try_iter()?) {
        set_extremes(column, &said?)?;
    }
    found.remarks.notes(&name).for_each(|note| watcher.note(&note));
    said.set_item("notes", watcher.notes)?;
    report("StatsReport", said, text.trim_end().to_owned())
}

/// Replaces the minimum and maximum by Python values, if these can represent dates, times, decimals or infinite
/// numbers. Python values compare correctly, but the text "9.5" is greater than "10.0".
fn set_extremes(column: &ColumnSummary, said: &Bound<'_, PyAny>) -> PyResult<()> {
    let field = &column.field;
    let statistics = &column.statistics;
    // JSON has no infinite numbers.
    let has_text = said.get_item("min")?.is_instance_of::<PyString>()
        || said.get_item("max")?.is_instance_of::<PyString>();
    let value = |extreme: Extreme| {
        let data = extreme.value().as_array().data();
        let data_type = data.data_type();
        let field = Field::new("", data_type.clone()).with_metadata(field.metadata().clone());
        let value =
            Bound::new(said.py(), Array::new(field, data.clone())).and_then(|array| array.get_item(0));
        let is_number = has_text && value.as_ref().is_ok_and(|value| value.is_instance_of::<PyFloat>());
        (is_number || data_type.is_temporal() || data_type.as_decimal().is_some()).then_some(value)
    };
    // If Python cannot represent one of the two, for example because of nanoseconds or the year, both stay text, so
    // that they can be compared.
    if let [Some(Ok(min)), Some(Ok(max))] =
        [statistics.min(), statistics.max()].map(|found| found.and_then(value))
        && min.get_type().is(max.get_type())
    {
        said.set_item("min", min)?;
        said.set_item("max", max)?;
    }
    Ok(())
}

/// Describes an input: its container, the size of its columns, its oddities, and the commands of the program that fix
/// these.
///
/// `source` is a file or streams, as for `open`, and may be damaged. `columns` are as for `stats`, and `progress` as for
/// `count`.
///
/// >>> found = arrow_ipc.explain("people.arrow")
/// >>> found.container, found.n_rows, found.columns[0]["name"], found.findings
/// ('file', 3, 'name', [])
#[pyfunction]
#[pyo3(signature = (source, *, columns = None, progress = None))]
pub(crate) fn explain<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyAny>> {
    let source = Input::try_new(source)?;
    let columns = columns.map(column_names).transpose()?;
    let mut watcher = Watcher::try_new(progress)?;
    let (name, explanation, inspected) = py.detach(|| {
        let input = open_one(source)?;
        let name = input.name().clone();
        let found = arrow_ipc_report::explain(input, columns.as_ref(), &mut watcher);
        let (explanation, inspected) = watcher.or(found)?;
        Result::Ok((name, explanation, inspected))
    })?;
    let said = dict_of(py, &explanation)?;
    watcher.notes.extend(inspected.notes.iter().map(|note| NoteText(note).to_string()));
    said.set_item("damage", damage(py, inspected.damage))?;
    said.set_item("notes", watcher.notes)?;
    let text = ExplanationText { input: &name, explanation: &explanation, colors: TextColors::default() }
        .to_string();
    report("ExplainReport", said, text.trim_end().to_owned())
}
