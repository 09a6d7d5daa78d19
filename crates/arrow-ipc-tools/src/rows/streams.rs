//! Reads the streams of an input as one sequence of batches.

use std::{collections::HashMap, sync::Arc};

use arrow_data::RecordBatch;
use arrow_ipc::{BatchWithMetadata, IpcSchema, ReadOptions, Source, Step, StreamReader, error::Context};
use arrow_ipc_tensor::AnyTensor;
use arrow_schema::{Metadata, Schema};

use super::prefetch::WINDOW_BYTES;
use crate::{
    byte_counter::ByteCounter,
    columns::{RowQuery, Selection},
    error::{InputContext, ToolError, ToolErrorKind, name::InputName, trailing::TrailingBytes},
    input::{
        Input, StreamSource,
        continuation::Continuation,
        generated_rows::GeneratedRows,
        origin::OriginLosses,
        stream::{SpooledBatch, StreamLocation},
    },
    observer::{InputRemarks, Oddities, Unit},
    source::SharedSource,
};

/// What [`Streams::next_item`] returns: a batch, dictionary or tensor.
#[derive(Debug)]
pub enum StreamItem {
    /// A batch, with the custom metadata of its message.
    Batch(BatchWithMetadata),
    /// A dictionary message. The batches after it contain the values.
    Dictionary {
        /// The id of the dictionary in the first stream.
        id: i64,
        /// Whether the message appends values to the dictionary. If not, the message defines or replaces it.
        is_delta: bool,
        /// The custom metadata of the message.
        metadata: Metadata,
    },
    /// A batch with a long body, which is read in parts. Only returned after
    /// [`spool_large_batches`](Streams::spool_large_batches).
    Large(SpooledBatch),
    /// A tensor, with the custom metadata of its message.
    Tensor(AnyTensor, Metadata),
}

/// The streams of an input as one sequence of batches, opened by [`Rows::open`](crate::Rows::open).
#[derive(Debug)]
pub struct Streams {
    /// Which stream of the input is current.
    location: StreamLocation,
    /// The reader of the current stream; `None` after the last stream and after an error.
    reader: Option<StreamReader<StreamSource>>,
    /// The batches of an input that was made from batches; `None` for an input of streams.
    generated: Option<GeneratedRows>,
    options: ReadOptions,
    later: LaterStreams,
    n_consumed: u64,
    /// The number of bytes of the last item.
    n_bytes_of_item: u64,
    /// The length of the input in bytes; `None` if it is not read by position.
    n_bytes: Option<u64>,
    /// Counts the bytes of the text from which the batches are parsed.
    bytes_read: Option<ByteCounter>,
    source: Option<SharedSource>,
    /// A batch is large if its body is longer than this.
    max_body_bytes: u64,
    /// The schema and metadata of the first stream.
    ipc_schema: IpcSchema,
    schema: Arc<Schema>,
    metadata: Metadata,
    /// The ids in the first stream, by the ids in the current stream; `None` in the first stream.
    ids_in_first: Option<HashMap<i64, i64>>,
    /// Whether a later stream has other metadata than the first stream.
    has_other_metadata: bool,
    n_tensors: u64,
    /// The number of dictionary messages with custom metadata.
    n_dictionary_metadata: usize,
    /// What was unusual in the streams before the current one.
    oddities: Oddities,
    has_end_marker: bool,
    rest: Option<TrailingBytes>,
    /// What the rows lack of what they are made of.
    origin: OriginLosses,
}

/// Which streams may follow the first one.
#[derive(Debug)]
enum LaterStreams {
    /// Only streams with the columns of the first stream. Reads the selected columns.
    SameColumns(Selection),
    Anything,
}

impl Streams {
    /// Reads the schema of the first stream, to read the columns that a query needs. Later streams must have the same
    /// columns.
    ///
    /// # Errors
    /// If the input cannot be read, or its first schema is malformed or lacks a column.
    pub(crate) fn open(
        input: Input,
        options: &ReadOptions,
        query: &RowQuery,
    ) -> Result<(Streams, Selection), ToolError> {
        let mut streams = Streams::open_any(input, options)?;
        let is_narrowed = streams.generated.as_ref().is_some_and(|generated| generated.is_narrowed);
        let selected = if is_narrowed {
            query.select_of_narrowed(&streams.schema)
        } else {
            query.select(&streams.ipc_schema)
        };
        let mut selection = selected.in_input(&streams.location.name)?;
        if let Some(reader) = &mut streams.reader {
            reader.project(selection.projection()).map_err(|error| streams.location.failed(error))?;
            streams.schema = Arc::clone(reader.schema());
        }
        if let Some(generated) = &mut streams.generated {
            streams.schema = generated.keep_needed(&selection).in_input(&streams.location.name)?;
            selection = query.select_of_narrowed(&streams.schema).in_input(&streams.location.name)?;
        }
        streams.later = LaterStreams::SameColumns(selection.clone());
        Ok((streams, selection))
    }

    /// Reads the schema of the first stream. Later streams may have other columns.
    ///
    /// # Errors
    /// If the input cannot be read, or its first schema is malformed.
    pub(crate) fn open_any(input: Input, options: &ReadOptions) -> Result<Streams, ToolError> {
        let location = StreamLocation { name: input.name().clone(), start: 0 };
        let options = options.clone().with_limits(input.limits().clone());
        let bytes_read = input.bytes_read.clone();
        let origin = input.origin.clone();
        let input = match input.into_generated_rows() {
            Ok(generated) => {
                let schema = IpcSchema::from(&generated.schema);
                let streams = Streams::new(location, schema, options);
                let metadata = generated.metadata.clone();
                let generated = Some(generated);
                return Ok(Streams {
                    generated,
                    bytes_read,
                    metadata,
                    has_end_marker: true,
                    origin,
                    ..streams
                });
            }
            Err(input) => input,
        };
        let (bytes, stream) = input.into_stream()?;
        let n_bytes = stream.n_bytes();
        let source = stream.positioned().cloned();
        // The options get the fetch cost of this source, because large batches are read from it.
        let options = match &source {
            Some(source) => options.with_fetch_cost(source.fetch_cost()),
            None => options,
        };
        let reader = StreamReader::try_resume_with(bytes, stream, options.clone());
        let reader = reader.map_err(|error| location.failed(error))?;
        let streams = Streams::new(location, reader.ipc_schema().clone(), options);
        Ok(Streams {
            source,
            n_consumed: reader.n_bytes_consumed(),
            n_bytes,
            bytes_read,
            origin,
            schema: Arc::clone(reader.schema()),
            metadata: reader.schema_message_metadata().clone(),
            reader: Some(reader),
            ..streams
        })
    }

    fn new(location: StreamLocation, ipc_schema: IpcSchema, options: ReadOptions) -> Streams {
        Streams {
            location,
            reader: None,
            generated: None,
            options,
            later: LaterStreams::Anything,
            n_consumed: 0,
            n_bytes_of_item: 0,
            n_bytes: None,
            bytes_read: None,
            source: None,
            max_body_bytes: u64::MAX,
            schema: Arc::clone(ipc_schema.schema()),
            ipc_schema,
            metadata: Metadata::new(),
            ids_in_first: None,
            has_other_metadata: false,
            n_tensors: 0,
            n_dictionary_metadata: 0,
            oddities: Oddities::default(),
            has_end_marker: false,
            rest: None,
            origin: OriginLosses::default(),
        }
    }

    /// Returns batches with long bodies as [`StreamItem::Large`] from now on. Rows of such a batch take memory only
    /// while they are read.
    pub fn spool_large_batches(&mut self) {
        self.max_body_bytes = WINDOW_BYTES;
        self.reader = self.reader.take().map(|reader| reader.with_large_batches_over(WINDOW_BYTES));
    }

    /// The name that errors of these streams have.
    pub fn name(&self) -> &InputName {
        &self.location.name
    }

    /// The schema of the columns that are read. Without a query, these are all columns.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The schema of the first stream, with all columns and dictionary ids.
    pub fn ipc_schema(&self) -> &IpcSchema {
        &self.ipc_schema
    }

    /// The custom metadata of the first stream's schema message.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Whether a later stream has other metadata than the first. Complete only after the last item.
    pub(crate) fn has_other_metadata(&self) -> bool {
        self.has_other_metadata
    }

    /// The number of tensors between batches, up to the last returned item.
    pub fn n_tensors(&self) -> u64 {
        self.n_tensors
    }

    /// The number of dictionary messages with custom metadata, up to the last returned item.
    #[cfg(feature = "text")]
    pub(crate) fn n_dictionary_metadata(&self) -> usize {
        self.n_dictionary_metadata
    }

    /// The length of the input in bytes; `None` if it cannot be read by position.
    pub fn n_bytes(&self) -> Option<u64> {
        self.n_bytes
    }

    /// The unit of progress, and the total in this unit; `None` if it is unknown.
    pub fn work(&self) -> (Unit, Option<u64>) {
        (Unit::Bytes, self.bytes_read.as_ref().map_or(self.n_bytes, ByteCounter::n_total))
    }

    /// How much of the input has been read, in the unit of [`work`](Streams::work).
    pub fn n_done(&self) -> u64 {
        self.bytes_read.as_ref().map_or_else(|| self.n_bytes_consumed(), ByteCounter::n_read)
    }

    /// The number of bytes of the last returned item, and of skipped messages before it.
    pub(crate) fn n_bytes_of_item(&self) -> u64 {
        self.n_bytes_of_item
    }

    /// The number of bytes from the start of the input to the end of the last returned item.
    pub fn n_bytes_consumed(&self) -> u64 {
        self.location.start.saturating_add(self.n_consumed)
    }

    /// The next item of any stream; `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read or is malformed, or the columns of a later stream differ. After an error there are
    /// no more items.
    pub fn next_item(&mut self) -> Result<Option<StreamItem>, ToolError> {
        let start = self.n_bytes_consumed();
        while let Some(mut reader) = self.reader.take() {
            let step = reader.next_step().map_err(|error| self.location.failed(error))?;
            self.n_consumed = reader.n_bytes_consumed();
            let item = match step {
                Step::LargeBatch(batch) => {
                    let location = (self.location.clone(), self.source.as_ref());
                    let batch = SpooledBatch::open(batch, &mut reader, location)?;
                    self.n_consumed = reader.n_bytes_consumed();
                    StreamItem::Large(batch)
                }
                Step::Batch(batch) => StreamItem::Batch(batch),
                Step::Dictionary { id, is_delta, metadata } => {
                    let n = usize::from(!metadata.is_empty());
                    self.n_dictionary_metadata = self.n_dictionary_metadata.saturating_add(n);
                    StreamItem::Dictionary { id: self.id_in_first(id), is_delta, metadata }
                }
                Step::Tensor(message) => {
                    self.n_tensors = self.n_tensors.saturating_add(1);
                    let endianness = reader.ipc_schema().endianness();
                    let tensor = AnyTensor::try_from_message_with(&message, endianness, self.options.clone());
                    let read = tensor.and_then(|tensor| Ok((tensor, message.custom_metadata()?)));
                    let read = read.at_message(&message);
                    let (tensor, metadata) = read.map_err(|error| self.location.failed(error))?;
                    StreamItem::Tensor(tensor, metadata)
                }
                Step::End => {
                    self.reader = self.next_stream(reader)?;
                    continue;
                }
                // The schema was read when the stream was opened. Other steps that a later version may add have no
                // rows.
                Step::NeedBytes(_) | Step::Schema(_) | _ => {
                    self.reader = Some(reader);
                    continue;
                }
            };
            self.reader = Some(reader);
            self.n_bytes_of_item = self.n_bytes_consumed().saturating_sub(start);
            return Ok(Some(item));
        }
        let Some(generated) = &mut self.generated else { return Ok(None) };
        let Some(next) = generated.next_batch(&self.location.name)? else { return Ok(None) };
        self.n_bytes_of_item = GeneratedRows::n_bytes_of(&next.batch);
        self.n_consumed = self.n_consumed.saturating_add(self.n_bytes_of_item);
        Ok(Some(StreamItem::Batch(next)))
    }

    /// The next batch, even if it is large; `None` at the end. Skips dictionaries and tensors.
    ///
    /// # Errors
    /// The errors of [`next_item`](Streams::next_item).
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, ToolError> {
        while let Some(item) = self.next_item()? {
            match item {
                StreamItem::Batch(next) => return Ok(Some(next.batch)),
                StreamItem::Large(batch) => return batch.read().map(Some),
                StreamItem::Dictionary { .. } | StreamItem::Tensor(..) => {}
            }
        }
        Ok(None)
    }

    fn next_stream(
        &mut self,
        reader: StreamReader<StreamSource>,
    ) -> Result<Option<StreamReader<StreamSource>>, ToolError> {
        let end = self.n_bytes_consumed();
        self.oddities = self.oddities.and(reader.stats());
        self.has_end_marker = reader.has_end_marker();
        let (mut source, bytes) = reader.into_inner();
        self.location.start = end;
        self.n_consumed = 0;
        let found = Continuation::detect(end, bytes, &mut source, self.n_bytes, self.options.limits());
        let (start, bytes) = match found.map_err(|error| self.location.failed(error))? {
            Continuation::Nothing => return Ok(None),
            Continuation::Other(rest) => {
                self.rest = Some(rest);
                return Ok(None);
            }
            Continuation::Stream { start, bytes } => (start, bytes),
        };
        self.location.start = start;
        let next = StreamReader::try_resume_with(bytes, source, self.options.clone());
        let next = next.map_err(|error| self.location.failed(error))?;
        let mut next = next.with_large_batches_over(self.max_body_bytes);
        self.n_consumed = next.n_bytes_consumed();
        self.ids_in_first = Some(ids_in_first(&self.ipc_schema, next.ipc_schema()));
        let schema = next.ipc_schema().schema();
        let first = self.ipc_schema.schema();
        self.has_other_metadata |=
            next.schema_message_metadata() != &self.metadata || schema.metadata() != first.metadata();
        if let LaterStreams::SameColumns(selection) = &self.later {
            first.check_same_columns(schema).map_err(|error| {
                let kind = ToolErrorKind::OtherColumns { position: start, error };
                ToolError::new(&self.location.name, kind)
            })?;
            // The columns are the same, so different schemas differ in metadata.
            self.has_other_metadata |= schema != first;
            next.project(selection.projection()).map_err(|error| self.location.failed(error))?;
        }
        Ok(Some(next))
    }

    fn id_in_first(&self, id: i64) -> i64 {
        self.ids_in_first.as_ref().and_then(|ids| ids.get(&id)).copied().unwrap_or(id)
    }

    /// Whether the last stream has an end marker; `false` until the last item was returned. A stream without end
    /// marker may be incomplete, because its writer was stopped.
    pub fn has_end_marker(&self) -> bool {
        self.has_end_marker
    }

    /// What was unusual in the messages that were decoded. Complete only after the last item.
    pub(crate) fn oddities(&self) -> Oddities {
        self.oddities
    }

    /// The bytes after the last stream; `None` if there are none, or before the last item was returned.
    pub fn trailing_bytes(&self) -> Option<TrailingBytes> {
        self.rest.clone()
    }

    /// What the input has beside its rows, or the files of a data set beside theirs. Complete only after the last item.
    pub(crate) fn remarks(&self) -> InputRemarks {
        let file_remarks = self.origin.remarks();
        let oddities = self.reader.as_ref().map_or(self.oddities, |reader| self.oddities.and(reader.stats()));
        InputRemarks {
            trailing_bytes: self.trailing_bytes().or(file_remarks.trailing_bytes),
            n_tensors: self.n_tensors,
            has_text_not_utf8: oddities.has_text_not_utf8() || file_remarks.has_text_not_utf8,
        }
    }
}

/// For each dictionary id of a schema, the id of the same dictionary in the first schema. Both schemas have the same
/// columns, and ids in the order of the fields.
pub(crate) fn ids_in_first(first: &IpcSchema, schema: &IpcSchema) -> HashMap<i64, i64> {
    // If several fields share an id, the first field counts.
    let pairs = schema.dictionary_ids().iter().zip(first.dictionary_ids());
    pairs.rev().map(|(there, here)| (*there, *here)).collect()
}
