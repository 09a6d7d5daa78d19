//! Finds the messages of a stream, so that it can be read like a file: walks over their prefixes and metadata, and makes
//! the [`Footer`] that the stream lacks.
//!
//! **Invariant:** the walk requests no body, unless reading it is cheaper than another request. It keeps a few dozen
//! bytes for each message.

use std::{ops::Range, sync::Arc};

use arrow_buffer::Buffer;
use arrow_schema::Metadata;

use super::{plan::PlanInput, provided_ranges::ProvidedRanges};
use crate::{
    error::{Context, IpcErrorKind, Result},
    file::{
        footer::{Block, Footer, StreamBlocks},
        stream_index::{IndexedKind, IndexedMessage, StreamEnd},
    },
    frame::cursor::{CursorState, CursorStep, MessageCursor},
    message_decoder::MessageDecoder,
    options::ReadOptions,
    source::planner::MetadataWindows,
};
use arrow_ipc_format::{
    BatchView, DictionaryHeader, Message, MessageKind, columns::DictionaryIdx, length_of,
};

/// A stream whose messages have been found.
#[derive(Debug)]
pub(super) struct WalkedStream {
    pub(super) decoder: MessageDecoder,
    pub(super) footer: Footer,
    pub(super) messages: StreamMessages,
}

impl WalkedStream {
    pub(super) fn new(schema: WalkedSchema, blocks: StreamBlocks, messages: StreamMessages) -> WalkedStream {
        let WalkedSchema { decoder, metadata, .. } = schema;
        let footer = blocks.into_footer(decoder.ipc_schema(), metadata, messages.next.0);
        WalkedStream { decoder, footer, messages }
    }
}

/// What a walk knows about the messages of a stream, beside the blocks in the [`Footer`].
#[derive(Debug, Clone)]
pub(super) struct StreamMessages {
    pub(super) schema: Block,
    /// The dictionary messages, in the order of their blocks.
    pub(super) dictionaries: Vec<StreamDictionary>,
    /// Tensors between batches, which have no blocks in the footer.
    pub(super) tensors: Vec<IndexedMessage>,
    pub(super) end: StreamEnd,
    /// The position and the index of the message at which the walk ended.
    pub(super) next: (u64, u64),
}

impl StreamMessages {
    /// Whether the dictionary message with this index has this id and kind.
    pub(super) fn lists(&self, block_idx: usize, header: DictionaryHeader) -> bool {
        let listed = self.dictionaries.get(block_idx);
        listed.is_some_and(|listed| listed.id == header.id && listed.is_delta == header.is_delta)
    }
}

/// A dictionary message of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreamDictionary {
    pub(super) id: i64,
    /// `None` if only unsupported columns use the dictionary.
    pub(super) dictionary: Option<DictionaryIdx>,
    pub(super) is_delta: bool,
}

/// Walks over the messages of a stream.
#[derive(Debug)]
pub(super) struct StreamWalk {
    cursor: MessageCursor,
    windows: MetadataWindows,
    options: ReadOptions,
    /// `None` until the schema has been read.
    schema: Option<WalkedSchema>,
    blocks: StreamBlocks,
    dictionaries: Vec<StreamDictionary>,
    tensors: Vec<IndexedMessage>,
}

/// The schema message of a stream.
#[derive(Debug)]
pub(super) struct WalkedSchema {
    pub(super) block: Block,
    pub(super) decoder: MessageDecoder,
    pub(super) metadata: Metadata,
}

impl WalkedSchema {
    /// # Errors
    /// If the message is no schema, or malformed, or over a limit. If the projection does not fit it.
    pub(super) fn try_new(
        message: &Message,
        options: &ReadOptions,
        bytes: &ProvidedRanges,
    ) -> Result<WalkedSchema> {
        let limits = options.limits();
        let schema = message.envelope().schema(limits)?;
        let metadata = message.envelope().custom_metadata(limits)?;
        let counters = Arc::clone(bytes.counters());
        let decoder = MessageDecoder::with_counters(schema, options.clone(), counters)?;
        decoder.check_metadata(&metadata)?;
        Ok(WalkedSchema { block: Block::from_message(message), decoder, metadata })
    }
}

impl StreamWalk {
    /// A walk from the start of a stream.
    pub(super) fn new(input_bytes: u64, options: ReadOptions) -> StreamWalk {
        StreamWalk {
            cursor: MessageCursor::new(0..input_bytes, 0, options.limits.clone()),
            windows: MetadataWindows::new(&options.known_fetch_cost(), input_bytes),
            options,
            schema: None,
            blocks: StreamBlocks::default(),
            dictionaries: Vec::new(),
            tensors: Vec::new(),
        }
    }

    /// A walk from a message on, of which the position and the index are given.
    pub(super) fn after(input_bytes: u64, schema: WalkedSchema, (position, index): (u64, u64)) -> StreamWalk {
        let options = schema.decoder.options().clone();
        StreamWalk {
            cursor: MessageCursor::new(position..input_bytes, index, options.limits.clone()),
            schema: Some(schema),
            ..StreamWalk::new(input_bytes, options)
        }
    }

    /// Adds the messages that were found before.
    pub(super) fn with_found(self, blocks: StreamBlocks, messages: StreamMessages) -> StreamWalk {
        let StreamMessages { dictionaries, tensors, .. } = messages;
        StreamWalk { blocks, dictionaries, tensors, ..self }
    }

    /// Walks to the end of the stream. After the schema, a message that is cut or malformed ends the walk, but is no error.
    ///
    /// # Errors
    /// If the schema cannot be read, or the projection does not fit it.
    pub(super) async fn finish(mut self, input: &PlanInput) -> Result<WalkedStream> {
        let end = loop {
            match self.advance(input).await {
                Ok(None) => {}
                Ok(Some(end)) => break end,
                Err(error) if self.schema.is_none() => return Err(error),
                Err(_) => break StreamEnd::Incomplete,
            }
        };
        let StreamWalk { cursor, schema, blocks, dictionaries, tensors, .. } = self;
        let next = cursor.location();
        let Some(schema) = schema else {
            return match end {
                StreamEnd::Marker => Err(IpcErrorKind::NoSchema).at_byte(next.0),
                StreamEnd::Input | StreamEnd::Incomplete => Err(IpcErrorKind::EmptyInput.into()),
            };
        };
        let messages = StreamMessages { schema: schema.block, dictionaries, tensors, end, next };
        Ok(WalkedStream::new(schema, blocks, messages))
    }

    /// Walks over the next message. Returns the end of the stream if there is none.
    ///
    /// # Errors
    /// If the message is cut or malformed. The cursor then stands before this message.
    pub(super) async fn advance(&mut self, input: &PlanInput) -> Result<Option<StreamEnd>> {
        let before = self.cursor.clone();
        let (position, index) = before.location();
        let StreamWalk { cursor, windows, .. } = self;
        let pass = |bytes: &mut ProvidedRanges| {
            Ok(match cursor.step(&mut |range: Range<u64>| Ok(find(range, windows, bytes)))? {
                CursorStep::NeedBytes => None,
                CursorStep::Message(message) => Some(Some(message)),
                CursorStep::End => Some(None),
            })
        };
        let Some(message) = input.pass(pass).await.in_message(index, position)? else {
            let is_marker = matches!(self.cursor.state(), CursorState::EndMarker { .. });
            return Ok(Some(if is_marker { StreamEnd::Marker } else { StreamEnd::Input }));
        };
        let bytes = &mut *input.lock();
        let added = match self.cursor.state() {
            CursorState::CutBody { .. } => self.cursor.step(&mut |_| Ok(None)).map(drop),
            CursorState::Messages
            | CursorState::EndMarker { .. }
            | CursorState::EndOfBytes
            | CursorState::Failed => self.add(&message, bytes),
        };
        if let Err(error) = added {
            self.cursor = before;
            return Err(error.in_message(index, position));
        }
        let next = self.cursor.location().0;
        self.windows.passed(position..next, message.body_position());
        bytes.release(&(0..next));
        Ok(None)
    }

    /// Adds a message to the index.
    fn add(&mut self, message: &Message, bytes: &ProvidedRanges) -> Result<()> {
        let Some(schema) = &self.schema else {
            self.schema = Some(WalkedSchema::try_new(message, &self.options, bytes)?);
            return Ok(());
        };
        let block = Block::from_message(message);
        match message.kind() {
            MessageKind::Schema => return Err(IpcErrorKind::SecondSchema.into()),
            MessageKind::Tensor | MessageKind::SparseTensor => {
                self.tensors.push(IndexedMessage { block, kind: IndexedKind::from_tensor(message.kind()) });
                return Ok(());
            }
            MessageKind::DictionaryBatch | MessageKind::RecordBatch => {}
        }
        let view = BatchView::parse(message.envelope().clone(), &self.options.limits)?;
        match view.dictionary() {
            None => self.blocks.add_batch(block, view.n_rows()),
            Some(DictionaryHeader { id, is_delta }) => {
                let dictionary = schema.decoder.columns().dictionary_to_read(id)?;
                self.blocks.add_dictionary(block)?;
                self.dictionaries.push(StreamDictionary { id, dictionary, is_delta });
                Ok(())
            }
        }
    }
}

/// The bytes of a range. If they are missing, requests them with the bytes around them, and returns `None`.
fn find(range: Range<u64>, windows: &mut MetadataWindows, bytes: &mut ProvidedRanges) -> Option<Buffer> {
    if let Some(found) = bytes.find(&range) {
        return Some(found);
    }
    let mut requests = windows.requests(range.clone());
    let around = requests.next().and_then(|around| bytes.take(around));
    requests.for_each(|later| drop(bytes.take(later)));
    around?.try_slice(0, length_of(&range)).ok()
}
