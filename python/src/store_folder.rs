//! Data sets that are written to stores. Each part is written to a local file first.

use std::path::{Path, PathBuf};

use arrow_ipc_dataset::{DatasetError, DatasetErrorKind as Kind, DatasetWriter, WrittenPart};
use pyo3::prelude::*;

use crate::{
    calls::{self, ObjectRef},
    dataset::failed,
    error::Result,
};

fn module(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    calls::import(py, "arrow_ipc._store_folder")
}

/// Begins a data set at a URL. Returns its folder, and the hidden folder for parts.
///
/// # Errors
/// If the folder has files, or the store refuses to write.
pub(crate) fn create(py: Python<'_>, url: &Path) -> Result<(PathBuf, PathBuf)> {
    let created = calls::method(&module(py)?, "create", (url.as_os_str(),))?;
    let folders: Option<(PathBuf, PathBuf)> = created.extract()?;
    folders.ok_or_else(|| failed(DatasetError::at(url, Kind::NotEmpty)))
}

/// Copies a local file to the hidden folder, as the part.
///
/// # Errors
/// If the data set was committed or given up, or the store refuses to write.
pub(crate) fn put(py: Python<'_>, writer: &DatasetWriter, local: &Path, part: &WrittenPart) -> Result<()> {
    let arguments = (writer.staging.as_os_str(), local.as_os_str(), &part.path);
    let is_open: bool = calls::method(&module(py)?, "put", arguments)?.extract()?;
    if is_open { Ok(()) } else { Err(failed(DatasetError::at(&writer.root, Kind::Committed))) }
}

/// Publishes the parts.
///
/// # Errors
/// If the data set was committed or given up, a part does not exist, the folder has files, or the store refuses to write.
pub(crate) fn commit(py: Python<'_>, writer: &DatasetWriter, parts: &[WrittenPart]) -> Result<()> {
    let parts: Vec<(&str, u64)> = parts.iter().map(|part| (part.path.as_str(), part.n_bytes)).collect();
    let arguments = (writer.root.as_os_str(), writer.staging.as_os_str(), parts);
    let wrong: Option<(String, String)> = calls::method(&module(py)?, "commit", arguments)?.extract()?;
    match wrong {
        None => Ok(()),
        Some((what, path)) => Err(failed(match &*what {
            "committed" => DatasetError::at(&writer.root, Kind::Committed),
            "missing" => DatasetError::at(writer.staging.join(path), Kind::MissingPart),
            _ => DatasetError::at(&writer.root, Kind::NotEmpty),
        })),
    }
}

/// Removes the written parts, and ignores errors.
pub(crate) fn abort(py: Python<'_>, writer: &DatasetWriter) {
    // It raises no exception.
    let _ = module(py).and_then(|module| calls::method(&module, "abort", (writer.staging.as_os_str(),)));
}

/// A local folder for a part, which is removed when it is dropped.
pub(crate) struct TemporaryFolder {
    folder: ObjectRef<PyAny>,
    path: PathBuf,
}

impl TemporaryFolder {
    pub(crate) fn create(py: Python<'_>) -> PyResult<TemporaryFolder> {
        let module = calls::import(py, "tempfile")?;
        let folder = calls::method(&module, "TemporaryDirectory", ())?;
        let path = folder.getattr("name")?.extract()?;
        Ok(TemporaryFolder { folder: ObjectRef::new(&folder), path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // If the folder cannot be removed, the system removes it at some time.
        let _ = Python::try_attach(|py| calls::method(self.folder.bind(py), "cleanup", ()).map(drop));
    }
}
