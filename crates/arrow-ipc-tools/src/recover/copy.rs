//! Copies messages to the output, except messages that the output cannot contain.

use std::collections::{BTreeSet, HashMap};

use arrow_data::RecordBatch;
use arrow_ipc::{
    IpcError, IpcSchema, Limits, MessageKind, OwnedEncoded, WriteOptions, WrittenContainer,
    message::{Header, Message},
};
use arrow_ipc_rewrite::{RewriteError, Transcoder};

use super::missing_dictionaries::MissingDictionaries;

#[derive(Debug)]
pub(super) struct MessageCopier {
    transcoder: Transcoder,
    container: WrittenContainer,
    limits: Limits,
    /// For each dictionary without deltas, the last message that was written, by id.
    dictionaries: HashMap<i64, Message>,
    /// The ids of dictionaries that could not be copied and were not replaced later.
    lost: BTreeSet<i64>,
    /// The dictionaries that the output does not have.
    missing: MissingDictionaries,
    has_batches: bool,
}

/// The id and kind of a dictionary message.
#[derive(Debug, Clone, Copy)]
struct Dictionary {
    id: i64,
    is_delta: bool,
}

/// Whether a message must be decoded, because the metadata version of the output requires other buffers.
fn is_of_another_version(error: &IpcError) -> bool {
    matches!(RewriteError::from_ipc_error(error), Some(RewriteError::NeedsDecoding { .. }))
}

/// What becomes of a message.
#[derive(Debug)]
pub(super) enum Copied {
    /// It is these bytes of the output.
    Bytes(OwnedEncoded),
    /// First come these bytes, a dictionary without values. The message is to be copied again.
    DictionaryBefore(OwnedEncoded),
    /// The output has it already.
    Before,
    /// Not copied: the message is a tensor, and the output is a file.
    TensorInFile,
    /// Not copied: the message has or needs the dictionary with this id, which is lost.
    Lost { id: i64 },
}

impl MessageCopier {
    pub(super) fn try_new(
        schema: &IpcSchema,
        container: WrittenContainer,
        limits: Limits,
        writing: WriteOptions,
    ) -> Result<MessageCopier, IpcError> {
        let missing =
            MissingDictionaries::new(schema.clone().with_version(writing.version()), limits.clone());
        let transcoder = Transcoder::try_new_with(schema, container, writing)?.with_limits(limits.clone());
        let dictionaries = HashMap::new();
        let lost = BTreeSet::new();
        let has_batches = false;
        Ok(MessageCopier { transcoder, container, limits, dictionaries, lost, missing, has_batches })
    }

    /// The bytes before the first message.
    pub(super) fn start(&mut self) -> Result<OwnedEncoded, IpcError> {
        Ok(self.transcoder.start()?.into_owned())
    }

    /// Copies a message, if the output can contain it.
    pub(super) fn copy(
        &mut self,
        message: &Message,
        batch: Option<&RecordBatch>,
    ) -> Result<Copied, IpcError> {
        let dictionary = self.dictionary(message)?;
        match (message.kind(), self.container, self.lost.first()) {
            (MessageKind::Tensor | MessageKind::SparseTensor, WrittenContainer::File, _) => {
                return Ok(Copied::TensorInFile);
            }
            // Each batch has all columns, so it needs the lost dictionary, too.
            (MessageKind::RecordBatch, _, Some(id)) => return Ok(Copied::Lost { id: *id }),
            // A later dictionary may replace this one in a stream. In a file, it cannot.
            (MessageKind::RecordBatch, WrittenContainer::Stream, None) => {
                if let Some(bytes) = self.next_missing()? {
                    return Ok(Copied::DictionaryBefore(bytes));
                }
            }
            _ => {}
        }
        if let Some(dictionary) = dictionary {
            let Dictionary { id, is_delta } = dictionary;
            if is_delta && self.lost.contains(&id) {
                return Ok(Copied::Lost { id });
            }
            if self.container == WrittenContainer::File && self.is_repeated(message, dictionary) {
                return Ok(Copied::Before);
            }
            self.lost.remove(&id);
        }
        // Some writers mix metadata versions. Without a schema message, the output has the version of the footer, and
        // a message may have another version. Others write validity buffers that the format does not have.
        let copied = if self.transcoder.can_copy(message)? {
            self.transcoder.copy(message)
        } else {
            self.transcoder.transcode(message)
        };
        let error = match copied {
            Ok(copied) => {
                if let Some(Dictionary { id, .. }) = dictionary {
                    self.missing.remove(id);
                }
                self.has_batches |= batch.is_some();
                return Ok(Copied::Bytes(copied.into_owned()));
            }
            Err(error) => error,
        };
        match (batch, dictionary) {
            (Some(batch), _) if is_of_another_version(&error) => {
                self.has_batches = true;
                let copied = self.transcoder.encode(batch, &message.custom_metadata()?)?;
                Ok(Copied::Bytes(copied.into_owned()))
            }
            (None, Some(Dictionary { id, .. })) if is_of_another_version(&error) => {
                self.dictionaries.remove(&id);
                self.lost.insert(id);
                self.transcoder.clear();
                Ok(Copied::Lost { id })
            }
            _ => Err(error),
        }
    }

    fn next_missing(&mut self) -> Result<Option<OwnedEncoded>, IpcError> {
        let Some(message) = self.missing.next()? else { return Ok(None) };
        Ok(Some(self.transcoder.transcode(&message)?.into_owned()))
    }

    /// A dictionary without values to write before the end; `None` if there is no more.
    pub(super) fn missing_at_end(&mut self) -> Result<Option<OwnedEncoded>, IpcError> {
        let is_needed = match self.container {
            WrittenContainer::File => self.has_batches,
            // Readers that know some dictionaries wait for the others.
            WrittenContainer::Stream => self.missing.is_part(),
        };
        if is_needed { self.next_missing() } else { Ok(None) }
    }

    /// Parses the header of a dictionary message; `None` for other messages.
    fn dictionary(&self, message: &Message) -> Result<Option<Dictionary>, IpcError> {
        if message.kind() != MessageKind::DictionaryBatch {
            return Ok(None);
        }
        let Header::DictionaryBatch { id, is_delta, .. } = message.header(&self.limits)? else {
            return Ok(None);
        };
        Ok(Some(Dictionary { id, is_delta }))
    }

    /// Whether the output already has this dictionary. In an input of several streams, each stream repeats its
    /// dictionaries.
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

    /// The end marker or footer.
    pub(super) fn finish(&mut self) -> Result<OwnedEncoded, IpcError> {
        Ok(self.transcoder.finish()?.into_owned())
    }
}
