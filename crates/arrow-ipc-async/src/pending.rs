//! Encoded messages that have to be written.

use std::{io::IoSlice, mem};

use arrow_ipc::{OwnedEncoded, segment::Segment};

/// Encoded messages, and how many of their bytes have been written.
#[derive(Debug, Default)]
pub(crate) struct PendingMessages {
    encoded: OwnedEncoded,
    /// The index of the next segment to write. The first `n_written` bytes of this segment are written.
    segment_idx: usize,
    n_written: usize,
}

impl PendingMessages {
    pub(crate) fn new(encoded: OwnedEncoded) -> PendingMessages {
        PendingMessages { encoded, segment_idx: 0, n_written: 0 }
    }

    /// The next bytes to write, in at most `slices.len()` slices.
    pub(crate) fn next_slices<'a, 'b>(&'a self, slices: &'b mut [IoSlice<'a>]) -> &'b [IoSlice<'a>] {
        let mut n_before = self.n_written;
        let segments = self.encoded.segments().skip(self.segment_idx);
        let bytes = segments.flat_map(|segment| after(segment, mem::take(&mut n_before)).slices(usize::MAX));
        let mut n_slices = 0;
        for (target, slice) in slices.iter_mut().zip(bytes) {
            *target = IoSlice::new(slice);
            n_slices += 1;
        }
        &slices[..n_slices]
    }

    /// Records that the sink has accepted `n_bytes` more bytes.
    pub(crate) fn advance(&mut self, n_bytes: usize) {
        let mut n_written = self.n_written.saturating_add(n_bytes);
        let mut segment_idx = self.segment_idx;
        for segment in self.encoded.segments().skip(self.segment_idx) {
            match n_written.checked_sub(segment.n_bytes()) {
                Some(n_left) => n_written = n_left,
                None => break,
            }
            segment_idx = segment_idx.saturating_add(1);
        }
        self.segment_idx = segment_idx;
        self.n_written = n_written;
    }

    /// The number of bytes that are not written yet.
    pub(crate) fn n_bytes(&self) -> u64 {
        let segments = self.encoded.segments().skip(self.segment_idx);
        let n_bytes = segments.fold(0, |sum: u64, segment| sum.saturating_add(segment.n_bytes() as u64));
        n_bytes.saturating_sub(self.n_written as u64)
    }
}

/// The segment without its first `n_bytes` bytes.
fn after(segment: Segment<'_>, n_bytes: usize) -> Segment<'_> {
    match segment {
        Segment::Gathered(bytes) => Segment::Gathered(bytes.get(n_bytes..).unwrap_or_default()),
        Segment::Data(buffer) => Segment::Gathered(buffer.get(n_bytes..).unwrap_or_default()),
        Segment::Zeros(n_zeros) => Segment::Zeros(n_zeros.saturating_sub(n_bytes)),
    }
}
