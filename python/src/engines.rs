//! Warns engines that read all columns and rows of a data set that they could read less.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

use crate::error::warn;

const TEXT: &str = "all columns and rows of this data set are read; `dataset.to_pyarrow()` gives an engine the data set of which it reads only the \
                    columns and rows that it needs";

/// Warns once if the code that calls this package belongs to an engine that could read less. `has_warned` is whether it has
/// been warned.
pub(crate) fn warn_once(py: Python<'_>, has_warned: &AtomicBool) -> PyResult<()> {
    let module = || -> PyResult<String> {
        let frame = py.import("sys")?.call_method0("_getframe")?;
        frame.getattr("f_globals")?.get_item("__name__")?.extract()
    };
    let is_engine = |name: String| matches!(name.split('.').next(), Some("duckdb" | "datafusion"));
    // Without a frame, the caller is no Python code.
    if module().is_ok_and(is_engine) && !has_warned.swap(true, Ordering::Relaxed) {
        warn(TEXT)?;
    }
    Ok(())
}
