//! Whether a file holds what a document says.

mod batches;
mod content;
mod maps;
mod mismatch;
mod schemas;
mod stream;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, MetadataVersion};

use self::batches::check_batches;
pub use self::mismatch::{Mismatch, MismatchKind};
use crate::document::Document;

/// What is not asked of data, since the writers of old files did not know better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Quirks {
    /// Decimals may have more digits than their precision.
    pub decimals: bool,
    /// Values of date64 may be within days.
    pub date64: bool,
    /// Times may be outside of a day.
    pub times: bool,
    /// The part of the file before its footer need not be a stream.
    pub stream: bool,
}

impl Quirks {
    fn with_those_of(self, version: MetadataVersion) -> Quirks {
        if version >= MetadataVersion::V5 {
            return self;
        }
        Quirks { decimals: true, date64: true, times: true, ..self }
    }
}

/// Compares a file with a document: schema, metadata, the number of batches, and each value. Both sides are checked as
/// far as the format says more of values than their types do.
///
/// The file is also read as the stream that it is, from behind its first bytes up to the footer: it has to hold the same
/// batches, and since metadata version 5 an end. Metadata version, compression, byte order and ids of dictionaries make no
/// difference, nor does the order of metadata and the layout of buffers. In maps a file may have the names `entries`, `key`
/// and `value` in place of those of the document: some writers know no others.
///
/// Of files of metadata version 4 the ranges of values are not asked, whatever the quirks: releases of that time wrote
/// decimals, date64 and times out of theirs, and the harness says so to some implementations only.
///
/// # Errors
/// The first difference, or why one of both is not valid.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileWriter, WriteOptions};
/// use integration::{Document, Quirks, validate};
///
/// let text = r#"{
///     "schema": {"fields": [
///         {"name": "on", "nullable": true, "type": {"name": "bool"}, "children": []}
///     ]},
///     "batches": [{"count": 1, "columns": [{"name": "on", "count": 1, "VALIDITY": [1], "DATA": [true]}]}]
/// }"#;
/// let document = Document::parse(text)?;
/// let mut writer = FileWriter::new(Vec::new(), document.schema(), WriteOptions::default())?;
/// writer.write(&document.batches()[0])?;
/// let file = Buffer::from(writer.finish()?);
/// validate(&document, file.clone(), &Quirks::default())?;
///
/// let other = Document::parse(&text.replace("[true]", "[false]"))?;
/// let mismatch = validate(&other, file, &Quirks::default()).unwrap_err();
/// assert_eq!(mismatch.to_string(), "batch 0, row 0, on: the document has false, the file true");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn validate(document: &Document, file: Buffer, quirks: &Quirks) -> Result<(), Mismatch> {
    let reader = FileReader::from_buffer(file.clone()).map_err(MismatchKind::File)?;
    schemas::check(document.schema().schema(), reader.schema())?;
    let batches: Result<Vec<RecordBatch>, _> = reader.batches().collect();
    check_batches(document.batches(), &batches.map_err(MismatchKind::File)?)?;
    let quirks = &quirks.with_those_of(reader.ipc_schema().version());
    for (idx, batch) in document.batches().iter().enumerate() {
        content::check(batch, quirks).map_err(|error| MismatchKind::DocumentContent { idx, error })?;
    }
    for (idx, batch) in reader.batches().enumerate() {
        content::check(&batch.map_err(MismatchKind::File)?, quirks)
            .map_err(|error| MismatchKind::FileContent { idx, error })?;
    }
    if !quirks.stream {
        stream::check(document, reader.footer(), &file)?;
    }
    Ok(())
}
