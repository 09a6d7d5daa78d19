//! Reading and writing with arrow-rs.

use crate::format::Format;
use rs_array::RecordBatch;
use rs_ipc::reader::{FileReader, StreamReader};
use rs_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use rs_schema::{ArrowError, SchemaRef};
use std::io::Cursor;

/// The batches and options from which a stream or file is written.
#[derive(Debug, Clone)]
pub struct Source {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
    pub options: IpcWriteOptions,
    pub footer_metadata: Vec<(&'static str, &'static str)>,
}

pub fn write(source: &Source, format: Format) -> Result<Vec<u8>, ArrowError> {
    let options = source.options.clone();
    let mut out = Vec::new();
    match format {
        Format::Stream => {
            let mut writer = StreamWriter::try_new_with_options(&mut out, &source.schema, options)?;
            source.batches.iter().try_for_each(|batch| writer.write(batch))?;
            writer.finish()?;
        }
        Format::File => {
            let mut writer = FileWriter::try_new_with_options(&mut out, &source.schema, options)?;
            source.batches.iter().try_for_each(|batch| writer.write(batch))?;
            source.footer_metadata.iter().for_each(|&(key, value)| writer.write_metadata(key, value));
            writer.finish()?;
        }
    }
    Ok(out)
}

/// The version of arrow-rs in this program, from the lock file.
pub fn arrow_version() -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let mut packages = lock.split("[[package]]\n");
    let after = packages.find_map(|package| package.strip_prefix("name = \"arrow-ipc\"\nversion = \""));
    after.and_then(|after| after.split('"').next()).expect("arrow-ipc is a dependency")
}

/// Reads with all validation of arrow-rs.
pub fn read(bytes: &[u8], format: Format) -> Result<(SchemaRef, Vec<RecordBatch>), ArrowError> {
    match format {
        Format::Stream => {
            let reader = StreamReader::try_new(Cursor::new(bytes), None)?;
            Ok((reader.schema(), reader.collect::<Result<_, _>>()?))
        }
        Format::File => {
            let reader = FileReader::try_new(Cursor::new(bytes), None)?;
            Ok((reader.schema(), reader.collect::<Result<_, _>>()?))
        }
    }
}
