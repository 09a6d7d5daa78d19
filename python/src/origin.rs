//! Remembers how a file was opened, for its pickle.

use std::num::NonZeroUsize;
use std::path::{self, PathBuf};
use std::time::SystemTime;

use pyo3::prelude::*;

use crate::ranges::is_url;

/// The source and the options with which a file was opened.
pub(crate) struct Origin {
    /// A URL, or an absolute path.
    pub(crate) source: Py<PyAny>,
    /// A text that differs between versions of the file.
    pub(crate) version: String,
    pub(crate) validation: String,
    pub(crate) memory_map: bool,
    pub(crate) copies: String,
    pub(crate) threads: Option<NonZeroUsize>,
}

impl Origin {
    /// `None` if the source cannot be opened again.
    pub(crate) fn of(
        source: &Bound<'_, PyAny>,
        validation: &str,
        memory_map: bool,
        copies: &str,
        threads: Option<NonZeroUsize>,
    ) -> PyResult<Option<Origin>> {
        let validation = validation.to_owned();
        let copies = copies.to_owned();
        let py = source.py();
        if source.extract::<&str>().is_ok_and(is_url) {
            let source = source.clone().unbind();
            let version = String::new();
            return Ok(Some(Origin { source, version, validation, memory_map, copies, threads }));
        }
        let Ok(path) = source.extract::<PathBuf>() else { return Ok(None) };
        // If there is no working directory, the path stays relative.
        let absolute = path::absolute(&path).unwrap_or_else(|_| path.clone());
        let source = absolute.into_os_string().into_pyobject(py)?.unbind().into_any();
        // If the file does not exist, opening it returns the error.
        let version = py.detach(|| match path.metadata() {
            Ok(found) => {
                let since =
                    found.modified().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
                let seconds = since.map_or_else(
                    || "an unknown number of".to_owned(),
                    |since| format!("{}.{:09}", since.as_secs(), since.subsec_nanos()),
                );
                format!("{} bytes, modified {seconds} seconds after 1970 began", found.len())
            }
            Err(_) => String::new(),
        });
        Ok(Some(Origin { source, version, validation, memory_map, copies, threads }))
    }
}
