//! `convert`: a file or streams as the other, or with other compression and dictionaries.

use arrow_ipc_tools::{Conversion, ConvertOptions, Target};
use pyo3::prelude::*;

use super::{Signals, open};
use crate::{error::Result, sink::Sink, source::Input, write::Wanted};

/// Rewrites a file or streams as a file or stream. Keeps rows, batches, dictionary ids and all metadata that the target has a
/// place for, and gives what was lost, as texts.
///
/// `container` is "file" or "stream"; `compression` and `dictionaries` are as for `write_file` and `write_stream`. A file at a path
/// gets its name when it is complete, so it may be the one that is read.
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
#[pyfunction]
#[pyo3(signature = (source, dest, *, container = "file", compression = None, dictionaries = None))]
pub(crate) fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    dest: &Bound<'_, PyAny>,
    container: &str,
    compression: Option<&str>,
    dictionaries: Option<&str>,
) -> Result<Vec<String>> {
    let wanted = Wanted::parse(container, compression, dictionaries, None)?;
    let source = Input::try_new(source)?;
    let target = if wanted.is_file() { Target::File } else { Target::Stream };
    let mut options = ConvertOptions::new(target).with_writing(wanted.options().clone());
    if wanted.unifies() {
        options = options.unifying_dictionaries();
    }
    let mut signals = Signals::default();
    let opened = py.detach(|| {
        let input = open(source)?;
        let opened = Conversion::open(input, &options, &mut signals);
        std::mem::take(&mut signals).or(opened)
    })?;
    // The destination is not touched before the source was looked at.
    let sink = Sink::try_new(dest)?;
    py.detach(|| {
        let written = opened.write_to(sink, &mut signals);
        let (sink, losses) = signals.or(written)?;
        sink.finish()?;
        Ok(losses.iter().map(ToString::to_string).collect())
    })
}
