//! Plans: each plan reads one result from a file, without I/O.

use std::{fmt, io, ops::Range, sync::Arc};

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
    work: Option<Box<dyn Work<T>>>,
    provided: ProvidedRanges,
    block: Option<(BlockIndex, u64)>,
    /// The message, if the input is the body of a message in a stream.
    of_message: Option<MessageLocation>,
}

/// The position of a message in its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MessageLocation {
    pub(super) index: u64,
    pub(super) position: u64,
}

/// Adds the position of the message to an error, if the input is the body of a message in a stream.
pub(super) fn located(error: IpcError, of_message: Option<MessageLocation>) -> IpcError {
    match of_message {
        Some(place) => error.of_message(place.index, place.position),
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

/// The work of a plan: a function that continues until bytes are missing. It returns the result, or requests bytes and
/// returns `None`. Each call starts from the beginning, but reuses expensive results of earlier calls.
pub(crate) trait Work<T>: FnMut(&mut ProvidedRanges) -> Result<Option<T>> + Send + 'static {}

impl<T, F: FnMut(&mut ProvidedRanges) -> Result<Option<T>> + Send + 'static> Work<T> for F {}

impl<T> ReadPlan<T> {
    /// Makes a plan for a file of this length. No byte of the file has been provided. The budget pays for ranges that are joined.
    pub(super) fn of_length(
        file_bytes: u64,
        budget: Option<&MemoryBudget>,
        work: impl Work<T>,
    ) -> ReadPlan<T> {
        let provided = ProvidedRanges::new(file_bytes, None, Arc::default());
        ReadPlan::new(provided.with_memory_budget(budget), None, work)
    }

    pub(super) fn new(
        provided: ProvidedRanges,
        of_message: Option<MessageLocation>,
        work: impl Work<T>,
    ) -> ReadPlan<T> {
        ReadPlan { work: Some(Box::new(work)), provided, block: None, of_message }
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
        self.provided.check_start()?;
        let ready = work(&mut self.provided).map_err(|error| located(error, self.of_message))?;
        if let Some(ready) = ready {
            return Ok(PlanStep::Ready(ready));
        }
        let needed = self.provided.needed()?;
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
        self.provided.provide(range, bytes)
    }

    /// Returns provided bytes that directly follow `range` and are needed in one buffer with it; empty if there are none.
    /// Provide them again, in one buffer after the bytes of the range. The statistics count them as gathered bytes.
    pub(super) fn joined_after(&self, range: &Range<u64>) -> Buffer {
        self.provided.joined_after(range)
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
        located(error.of_block(block, position), self.of_message)
    }
}

impl<T> fmt::Debug for ReadPlan<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let provided = &self.provided;
        let block = &self.block;
        f.debug_struct("ReadPlan").field("provided", provided).field("block", block).finish_non_exhaustive()
    }
}
