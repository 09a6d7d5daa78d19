//! Compares a file with a document.

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

/// The optional checks of the comparison. By default the ranges of values are not checked: released versions of other
/// libraries wrote values out of range, and the harness requests range checks only of some implementations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checks {
    /// Whether decimals must not have more digits than their precision.
    pub decimals: bool,
    /// Whether values of date64 must be whole days.
    pub date64: bool,
    /// Whether times must be within a day.
    pub times: bool,
    /// Whether the part of the file before its footer must be a stream of the same batches.
    pub stream: bool,
}

impl Checks {
    /// All checks.
    pub fn all() -> Checks {
        Checks { decimals: true, date64: true, times: true, stream: true }
    }
}

impl Default for Checks {
    /// Only the check of the stream, without ranges.
    fn default() -> Checks {
        Checks { decimals: false, date64: false, times: false, ..Checks::all() }
    }
}

/// Compares a file with a document: the schema, the metadata, the number of batches, and each value. In both, fields that
/// are not nullable must have no nulls, the offsets of dense unions must be in order, and values must be in the ranges
/// that `checks` selects.
///
/// The file is also read as a stream, from after its magic up to the footer. This stream must have the same batches and,
/// since metadata version 5, an end marker. These properties may differ: metadata version, compression, byte order, ids
/// of dictionaries, the order of metadata, and the layout of buffers. In maps, the file may have the names `entries`,
/// `key` and `value` instead of those of the document, since some writers always use these names.
///
/// # Errors
/// The first difference, or the reason why the file or the document is not valid.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::FileWriter;
/// use integration::{Checks, Document, validate};
///
/// let text = r#"{
///     "schema": {"fields": [
///         {"name": "on", "nullable": true, "type": {"name": "bool"}, "children": []}
///     ]},
///     "batches": [{"count": 1, "columns": [{"name": "on", "count": 1, "VALIDITY": [1], "DATA": [true]}]}]
/// }"#;
/// let document = Document::parse(text)?;
/// let mut writer = FileWriter::try_new(Vec::new(), document.schema())?;
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

/// Compares a schema with the schema of a document. The rules are those of [`validate`].
///
/// # Errors
/// The first difference.
pub fn compare_schema(document: &Document, found: &Schema) -> Result<(), Mismatch> {
    Ok(schemas::check(document.schema().schema(), found)?)
}

/// Compares a batch with the batch of a document at this position. The rules are those of [`validate`].
///
/// # Errors
/// The first difference, or the reason why one of the batches is not valid.
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
