//! `arrow_file_metadata`: what footers say of files. Reads no column.

use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_ipc::file::{UnreferencedBytes, UnreferencedKind};
use arrow_ipc_dataset::{Dataset, DatasetError, DatasetFile};

use crate::{
    bind::{opened_files, text_of},
    capi::{ChunkRef, LogicalType, TableBind, TableInit, TableScan, Value},
};

/// The files, in their order.
struct Files(Dataset);

/// The position of the next file, and the columns that a query reads.
struct FilesScan {
    files: Dataset,
    next: AtomicUsize,
    columns: Vec<Option<usize>>,
}

/// # Errors
/// The text of an error in the arguments or the files.
pub(crate) fn bind(call: &mut TableBind) -> Result<(), String> {
    let files = opened_files(call)?;
    call.add_column(c"file_name", &LogicalType::text());
    for name in [c"num_rows", c"num_batches", c"second_file", c"bytes_after_blocks"] {
        call.add_column(name, &LogicalType::int64());
    }
    call.set_n_rows(files.files().len() as u64, true);
    call.store(Files(files));
    Ok(())
}

/// # Errors
/// If there is no data.
pub(crate) fn init(call: &mut TableInit) -> Result<(), String> {
    let files: &Files = call.bound().ok_or("the call has no data")?;
    let columns = call.columns();
    call.store(FilesScan { files: files.0.clone(), next: AtomicUsize::new(0), columns });
    Ok(())
}

/// # Errors
/// Never.
pub(crate) fn init_thread(call: &mut TableInit) -> Result<(), String> {
    call.store(());
    Ok(())
}

/// Fills a chunk with the row of the next file.
///
/// # Errors
/// If there is no data.
pub(crate) fn scan(call: &mut TableScan, chunk: &ChunkRef) -> Result<(), String> {
    let (scan, ()): (&FilesScan, &mut ()) = call.data().ok_or("the call has no data")?;
    let Some(file) = scan.files.files().get(scan.next.fetch_add(1, Ordering::Relaxed)) else {
        chunk.set_n_rows(0);
        return Ok(());
    };
    chunk.set_n_rows(1);
    for (position, column) in scan.columns.iter().enumerate() {
        chunk.fill(position, &value(file, *column).map_err(|error| text_of(&error))?);
    }
    Ok(())
}

/// The value of a file in a column of [`bind`].
fn value(file: &DatasetFile, column: Option<usize>) -> Result<Value, DatasetError> {
    let number = |number: u64| Value::int64(i64::try_from(number).unwrap_or(i64::MAX));
    Ok(match column {
        Some(0) => Value::text(&file.path().to_string_lossy()),
        Some(1) => number(file.n_rows()?),
        Some(2) => number(file.contents()?.n_batches() as u64),
        Some(column @ (3 | 4)) => match file.contents()?.unreferenced_bytes() {
            Some(UnreferencedBytes { kind: UnreferencedKind::SecondFile, range }) if column == 3 => {
                number(range.start)
            }
            Some(UnreferencedBytes { kind: UnreferencedKind::AfterLastBlock, range }) if column == 4 => {
                number(range.end.saturating_sub(range.start))
            }
            Some(_) | None => Value::null(),
        },
        Some(_) | None => Value::null(),
    })
}
