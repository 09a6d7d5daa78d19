//! Remembers how a file was opened, for its pickle.

use std::num::NonZeroUsize;
use std::path::{self, Path, PathBuf};
use std::time::SystemTime;

use arrow_ipc::FetchCost;
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
    /// The cost of requests that was given.
    pub(crate) fetch_cost: Option<FetchCost>,
}

impl Origin {
    /// `None` if the source cannot be opened again.
    pub(crate) fn new(
        source: &Bound<'_, PyAny>,
        validation: &str,
        memory_map: bool,
        copies: &str,
        threads: Option<NonZeroUsize>,
        fetch_cost: Option<FetchCost>,
    ) -> PyResult<Option<Origin>> {
        let validation = validation.to_owned();
        let copies = copies.to_owned();
        let py = source.py();
        if source.extract::<&str>().is_ok_and(is_url) {
            let source = source.clone().unbind();
            let version = String::new();
            return Ok(Some(Origin { source, version, validation, memory_map, copies, threads, fetch_cost }));
        }
        let Ok(path) = source.extract::<PathBuf>() else { return Ok(None) };
        // If there is no working directory, the path stays relative.
        let absolute = path::absolute(&path).unwrap_or_else(|_| path.clone());
        let source = absolute.into_os_string().into_pyobject(py)?.unbind().into_any();
        let version = py.detach(|| version_of(&path));
        Ok(Some(Origin { source, version, validation, memory_map, copies, threads, fetch_cost }))
    }

    /// The origin with the present version of a file at a path. A file at a URL is read in one version.
    pub(crate) fn at_present_version(&self, py: Python<'_>) -> Origin {
        let version = match self.source.extract::<PathBuf>(py) {
            Ok(path) if !self.source.extract(py).is_ok_and(is_url) => py.detach(|| version_of(&path)),
            _ => self.version.clone(),
        };
        Origin {
            source: self.source.clone_ref(py),
            version,
            validation: self.validation.clone(),
            memory_map: self.memory_map,
            copies: self.copies.clone(),
            threads: self.threads,
            fetch_cost: self.fetch_cost,
        }
    }
}

/// The version of the file at a path. Empty if there is no file, because opening it returns the error.
fn version_of(path: &Path) -> String {
    let Ok(found) = path.metadata() else { return String::new() };
    let since = found.modified().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
    let seconds = since.map_or_else(
        || "an unknown number of".to_owned(),
        |since| format!("{}.{:09}", since.as_secs(), since.subsec_nanos()),
    );
    format!("{} bytes, modified {seconds} seconds after 1970 began", found.len())
}
