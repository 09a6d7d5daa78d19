//! Copies messages to the output, except messages that the output cannot contain.

use std::{
    collections::{BTreeSet, HashMap},
    io::Write,
};

use arrow_data::RecordBatch;
use arrow_ipc::{
    IpcError, IpcErrorKind, Limits, MessageKind, WrittenContainer,
    message::{Header, Message},
};
use arrow_ipc_rewrite::{RewriteError, Transcoder};

use crate::relay::{RelayForm, RelayWriter};

pub(super) struct MessageCopier<'a> {
    writer: RelayWriter<'a>,
    container: WrittenContainer,
    limits: Limits,
    /// For each dictionary without deltas, the last message that was written, by id.
    dictionaries: HashMap<i64, Message>,
    /// The ids of dictionaries that could not be copied and were not replaced later.
    lost: BTreeSet<i64>,
}

/// The id and kind of a dictionary message.
#[derive(Debug, Clone, Copy)]
struct Dictionary {
    id: i64,
    is_delta: bool,
}

/// Whether a message must be decoded, because the metadata version of the output requires other buffers.
fn is_of_another_version(error: &IpcError) -> bool {
    matches!(RewriteError::of(error), Some(RewriteError::NeedsDecoding { .. }))
}

/// Whether a message was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CopyOutcome {
    Yes,
    /// Not copied: the message is a tensor, and the output is a file.
    NoPlace,
    /// Not copied: the message has or needs the dictionary with this id, which is lost.
    Lost {
        id: i64,
    },
}

impl<'a> MessageCopier<'a> {
    pub(super) fn begin(
        output: &'a mut dyn Write,
        container: WrittenContainer,
        transcoder: Transcoder,
        limits: Limits,
    ) -> Result<MessageCopier<'a>, IpcError> {
        let transcoder = transcoder.with_limits(limits.clone());
        let writer = RelayWriter::begin(output, transcoder, RelayForm::AsTheyAre)?;
        let dictionaries = HashMap::new();
        let lost = BTreeSet::new();
        Ok(MessageCopier { writer, container, limits, dictionaries, lost })
    }

    /// Copies a message, if the output can contain it.
    pub(super) fn copy(
        &mut self,
        message: &Message,
        batch: Option<&RecordBatch>,
    ) -> Result<CopyOutcome, IpcError> {
        let dictionary = self.dictionary(message)?;
        match (message.kind(), self.container, self.lost.first()) {
            (MessageKind::Tensor | MessageKind::SparseTensor, WrittenContainer::File, _) => {
                return Ok(CopyOutcome::NoPlace);
            }
            // Each batch has all columns, so it needs the lost dictionary, too.
            (MessageKind::RecordBatch, _, Some(id)) => return Ok(CopyOutcome::Lost { id: *id }),
            _ => {}
        }
        if let Some(dictionary) = dictionary {
            let Dictionary { id, is_delta } = dictionary;
            if is_delta && self.lost.contains(&id) {
                return Ok(CopyOutcome::Lost { id });
            }
            if self.container == WrittenContainer::File && self.is_repeated(message, dictionary) {
                return Ok(CopyOutcome::Yes);
            }
            self.lost.remove(&id);
        }
        // Some writers mix metadata versions. Without a schema message, the output has the version of the footer, and
        // a message may have another version. Others write validity buffers that the format does not have.
        let (transcoder, output) = self.writer.parts();
        let made = if transcoder.can_copy(message)? {
            transcoder.copy(message)
        } else {
            transcoder.transcode(message)
        };
        match (made, batch, dictionary) {
            (Err(error), Some(batch), _) if is_of_another_version(&error) => {
                self.writer.write_batch(batch, &message.custom_metadata()?)?;
                return Ok(CopyOutcome::Yes);
            }
            (Err(error), None, Some(Dictionary { id, .. })) if is_of_another_version(&error) => {
                self.dictionaries.remove(&id);
                self.lost.insert(id);
                transcoder.clear();
                return Ok(CopyOutcome::Lost { id });
            }
            (made, _, _) => made?.write_to(output).map_err(IpcErrorKind::Write)?,
        }
        transcoder.clear();
        Ok(CopyOutcome::Yes)
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

    pub(super) fn finish(self) -> Result<(), IpcError> {
        self.writer.finish()
    }
}
