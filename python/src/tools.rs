//! What the program does, as functions: here `validate` and `inspect`.

pub(crate) mod append;
pub(crate) mod assemble;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod recover;

use std::ops::ControlFlow;
use std::path::PathBuf;

use arrow_ipc_tools::{
    Input, InspectOptions, JsonReport, Observer, Progress, ToolError, ToolErrorKind, ValidateOptions,
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use serde_json::Value;

use crate::{
    error::{Failure, Result},
    source,
};

/// Reads and checks everything in a file or in streams, also dictionaries that no column uses; of a file also that its footer
/// agrees with the stream inside. With `strict` also what many producers get wrong; with `require_end` also that the end of a stream
/// is marked, which it is not if its writer was stopped between two messages.
///
/// `source` is as for `open`; a file-like object without `seek` is copied to a temporary file where that is needed. Raises
/// the first error; `inspect` lists all.
///
/// >>> arrow_ipc.validate("people.arrow", strict=True)
#[pyfunction]
#[pyo3(signature = (source, *, strict = false, require_end = false))]
pub(crate) fn validate(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    strict: bool,
    require_end: bool,
) -> Result<()> {
    let source = source::Input::try_new(source)?;
    let options = if strict { ValidateOptions::new().strict() } else { ValidateOptions::new() };
    let options = if require_end { options.requiring_end() } else { options };
    py.detach(|| {
        let mut signals = Signals::default();
        let validated = arrow_ipc_tools::validate(open(source)?, &options, &mut signals);
        signals.or(validated.map(drop))
    })
}

/// Tells of every message of a file or of streams, and of the footer, also where they are damaged.
///
/// A dict: `container` ("file" or "stream"), `n_bytes`, `messages` in their order, with `buffers` where these are asked for,
/// `ends` of the streams, `footer` of a file, `damage` as a list of exceptions, which are not raised, the first 1,000
/// of them, and `notes` as texts.
///
/// >>> found = arrow_ipc.inspect("people.arrow")
/// >>> found["container"], [message["kind"] for message in found["messages"]]
/// ('file', ['schema', 'record batch'])
#[pyfunction]
#[pyo3(signature = (source, *, buffers = false))]
pub(crate) fn inspect<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    buffers: bool,
) -> Result<Bound<'py, PyDict>> {
    let source = source::Input::try_new(source)?;
    let options = if buffers { InspectOptions::new().with_buffers() } else { InspectOptions::new() };
    let mut found = Vec::new();
    let inspected = py.detach(|| {
        let mut signals = Signals::default();
        let mut report = JsonReport::new(|object| {
            found.push(object);
            signals.check()
        });
        let inspected = arrow_ipc_tools::inspect(open(source)?, &options, &mut report, &mut ());
        signals.or(inspected)
    })?;
    let said = PyDict::new(py);
    let (messages, ends) = (PyList::empty(py), PyList::empty(py));
    said.set_item("container", py.None())?;
    said.set_item("n_bytes", py.None())?;
    said.set_item("messages", &messages)?;
    said.set_item("ends", &ends)?;
    said.set_item("footer", py.None())?;
    for object in found {
        let what = object["what"].as_str().unwrap_or_default().to_owned();
        let object = to_python(py, &object)?;
        // Its kind is where it is put.
        object.del_item("what")?;
        match what.as_str() {
            "message" => messages.append(object)?,
            "end" => ends.append(object)?,
            "footer" => said.set_item("footer", object)?,
            _ => said.update(object.cast().map_err(PyErr::from)?)?,
        }
    }
    let damage = inspected.damage.into_iter().map(|error| PyErr::from(Failure::Tool(error)));
    let damage: Vec<_> = damage.map(|error| error.into_value(py)).collect();
    said.set_item("damage", damage)?;
    let notes: Vec<String> = inspected.notes.iter().map(ToString::to_string).collect();
    said.set_item("notes", notes)?;
    Ok(said)
}

/// Opens what is to be looked at as a whole.
fn open(source: source::Input) -> Result<Input> {
    Ok(match source {
        source::Input::Path(path) => open_path(path)?,
        source::Input::Memory(bytes) => Input::try_from_buffer("the bytes", bytes)?,
        source::Input::FileLike(file) if file.is_seekable()? => {
            Input::try_from_source("the file-like object", file)?
        }
        source::Input::Ranges(file) => Input::try_from_source("the URL", file)?,
        source::Input::FileLike(file) => Input::try_from_reader("the file-like object", file)?,
    })
}

fn open_path(path: PathBuf) -> Result<Input> {
    Input::open(&path).map_err(|error| named(path, error))
}

/// With the name of the file, as Python's own `open` has it.
fn named(path: PathBuf, error: ToolError) -> Failure {
    match error.kind() {
        ToolErrorKind::Read(cause) => {
            let cause =
                cause.raw_os_error().map_or_else(|| cause.kind().into(), std::io::Error::from_raw_os_error);
            Failure::from(arrow_ipc::IpcError::from(arrow_ipc::IpcErrorKind::Open { path, error: cause }))
        }
        _ => error.into(),
    }
}

/// Lets Ctrl-C end a long work.
#[derive(Default)]
struct Signals {
    raised: Option<PyErr>,
}

impl Signals {
    fn check(&mut self) -> ControlFlow<()> {
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                self.raised = Some(raised);
                ControlFlow::Break(())
            }
        }
    }

    /// The result of the work, or what a handler of a signal raised.
    fn or<T>(self, result: std::result::Result<T, ToolError>) -> Result<T> {
        match self.raised {
            Some(raised) => Err(raised.into()),
            None => Ok(result?),
        }
    }
}

impl Observer for Signals {
    fn progress(&mut self, _: Progress) -> ControlFlow<()> {
        self.check()
    }
}

/// JSON as Python's own objects.
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
