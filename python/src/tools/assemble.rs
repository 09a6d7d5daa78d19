//! `concat_files` and `split_file`: several files or streams to one, and a part of one.

use std::num::NonZero;

use arrow_ipc::WriteOptions;
use arrow_ipc_tools::{Conversion, ConvertOptions, RowWindow};
use pyo3::{exceptions::PyValueError, prelude::*};

use super::{Signals, open};
use crate::{
    error::{Failure, Result},
    options::{self, Dictionaries},
    sink::Sink,
    source::Input,
};

/// Writes several files or streams with the same columns as one, and gives what was lost, as texts.
///
/// Whole batches are copied without decoding them where that gives the same rows; then values are not checked. `sources` are as
/// for `open`. `container` is as for `convert`. `target_rows` cuts and joins batches to so many rows. `compression` is that of all
/// bodies, or "none"; by default batches keep theirs, and new ones get that of the first. `dictionaries` is as for `write_file`,
/// also where sources have different ones.
///
/// >>> arrow_ipc.concat_files(["people.arrow", "people.arrows"], "both.arrow")
/// []
/// >>> arrow_ipc.open("both.arrow").num_rows
/// 6
#[pyfunction]
#[pyo3(signature = (
    sources, dest, *, container = None, target_rows = None, compression = None, dictionaries = "replace",
))]
pub(crate) fn concat_files(
    py: Python<'_>,
    sources: &Bound<'_, PyAny>,
    dest: &Bound<'_, PyAny>,
    container: Option<&str>,
    target_rows: Option<u64>,
    compression: Option<&str>,
    dictionaries: &str,
) -> Result<Vec<String>> {
    let options = ConvertOptions::copying(options::target(container, dest)?);
    let options = with_form(with_target_rows(options, target_rows)?, compression, dictionaries)?;
    let sources = sources.try_iter()?.map(|source| Input::try_new(&source?)).collect::<PyResult<Vec<_>>>()?;
    assemble(py, sources, dest, &options)
}

/// Writes a part of a file or stream, and gives what was lost, as texts.
///
/// `batches` or `rows` are a slice, a range or a pair of start and stop, counted from 0. The first of them must be there,
/// unless it is 0. The other arguments are as for `concat_files`.
///
/// >>> arrow_ipc.split_file("people.arrow", "part.arrow", rows=(1, 3))
/// []
/// >>> arrow_ipc.open("part.arrow")["id"].to_pylist()
/// [2, 3]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
#[pyfunction]
#[pyo3(signature = (
    source, dest, *, batches = None, rows = None, container = None, target_rows = None, compression = None,
    dictionaries = "replace",
))]
pub(crate) fn split_file(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    dest: &Bound<'_, PyAny>,
    batches: Option<&Bound<'_, PyAny>>,
    rows: Option<&Bound<'_, PyAny>>,
    container: Option<&str>,
    target_rows: Option<u64>,
    compression: Option<&str>,
    dictionaries: &str,
) -> Result<Vec<String>> {
    let options = ConvertOptions::copying(options::target(container, dest)?);
    let options = with_form(with_target_rows(options, target_rows)?, compression, dictionaries)?;
    let options = match (batches, rows) {
        (Some(_), Some(_)) => return Err(PyValueError::new_err("batches and rows exclude each other").into()),
        (Some(batches), None) => options.with_batches(options::range_from_start("batches", batches)?),
        (None, Some(rows)) => options.with_rows(RowWindow::of(options::range_from_start("rows", rows)?)),
        (None, None) => options,
    };
    assemble(py, vec![Input::try_new(source)?], dest, &options)
}

fn with_target_rows(options: ConvertOptions, target_rows: Option<u64>) -> PyResult<ConvertOptions> {
    match target_rows {
        None => Ok(options),
        Some(n_rows) => match NonZero::new(n_rows) {
            Some(n_rows) => Ok(options.with_batch_rows(n_rows)),
            None => Err(PyValueError::new_err("target_rows is 0; allowed: 1 and more")),
        },
    }
}

/// Where nothing is asked for, batches keep the form that they have.
fn with_form(
    options: ConvertOptions,
    compression: Option<&str>,
    dictionaries: &str,
) -> PyResult<ConvertOptions> {
    let options = match compression.map(options::compression).transpose()? {
        Some(compression) => options.with_writing(WriteOptions::new().with_compression(compression)),
        None => options,
    };
    Ok(match Dictionaries::parse(dictionaries)? {
        Dictionaries::Replace => options,
        Dictionaries::Unify => options.unifying_dictionaries(),
        dictionaries => options.with_dictionaries(dictionaries.policy()),
    })
}

fn assemble(
    py: Python<'_>,
    sources: Vec<Input>,
    dest: &Bound<'_, PyAny>,
    options: &ConvertOptions,
) -> Result<Vec<String>> {
    let mut signals = Signals::default();
    let opened = py.detach(|| {
        let inputs = sources.into_iter().map(open).collect::<Result<Vec<_>>>()?;
        let opened = Conversion::open(inputs, options, &mut signals);
        std::mem::take(&mut signals).or(opened)
    })?;
    // The destination is not touched before the sources were looked at.
    let sink = Sink::try_new(dest)?;
    py.detach(|| {
        let written = opened.write_to(sink, &mut signals);
        let (sink, losses) = signals.or(written).map_err(Failure::with_hint_of_dictionaries)?;
        sink.finish()?;
        Ok(losses.iter().map(|(name, loss)| format!("{name}: {loss}")).collect())
    })
}
