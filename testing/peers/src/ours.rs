//! Reading and writing with the crates of this project.

use crate::format::Format;
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, IpcError, StreamReader, StreamWriter, WriteOptions};
use arrow_schema::{Metadata, Schema};
use std::sync::Arc;

/// Reads with content validation.
pub fn read(bytes: &[u8], format: Format) -> Result<(Arc<Schema>, Vec<RecordBatch>), IpcError> {
    match format {
        Format::Stream => {
            let reader = StreamReader::try_new(bytes)?;
            Ok((reader.schema().clone(), reader.collect::<Result<_, _>>()?))
        }
        Format::File => {
            let reader = FileReader::try_from_buffer(Buffer::copy_from(bytes))?;
            Ok((reader.schema().clone(), reader.batches().collect::<Result<_, _>>()?))
        }
    }
}

pub fn write(schema: &Arc<Schema>, batches: &[RecordBatch], format: Format) -> Result<Vec<u8>, IpcError> {
    write_with_options(schema, batches, WriteOptions::default(), format)
}

pub fn write_with_options(
    schema: &Arc<Schema>,
    batches: &[RecordBatch],
    options: WriteOptions,
    format: Format,
) -> Result<Vec<u8>, IpcError> {
    match format {
        Format::Stream => {
            let mut writer = StreamWriter::try_new_with(Vec::new(), schema, options)?;
            batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()
        }
        Format::File => {
            let mut writer = FileWriter::try_new_with(Vec::new(), schema, options)?;
            batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()
        }
    }
}

/// Writes batches with the same custom metadata in each batch, and in the footer of a file.
pub fn write_with_metadata(
    schema: &Arc<Schema>,
    batches: &[RecordBatch],
    metadata: &Metadata,
    format: Format,
) -> Result<Vec<u8>, IpcError> {
    let options = WriteOptions::default();
    match format {
        Format::Stream => {
            let mut writer = StreamWriter::try_new_with(Vec::new(), schema, options)?;
            batches.iter().try_for_each(|batch| writer.write_with_metadata(batch, metadata))?;
            writer.finish()
        }
        Format::File => {
            let options = options.with_file_metadata(metadata.clone());
            let mut writer = FileWriter::try_new_with(Vec::new(), schema, options)?;
            batches.iter().try_for_each(|batch| writer.write_with_metadata(batch, metadata))?;
            writer.finish()
        }
    }
}
