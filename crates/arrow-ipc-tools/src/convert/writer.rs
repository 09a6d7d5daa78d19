//! Writes a stream or a file, and says which parts of an input have no place there.

use std::{collections::HashSet, io::Write};

use arrow_data::RecordBatch;
use arrow_ipc::{AnyTensor, FileWriter, IpcSchema, Result, StreamWriter, WriteOptions};
use arrow_schema::Metadata;

use super::losses::Kept;
use crate::target::Target;

/// Writes a stream or a file.
pub(crate) struct Writer<W> {
    sink: Sink<W>,
    /// The ids of the dictionaries read so far.
    dictionaries: HashSet<i64>,
    /// Whether a dictionary may be written more than once.
    repeats: Repeats,
}

/// Whether a dictionary may be written more than once: not if the input is a file, and not if dictionaries are unified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeats {
    Yes,
    No,
}

enum Sink<W> {
    Stream(Box<StreamWriter<W>>),
    File(Box<FileWriter<W>>),
}

impl<W: Write> Writer<W> {
    pub(crate) fn begin(
        output: W,
        (target, repeats): (Target, Repeats),
        schema: &IpcSchema,
        options: WriteOptions,
    ) -> Result<Writer<W>> {
        let sink = match target {
            Target::Stream => Sink::Stream(Box::new(StreamWriter::try_new(output, schema, options)?)),
            Target::File => Sink::File(Box::new(FileWriter::try_new(output, schema, options)?)),
        };
        Ok(Writer { sink, dictionaries: HashSet::new(), repeats })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        match &mut self.sink {
            Sink::Stream(writer) => writer.write_with_metadata(batch, metadata),
            Sink::File(writer) => writer.write_with_metadata(batch, metadata),
        }
    }

    /// Sets the metadata of the next message of this dictionary.
    pub(crate) fn dictionary(&mut self, id: i64, metadata: Metadata) -> Kept {
        let is_first = self.dictionaries.insert(id);
        if metadata.is_empty() {
            return Kept::Yes;
        }
        if !is_first && self.repeats == Repeats::No {
            return Kept::No;
        }
        let kept = match &mut self.sink {
            Sink::Stream(writer) => writer.set_dictionary_metadata(id, metadata),
            Sink::File(writer) => writer.set_dictionary_metadata(id, metadata),
        };
        if kept.is_ok() { Kept::Yes } else { Kept::No }
    }

    /// Only streams have a place for tensors.
    pub(crate) fn write_tensor(&mut self, tensor: &AnyTensor, metadata: &Metadata) -> Result<Kept> {
        match &mut self.sink {
            Sink::Stream(writer) => writer.write_tensor(tensor, metadata).map(|()| Kept::Yes),
            Sink::File(_) => Ok(Kept::No),
        }
    }

    /// Writes the end, and gives the output.
    pub(crate) fn finish(self) -> Result<W> {
        match self.sink {
            Sink::Stream(writer) => writer.finish(),
            Sink::File(writer) => writer.finish(),
        }
    }
}
