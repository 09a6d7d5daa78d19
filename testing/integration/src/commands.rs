//! The five commands of the harness.

use std::{
    fs,
    io::{Read, Write},
    path::Path,
};

use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, IpcError, StreamReader, StreamWriter, WriteOptions};

use crate::{
    Failure, Quirks,
    document::Document,
    validate::validate,
};

/// Reads a document and writes it as a file.
///
/// # Errors
/// If the document cannot be read, or the file not written.
pub fn json_to_arrow(json: &Path, arrow: &Path) -> Result<(), Failure> {
    let document = read_document(json)?;
    let writer = FileWriter::create(arrow, document.schema(), WriteOptions::default());
    let mut writer = writer.map_err(Failure::arrow(arrow))?;
    for batch in document.batches() {
        writer.write(batch).map_err(Failure::arrow(arrow))?;
    }
    writer.finish().map_err(Failure::arrow(arrow)).map(drop)
}

/// Reads a file and writes it as a document.
///
/// # Errors
/// If the file cannot be read, or the document not written.
pub fn arrow_to_json(arrow: &Path, json: &Path) -> Result<(), Failure> {
    let reader = FileReader::open(arrow).map_err(Failure::arrow(arrow))?;
    let batches: Result<Vec<RecordBatch>, IpcError> = reader.batches().collect();
    let batches = batches.map_err(Failure::arrow(arrow))?;
    let text = Document::write(reader.ipc_schema(), &batches).map_err(Failure::document(arrow))?;
    fs::write(json, text).map_err(Failure::io(json))
}

/// Compares a file with a document: see [`validate`](crate::validate()).
///
/// # Errors
/// The first difference, or why one of both cannot be read.
pub fn validate_files(json: &Path, arrow: &Path, quirks: &Quirks) -> Result<(), Failure> {
    let document = read_document(json)?;
    let file = fs::read(arrow).map_err(Failure::io(arrow))?;
    validate(&document, file.into(), quirks).map_err(|error| {
        let (json, arrow) = (json.to_owned(), arrow.to_owned());
        Failure::Mismatch { json, arrow, error }
    })
}

/// Reads a stream and writes it as a file, with the metadata of its messages and the ids of its dictionaries.
///
/// # Errors
/// If the stream cannot be read, or the file not written: also where a dictionary is replaced in a way that
/// [`stream_to_file_options`] have no place for.
pub fn stream_to_file<W: Write>(stream: impl Read, file: W) -> Result<W, Failure> {
    let mut reader = StreamReader::new(stream)?;
    let mut writer = FileWriter::new(file, reader.ipc_schema(), stream_to_file_options())?;
    while let Some(next) = reader.next_batch()? {
        writer.write_with_metadata(&next.batch, &next.metadata)?;
    }
    Ok(flushed(writer.finish()?)?)
}

/// How a stream is written as a file. A file has one dictionary for each id, which may only grow, where a stream may
/// replace it; what cannot be kept so is an error.
pub fn stream_to_file_options() -> WriteOptions {
    WriteOptions::default()
}

/// Reads a file and writes it as a stream, with the metadata of its messages and the ids of its dictionaries.
///
/// # Errors
/// If the file cannot be read, or the stream not written.
pub fn file_to_stream<W: Write>(arrow: &Path, stream: W) -> Result<W, Failure> {
    let reader = FileReader::open(arrow).map_err(Failure::arrow(arrow))?;
    let mut writer = StreamWriter::new(stream, reader.ipc_schema(), WriteOptions::default())?;
    for idx in 0..reader.n_batches() {
        let next = reader.batch_with_metadata(idx).map_err(Failure::arrow(arrow))?;
        writer.write_with_metadata(&next.batch, &next.metadata)?;
    }
    Ok(flushed(writer.finish()?)?)
}

fn flushed<W: Write>(mut sink: W) -> Result<W, IpcError> {
    sink.flush()?;
    Ok(sink)
}

fn read_document(json: &Path) -> Result<Document, Failure> {
    let text = fs::read_to_string(json).map_err(Failure::io(json))?;
    Document::parse(&text).map_err(Failure::document(json))
}
