//! Indexes of streams: made from the messages that a walk has found, and taken instead of a walk.

use super::{
    decoder::FileDecoder,
    plan::PlanInput,
    provided_ranges::ProvidedRanges,
    state::FileState,
    walk::{StreamDictionary, StreamMessages, StreamWalk, WalkedSchema, WalkedStream},
};
use crate::{
    error::{BlockIndex, Context, IpcErrorKind, Result},
    file::{
        footer::{Block, StreamBlocks},
        stream_index::{IndexedKind, IndexedMessage, StreamEnd, StreamIndex, crc32},
    },
    options::ReadOptions,
};
use arrow_buffer::Buffer;
use arrow_ipc_format::{BatchView, Container, DictionaryHeader, Limits, Message, MessageKind};

/// Makes the index of a stream.
pub(super) async fn make_index(file: &FileState, input: &PlanInput) -> Result<StreamIndex> {
    let Some(messages) = file.stream() else {
        let expected = "an Arrow IPC stream";
        return Err(IpcErrorKind::WrongContainer { expected, found: Container::File }.into());
    };
    let indexed = indexed_messages(file, messages);
    let last = indexed.last().map_or(messages.schema, |last| last.block);
    let (first, last, _) = metadata_of(messages.schema, last, &[], input).await?;
    Ok(StreamIndex {
        input_bytes: file.n_bytes,
        end: messages.end,
        next: messages.next.0,
        messages: indexed,
        schema_crc32: crc32(&first),
        last_crc32: crc32(&last),
    })
}

/// The prefix and the metadata of the first and of the last message, and of others. They are requested together.
async fn metadata_of(
    first: Block,
    last: Block,
    others: &[IndexedMessage],
    input: &PlanInput,
) -> Result<(Buffer, Buffer, Vec<Buffer>)> {
    let pass = |bytes: &mut ProvidedRanges| {
        let [first, last] = [first, last].map(|block| bytes.take(block.metadata_range()));
        // All are requested, also if one of them is missing.
        let others: Vec<_> = others.iter().map(|other| bytes.take(other.block.metadata_range())).collect();
        let others: Option<Vec<Buffer>> = others.into_iter().collect();
        Ok(first.zip(last).zip(others).map(|((first, last), others)| (first, last, others)))
    };
    input.pass(pass).await
}

/// All messages in the order of the stream.
fn indexed_messages(file: &FileState, messages: &StreamMessages) -> Vec<IndexedMessage> {
    let schema = IndexedMessage { block: messages.schema, kind: IndexedKind::Schema };
    let dictionaries = file.footer.dictionary_blocks().iter().zip(&messages.dictionaries);
    let dictionaries = dictionaries.map(|(block, StreamDictionary { id, is_delta, .. })| {
        let kind = IndexedKind::Dictionary { id: *id, is_delta: *is_delta };
        IndexedMessage { block, kind }
    });
    let batches = file.footer.batch_blocks().iter().enumerate().map(|(batch_idx, block)| {
        let n_rows = file.footer.n_rows_of(batch_idx).unwrap_or(0);
        IndexedMessage { block, kind: IndexedKind::Batch { n_rows } }
    });
    let tensors = messages.tensors.iter().copied();
    let mut all: Vec<IndexedMessage> =
        std::iter::once(schema).chain(dictionaries).chain(batches).chain(tensors).collect();
    all.sort_by_key(|message| message.block.position());
    all
}

/// What an index says of a message.
fn kind_of(message: Message, limits: &Limits) -> Result<IndexedKind> {
    Ok(match message.kind() {
        MessageKind::Schema => IndexedKind::Schema,
        kind @ (MessageKind::Tensor | MessageKind::SparseTensor) => IndexedKind::from_tensor(kind),
        MessageKind::DictionaryBatch | MessageKind::RecordBatch => {
            let view = BatchView::parse(message.into_parts().0, limits)?;
            match view.dictionary() {
                None => IndexedKind::Batch { n_rows: view.n_rows() },
                Some(DictionaryHeader { id, is_delta }) => IndexedKind::Dictionary { id, is_delta },
            }
        }
    })
}

/// Opens a stream with its index.
#[derive(Debug)]
pub(super) struct OpenIndexed {
    pub(super) index: StreamIndex,
    pub(super) input_bytes: u64,
    pub(super) options: ReadOptions,
}

impl OpenIndexed {
    pub(super) async fn open(&self, input: &PlanInput) -> Result<FileDecoder> {
        let schema = self.check(input).await?;
        let (blocks, messages) = self.found(&schema)?;
        let walked = match messages.end {
            StreamEnd::Marker => WalkedStream::new(schema, blocks, messages),
            // Finds the messages that were appended.
            StreamEnd::Input | StreamEnd::Incomplete => {
                let walk = StreamWalk::after(self.input_bytes, schema, messages.next);
                walk.with_found(blocks, messages).finish(input).await?
            }
        };
        Ok(FileDecoder::from_stream(walked, self.input_bytes, &input.lock()))
    }

    /// Compares the index with the stream. Returns the schema.
    async fn check(&self, input: &PlanInput) -> Result<WalkedSchema> {
        let index = &self.index;
        let other = |what: &'static str| IpcErrorKind::StreamIndex { what };
        let is_length = match index.end {
            StreamEnd::Marker => self.input_bytes == index.input_bytes,
            StreamEnd::Input | StreamEnd::Incomplete => self.input_bytes >= index.input_bytes,
        };
        if !is_length {
            return Err(other("the stream has another length than when it was indexed").into());
        }
        let [first, last] = [index.messages.first(), index.messages.last()];
        let Some((first, last)) = first.zip(last) else { return Err(other("it has no messages").into()) };
        // Nothing reads tensors later, so what the index lists as one is compared now.
        let tensors = (0u64..).zip(&index.messages).filter(|(_, message)| message.kind.is_tensor());
        let (message_idxs, tensors): (Vec<u64>, Vec<IndexedMessage>) =
            tensors.map(|(message_idx, tensor)| (message_idx, *tensor)).unzip();
        let (schema, last_metadata, tensor_metadata) =
            metadata_of(first.block, last.block, &tensors, input).await?;
        if crc32(&schema) != index.schema_crc32 || crc32(&last_metadata) != index.last_crc32 {
            return Err(other("it belongs to another stream: a checksum differs").into());
        }
        let compare = |message_idx: u64, message: &IndexedMessage, metadata: &Buffer| {
            let found = message.block.message(message_idx, metadata, self.options.limits());
            let found = found.and_then(|found| kind_of(found, self.options.limits()));
            found.in_message(message_idx, message.block.position()).map(|found| found == message.kind)
        };
        let index_of_last = (index.messages.len() as u64).saturating_sub(1);
        if !compare(index_of_last, last, &last_metadata)? {
            let what = "its last message has another kind, dictionary or number of rows";
            return Err(other(what).into());
        }
        for ((message_idx, tensor), metadata) in message_idxs.into_iter().zip(&tensors).zip(&tensor_metadata)
        {
            if !compare(message_idx, tensor, metadata)? {
                return Err(other("a message that it lists as a tensor has another kind").into());
            }
        }
        let message = first.block.message(0, &schema, self.options.limits()).in_message(0, 0)?;
        WalkedSchema::try_new(&message, &self.options, &input.lock()).in_message(0, 0)
    }

    /// The messages of the index, as a walk would have found them.
    fn found(&self, schema: &WalkedSchema) -> Result<(StreamBlocks, StreamMessages)> {
        let mut blocks = StreamBlocks::default();
        let mut dictionaries = Vec::new();
        let mut tensors = Vec::new();
        for message in &self.index.messages {
            let IndexedMessage { block, kind } = *message;
            match kind {
                IndexedKind::Schema => {}
                IndexedKind::Dictionary { id, is_delta } => {
                    let dictionary = schema.decoder.columns().dictionary_to_read(id);
                    let dictionary =
                        dictionary.in_block(BlockIndex::Dictionary(dictionaries.len()), block.position())?;
                    blocks.add_dictionary(block)?;
                    dictionaries.push(StreamDictionary { id, dictionary, is_delta });
                }
                IndexedKind::Batch { n_rows } => blocks.add_batch(block, n_rows)?,
                IndexedKind::Tensor | IndexedKind::SparseTensor => tensors.push(*message),
            }
        }
        let next = (self.index.next, self.index.messages.len() as u64);
        let end = self.index.end;
        let messages = StreamMessages { schema: schema.block, dictionaries, tensors, end, next };
        Ok((blocks, messages))
    }
}
