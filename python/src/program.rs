//! The program `arrow-ipc`, which the package installs: the same code as the program without Python.

use std::{ffi::OsString, io, path::PathBuf};

use arrow_ipc_cli::Host;
use arrow_ipc_tools::{Input, InputName, ToolError, ToolErrorKind};
use pyo3::prelude::*;

use crate::ranges::RangeFile;

/// Runs the program with these arguments, of which the first is its name, and returns its exit status. `viewer` is where the page
/// of `serve` would be.
#[pyfunction]
pub(crate) fn _run_program(py: Python<'_>, args: Vec<OsString>, viewer: PathBuf) -> u8 {
    let host = Host { open_url: Some(open_url), viewer: Some(viewer) };
    py.detach(|| arrow_ipc_cli::run(args, host))
}

/// Opens a URL as the functions of the package do.
fn open_url(url: &str, name: InputName) -> Result<Input, ToolError> {
    let opened = Python::attach(|py| {
        RangeFile::open(py, url).map_err(|error| io::Error::other(error.value(py).to_string()))
    });
    match opened {
        Ok(file) => Input::try_new(name, file),
        Err(error) => Err(ToolError::new(name, ToolErrorKind::Read(error))),
    }
}
