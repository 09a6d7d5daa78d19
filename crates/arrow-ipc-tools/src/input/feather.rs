//! Feather files of version 1, which R and Python wrote from 2016 to 2020: the columns of one table, then metadata.
//!
//! ```text
//! FEA1 | pages of the columns | metadata: a flatbuffer | its length in 4 bytes | FEA1
//! ```
//!
//! **Invariant:** memory and time are in proportion to the file, because its columns share no bytes.

mod array;
mod metadata;

use std::{ops::Range, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch, Validation};
use arrow_ipc::{FormatErrorKind, IpcError, Limits, Source as _, error::Context as _};
use arrow_ipc_format::required;
use arrow_schema::{FieldPath, Schema};

use self::metadata::{StoredColumn, StoredTable};
use crate::{
    error::{ToolError, ToolErrorKind, name::InputName},
    input::generated_rows::GeneratedRows,
    source::SharedSource,
};

const MAGIC: &[u8] = b"FEA1";

/// The bytes after the metadata: its length, and the magic.
const TAIL_BYTES: u64 = 8;

/// The number of rows of a batch. The columns of a file are cut into batches.
const BATCH_ROWS: usize = 1 << 16;

/// Reads the metadata of a file. The columns are read for the first batch.
///
/// # Errors
/// If the file cannot be read, is malformed, or has types that Arrow does not have.
pub(crate) fn open(name: &InputName, source: SharedSource) -> Result<GeneratedRows, ToolError> {
    let table = read_metadata(&source).map_err(|error| failed(name, error))?;
    let schema = Arc::new(table.schema);
    let file =
        FeatherFile { source, schema: Arc::clone(&schema), columns: table.columns, n_rows: table.n_rows };
    let batches = FeatherBatches { name: name.clone(), file: Some(file), rest: None };
    Ok(GeneratedRows::new(schema, batches))
}

fn failed(name: &InputName, error: IpcError) -> ToolError {
    ToolError::new(name, ToolErrorKind::Input(error))
}

fn read_metadata(source: &SharedSource) -> Result<StoredTable, IpcError> {
    let n_bytes = source.n_bytes()?;
    let smallest = MAGIC.len() as u64 + TAIL_BYTES;
    let Some(n_inner) = n_bytes.checked_sub(smallest) else {
        return Err(truncated("file", smallest, n_bytes));
    };
    let tail = source.fetch(n_bytes.saturating_sub(TAIL_BYTES)..n_bytes)?;
    let Some((length, MAGIC)) = tail.split_first_chunk::<4>() else {
        return Err(FormatErrorKind::Missing { what: "the magic FEA1 at the end of the file" }.into());
    };
    let n_metadata = u64::from(u32::from_le_bytes(*length));
    Limits::default().check_metadata(n_metadata, n_inner)?;
    let end = n_bytes.saturating_sub(TAIL_BYTES);
    let start = end.saturating_sub(n_metadata);
    StoredTable::decode(&source.fetch(start..end)?, start)
}

fn truncated(what: &'static str, needed: u64, available: u64) -> IpcError {
    FormatErrorKind::Truncated { what, needed, available }.into()
}

/// A file whose metadata has been read.
struct FeatherFile {
    source: SharedSource,
    schema: Arc<Schema>,
    columns: Vec<StoredColumn>,
    n_rows: usize,
}

impl FeatherFile {
    /// Reads and checks all columns.
    fn read(self) -> Result<RecordBatch, IpcError> {
        let pages = self.columns.iter().flat_map(StoredColumn::pages).collect::<Vec<Range<u64>>>();
        let mut pages = self.source.fetch_many(&pages)?.into_iter();
        let mut columns = Vec::new();
        for (position, column) in self.columns.iter().enumerate() {
            let column = read_column(column, &mut pages).in_field(|| self.path(position))?;
            columns.push(column);
        }
        let batch = RecordBatch::try_new_with_rows(self.schema, columns, self.n_rows)?;
        Ok(batch.validate(Validation::Content)?)
    }

    fn path(&self, position: usize) -> FieldPath {
        let name = self.schema.field(position).map_or("", |field| field.name());
        FieldPath::root().child(u32::try_from(position).unwrap_or(u32::MAX), name)
    }
}

/// Makes the array of a column from the next pages.
fn read_column(
    column: &StoredColumn,
    pages: &mut impl Iterator<Item = Buffer>,
) -> Result<ArrayData, IpcError> {
    let mut next_page = || required(pages.next(), "a fetched page");
    let values = next_page()?;
    let levels = column.levels.as_ref().map(|levels| levels.to_array(&next_page()?)).transpose()?;
    column.to_array(&values, levels)
}

/// The rows of a file, in batches.
struct FeatherBatches {
    name: InputName,
    /// The file, until the first batch is needed.
    file: Option<FeatherFile>,
    /// The rows that no batch has had yet.
    rest: Option<RecordBatch>,
}

impl Iterator for FeatherBatches {
    type Item = Result<RecordBatch, ToolError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(file) = self.file.take() {
            match file.read() {
                Ok(whole) => self.rest = Some(whole),
                Err(error) => return Some(Err(failed(&self.name, error))),
            }
        }
        let rest = self.rest.take().filter(|rest| rest.n_rows() > 0)?;
        // Without columns, one batch has any number of rows.
        let most = if rest.n_columns() == 0 { rest.n_rows() } else { BATCH_ROWS };
        let n_taken = rest.n_rows().min(most);
        self.rest = Some(rest.slice(n_taken, rest.n_rows().saturating_sub(n_taken)));
        Some(Ok(rest.slice(0, n_taken)))
    }
}
