//! Copies messages to the output, and finds messages that the output cannot contain.

use std::{
    collections::{BTreeSet, HashMap},
    io::Write,
};

use arrow_data::RecordBatch;
use arrow_ipc::{
    IpcError, IpcErrorKind, IpcSchema, Limits, MessageKind, WriteOptions, WrittenContainer,
    message::{Header, Message},
};

use crate::relay::{MessageMaker, RelayForm, RelayWriter};

/// Copies messages to an output.
pub(super) struct MessageCopier<W> {
    writer: RelayWriter<W>,
    /// Encodes batches whose messages cannot be copied.
    maker: MessageMaker,
    container: WrittenContainer,
    limits: Limits,
    /// The last written message of each dictionary, by its id. Dictionaries with deltas are not in the map.
    dictionaries: HashMap<i64, Message>,
    /// The ids of dictionaries that could not be copied and have not been replaced since.
    lost: BTreeSet<i64>,
}

/// The id and kind of a dictionary message.
#[derive(Debug, Clone, Copy)]
struct Dictionary {
    id: i64,
    is_delta: bool,
}

/// Whether an error means that the message has to be decoded, because its buffers differ in the metadata version of the
/// output.
fn is_of_another_version(error: &IpcError) -> bool {
    matches!(error.kind(), IpcErrorKind::NeedsDecoding { .. })
}

/// Whether a message was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Copied {
    Yes,
    /// The message is a tensor, and the output is a file, which cannot contain tensors.
    NoPlace,
    /// The dictionary with this id is lost. The message contains the dictionary and cannot be copied, or the message
    /// needs the dictionary.
    Lost {
        id: i64,
    },
}

impl<W: Write> MessageCopier<W> {
    pub(super) fn begin(
        output: W,
        schema: IpcSchema,
        writing: WriteOptions,
        container: WrittenContainer,
        limits: &Limits,
    ) -> Result<MessageCopier<W>, IpcError> {
        let options = WriteOptions::new().with_version(schema.version());
        let maker = MessageMaker::new(schema.clone(), options.with_endianness(schema.endianness()));
        let writer = RelayWriter::begin(output, container, RelayForm::AsTheyAre, &schema, writing, limits)?;
        let (dictionaries, lost) = (HashMap::new(), BTreeSet::new());
        Ok(MessageCopier { writer, maker, container, limits: limits.clone(), dictionaries, lost })
    }

    /// Copies a message, unless the output cannot contain it.
    pub(super) fn copy(
        &mut self,
        message: &Message,
        batch: Option<&RecordBatch>,
    ) -> Result<Copied, IpcError> {
        let dictionary = self.dictionary(message)?;
        match (message.kind(), self.container, self.lost.first()) {
            (MessageKind::Tensor | MessageKind::SparseTensor, WrittenContainer::File, _) => {
                return Ok(Copied::NoPlace);
            }
            // Each batch has all columns, so it also needs the lost dictionary.
            (MessageKind::RecordBatch, _, Some(id)) => return Ok(Copied::Lost { id: *id }),
            _ => {}
        }
        if let Some(dictionary) = dictionary {
            let Dictionary { id, is_delta } = dictionary;
            if is_delta && self.lost.contains(&id) {
                return Ok(Copied::Lost { id });
            }
            if self.container == WrittenContainer::File && self.is_repeated(message, dictionary) {
                return Ok(Copied::Yes);
            }
            self.lost.remove(&id);
        }
        // If there is no schema message, the version of the footer is used. Some writers mix versions, so a message may
        // have another version.
        let (transcoder, output) = self.writer.parts();
        let made = match message.version() == transcoder.schema().version() {
            true => transcoder.copy(message),
            false => transcoder.transcode(message),
        };
        match (made, batch, dictionary) {
            (Err(error), Some(batch), _) if is_of_another_version(&error) => {
                let made = self.maker.message(batch, &message.custom_metadata()?)?;
                transcoder.copy(&made)?.write_to(output)?;
            }
            (Err(error), None, Some(Dictionary { id, .. })) if is_of_another_version(&error) => {
                self.dictionaries.remove(&id);
                self.lost.insert(id);
                transcoder.clear();
                return Ok(Copied::Lost { id });
            }
            (made, _, _) => made?.write_to(output)?,
        }
        transcoder.clear();
        Ok(Copied::Yes)
    }

    /// The id and kind of a dictionary message; `None` for other messages.
    fn dictionary(&self, message: &Message) -> Result<Option<Dictionary>, IpcError> {
        if message.kind() != MessageKind::DictionaryBatch {
            return Ok(None);
        }
        let Header::DictionaryBatch { id, is_delta, .. } = message.header(&self.limits)? else {
            return Ok(None);
        };
        Ok(Some(Dictionary { id, is_delta }))
    }

    /// Whether the output already has this dictionary. Needed for several streams in one input, because each stream
    /// contains all of its dictionaries.
    fn is_repeated(&mut self, message: &Message, Dictionary { id, is_delta }: Dictionary) -> bool {
        if is_delta {
            self.dictionaries.remove(&id);
            return false;
        }
        let same = |known: &Message| {
            known.metadata_bytes() == message.metadata_bytes() && known.body() == message.body()
        };
        if self.dictionaries.get(&id).is_some_and(same) {
            return true;
        }
        self.dictionaries.insert(id, message.clone());
        false
    }

    pub(super) fn finish(self) -> Result<W, IpcError> {
        self.writer.finish()
    }
}
