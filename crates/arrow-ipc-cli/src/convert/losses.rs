//! What of an input has no place in the output.

use std::{fs::File, ops::Range, sync::Arc};

use arrow_ipc::{Footer, Limits, Message, MessageScan};
use arrow_schema::Metadata;

use crate::{
    exit::{Failure, Status, note},
    input::InputName,
    rows::Streams,
    validate::{Contradiction, check_agreement},
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
    /// What readers of the file do not see, or see twice.
    contradiction: Option<Contradiction>,
    /// Whether something follows the last stream; that has been said already.
    has_rest: bool,
    /// Whether a stream after the first has other metadata.
    has_other_metadata: bool,
}

/// Whether something has come into the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Yes,
    No,
}

impl Losses {
    /// Looks for what readers of the file do not see.
    ///
    /// # Errors
    /// If the file fails.
    pub(super) fn look_at_file(
        &mut self,
        name: &InputName,
        file: &Arc<File>,
        footer: &Footer,
    ) -> Result<(), Failure> {
        let contradiction = check_agreement(file, footer, &Limits::default());
        self.contradiction = contradiction.map_err(|error| Failure::Input { name: name.clone(), error })?;
        self.schema_metadata = metadata_outside_of_footer(file, footer);
        for block in footer.dictionaries() {
            self.dictionary(&metadata_at(file, block.position()..footer.position()));
        }
        Ok(())
    }

    /// Looks for what of streams that have been read has no place in one output.
    pub(super) fn look_at_streams(&mut self, streams: &Streams) {
        self.has_rest = streams.note_rest().is_some();
        self.has_other_metadata = streams.has_other_metadata();
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
        if self.has_other_metadata {
            note(&format!("{name}: the metadata of a stream after the first differs, and is lost"));
        }
        if let Some(what) = &self.contradiction {
            note(&format!("{name}: {what}; what the footer says was written"));
        }
        let is_whole = metadata.is_empty()
            && self.n_dictionaries + self.n_tensors == 0
            && !self.has_rest
            && !self.has_other_metadata
            && self.contradiction.is_none();
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
