//! Reads several batches of a file at the same time: decides which are begun, and what is requested for them when.

use std::{
    collections::VecDeque,
    io, mem,
    ops::Range,
    task::{Context, Poll, ready},
};

use arrow_ipc::{BatchWithMetadata, ErrorClass, Result};

use super::{
    begun::{Begun, RequestedPart},
    reader::AsyncFileReader,
};
use crate::{
    answer::n_bytes_of,
    requests::{Answered, Requests},
    source::AsyncSource,
};

/// The batches of a file, some of them under way.
pub(super) struct Ahead<S> {
    pub(super) reader: AsyncFileReader<S>,
    /// Batches that were begun and could not be completed. They come before all batches that have not been begun.
    again: VecDeque<usize>,
    rest: Range<usize>,
    /// The begun batches, in the order of the file.
    pub(super) begun: VecDeque<Begun>,
    pub(super) requests: Requests<Vec<RequestedPart>>,
    /// Whether batches are begun now. They are until a bound is reached, and then again when there is room for a whole
    /// request, so that neighbours can be requested together.
    is_filling: bool,
    /// Whether the next batch is read alone: with the dictionaries that all batches need, or because there was not
    /// enough memory for more.
    is_alone: bool,
}

/// The order in which batches are returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BatchOrder {
    OfTheFile,
    AsTheyCome,
}

/// The most batches that wait for one request together.
const MAX_BATCHES_PER_REQUEST: usize = 16;

impl<S: AsyncSource + 'static> Ahead<S> {
    pub(super) fn new(reader: AsyncFileReader<S>) -> Ahead<S> {
        Ahead {
            again: VecDeque::new(),
            rest: 0..reader.n_batches(),
            begun: VecDeque::new(),
            requests: Requests::new(reader.cost()),
            is_filling: true,
            is_alone: !reader.has_dictionaries(),
            reader,
        }
    }

    /// The next batch, and its place in the file.
    pub(super) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        order: BatchOrder,
    ) -> Poll<Option<(usize, Result<BatchWithMetadata>)>> {
        loop {
            self.go_on();
            if let Some(next) = self.take(order) {
                // What comes after it is on its way while it is used.
                self.go_on();
                self.requests.poll(context);
                return Poll::Ready(Some(next));
            }
            match ready!(self.requests.poll_next(context)) {
                Some(answered) => self.provide(answered),
                None if self.n_left() == 0 => return Poll::Ready(None),
                // Some were put back, and are begun again.
                None => {}
            }
        }
    }

    /// Begins batches and requests as far as the bounds allow.
    fn go_on(&mut self) {
        let has_places = self.begun.len().saturating_add(MAX_BATCHES_PER_REQUEST) <= self.max_begun();
        let n_bytes = self.held_bytes().saturating_add(self.max_group_bytes());
        self.is_filling |= has_places && n_bytes <= self.max_bytes();
        loop {
            let group = self.next_group();
            // What the next batch needs may lie beside what is waiting.
            if group.as_ref().is_none_or(|group| group.is_open) && self.may_begin() {
                self.begin();
            } else if !group.is_some_and(|group| self.start(group)) {
                return;
            }
        }
    }

    fn may_begin(&mut self) -> bool {
        if self.n_upcoming() == 0 || self.begun.is_empty() {
            return self.n_upcoming() > 0;
        }
        if self.is_alone || !self.requests.has_room_for(&(0..0)) {
            return false;
        }
        let waiting_bytes = self.begun.iter().flat_map(Begun::waiting).map(n_bytes_of).sum::<u64>();
        let n_bytes = self.held_bytes().saturating_add(waiting_bytes);
        self.is_filling &= self.begun.len() < self.max_begun() && n_bytes < self.max_bytes();
        self.is_filling
    }

    fn begin(&mut self) {
        if let Some(batch_idx) = self.again.pop_front().or_else(|| self.rest.next()) {
            let begun = Begun::new(self.reader.decoder(), batch_idx);
            self.begun.push_back(if self.is_alone { begun.alone() } else { begun });
        }
    }

    fn max_begun(&self) -> usize {
        if self.reader.is_in_memory() {
            return 1;
        }
        let n_small = usize::try_from(self.reader.cost().small_requests_in_flight()).unwrap_or(usize::MAX);
        self.reader.max_requests().saturating_mul(MAX_BATCHES_PER_REQUEST).max(n_small)
    }

    pub(super) fn max_bytes(&self) -> u64 {
        self.reader.decoder().options().read_ahead_bytes()
    }

    /// The bytes of requests that are under way, and of batches that have not been returned.
    pub(super) fn held_bytes(&self) -> u64 {
        self.begun.iter().fold(self.requests.n_bytes(), |sum, begun| sum.saturating_add(begun.held_bytes()))
    }

    fn n_upcoming(&self) -> usize {
        self.again.len().saturating_add(self.rest.len())
    }

    /// The number of batches that have not been returned.
    pub(super) fn n_left(&self) -> usize {
        self.n_upcoming().saturating_add(self.begun.len())
    }

    /// Passes the bytes of a request, or its error, to its batches.
    fn provide(&mut self, answered: Answered<Vec<RequestedPart>>) {
        let Answered { range, what_for, mut bytes } = answered;
        for part in what_for {
            let batch_idx = part.batch_idx;
            let Some(begun) = self.begun.iter_mut().find(|begun| begun.batch_idx() == batch_idx) else {
                continue;
            };
            match &mut bytes {
                Ok(bytes) => {
                    let n_before = part.range.start.saturating_sub(range.start);
                    match bytes.try_slice(n_before, n_bytes_of(&part.range)) {
                        Ok(bytes) => begun.provide(part, bytes),
                        Err(error) => begun.fail(error),
                    }
                }
                Err(error) => {
                    // The first keeps the cause as it is, the others its text.
                    let copy = io::Error::new(error.kind(), error.to_string());
                    begun.fail_to_fetch(range.clone(), mem::replace(error, copy));
                }
            }
        }
    }

    fn take(&mut self, order: BatchOrder) -> Option<(usize, Result<BatchWithMetadata>)> {
        let next = match order {
            BatchOrder::OfTheFile => 0,
            BatchOrder::AsTheyCome => self.begun.iter().position(Begun::is_fetched)?,
        };
        self.begun.get(next).filter(|begun| begun.is_fetched())?;
        let begun = self.begun.remove(next)?;
        let (batch_idx, is_alone) = (begun.batch_idx(), begun.is_alone());
        let read = begun.decode()?;
        if !is_alone && self.may_have_lacked_memory(&read) {
            self.put_back(batch_idx);
            return None;
        }
        if is_alone {
            self.is_alone = !self.reader.has_dictionaries();
        }
        Some((batch_idx, read))
    }

    /// Whether batches that were read ahead may have taken the memory that this batch needed.
    fn may_have_lacked_memory(&self, read: &Result<BatchWithMetadata>) -> bool {
        let has_budget = self.reader.decoder().options().memory_budget().is_some();
        has_budget
            && matches!(read, Err(error) if [ErrorClass::LimitExceeded, ErrorClass::OutOfMemory].contains(&error.class()))
    }

    /// Drops everything that was read ahead, with its memory. This batch is read again alone, and then the others.
    fn put_back(&mut self, batch_idx: usize) {
        self.requests.clear();
        let others: Vec<usize> = self.begun.drain(..).map(|begun| begun.batch_idx()).collect();
        others.into_iter().rev().for_each(|batch_idx| self.again.push_front(batch_idx));
        self.again.push_front(batch_idx);
        self.is_alone = true;
    }
}
