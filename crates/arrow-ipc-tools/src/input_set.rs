//! Reads a data set as one input, or listed inputs with the columns of all.

pub(crate) mod union;

use std::{
    collections::BTreeMap,
    iter,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_compute::Predicate;
use arrow_ipc::{IpcSchema, Limits, Threads};
use arrow_ipc_dataset::{Dataset, DatasetFile, DatasetOptions, FileContents, is_dataset, list_files};
use arrow_schema::DataType;

use crate::{
    columns::RowQuery,
    count::RowCount,
    error::{InputContext, ToolError, loss::Loss, name::InputName, trailing::TrailingBytes},
    input::{Input, origin::OriginLosses},
    observer::{InputRemarks, Observer, Pass, Unit},
    validate::{ValidateOptions, ValidateReport, validate},
};

/// The selected rows of all files in a folder, or of all files that match a pattern.
///
/// ```no_run
/// use arrow_ipc::Limits;
/// use arrow_ipc_tools::{InputSet, RowQuery, Rows};
///
/// let query = RowQuery::new().with_condition("id > 5".parse::<arrow_compute::Predicate>()?);
/// if let Some(set) = InputSet::open("data/**/*.arrow".as_ref(), &query, &Limits::default()) {
///     println!("{}", Rows::open(set?.into_input()?)?.schema());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct InputSet {
    name: InputName,
    set: Dataset,
    limits: Limits,
    /// What the files with selected rows have beside their rows.
    remarks: InputRemarks,
}

impl InputSet {
    /// Whether a path is a folder or a pattern. A path with `*` is no pattern if a file has exactly this name.
    pub fn is_named(path: &Path) -> bool {
        is_dataset(path)
    }

    /// The files of a folder or pattern; `None` for any other path.
    ///
    /// # Errors
    /// If no file is found, or a folder cannot be read.
    pub fn files_of(path: &Path) -> Option<Result<Vec<PathBuf>, ToolError>> {
        is_dataset(path)
            .then(|| list_files(path).map_err(|error| ToolError::from_set_error(path.into(), error)))
    }

    /// [Validates](validate) each file of a folder or pattern, and [checks](InputSet::check) that the files can be read
    /// together; `None` for any other path.
    ///
    /// # Errors
    /// The errors of [`validate`], for the first file that has an error. The errors of [`open`](InputSet::open).
    pub fn validate(
        path: &Path,
        options: &ValidateOptions,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Option<Result<ValidateReport, ToolError>> {
        let all = |files: Vec<PathBuf>| {
            let mut all = ValidateReport::default();
            for path in files {
                let found =
                    validate(Input::open_compressed(&path)?.with_limits(limits.clone()), options, observer)?;
                all.n_rows = all.n_rows.saturating_add(found.n_rows);
                all.n_batches = all.n_batches.saturating_add(found.n_batches);
                all.n_tensors = all.n_tensors.saturating_add(found.n_tensors);
                let new = found.portability.into_iter().filter(|note| !all.portability.contains(note));
                let new: Vec<_> = new.collect();
                all.portability.extend(new);
            }
            let query = options.columns.clone().into_iter().fold(RowQuery::new(), RowQuery::with_columns);
            InputSet::check(path, &query, limits).unwrap_or(Ok(()))?;
            Ok(all)
        };
        Some(InputSet::files_of(path)?.and_then(all))
    }

    /// Checks that the columns of a query can be read from the files of a folder or pattern as from one data set, by their
    /// footers; `None` for any other path.
    ///
    /// # Errors
    /// The errors of [`open`](InputSet::open).
    pub fn check(path: &Path, query: &RowQuery, limits: &Limits) -> Option<Result<(), ToolError>> {
        InputSet::open(path, query, limits).map(|opened| opened.map(drop))
    }

    /// Opens the files of a folder or pattern, to read the rows and columns that a query needs; `None` for any other
    /// path. Reads only the footers, and bytes before a footer that no block has.
    ///
    /// # Errors
    /// If a file cannot be read, files have types without a wider type of a column that is selected or in the condition, or the query
    /// does not fit the columns.
    pub fn open(path: &Path, query: &RowQuery, limits: &Limits) -> Option<Result<InputSet, ToolError>> {
        if !is_dataset(path) {
            return None;
        }
        // Threads that read footers mostly wait for the disk, so at least eight threads read them.
        let n_threads = Threads::n_available();
        let n_threads = if n_threads == 1 { 1 } else { n_threads.max(8) };
        let options = DatasetOptions::new().with_n_threads(n_threads).with_limits(limits.clone());
        let options = if query.trusts_statistics() { options.with_trusted_statistics() } else { options };
        let options = options.without_conflicting_columns();
        let options = match query.condition().filter(|_| !query.numbers_rows()) {
            Some(condition) => options.with_pruning(condition.clone()),
            None => options,
        };
        let open = |types: &BTreeMap<String, DataType>| {
            let opened = Dataset::open_with([path], options.clone().with_types(types.clone()));
            opened.map_err(|error| ToolError::from_set_error(path.into(), error))
        };
        let mut types = query.casts().clone();
        let set = open(&types).and_then(|set| {
            let n_casts = types.len();
            types.extend(set.conflicting_columns().filter_map(|name| query.type_of_conflicting(name)));
            if types.len() > n_casts { open(&types) } else { Ok(set) }
        });
        let limits = limits.clone();
        Some(set.and_then(|set| InputSet::selected(path.into(), set, limits, query)))
    }

    /// Counts the rows that match. Skips a batch if the metadata shows that all of its rows match.
    ///
    /// # Errors
    /// If a file cannot be read. If the observer stops the work.
    pub fn count(self, observer: &mut dyn Observer) -> Result<RowCount, ToolError> {
        let InputSet { name, set, remarks, .. } = self;
        let opened = set.files().iter().filter_map(DatasetFile::known_contents);
        let n_batches = opened.map(|contents| contents.n_batches() as u64).sum();
        let mut pass = Pass::begin(observer, &name, (Unit::Batches, Some(n_batches)))?;
        let mut observed = Ok(());
        let counted = set.count_while(|n_done| {
            observed = pass.set(n_done);
            observed.is_ok()
        });
        observed?;
        let n_rows = counted.map_err(|error| ToolError::from_set_error(name, error))?;
        pass.set(n_batches)?;
        Ok(RowCount { n_rows, n_batches, remarks })
    }

    /// Makes an input of the matching rows, with the selected columns and the columns of the condition.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn into_input(self) -> Result<Input, ToolError> {
        let InputSet { name, set, limits, remarks } = self;
        let from_set_error = name.clone();
        let schema = Arc::clone(set.schema());
        let batches = set.read_by_threads(Threads::n_available());
        let mut batches = batches.map_err(|error| ToolError::from_set_error(name.clone(), error))?;
        let origin = OriginLosses::from_files(
            set.files_that_match().map(|file| file.path().to_owned()).collect(),
            remarks,
        );
        let origin_at_end = origin.clone();
        let rows = iter::from_fn(move || {
            let next = batches.next();
            if next.is_none() && batches.n_lost_metadata() > 0 {
                origin_at_end.add(Loss::FileMetadata);
            }
            next.map(|batch| batch.map_err(|error| ToolError::from_set_error(from_set_error.clone(), error)))
        });
        let mut input = Input::from_batches(name, schema, rows).with_limits(limits).with_narrowed_columns();
        input.origin = origin;
        Ok(input)
    }

    /// Narrows the data set to the rows and columns that a query needs. Columns stay in the order of the data set.
    fn selected(
        name: InputName,
        set: Dataset,
        limits: Limits,
        query: &RowQuery,
    ) -> Result<InputSet, ToolError> {
        let condition_columns = query.condition().into_iter().flat_map(Predicate::columns);
        if let Some(error) = condition_columns.filter_map(|column| set.conflict_of(column)).next() {
            return Err(ToolError::from_set_error(name, error));
        }
        let schema = set.full_schema().clone();
        let selection = query.select(&IpcSchema::from(&schema)).in_input(&name)?;
        let narrow = || {
            let set = match query.condition() {
                Some(condition) if !query.numbers_rows() => set.with_predicate(condition.clone())?,
                Some(_) | None => set,
            };
            let positions: Vec<usize> = match selection.columns_read() {
                Some(positions) => positions.into_iter().collect(),
                // To select a conflicting column is an error.
                None if set.conflicting_columns().next().is_some() => (0..schema.fields().len()).collect(),
                None => return Ok(set),
            };
            let fields = positions.into_iter().filter_map(|position| schema.field(position));
            set.with_columns(fields.map(|field| field.name()))
        };
        match narrow() {
            Ok(set) => {
                let remarks = InputRemarks {
                    trailing_bytes: unreferenced_bytes_of(&set, |path| path.into()),
                    n_tensors: 0,
                    has_text_not_utf8: contents_that_match(&set).any(FileContents::has_text_not_utf8),
                };
                Ok(InputSet { name, set, limits, remarks })
            }
            Err(error) => Err(ToolError::from_set_error(name, error)),
        }
    }
}

/// The bytes before the footer of a file of a data set that none of its blocks has, if the file is open and may have matching rows, with
/// the name of the file; `None` if there are none. They were found when the file was opened.
pub fn unreferenced_bytes_of(set: &Dataset, name: impl Fn(&Path) -> InputName) -> Option<TrailingBytes> {
    let found =
        |file: &DatasetFile| Some((name(file.path()), file.known_contents()?.unreferenced_bytes()?.clone()));
    let mut found = set.files_that_match().filter_map(found);
    let (name, unreferenced) = found.next()?;
    Some(TrailingBytes::before_footer(unreferenced).in_file(name, found.count()))
}

/// What the footers of the open files that may have matching rows say.
fn contents_that_match(set: &Dataset) -> impl Iterator<Item = &FileContents> {
    set.files_that_match().filter_map(DatasetFile::known_contents)
}
