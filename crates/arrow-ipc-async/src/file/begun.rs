//! A batch of a file that has been begun: the ranges that it waits for, and its result.

use std::{collections::VecDeque, io, ops::Range};

use arrow_buffer::Buffer;
use arrow_ipc::{
    BatchWithMetadata, FetchCost, FileDecoder, IpcError, Result,
    file::{FetchedBatch, PlanStep, ReadPlan},
};

use crate::requests::cost_of;

/// The part of a request that belongs to one batch.
pub(super) struct RequestedPart {
    pub(super) batch_idx: usize,
    pub(super) range: Range<u64>,
    /// The length of its bytes, and of the gap before it.
    pub(super) held_bytes: u64,
}

/// A batch that is being read, or has been.
pub(super) struct Begun {
    batch_idx: usize,
    /// Whether no other batch is read at the same time.
    is_alone: bool,
    cost: FetchCost,
    held_bytes: u64,
    state: FetchState,
}

enum FetchState {
    Fetching {
        plan: ReadPlan<FetchedBatch>,
        /// The ranges that have not been requested.
        waiting: VecDeque<Range<u64>>,
        /// How many ranges have been requested and have not arrived.
        n_requested: usize,
    },
    /// It waits to be decoded.
    Fetched(Result<FetchedBatch>),
}

impl Begun {
    pub(super) fn new(decoder: &FileDecoder, batch_idx: usize) -> Begun {
        let state = match decoder.fetch(batch_idx) {
            Ok(plan) => FetchState::Fetching { plan, waiting: VecDeque::new(), n_requested: 0 },
            Err(error) => FetchState::Fetched(Err(error)),
        };
        let cost = cost_of(decoder.options());
        let mut begun = Begun { batch_idx, is_alone: false, cost, held_bytes: 0, state };
        begun.step();
        begun
    }

    pub(super) fn alone(self) -> Begun {
        Begun { is_alone: true, ..self }
    }

    pub(super) fn batch_idx(&self) -> usize {
        self.batch_idx
    }

    pub(super) fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// The bytes that were fetched for it.
    pub(super) fn held_bytes(&self) -> u64 {
        self.held_bytes
    }

    /// The ranges that have not been requested.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Range<u64>> {
        match &self.state {
            FetchState::Fetching { waiting, .. } => Some(waiting.iter()),
            FetchState::Fetched(_) => None,
        }
        .into_iter()
        .flatten()
    }

    pub(super) fn is_fetching(&self) -> bool {
        matches!(self.state, FetchState::Fetching { .. })
    }

    pub(super) fn is_fetched(&self) -> bool {
        matches!(self.state, FetchState::Fetched(_))
    }

    /// The batch, once it has been fetched.
    pub(super) fn decode(self) -> Option<Result<BatchWithMetadata>> {
        match self.state {
            FetchState::Fetched(fetched) => Some(fetched.and_then(FetchedBatch::decode)),
            FetchState::Fetching { .. } => None,
        }
    }

    /// Notes that the first waiting ranges have been requested.
    pub(super) fn requested(&mut self, n_ranges: usize) {
        if let FetchState::Fetching { waiting, n_requested, .. } = &mut self.state {
            *n_requested = n_requested.saturating_add(waiting.drain(..n_ranges.min(waiting.len())).len());
        }
    }

    /// Takes its part of an answer, and continues if nothing else is missing.
    pub(super) fn provide(&mut self, part: RequestedPart, bytes: Buffer) {
        let FetchState::Fetching { plan, waiting, n_requested } = &mut self.state else { return };
        let RequestedPart { range, held_bytes, .. } = part;
        if let Err(error) = plan.provide(range, bytes) {
            return self.fail(error);
        }
        *n_requested = n_requested.saturating_sub(1);
        let is_complete = *n_requested == 0 && waiting.is_empty();
        self.held_bytes = self.held_bytes.saturating_add(held_bytes);
        if is_complete {
            self.step();
        }
    }

    pub(super) fn fail_to_fetch(&mut self, range: Range<u64>, error: io::Error) {
        if let FetchState::Fetching { plan, .. } = &self.state {
            self.state = FetchState::Fetched(Err(plan.fetch_error(range, error)));
        }
    }

    pub(super) fn fail(&mut self, error: impl Into<IpcError>) {
        if let FetchState::Fetching { plan, .. } = &self.state {
            self.state = FetchState::Fetched(Err(plan.error_here(error)));
        }
    }

    fn step(&mut self) {
        let FetchState::Fetching { plan, waiting, .. } = &mut self.state else { return };
        let fetched = match plan.step() {
            Ok(PlanStep::Need(needed)) => {
                waiting.extend(needed.merged_for(&self.cost));
                return;
            }
            Ok(PlanStep::Ready(fetched)) => Ok(fetched),
            Err(error) => Err(error),
        };
        self.state = FetchState::Fetched(fetched);
    }
}
