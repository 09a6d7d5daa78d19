//! The dictionaries of an input that replaces dictionaries, for a file: one dictionary with all values, instead of the
//! dictionaries of the input.

use std::collections::HashMap;

use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, IpcError, IpcSchema, Limits, MessageKind, WriteOptions,
    dictionary::DictionaryUnifier, message::Header, message::Message,
};

/// The dictionaries of the messages so far.
#[derive(Debug)]
pub(super) struct DictionarySurvey {
    /// An error is of interest only if dictionaries are replaced.
    unifier: Result<DictionaryUnifier, IpcError>,
    known: HashMap<i64, Message>,
    is_replaced: bool,
    /// The codec of the first batch.
    compression: Option<Option<Compression>>,
}

/// The dictionaries with the values of all recovered batches, and the codec of the first batch.
#[derive(Debug)]
pub(super) struct UnifiedForm {
    policy: DictionaryPolicy,
    compression: Option<Compression>,
}

impl DictionarySurvey {
    pub(super) fn new(schema: &IpcSchema, writing: &WriteOptions) -> DictionarySurvey {
        let unifier = writing.dictionary_unifier(schema.clone());
        DictionarySurvey { unifier, known: HashMap::new(), is_replaced: false, compression: None }
    }

    pub(super) fn add(
        &mut self,
        message: Message,
        batch: Option<&RecordBatch>,
        limits: &Limits,
    ) -> Result<(), IpcError> {
        let Some(batch) = batch else {
            if message.kind() == MessageKind::DictionaryBatch {
                self.is_replaced |= replaces(&mut self.known, message, limits)?;
            }
            return Ok(());
        };
        if let (None, Header::RecordBatch(header)) = (self.compression, message.header(limits)?) {
            self.compression = Some(header.compression().map(Compression::with_codec));
        }
        if let Ok(all) = &mut self.unifier
            && let Err(error) = all.observe(batch)
        {
            self.unifier = Err(error);
        }
        Ok(())
    }

    /// `None` if no dictionary is replaced: then messages can be copied.
    ///
    /// # Errors
    /// If dictionaries are replaced and cannot be unified.
    pub(super) fn finish(self) -> Result<Option<UnifiedForm>, IpcError> {
        if !self.is_replaced {
            return Ok(None);
        }
        let unified = self.unifier.and_then(DictionaryUnifier::finish)?;
        let compression = self.compression.flatten();
        Ok(Some(UnifiedForm { policy: DictionaryPolicy::Unify(unified), compression }))
    }
}

impl UnifiedForm {
    pub(super) fn options(self, writing: WriteOptions) -> WriteOptions {
        writing.with_dictionaries(self.policy).with_compression(self.compression)
    }
}

/// Whether a dictionary replaces another one with other values.
fn replaces(known: &mut HashMap<i64, Message>, message: Message, limits: &Limits) -> Result<bool, IpcError> {
    let Header::DictionaryBatch { id, is_delta: false, .. } = message.header(limits)? else {
        return Ok(false);
    };
    let is_other = known.get(&id).is_some_and(|known| {
        known.metadata_bytes() != message.metadata_bytes() || known.body() != message.body()
    });
    known.insert(id, message);
    Ok(is_other)
}
