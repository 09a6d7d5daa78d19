//! `convert`: a file or streams as the other, or with other compression and dictionaries.

use arrow_ipc_tools::{Conversion, ConvertOptions};
use pyo3::prelude::*;

use super::{Signals, open};
use crate::{
    error::{Failure, Result},
    options::{self, Dictionaries},
    sink::Sink,
    source::Input,
    write::Wanted,
};

/// Rewrites a file or streams as a file or stream. Keeps rows, batches, dictionary ids and all metadata that the target has a
/// place for, and gives what was lost, as texts.
///
/// `container` is "file" or "stream", by default what the name of `dest` says: .arrows is a stream; .arrow, .feather and .ipc are
/// files. `compression`, `dictionaries` and `unused` are as for `write_file` and `write_stream`. A file at a path gets its name when it is
/// complete, so it may be the one that is read.
///
/// >>> arrow_ipc.convert("people.arrow", "copy.arrows", compression="zstd")
/// []
#[pyfunction]
#[pyo3(signature = (source, dest, *, container = None, compression = None, dictionaries = "replace", unused = "bounded"))]
pub(crate) fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    dest: &Bound<'_, PyAny>,
    container: Option<&str>,
    compression: Option<&str>,
    dictionaries: &str,
    unused: &str,
) -> Result<Vec<String>> {
    let wanted = Wanted::parse(compression, dictionaries, None)?.with_unused(unused)?;
    let mut options = ConvertOptions::new(options::target(container, dest)?).with_writing(wanted.options);
    if wanted.dictionaries == Dictionaries::Unify {
        options = options.unifying_dictionaries();
    }
    let source = Input::try_new(source)?;
    let mut signals = Signals::default();
    let opened = py.detach(|| {
        let input = open(source)?;
        let opened = Conversion::open(vec![input], &options, &mut signals);
        std::mem::take(&mut signals).or(opened)
    })?;
    // The destination is not touched before the source was looked at.
    let sink = Sink::try_new(dest)?;
    py.detach(|| {
        let written = opened.write_to(sink, &mut signals);
        let (sink, losses) = signals.or(written).map_err(Failure::with_hint_of_dictionaries)?;
        sink.finish()?;
        Ok(losses.iter().map(|(_, loss)| loss.to_string()).collect())
    })
}
