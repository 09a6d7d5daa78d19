//! Plans: each plan reads one result from a file, without I/O.

use std::{
    fmt,
    future::poll_fn,
    io,
    ops::Range,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use arrow_buffer::{Buffer, MemoryBudget};

use super::{provided_ranges::ProvidedRanges, ranges::NeededRanges};
use crate::error::{BlockIndex, IpcError, IpcErrorKind, Result};

/// Reads one result from a file, without I/O. Call [`step`](ReadPlan::step) and [`provide`](ReadPlan::provide) the
/// requested ranges, until `step` returns [`PlanStep::Ready`].
///
/// [`FileDecoder::plan_open`](crate::FileDecoder::plan_open) returns the first plan. A [`FileDecoder`](crate::FileDecoder) returns
/// any number of plans, which may run side by side and on several threads. The loop around a plan is the same for any
/// source of ranges:
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{Source, file::{PlanStep, ReadPlan}};
///
/// fn run<T>(source: &impl Source, mut plan: ReadPlan<T>) -> arrow_ipc::Result<T> {
///     loop {
///         match plan.step()? {
///             PlanStep::Ready(ready) => return Ok(ready),
///             PlanStep::Need(ranges) => {
///                 // One after the other; all at once in a program that waits for a network.
///                 for range in ranges.merged_for(&source.fetch_cost()) {
///                     let bytes = source.fetch(range.clone())?;
///                     plan.provide(range, bytes)?;
///                 }
///             }
///         }
///     }
/// }
/// ```
pub struct ReadPlan<T> {
    /// `None` after the plan has returned its result or an error.
    work: Option<Pin<Box<dyn Work<T>>>>,
    input: Arc<PlanInput>,
    block: Option<(BlockIndex, u64)>,
    /// The message, if the input is the body of a message in a stream.
    message_location: Option<MessageLocation>,
}

/// The position of a message in its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MessageLocation {
    pub(super) index: u64,
    pub(super) position: u64,
}

/// Adds the position of the message to an error, if the input is the body of a message in a stream.
pub(super) fn located(error: IpcError, message_location: Option<MessageLocation>) -> IpcError {
    match message_location {
        Some(location) => error.with_message(location.index, location.position),
        None => error,
    }
}

/// The result of [`ReadPlan::step`]: ranges to fetch, or the result of the plan.
#[derive(Debug, Clone)]
pub enum PlanStep<T> {
    /// Provide these ranges, then call [`step`](ReadPlan::step) again.
    Need(NeededRanges),
    /// The result of the plan.
    Ready(T),
}

/// The work of a plan: an `async fn` that reads from top to bottom. It waits only for a [`PlanInput`]. Each step continues it
/// where it waits, so no stage runs again after its bytes were provided.
pub(super) trait Work<T>: Future<Output = Result<T>> + Send + 'static {}

impl<T, F: Future<Output = Result<T>> + Send + 'static> Work<T> for F {}

/// A stage of a plan: an ordinary function that requests all bytes that it can, and returns `None` if some are missing. It
/// runs again once bytes have been provided. So it looks again at what other plans may have read.
pub(crate) trait Pass<T>: FnMut(&mut ProvidedRanges) -> Result<Option<T>> {}

impl<T, F: FnMut(&mut ProvidedRanges) -> Result<Option<T>>> Pass<T> for F {}

/// What the work of a plan reads from: the bytes that were provided.
///
/// **Invariant:** no work waits while it has locked the bytes.
#[derive(Debug)]
pub(crate) struct PlanInput(Mutex<ProvidedRanges>);

impl PlanInput {
    pub(super) fn new(provided: ProvidedRanges) -> PlanInput {
        PlanInput(Mutex::new(provided))
    }

    /// Locks the bytes. They are valid even if a pass panicked.
    pub(super) fn lock(&self) -> MutexGuard<'_, ProvidedRanges> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a pass has its result.
    pub(super) fn pass<T>(&self, mut pass: impl Pass<T>) -> impl Future<Output = Result<T>> {
        poll_fn(move |_| pass(&mut self.lock()).transpose().map_or(Poll::Pending, Poll::Ready))
    }

    /// Waits for the bytes of a range.
    pub(super) async fn take(&self, range: Range<u64>) -> Result<Buffer> {
        self.pass(|bytes| Ok(bytes.take(range.clone()))).await
    }
}

impl<T> ReadPlan<T> {
    /// Makes a plan for a file of this length. No byte of the file has been provided. The budget pays for ranges that are joined.
    pub(super) fn for_length<W: Work<T>>(
        file_bytes: u64,
        budget: Option<&MemoryBudget>,
        work: impl FnOnce(Arc<PlanInput>) -> W,
    ) -> ReadPlan<T> {
        let provided = ProvidedRanges::new(file_bytes, None, Arc::default());
        ReadPlan::new(provided.with_memory_budget(budget), None, work)
    }

    pub(super) fn new<W: Work<T>>(
        provided: ProvidedRanges,
        message_location: Option<MessageLocation>,
        work: impl FnOnce(Arc<PlanInput>) -> W,
    ) -> ReadPlan<T> {
        let input = Arc::new(PlanInput::new(provided));
        let work: Pin<Box<dyn Work<T>>> = Box::pin(work(Arc::clone(&input)));
        ReadPlan { work: Some(work), input, block: None, message_location }
    }

    pub(super) fn about(self, block: BlockIndex, position: u64) -> ReadPlan<T> {
        ReadPlan { block: Some((block, position)), ..self }
    }

    /// Continues until bytes are missing. Returns the result, or the ranges that the plan needs next.
    ///
    /// # Errors
    /// If the file is malformed, uses an unsupported part of the format, or exceeds a limit. After an error or the
    /// result, each further call returns an error.
    pub fn step(&mut self) -> Result<PlanStep<T>> {
        let Some(mut work) = self.work.take() else {
            return Err(IpcErrorKind::AlreadyFailed { what: "plan" }.into());
        };
        self.input.lock().check_start()?;
        if let Poll::Ready(ready) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return ready.map(PlanStep::Ready).map_err(|error| located(error, self.message_location));
        }
        let needed = self.input.lock().needed()?;
        if needed.is_empty() {
            return Err(IpcError::internal("a plan waits without a missing range"));
        }
        self.work = Some(work);
        Ok(PlanStep::Need(needed.normalized()))
    }

    /// Provides bytes of the file, in any order: a requested range, a part of it, or a longer range. Arrays share the
    /// memory of these bytes. A range that is provided in several buffers is copied once.
    ///
    /// # Errors
    /// If the number of bytes is not the length of the range, or the range ends after the file. After an error, the
    /// plan is unchanged.
    pub fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<()> {
        self.input.lock().provide(range, bytes)
    }

    /// Returns provided bytes that directly follow `range` and are needed in one buffer with it; empty if there are none.
    /// Provide them again, in one buffer after the bytes of the range. The statistics count them as gathered bytes.
    pub(super) fn joined_after(&self, range: &Range<u64>) -> Buffer {
        self.input.lock().joined_after(range)
    }

    /// Makes the error for a range that could not be fetched. It contains the cause, and the block that the plan reads,
    /// if any. The plan does not change, so the range can be provided later.
    ///
    /// ```
    /// use std::io;
    ///
    /// use arrow_ipc::{ErrorClass, FileDecoder};
    ///
    /// let plan = FileDecoder::plan_open(1_000);
    /// let error = plan.fetch_error(990..1_000, io::ErrorKind::TimedOut.into());
    /// assert_eq!(error.class(), ErrorClass::Io);
    /// assert_eq!(error.to_string(), "fetching the bytes 990..1000 failed: timed out");
    /// ```
    pub fn fetch_error(&self, range: Range<u64>, error: io::Error) -> IpcError {
        self.error_here(IpcErrorKind::Fetch { start: range.start, end: range.end, error })
    }

    /// Adds the block that the plan reads, if any, to an error of the caller.
    pub fn error_here(&self, error: impl Into<IpcError>) -> IpcError {
        let error = error.into();
        let Some((block, position)) = self.block else { return error };
        located(error.with_block(block, position), self.message_location)
    }
}

impl<T> fmt::Debug for ReadPlan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (input, block) = (&self.input, &self.block);
        f.debug_struct("ReadPlan").field("input", input).field("block", block).finish_non_exhaustive()
    }
}
