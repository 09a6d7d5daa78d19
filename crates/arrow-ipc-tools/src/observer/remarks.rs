//! What every command reports about an input beside its rows.

use crate::{
    error::{name::InputName, trailing::TrailingBytes},
    observer::{Note, NoteKind},
};

/// What an input has beside the rows that were read: bytes and tensors that have no rows, and text that breaks a rule of the format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputRemarks {
    /// The bytes after the last stream, or before the footer of a file, that were not read, if any.
    pub trailing_bytes: Option<TrailingBytes>,
    /// The number of tensors between the batches of streams that were read. Tensors have no rows.
    pub n_tensors: u64,
    /// Whether a name, a time zone or custom metadata of what was read is not UTF-8. It was
    /// [escaped](arrow_schema::decode_text), and writers of IPC write the same bytes again.
    pub has_text_not_utf8: bool,
}

impl InputRemarks {
    /// The notes about bytes that are not read, and about text that is not UTF-8. What is said about tensors depends on what is done with the
    /// rows.
    pub fn notes(&self, input: &InputName) -> impl Iterator<Item = Note> {
        let InputRemarks { trailing_bytes, n_tensors: _, has_text_not_utf8 } = self;
        let rest = trailing_bytes.clone().map(NoteKind::TrailingBytes);
        let text = has_text_not_utf8.then_some(NoteKind::TextNotUtf8);
        [rest, text].into_iter().flatten().map(|kind| Note { input: input.clone(), kind })
    }
}
