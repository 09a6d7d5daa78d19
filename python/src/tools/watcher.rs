//! Shows progress of tools to Python code, collects notes, and stops a tool after Ctrl-C.

use std::ops::ControlFlow;

use arrow_ipc_report::NoteText;
use arrow_ipc_tools::{Note, Observer, Progress, Unit};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::{
    calls,
    error::{Failure, Result, exception},
};

/// Passes progress to a callback, and notices Ctrl-C.
#[derive(Default)]
pub(crate) struct Watcher {
    exception: Option<PyErr>,
    callback: Option<Py<PyAny>>,
    pub(crate) notes: Vec<String>,
}

impl Watcher {
    pub(crate) fn try_new(callback: Option<&Bound<'_, PyAny>>) -> PyResult<Watcher> {
        if let Some(callback) = callback.filter(|callback| !callback.is_callable()) {
            let found = callback.get_type();
            let text = format!("progress is called with what is done, the whole and the unit, found {found}");
            return Err(exception::<PyTypeError>(text));
        }
        Ok(Watcher { callback: callback.map(|callback| callback.clone().unbind()), ..Watcher::default() })
    }

    /// Breaks if a signal handler has raised an exception.
    pub(crate) fn check(&mut self) -> ControlFlow<()> {
        self.call(|py| py.check_signals())
    }

    fn call(&mut self, call: impl FnOnce(Python<'_>) -> PyResult<()>) -> ControlFlow<()> {
        match Python::attach(call) {
            Ok(()) => ControlFlow::Continue(()),
            Err(exception) => {
                self.exception = Some(exception);
                ControlFlow::Break(())
            }
        }
    }

    /// Returns the exception that stopped the work, if any, or else the result.
    pub(crate) fn or<T, E: Into<Failure>>(&mut self, result: std::result::Result<T, E>) -> Result<T> {
        match self.exception.take() {
            Some(exception) => Err(exception.into()),
            None => result.map_err(E::into),
        }
    }
}

impl Observer for Watcher {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        let unit = match progress.unit {
            Unit::Bytes => "bytes",
            Unit::Batches => "batches",
            Unit::Rows => "rows",
        };
        let callback = self.callback.take();
        let flow = self.call(|py| {
            py.check_signals()?;
            match &callback {
                Some(callback) => {
                    calls::call(callback.bind(py), (progress.n_done, progress.n_total, unit)).map(drop)
                }
                None => Ok(()),
            }
        });
        self.callback = callback;
        flow
    }

    fn note(&mut self, note: &Note) {
        // Replaces the option of the program by the argument.
        self.notes.push(
            NoteText(note)
                .to_string()
                .replace("`convert --statistics`", "`convert(source, dest, statistics=True)`"),
        );
    }
}
