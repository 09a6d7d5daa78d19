//! Makes all exceptions and warnings of the package. Their texts and hints never control a terminal, whatever names, paths,
//! values and answers of servers they have.

use std::ffi::CString;

use arrow_text::format::Escaped;
use pyo3::{
    PyTypeInfo, create_exception,
    exceptions::{PyNotImplementedError, PyUserWarning, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyString, PyType},
};

use crate::location::Location;

create_exception!(
    arrow_ipc,
    ArrowIpcError,
    PyValueError,
    "Data that is malformed, truncated, unsupported or over a limit, or a call that cannot be answered.\n\n\
     `kind` is the cause in one word, `category` what a caller can do about it, `location` where it is, `hint` what helps, or `None`.\n\n\
     >>> try:\n\
     ...     arrow_ipc.open(b\"something else\")\n\
     ... except arrow_ipc.ArrowIpcError as error:\n\
     ...     error.category\n\
     'malformed'"
);

/// Makes an exception of a class of Python.
pub(crate) fn exception<E: PyTypeInfo>(text: impl AsRef<str>) -> PyErr {
    PyErr::new::<E, _>(escaped(text.as_ref()))
}

/// The text on one line, with escapes for the characters that control a terminal, or that cannot be seen.
pub(crate) fn escaped(text: &str) -> String {
    Escaped(text).to_string()
}

/// [`escaped`] for the texts of exceptions that modules of Python raise. Half of a surrogate pair becomes replacement characters.
#[pyfunction]
pub(crate) fn _escaped(text: &Bound<'_, PyString>) -> String {
    escaped(&text.to_string_lossy())
}

/// Shows a warning.
pub(crate) fn warn(text: &str) -> PyResult<()> {
    // A zero byte is escaped, too.
    let text = CString::new(escaped(text)).unwrap_or_default();
    Python::attach(|py| PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1))
}

/// Sets the `hint` attribute of the exception, and adds a note, which tracebacks show.
pub(crate) fn add_hint(py: Python<'_>, error: PyErr, hint: Option<&str>) -> PyErr {
    if let Some(hint) = hint.map(escaped) {
        let value = error.value(py);
        if value.getattr("hint").is_ok_and(|old| !old.is_none()) {
            // Removes the note of the previous hint.
            let _ = value.delattr("__notes__");
        }
        let set = value.setattr("hint", &hint);
        // Exceptions have notes since Python 3.11.
        let _ = set.and_then(|()| value.call_method1("add_note", (&hint,)).map(drop));
    }
    error
}

const UNSUPPORTED: &str = "Valid data, or a call, that this package does not support.\n\n\
    >>> issubclass(arrow_ipc.UnsupportedError, arrow_ipc.ArrowIpcError), issubclass(arrow_ipc.UnsupportedError, NotImplementedError)\n\
    (True, True)";

/// The class of errors about unsupported data and calls. It also inherits from `NotImplementedError`.
pub(crate) fn unsupported(py: Python<'_>) -> &Bound<'_, PyType> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let make = || {
        let bases = (py.get_type::<ArrowIpcError>(), py.get_type::<PyNotImplementedError>());
        let members = PyDict::new(py);
        members.set_item("__module__", "arrow_ipc")?;
        members.set_item("__doc__", UNSUPPORTED)?;
        let class = py.get_type::<PyType>().call1(("UnsupportedError", bases, members))?;
        PyResult::Ok(class.cast_into::<PyType>()?.unbind())
    };
    CLASS.get_or_try_init(py, make).expect("both bases are exceptions").bind(py)
}

/// Makes an `ArrowIpcError` with its attributes.
pub(crate) fn arrow_ipc_error(
    py: Python<'_>,
    text: String,
    kind: String,
    category: &'static str,
    location: Location,
) -> PyErr {
    let error = match category {
        "unsupported" => PyErr::from_type(unsupported(py).clone(), escaped(&text)),
        _ => exception::<ArrowIpcError>(text),
    };
    let value = error.value(py);
    match value.setattr("kind", kind).and_then(|()| value.setattr("category", category)) {
        Ok(()) => with_location(py, error, location),
        Err(other) => other,
    }
}

/// Sets the attributes `location` and `hint` of an exception, also of built-in classes. The hint is `None` at first.
pub(crate) fn with_location(py: Python<'_>, error: PyErr, location: Location) -> PyErr {
    let value = error.value(py);
    let set =
        value.setattr("hint", None::<&str>).and_then(|()| value.setattr("location", Py::new(py, location)?));
    match set {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// The error for an unsupported call.
pub(crate) fn unsupported_call(text: &str) -> PyErr {
    let kind = "Unsupported".to_owned();
    Python::attach(|py| arrow_ipc_error(py, text.to_owned(), kind, "unsupported", Location::default()))
}

/// The error for wrong arguments or a wrong state, without a location.
pub(crate) fn misuse(kind: &'static str, text: impl Into<String>) -> PyErr {
    Python::attach(|py| arrow_ipc_error(py, text.into(), kind.to_owned(), "misuse", Location::default()))
}
