//! `recover`: the complete batches of a damaged file or of damaged streams, as a sound one.

use arrow_ipc_tools::{Input, RecoverOptions, Rescue, Target};
use pyo3::{prelude::*, types::PyDict};

use super::{Signals, named};
use crate::{error::Result, options::unknown, sink::Sink, source};

/// Copies every complete batch of a damaged file or stream to a sound one, with its dictionaries, and tells what is lost.
///
/// Each batch is checked, and copied as it is. `container` is "file" or
/// "stream". With `keep_dictionaries`, batches of a stream are kept whose dictionaries may have been replaced in damaged
/// bytes; if one was, they have wrong values.
///
/// Returns a dict: `batches` and `rows` are how many were recovered, `lost` is a list of texts that say what was lost, where and
/// why. Raises if no schema can be read, or if dictionaries are replaced and `container` is "file".
#[pyfunction]
#[pyo3(signature = (source, dest, *, container = "file", keep_dictionaries = false))]
pub(crate) fn recover<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    dest: &Bound<'py, PyAny>,
    container: &str,
    keep_dictionaries: bool,
) -> Result<Bound<'py, PyDict>> {
    let target = match container {
        "file" => Target::File,
        "stream" => Target::Stream,
        other => return Err(unknown("container", other, "'file' or 'stream'").into()),
    };
    let options = RecoverOptions::new(target);
    let options = if keep_dictionaries { options.keeping_dictionaries() } else { options };
    let source = source::Input::try_new(source)?;
    let mut signals = Signals::default();
    let opened =
        py.detach(|| Rescue::open(open_damaged(source)?, &options).map_err(crate::error::Failure::from))?;
    // The destination is not touched before a schema was found.
    let sink = Sink::try_new(dest)?;
    let report = py.detach(|| {
        let written = opened.write_to(sink, &mut signals);
        let (sink, report) = signals.or(written)?;
        sink.finish()?;
        Result::Ok(report)
    })?;
    let said = PyDict::new(py);
    said.set_item("batches", report.n_batches)?;
    said.set_item("rows", report.n_rows)?;
    said.set_item("lost", report.losses.iter().map(ToString::to_string).collect::<Vec<String>>())?;
    Ok(said)
}

/// Opens what may begin with anything.
fn open_damaged(source: source::Input) -> Result<Input> {
    Ok(match source {
        source::Input::Path(path) => Input::open_damaged(&path).map_err(|error| named(path, error))?,
        source::Input::Memory(bytes) => Input::from_damaged("the bytes", bytes),
        source::Input::Ranges(file) => Input::from_damaged("the URL", file),
        source::Input::FileLike(file) if file.is_seekable()? => {
            Input::from_damaged("the file-like object", file)
        }
        source::Input::FileLike(file) => Input::try_from_damaged_reader("the file-like object", file)?,
    })
}
