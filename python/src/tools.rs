//! The commands of the program as functions. This file has `validate` and `inspect`. They return reports: Python
//! objects with the members of a JSON object, and with the text of the program.

#[macro_use] // What signatures say.
pub(crate) mod arguments;
pub(crate) mod append;
pub(crate) mod assemble;
pub(crate) mod change_args;
pub(crate) mod convert;
pub(crate) mod describe;
pub(crate) mod diff;
pub(crate) mod open;
mod parts;
pub(crate) mod recover;
pub(crate) mod text;
mod watcher;

use std::num::NonZero;

use arrow_ipc::Validation;
use arrow_ipc_report::{JsonLine, JsonMembers, JsonObject, JsonReport, NoteText, portability_note};
use arrow_ipc_tools::{InputSet, InspectOptions, ToolError, ValidateOptions, ValidateReport};
use arrow_text::format::Counted;
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use serde_json::Value;

use self::{
    change_args::column_names,
    open::{from_set_error, open_one},
    watcher::Watcher,
};
use crate::{
    calls,
    error::{Failure, Result},
    options, source,
};

/// Reads and checks everything in a file or in streams, including dictionaries that no column uses. Also checks that
/// the footer of a file agrees with its messages. With `strict`, also checks rules that some producers violate. With
/// `require_end`, a stream must have an end marker. It has none if its writer was stopped between two messages. With
/// `columns`, only the values of these columns are checked.
///
/// `source` is as for `open`, and may be compressed with gzip, Zstandard or LZ4. For a folder or pattern, checks each
/// file. A file-like object without `seek` may be copied to a temporary file. Raises the first error; `inspect` lists all
/// damage to messages, but does not look at values. `threads` is the number of threads that check, by default the number of cores. `progress` is as for `count`.
///
/// >>> print(arrow_ipc.validate("people.arrow", strict=True))
/// 3 rows in 1 batch
#[pyfunction]
#[pyo3(signature = (source, *, strict = false, require_end = false, columns = None, threads = None, progress = None))]
pub(crate) fn validate<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = options::flag)] strict: bool,
    #[pyo3(from_py_with = options::flag)] require_end: bool,
    columns: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = options::number_from_0)] threads: Option<NonZero<usize>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyAny>> {
    let source = source::Input::try_new(source)?;
    let options = ValidateOptions {
        columns: columns.map(column_names).transpose()?,
        validation: if strict { Validation::Strict } else { Validation::Content },
        requires_end: require_end,
        n_threads: options::n_threads(threads),
    };
    let mut watcher = Watcher::try_new(progress)?;
    let found = py.detach(|| {
        let set = match &source {
            source::Input::Path(path) => InputSet::validate(path, &options, &options::limits(), &mut watcher),
            _ => None,
        };
        let validated = match set {
            Some(Err(error)) => return watcher.or(Err(from_set_error(error))),
            Some(Ok(validated)) => Ok(validated),
            None => arrow_ipc_tools::validate(open_one(source)?, &options, &mut watcher),
        };
        watcher.or(validated)
    })?;
    let ValidateReport { n_rows, n_batches, n_tensors, portability, .. } = found;
    let portability: Vec<String> = portability.iter().map(portability_note).collect();
    let rows = (n_batches > 0 || n_tensors == 0)
        .then(|| format!("{} in {}", Counted(n_rows, "row"), Counted(n_batches, "batch")));
    let tensors = (n_tensors > 0).then(|| Counted(n_tensors, "tensor").to_string());
    let text = rows.into_iter().chain(tensors).collect::<Vec<String>>().join(", ");
    let text = portability.iter().fold(text, |lines, note| format!("{lines}\n  {note}"));
    let said = PyDict::new(py);
    said.set_item("n_rows", n_rows)?;
    said.set_item("n_batches", n_batches)?;
    said.set_item("n_tensors", n_tensors)?;
    said.set_item("portability", portability)?;
    said.set_item("notes", watcher.notes)?;
    report("ValidateReport", said, text)
}

/// Describes each message of a file or of streams, and the footer, even if they are damaged.
///
/// `source` is as for `open`, and `progress` as for `count`.
///
/// Returns a report with `container` ("file" or "stream"), `n_bytes`, `messages` in order, with `buffers` if
/// requested, `ends` of the streams, and the `footer` of a file. `damage` is a list of the first 1,000 errors, as
/// exceptions that are not raised. `notes` is a list of texts. The text of the report is the JSON lines that the
/// program prints.
///
/// >>> found = arrow_ipc.inspect("people.arrow")
/// >>> found.container, [message["kind"] for message in found.messages]
/// ('file', ['schema', 'record batch'])
#[pyfunction]
#[pyo3(signature = (source, *, buffers = false, progress = None))]
pub(crate) fn inspect<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = options::flag)] buffers: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyAny>> {
    let source = source::Input::try_new(source)?;
    let options = if buffers { InspectOptions::new().with_buffers() } else { InspectOptions::new() };
    let mut found = Vec::new();
    let mut watcher = Watcher::try_new(progress)?;
    let inspected = py.detach(|| {
        let mut signals = Watcher::default();
        let inspected = {
            let mut report = JsonReport::new(|object| {
                found.push(object);
                signals.check()
            });
            arrow_ipc_tools::inspect(open_one(source)?, &options, &mut report, &mut watcher)
        };
        match watcher.or(inspected) {
            Err(Failure::Tool(error)) => signals.or(Err(error)),
            inspected => inspected,
        }
    })?;
    let said = PyDict::new(py);
    let messages = PyList::empty(py);
    let ends = PyList::empty(py);
    said.set_item("container", py.None())?;
    said.set_item("n_bytes", py.None())?;
    said.set_item("messages", &messages)?;
    said.set_item("ends", &ends)?;
    said.set_item("footer", py.None())?;
    let mut text = String::new();
    for object in found {
        text.push_str(&JsonLine(&object).to_string());
        text.push('\n');
        let what = object["what"].as_str().unwrap_or_default().to_owned();
        let object = to_python(py, &object)?;
        // The kind of the object is clear from the list that it is in.
        object.del_item("what")?;
        match what.as_str() {
            "message" => messages.append(object)?,
            "end" => ends.append(object)?,
            "footer" => said.set_item("footer", object)?,
            _ => said.update(object.cast().map_err(PyErr::from)?)?,
        }
    }
    said.set_item("damage", damage(py, inspected.damage))?;
    watcher.notes.extend(inspected.notes.iter().map(|note| NoteText(note).to_string()));
    said.set_item("notes", watcher.notes)?;
    text.truncate(text.trim_end().len());
    report("InspectReport", said, text)
}

/// Converts errors to exceptions that are not raised.
fn damage(py: Python<'_>, damage: Vec<ToolError>) -> Vec<Bound<'_, PyAny>> {
    let errors = damage.into_iter().map(|error| PyErr::from(Failure::Tool(error)));
    errors.map(|error| error.into_value(py).into_bound(py).into_any()).collect()
}

/// Makes a report from its members, and from the text that the program prints.
fn report<'py>(name: &str, said: Bound<'py, PyDict>, text: String) -> Result<Bound<'py, PyAny>> {
    let module = calls::import(said.py(), "arrow_ipc._reports")?;
    Ok(calls::method(&module, name, (said, text))?)
}

/// The members of a result as a dict.
fn dict_of(py: Python<'_>, result: impl JsonMembers) -> PyResult<Bound<'_, PyDict>> {
    Ok(to_python(py, &JsonObject(result).to_value())?.cast_into()?)
}

/// Converts JSON to Python objects.
fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(to_python(py, item)?))?;
            list.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            members.iter().try_for_each(|(name, value)| dict.set_item(name, to_python(py, value)?))?;
            dict.into_any()
        }
    })
}
