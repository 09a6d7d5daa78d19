//! Writes a stream or file, and tells which parts of an input it cannot hold.

use std::{
    collections::{HashMap, hash_map::Entry},
    io::Write,
};

use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, IpcSchema, Result, StreamWriter, WriteOptions, tensor::AnyTensor};
use arrow_schema::Metadata;

use super::losses::Kept;
use crate::target::Target;

/// Writes a stream or a file.
pub(crate) struct Writer<W> {
    sink: ContainerSink<W>,
    /// For each dictionary that was read, by its id: the metadata of its last message, and of the previous one that was
    /// written.
    dictionaries: HashMap<i64, (Metadata, Option<Metadata>)>,
    /// Whether a dictionary may be written more than once.
    repeats: DictionaryRepeats,
}

/// Whether a dictionary may be written more than once. It may not if the input is a file, or if dictionaries are unified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DictionaryRepeats {
    Yes,
    No,
}

enum ContainerSink<W> {
    Stream(Box<StreamWriter<W>>),
    File(Box<FileWriter<W>>),
}

impl<W: Write> Writer<W> {
    pub(crate) fn begin(
        output: W,
        (target, repeats): (Target, DictionaryRepeats),
        schema: &IpcSchema,
        options: WriteOptions,
    ) -> Result<Writer<W>> {
        let sink = match target {
            Target::Stream => {
                ContainerSink::Stream(Box::new(StreamWriter::try_new(output, schema, options)?))
            }
            Target::File => ContainerSink::File(Box::new(FileWriter::try_new(output, schema, options)?)),
        };
        Ok(Writer { sink, dictionaries: HashMap::new(), repeats })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<()> {
        match &mut self.sink {
            ContainerSink::Stream(writer) => writer.write_with_metadata(batch, metadata),
            ContainerSink::File(writer) => writer.write_with_metadata(batch, metadata),
        }
    }

    /// Sets the metadata of the next message of this dictionary. Returns whether metadata is lost: this, or that of an
    /// earlier message whose dictionary was not written again.
    pub(crate) fn dictionary(&mut self, id: i64, metadata: Metadata) -> Kept {
        let Writer { sink, dictionaries, repeats } = self;
        let (last, written) = match dictionaries.entry(id) {
            Entry::Occupied(_) if *repeats == DictionaryRepeats::No => return Kept::of(&metadata, None),
            Entry::Occupied(earlier) => earlier.into_mut(),
            Entry::Vacant(first) => {
                if sink.set_dictionary_metadata(id, metadata.clone()).is_err() {
                    return Kept::of(&metadata, None);
                }
                first.insert((metadata, None));
                return Kept::Yes;
            }
        };
        let last = std::mem::replace(last, metadata.clone());
        match sink.set_dictionary_metadata(id, metadata) {
            Ok(None) => {
                *written = Some(last);
                Kept::Yes
            }
            Ok(Some(_)) | Err(_) => Kept::of(&last, written.as_ref()),
        }
    }

    /// Whether the metadata of any last dictionary message is lost, because the output already has its values.
    pub(crate) fn last_dictionaries(&mut self) -> impl Iterator<Item = Kept> {
        let Writer { sink, dictionaries, .. } = self;
        dictionaries.drain().map(|(id, (last, written))| match written {
            Some(written) => match sink.set_dictionary_metadata(id, Metadata::new()) {
                Ok(Some(_)) => Kept::of(&last, Some(&written)),
                Ok(None) | Err(_) => Kept::Yes,
            },
            None => Kept::Yes,
        })
    }

    /// Only streams can hold tensors.
    pub(crate) fn write_tensor(&mut self, tensor: &AnyTensor, metadata: &Metadata) -> Result<Kept> {
        match &mut self.sink {
            ContainerSink::Stream(writer) => writer.write_tensor(tensor, metadata).map(|()| Kept::Yes),
            ContainerSink::File(_) => Ok(Kept::No),
        }
    }

    /// Writes the end, and returns the output.
    pub(crate) fn finish(self) -> Result<W> {
        match self.sink {
            ContainerSink::Stream(writer) => writer.finish(),
            ContainerSink::File(writer) => writer.finish(),
        }
    }
}

impl<W: Write> ContainerSink<W> {
    fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>> {
        match self {
            ContainerSink::Stream(writer) => writer.set_dictionary_metadata(id, metadata),
            ContainerSink::File(writer) => writer.set_dictionary_metadata(id, metadata),
        }
    }
}
