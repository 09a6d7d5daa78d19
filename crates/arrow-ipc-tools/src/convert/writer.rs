//! Writes the batches of a conversion to a stream or file.

use std::io::Write;

use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, IpcSchema, Result, StreamWriter, WriteOptions, WrittenContainer};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_ipc_tensor::{AnyTensor, WriteTensor as _};
use arrow_schema::Metadata;

/// Receives the batches that a conversion makes.
pub(crate) trait RowSink {
    fn write(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()>;

    /// Sets the custom metadata of the next message of this dictionary. Returns the metadata of an earlier call if no
    /// message has been written since.
    fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>>;

    /// Writes a tensor. Returns whether it is lost: only streams contain tensors.
    fn write_tensor(&mut self, _: &AnyTensor, _: &Metadata) -> Result<bool> {
        Ok(true)
    }

    /// Whether the output had rows with dictionaries before this conversion.
    fn had_rows(&self) -> bool {
        false
    }
}

/// Writes a stream or a file.
pub(crate) enum Writer<W> {
    Stream(Box<StreamWriter<W>>),
    File(Box<FileWriter<W>>),
}

impl<W: Write> Writer<W> {
    pub(crate) fn begin(
        output: W,
        container: WrittenContainer,
        schema: &IpcSchema,
        options: WriteOptions,
    ) -> Result<Writer<W>> {
        Ok(match container {
            WrittenContainer::Stream => {
                Writer::Stream(Box::new(StreamWriter::try_new_with(output, schema, options)?))
            }
            WrittenContainer::File => {
                Writer::File(Box::new(FileWriter::try_new_with(output, schema, options)?))
            }
        })
    }

    /// Puts the statistics of all batches into the footer of a file, for as many columns as fit into 2 % of the file.
    /// Returns whether any statistics were written; `false` for a stream.
    pub(crate) fn put_statistics(&mut self, statistics: StatisticsBuilder) -> Result<bool> {
        match self {
            Writer::File(writer) => statistics.put_into(writer),
            Writer::Stream(_) => Ok(false),
        }
    }

    /// Writes the end marker or footer, and returns the output.
    pub(crate) fn finish(self) -> Result<W> {
        match self {
            Writer::Stream(writer) => writer.finish(),
            Writer::File(writer) => writer.finish(),
        }
    }
}

impl<W: Write> RowSink for Writer<W> {
    fn write(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        match self {
            Writer::Stream(writer) => writer.write_with_metadata(batch, metadata),
            Writer::File(writer) => writer.write_with_metadata(batch, metadata),
        }
    }

    fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        match self {
            Writer::Stream(writer) => writer.set_dictionary_metadata(id, metadata),
            Writer::File(writer) => writer.set_dictionary_metadata(id, metadata),
        }
    }

    fn write_tensor(&mut self, tensor: &AnyTensor, metadata: &Metadata) -> Result<bool> {
        match self {
            Writer::Stream(writer) => writer.write_tensor(tensor, metadata).map(|()| false),
            Writer::File(_) => Ok(true),
        }
    }
}
