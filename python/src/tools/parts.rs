//! `split_file` with several files in a folder: after an error or a kill, there are none.

use std::{io::Error, num::NonZero, path::Path};

use arrow_ipc::IpcErrorKind;
use arrow_ipc_tools::{
    ConvertOptions, Input, ToolError,
    convert::{FileSplit, PartPath, PartStore, RowDivision, SplitRule, split_files},
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyList, PyString},
};

use super::{
    arguments::PartsArgs, change_args::column_names, convert::texts_of, open::open, watcher::Watcher,
};
use crate::{
    error::{Failure, Result, exception},
    exceptions::escaped,
    sink::Sink,
    source,
    write::check_signals,
};

/// How to divide the rows into several files; `None` for one file.
///
/// # Errors
/// If two arguments exclude each other. `others` has the names of other arguments, and whether they are set.
pub(super) fn split_by(args: &PartsArgs<'_>, others: &[(&str, bool)]) -> PyResult<Option<SplitRule>> {
    let given = [
        ("by", args.by.is_some()),
        ("into", args.into.is_some()),
        ("target_bytes", args.target_bytes.is_some()),
    ];
    let mut names = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name);
    let Some(name) = names.next() else { return Ok(None) };
    // `by` excludes only `batches`. The other arguments exclude any selection of rows.
    let excluded = |other: &str| name != "by" || other == "batches";
    let other = others.iter().find(|(other, is_given)| *is_given && excluded(other));
    if let Some(other) = names.next().or(other.map(|(other, _)| *other)) {
        return Err(exception::<PyValueError>(format!("{name} and {other} exclude each other")));
    }
    let at_least_1 = |name: &str, number: Option<u64>| {
        let zero = || exception::<PyValueError>(format!("{name} is 0; allowed: 1 and more"));
        number.map(|number| NonZero::new(number).ok_or_else(zero)).transpose()
    };
    let n_parts = at_least_1("into", args.into)?.map(RowDivision::Parts);
    let n_bytes = at_least_1("target_bytes", args.target_bytes)?.map(RowDivision::Bytes);
    let by = match &args.by {
        Some(one) if one.is_instance_of::<PyString>() => {
            Some(column_names(PyList::new(one.py(), [one])?.as_any())?)
        }
        by => by.as_ref().map(column_names).transpose()?,
    };
    Ok(n_parts.or(n_bytes).map(SplitRule::Rows).or(by.map(SplitRule::Values)))
}

/// The maximal number of files, if `max_files` is not set.
pub(super) const MAX_FILES: usize = 500;

/// Writes the parts, and returns the losses.
pub(super) fn write(
    source: source::Input,
    split: &FileSplit,
    options: &ConvertOptions,
    watcher: &mut Watcher,
) -> Result<Vec<String>> {
    let input = open(source)?;
    // A source that can be read only once is copied.
    let name = input.name().clone();
    let source = input.into_source()?;
    let input = || Input::try_new(name.clone(), source.clone());
    let written = split_files(&input, split, options, &Sinks, watcher);
    let (_, losses) = watcher.or(written)?;
    Ok(texts_of(&losses).collect())
}

struct Sinks;

impl PartStore for Sinks {
    type File = Sink;
    type Failure = Failure;

    /// Creating thousands of files takes seconds, so Ctrl-C is checked for each.
    fn create(&self, path: &PartPath) -> Result<Sink> {
        check_signals()?;
        Sink::at(path.temporary.clone()).map_err(|error| match error.kind() {
            IpcErrorKind::Open { error: cause, .. } => {
                self.io_failure(&path.path, Error::new(cause.kind(), cause.to_string()))
            }
            _ => error.into(),
        })
    }

    fn store(&self, sink: Sink, path: &PartPath) -> Result<()> {
        sink.finish().map_err(|error| self.io_failure(&path.path, error))
    }

    /// Makes an `OSError`, as Python's own functions do.
    fn io_failure(&self, path: &Path, error: Error) -> Failure {
        let text = escaped(&format!("{}: {error}", path.display()));
        PyErr::from(Error::new(error.kind(), text)).into()
    }

    fn tool_failure(&self, error: ToolError) -> Failure {
        Failure::from(error).with_unify_hint()
    }
}
