//! Reads the batches of a file with several threads. Each thread prefetches in its part of the file.

use std::ops::Range;

use arrow_data::RecordBatch;
use rayon::iter::{
    IndexedParallelIterator, ParallelIterator,
    plumbing::{Consumer, Producer, ProducerCallback, UnindexedConsumer, bridge},
};

use super::{
    batches::{Batches, n_items},
    reader::FileReader,
};
use crate::{error::Result, source::Source, threads::ensure_pool};

pub(super) struct ParBatches<S> {
    pub(super) reader: FileReader<S>,
}

impl<S: Source> ParallelIterator for ParBatches<S> {
    type Item = Result<RecordBatch>;

    fn drive_unindexed<C: UnindexedConsumer<Self::Item>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(n_items(&self.reader))
    }
}

impl<S: Source> IndexedParallelIterator for ParBatches<S> {
    fn len(&self) -> usize {
        n_items(&self.reader)
    }

    fn drive<C: Consumer<Self::Item>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<Self::Item>>(self, callback: CB) -> CB::Output {
        let ParBatches { reader } = self;
        ensure_pool();
        let n_threads = rayon::current_num_threads().max(1) as u64;
        let max_bytes = reader.decoder().options().prefetch_bytes() / n_threads;
        let n_bytes = reader.footer().batch_blocks().n_message_bytes().max(1);
        // If a thread had fewer batches than it could fetch together, it could not use all bytes that it may prefetch.
        let n_together = u128::from(max_bytes) * reader.n_batches() as u128 / u128::from(n_bytes);
        let min_batches = usize::try_from(n_together).unwrap_or(usize::MAX).max(1);
        let range = 0..n_items(&reader);
        callback.callback(ConsecutiveBatches { range, reader, max_bytes, min_batches })
    }
}

/// Consecutive batches for one thread. They may be split for two threads.
struct ConsecutiveBatches<S> {
    reader: FileReader<S>,
    range: Range<usize>,
    /// The number of bytes to prefetch.
    max_bytes: u64,
    /// The minimum number of batches for one thread.
    min_batches: usize,
}

impl<S: Source> Producer for ConsecutiveBatches<S> {
    type Item = Result<RecordBatch>;
    type IntoIter = Batches<S>;

    fn into_iter(self) -> Batches<S> {
        Batches::for_range(self.reader, self.range, self.max_bytes)
    }

    fn min_len(&self) -> usize {
        self.min_batches
    }

    fn split_at(self, n_first: usize) -> (ConsecutiveBatches<S>, ConsecutiveBatches<S>) {
        let middle = self.range.start + n_first.min(self.range.len());
        let first =
            ConsecutiveBatches { reader: self.reader.clone(), range: self.range.start..middle, ..self };
        let second = ConsecutiveBatches { range: middle..self.range.end, ..self };
        (first, second)
    }
}
