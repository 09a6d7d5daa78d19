//! Records which dictionaries have been written.

use std::collections::HashSet;

use crate::{
    error::{IpcErrorKind, Result},
    message::DictionaryMessage,
    protocol::WrittenContainer,
};

#[derive(Debug, Default)]
pub(super) struct WrittenDictionaries {
    ids: HashSet<i64>,
}

impl WrittenDictionaries {
    /// # Errors
    /// If the message replaces a dictionary of a file, as in [`FileEncoder`](crate::FileEncoder). If it is a delta of a
    /// dictionary that has not been written.
    pub(super) fn check(&self, message: Option<DictionaryMessage>, written: WrittenContainer) -> Result<()> {
        let Some(DictionaryMessage { id, is_delta }) = message else { return Ok(()) };
        match (self.ids.contains(&id), is_delta, written) {
            (true, false, WrittenContainer::File) => Err(IpcErrorKind::ReplacedDictionary { id }.into()),
            (false, true, _) => Err(IpcErrorKind::DeltaOfMissing { id }.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn add(&mut self, message: Option<DictionaryMessage>) {
        if let Some(DictionaryMessage { id, .. }) = message {
            self.ids.insert(id);
        }
    }
}
