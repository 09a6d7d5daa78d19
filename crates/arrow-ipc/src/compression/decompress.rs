//! Decompresses the frames of a batch into one allocation.

use arrow_buffer::{Buffer, MemoryBudget};

use super::{Frame, KeptMemory};
#[cfg(feature = "rayon")]
use crate::threads::{is_worth_threads, largest_first};
use crate::{
    error::{IpcError, IpcErrorKind},
    threads::Threads,
};

/// The alignment of decompressed buffers, in bytes.
const ALIGNMENT: usize = 64;

/// Decompresses frames into one allocation, which the returned buffers share and which is charged to the budget. Uses
/// several threads if the feature `rayon` is on, `threads` is the pool, and the frames are large enough.
///
/// # Errors
/// The error of the first frame that fails, with the index of the frame.
pub(crate) fn decompress_all(
    frames: &[Frame],
    kept: &KeptMemory,
    threads: Threads,
    budget: Option<&MemoryBudget>,
) -> Result<Vec<Buffer>, (usize, IpcError)> {
    let end_of = |end: usize, frame: &Frame| {
        let n_bytes = frame.n_bytes.checked_next_multiple_of(ALIGNMENT)?;
        end.checked_add(n_bytes)
    };
    let mut ends = Vec::with_capacity(frames.len());
    for (idx, frame) in frames.iter().enumerate() {
        let end = end_of(ends.last().copied().unwrap_or(0), frame).ok_or_else(|| (idx, too_large(frame)))?;
        ends.push(end);
    }
    let n_bytes = ends.last().copied().unwrap_or(0);
    if n_bytes == 0 {
        return Ok(vec![Buffer::new(); frames.len()]);
    }
    // Old bytes in the memory are harmless: each frame fills its range, and the bytes between the ranges are not used.
    let mut memory = kept.take(n_bytes, budget).map_err(|error| (0, error.into()))?;
    let mut left = memory.spare(n_bytes);
    let mut jobs = Vec::with_capacity(frames.len());
    let mut start = 0;
    for (frame, end) in frames.iter().zip(&ends) {
        let (place, rest) = std::mem::take(&mut left).split_at_mut(end - start);
        jobs.push((frame, &mut place[..frame.n_bytes]));
        (left, start) = (rest, *end);
    }
    run(jobs, threads)?;

    memory.filled(n_bytes);
    let memory = kept.give_out(memory);
    let starts = std::iter::once(0).chain(ends);
    Ok(frames.iter().zip(starts).map(|(frame, start)| memory.slice(start..start + frame.n_bytes)).collect())
}

type Job<'a> = (usize, (&'a Frame, &'a mut [u8]));

fn run(jobs: Vec<(&Frame, &mut [u8])>, threads: Threads) -> Result<(), (usize, IpcError)> {
    let run = |(idx, (frame, to)): Job<'_>| frame.decompress(to).map_err(|error| (idx, error));
    #[cfg(feature = "rayon")]
    if threads == Threads::Pool && is_worth_threads(jobs.iter().map(|(frame, _)| frame.n_bytes)) {
        let jobs = jobs.into_iter().enumerate().collect();
        return largest_first(jobs, |(_, (frame, _)): &Job<'_>| frame.n_bytes, run).into_iter().collect();
    }
    let (Threads::Pool | Threads::One) = threads;
    jobs.into_iter().enumerate().try_for_each(run)
}

fn too_large(frame: &Frame) -> IpcError {
    let (requested, limit) = (frame.n_bytes as u64, usize::MAX as u64);
    IpcErrorKind::LimitExceeded { what: "bytes of decompressed buffers", requested, limit }.into()
}
