//! Requests that are under way.

use std::{
    error::Error,
    fmt,
    future::{Future, poll_fn},
    io,
    ops::Range,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use arrow_buffer::{BudgetError, Buffer, Charge, MemoryBudget};
use arrow_ipc::{FetchCost, PlanStep, ReadOptions, ReadPlan, Result};

use crate::source::AsyncSource;

/// Requests under way, each with what the answer is for. Dropped, they are cancelled.
pub(crate) struct Requests<T> {
    under_way: Vec<Request<T>>,
}

struct Request<T> {
    range: Range<u64>,
    what_for: T,
    charge: Option<Charge>,
    answer: Answer,
}

enum Answer {
    Awaited(Pin<Box<dyn Future<Output = io::Result<Buffer>> + Send>>),
    Here(io::Result<Buffer>),
}

/// What has come of a request.
pub(crate) struct Answered<T> {
    pub(crate) range: Range<u64>,
    pub(crate) what_for: T,
    /// As many bytes as the range is long.
    pub(crate) bytes: io::Result<Buffer>,
}

impl<T> Requests<T> {
    pub(crate) fn new() -> Requests<T> {
        Requests { under_way: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.under_way.len()
    }

    pub(crate) fn clear(&mut self) {
        self.under_way.clear();
    }

    /// The bytes that have been asked for.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.under_way.iter().fold(0, |sum, request| sum.saturating_add(n_bytes_of(&request.range)))
    }

    /// Asks for a range, once the budget has its bytes.
    pub(crate) fn start<S: AsyncSource + 'static>(
        &mut self,
        source: &Arc<S>,
        range: Range<u64>,
        budget: Option<&MemoryBudget>,
        what_for: T,
    ) -> std::result::Result<(), BudgetError> {
        let charge = budget.map(|budget| budget.try_charge(n_bytes_of(&range))).transpose()?;
        let (source, wanted) = (Arc::clone(source), range.clone());
        let future = Box::pin(async move { source.fetch(wanted).await });
        self.under_way.push(Request { range, what_for, charge, answer: Answer::Awaited(future) });
        Ok(())
    }

    /// Lets all requests go on.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) {
        for request in &mut self.under_way {
            if let Answer::Awaited(future) = &mut request.answer
                && let Poll::Ready(answer) = future.as_mut().poll(context)
            {
                request.answer = Answer::Here(answer);
            }
        }
    }

    /// What has come of one that is complete; `None` if none is under way.
    pub(crate) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Answered<T>>> {
        self.poll(context);
        let is_here = |request: &Request<T>| matches!(request.answer, Answer::Here(_));
        let Some(request_idx) = self.under_way.iter().position(is_here) else {
            return if self.under_way.is_empty() { Poll::Ready(None) } else { Poll::Pending };
        };
        let Request { range, what_for, charge, answer } = self.under_way.remove(request_idx);
        let Answer::Here(bytes) = answer else { return Poll::Pending };
        let bytes = bytes.and_then(|bytes| checked(bytes, &range));
        let bytes = bytes.map(|bytes| match charge {
            Some(charge) => bytes.with_charge(charge),
            None => bytes,
        });
        Poll::Ready(Some(Answered { range, what_for, bytes }))
    }
}

/// An answer of another length than its range is none.
pub(crate) fn checked(bytes: Buffer, range: &Range<u64>) -> io::Result<Buffer> {
    let (found, expected) = (bytes.len() as u64, n_bytes_of(range));
    if found == expected {
        return Ok(bytes);
    }
    let kind = if found < expected { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData };
    Err(io::Error::new(kind, AnswerLength { expected, found }))
}

/// The cause of an error: an answer is longer or shorter than its range.
#[derive(Debug)]
struct AnswerLength {
    expected: u64,
    found: u64,
}

impl fmt::Display for AnswerLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnswerLength { expected, found } = self;
        write!(f, "the source gave {found} bytes; {expected} were requested")
    }
}

impl Error for AnswerLength {}

pub(crate) fn n_bytes_of(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

/// What fetching costs; it is in the options of every reader that was opened.
pub(crate) fn cost_of(options: &ReadOptions) -> FetchCost {
    options.fetch_cost().unwrap_or(FetchCost::OBJECT_STORE)
}

/// How many requests are under way at the same time, at most.
pub(crate) fn max_requests(cost: FetchCost) -> usize {
    usize::try_from(cost.requests_in_flight()).unwrap_or(usize::MAX)
}

/// Fetches what a plan needs until it is done.
pub(crate) async fn run<S: AsyncSource + 'static, T>(
    source: &Arc<S>,
    mut plan: ReadPlan<T>,
    options: &ReadOptions,
) -> Result<T> {
    let mut requests = Requests::new();
    let cost = cost_of(options);
    loop {
        let needed = match plan.step()? {
            PlanStep::Ready(ready) => return Ok(ready),
            PlanStep::Need(needed) => needed,
        };
        let mut ranges = needed.merged_for(&cost).into_iter().peekable();
        loop {
            while let Some(range) = ranges.next_if(|_| requests.len() < max_requests(cost)) {
                let started = requests.start(source, range, options.memory_budget(), ());
                started.map_err(|error| plan.error_here(error))?;
            }
            let Some(answered) = poll_fn(|context| requests.poll_next(context)).await else { break };
            let Answered { range, what_for: (), bytes } = answered;
            match bytes {
                Ok(bytes) => plan.provide(range, bytes)?,
                Err(error) => return Err(plan.fetch_error(range, error)),
            }
        }
    }
}
