//! Messages to messages, without arrays: into the other container and with other framing. No I/O.

mod check;
mod containers;
mod dictionaries;

use arrow_buffer::Buffer;

use crate::{
    encoded::Encoded,
    error::{Context, IpcErrorKind, Result},
    ipc_schema::IpcSchema,
    limits::Limits,
    message::Message,
    options::WriteOptions,
};

use self::{check::Checked, containers::ContainerEncoder, dictionaries::KnownDictionaries};

/// Writes the messages of a stream or file as another stream or file without decoding a column, and without I/O: messages go
/// in, and what is to be written comes out as segments.
///
/// The structure of each message is checked as a reader would: its lists fit the schema, its buffers lie inside of its body,
/// its dictionary has an id of the schema, and sizes are within the [`Limits`]. The *content* of buffers is not looked at: what
/// was invalid in the input is so in the output. Dictionaries, deltas, tensors and the custom metadata of messages are kept, and
/// in a stream also replaced dictionaries.
///
/// The input may come from [`Messages`](crate::Messages), or as the blocks of a [`Footer`](crate::Footer). Its schema message is
/// not given: the schema is. Tensors have no place in a file, where the caller leaves them out.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileReader, Limits, MessageKind, MessageStep, Messages, Transcoder, WriteOptions};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::StreamWriter;
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # let mut writer = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// # writer.write(&batch)?;
/// # let stream = writer.finish()?;
/// let mut messages = Messages::new(Limits::default());
/// messages.feed(Buffer::from(stream));
/// messages.end_of_input();
///
/// let mut transcoder = Transcoder::to_file(batch.schema(), WriteOptions::default())?;
/// let mut file = Vec::new();
/// while let MessageStep::Message(message) = messages.step()? {
///     if message.kind() != MessageKind::Schema {
///         transcoder.copy(&message)?.write_to(&mut file)?;
///     }
/// }
/// transcoder.finish()?.write_to(&mut file)?;
/// assert_eq!(FileReader::try_from_buffer(Buffer::from(file))?.n_batches(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Transcoder {
    encoder: ContainerEncoder,
    dictionaries: KnownDictionaries,
    limits: Limits,
}

impl Transcoder {
    /// A transcoder that writes a stream.
    ///
    /// Version, framing and metadata are those of the options; features are those of the schema.
    ///
    /// # Errors
    /// As [`StreamEncoder::try_new`](crate::StreamEncoder::try_new). If the options ask for what only arrays have: another byte
    /// order than the schema's, zeros in null slots, leaving out what is unused, other dictionaries.
    pub fn to_stream(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<Transcoder> {
        Transcoder::to(schema.into(), options, ContainerEncoder::stream_of)
    }

    /// A transcoder that writes a file.
    ///
    /// # Errors
    /// As [`to_stream`](Transcoder::to_stream).
    pub fn to_file(schema: impl Into<IpcSchema>, options: WriteOptions) -> Result<Transcoder> {
        Transcoder::to(schema.into(), options, ContainerEncoder::file_of)
    }

    fn to(
        schema: IpcSchema,
        options: WriteOptions,
        encoder: fn(IpcSchema, WriteOptions) -> Result<ContainerEncoder>,
    ) -> Result<Transcoder> {
        check::options(&schema, &options)?;
        let options = options.with_features(schema.features().iter().copied());
        let encoder = encoder(schema, options)?;
        Ok(Transcoder { encoder, dictionaries: KnownDictionaries::default(), limits: Limits::default() })
    }

    /// With other limits than the default ones for what messages may ask for.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Transcoder {
        Transcoder { limits, ..self }
    }

    /// The schema as it is written.
    pub fn schema(&self) -> &IpcSchema {
        self.encoder.stream().schema()
    }

    /// The bytes of all that has been handed out, and of the bodies that the caller writes.
    pub fn position(&self) -> u64 {
        self.encoder.stream().position()
    }

    /// What comes before the first message: the schema message, and the magic of a file. Without this call it comes with the
    /// first message.
    ///
    /// # Errors
    /// As [`StreamEncoder::start`](crate::StreamEncoder::start).
    pub fn start(&mut self) -> Result<Encoded<'_>> {
        self.encoder.stream_mut().start()
    }

    /// A message as it is: its metadata and its body, with the framing of the options. Codec and places of buffers stay what
    /// they are, so this is as fast as memory, and shares the body.
    ///
    /// # Errors
    /// If the message does not fit the schema, or is malformed, unsupported, over a limit or a second schema; if it is a tensor
    /// and this is a file; if it has another metadata version than the options; if it replaces a dictionary of a file, or adds to
    /// one that has not come; if its body was left out. The transcoder can be used further, as if it had not been called.
    pub fn copy(&mut self, message: &Message) -> Result<Encoded<'_>> {
        let copied = whole(message).and_then(|body| self.copy_with(message, Some(body)));
        copied.in_message(message.index(), message.position())
    }

    /// As [`copy`](Transcoder::copy), but without the body: the caller writes the
    /// [`n_body_bytes`](crate::EncodedMessage::n_body_bytes) of it afterwards, from wherever they are.
    ///
    /// # Errors
    /// As [`copy`](Transcoder::copy); the body may have been left out.
    pub fn copy_head(&mut self, message: &Message) -> Result<Encoded<'_>> {
        self.copy_with(message, None).in_message(message.index(), message.position())
    }

    fn copy_with(&mut self, message: &Message, body: Option<&Buffer>) -> Result<Encoded<'_>> {
        let head = &message.head;
        if head.version() != self.encoder.stream().options().version {
            return Err(IpcErrorKind::NeedsDecoding { what: "a message of another metadata version" }.into());
        }
        let checked = self.check(message)?;
        self.dictionaries.check(checked.dictionary, self.encoder.written())?;
        let encoded = self.encoder.add_message(|output, _| output.add_copied(head, body))?;
        self.dictionaries.add(checked.dictionary);
        Ok(encoded)
    }

    /// The end of the stream, or the end and the footer of the file. Nothing can follow it.
    ///
    /// # Errors
    /// As [`FileEncoder::finish`](crate::FileEncoder::finish).
    pub fn finish(&mut self) -> Result<Encoded<'_>> {
        self.encoder.finish()
    }

    /// Lets go of the buffers of what was handed out last.
    pub fn clear(&mut self) {
        self.encoder.stream_mut().clear();
    }

    fn check(&self, message: &Message) -> Result<Checked> {
        check::message(message, self.encoder.stream().columns(), &self.limits, self.encoder.written())
    }
}

/// The body of a message.
///
/// # Errors
/// If it was left out.
fn whole(message: &Message) -> Result<&Buffer> {
    let (needed, available) = (message.n_body_bytes(), message.body.len() as u64);
    if needed == available {
        return Ok(&message.body);
    }
    Err(IpcErrorKind::Truncated { what: "body", needed, available }.into())
}
