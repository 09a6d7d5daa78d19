//! Makes the requests that a [`BatchPrefetcher`] needs, and passes the answers to it.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use arrow_ipc::{
    BatchWithMetadata, ErrorClass, IpcError, IpcErrorKind, Result,
    file::{BatchPrefetcher, FetchedBatch, StreamEnd},
};

use super::reader::AsyncFileReader;
use crate::{
    requests::{RequestResult, Requests, cost_of},
    source::AsyncSource,
};

/// Reads the batches of a file, and prefetches later batches.
pub(super) struct AsyncPrefetcher<S> {
    reader: AsyncFileReader<S>,
    prefetch: BatchPrefetcher,
    requests: Requests,
    /// Returns the error of the message at which a stream ends; `None` if there is no error, or it was returned.
    end: Option<Pin<Box<dyn Future<Output = Result<()>> + Send>>>,
}

impl<S: AsyncSource + 'static> AsyncPrefetcher<S> {
    pub(super) fn new(reader: AsyncFileReader<S>, prefetch: BatchPrefetcher) -> AsyncPrefetcher<S> {
        let requests = Requests::new(cost_of(reader.decoder().options()));
        AsyncPrefetcher { prefetch, requests, end: None, reader }
    }

    /// Also returns the error at which the input ends, if it is a stream.
    pub(super) fn with_end(self) -> AsyncPrefetcher<S> {
        if self.reader.stream_end() != Some(StreamEnd::Incomplete) {
            return self;
        }
        let reader = self.reader.clone();
        AsyncPrefetcher { end: Some(Box::pin(async move { reader.check_end().await })), ..self }
    }

    /// The number of batches that have not been returned, and one for the error at which a stream ends.
    pub(super) fn n_left(&self) -> usize {
        // No overflow: each batch takes memory.
        self.prefetch.n_left() + usize::from(self.end.is_some())
    }

    /// Returns the error at which a stream ends.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<Option<(usize, Result<BatchWithMetadata>)>> {
        let Some(end) = &mut self.end else { return Poll::Ready(None) };
        let checked = ready!(end.as_mut().poll(context));
        self.end = None;
        Poll::Ready(checked.err().map(|error| (self.reader.n_batches(), Err(error))))
    }

    /// Returns the next batch and its index. `take` returns a batch that is complete, or `None`; this method then waits
    /// for more bytes.
    pub(super) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        take: impl Fn(&mut BatchPrefetcher) -> Option<FetchedBatch>,
    ) -> Poll<Option<(usize, Result<BatchWithMetadata>)>> {
        loop {
            let has_failed = !self.start();
            if let Some(fetched) = take(&mut self.prefetch) {
                let batch_idx = fetched.batch_idx();
                let read = fetched.decode();
                if self.may_have_lacked_memory(&read) && self.prefetch.put_back(batch_idx) {
                    self.requests.clear();
                    continue;
                }
                // Requests the next batches while the caller uses this one, unless memory may be too short for both.
                if !self.prefetch.is_reading_alone() {
                    // If this fails, the next call tries again.
                    self.start();
                    self.requests.poll(context);
                }
                return Poll::Ready(Some((batch_idx, read)));
            }
            match ready!(self.requests.poll_next(context)) {
                Some(result) => self.provide(result),
                None if self.prefetch.n_left() == 0 => return self.poll_end(context),
                None if has_failed => {}
                None => {
                    self.fail(IpcError::internal("batches wait, and no request is in flight"));
                }
            }
        }
    }

    /// Starts as many requests as the fetch cost and the limits of prefetching allow. Returns `false` if there is no
    /// memory for a request. Prefetching then starts again.
    fn start(&mut self) -> bool {
        if self.prefetch.n_requests() == 0 {
            // Nothing waits for these, and their bytes would take memory that the next batch needs.
            self.requests.clear();
        }
        while let Some(range) = self.prefetch.next_request(|range| self.requests.has_capacity_for(range)) {
            let budget = self.reader.decoder().options().memory_budget();
            if let Err(error) = self.requests.start(self.reader.source(), range, budget) {
                // Memory may be free after the caller has dropped the last batch.
                self.fail(error);
                return false;
            }
        }
        true
    }

    fn provide(&mut self, result: RequestResult) {
        let RequestResult { range, bytes } = result;
        let (start, end) = (range.start, range.end);
        let provided = match bytes {
            Ok(bytes) => self.prefetch.provide(range, bytes),
            Err(error) => Err(IpcErrorKind::Fetch { start, end, error }.into()),
        };
        if let Err(error) = provided {
            self.fail(error);
        }
    }

    fn fail(&mut self, error: impl Into<IpcError>) {
        self.requests.clear();
        self.prefetch.fail(error);
    }

    /// Whether the batch may have failed only because prefetched batches use up the memory budget.
    fn may_have_lacked_memory(&self, read: &Result<BatchWithMetadata>) -> bool {
        let has_budget = self.reader.decoder().options().memory_budget().is_some();
        has_budget
            && matches!(read, Err(error) if [ErrorClass::LimitExceeded, ErrorClass::OutOfMemory].contains(&error.class()))
    }
}
