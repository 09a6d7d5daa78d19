//! Finds which buffers of a message are empty, and which share a range of the body.

use std::collections::HashMap;

use arrow_ipc::{Result, SharedBuffers, error::Context};
use arrow_ipc_format::{BatchView, BodyRange, Limits};

#[derive(Debug)]
pub(super) struct Entries {
    /// The buffers of the output, in order.
    all: Vec<Entry>,
    /// The ranges of [`Entry::Bytes`], each with the index in the message of the first buffer with this range.
    ranges: Vec<(usize, BodyRange)>,
}

/// What a buffer contains.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    Empty,
    /// The bytes of the range with this index.
    Bytes(usize),
    /// The same range as an earlier buffer, which has this index in the output.
    Repeated(usize),
}

impl Entries {
    /// Reads the list of buffers, without those with an index in `left_out`, which is sorted. With `SharedBuffers::Once`, buffers with the same range stay one buffer. All other
    /// buffers are written separately, so their total length must be bounded by the length of the body.
    ///
    /// # Errors
    /// If a buffer is outside the body. If the total length of the buffers that are written separately is more than
    /// 1,024 times that of the body, or 4 times with `SharedBuffers::Once`.
    pub(super) fn try_new(message: &BatchView, left_out: &[usize], shared: SharedBuffers) -> Result<Entries> {
        let times = match shared {
            SharedBuffers::Repeated => 1024,
            SharedBuffers::Once => 4,
        };
        let retained = (0..message.n_buffers()).filter(|idx| left_out.binary_search(idx).is_err());
        let listed = retained.map(|idx| Ok((idx, message.buffer(idx)?))).collect::<Result<Vec<_>>>()?;
        let mut end = 0;
        let are_apart = listed.iter().filter(|(_, range)| range.n_bytes() > 0).all(|(_, range)| {
            let is_after = range.start() >= end;
            end = range.end();
            is_after
        });
        let mut budget = Limits::body_budget(times, message.envelope().n_body_bytes());
        let mut earlier = HashMap::new();
        let mut all = Vec::with_capacity(listed.len());
        let mut ranges = Vec::with_capacity(listed.len());
        for (idx, range) in listed {
            if range.n_bytes() == 0 {
                all.push(Entry::Empty);
                continue;
            }
            if !are_apart && shared == SharedBuffers::Once {
                let written_idx = all.len();
                let first = *earlier.entry((range.start(), range.n_bytes())).or_insert(written_idx);
                if first != written_idx {
                    all.push(Entry::Repeated(first));
                    continue;
                }
            }
            budget.spend("bytes of buffers that overlap", range.n_bytes()).in_buffer(idx, None)?;
            all.push(Entry::Bytes(ranges.len()));
            ranges.push((idx, range));
        }
        Ok(Entries { all, ranges })
    }

    /// The range with this index; an empty range if there is none.
    pub(super) fn range(&self, idx: usize) -> BodyRange {
        self.ranges.get(idx).map(|(_, range)| *range).unwrap_or_default()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Entry> {
        self.all.iter().copied()
    }

    /// The ranges that are not empty, each with the index in the message of the first buffer with this range.
    pub(super) fn ranges(&self) -> &[(usize, BodyRange)] {
        &self.ranges
    }
}
