//! Decompresses the frames of a batch into one allocation.

use arrow_buffer::{Buffer, BufferMut, MemoryBudget};

use super::{Frame, KeptMemory, Opened};
#[cfg(feature = "rayon")]
use crate::threads::{is_worth_threads, largest_first};
use crate::{
    error::{FormatErrorKind, IpcError},
    threads::Threads,
};

/// The alignment of decompressed buffers, in bytes.
const ALIGNMENT: usize = 64;

/// Returns all buffers, decompressed. The frames are decompressed into one allocation, which their buffers share and
/// which is charged to the budget. Uses several threads if the feature `rayon` is on, `threads` is the pool, and the
/// frames are large enough.
///
/// # Errors
/// The error of the first buffer that fails, with its index in `opened`.
pub(crate) fn decompress_all(
    opened: &[Opened],
    kept: &KeptMemory,
    threads: Threads,
    budget: Option<&MemoryBudget>,
) -> Result<Vec<Buffer>, (usize, IpcError)> {
    // For each buffer, where its memory ends in the allocation. Raw buffers need no memory.
    let mut ends = Vec::with_capacity(opened.len());
    let mut n_bytes = 0;
    for (idx, opened) in opened.iter().enumerate() {
        if let Opened::Frame(frame) = opened {
            n_bytes = end_of(n_bytes, frame).ok_or_else(|| (idx, too_large(frame)))?;
        }
        ends.push(n_bytes);
    }
    // Old bytes in the memory are harmless: each frame fills its range, and the bytes between the ranges are not used.
    let mut memory = match n_bytes {
        0 => BufferMut::new(),
        _ => kept.take(n_bytes, budget).map_err(|error| (first_frame(opened), error.into()))?,
    };
    let mut left = memory.spare(n_bytes);
    let mut jobs = Vec::with_capacity(opened.len());
    let mut start = 0;
    for (idx, (opened, end)) in opened.iter().zip(&ends).enumerate() {
        if let Opened::Frame(frame) = opened {
            let (place, rest) = std::mem::take(&mut left).split_at_mut(end - start);
            jobs.push((idx, frame, &mut place[..frame.n_bytes]));
            (left, start) = (rest, *end);
        }
    }
    run(jobs, threads)?;

    memory.filled(n_bytes);
    let memory = kept.give_out(memory);
    let starts = std::iter::once(0).chain(ends);
    let made = opened.iter().zip(starts).map(|(opened, start)| match opened {
        Opened::Raw(bytes) => bytes.clone(),
        Opened::Frame(frame) => memory.slice(start..start + frame.n_bytes),
    });
    Ok(made.collect())
}

fn end_of(start: usize, frame: &Frame) -> Option<usize> {
    start.checked_add(frame.n_bytes.checked_next_multiple_of(ALIGNMENT)?)
}

fn first_frame(opened: &[Opened]) -> usize {
    opened.iter().position(|opened| matches!(opened, Opened::Frame(_))).unwrap_or(0)
}

/// A frame with the index of its buffer, and the memory for its bytes.
type Job<'a> = (usize, &'a Frame, &'a mut [u8]);

fn run(jobs: Vec<Job<'_>>, threads: Threads) -> Result<(), (usize, IpcError)> {
    let run = |(idx, frame, to): Job<'_>| frame.decompress(to).map_err(|error| (idx, error));
    #[cfg(feature = "rayon")]
    if threads == Threads::Pool && is_worth_threads(jobs.iter().map(|(_, frame, _)| frame.n_bytes)) {
        return largest_first(jobs, |(_, frame, _): &Job<'_>| frame.n_bytes, run).into_iter().collect();
    }
    let (Threads::Pool | Threads::One) = threads;
    jobs.into_iter().try_for_each(run)
}

fn too_large(frame: &Frame) -> IpcError {
    let (requested, limit) = (frame.n_bytes as u64, usize::MAX as u64);
    FormatErrorKind::LimitExceeded { what: "bytes of decompressed buffers", requested, limit }.into()
}
