//! A recovery that reads from a source.

use arrow_ipc::{IpcError, ReadOptions, Source, WriteOptions, WrittenContainer};
use arrow_ipc_recover::{Recovery, RecoveryStep};

use crate::{metadata::WholeMetadata, observer::NoteKind, source::SharedSource};

/// A recovery, and the source from which it reads.
#[derive(Debug)]
pub(super) struct SourcedRecovery {
    pub(super) source: SharedSource,
    pub(super) recovery: Recovery,
    pub(super) n_bytes: u64,
}

impl SourcedRecovery {
    /// Begins a recovery, with the options that `with_options` sets.
    pub(super) fn open(
        source: SharedSource,
        with_options: impl FnOnce(Recovery) -> Recovery,
    ) -> Result<SourcedRecovery, IpcError> {
        let n_bytes = source.n_bytes()?;
        let reading = ReadOptions::new().with_limits(source.limits().clone());
        let mut recovery = with_options(Recovery::new_with(n_bytes, reading));
        if let Some(whole) = source.whole() {
            recovery.provide(0..n_bytes, whole)?;
        }
        Ok(SourcedRecovery { source, recovery, n_bytes })
    }

    /// Takes the next step of the recovery, after reading the bytes that the recovery needs.
    pub(super) fn step(&mut self) -> Result<RecoveryStep, IpcError> {
        loop {
            let step = self.recovery.step()?;
            let RecoveryStep::Need(range) = step else { return Ok(step) };
            let bytes = self.source.fetch(range.clone())?;
            self.recovery.provide(range, bytes)?;
        }
    }

    /// A note about a missing end marker. This is not a loss; `validate` sends the same note.
    pub(super) fn note(&self) -> Option<NoteKind> {
        self.recovery.unmarked_end().map(|position| NoteKind::NoEndMarker { position })
    }

    /// Options with the metadata of the schema message and of the footer, as far as these are readable. A stream has
    /// no footer, so its schema message gets the footer metadata. Row counts and layouts describe the damaged file,
    /// and are not copied.
    pub(super) fn metadata(&self, container: WrittenContainer) -> WriteOptions {
        let message = self.recovery.metadata().cloned().unwrap_or_default();
        let footer = self.recovery.footer().map(|footer| footer.metadata().clone());
        let options = WriteOptions::new().with_max_fields(self.source.limits().max_fields());
        WholeMetadata::new(message, footer).into_options(container, options)
    }
}
