//! Which bytes a walk over the messages of a stream requests for their metadata: here, the prefix and the metadata.

use std::{iter, ops::Range};

use crate::source::FetchCost;
use arrow_ipc_format::{PREFIX_BYTES, length_of};

/// The least number of bytes that are requested for the prefix and the metadata of a message: 4 KiB. Most messages have
/// shorter ones.
pub const METADATA_REQUEST_BYTES: u64 = 4 << 10;

/// The most bytes that are requested for metadata whose length is unknown.
const MAX_METADATA_BYTES: u64 = 64 << 10;

/// The most bytes that are read through in one request.
const MAX_WINDOW_BYTES: u64 = 4 << 20;

/// The most messages whose metadata is requested at once, at positions where it probably is.
const MAX_PREDICTED: u64 = 64;

/// Decides which bytes to request for the metadata of the next messages: bytes with several messages if these are short,
/// and otherwise the next metadata alone. If messages have the same length, and requests run in parallel, also later
/// metadata.
#[derive(Debug, Clone)]
pub struct MetadataWindows {
    /// The end of the messages.
    end: u64,
    /// The length of a message that costs as much to read as to skip.
    n_bytes_per_request: u64,
    max_predicted: u64,
    n_predicted: u64,
    /// The lengths of the last two messages.
    last: [u64; 2],
    /// Where the next message begins.
    position: u64,
    /// The length of the longest metadata so far, rounded up.
    n_metadata_bytes: u64,
}

impl MetadataWindows {
    /// Windows for messages that end at `end`, or before.
    pub fn new(cost: &FetchCost, end: u64) -> MetadataWindows {
        let max_predicted = match cost.small_requests_in_flight() {
            1 => 0,
            n_requests => u64::from(n_requests).min(MAX_PREDICTED),
        };
        MetadataWindows {
            end,
            n_bytes_per_request: cost.n_bytes_per_request(),
            max_predicted,
            n_predicted: 0,
            last: [0, 0],
            position: 0,
            n_metadata_bytes: METADATA_REQUEST_BYTES,
        }
    }

    /// The ranges to request for a range of the next metadata that is missing. The first contains it; the others are
    /// where later metadata probably is.
    pub fn requests(&mut self, missing: Range<u64>) -> impl Iterator<Item = Range<u64>> + use<> {
        // Metadata after a prefix that is there: later metadata has been requested with the prefix.
        let is_after_prefix = (1..=PREFIX_BYTES).contains(&missing.start.saturating_sub(self.position));
        let n_later = if is_after_prefix { 0 } else { self.predict() };
        let n_window_bytes = self.n_window_bytes();
        let n_later = if n_window_bytes <= self.n_metadata_bytes { n_later } else { 0 };
        let (end, n_message_bytes) = (self.end, self.last[1]);
        let window = move |start: u64| start..start.saturating_add(n_window_bytes).min(end);
        let later =
            (1..=n_later).map(move |n| missing.start.saturating_add(n_message_bytes.saturating_mul(n)));
        let first = window(missing.start);
        let first = first.start..first.end.max(missing.end);
        iter::once(first).chain(later.take_while(move |start| *start < end).map(window))
    }

    /// The number of later messages whose positions are predicted: twice as many each time, while messages have the
    /// same length.
    fn predict(&mut self) -> u64 {
        let [before, last] = self.last;
        let is_regular = before == last && last > self.n_metadata_bytes;
        self.n_predicted = match self.n_predicted {
            _ if !is_regular => 0,
            0 => 2.min(self.max_predicted),
            n_predicted => n_predicted.saturating_mul(2).min(self.max_predicted),
        };
        self.n_predicted
    }

    fn n_window_bytes(&self) -> u64 {
        let n_bytes_to_skip = self.n_bytes_per_request / self.n_predicted.saturating_add(1);
        match self.last {
            // The schema message alone, or nothing, says little about the lengths of the others.
            [0, _] => self.n_bytes_per_request.clamp(self.n_metadata_bytes, MAX_METADATA_BYTES),
            [_, last] if last <= n_bytes_to_skip => {
                let n_bytes = self.n_bytes_per_request.saturating_mul(16);
                n_bytes.clamp(self.n_metadata_bytes, MAX_WINDOW_BYTES)
            }
            [_, _] => self.n_metadata_bytes,
        }
    }

    /// The walk has passed a message, whose body begins at this position.
    pub fn passed(&mut self, message: Range<u64>, body_position: u64) {
        let n_metadata_bytes = body_position.saturating_sub(message.start);
        let n_metadata_bytes =
            n_metadata_bytes.checked_next_multiple_of(METADATA_REQUEST_BYTES).unwrap_or(n_metadata_bytes);
        self.n_metadata_bytes = self.n_metadata_bytes.max(n_metadata_bytes).min(MAX_METADATA_BYTES);
        self.last = [self.last[1], length_of(&message)];
        self.position = message.end;
    }
}
