//! Reads all batches of a file for other libraries: with several threads, or with little memory.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use arrow_data::RecordBatch;
use arrow_ipc::file::{BatchParts, FilePrefetcher, NextBatch};
use arrow_threads::by_threads;

use crate::{
    error::{Failure, Result},
    file::Reader,
    source::AnySource,
    stream_end::check_end,
};

/// Prefetches the batches of a file in order. Several threads read a group of batches, and end
/// before the first batch of the group is returned. No thread runs between two calls, so a fork loses none.
pub(crate) struct BatchPrefetch {
    prefetcher: FilePrefetcher<AnySource>,
    n_threads: usize,
    next: usize,
    /// Where reading stops before the last batch; `None` to read all, and to check the end.
    stop: Option<usize>,
    ready: VecDeque<Result<RecordBatch>>,
    is_started: bool,
    is_ended: bool,
    max_bytes: u64,
}

/// The least number of bytes for each thread. With fewer, starting threads takes longer than it saves.
const MIN_BYTES_PER_THREAD: u64 = 256 << 10;

/// The maximal length of a group in bytes, if the library stores all batches in memory.
const MAX_COLLECTED_BYTES: u64 = 128 << 20;

/// The maximal length of a group in bytes, if the library uses one batch after the other.
const MAX_STREAMED_BYTES: u64 = 32 << 20;

/// The number of batches in a group for each thread. A small number, because a slow thread delays the whole group.
const N_BATCHES_PER_THREAD: usize = 2;

impl BatchPrefetch {
    /// For a library that stores all batches in memory.
    pub(crate) fn for_collecting(reader: &Reader, n_threads: usize) -> BatchPrefetch {
        let prefetcher = reader.prefetcher();
        BatchPrefetch {
            prefetcher,
            n_threads,
            next: 0,
            stop: None,
            ready: VecDeque::new(),
            is_started: false,
            is_ended: false,
            max_bytes: MAX_COLLECTED_BYTES,
        }
    }

    /// For a library that uses one batch after the other.
    pub(crate) fn for_streaming(reader: &Reader, n_threads: usize) -> BatchPrefetch {
        BatchPrefetch { max_bytes: MAX_STREAMED_BYTES, ..BatchPrefetch::for_collecting(reader, n_threads) }
    }

    /// For rows that are joined: some of the batches.
    pub(crate) fn for_range(reader: &Reader, n_threads: usize, range: Range<usize>) -> BatchPrefetch {
        let all = BatchPrefetch::for_collecting(reader, n_threads);
        BatchPrefetch { next: range.start, stop: Some(range.end), is_started: true, ..all }
    }

    /// The index after the last batch to read.
    fn end(&self) -> usize {
        let n_batches = self.reader().n_batches();
        self.stop.map_or(n_batches, |stop| stop.min(n_batches))
    }

    /// The next group: one batch, or several if threads are faster. The first batch is a group of its own, because
    /// some callers need no other batch.
    fn group(&mut self) -> Range<usize> {
        let one = self.next..self.next.saturating_add(1);
        let is_started = std::mem::replace(&mut self.is_started, true);
        if self.n_threads < 2 || !is_started {
            return one;
        }
        let blocks = self.reader().footer().batches().get(self.next..self.end()).unwrap_or_default();
        let mut n_batches = 0;
        let mut n_bytes = 0u64;
        for block in blocks.iter().take(self.n_threads.saturating_mul(N_BATCHES_PER_THREAD)) {
            let with_next = n_bytes.saturating_add(self.selected_bytes(block.n_body_bytes()));
            if with_next > self.max_bytes {
                break;
            }
            n_batches += 1;
            n_bytes = with_next;
        }
        if n_batches < 2 || n_bytes < 2 * MIN_BYTES_PER_THREAD {
            return one;
        }
        self.next..self.next.saturating_add(n_batches)
    }

    /// The approximate length of the selected columns in a body, if all columns are equally long.
    fn selected_bytes(&self, n_body_bytes: u64) -> u64 {
        let n_selected = self.reader().schema().fields().len() as u64;
        let n_all = (self.reader().ipc_schema().schema().fields().len() as u64).max(1);
        n_body_bytes / n_all * n_selected
    }

    fn reader(&self) -> &Reader {
        self.prefetcher.reader()
    }

    fn next_batch(&mut self, batch_idx: usize) -> NextBatch<AnySource> {
        let end = self.end();
        self.prefetcher.next_of(batch_idx..end)
    }

    /// Reads the batches of a group, with several threads including this one.
    fn read_group(&mut self, group: Range<usize>) -> VecDeque<Result<RecordBatch>> {
        // Loads the dictionaries once, so that threads do not each read them. An error is ignored here: the batches
        // that need a dictionary return it.
        drop(self.reader().load_dictionaries());
        let n_threads = self.n_threads.min(group.len());
        let batches: Vec<_> = group.map(|batch_idx| self.next_batch(batch_idx)).collect();
        let batches = Mutex::new(batches.into_iter());
        let next = || batches.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            let mut read = Vec::new();
            while let Some(batch) = next() {
                read.push((batch.batch_idx(), read_batch(batch)));
            }
            read
        };
        let mut read: Vec<_> = by_threads(n_threads, work).into_iter().flatten().collect();
        read.sort_unstable_by_key(|(batch_idx, _)| *batch_idx);
        read.into_iter().map(|(_, batch)| batch).collect()
    }
}

fn read_batch(batch: NextBatch<AnySource>) -> Result<RecordBatch> {
    Ok(batch.read().map_err(Failure::from)?.batch)
}

/// What follows the last batch: nothing, or once the error at which a stream ends.
fn end(reader: &Reader, is_ended: &mut bool) -> Option<Result<RecordBatch>> {
    if std::mem::replace(is_ended, true) { None } else { check_end(reader).err().map(Err) }
}

impl Iterator for BatchPrefetch {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        if let Some(batch) = self.ready.pop_front() {
            return Some(batch);
        }
        if self.next >= self.end() {
            let is_ended = self.is_ended || self.stop.is_some();
            self.is_ended = true;
            return if is_ended { None } else { check_end(self.reader()).err().map(Err) };
        }
        let group = self.group();
        self.next = group.end;
        if group.len() == 1 {
            return Some(read_batch(self.next_batch(group.start)));
        }
        self.ready = self.read_group(group);
        self.ready.pop_front()
    }
}

/// Reads all rows of a file with little memory: large batches in parts.
pub(crate) struct PartReader {
    small: FilePrefetcher<AnySource>,
    next: usize,
    parts: Option<BatchParts<AnySource>>,
    is_ended: bool,
}

/// A batch is read in parts of about this length if its body is longer.
const PART_BYTES: u64 = 8 << 20;

impl PartReader {
    pub(crate) fn new(reader: &Reader) -> PartReader {
        let small = reader.prefetcher().with_max_batch_bytes(PART_BYTES);
        PartReader { small, next: 0, parts: None, is_ended: false }
    }

    /// The parts of a large batch; `None` if the batch is small, or has no rows.
    fn parts_of(&self, batch_idx: usize) -> arrow_ipc::Result<Option<BatchParts<AnySource>>> {
        let reader = self.small.reader();
        let block = reader.footer().batches().get(batch_idx);
        if block.is_none_or(|block| block.n_body_bytes() <= PART_BYTES) {
            return Ok(None);
        }
        let parts = reader.parts_of(batch_idx, 0..reader.n_rows_of(batch_idx)?, PART_BYTES)?;
        Ok(Some(parts).filter(|parts| parts.n_rows_left() > 0))
    }
}

impl Iterator for PartReader {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        if let Some(rows) = self.parts.as_mut().and_then(Iterator::next) {
            return Some(rows.map_err(Failure::from));
        }
        let batch_idx = self.next;
        let n_batches = self.small.reader().n_batches();
        if batch_idx >= n_batches {
            return end(self.small.reader(), &mut self.is_ended);
        }
        self.next = batch_idx.saturating_add(1);
        match self.parts_of(batch_idx) {
            Ok(Some(mut parts)) => {
                let first = parts.next();
                self.parts = Some(parts);
                first.map(|rows| rows.map_err(Failure::from))
            }
            Ok(None) => Some(read_batch(self.small.next_of(batch_idx..n_batches))),
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// Whether the selected columns have more than `n_bytes` bytes, and are more than one. All batches are estimated by the
/// columns of the first one. False if its metadata is invalid.
pub(crate) fn is_divided(reader: &Reader, n_bytes: u64) -> bool {
    let lengths = reader.footer().batches().iter().map(|block| block.n_body_bytes());
    let n_all = lengths.clone().sum::<u64>();
    let n_first = lengths.take(1).sum::<u64>();
    let n_of_first = n_bytes / (n_all / n_first.max(1)).max(1);
    let groups = || reader.parts_of(0, 0..reader.n_rows_of(0)?, n_of_first)?.by_columns();
    groups().is_ok_and(|groups| groups.len() > 1)
}
