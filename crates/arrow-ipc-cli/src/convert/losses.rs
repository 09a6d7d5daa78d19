//! What of an input has no place in the output.

use std::{fs::File, ops::Range};

use arrow_ipc::{Footer, Limits, Message, MessageScan};
use arrow_schema::Metadata;

use crate::{
    exit::{Status, note},
    input::InputName,
    walk::MAGIC_BYTES,
};

/// What has been lost so far.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Of the schema's message of a file.
    schema_metadata: Metadata,
    /// Messages of dictionaries that had metadata.
    n_dictionaries: usize,
    n_tensors: usize,
    /// Whether something follows the stream; that has been said already.
    pub(super) has_bytes_behind: bool,
}

/// Whether something has come into the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Yes,
    No,
}

impl Losses {
    /// Looks for metadata that readers of the file do not see.
    pub(super) fn look_at_file(&mut self, file: &File, footer: &Footer) {
        self.schema_metadata = metadata_outside_of_footer(file, footer);
        for block in footer.dictionaries() {
            self.dictionary(&metadata_at(file, block.position()..footer.position()));
        }
    }

    /// A dictionary whose message had this metadata. Writers write dictionaries with none.
    pub(super) fn dictionary(&mut self, metadata: &Metadata) {
        self.n_dictionaries = self.n_dictionaries.saturating_add(usize::from(!metadata.is_empty()));
    }

    /// A tensor between the batches of a stream.
    pub(super) fn tensor(&mut self, kept: Kept) {
        self.n_tensors = self.n_tensors.saturating_add(usize::from(kept == Kept::No));
    }

    /// Says what was lost.
    pub(super) fn report(&self, name: &InputName) -> Status {
        let metadata = &self.schema_metadata;
        if !metadata.is_empty() {
            note(&format!(
                "{name}: the metadata {metadata} of the schema's message is not in the footer, and lost"
            ));
        }
        match self.n_dictionaries {
            0 => {}
            1 => note(&format!("{name}: the custom metadata of a dictionary's message is lost")),
            n => note(&format!("{name}: the custom metadata of {n} messages of dictionaries is lost")),
        }
        match self.n_tensors {
            0 => {}
            1 => note(&format!("{name}: a tensor between the batches is lost: files have no place for it")),
            n => note(&format!(
                "{name}: {n} tensors between the batches are lost: files have no place for them"
            )),
        }
        let is_whole =
            metadata.is_empty() && self.n_dictionaries + self.n_tensors == 0 && !self.has_bytes_behind;
        if is_whole { Status::Fine } else { Status::DataLost }
    }
}

/// The metadata of a whole file is in its footer and in the message of its schema. Both are written from the footer,
/// so what only the message has is lost.
fn metadata_outside_of_footer(file: &File, footer: &Footer) -> Metadata {
    let metadata = metadata_at(file, MAGIC_BYTES..footer.position());
    let is_kept = |pair| footer.metadata().iter().any(|kept| kept == pair);
    let lost = metadata.iter().filter(|pair| !is_kept(*pair));
    Metadata::from_pairs(lost.map(|(key, value)| (key.map(Into::into), value.map(Into::into))).collect())
}

/// The custom metadata of the message that begins a range. A message that cannot be read has nothing to lose: if it is
/// needed, the conversion fails.
fn metadata_at(file: &File, range: Range<u64>) -> Metadata {
    let message = MessageScan::new(file, range, Limits::default()).and_then(|mut scan| scan.next_message());
    let metadata = message.ok().flatten().as_ref().map(Message::custom_metadata);
    metadata.and_then(Result::ok).unwrap_or_default()
}
