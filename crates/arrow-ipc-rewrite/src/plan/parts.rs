//! Divides a range into parts for a multipart upload.

use std::{iter::FusedIterator, ops::Range};

/// Iterates over byte ranges of a minimum length. [`Plan::parts`](crate::plan::Plan::parts) returns this iterator.
#[derive(Debug, Clone)]
pub struct PlanParts {
    position: u64,
    n_bytes: u64,
    n_part_bytes: u64,
}

impl PlanParts {
    /// Divides `n_bytes` bytes. 0 counts as 1 for `alignment` and for `min_bytes`.
    pub(super) fn new(n_bytes: u64, min_bytes: u64, alignment: u64) -> PlanParts {
        // If the multiple does not fit into a `u64`, one part has all bytes.
        let n_part_bytes = min_bytes.max(1).checked_next_multiple_of(alignment.max(1)).unwrap_or(u64::MAX);
        PlanParts { position: 0, n_bytes, n_part_bytes }
    }
}

impl Iterator for PlanParts {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        let start = self.position;
        self.position = start.saturating_add(self.n_part_bytes).min(self.n_bytes);
        (start < self.position).then_some(start..self.position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n_left = self.n_bytes.saturating_sub(self.position).div_ceil(self.n_part_bytes);
        let n_left = usize::try_from(n_left).ok();
        (n_left.unwrap_or(usize::MAX), n_left)
    }
}

impl FusedIterator for PlanParts {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_aligned_and_large_enough() {
        let cases: [(u64, u64, u64, &[u64]); 7] = [
            (0, 1, 1, &[]),
            (10, 3, 1, &[3, 6, 9, 10]),
            (10, 3, 4, &[4, 8, 10]),
            (9, 3, 0, &[3, 6, 9]),
            (2, 0, 0, &[1, 2]),
            (10, 64, 64, &[10]),
            (10, u64::MAX, 64, &[10]),
        ];
        for (n_bytes, min_bytes, alignment, ends) in cases {
            let parts = PlanParts::new(n_bytes, min_bytes, alignment);
            assert_eq!(parts.size_hint(), (ends.len(), Some(ends.len())));
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let expected: Vec<Range<u64>> = starts.zip(ends).map(|(start, end)| start..*end).collect();
            assert_eq!(parts.collect::<Vec<_>>(), expected);
        }
    }
}
