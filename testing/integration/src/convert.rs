//! Converts documents, files and streams to each other, with any options for writing.

use std::io::{Read, Write};

use arrow_ipc::{
    FileReader, FileWriter, IpcError, IpcSchema, Source, StreamReader, StreamWriter, WriteOptions,
};

use crate::document::Document;

/// Writes a document as a file. The ids of its dictionaries do not change.
///
/// # Errors
/// If the file cannot be written.
pub fn json_to_file_with<W: Write>(
    document: &Document,
    file: W,
    options: WriteOptions,
) -> Result<W, IpcError> {
    let mut writer = FileWriter::try_new_with(file, document.schema(), options)?;
    for batch in document.batches() {
        writer.write(batch)?;
    }
    flushed(writer.finish()?)
}

/// Writes a stream as a file, with the metadata of its messages and the ids of its dictionaries. `options` returns the
/// options for the schema of the stream.
///
/// # Errors
/// If the stream cannot be read, or the file cannot be written.
pub fn stream_to_file_with<W: Write>(
    stream: impl Read,
    file: W,
    options: impl FnOnce(&IpcSchema) -> WriteOptions,
) -> Result<W, IpcError> {
    let mut reader = StreamReader::try_new(stream)?;
    let options = options(reader.ipc_schema());
    let mut writer = FileWriter::try_new_with(file, reader.ipc_schema(), options)?;
    while let Some(next) = reader.next_batch()? {
        writer.write_with_metadata(&next.batch, &next.metadata)?;
    }
    flushed(writer.finish()?)
}

/// Writes a file as a stream, with the metadata of its messages and the ids of its dictionaries.
///
/// # Errors
/// If the file cannot be read, or the stream cannot be written.
pub fn file_to_stream_with<S: Source, W: Write>(
    file: &FileReader<S>,
    stream: W,
    options: WriteOptions,
) -> Result<W, IpcError> {
    let mut writer = StreamWriter::try_new_with(stream, file.ipc_schema(), options)?;
    for idx in 0..file.n_batches() {
        let next = file.batch_with_metadata(idx)?;
        writer.write_with_metadata(&next.batch, &next.metadata)?;
    }
    flushed(writer.finish()?)
}

/// Flushes a sink: an error of buffered data would not be noticed when the sink is dropped.
fn flushed<W: Write>(mut sink: W) -> Result<W, IpcError> {
    sink.flush()?;
    Ok(sink)
}
