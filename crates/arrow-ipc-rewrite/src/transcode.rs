//! Converts messages to another container, framing, alignment or compression. Does not decode arrays, and does no I/O.

mod check;
mod entries;

mod recompress;

mod body;
mod relocation;
mod spooled;

use std::{collections::HashSet, io, slice, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_schema::{Metadata, Schema};

use crate::error::RewriteError;
use arrow_ipc::{
    ContainerEncoder, Encoded, FormatErrorKind, Result, WriteOptions,
    error::Context,
    file::DecompressedBatch,
    segment::{BodyPart, RawMessage},
};
use arrow_ipc_format::{
    BatchHeaderBuilder, BatchView, BodyRange, IpcSchema, Limits, Message, MessageKind, WrittenContainer,
};

pub use self::relocation::{BufferMove, Relocation};
use self::{
    body::{Bodies, InputBody},
    check::AcceptedBatch,
    recompress::FetchBuffer,
};

/// Converts the messages of a stream or file to another stream or file. It does not decode arrays, and does no I/O: its
/// input is messages, and its output is segments.
///
/// A transcoder checks the structure of each message like a reader: nodes and buffers fit the schema, buffers are
/// inside the body, the schema has the dictionary id, and lengths are within the [`Limits`]. It does not check the
/// *content* of buffers, so invalid content stays invalid. Dictionaries, deltas, tensors and the custom metadata of
/// messages are kept; the numbers of tensors are not read. If the output is a stream, replaced dictionaries are also kept.
///
/// The input may be [`Messages`](arrow_ipc::Messages), or the blocks of a [`Footer`](arrow_ipc::file::Footer). Pass the schema
/// of the input to the constructor, and skip the schema message. A file cannot contain tensors, so skip tensors if the
/// output is a file.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{
///     FileReader, Limits, MessageKind, MessageStep, Messages, WrittenContainer,
/// };
/// use arrow_ipc_rewrite::Transcoder;
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_ipc::StreamWriter;
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// # let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// # writer.write(&batch)?;
/// # let stream = writer.finish()?;
/// let mut messages = Messages::new(Limits::default());
/// messages.feed(Buffer::from(stream));
/// messages.finish_input();
///
/// let mut transcoder = Transcoder::try_new(batch.schema(), WrittenContainer::File)?;
/// let mut file = Vec::new();
/// while let MessageStep::Message(message) = messages.step()? {
///     if message.kind() != MessageKind::Schema {
///         transcoder.copy(&message)?.write_to(&mut file)?;
///     }
/// }
/// transcoder.finish()?.write_to(&mut file)?;
/// assert_eq!(FileReader::try_from_buffer(Buffer::from(file))?.n_batches(), 1);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct Transcoder {
    encoder: ContainerEncoder,
    /// The ids of the dictionaries that have been written.
    dictionaries: HashSet<i64>,
    limits: Limits,
    bodies: Bodies,
    /// The header of the last message, whose memory is used again.
    header: BatchHeaderBuilder,
    moves: Vec<BufferMove>,
}

impl Transcoder {
    /// A transcoder that writes a stream or file.
    ///
    /// The options decide version, framing, alignment, compression, threads, shared buffers and metadata. The features
    /// come from the schema, even if the options have others.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::try_new`](arrow_ipc::StreamEncoder::try_new). If an option needs decoded arrays:
    /// another byte order than the schema has, zeros in null slots, leaving out unused values or items, or a dictionary
    /// policy other than `Replace`.
    pub fn try_new(schema: impl Into<IpcSchema>, container: WrittenContainer) -> Result<Transcoder> {
        Transcoder::try_new_with(schema, container, WriteOptions::default())
    }

    /// Like [`try_new`](Transcoder::try_new), with options.
    ///
    /// # Errors
    /// The errors of [`try_new`](Transcoder::try_new).
    pub fn try_new_with(
        schema: impl Into<IpcSchema>,
        container: WrittenContainer,
        options: WriteOptions,
    ) -> Result<Transcoder> {
        let schema = schema.into();
        check::options(&schema, &options)?;
        let options = options.with_features(schema.features().iter().copied());
        let bodies = Bodies::new(&options);
        let encoder = ContainerEncoder::try_new_with(schema, container, options)?;
        Ok(Transcoder {
            header: BatchHeaderBuilder::new(encoder.format().alignment),
            encoder,
            dictionaries: HashSet::new(),
            limits: Limits::default(),
            bodies,
            moves: Vec::new(),
        })
    }

    /// Sets the limits on lengths and counts that messages state. Default: the default [`Limits`].
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Transcoder {
        Transcoder { limits, ..self }
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &Arc<Schema> {
        self.ipc_schema().schema()
    }

    /// The schema of the output, with the version and byte order of the options.
    pub fn ipc_schema(&self) -> &IpcSchema {
        self.encoder.ipc_schema()
    }

    /// The number of bytes of the output so far. It includes bodies that the caller writes itself.
    pub fn position(&self) -> u64 {
        self.encoder.position()
    }

    /// Returns the bytes before the first message: the magic of a file, and the schema message. If you do not call this
    /// method, the result for the first message begins with these bytes.
    ///
    /// # Errors
    /// The errors of [`StreamEncoder::start`](arrow_ipc::StreamEncoder::start).
    pub fn start(&mut self) -> Result<Encoded<'_>> {
        self.encoder.start()
    }

    /// Copies a message with unchanged metadata and body. The framing follows the options, but the codec and the
    /// positions of buffers stay the same. The output shares the memory of the body.
    ///
    /// # Errors
    /// If the message does not fit the schema, or is invalid, unsupported, over a limit, or another schema message. If
    /// the message is a tensor, and the output is a file. If the message can only be
    /// [transcoded](Transcoder::transcode): see [`can_copy`](Transcoder::can_copy). If the message replaces a dictionary of a file, or adds values to a dictionary that was
    /// not written. If the body of the message is not in memory. An error does not change the transcoder.
    pub fn copy(&mut self, message: &Message) -> Result<Encoded<'_>> {
        let copied = whole(message).and_then(|body| self.copy_with(message, Some(body)));
        copied.at_message(message)
    }

    /// Whether [`copy`](Transcoder::copy) can copy a message with unchanged metadata: the message has the metadata version
    /// of the options, and no validity buffers for columns without a validity bitmap, as
    /// [some writers write](arrow_ipc::ReadStats::has_extra_validity). Otherwise [`transcode`](Transcoder::transcode) may be
    /// possible, which leaves out such buffers.
    ///
    /// # Errors
    /// If the message does not fit the schema or the output, or is invalid, unsupported or over a limit.
    pub fn can_copy(&self, message: &Message) -> Result<bool> {
        if message.envelope().version() != self.encoder.options().version() {
            return Ok(false);
        }
        let checked = self.check(message).at_message(message)?;
        Ok(checked.is_none_or(|checked| checked.left_out.is_empty()))
    }

    /// Like [`copy`](Transcoder::copy), but returns only the bytes before the body. After them, the caller writes the
    /// body of the message, which has [`n_body_bytes`](arrow_ipc::MessageSize::n_body_bytes) bytes.
    ///
    /// # Errors
    /// The errors of [`copy`](Transcoder::copy), but the body need not be in memory.
    pub fn copy_metadata(&mut self, message: &Message) -> Result<Encoded<'_>> {
        self.copy_with(message, None).at_message(message)
    }

    /// Converts a message to the version, framing, alignment and compression of the options. A tensor gets the version and
    /// framing alone: its body is copied as it is. Unchanged buffers share the memory of the body. With [`SharedBuffers::Once`](arrow_ipc::SharedBuffers::Once), buffers with the same range in
    /// the input body also share one range in the output; otherwise each buffer is written separately.
    ///
    /// # Errors
    /// The errors of [`copy`](Transcoder::copy), but a message without unions may have another metadata version. If a
    /// buffer cannot be decompressed. If buffers overlap so much that their total length is many times that of the body.
    pub fn transcode(&mut self, message: &Message) -> Result<Encoded<'_>> {
        let fetch = |_, range: BodyRange| Ok(message.body().try_slice(range.start(), range.n_bytes())?);
        let transcoded = whole(message).and_then(|_| self.transcode_with(message, &fetch));
        transcoded.at_message(message)
    }

    /// Like [`transcode`](Transcoder::transcode), but the body need not be in memory: `fetch` returns the bytes of a
    /// range of the body. Each range is fetched once. Its bytes are dropped after they have been compressed. With the
    /// feature `rayon`, several threads call `fetch` and compress.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_ipc::{
    ///     Limits, MessageKind, MessageScan, Source, WriteOptions, WrittenContainer,
    /// };
    /// use arrow_ipc_rewrite::Transcoder;
    /// # use arrow_data::{ArrayData, RecordBatch};
    /// # use arrow_ipc::StreamWriter;
    /// # use arrow_schema::DataType;
    ///
    /// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// # let mut writer = StreamWriter::try_new(Vec::new(), batch.schema())?;
    /// # writer.write(&batch)?;
    /// # let source = Buffer::from(writer.finish()?);
    /// let mut scan = MessageScan::try_new(&source, 0..u64::MAX, Limits::default())?;
    /// let options = WriteOptions::default().with_alignment(8);
    /// let mut transcoder = Transcoder::try_new_with(batch.schema(), WrittenContainer::Stream, options)?;
    /// let mut stream = Vec::new();
    /// while let Some(message) = scan.next_message()? {
    ///     if message.kind() == MessageKind::Schema {
    ///         continue;
    ///     }
    ///     let body = message.body_position();
    ///     let encoded = transcoder
    ///         .transcode_from(&message, |range| source.fetch(body + range.start()..body + range.end()))?;
    ///     encoded.write_to(&mut stream)?;
    /// }
    /// transcoder.finish()?.write_to(&mut stream)?;
    /// # assert_eq!(stream.len() as u64, transcoder.position());
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`transcode`](Transcoder::transcode). If `fetch` fails, or returns the wrong number of bytes.
    pub fn transcode_from(
        &mut self,
        message: &Message,
        fetch: impl Fn(BodyRange) -> io::Result<Buffer> + Sync,
    ) -> Result<Encoded<'_>> {
        let fetch = |_, range: BodyRange| Ok(range.exactly(fetch(range)?)?);
        self.transcode_with(message, &fetch).at_message(message)
    }

    /// Like [`transcode`](Transcoder::transcode), for a batch of a file that was fetched and decompressed before. Reads
    /// and decompresses nothing. To validate the values, decode the batch before or after this call, or in another
    /// thread.
    ///
    /// ```
    /// use arrow_ipc::{FileReader, WriteOptions, WrittenContainer};
    /// use arrow_ipc_rewrite::Transcoder;
    /// # use arrow_ipc::FileWriter;
    /// # use arrow_data::{ArrayData, RecordBatch};
    /// # use arrow_schema::DataType;
    ///
    /// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
    /// # let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
    /// # writer.write(&batch)?;
    /// let reader = FileReader::try_from_buffer(writer.finish()?.into())?;
    /// let options = WriteOptions::default().with_alignment(8);
    /// let mut transcoder = Transcoder::try_new_with(reader.ipc_schema(), WrittenContainer::Stream, options)?;
    /// let mut stream = Vec::new();
    /// for batch_idx in 0..reader.n_batches() {
    ///     let opened = reader.fetch(batch_idx)?.decompress()?;
    ///     // What is not valid is found before it is written.
    ///     opened.decode()?;
    ///     transcoder.transcode_decompressed(&opened)?.write_to(&mut stream)?;
    /// }
    /// transcoder.finish()?.write_to(&mut stream)?;
    /// # assert_eq!(stream.len() as u64, transcoder.position());
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`transcode`](Transcoder::transcode).
    pub fn transcode_decompressed(&mut self, batch: &DecompressedBatch) -> Result<Encoded<'_>> {
        batch.locate(self.transcode_decompressed_with(batch))
    }

    /// Encodes a batch with the options of the output, for example some rows of a batch whose message is not converted.
    /// This does not encode the dictionaries of the batch: convert the messages of these dictionaries first.
    ///
    /// # Errors
    /// If names, types or nullability of the batch differ from the schema's. If a slice of an unchecked array turns out
    /// to be invalid. An error does not change the transcoder.
    pub fn encode(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<Encoded<'_>> {
        self.encoder.encode_without_dictionaries(batch, metadata)
    }

    /// Whether the buffers of a message can be copied unchanged, since neither the message nor the output is
    /// compressed. [`relocate`](Transcoder::relocate) requires this. `false` for schemas and tensors.
    ///
    /// # Errors
    /// If the message is invalid, unsupported or over a limit.
    pub fn can_relocate(&self, message: &Message) -> Result<bool> {
        match message.kind() {
            MessageKind::Schema | MessageKind::Tensor | MessageKind::SparseTensor => Ok(false),
            MessageKind::RecordBatch | MessageKind::DictionaryBatch => {
                let open = BatchView::parse(message.envelope().clone(), &self.limits).at_message(message)?;
                Ok(self.bodies.keeps_bytes(open.compression()))
            }
        }
    }

    /// Like [`transcode`](Transcoder::transcode), but returns new positions of buffers instead of a body. The caller
    /// copies the buffers, so the body need not be in memory.
    ///
    /// # Errors
    /// The errors of [`transcode`](Transcoder::transcode). If buffers cannot be copied unchanged: see
    /// [`can_relocate`](Transcoder::can_relocate).
    pub fn relocate(&mut self, message: &Message) -> Result<Relocation<'_>> {
        self.relocate_with(message).at_message(message)
    }

    fn copy_with(&mut self, message: &Message, body: Option<&Buffer>) -> Result<Encoded<'_>> {
        let envelope = message.envelope();
        if envelope.version() != self.encoder.options().version() {
            return Err(RewriteError::NeedsDecoding { what: "a message of another metadata version" }.into());
        }
        let checked = self.check(message)?;
        if checked.as_ref().is_some_and(|checked| !checked.left_out.is_empty()) {
            let what = "a message with a validity buffer for a column without a validity bitmap";
            return Err(RewriteError::NeedsDecoding { what }.into());
        }
        let open = checked.map(|checked| checked.open);
        let n_rows = open.as_ref().map_or(0, |open| open.n_rows());
        let body = body.map(|body| BodyPart { offset: 0, bytes: body.clone() });
        let message = RawMessage::from_envelope(envelope, n_rows);
        let encoded = self.encoder.encode_message(match &body {
            None => message,
            Some(body) => message.with_body(slice::from_ref(body)),
        })?;
        self.dictionaries.extend(open.and_then(|open| open.dictionary()).map(|it| it.id));
        Ok(encoded)
    }

    fn transcode_with(&mut self, message: &Message, fetch: FetchBuffer<'_>) -> Result<Encoded<'_>> {
        let checked = self.check(message)?;
        let Transcoder { encoder, dictionaries, limits, bodies, header, .. } = self;
        let Some(AcceptedBatch { open, left_out }) = checked else {
            let bytes = fetch(0, BodyRange::whole(message.n_body_bytes())?)?;
            let envelope = message.envelope().with_version(encoder.options().version())?;
            let body = [BodyPart { offset: 0, bytes }];
            return encoder.encode_message(RawMessage::from_envelope(&envelope, 0).with_body(&body));
        };
        let source =
            InputBody { message: &open, left_out: &left_out, codec: open.compression(), limits, fetch };
        reframed(encoder, dictionaries, &open, header, |header| bodies.write(source, header).map(Some))
    }

    fn transcode_decompressed_with(&mut self, batch: &DecompressedBatch) -> Result<Encoded<'_>> {
        let Transcoder { encoder, dictionaries, limits, bodies, header, .. } = self;
        let open = batch.header();
        let left_out = check::lists(open, encoder.columns())?;
        let fetch: FetchBuffer<'_> = &|idx, _| batch.buffer(idx);
        let source = InputBody { message: open, left_out: &left_out, codec: None, limits, fetch };
        reframed(encoder, dictionaries, open, header, |header| bodies.write(source, header).map(Some))
    }

    fn relocate_with(&mut self, message: &Message) -> Result<Relocation<'_>> {
        let AcceptedBatch { open, left_out } = self.check_batch(message)?;
        let Transcoder { encoder, dictionaries, bodies, header, moves, .. } = self;
        moves.clear();
        let mut n_body_bytes = 0;
        let metadata = reframed(encoder, dictionaries, &open, header, |header| {
            if !bodies.keeps_bytes(open.compression()) {
                return Err(RewriteError::CannotRelocate.into());
            }
            bodies.relocate(&open, &left_out, header, moves)?;
            n_body_bytes = header.n_body_bytes();
            Ok(None)
        })?;
        Ok(Relocation { metadata, moves, n_body_bytes })
    }

    /// Encodes the end of the stream, and the footer of a file. Later calls fail.
    ///
    /// # Errors
    /// The errors of [`FileEncoder::finish`](arrow_ipc::FileEncoder::finish).
    pub fn finish(&mut self) -> Result<Encoded<'_>> {
        self.encoder.finish()
    }

    /// Drops the last result, which shares the buffers of messages.
    pub fn clear(&mut self) {
        self.encoder.clear();
    }

    /// Checks a message. Returns the parsed message of a batch; `None` for a tensor.
    fn check(&self, message: &Message) -> Result<Option<AcceptedBatch>> {
        let written = self.encoder.container();
        let checked = check::message(message, self.encoder.columns(), &self.limits, written)?;
        if let Some(dictionary) = checked.as_ref().and_then(|checked| checked.open.dictionary()) {
            check::dictionary(dictionary, &self.dictionaries, written)?;
        }
        Ok(checked)
    }

    fn check_batch(&self, message: &Message) -> Result<AcceptedBatch> {
        let expected = "a record batch";
        let found = message.kind();
        self.check(message)?.ok_or_else(|| FormatErrorKind::UnexpectedMessage { expected, found }.into())
    }
}

/// Encodes a batch or dictionary again, with buffers that `fill` adds to the header. `fill` returns the body, or `None` if
/// the caller writes it.
fn reframed<'a>(
    encoder: &'a mut ContainerEncoder,
    dictionaries: &mut HashSet<i64>,
    source: &BatchView,
    header: &mut BatchHeaderBuilder,
    fill: impl FnOnce(&mut BatchHeaderBuilder) -> Result<Option<Vec<BodyPart>>>,
) -> Result<Encoded<'a>> {
    check::version(source, encoder)?;
    header.begin(source.n_rows());
    for idx in 0..source.n_nodes() {
        let node = source.node(idx)?;
        header.add_read_node(node.n_slots(), node.null_count());
    }
    for idx in 0..source.n_variadic_counts() {
        header.add_variadic_count(source.variadic_count(idx)?);
    }
    let body = fill(header)?;
    let message = RawMessage::from_header(source.dictionary(), header, source.custom_metadata());
    let encoded = encoder.encode_message(match &body {
        None => message,
        Some(parts) => message.with_body(parts),
    })?;
    dictionaries.extend(source.dictionary().map(|it| it.id));
    Ok(encoded)
}

/// # Errors
/// If the body in memory has another length than the message states.
fn whole(message: &Message) -> Result<&Buffer> {
    message.check_body()?;
    Ok(message.body())
}
