//! Counts the bytes of a body outside of all buffers, and the bytes that buffers share.

use arrow_ipc::BodyRange;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Padding {
    /// The number of bytes from the end of the buffer to the next buffer, or to the end of the body.
    pub(super) n_after: u64,
    /// The number of bytes that the buffer shares with the buffers before it.
    pub(super) n_shared: u64,
}

/// The padding of each buffer. Each byte of the body is before the first buffer, in a buffer, or in the padding of a
/// buffer.
pub(super) fn paddings(ranges: &[BodyRange], n_body_bytes: u64) -> Vec<Padding> {
    let span = |range: &BodyRange| (range.start(), range.start().saturating_add(range.n_bytes()));
    // Nearly all messages have their buffers in order, so this sort is fast.
    let mut spans: Vec<_> = ranges.iter().map(span).zip(0usize..).collect();
    spans.sort_unstable();
    let mut paddings = vec![Padding::default(); ranges.len()];
    let mut covered = 0u64;
    let mut last = None;
    let mut pad = |idx: Option<usize>, n_after: u64| {
        if let Some(padding) = idx.and_then(|idx| paddings.get_mut(idx)) {
            padding.n_after = padding.n_after.saturating_add(n_after);
        }
    };
    let mut shared = Vec::new();
    for ((start, end), idx) in spans {
        pad(last, start.saturating_sub(covered));
        if start < covered {
            shared.push((idx, covered.min(end).saturating_sub(start)));
        }
        covered = covered.max(end);
        last = Some(idx);
    }
    pad(last, n_body_bytes.saturating_sub(covered));
    for (idx, n_shared) in shared {
        if let Some(padding) = paddings.get_mut(idx) {
            padding.n_shared = n_shared;
        }
    }
    paddings
}
