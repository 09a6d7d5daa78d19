//! Writes the parts of one input as files in a folder, which get their names together.

use std::{
    collections::HashMap,
    io::{Error, Result as IoResult, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_ipc::WrittenContainer;
use arrow_ipc_dataset::{AtomicFolder, Dataset};
use arrow_schema::{Field, Schema};

use super::{
    Conversion,
    losses::{NamedLoss, merge_part_losses},
    options::ConvertOptions,
    parts::{self, PartitionColumns, RowDivision, RowParts, parts_of_rows},
    spooled_stream::SpooledStream,
};
use crate::{
    columns::ColumnNames,
    error::{ToolError, loss::Loss, name::InputName},
    input::Input,
    observer::{Note, NoteKind, Observer, Passes},
    rows::{parts::each_by_threads, prefetch::WINDOW_BYTES},
};

/// The maximal number of files whose bytes are flushed to the disk at the same time.
const MAX_STORING: usize = 16;

/// How the rows of an input are divided into files.
#[derive(Debug, Clone)]
pub struct FileSplit {
    /// The folder of the files. It is created if it does not exist, and must be empty otherwise.
    pub root: PathBuf,
    /// Which rows each file gets.
    pub by: SplitRule,
    /// The maximal number of files. More files are an error.
    pub max_files: usize,
}

/// How rows are assigned to files.
#[derive(Debug, Clone)]
pub enum SplitRule {
    /// Consecutive rows: each file gets a range. [`ConvertOptions::rows`] has no effect.
    Rows(RowDivision),
    /// The values of these columns: each combination gets a file, in folders that are named after the values.
    Values(ColumnNames),
}

/// Creates the files for [`split_files`].
pub trait PartStore {
    /// An unfinished file. Dropping it before [`store`](PartStore::store) removes the file.
    type File: Write + Send;
    /// The type of errors when files are created and written.
    type Failure: Send;

    /// Creates the folder of all files.
    ///
    /// # Errors
    /// If the folder cannot be created.
    fn create_folder(&self, create: impl FnOnce() -> IoResult<AtomicFolder>) -> IoResult<AtomicFolder> {
        create()
    }

    /// Creates a file in the temporary folder.
    ///
    /// # Errors
    /// If the file cannot be created.
    fn create(&self, path: &PartPath) -> Result<Self::File, Self::Failure>;

    /// Stores the bytes of a complete file durably, under its name in the temporary folder. Several threads may call
    /// this method at the same time, for different files.
    ///
    /// # Errors
    /// If the bytes cannot be stored.
    fn store(&self, file: Self::File, path: &PartPath) -> Result<(), Self::Failure>;

    /// Makes the failure for an I/O error of a file or folder.
    fn io_failure(&self, path: &Path, error: Error) -> Self::Failure;

    /// Makes the failure for an error of the input or of writing.
    fn tool_failure(&self, error: ToolError) -> Self::Failure;
}

/// The path of a file that [`split_files`] writes.
#[derive(Debug, Clone)]
pub struct PartPath {
    /// The path in the temporary folder.
    pub temporary: PathBuf,
    /// The path that the file will have.
    pub path: PathBuf,
}

/// Writes the rows of an input as several files, which get their names together: see [`AtomicFolder`]. Calls `open` several times to read the input. Returns the number of
/// files, and the losses of the input.
///
/// # Errors
/// If the folder is not empty, or cannot be read. If the input cannot be read, a file cannot be written, there would be
/// too many files, or the observer stops the work. After an error, all new files and folders are removed.
pub fn split_files<S: PartStore + Sync>(
    open: &dyn Fn() -> Result<Input, ToolError>,
    split: &FileSplit,
    options: &ConvertOptions,
    store: &S,
    observer: &mut dyn Observer,
) -> Result<(usize, Vec<NamedLoss>), S::Failure> {
    let failed = |error| store.tool_failure(error);
    let mut files = PartFiles::begin(&split.root, options.container, store)?;
    let mut split_schema = None;
    let (losses, notes) = match &split.by {
        SplitRule::Values(columns) => {
            // Any reshaping, even an empty one, makes the conversion decode all rows.
            let reshaping = options.reshaping.clone().unwrap_or_default();
            let options = ConvertOptions { reshaping: Some(reshaping), ..options.clone() };
            let input = open().map_err(failed)?;
            let conversion = Conversion::open(vec![input], &options, observer).map_err(failed)?;
            split_schema = Some((conversion.name.clone(), Arc::clone(conversion.schema.schema())));
            let mut failure = None;
            let mut create = |folder: &str| {
                files.create(folder, "part-0").map_err(|error| {
                    failure = Some(error);
                    Error::other("a part cannot be created")
                })
            };
            let by = PartitionColumns { columns, max_parts: split.max_files };
            let notes = conversion.notes();
            let written = parts::write(conversion, &by, &mut create, observer);
            if let Some(failure) = failure {
                return Err(failure);
            }
            let (outputs, losses) = written.map_err(failed)?;
            files.outputs = outputs;
            (losses, notes)
        }
        SplitRule::Rows(by) => files.write_rows(open, (*by, split.max_files), options, observer)?,
    };
    let n_files = files.publish()?;
    notes.iter().for_each(|note| observer.note(note));
    if let Some((name, schema)) = split_schema {
        note_folder_types(&split.root, &name, &schema, observer);
    }
    Ok((n_files, losses))
}

/// Sends a note about each folder column that changes between text and another type. When a data set is read, the
/// names of its folders determine the type of such a column.
fn note_folder_types(root: &Path, name: &InputName, schema: &Schema, observer: &mut dyn Observer) {
    let is_text = |field: &Field| field.data_type().value_type().is_text();
    let Ok(set) = Dataset::open([root]) else { return };
    let mut by_name = HashMap::with_capacity(schema.fields().len());
    for from in schema.fields() {
        by_name.entry(from.name()).or_insert(from);
    }
    for field in set.schema().fields() {
        let from = by_name.get(field.name()).copied();
        if let Some(from) = from.filter(|from| is_text(from) != is_text(field)) {
            let column = field.name().to_owned();
            let from = from.data_type().clone();
            let kind = NoteKind::FolderType { column, from, data_type: field.data_type().clone() };
            observer.note(&Note { input: name.clone(), kind });
        }
    }
}

/// Unfinished files in a temporary folder. Dropping this value before [`publish`](PartFiles::publish) removes them.
struct PartFiles<'a, S: PartStore> {
    root: &'a Path,
    container: WrittenContainer,
    store: &'a S,
    names: Vec<PartPath>,
    /// The files, in the order of `names`. They are dropped before their folder.
    outputs: Vec<S::File>,
    folder: AtomicFolder,
}

impl<'a, S: PartStore> PartFiles<'a, S> {
    fn begin(
        root: &'a Path,
        container: WrittenContainer,
        store: &'a S,
    ) -> Result<PartFiles<'a, S>, S::Failure> {
        let folder = store.create_folder(|| AtomicFolder::create(root));
        let folder = folder.map_err(|error| store.io_failure(root, error))?;
        Ok(PartFiles { root, container, store, names: Vec::new(), outputs: Vec::new(), folder })
    }

    /// Creates a file in a folder below the root.
    fn create(&mut self, folder: &str, stem: &str) -> Result<S::File, S::Failure> {
        let path = self.root.join(folder);
        let created = self.folder.create_folder(folder.as_ref());
        let created = created.map_err(|error| self.store.io_failure(&path, error))?;
        let name = format!("{stem}.{}", self.container.extension());
        let name = PartPath { temporary: created.join(&name), path: path.join(&name) };
        let output = self.store.create(&name)?;
        self.names.push(name);
        Ok(output)
    }

    /// Writes consecutive rows of the input to each of at most `max_files` files. Returns the losses, and the notes about
    /// statistics and text.
    fn write_rows(
        &mut self,
        open: &dyn Fn() -> Result<Input, ToolError>,
        (by, max_files): (RowDivision, usize),
        options: &ConvertOptions,
        observer: &mut dyn Observer,
    ) -> Result<(Vec<NamedLoss>, Vec<Note>), S::Failure> {
        let store = self.store;
        let failed = |error| store.tool_failure(error);
        let RowParts { windows, count } = parts_of_rows(open, by, max_files, observer).map_err(failed)?;
        let n_parts = windows.len() as u64;
        let input = open().map_err(failed)?;
        let name = input.name().clone();
        // The parts compare the footer of a file with its stream.
        let trailing =
            count.rows.remarks.trailing_bytes.filter(|rest| rest.is_after_stream()).map(Loss::TrailingBytes);
        let mut losses: Vec<NamedLoss> = trailing.map(|loss| (name.clone(), loss)).into_iter().collect();
        // Two outputs together decode a stream about once. Rows of large batches are read by position, so no output decodes
        // those of others, and no batch is held as a whole.
        let decoded = if n_parts > 2 && count.longest_body_bytes <= WINDOW_BYTES {
            SpooledStream::try_new(input, count.rows.n_rows, options, observer).map_err(failed)?
        } else {
            None
        };
        let mut notes = Vec::new();
        for (part_idx, (part, rows)) in (0..).zip(windows) {
            let found = match &decoded {
                Some(decoded) => decoded.input(options),
                None => open().map(|input| (input, options.clone())),
            };
            let (input, options) = found.map_err(failed)?;
            let options = ConvertOptions { rows, batches: None, ..options };
            let conversion = Conversion::open(vec![input], &options, observer).map_err(failed)?;
            // Each part is a pass over the same input.
            let work = conversion.inputs.first().and_then(|input| input.rows.work().1);
            let mut passes = Passes::nth(observer, part_idx, n_parts, work);
            notes = conversion.notes();
            let mut output = self.create("", &part)?;
            losses.extend(conversion.write(&mut output, &mut passes).map_err(failed)?);
            self.outputs.push(output);
        }
        losses.extend(decoded.into_iter().flat_map(|decoded| decoded.losses));
        let is_noted = notes.iter().any(|note| matches!(note.kind, NoteKind::TextNotUtf8));
        if count.rows.remarks.has_text_not_utf8 && !is_noted {
            notes.push(Note { input: name, kind: NoteKind::TextNotUtf8 });
        }
        Ok((merge_part_losses(losses), notes))
    }

    /// Stores all files durably, gives them their final names together, and returns their number.
    fn publish(self) -> Result<usize, S::Failure>
    where
        S: Sync,
    {
        let PartFiles { root, container, store, names, outputs, folder } = self;
        if names.is_empty() {
            return Ok(0);
        }
        // Several threads store files, because each of them waits for the disk.
        each_by_threads(MAX_STORING, outputs.into_iter().zip(&names), |(output, name)| {
            store.store(output, name)
        })?;
        folder.publish(container.extension()).map_err(|error| store.io_failure(root, error))?;
        Ok(names.len())
    }
}
