//! Dictionaries without values, for those that an output does not have. Batches whose indices are all null are complete without
//! their dictionaries, but many readers need a message of each dictionary of the schema.

use std::collections::{BTreeSet, VecDeque};

use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{
    IpcError, IpcSchema, Limits, MessageStep, Messages, StreamEncoder, WriteOptions,
    message::{Header, Message},
};

/// The dictionaries that an output does not have yet.
#[derive(Debug)]
pub(super) struct MissingDictionaries {
    schema: IpcSchema,
    limits: Limits,
    ids: BTreeSet<i64>,
    n_all: usize,
    /// Messages for the dictionaries, once they are needed.
    messages: Option<VecDeque<(i64, Message)>>,
}

impl MissingDictionaries {
    /// All dictionaries of a schema, which has the version of the output.
    pub(super) fn new(schema: IpcSchema, limits: Limits) -> MissingDictionaries {
        let ids: BTreeSet<i64> = schema.dictionary_ids().iter().copied().collect();
        MissingDictionaries { n_all: ids.len(), schema, limits, ids, messages: None }
    }

    /// The output has this dictionary now.
    pub(super) fn remove(&mut self, id: i64) {
        self.ids.remove(&id);
    }

    /// Whether the output has some of the dictionaries, and not all.
    pub(super) fn is_part(&self) -> bool {
        (1..self.n_all).contains(&self.ids.len())
    }

    /// The message of the next dictionary, which the output has then.
    pub(super) fn next(&mut self) -> Result<Option<Message>, IpcError> {
        if self.ids.is_empty() {
            return Ok(None);
        }
        let messages = match &mut self.messages {
            Some(messages) => messages,
            messages @ None => messages.insert(without_values(&self.schema, &self.limits)?),
        };
        while let Some((id, message)) = messages.pop_front() {
            if self.ids.remove(&id) {
                return Ok(Some(message));
            }
        }
        Ok(None)
    }
}

/// A message for each dictionary of a schema, in the order of a stream. The dictionaries have no values.
fn without_values(schema: &IpcSchema, limits: &Limits) -> Result<VecDeque<(i64, Message)>, IpcError> {
    let columns = schema.schema().fields().iter().map(|field| ArrayData::new_empty(field.data_type()));
    let batch = RecordBatch::try_new_with_rows(schema.schema().clone(), columns.collect::<Vec<_>>(), 0)?;
    let options = WriteOptions::new()
        .with_max_fields(limits.max_fields())
        .with_version(schema.version())
        .with_endianness(schema.endianness());
    let mut encoder = StreamEncoder::try_new_with(schema.clone(), options)?;
    // These bytes do not come from the input.
    let mut messages = Messages::new(limits.clone().with_max_metadata_bytes(u64::MAX));
    messages.feed(encoder.start()?.to_bytes().into());
    messages.feed(encoder.encode(&batch)?.to_bytes().into());
    messages.finish_input();
    let mut found = VecDeque::new();
    loop {
        match messages.step()? {
            MessageStep::Message(message) => {
                if let Header::DictionaryBatch { id, .. } = message.header(limits)? {
                    found.push_back((id, message));
                }
            }
            MessageStep::NeedBytes(_) | MessageStep::End => return Ok(found),
        }
    }
}
