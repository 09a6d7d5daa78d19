//! Documents, files and streams, one as the other, with any options of writing.

use std::io::{Read, Write};

use arrow_ipc::{
    FileReader, FileWriter, IpcError, IpcSchema, Source, StreamReader, StreamWriter, WriteOptions,
};

use crate::document::Document;

/// Writes a document as a file. Its ids of dictionaries are kept.
///
/// # Errors
/// If the file cannot be written.
pub fn json_to_file_with<W: Write>(
    document: &Document,
    file: W,
    options: WriteOptions,
) -> Result<W, IpcError> {
    let mut writer = FileWriter::try_new(file, document.schema(), options)?;
    for batch in document.batches() {
        writer.write(batch)?;
    }
    flushed(writer.finish()?)
}

/// Writes a stream as a file, with the metadata of its messages and the ids of its dictionaries. The options are those
/// that `options` gives for its schema.
///
/// # Errors
/// If the stream cannot be read, or the file not written.
pub fn stream_to_file_with<W: Write>(
    stream: impl Read,
    file: W,
    options: impl FnOnce(&IpcSchema) -> WriteOptions,
) -> Result<W, IpcError> {
    let mut reader = StreamReader::try_new(stream)?;
    let options = options(reader.ipc_schema());
    let mut writer = FileWriter::try_new(file, reader.ipc_schema(), options)?;
    while let Some(next) = reader.next_batch()? {
        writer.write_with_metadata(&next.batch, &next.metadata)?;
    }
    flushed(writer.finish()?)
}

/// Writes a file as a stream, with the metadata of its messages and the ids of its dictionaries.
///
/// # Errors
/// If the file cannot be read, or the stream not written.
pub fn file_to_stream_with<S: Source, W: Write>(
    file: &FileReader<S>,
    stream: W,
    options: WriteOptions,
) -> Result<W, IpcError> {
    let mut writer = StreamWriter::try_new(stream, file.ipc_schema(), options)?;
    for idx in 0..file.n_batches() {
        let next = file.batch_with_metadata(idx)?;
        writer.write_with_metadata(&next.batch, &next.metadata)?;
    }
    flushed(writer.finish()?)
}

/// What a sink keeps back may fail to arrive, which would go unnoticed when it is dropped.
fn flushed<W: Write>(mut sink: W) -> Result<W, IpcError> {
    sink.flush()?;
    Ok(sink)
}
