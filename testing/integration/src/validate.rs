//! Whether a file holds what a document says.

mod batches;
mod content;
mod maps;
mod mismatch;
mod schemas;
mod stream;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::FileReader;
use arrow_schema::Schema;

use self::batches::check_batches;
pub use self::mismatch::{Mismatch, MismatchKind};
use crate::document::Document;

/// What is checked beyond that both sides hold the same. By default the ranges of values are not: released versions of
/// other libraries wrote values outside of them, and the harness asks some implementations only to check them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checks {
    /// Decimals have at most as many digits as their precision says.
    pub decimals: bool,
    /// Values of date64 are whole days.
    pub date64: bool,
    /// Times are within a day.
    pub times: bool,
    /// The part of the file before its footer is a stream of the same batches.
    pub stream: bool,
}

impl Checks {
    /// Everything is checked.
    pub fn all() -> Checks {
        Checks { decimals: true, date64: true, times: true, stream: true }
    }
}

impl Default for Checks {
    /// The stream, and no ranges.
    fn default() -> Checks {
        Checks { decimals: false, date64: false, times: false, ..Checks::all() }
    }
}

/// Compares a file with a document: schema, metadata, the number of batches, and each value. On both sides, fields that
/// are not nullable have no nulls, the offsets of dense unions are in order, and values are in range where `checks` asks
/// for that.
///
/// The file is also read as the stream that it is, from after its first bytes up to the footer: it has to hold the same
/// batches, and since metadata version 5 an end. Metadata version, compression, byte order and ids of dictionaries make no
/// difference, nor does the order of metadata and the layout of buffers. In maps a file may have the names `entries`, `key`
/// and `value` in place of those of the document: some writers know no others.
///
/// # Errors
/// The first difference, or why one of both is not valid.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileWriter, WriteOptions};
/// use integration::{Checks, Document, validate};
///
/// let text = r#"{
///     "schema": {"fields": [
///         {"name": "on", "nullable": true, "type": {"name": "bool"}, "children": []}
///     ]},
///     "batches": [{"count": 1, "columns": [{"name": "on", "count": 1, "VALIDITY": [1], "DATA": [true]}]}]
/// }"#;
/// let document = Document::parse(text)?;
/// let mut writer = FileWriter::try_new(Vec::new(), document.schema(), WriteOptions::default())?;
/// writer.write(&document.batches()[0])?;
/// let file = Buffer::from(writer.finish()?);
/// validate(&document, file.clone(), &Checks::default())?;
///
/// let other = Document::parse(&text.replace("[true]", "[false]"))?;
/// let mismatch = validate(&other, file, &Checks::default()).unwrap_err();
/// assert_eq!(mismatch.to_string(), "batch 0, row 0, on: the document has false, the file true");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(document: &Document, file: Buffer, checks: &Checks) -> Result<(), Mismatch> {
    let reader = FileReader::try_from_buffer(file.clone()).map_err(MismatchKind::File)?;
    schemas::check(document.schema().schema(), reader.schema())?;
    let batches: Result<Vec<RecordBatch>, _> = reader.batches().collect();
    check_batches(document.batches(), &batches.map_err(MismatchKind::File)?)?;
    for (idx, batch) in document.batches().iter().enumerate() {
        content::check(batch, checks).map_err(|error| MismatchKind::DocumentContent { idx, error })?;
    }
    for (idx, batch) in reader.batches().enumerate() {
        content::check(&batch.map_err(MismatchKind::File)?, checks)
            .map_err(|error| MismatchKind::FileContent { idx, error })?;
    }
    if checks.stream {
        stream::check(document, reader.footer(), &file)?;
    }
    Ok(())
}

/// Compares a schema with that of a document, as [`validate`] does for that of a file.
///
/// # Errors
/// The first difference.
pub fn compare_schema(document: &Document, found: &Schema) -> Result<(), Mismatch> {
    Ok(schemas::check(document.schema().schema(), found)?)
}

/// Compares a batch with the one of a document at this position, as [`validate`] does for those of a file.
///
/// # Errors
/// The first difference, or why one of both is not valid.
pub fn compare_batch(
    document: &Document,
    idx: usize,
    found: &RecordBatch,
    checks: &Checks,
) -> Result<(), Mismatch> {
    let Some(expected) = document.batches().get(idx) else {
        return Err(MismatchKind::BatchCount {
            expected: document.batches().len(),
            found: idx.saturating_add(1),
        }
        .into());
    };
    check_batches(std::slice::from_ref(expected), std::slice::from_ref(found))?;
    content::check(expected, checks).map_err(|error| MismatchKind::DocumentContent { idx, error })?;
    content::check(found, checks).map_err(|error| MismatchKind::FileContent { idx, error })?;
    Ok(())
}
