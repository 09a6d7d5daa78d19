//! Decompresses the frames of a batch into one allocation.

use arrow_buffer::{Buffer, BufferMut, MemoryBudget};

use super::{BufferPool, CompressedBuffer, Frame};
use crate::{
    error::{FormatErrorKind, IpcError},
    recycled::RecycledMemory,
    threads::Threads,
};

/// The alignment of decompressed buffers, in bytes.
const ALIGNMENT: usize = 64;

/// Returns all buffers, decompressed. The frames are decompressed into one allocation, which their buffers share and
/// which `memory` can reuse. Uses several threads if the feature `rayon` is on, `threads` is the pool, and the frames are
/// large enough.
///
/// # Errors
/// The error of the first buffer that fails, with its index in `buffers`.
pub fn decompress_all(
    buffers: &[CompressedBuffer],
    memory: &RecycledMemory,
    threads: Threads,
) -> Result<Vec<Buffer>, (usize, IpcError)> {
    decompress_within(buffers, memory.decompressed(), threads, None)
}

/// Returns all buffers, decompressed. The frames are decompressed into one allocation, which their buffers share and
/// which is charged to the budget. Uses several threads if the feature `rayon` is on, `threads` is the pool, and the
/// frames are large enough.
///
/// # Errors
/// The error of the first buffer that fails, with its index in `opened`.
pub(crate) fn decompress_within(
    opened: &[CompressedBuffer],
    pool: &BufferPool,
    threads: Threads,
    budget: Option<&MemoryBudget>,
) -> Result<Vec<Buffer>, (usize, IpcError)> {
    // For each buffer, where its memory ends in the allocation. Raw buffers need no memory.
    let mut ends = Vec::with_capacity(opened.len());
    let mut n_bytes = 0;
    for (idx, opened) in opened.iter().enumerate() {
        if let CompressedBuffer::Frame(frame) = opened {
            n_bytes = end_of(n_bytes, frame).ok_or_else(|| (idx, too_large(frame)))?;
        }
        ends.push(n_bytes);
    }
    // Old bytes in the memory are harmless: each frame fills its range, and the bytes between the ranges are not used.
    let mut memory = match n_bytes {
        0 => BufferMut::new(),
        _ => pool.take(n_bytes, budget).map_err(|error| (first_frame(opened), error.into()))?,
    };
    let mut left = memory.spare(n_bytes);
    let mut jobs = Vec::with_capacity(opened.len());
    let mut start = 0;
    for (idx, (opened, end)) in opened.iter().zip(&ends).enumerate() {
        if let CompressedBuffer::Frame(frame) = opened {
            let (destination, rest) = std::mem::take(&mut left).split_at_mut(end - start);
            jobs.push((idx, frame, &mut destination[..frame.n_bytes]));
            left = rest;
            start = *end;
        }
    }
    run(jobs, threads)?;

    memory.filled(n_bytes);
    let memory = pool.freeze(memory);
    let starts = std::iter::once(0).chain(ends);
    let buffers = opened.iter().zip(starts).map(|(opened, start)| match opened {
        CompressedBuffer::Raw(bytes) => bytes.clone(),
        CompressedBuffer::Frame(frame) => memory.slice(start..start + frame.n_bytes),
    });
    Ok(buffers.collect())
}

fn end_of(start: usize, frame: &Frame) -> Option<usize> {
    start.checked_add(frame.n_bytes.checked_next_multiple_of(ALIGNMENT)?)
}

fn first_frame(opened: &[CompressedBuffer]) -> usize {
    opened.iter().position(|opened| matches!(opened, CompressedBuffer::Frame(_))).unwrap_or(0)
}

/// A frame with the index of its buffer, and the memory for its bytes.
type Job<'a> = (usize, &'a Frame, &'a mut [u8]);

fn run(jobs: Vec<Job<'_>>, threads: Threads) -> Result<(), (usize, IpcError)> {
    let run = |(idx, frame, to): Job<'_>| frame.decompress(to).map_err(|error| (idx, error));
    threads.try_run(jobs, |(_, frame, _)| frame.n_bytes, run).map(drop)
}

fn too_large(frame: &Frame) -> IpcError {
    let requested = frame.n_bytes as u64;
    let limit = usize::MAX as u64;
    FormatErrorKind::LimitExceeded { what: "bytes of decompressed buffers", requested, limit }.into()
}
