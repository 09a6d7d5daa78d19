//! How one batch is read: fetched to be decoded later, or by itself after that has failed.

use std::{io, ops::Range};

use arrow_buffer::Buffer;
use arrow_ipc::{
    BatchWithMetadata, FileDecoder, IpcError, IpcErrorKind, Result,
    file::{FetchedBatch, NeededRanges, PlanStep, ReadPlan},
};

/// What asks for the ranges of a batch.
pub(super) enum BatchPlan {
    /// The batch can wait compressed.
    Fetch(ReadPlan<Vec<FetchedBatch>>),
    /// Of several errors, it finds the one that `FileReader::batch` finds.
    Read(ReadPlan<BatchWithMetadata>),
}

/// What a plan asks for or gives.
pub(super) enum BatchStep {
    Need(NeededRanges),
    Ready(Fetched),
}

/// A batch whose bytes are there.
pub(super) enum Fetched {
    Waiting(FetchedBatch),
    Decoded(BatchWithMetadata),
}

impl Fetched {
    pub(super) fn decode(self) -> Result<BatchWithMetadata> {
        match self {
            Fetched::Waiting(batch) => batch.decode(),
            Fetched::Decoded(batch) => Ok(batch),
        }
    }
}

impl BatchPlan {
    pub(super) fn new(decoder: &FileDecoder, batch_idx: usize) -> Result<BatchPlan> {
        decoder.fetch_batches(batch_idx..batch_idx.saturating_add(1), u64::MAX).map(BatchPlan::Fetch)
    }

    /// Goes on as far as the provided bytes allow. If the batch cannot be fetched, it is read by itself.
    pub(super) fn step(&mut self, decoder: &FileDecoder, batch_idx: usize) -> Result<BatchStep> {
        match self {
            BatchPlan::Read(plan) => return plan.step().map(BatchStep::from),
            BatchPlan::Fetch(plan) => match plan.step() {
                Ok(PlanStep::Need(needed)) => return Ok(BatchStep::Need(needed)),
                Ok(PlanStep::Ready(fetched)) => {
                    let n_batches = decoder.n_batches();
                    let none = || IpcErrorKind::NoSuchBatch { batch_idx, n_batches };
                    let fetched = fetched.into_iter().next().ok_or_else(none)?;
                    return Ok(BatchStep::Ready(Fetched::Waiting(fetched)));
                }
                Err(_) => {}
            },
        }
        let mut plan = decoder.batch(batch_idx)?;
        let step = plan.step().map(BatchStep::from);
        *self = BatchPlan::Read(plan);
        step
    }

    pub(super) fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        match self {
            BatchPlan::Fetch(plan) => plan.provide(range, bytes),
            BatchPlan::Read(plan) => plan.provide(range, bytes),
        }
    }

    pub(super) fn fetch_error(&self, range: Range<u64>, error: io::Error) -> IpcError {
        match self {
            BatchPlan::Fetch(plan) => plan.fetch_error(range, error),
            BatchPlan::Read(plan) => plan.fetch_error(range, error),
        }
    }

    pub(super) fn error_here(&self, error: impl Into<IpcError>) -> IpcError {
        match self {
            BatchPlan::Fetch(plan) => plan.error_here(error),
            BatchPlan::Read(plan) => plan.error_here(error),
        }
    }
}

impl From<PlanStep<BatchWithMetadata>> for BatchStep {
    fn from(step: PlanStep<BatchWithMetadata>) -> BatchStep {
        match step {
            PlanStep::Need(needed) => BatchStep::Need(needed),
            PlanStep::Ready(batch) => BatchStep::Ready(Fetched::Decoded(batch)),
        }
    }
}
