//! Decodes messages to find out whether they are valid. Refuses dictionaries that lost bytes may have changed.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::Range,
};

use arrow_data::{DataErrorKind, RecordBatch};
use arrow_ipc::{IpcError, IpcErrorKind, MessageDecoder, ReadOptions, Result, error::Context};
use arrow_ipc_format::{BatchView, DictionaryHeader, Envelope, IpcSchema, Message, MessageKind};
use arrow_ipc_tensor::AnyTensor;
use arrow_schema::visit;

use super::lost::LostCause;

/// The decoder of messages, and the dictionaries that lost bytes may have changed.
#[derive(Debug)]
pub(super) struct MessageContent {
    decoder: MessageDecoder,
    /// The ids of the dictionaries of the schema.
    ids: BTreeSet<i64>,
    options: ReadOptions,
    /// The dictionaries of the schema with lost values, and the bytes that contained these values. Batches with indices
    /// of earlier values are still valid.
    lost: HashMap<i64, Range<u64>>,
    /// Bytes that may have replaced any dictionary, except the dictionaries in `read`: these have been read after the
    /// lost bytes.
    lost_all: Option<Range<u64>>,
    /// The dictionaries of the schema that have been read.
    read: HashSet<i64>,
    /// The dictionaries of a file that have been read or extended since the last lost bytes. The next lost bytes may
    /// contain deltas of them.
    growing: HashSet<i64>,
    /// Bytes that may have contained deltas of any dictionary. After these bytes, deltas are refused.
    lost_deltas: Option<Range<u64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UncertainUpdates {
    None,
    /// Deltas: a file does not replace dictionaries.
    Deltas,
    /// Dictionaries and deltas of a stream.
    Replacements,
}

impl MessageContent {
    /// # Errors
    /// If the dictionaries of the schema contradict each other, or a column is of an unknown type.
    pub(super) fn try_new(schema: IpcSchema, options: &ReadOptions) -> Result<MessageContent> {
        schema.check_supported()?;
        let ids = schema.dictionary_ids().iter().copied().collect();
        let decoder = MessageDecoder::try_new_with(schema, options.clone())?;
        Ok(MessageContent {
            decoder,
            ids,
            options: options.clone(),
            lost: HashMap::new(),
            lost_all: None,
            read: HashSet::new(),
            growing: HashSet::new(),
            lost_deltas: None,
        })
    }

    pub(super) fn schema(&self) -> &IpcSchema {
        self.decoder.ipc_schema()
    }

    /// Why a record batch does not fit the schema: it has not as many nodes and buffers as the schema needs. `None` if
    /// it fits.
    pub(super) fn misfit(&self, envelope: &Envelope) -> Option<IpcError> {
        self.decoder.check_batch(envelope).err()
    }

    /// Records that lost bytes may have contained dictionaries.
    pub(super) fn mark_uncertain(&mut self, range: &Range<u64>, updates: UncertainUpdates) {
        match updates {
            UncertainUpdates::None => {}
            UncertainUpdates::Deltas => {
                let lost = self.growing.drain().map(|id| (id, range.clone()));
                self.lost.extend(lost);
            }
            UncertainUpdates::Replacements => {
                self.read.drain().for_each(|id| self.decoder.forget_dictionary(id));
                self.lost.clear();
                self.lost_all = Some(range.clone());
            }
        }
    }

    /// Records that deltas are lost, or may be lost, including deltas of dictionaries that are read later. A second
    /// call has no effect.
    pub(super) fn lose_deltas(&mut self, range: Range<u64>) {
        self.lost_deltas.get_or_insert(range);
    }

    /// Clears the [lost deltas](Self::lose_deltas), which are then recorded again in a new order.
    pub(super) fn find_deltas(&mut self) {
        let lost = self.lost_deltas.take();
        self.lost.retain(|_, range| Some(&*range) != lost.as_ref());
    }

    /// Records that a dictionary message with readable metadata is lost. Has no effect if the schema does not have the
    /// dictionary.
    pub(super) fn lose(&mut self, dictionary: DictionaryHeader, range: &Range<u64>) {
        let DictionaryHeader { id, is_delta } = dictionary;
        if !self.ids.contains(&id) {
            return;
        }
        if !is_delta {
            self.decoder.forget_dictionary(id);
            self.read.remove(&id);
        }
        self.lost.insert(id, range.clone());
    }

    pub(super) fn has_dictionaries(&self) -> bool {
        self.n_dictionaries() > 0
    }

    pub(super) fn n_dictionaries(&self) -> usize {
        self.ids.len()
    }

    /// Whether all dictionaries of the schema have been read, without lost values. Called after each message, so it must
    /// not visit all dictionaries.
    pub(super) fn has_all_dictionaries(&self) -> bool {
        self.read.len() == self.ids.len() && self.lost.is_empty()
    }

    /// Decodes a message. Returns the batch of a record batch, and `None` for other messages.
    pub(super) fn take(&mut self, message: &Message) -> std::result::Result<Option<RecordBatch>, LostCause> {
        let range = message.position()..message.body_position().saturating_add(message.n_body_bytes());
        match message.kind() {
            // The caller handles schemas.
            MessageKind::Schema => Ok(None),
            MessageKind::Tensor | MessageKind::SparseTensor => {
                let tensor = AnyTensor::try_from_message(message, self.options.limits());
                let tensor = tensor.in_message(message.index(), range.start);
                tensor.map(|_| None).map_err(LostCause::Error)
            }
            MessageKind::RecordBatch | MessageKind::DictionaryBatch => {
                let taken = self.batch(message, &range);
                taken.map_err(
                    |cause| if let LostCause::Error(error) = cause { self.explain(error) } else { cause },
                )
            }
        }
    }

    fn batch(
        &mut self,
        message: &Message,
        range: &Range<u64>,
    ) -> std::result::Result<Option<RecordBatch>, LostCause> {
        let dictionary = self.dictionary(message).in_message(message.index(), range.start);
        let dictionary = dictionary.map_err(LostCause::Error)?;
        if let Some(dictionary @ DictionaryHeader { id, is_delta: true }) = dictionary
            && let Some(lost) = self.lost_of(id).or(self.lost_deltas.as_ref()).cloned()
        {
            // Without this delta, a later delta would be appended at the wrong index. So the dictionary is lost, too.
            self.lose(dictionary, &lost);
            return Err(LostCause::LostDictionary { id, range: lost });
        }
        match (self.decoder.decode(message), dictionary) {
            (Ok(batch), None) => Ok(batch.map(|decoded| decoded.batch)),
            (Ok(_), Some(DictionaryHeader { id, .. })) => {
                self.lost.remove(&id);
                self.read.insert(id);
                self.growing.insert(id);
                Ok(None)
            }
            (Err(error), dictionary) => {
                if let Some(dictionary) = dictionary {
                    self.lose(dictionary, range);
                }
                Err(LostCause::Error(error))
            }
        }
    }

    /// The dictionary of a dictionary batch; `None` for a record batch.
    fn dictionary(&self, message: &Message) -> Result<Option<DictionaryHeader>> {
        if message.kind() != MessageKind::DictionaryBatch {
            return Ok(None);
        }
        Ok(BatchView::parse(message.envelope().clone(), self.options.limits())?.dictionary())
    }

    /// Blames a lost dictionary for an error if the error may come from it.
    fn explain(&self, error: IpcError) -> LostCause {
        let lost = if let IpcErrorKind::MissingDictionary { id } = error.kind() {
            self.lost_of(*id).map(|range| (*id, range.clone()))
        } else if let IpcErrorKind::Data(data) = error.kind()
            && matches!(data.kind(), DataErrorKind::IndexOutOfRange { .. })
        {
            self.any_lost()
        } else {
            None
        };
        match lost {
            Some((id, range)) => LostCause::LostDictionary { id, range },
            None => LostCause::Error(error),
        }
    }

    /// The bytes that contained, or may have contained, a dictionary or its deltas.
    fn lost_of(&self, id: i64) -> Option<&Range<u64>> {
        self.lost.get(&id).or_else(|| if self.read.contains(&id) { None } else { self.lost_all.as_ref() })
    }

    /// The first dictionary with lost values, and the bytes that may have contained these values.
    fn any_lost(&self) -> Option<(i64, Range<u64>)> {
        self.each_id().find_map(|id| Some((id, self.lost_of(id)?.clone())))
    }

    fn each_id(&self) -> impl Iterator<Item = i64> {
        self.ids.iter().copied().inspect(|_| visit(1))
    }
}
