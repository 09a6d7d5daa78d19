//! The body of a message, as a whole or as fetched ranges; and ranges of bytes in a body.

use arrow_buffer::Buffer;
use arrow_ipc_format::flatbuf as fb;

use crate::{
    error::{IpcError, IpcErrorKind, Result},
    source::PlacedBytes,
};

#[derive(Debug, Clone)]
pub(crate) enum Body {
    Whole(Buffer),
    /// The fetched ranges of the body, sorted by start, then by length. They may overlap. Each buffer lies inside one
    /// range.
    Parts(Vec<PlacedBytes>),
}

impl Body {
    /// Returns the bytes of a range. Copies nothing.
    #[inline]
    pub(crate) fn slice(&self, range: BodyRange) -> Result<Buffer> {
        match self {
            Body::Whole(bytes) => Ok(bytes.try_slice(range.start(), range.n_bytes())?),
            Body::Parts(parts) => slice_of(parts, range),
        }
    }
}

/// Returns the bytes of a range, which must lie inside one part.
fn slice_of(parts: &[PlacedBytes], range: BodyRange) -> Result<Buffer> {
    if range.n_bytes() == 0 {
        return Ok(Buffer::new());
    }
    // The last part that begins at or before the range. If several parts begin at the same position, it is the longest.
    let next = parts.partition_point(|part| part.start <= range.start());
    let missing = || IpcError::internal("a part of the body is needed that was not asked for");
    let part = next.checked_sub(1).and_then(|idx| parts.get(idx)).ok_or_else(missing)?;
    // No overflow: the part begins at or before the range.
    Ok(part.bytes.try_slice(range.start() - part.start, range.n_bytes())?)
}

/// A range of bytes inside the body of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BodyRange {
    start: u64,
    n_bytes: u64,
}

impl BodyRange {
    pub(crate) fn parse(start: i64, n_bytes: i64, body_bytes: u64) -> Result<BodyRange> {
        let outside = IpcErrorKind::BufferOutOfBody { start, n_bytes, body_bytes };
        BodyRange::within(start, n_bytes, body_bytes).ok_or_else(|| outside.into())
    }

    /// The range of the whole body of `n_bytes` bytes.
    ///
    /// # Errors
    /// If `n_bytes` does not fit in 63 bits.
    pub(crate) fn whole(n_bytes: u64) -> Result<BodyRange> {
        BodyRange::parse(0, i64::try_from(n_bytes).unwrap_or(i64::MAX), n_bytes)
    }

    /// Makes the range with this start and length. Returns `None` if it does not lie inside a body of `body_bytes` bytes.
    #[inline]
    pub(crate) fn within(start: i64, n_bytes: i64, body_bytes: u64) -> Option<BodyRange> {
        let (start, n_bytes) = (u64::try_from(start).ok()?, u64::try_from(n_bytes).ok()?);
        let end = start.checked_add(n_bytes)?;
        (end <= body_bytes).then_some(BodyRange { start, n_bytes })
    }

    pub(crate) fn parse_ref(buffer: fb::BufferRef<'_>, body_bytes: u64) -> Result<BodyRange> {
        BodyRange::parse(buffer.offset(), buffer.length(), body_bytes)
    }

    /// The first `n_bytes` bytes of the range.
    pub(crate) fn shortened(&self, n_bytes: u64) -> BodyRange {
        BodyRange { n_bytes: n_bytes.min(self.n_bytes), ..*self }
    }

    /// The range without its first `n_bytes` bytes.
    pub(crate) fn after(&self, n_bytes: u64) -> BodyRange {
        let n_bytes = n_bytes.min(self.n_bytes);
        // No overflow: both positions lie inside the range.
        BodyRange { start: self.start + n_bytes, n_bytes: self.n_bytes - n_bytes }
    }

    /// The range with the same start and `n_times` the length; `None` if it would end after the body.
    pub(crate) fn widened(&self, n_times: u64, body_bytes: u64) -> Option<BodyRange> {
        let n_bytes = self.n_bytes.checked_mul(n_times)?;
        let end = self.start.checked_add(n_bytes).filter(|end| *end <= body_bytes);
        end.map(|_| BodyRange { n_bytes, ..*self })
    }

    /// The position of the first byte, from the start of the body.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The length in bytes; may be 0.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The position after the last byte, from the start of the body.
    pub fn end(&self) -> u64 {
        // No overflow: `parse` has added these numbers.
        self.start + self.n_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_overlap_give_the_bytes_of_each_range() {
        let bytes = Buffer::copy_from(b"abcdefghij");
        let ranges: Vec<BodyRange> = [(0, 2), (0, 6), (0, 6), (1, 3), (4, 1), (4, 6), (9, 1)]
            .map(|(start, n_bytes)| BodyRange::parse(start, n_bytes, 10).unwrap())
            .to_vec();
        let part = |range: &BodyRange| PlacedBytes {
            start: range.start(),
            bytes: bytes.try_slice(range.start(), range.n_bytes()).unwrap(),
        };
        let parts = Body::Parts(ranges.iter().map(part).collect());
        let whole = Body::Whole(bytes.clone());
        for range in ranges {
            assert_eq!(parts.slice(range).unwrap(), whole.slice(range).unwrap(), "{range:?}");
        }
        let empty = BodyRange::parse(10, 0, 10).unwrap();
        assert!(parts.slice(empty).unwrap().is_empty());
    }
}
