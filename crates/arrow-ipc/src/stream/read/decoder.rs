//! Decodes the messages of a stream to record batches, without I/O.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_schema::{Metadata, Schema};

use super::{
    large_batch::LargeBatch,
    messages::{MessageStep, Messages},
};
use crate::{
    batch::{BatchWithMetadata, ReadStats},
    error::{Context, FormatErrorKind, IpcError, IpcErrorKind, Result, UnsupportedPart},
    message_decoder::{DecodedMessage, MessageDecoder},
    options::{Projection, ReadOptions},
};
use arrow_ipc_format::{DictionaryHeader, IpcSchema, Message, MessageKind};

/// Decodes a stream without I/O. Pass bytes to the decoder, in pieces of any size, and call
/// [`step`](StreamDecoder::step) for the results.
///
/// The decoder owns the bytes that it has not decoded yet. If a message is inside one [`Buffer`] passed to
/// [`feed`](StreamDecoder::feed), it is decoded without a copy. With [`spare`](StreamDecoder::spare) and
/// [`filled`](StreamDecoder::filled), you read bytes directly into the memory that the arrays will use.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{Step, StreamDecoder};
///
/// fn count_rows(stream: Buffer) -> arrow_ipc::Result<usize> {
///     let mut decoder = StreamDecoder::new();
///     decoder.feed(stream);
///     decoder.finish_input();
///     let mut n_rows = 0;
///     loop {
///         match decoder.step()? {
///             Step::Batch(next) => n_rows += next.batch.n_rows(),
///             Step::End => return Ok(n_rows),
///             _ => {}
///         }
///     }
/// }
/// # assert!(count_rows(Buffer::from_static(b"ARROW1")).is_err());
/// ```
#[derive(Debug)]
pub struct StreamDecoder {
    options: ReadOptions,
    messages: Messages,
    /// `None` until the schema has arrived.
    message_decoder: Option<MessageDecoder>,
    metadata: Metadata,
    /// The index and position of the last message.
    last_message: (u64, u64),
}

/// A result of [`StreamDecoder::step`].
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{Step, StreamDecoder, StreamWriter};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let stream = Buffer::from(writer.finish()?);
///
/// let mut decoder = StreamDecoder::new();
/// assert!(matches!(decoder.step()?, Step::NeedBytes(_)));
/// decoder.feed(stream);
/// assert!(matches!(decoder.step()?, Step::Schema(_)));
/// assert!(matches!(decoder.step()?, Step::Batch(_)));
/// assert!(matches!(decoder.step()?, Step::End));
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Step {
    /// The next step needs at least this number of bytes. You may pass more or fewer. The number comes from the input,
    /// so limit the memory that you allocate for it.
    NeedBytes(u64),
    /// The schema. It comes before dictionaries and batches.
    Schema(IpcSchema),
    /// A dictionary, which later batches use. The values are not decoded if no selected column needs the dictionary.
    Dictionary {
        /// The id of the dictionary in the schema.
        id: i64,
        /// Whether the values are appended to the dictionary; otherwise they replace it.
        is_delta: bool,
        /// The custom metadata of the dictionary message.
        metadata: Metadata,
    },
    /// The next batch, with the custom metadata of its message.
    Batch(BatchWithMetadata),
    /// The next batch, before its body has arrived. Only returned after
    /// [`with_large_batches_over`](StreamDecoder::with_large_batches_over) was called. The next bytes of the input are
    /// the body.
    LargeBatch(LargeBatch),
    /// A tensor between batches, dense or sparse. `AnyTensor` of `arrow-ipc-tensor` reads its message.
    Tensor(Message),
    /// The stream has ended. [`into_rest`](StreamDecoder::into_rest) returns the bytes after it.
    End,
}

impl Default for StreamDecoder {
    fn default() -> StreamDecoder {
        StreamDecoder::new()
    }
}

impl StreamDecoder {
    /// Makes a decoder. The stream begins with the first byte that the decoder gets.
    pub fn new() -> StreamDecoder {
        StreamDecoder::new_with(ReadOptions::default())
    }

    /// Like [`new`](StreamDecoder::new), with options.
    pub fn new_with(options: ReadOptions) -> StreamDecoder {
        let options = options.for_one_reader();
        StreamDecoder {
            messages: Messages::new_with(options.clone()),
            options,
            message_decoder: None,
            metadata: Metadata::new(),
            last_message: (0, 0),
        }
    }

    /// Makes [`step`](StreamDecoder::step) return a [`LargeBatch`](Step::LargeBatch) if a body has more than
    /// `n_body_bytes` bytes, before the body has arrived. You then provide a copy of the body that is readable by
    /// position: either [take](StreamDecoder::read_body_bytes) the bytes from the decoder, or
    /// [leave them out](StreamDecoder::skip_body_bytes) of the input if you have them elsewhere. The next step
    /// skips the other bytes of the body. The setting does not apply to a message that has already begun.
    #[must_use]
    pub fn with_large_batches_over(self, n_body_bytes: u64) -> StreamDecoder {
        StreamDecoder { messages: self.messages.with_max_body_bytes(n_body_bytes), ..self }
    }

    /// Takes the next bytes of the body of the last large batch. `None` if none have arrived, or all have been taken.
    pub fn read_body_bytes(&mut self) -> Option<Buffer> {
        self.messages.read_body_bytes()
    }

    /// How many bytes of the body of the last large batch have been neither taken nor left out.
    pub fn n_remaining_body_bytes(&self) -> u64 {
        self.messages.n_remaining_body_bytes()
    }

    /// Declares that the input will not contain the next `n_bytes` bytes of the body of the last large batch, and
    /// continues after them. Before this, take the bytes that have arrived.
    pub fn skip_body_bytes(&mut self, n_bytes: u64) {
        self.messages.skip_body_bytes(n_bytes);
    }

    /// Appends bytes to the input without a copy. See [`Messages::feed`].
    pub fn feed(&mut self, bytes: Buffer) {
        self.messages.feed(bytes);
    }

    /// Memory of at least one byte for the next bytes of the input: see [`Messages::spare`].
    pub fn spare(&mut self) -> &mut [u8] {
        self.messages.spare()
    }

    /// Checks that there was memory for the input so far: see [`Messages::check_memory`].
    ///
    /// # Errors
    /// The errors of [`Messages::check_memory`].
    pub fn check_memory(&self) -> Result<()> {
        self.messages.check_memory()
    }

    /// Appends the first `n_bytes` bytes of [`spare`](StreamDecoder::spare) to the input. 0 means that no bytes have arrived
    /// yet, as for a socket that would block. At the end of the input, call
    /// [`finish_input`](StreamDecoder::finish_input).
    pub fn filled(&mut self, n_bytes: usize) {
        self.messages.filled(n_bytes);
    }

    /// Declares that the input ends here: see [`Messages::finish_input`].
    pub fn finish_input(&mut self) {
        self.messages.finish_input();
    }

    /// The options that the decoder was made with.
    pub fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// The schema of the stream, without a projection; `None` until it has arrived.
    pub fn ipc_schema(&self) -> Option<&IpcSchema> {
        self.message_decoder.as_ref().map(MessageDecoder::ipc_schema)
    }

    /// The schema of the decoded batches, after the projection; `None` until it has arrived.
    pub fn schema(&self) -> Option<&Arc<Schema>> {
        self.message_decoder.as_ref().map(MessageDecoder::schema)
    }

    /// The custom metadata of the schema message; empty until it has arrived. The schema has its own metadata: see
    /// [`schema`](StreamDecoder::schema).
    pub fn schema_message_metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Selects other columns, from the next batch on. Positions in `projection` count all columns of the stream.
    ///
    /// # Errors
    /// If the schema has not arrived yet. If the projection does not fit the schema, or needs a dictionary that was
    /// skipped because no selected column needed it. After an error, the old projection still applies.
    pub fn project(&mut self, projection: &Projection) -> Result<()> {
        let message_decoder =
            self.message_decoder.as_mut().ok_or(IpcErrorKind::NoSchemaYet { what: "a projection" })?;
        message_decoder.project(projection)
    }

    /// Returns the error that a reader of batches returns if it finds a tensor.
    pub fn tensor_error(&self) -> IpcError {
        let what = UnsupportedPart::Part("tensor among record batches: `step` and `next_step` return it");
        let (index, position) = self.last_message;
        IpcError::from(FormatErrorKind::Unsupported { what }).in_message(index, position)
    }

    /// The number of bytes of the stream that have been decoded, including the end marker.
    pub fn n_bytes_consumed(&self) -> u64 {
        self.messages.position()
    }

    /// Whether the stream has an end marker; `false` before the [end](Step::End). The marker is optional. Without it,
    /// the stream may be complete, or its writer may have been stopped between two messages.
    pub fn has_end_marker(&self) -> bool {
        self.messages.has_end_marker()
    }

    /// Counts the bytes and buffers that the decoder has copied so far.
    pub fn stats(&self) -> ReadStats {
        let stats = self.message_decoder.as_ref().map_or_else(ReadStats::default, MessageDecoder::stats);
        ReadStats { n_reassembled_bytes: self.messages.n_reassembled_bytes(), ..stats }
    }

    /// The bytes of the input that were not decoded. After the end, these are the bytes after the stream, perhaps
    /// another stream.
    pub fn into_rest(self) -> Vec<Buffer> {
        self.messages.into_rest()
    }

    /// Decodes the input up to the next result, or returns [`NeedBytes`](Step::NeedBytes).
    ///
    /// # Errors
    /// If the stream breaks a rule of the format, uses something unsupported, exceeds a limit, or ends inside a
    /// message. The error contains the position. After an error every step returns
    /// [`AlreadyFailed`](IpcErrorKind::AlreadyFailed).
    pub fn step(&mut self) -> Result<Step> {
        let step = self.advance();
        if step.is_err() {
            self.messages.fail();
        }
        step
    }

    fn advance(&mut self) -> Result<Step> {
        Ok(match self.messages.step()? {
            MessageStep::NeedBytes(n_bytes) => Step::NeedBytes(n_bytes),
            MessageStep::End if self.message_decoder.is_none() => {
                let position = self.messages.position();
                return if self.messages.has_end_marker() {
                    Err(IpcErrorKind::NoSchema).at_byte(position)
                } else {
                    Err(IpcErrorKind::EmptyInput.into())
                };
            }
            MessageStep::End => Step::End,
            MessageStep::Message(message) => {
                let index = message.index();
                let position = message.position();
                self.last_message = (index, position);
                match &self.message_decoder {
                    Some(message_decoder) if self.messages.n_remaining_body_bytes() > 0 => {
                        Step::LargeBatch(LargeBatch::new(message, message_decoder))
                    }
                    Some(_) | None => self.message(message).in_message(index, position)?,
                }
            }
        })
    }

    fn message(&mut self, message: Message) -> Result<Step> {
        let Some(message_decoder) = &mut self.message_decoder else { return self.first_message(&message) };
        match message.envelope().kind() {
            MessageKind::Schema => Err(IpcErrorKind::SecondSchema.into()),
            MessageKind::Tensor | MessageKind::SparseTensor => Ok(Step::Tensor(message)),
            MessageKind::DictionaryBatch | MessageKind::RecordBatch => {
                Ok(match message_decoder.decode_owned(message)? {
                    DecodedMessage::Batch(batch) => Step::Batch(batch),
                    DecodedMessage::Dictionary(DictionaryHeader { id, is_delta }, metadata) => {
                        Step::Dictionary { id, is_delta, metadata }
                    }
                })
            }
        }
    }

    fn first_message(&mut self, message: &Message) -> Result<Step> {
        let ipc_schema = message.envelope().schema(&self.options.limits)?;
        self.metadata = message.custom_metadata()?;
        let message_decoder = MessageDecoder::try_new_with(ipc_schema.clone(), self.options.clone())?;
        message_decoder.check_metadata(&self.metadata)?;
        self.message_decoder = Some(message_decoder);
        Ok(Step::Schema(ipc_schema))
    }
}
