//! What of an input cannot be kept in the output.

use arrow_ipc::{Footer, Limits};
use arrow_ipc_tools::{
    Contradiction, InputName, SharedSource, Streams, ToolError, ToolErrorKind, TrailingBytes, check_agreement,
};
use arrow_schema::Metadata;

use super::metadata::WholeMetadata;
use crate::{
    args::Target,
    exit::{Failure, Status, note},
};

/// What has been lost so far.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Metadata of a file's schema message: a stream gets the footer's.
    schema_metadata: Metadata,
    /// The number of dictionary messages whose metadata is lost.
    n_dictionaries: usize,
    n_tensors: usize,
    /// What readers of the file do not see, or see twice.
    contradiction: Option<Contradiction>,
    /// Bytes after the last stream.
    rest: Option<TrailingBytes>,
    /// Whether a stream after the first has other metadata.
    has_other_metadata: bool,
}

/// Whether something was kept in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Yes,
    No,
}

impl Losses {
    /// Looks for messages that readers of the file do not see.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn look_at_file(
        &mut self,
        name: &InputName,
        file: &SharedSource,
        footer: &Footer,
    ) -> Result<(), Failure> {
        let contradiction = check_agreement(file, footer, &Limits::default());
        let contradiction =
            contradiction.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Input(error)))?;
        // A file keeps both: that of the schema message and that of the footer.
        let is_lost = |what: &Contradiction| !matches!(what, Contradiction::WholeMetadata);
        self.contradiction = contradiction.filter(is_lost);
        Ok(())
    }

    /// The metadata of the whole for an output in this container.
    pub(super) fn whole(&mut self, metadata: &WholeMetadata, target: Target) {
        self.schema_metadata = metadata.lost_in(target);
    }

    /// Looks for what of these streams cannot be kept in one output.
    pub(super) fn look_at_streams(&mut self, streams: &Streams) {
        self.rest = streams.trailing_bytes();
        self.has_other_metadata = streams.has_other_metadata();
    }

    /// Counts the metadata of a dictionary message.
    pub(super) fn dictionary(&mut self, kept: Kept) {
        self.n_dictionaries = self.n_dictionaries.saturating_add(usize::from(kept == Kept::No));
    }

    /// Counts a tensor between the batches of a stream.
    pub(super) fn tensor(&mut self, kept: Kept) {
        self.n_tensors = self.n_tensors.saturating_add(usize::from(kept == Kept::No));
    }

    /// Reports what was lost.
    pub(super) fn report(&self, name: &InputName) -> Status {
        if let Some(rest) = self.rest {
            note(&format!("{name}: {rest}"));
        }
        let metadata = &self.schema_metadata;
        if !metadata.is_empty() {
            note(&format!(
                "{name}: the metadata {metadata} of the schema message is not in the footer, and is lost"
            ));
        }
        match self.n_dictionaries {
            0 => {}
            1 => note(&format!("{name}: the custom metadata of a dictionary message is lost")),
            n => note(&format!("{name}: the custom metadata of {n} dictionary messages is lost")),
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
            note(&format!("{name}: {what}; the batches that the footer lists were written"));
        }
        let is_whole = metadata.is_empty()
            && self.n_dictionaries + self.n_tensors == 0
            && self.rest.is_none()
            && !self.has_other_metadata
            && self.contradiction.is_none();
        if is_whole { Status::Fine } else { Status::DataLost }
    }
}
