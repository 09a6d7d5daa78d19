//! Requests that are running, and answers that have not been returned.

use std::{
    future::poll_fn,
    io,
    ops::Range,
    sync::Arc,
    task::{Context, Poll},
};

use arrow_buffer::{BudgetError, Buffer, Charge, MemoryBudget};
use arrow_ipc::{
    FetchCost, ReadOptions, Result,
    file::{PlanStep, ReadPlan},
};

use crate::{
    pieces::{FetchFuture, PieceRequests},
    source::{AsyncSource, n_bytes_of},
};

/// Running requests, and answers that have not been returned. Dropping this value cancels the requests.
pub(crate) struct Requests {
    cost: FetchCost,
    in_flight: Vec<Request>,
}

struct Request {
    range: Range<u64>,
    charge: Option<Charge>,
    pieces: PieceRequests,
    /// Set when all pieces have arrived.
    answer: Option<io::Result<Buffer>>,
}

/// A range and the answer to its request.
pub(crate) struct RequestResult {
    pub(crate) range: Range<u64>,
    /// The bytes, which have the length of the range, or the error.
    pub(crate) bytes: io::Result<Buffer>,
}

/// The shares of all running requests may add up to 1. The rest is a margin for rounding.
const ALL: f64 = 1.0 + 1e-9;

impl Requests {
    /// `cost` limits how many requests run at the same time.
    pub(crate) fn new(cost: FetchCost) -> Requests {
        Requests { cost, in_flight: Vec::new() }
    }

    /// Whether the cost allows a request for `range` now. An answer that has not been returned counts as a running
    /// request.
    pub(crate) fn has_capacity_for(&self, range: &Range<u64>) -> bool {
        let in_flight = self.in_flight.iter().map(|request| {
            let n_requests = request.pieces.n_missing().max(1);
            self.share_of(request.pieces.max_bytes()) * n_requests as f64
        });
        let first = self.cost.pieces_of(range.clone()).next().unwrap_or(0..0);
        self.in_flight.is_empty() || in_flight.sum::<f64>() + self.share_of(n_bytes_of(&first)) <= ALL
    }

    /// The share of a request: 1 divided by the number of requests of this length that may run at the same time.
    fn share_of(&self, n_bytes: u64) -> f64 {
        f64::from(self.cost.requests_in_flight_of(n_bytes)).recip()
    }

    pub(crate) fn clear(&mut self) {
        self.in_flight.clear();
    }

    /// Charges the budget for a range, and adds a request for it. A long range is requested in pieces. Each piece is
    /// requested when the cost allows one more request.
    pub(crate) fn start<S: AsyncSource + 'static>(
        &mut self,
        source: &Arc<S>,
        range: Range<u64>,
        budget: Option<&MemoryBudget>,
    ) -> std::result::Result<(), BudgetError> {
        let charge = budget.map(|budget| budget.try_charge(n_bytes_of(&range))).transpose()?;
        let source = Arc::clone(source);
        let fetch = move |piece: Range<u64>| -> FetchFuture {
            let source = Arc::clone(&source);
            Box::pin(async move { source.fetch(piece).await })
        };
        let mut pieces = PieceRequests::new(range.clone(), self.cost.pieces_of(range.clone()), fetch);
        if pieces.n_missing() == 1 {
            pieces.begin(1);
        }
        self.in_flight.push(Request { range, charge, pieces, answer: None });
        Ok(())
    }

    /// Polls all requests, and requests more pieces if the cost allows them.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) {
        loop {
            for request in self.unanswered() {
                if let Poll::Ready(answer) = request.pieces.poll(context) {
                    request.answer = Some(answer);
                }
            }
            if !self.begin_pieces() {
                return;
            }
        }
    }

    fn unanswered(&mut self) -> impl Iterator<Item = &mut Request> {
        self.in_flight.iter_mut().filter(|request| request.answer.is_none())
    }

    /// Requests waiting pieces. Returns `false` if the cost allows no request, or no piece waits.
    fn begin_pieces(&mut self) -> bool {
        let awaited = self.in_flight.iter().filter(|request| request.answer.is_none());
        let awaited = awaited
            .map(|request| self.share_of(request.pieces.max_bytes()) * request.pieces.n_awaited() as f64);
        let mut left = ALL - awaited.sum::<f64>();
        let cost = self.cost;
        let mut has_started = false;
        for request in self.unanswered() {
            let n_at_once = f64::from(cost.requests_in_flight_of(request.pieces.max_bytes()));
            // The cast rounds down, and turns a negative product into 0.
            let n_started = request.pieces.begin((left * n_at_once) as usize);
            left -= n_started as f64 / n_at_once;
            has_started |= n_started > 0;
        }
        has_started
    }

    /// Returns an answer. `None` if there are no requests.
    pub(crate) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<RequestResult>> {
        let is_here = |request: &Request| request.answer.is_some();
        // Many answers may arrive at the same time, so these are returned before the next poll.
        if !self.in_flight.iter().any(is_here) {
            self.poll(context);
        }
        let Some(request_idx) = self.in_flight.iter().position(is_here) else {
            return if self.in_flight.is_empty() { Poll::Ready(None) } else { Poll::Pending };
        };
        let Request { range, charge, answer, .. } = self.in_flight.remove(request_idx);
        let Some(bytes) = answer else { return Poll::Pending };
        let bytes = bytes.map(|bytes| match charge {
            Some(charge) => bytes.with_charge(charge),
            None => bytes,
        });
        Poll::Ready(Some(RequestResult { range, bytes }))
    }
}

/// The cost of fetching. The options of an opened reader contain it.
pub(crate) fn cost_of(options: &ReadOptions) -> FetchCost {
    options.fetch_cost().unwrap_or(FetchCost::OBJECT_STORE)
}

/// Runs a plan: fetches the ranges that the plan needs, until the plan returns its result.
pub(crate) async fn run<S: AsyncSource + 'static, T>(
    source: &Arc<S>,
    mut plan: ReadPlan<T>,
    options: &ReadOptions,
) -> Result<T> {
    let cost = cost_of(options);
    let mut requests = Requests::new(cost);
    loop {
        let needed = match plan.step()? {
            PlanStep::Ready(ready) => return Ok(ready),
            PlanStep::Need(needed) => needed,
        };
        let mut ranges = needed.merged_for(&cost).into_iter().peekable();
        loop {
            while let Some(range) = ranges.next_if(|range| requests.has_capacity_for(range)) {
                let started = requests.start(source, range, options.memory_budget());
                started.map_err(|error| plan.error_here(error))?;
            }
            let Some(answered) = poll_fn(|context| requests.poll_next(context)).await else { break };
            let RequestResult { range, bytes } = answered;
            match bytes {
                Ok(bytes) => plan.provide(range, bytes)?,
                Err(error) => return Err(plan.fetch_error(range, error)),
            }
        }
    }
}
