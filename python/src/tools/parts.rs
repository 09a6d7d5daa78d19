//! `split_file` into several files in a folder: all of them appear, or none.

use std::{
    fs,
    io::{self, Error, ErrorKind},
    num::NonZero,
    path::{Path, PathBuf},
};

use arrow_ipc::Limits;
use arrow_ipc_tools::{
    ColumnNames, Conversion, ConvertOptions, Input, PartsBy, RowWindow, Target, ToolError, ToolErrorKind,
    count_rows, cuts_by_bytes,
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyList, PyString},
};

use super::{arguments::PartsArgs, changed::column_names, convert::texts_of, open::open, watcher::Watcher};
use crate::{
    error::{Failure, Result},
    sink::Sink,
    source,
};

/// Where one file ends and the next begins.
pub(super) enum Cuts {
    /// So many files of as many rows each.
    Into(NonZero<u64>),
    /// After about so many bytes.
    TargetBytes(NonZero<u64>),
    /// A file for each value of these columns.
    By(ColumnNames),
}

impl Cuts {
    /// As arguments say; `None` for one file.
    ///
    /// # Errors
    /// If two of them exclude each other. `others` are further arguments by name, and whether they are given.
    pub(super) fn of(args: &PartsArgs<'_>, others: &[(&str, bool)]) -> PyResult<Option<Cuts>> {
        let given = [
            ("by", args.by.is_some()),
            ("into", args.into.is_some()),
            ("target_bytes", args.target_bytes.is_some()),
        ];
        let mut names = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name);
        let Some(name) = names.next() else { return Ok(None) };
        // The files of values are made of selected rows, the others of all.
        let excluded = |other: &str| name != "by" || other == "batches";
        let other = others.iter().find(|(other, is_given)| *is_given && excluded(other));
        if let Some(other) = names.next().or(other.map(|(other, _)| *other)) {
            return Err(PyValueError::new_err(format!("{name} and {other} exclude each other")));
        }
        let at_least_1 = |name: &str, number: Option<u64>| {
            let zero = || PyValueError::new_err(format!("{name} is 0; allowed: 1 and more"));
            number.map(|number| NonZero::new(number).ok_or_else(zero)).transpose()
        };
        let n_parts = at_least_1("into", args.into)?.map(Cuts::Into);
        let n_bytes = at_least_1("target_bytes", args.target_bytes)?.map(Cuts::TargetBytes);
        let by = match &args.by {
            Some(one) if one.is_instance_of::<PyString>() => {
                Some(column_names(PyList::new(one.py(), [one])?.as_any())?)
            }
            by => by.as_ref().map(column_names).transpose()?,
        };
        Ok(n_parts.or(n_bytes).or(by.map(Cuts::By)))
    }
}

/// How many files there may be, where nothing else is said.
const MAX_FILES: usize = 500;

/// Writes the parts, and returns what was lost.
pub(super) fn write(
    source: source::Input,
    root: PathBuf,
    (cuts, max_files): (Cuts, Option<usize>),
    options: &ConvertOptions,
    target: Target,
    watcher: &mut Watcher,
) -> Result<Vec<String>> {
    let max_files = max_files.unwrap_or(MAX_FILES);
    let input = open(source)?;
    // What cannot be read twice is copied.
    let (name, source) = (input.name().clone(), input.into_source()?);
    let input = || Input::try_from_source(name.clone(), source.clone());
    let conversion = |options: &ConvertOptions, watcher: &mut Watcher| {
        let opened = Conversion::open(vec![input()?], options, watcher);
        watcher.or(opened)
    };
    let mut files = PartFiles::begin(root, target)?;
    let mut lost = Vec::new();
    let n_parts = match cuts {
        Cuts::By(columns) => {
            let opened = conversion(options, watcher)?;
            let mut failure = None;
            let mut create = |folder: &str| {
                files.create(folder, "part-0").map_err(|error| {
                    failure = Some(error);
                    Error::other("a part cannot be created")
                })
            };
            let by = PartsBy { columns, max_parts: max_files };
            let written = opened.write_parts(&by, &mut create, watcher);
            if let Some(failure) = failure {
                return Err(failure);
            }
            let (sinks, losses) = watcher.or(written).map_err(Failure::with_hint_of_dictionaries)?;
            files.sinks = sinks;
            files.keep()?;
            return Ok(texts_of(&losses).collect());
        }
        Cuts::Into(n_parts) => Ok(n_parts),
        Cuts::TargetBytes(n_bytes) => Err(n_bytes),
    };
    let counted = count_rows(input()?, &Limits::default(), watcher);
    let n_rows = watcher.or(counted)?.n_rows;
    let cuts = match n_parts {
        Ok(n_parts) => {
            let n_parts = n_parts.get().min(n_rows.max(1));
            if usize::try_from(n_parts).map_or(true, |n_parts| n_parts > max_files) {
                return Err(ToolError::new(name, ToolErrorKind::TooManyParts { max: max_files }).into());
            }
            // Below the number of rows.
            let cut = |part: u64| (u128::from(n_rows) * u128::from(part) / u128::from(n_parts)) as u64;
            (0..=n_parts).map(cut).collect()
        }
        Err(n_bytes) => cuts_by_bytes(input()?, n_bytes, n_rows, max_files)?,
    };
    let n_digits = cuts.len().saturating_sub(2).to_string().len();
    for (part, rows) in cuts.windows(2).enumerate() {
        let &[start, stop] = rows else { continue };
        let opened = conversion(&options.clone().with_rows(RowWindow::of(start..stop)), watcher)?;
        let sink = files.create("", &format!("part-{part:0n_digits$}"))?;
        let written = opened.write_to(sink, watcher);
        let (sink, losses) = watcher.or(written).map_err(Failure::with_hint_of_dictionaries)?;
        files.sinks.push(sink);
        lost.extend(texts_of(&losses));
    }
    files.keep()?;
    Ok(lost)
}

/// Files that are not yet complete. Dropped before they are kept, nothing stays of them and their folders.
struct PartFiles {
    root: PathBuf,
    extension: &'static str,
    /// The folders that were made, outer ones first.
    folders: Vec<PathBuf>,
    sinks: Vec<Sink>,
}

impl PartFiles {
    fn begin(root: PathBuf, target: Target) -> Result<PartFiles> {
        let extension = match target {
            Target::Stream => "arrows",
            Target::File => "arrow",
        };
        match fs::read_dir(&root).map(|mut names| names.next()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Ok(None) => {}
            Ok(Some(_)) => {
                let what = "the folder is not empty: its files and the new ones would be one data set";
                return Err(at(&root, &Error::new(ErrorKind::AlreadyExists, what)).into());
            }
            Err(error) => return Err(at(&root, &error).into()),
        }
        Ok(PartFiles { root, extension, folders: Vec::new(), sinks: Vec::new() })
    }

    fn create(&mut self, folder: &str, stem: &str) -> Result<Sink> {
        let folder = self.root.join(folder);
        self.make(&folder).map_err(|error| at(&folder, &error))?;
        Ok(Sink::at(folder.join(format!("{stem}.{}", self.extension)))?)
    }

    fn make(&mut self, folder: &Path) -> io::Result<()> {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.make(parent)?;
        }
        fs::create_dir(folder)?;
        self.folders.push(folder.to_owned());
        Ok(())
    }

    fn keep(mut self) -> io::Result<()> {
        std::mem::take(&mut self.sinks).into_iter().try_for_each(Sink::finish)?;
        self.folders.clear();
        Ok(())
    }
}

impl Drop for PartFiles {
    fn drop(&mut self) {
        // Each removes its file.
        self.sinks.clear();
        for folder in self.folders.iter().rev() {
            // One that is not empty stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// As Python's own functions raise it.
fn at(path: &Path, error: &Error) -> PyErr {
    Error::new(error.kind(), format!("{}: {error}", path.display())).into()
}
