//! Makes the requests of a [`ReadAhead`], and awaits their answers.

use std::task::{Context, Poll, ready};

use arrow_ipc::{
    BatchWithMetadata, ErrorClass, IpcError, IpcErrorKind, Result,
    file::{FetchedBatch, ReadAhead},
};

use super::reader::AsyncFileReader;
use crate::{
    requests::{Answered, Requests, cost_of},
    source::AsyncSource,
};

/// The batches of a file, with the requests for batches that are read ahead.
pub(super) struct AsyncAhead<S> {
    reader: AsyncFileReader<S>,
    ahead: ReadAhead,
    requests: Requests,
}

impl<S: AsyncSource + 'static> AsyncAhead<S> {
    pub(super) fn new(reader: AsyncFileReader<S>) -> AsyncAhead<S> {
        let decoder = reader.decoder();
        let ahead = decoder.read_ahead(0..decoder.n_batches());
        AsyncAhead { ahead, requests: Requests::new(cost_of(decoder.options())), reader }
    }

    /// The number of batches that have not been returned.
    pub(super) fn n_left(&self) -> usize {
        self.ahead.n_left()
    }

    /// The batch that `take` returns, with its position in the file. `take` may return `None` until more bytes have
    /// been fetched; this method then waits.
    pub(super) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        take: impl Fn(&mut ReadAhead) -> Option<FetchedBatch>,
    ) -> Poll<Option<(usize, Result<BatchWithMetadata>)>> {
        loop {
            let has_failed = !self.start();
            if let Some(fetched) = take(&mut self.ahead) {
                let batch_idx = fetched.batch_idx();
                let read = fetched.decode();
                if self.may_have_lacked_memory(&read) && self.ahead.put_back(batch_idx) {
                    self.requests.clear();
                    continue;
                }
                // The next batches are requested while the caller uses this one, unless there may not be enough memory
                // for both.
                if !self.ahead.is_reading_alone() {
                    // If this fails, the next call tries again.
                    self.start();
                    self.requests.poll(context);
                }
                return Poll::Ready(Some((batch_idx, read)));
            }
            match ready!(self.requests.poll_next(context)) {
                Some(answered) => self.provide(answered),
                None if self.n_left() == 0 => return Poll::Ready(None),
                None if has_failed => {}
                None => {
                    let what = "batches that are read ahead wait, and nothing is under way";
                    self.fail(IpcErrorKind::Internal { what });
                }
            }
        }
    }

    /// Starts requests until a bound is reached. Returns `false` if there is no memory for a request; the reading of
    /// batches ahead then starts again.
    fn start(&mut self) -> bool {
        while let Some(range) = self.ahead.next_request(|range| self.requests.has_room_for(range)) {
            let budget = self.reader.decoder().options().memory_budget();
            if let Err(error) = self.requests.start(self.reader.source(), range, budget) {
                // There may be enough memory after the caller has dropped the last batch.
                self.fail(error);
                return false;
            }
        }
        true
    }

    fn provide(&mut self, answered: Answered) {
        let Answered { range, bytes } = answered;
        let (start, end) = (range.start, range.end);
        let provided = match bytes {
            Ok(bytes) => self.ahead.provide(range, bytes),
            Err(error) => Err(IpcErrorKind::Fetch { start, end, error }.into()),
        };
        if let Err(error) = provided {
            self.fail(error);
        }
    }

    fn fail(&mut self, error: impl Into<IpcError>) {
        self.requests.clear();
        self.ahead.fail(error);
    }

    /// Whether reading this batch may have failed because batches that are read ahead use up the memory budget.
    fn may_have_lacked_memory(&self, read: &Result<BatchWithMetadata>) -> bool {
        let has_budget = self.reader.decoder().options().memory_budget().is_some();
        has_budget
            && matches!(read, Err(error) if [ErrorClass::LimitExceeded, ErrorClass::OutOfMemory].contains(&error.class()))
    }
}
