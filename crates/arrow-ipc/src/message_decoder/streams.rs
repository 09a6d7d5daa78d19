//! Dictionaries of streams. They arrive in the order of the messages. Later messages may replace or extend them.

use std::sync::Arc;

use super::MessageDecoder;
use crate::{
    dictionary::{DictionaryStore, DictionaryValues},
    error::{Context, CopyCause, IpcErrorKind, Result},
    frame::Body,
    options::Projection,
};
use arrow_ipc_format::{BatchView, DictionaryHeader, columns::DictionaryIdx};

impl MessageDecoder {
    /// Selects other columns, from the next message on. Positions in `projection` count all columns of the schema.
    ///
    /// # Errors
    /// If the projection does not fit the schema, or needs a dictionary that was skipped. After an error, the old
    /// projection still applies.
    pub fn project(&mut self, projection: &Projection) -> Result<()> {
        let projected = self.projected(projection)?;
        for (idx, is_needed) in projected.is_needed.iter().enumerate() {
            if *is_needed && self.dictionaries.is_skipped(DictionaryIdx(idx)) {
                let id = self.columns().dictionaries[idx].id;
                return Err(IpcErrorKind::SkippedDictionary { id }.into());
            }
        }
        *self = projected;
        Ok(())
    }

    /// Decodes a dictionary batch and stores its values. Skips the batch if no selected column needs the dictionary. The
    /// bytes of the message must be counted as [received](MessageDecoder::receive).
    ///
    /// # Errors
    /// If no field has the id of the dictionary, or the batch is malformed, unsupported or over a limit. If the batch
    /// is a delta of a dictionary that has not arrived.
    pub(crate) fn take_dictionary(
        &mut self,
        message: &BatchView,
        dictionary: DictionaryHeader,
        body: &Body,
    ) -> Result<()> {
        let DictionaryHeader { id, is_delta } = dictionary;
        let n_message_bytes = message.envelope().n_message_bytes();
        let Some(idx) = self.columns().dictionary_to_read(id)? else { return Ok(()) };
        if !self.is_needed(idx) {
            self.store().skip(idx);
            return Ok(());
        }
        if is_delta {
            self.prove_inside(idx)?;
        }
        let quota = if is_delta {
            self.dictionaries.quota_to_add(idx, 0)
        } else {
            self.dictionaries.quota_to_replace(idx)
        };
        let values = self.dictionary_values(idx, quota, message, body)?;
        let inside: Vec<DictionaryIdx> = self.columns().dictionaries_inside(idx).collect();
        if !is_delta {
            return self.store().define(idx, Arc::new(values), n_message_bytes, &inside);
        }
        let allowed = self.options().allow_copy(CopyCause::Deltas, values.n_bytes());
        allowed.in_field(|| self.columns().for_dictionary(Some(idx)).values_path())?;
        let shared = Arc::clone(&self.shared);
        let delta = DictionaryValues { array: &values, n_message_bytes };
        let added = self.store().add(idx, delta, shared.growth_limits(), &inside);
        shared.counters.joined(added.in_field(|| self.columns().for_dictionary(Some(idx)).values_path())?);
        Ok(())
    }

    /// Counts received bytes. The more bytes arrive, the more memory dictionaries may take.
    pub(crate) fn receive(&self, n_bytes: u64) {
        self.dictionaries.receive(n_bytes);
    }

    /// Returns a decoder for a batch that is read later. Its dictionaries keep their current values.
    pub(crate) fn snapshot(&self) -> MessageDecoder {
        MessageDecoder { dictionaries: Arc::new(self.dictionaries.snapshot()), ..self.clone() }
    }

    /// Drops the values of a dictionary. Batches that need it fail until it arrives again.
    pub fn forget_dictionary(&mut self, id: i64) {
        if let Ok(Some(idx)) = self.columns().dictionary_to_read(id) {
            self.store().skip(idx);
        }
    }

    /// Validates the dictionaries inside the values of a dictionary, once. Adding a delta reads their content, and
    /// would otherwise validate it each time.
    fn prove_inside(&mut self, idx: DictionaryIdx) -> Result<()> {
        let shared = Arc::clone(&self.shared);
        for inner in shared.columns.dictionaries_inside(idx) {
            let proven = self.store().prove(inner);
            proven.in_field(|| self.columns().for_dictionary(Some(inner)).values_path())?;
        }
        Ok(())
    }

    /// The dictionaries, to change them. A clone of the decoder shares them, and gets a copy only
    /// here.
    fn store(&mut self) -> &mut DictionaryStore {
        Arc::make_mut(&mut self.dictionaries)
    }
}
