//! Which custom metadata of messages the output keeps.

use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
    mem,
};

use arrow_ipc::IpcSchema;
use arrow_schema::Metadata;

use crate::{
    convert::{Kept, Loss, Writer},
    name::InputName,
    pending::Pending,
};

/// The metadata of dictionary messages. The output keeps that of the first message of each written dictionary.
#[derive(Debug, Default)]
pub(super) struct DictionaryMetadata {
    /// The metadata of messages after the last batch that was taken, by id; first that of the message that replaced the
    /// dictionary.
    waiting: BTreeMap<i64, Vec<Metadata>>,
    /// The metadata that the output has.
    kept: BTreeMap<i64, Metadata>,
}

/// The lost metadata of the messages of one input.
#[derive(Debug, Default)]
pub(super) struct LostMetadata {
    n_dictionaries: usize,
    n_batches: usize,
}

impl DictionaryMetadata {
    /// Notes a message, by its id in the first input. It counts once a later batch is taken.
    pub(super) fn read(&mut self, id: i64, metadata: Metadata) {
        self.waiting.insert(id, vec![metadata]);
    }

    /// Notes a delta.
    pub(super) fn read_delta(&mut self, id: i64, metadata: Metadata) {
        self.waiting.entry(id).or_default().push(metadata);
    }

    /// Notes that a batch is taken.
    pub(super) fn take<W: Write>(&mut self, writer: &mut Writer<W>, lost: &mut LostMetadata) {
        for (id, messages) in mem::take(&mut self.waiting) {
            for metadata in messages {
                let Some(kept) = self.kept.get(&id) else {
                    lost.dictionary(writer.dictionary(id, metadata.clone()));
                    self.kept.insert(id, metadata);
                    continue;
                };
                lost.dictionary(Kept::of(&metadata, Some(kept)));
            }
        }
    }

    /// Separates the messages of the next input from those of this one.
    pub(super) fn end_input(&mut self) {
        self.waiting.clear();
    }
}

impl LostMetadata {
    pub(super) fn dictionary(&mut self, kept: Kept) {
        self.n_dictionaries = self.n_dictionaries.saturating_add(usize::from(kept == Kept::No));
    }

    /// Adds rows of a message with this metadata to pending rows. Their batch gets the metadata of the first message.
    pub(super) fn batch(&mut self, pending: &Pending, metadata: &Metadata) {
        let is_lost = |first| Kept::of(metadata, Some(first)) == Kept::No;
        self.n_batches = self.n_batches.saturating_add(usize::from(pending.metadata().is_some_and(is_lost)));
    }

    /// The losses of this input; counting starts again.
    pub(super) fn end_input(&mut self, name: &InputName, losses: &mut Vec<(InputName, Loss)>) {
        let LostMetadata { n_dictionaries, n_batches } = mem::take(self);
        let dictionaries = (n_dictionaries > 0).then_some(Loss::DictionaryMetadata { n_dictionaries });
        let batches = (n_batches > 0).then_some(Loss::BatchMetadata { n_batches });
        losses.extend([dictionaries, batches].into_iter().flatten().map(|loss| (name.clone(), loss)));
    }
}

/// Maps the ids of a schema with the same columns to those of the first schema, by their order.
pub(super) fn ids_in_first(first: &IpcSchema, schema: &IpcSchema) -> HashMap<i64, i64> {
    // Of fields that share an id the first counts.
    let pairs = schema.dictionary_ids().iter().zip(first.dictionary_ids());
    pairs.rev().map(|(there, here)| (*there, *here)).collect()
}
