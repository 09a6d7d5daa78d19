//! The five commands of the harness.

use std::{
    fs,
    io::{Read, Write},
    path::Path,
};

use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, FileReader, IpcError, IpcSchema, WriteOptions};

use crate::{
    Checks, Failure,
    convert::{file_to_stream_with, json_to_file_with, stream_to_file_with},
    document::Document,
    validate::validate,
};

/// Reads a document and writes it as a file.
///
/// # Errors
/// If the document cannot be read, or the file cannot be written.
pub fn json_to_arrow(json: &Path, arrow: &Path) -> Result<(), Failure> {
    let document = read_document(json)?;
    let file = fs::File::create(arrow).map_err(Failure::io(arrow))?;
    json_to_file_with(&document, file, WriteOptions::default()).map_err(Failure::arrow(arrow)).map(drop)
}

/// Reads a file and writes it as a document.
///
/// # Errors
/// If the file cannot be read, or the document cannot be written.
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
/// The first difference, or the reason why the file or the document cannot be read.
pub fn validate_files(json: &Path, arrow: &Path, checks: &Checks) -> Result<(), Failure> {
    let document = read_document(json)?;
    let file = fs::read(arrow).map_err(Failure::io(arrow))?;
    validate(&document, file.into(), checks).map_err(|error| {
        let (json, arrow) = (json.to_owned(), arrow.to_owned());
        Failure::Mismatch { json, arrow, error }
    })
}

/// Reads a stream and writes it as a file, with the metadata of its messages and the ids of its dictionaries. See
/// [`stream_to_file_options`].
///
/// # Errors
/// If the stream cannot be read, or the file cannot be written. A file cannot be written if an ordered dictionary is
/// replaced, or if the dictionaries of an id have more values together than the index type can number.
pub fn stream_to_file<W: Write>(stream: impl Read, file: W) -> Result<W, Failure> {
    Ok(stream_to_file_with(stream, file, stream_to_file_options)?)
}

/// The options for writing a stream of this schema as a file. A file has one dictionary for each id, which may only grow,
/// but a stream may replace dictionaries. So new values of a batch are added to the dictionary, and its indices are
/// changed if necessary. This way the stream is read once, and only its dictionaries are kept in memory. The metadata has
/// the version of the stream.
pub fn stream_to_file_options(schema: &IpcSchema) -> WriteOptions {
    WriteOptions::default().with_version(schema.version()).with_dictionaries(DictionaryPolicy::Delta)
}

/// Reads a file and writes it as a stream, with the metadata and version of its messages, and the ids of its
/// dictionaries.
///
/// # Errors
/// If the file cannot be read, or the stream cannot be written.
pub fn file_to_stream<W: Write>(arrow: &Path, stream: W) -> Result<W, Failure> {
    let reader = FileReader::open(arrow).map_err(Failure::arrow(arrow))?;
    let options = WriteOptions::default().with_version(reader.ipc_schema().version());
    file_to_stream_with(&reader, stream, options).map_err(Failure::arrow(arrow))
}

fn read_document(json: &Path) -> Result<Document, Failure> {
    let text = fs::read_to_string(json).map_err(Failure::io(json))?;
    Document::parse(&text).map_err(Failure::document(json))
}
