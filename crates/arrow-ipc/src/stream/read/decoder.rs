//! Decodes messages to record batches, without I/O.

use std::{convert::Infallible, sync::Arc};

use arrow_buffer::Buffer;
use arrow_schema::{Metadata, Schema};

use super::{
    large_batch::LargeBatch,
    messages::{MessageStep, Messages},
};
use crate::{
    batch::{BatchWithMetadata, ReadStats},
    body::Body,
    error::{Context, IpcError, IpcErrorKind, Result, Unsupported},
    message::{AnyTensor, DictionaryMessage, Message, OpenBatch},
    options::{Projection, ReadOptions, Validation},
    protocol::{Endianness, MessageKind},
    schema::IpcSchema,
    session::Session,
};

/// Decodes a stream without I/O: give it bytes, in pieces of any size, and ask for [`step`](StreamDecoder::step)s.
///
/// The decoder owns the bytes that it has not used yet. A message that lies inside one [`Buffer`] passed to
/// [`feed`](StreamDecoder::feed) is decoded without a copy. With [`spare`](StreamDecoder::spare) and
/// [`filled`](StreamDecoder::filled), bytes are read into their final memory.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{ReadOptions, Step, StreamDecoder};
///
/// fn count_rows(stream: Buffer) -> arrow_ipc::Result<usize> {
///     let mut decoder = StreamDecoder::new(ReadOptions::default());
///     decoder.feed(stream);
///     decoder.end_of_input();
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
    /// The state of reading; `None` until the schema has arrived.
    session: Option<Session>,
    metadata: Metadata,
    /// The index and position of the last message that arrived.
    last_message: (u64, u64),
    failed: bool,
}

/// A result of [`StreamDecoder::step`].
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{ReadOptions, Step, StreamDecoder, StreamWriter, WriteOptions};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// writer.write(&batch)?;
/// let stream = Buffer::from(writer.finish()?);
///
/// let mut decoder = StreamDecoder::new(ReadOptions::default());
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
    /// The next step needs at least this number of bytes; you may give more or fewer. Do not trust the number: it comes
    /// from the input.
    NeedBytes(u64),
    /// The schema, which comes before dictionaries and batches.
    Schema(IpcSchema),
    /// A dictionary, which later batches use. A dictionary that no selected column needs is skipped.
    Dictionary {
        /// The id of the dictionary.
        id: i64,
        /// Whether the values are appended to the dictionary; otherwise they replace it.
        is_delta: bool,
        /// The custom metadata of the dictionary message.
        metadata: Metadata,
    },
    /// The next batch, with the custom metadata of its message.
    Batch(BatchWithMetadata),
    /// The next batch, before its body has arrived. A decoder only returns such batches if
    /// [`with_large_batches_over`](StreamDecoder::with_large_batches_over) was called. The bytes that follow are the
    /// body of the batch.
    LargeBatch(LargeBatch),
    /// A tensor between the batches, and the custom metadata of its message.
    Tensor(AnyTensor, Metadata),
    /// The stream has ended. Trailing bytes are left to the caller.
    End,
}

impl StreamDecoder {
    /// A decoder for a stream that begins with the next byte.
    pub fn new(options: ReadOptions) -> StreamDecoder {
        StreamDecoder {
            messages: Messages::with_options(&options),
            options,
            session: None,
            metadata: Metadata::new(),
            last_message: (0, 0),
            failed: false,
        }
    }

    /// Makes [`step`](StreamDecoder::step) return a batch whose body has more than `n_body_bytes` bytes as a
    /// [`LargeBatch`](Step::LargeBatch), before the body has arrived. The caller makes the bytes of the body readable
    /// by position: either it [takes](StreamDecoder::take_body_bytes) them from the decoder, or, if it has them
    /// elsewhere, it [leaves them out](StreamDecoder::leave_out_body_bytes) of the input. The next step skips the bytes
    /// of the body that the caller has not taken. Messages that have already begun are not affected.
    #[must_use]
    pub fn with_large_batches_over(self, n_body_bytes: u64) -> StreamDecoder {
        StreamDecoder { messages: self.messages.keeping_bodies_up_to(n_body_bytes), ..self }
    }

    /// The next bytes of the body of the last large batch. `None` if none have arrived.
    pub fn take_body_bytes(&mut self) -> Option<Buffer> {
        self.messages.take_body_bytes()
    }

    /// The number of bytes of the body of the last large batch that have not been taken, whether they have arrived or not.
    pub fn n_body_bytes_left(&self) -> u64 {
        self.messages.n_body_bytes_left()
    }

    /// Tells the decoder that the next `n_bytes` bytes of the body of the large batch are left out of the input. The
    /// input continues with the bytes after them. First take the bytes that have arrived.
    pub fn leave_out_body_bytes(&mut self, n_bytes: u64) {
        self.messages.leave_out_body_bytes(n_bytes);
    }

    /// Adds bytes that are in memory to the input. See [`Messages::feed`].
    pub fn feed(&mut self, bytes: Buffer) {
        self.messages.feed(bytes);
    }

    /// A buffer of at least one byte, into which the next bytes are to be read. See [`Messages::spare`].
    pub fn spare(&mut self) -> &mut [u8] {
        self.messages.spare()
    }

    /// Appends the first `n_bytes` bytes of [`spare`](StreamDecoder::spare) to the input; 0 ends the input.
    pub fn filled(&mut self, n_bytes: usize) {
        self.messages.filled(n_bytes);
    }

    /// Ends the input: no more bytes will come.
    pub fn end_of_input(&mut self) {
        self.messages.end_of_input();
    }

    /// The options of reading.
    pub fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// The schema of the stream; `None` until it has arrived.
    pub fn ipc_schema(&self) -> Option<&IpcSchema> {
        self.session.as_ref().map(Session::ipc_schema)
    }

    /// The schema of the batches: the projected schema, or the schema of the stream; `None` until it has arrived.
    pub fn schema(&self) -> Option<&Arc<Schema>> {
        self.session.as_ref().map(Session::schema)
    }

    /// The custom metadata of the schema message; empty until it has arrived. The metadata of the schema itself is in
    /// [`schema`](StreamDecoder::schema).
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Selects other columns, from the next batch on. The projection refers to the whole schema of the stream.
    ///
    /// # Errors
    /// If the schema has not arrived yet. If the projection does not fit the schema, or needs a dictionary that was
    /// skipped because the columns selected before did not need it. After an error the selection is unchanged.
    pub fn project(&mut self, projection: &Projection) -> Result<()> {
        let session = self.session.as_mut().ok_or(IpcErrorKind::NoSchemaYet { what: "a projection" })?;
        session.select(projection)
    }

    /// The error for a tensor, for readers that only return batches.
    pub fn tensor_error(&self) -> IpcError {
        let what = Unsupported::Part("tensor among record batches: read it with `StreamDecoder`");
        let (index, position) = self.last_message;
        let error = Err::<Infallible, _>(IpcErrorKind::Unsupported { what });
        let Err(error) = error.in_message(index, position);
        error
    }

    /// The number of bytes of the stream that have been decoded.
    pub fn n_bytes_consumed(&self) -> u64 {
        self.messages.position()
    }

    /// Whether the stream has an end marker; `false` before the [end](Step::End). A stream without an end marker may be
    /// complete, but a writer that was stopped between two messages leaves the same bytes.
    pub fn has_end_marker(&self) -> bool {
        self.messages.has_end_marker()
    }

    /// Counts of the bytes and buffers that had to be copied.
    pub fn stats(&self) -> ReadStats {
        let stats =
            self.session.as_ref().map_or_else(ReadStats::default, |session| session.counters().snapshot());
        ReadStats { n_gathered_bytes: self.messages.n_gathered_bytes(), ..stats }
    }

    /// The bytes of the input that were not used. After the end, these bytes follow the stream; they may be another
    /// stream.
    pub fn into_rest(self) -> Vec<Buffer> {
        self.messages.into_rest()
    }

    /// Decodes as far as bytes have arrived.
    ///
    /// # Errors
    /// If the stream breaks a rule of the format, uses something unsupported, exceeds a limit, or ends inside a
    /// message. The error contains the position. After an error every step returns
    /// [`AlreadyFailed`](IpcErrorKind::AlreadyFailed).
    pub fn step(&mut self) -> Result<Step> {
        if self.failed {
            return Err(IpcErrorKind::AlreadyFailed { what: "decoder" }.into());
        }
        // This is undone if the step succeeds.
        self.failed = true;
        let step = match self.messages.step()? {
            MessageStep::NeedBytes(n_bytes) => Step::NeedBytes(n_bytes),
            MessageStep::End if self.session.is_none() => {
                let error = IpcErrorKind::Truncated { what: "schema message", needed: 8, available: 0 };
                return Err(error).at_byte(self.messages.position());
            }
            MessageStep::End => Step::End,
            MessageStep::Message(message) => {
                let (index, position) = (message.index, message.position);
                self.last_message = (index, position);
                match &self.session {
                    Some(session) if self.messages.n_body_bytes_left() > 0 => {
                        Step::LargeBatch(LargeBatch::new(message, session))
                    }
                    Some(_) | None => self.message(message).in_message(index, position)?,
                }
            }
        };
        self.failed = false;
        Ok(step)
    }

    fn message(&mut self, message: Message) -> Result<Step> {
        let Some(session) = &mut self.session else { return self.first_message(&message) };
        match message.head.kind {
            MessageKind::Schema => Err(IpcErrorKind::SecondSchema.into()),
            MessageKind::Tensor | MessageKind::SparseTensor => {
                let endianness = session.ipc_schema().endianness();
                let tensor = tensor_of(&message, &self.options, endianness)?;
                Ok(Step::Tensor(tensor, message.custom_metadata()?))
            }
            MessageKind::DictionaryBatch | MessageKind::RecordBatch => {
                let Message { head, body, .. } = message;
                let (limits, body) = (&self.options.limits, Body::Whole(body));
                let message = OpenBatch::parse(head, limits)?;
                let Some(dictionary) = message.dictionary else {
                    session.receive(message.head.n_message_bytes());
                    let batch = session.record_batch(&message, &body)?;
                    return Ok(Step::Batch(BatchWithMetadata { batch, metadata: message.custom_metadata }));
                };
                session.take_dictionary(&message, dictionary, &body)?;
                let DictionaryMessage { id, is_delta } = dictionary;
                Ok(Step::Dictionary { id, is_delta, metadata: message.custom_metadata })
            }
        }
    }

    fn first_message(&mut self, message: &Message) -> Result<Step> {
        let ipc_schema = message.head.schema(&self.options.limits)?;
        self.metadata = message.custom_metadata()?;
        self.session = Some(Session::try_new(ipc_schema.clone(), self.options.clone(), Arc::default())?);
        Ok(Step::Schema(ipc_schema))
    }
}

/// The tensor of a message whose body has this byte order. The options set the level of checks.
pub(super) fn tensor_of(
    message: &Message,
    options: &ReadOptions,
    endianness: Endianness,
) -> Result<AnyTensor> {
    if cfg!(not(feature = "tensor")) {
        // Tensors are read in a separate function, so that programs that only read batches do not contain the code for
        // tensors.
        return Err(IpcErrorKind::Unsupported { what: Unsupported::NO_TENSORS }.into());
    }
    let mut tensor = message.tensor(&options.limits)?;
    if endianness != Endianness::NATIVE {
        tensor = tensor.to_other_byte_order()?;
    }
    if options.validation != Validation::Deferred {
        tensor.validate()?;
    }
    Ok(tensor)
}
