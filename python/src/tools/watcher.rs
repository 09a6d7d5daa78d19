//! Progress and notes of tools, and Ctrl-C, which stops them.

use std::ops::ControlFlow;

use arrow_ipc_tools::{Note, Observer, Progress, Unit};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::{
    calls,
    error::{Failure, Result},
};

/// Lets Ctrl-C stop long work, and lets a callback see its progress.
#[derive(Default)]
pub(crate) struct Watcher {
    raised: Option<PyErr>,
    callback: Option<Py<PyAny>>,
    pub(crate) notes: Vec<String>,
}

impl Watcher {
    pub(crate) fn try_new(callback: Option<&Bound<'_, PyAny>>) -> PyResult<Watcher> {
        if let Some(callback) = callback.filter(|callback| !callback.is_callable()) {
            let found = callback.get_type();
            let text = format!("progress is called with what is done, the whole and the unit, found {found}");
            return Err(PyTypeError::new_err(text));
        }
        Ok(Watcher { callback: callback.map(|callback| callback.clone().unbind()), ..Watcher::default() })
    }

    /// Whether to continue. A handler of a signal may have raised an exception.
    pub(crate) fn check(&mut self) -> ControlFlow<()> {
        self.call(|py| py.check_signals())
    }

    fn call(&mut self, call: impl FnOnce(Python<'_>) -> PyResult<()>) -> ControlFlow<()> {
        match Python::attach(call) {
            Ok(()) => ControlFlow::Continue(()),
            Err(raised) => {
                self.raised = Some(raised);
                ControlFlow::Break(())
            }
        }
    }

    /// The result of the work, or the exception that was raised during the work.
    pub(crate) fn or<T, E: Into<Failure>>(&mut self, result: std::result::Result<T, E>) -> Result<T> {
        match self.raised.take() {
            Some(raised) => Err(raised.into()),
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
        self.notes.push(note.to_string());
    }
}
