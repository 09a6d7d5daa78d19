//! Streams that follow each other in one input, as one sequence of batches.

use std::sync::Arc;

use arrow_data::RecordBatch;
use arrow_ipc::{AnyTensor, IpcError, IpcSchema, ReadOptions, Step, StreamReader};
use arrow_schema::{Metadata, Schema};

use super::following::{Following, following};
use crate::{
    columns::Selection,
    exit::{Failure, note},
    input::{Input, StreamSource},
    names::InputName,
};

/// What an input of streams gives.
#[derive(Debug)]
pub(crate) enum Part {
    Batch(RecordBatch, Metadata),
    /// Of this id in the first stream.
    Dictionary {
        id: i64,
        metadata: Metadata,
    },
    Tensor(AnyTensor, Metadata),
}

/// Reads one stream after the other.
#[derive(Debug)]
pub(crate) struct Streams {
    name: InputName,
    /// The stream at hand; none after the last one, and after an error.
    reader: Option<StreamReader<StreamSource>>,
    options: ReadOptions,
    later: Later,
    /// Where the stream at hand begins in the input.
    start: u64,
    n_consumed: u64,
    /// The length of a regular file.
    n_bytes: Option<u64>,
    /// What the first stream says of all.
    ipc_schema: IpcSchema,
    schema: Arc<Schema>,
    metadata: Metadata,
    /// Whether a later stream has other metadata than the first.
    has_other_metadata: bool,
    n_tensors: u64,
    rest: Option<Rest>,
}

/// What the streams after the first may be.
#[derive(Debug)]
enum Later {
    /// These columns of the same ones as the first has.
    SameColumns(Selection),
    Anything,
}

/// Bytes after the last stream that are none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest {
    start: u64,
    n_bytes: u64,
}

impl Streams {
    /// Reads the first schema, and of the columns those that `select` chooses. Streams that follow must have the same
    /// columns.
    ///
    /// # Errors
    /// If the input fails, its first schema is broken, or as `select`.
    pub(crate) fn open(
        input: Input,
        options: &ReadOptions,
        select: impl FnOnce(&IpcSchema) -> Result<Selection, Failure>,
    ) -> Result<(Streams, Selection), Failure> {
        let mut streams = Streams::open_any(input, options)?;
        let selection = select(&streams.ipc_schema)?;
        if let Some(reader) = &mut streams.reader {
            let failed = |error| Failure::Input { name: streams.name.clone(), error };
            reader.project(selection.projection()).map_err(failed)?;
            streams.schema = Arc::clone(reader.schema());
        }
        streams.later = Later::SameColumns(selection.clone());
        Ok((streams, selection))
    }

    /// Reads the first schema. Streams that follow may have other columns.
    ///
    /// # Errors
    /// If the input fails, or its first schema is broken.
    pub(crate) fn open_any(input: Input, options: &ReadOptions) -> Result<Streams, Failure> {
        let name = input.name().clone();
        let failed = |error| Failure::Input { name: name.clone(), error };
        let (bytes, source) = input.into_stream()?;
        let n_bytes = source.n_bytes();
        let reader = StreamReader::after(bytes, source, options.clone()).map_err(failed)?;
        Ok(Streams {
            options: options.clone(),
            later: Later::Anything,
            start: 0,
            n_consumed: reader.n_bytes_consumed(),
            n_bytes,
            ipc_schema: reader.ipc_schema().clone(),
            schema: Arc::clone(reader.schema()),
            metadata: reader.metadata().clone(),
            has_other_metadata: false,
            n_tensors: 0,
            rest: None,
            reader: Some(reader),
            name,
        })
    }

    /// The schema of the columns that are read.
    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The schema of the first stream.
    pub(crate) fn ipc_schema(&self) -> &IpcSchema {
        &self.ipc_schema
    }

    /// The metadata of the message of the first schema.
    pub(crate) fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Whether the metadata of a later stream is not that of the first; known at the end.
    pub(crate) fn has_other_metadata(&self) -> bool {
        self.has_other_metadata
    }

    /// How many tensors have come between the batches.
    pub(crate) fn n_tensors(&self) -> u64 {
        self.n_tensors
    }

    /// The length of a regular file.
    pub(crate) fn n_bytes(&self) -> Option<u64> {
        self.n_bytes
    }

    /// Bytes from the start of the input to the end of what has been given.
    pub(crate) fn n_bytes_consumed(&self) -> u64 {
        self.start.saturating_add(self.n_consumed)
    }

    /// What comes next, of whichever stream; `None` after the last one.
    ///
    /// # Errors
    /// If the input fails or is broken, or a later stream has other columns. There is nothing after an error.
    pub(crate) fn next(&mut self) -> Result<Option<Part>, Failure> {
        while let Some(mut reader) = self.reader.take() {
            let step = reader.next_step().map_err(|error| self.failed(error))?;
            self.n_consumed = reader.n_bytes_consumed();
            let part = match step {
                Step::Batch(batch, metadata) => Part::Batch(batch, metadata),
                Step::Dictionary { id, metadata, .. } => {
                    Part::Dictionary { id: self.id_in_first(reader.ipc_schema(), id), metadata }
                }
                Step::Tensor(tensor, metadata) => {
                    self.n_tensors = self.n_tensors.saturating_add(1);
                    Part::Tensor(tensor, metadata)
                }
                Step::End => {
                    self.reader = self.next_stream(reader)?;
                    continue;
                }
                // The schema was read before; whatever else there may be one day holds no rows.
                _ => {
                    self.reader = Some(reader);
                    continue;
                }
            };
            self.reader = Some(reader);
            return Ok(Some(part));
        }
        Ok(None)
    }

    /// The next batch, for whoever looks at rows alone.
    ///
    /// # Errors
    /// As [`next`](Streams::next).
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, Failure> {
        while let Some(part) = self.next()? {
            if let Part::Batch(batch, _) = part {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    fn next_stream(
        &mut self,
        reader: StreamReader<StreamSource>,
    ) -> Result<Option<StreamReader<StreamSource>>, Failure> {
        let end = self.n_bytes_consumed();
        let (mut source, bytes) = reader.into_inner();
        (self.start, self.n_consumed) = (end, 0);
        let found = following(end, bytes, &mut source, self.options.limits());
        let (start, bytes) = match found.map_err(|error| self.failed(error))? {
            Following::Nothing => return Ok(None),
            Following::Other { start, n_bytes } => {
                let n_bytes = self.n_bytes.map_or(n_bytes, |n_bytes| n_bytes.saturating_sub(start));
                self.rest = Some(Rest { start, n_bytes });
                return Ok(None);
            }
            Following::Stream { start, bytes } => (start, bytes),
        };
        self.start = start;
        let next = StreamReader::after(bytes, source, self.options.clone());
        let mut next = next.map_err(|error| self.failed(error))?;
        self.n_consumed = next.n_bytes_consumed();
        let schema = next.ipc_schema().schema();
        let first = self.ipc_schema.schema();
        self.has_other_metadata |= next.metadata() != &self.metadata || schema.metadata() != first.metadata();
        if let Later::SameColumns(selection) = &self.later {
            first.check_same_columns(schema).map_err(|error| {
                let (name, position) = (self.name.clone(), start);
                Failure::OtherColumns { name, position, error }
            })?;
            // All else is equal, so it is the metadata of fields that differs.
            self.has_other_metadata |= schema != first;
            next.project(selection.projection()).map_err(|error| self.failed(error))?;
        }
        Ok(Some(next))
    }

    /// Ids are listed in the order of the fields, which streams of the same columns have in common.
    fn id_in_first(&self, schema: &IpcSchema, id: i64) -> i64 {
        let mut pairs = schema.dictionary_ids().iter().zip(self.ipc_schema.dictionary_ids());
        pairs.find(|(there, _)| **there == id).map_or(id, |(_, here)| *here)
    }

    /// Positions in errors are counted from the start of a stream.
    fn failed(&self, error: IpcError) -> Failure {
        let name = self.name.clone();
        match self.start {
            0 => Failure::Input { name, error },
            position => Failure::LaterStream { name, position, error },
        }
    }

    /// Says that the last stream was not all there is, where that is so.
    pub(crate) fn note_rest(&self) -> Option<Rest> {
        self.rest.inspect(|rest| rest.note(&self.name))
    }
}

impl Rest {
    pub(crate) fn new(start: u64, n_bytes: u64) -> Rest {
        Rest { start, n_bytes }
    }

    pub(crate) fn note(self, name: &InputName) {
        let Rest { start, n_bytes } = self;
        note(&format!(
            "{name}: the stream ends at byte {start}; {n_bytes} trailing bytes are not a stream, and not read"
        ));
    }
}
