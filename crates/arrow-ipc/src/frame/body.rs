//! The body of a message, as a whole or as fetched ranges; and ranges of bytes in a body.

use arrow_buffer::Buffer;
use arrow_ipc_format::BodyRange;

use crate::error::Result;
#[cfg(feature = "file")]
use crate::{error::IpcError, source::LocatedBytes};

#[derive(Debug, Clone)]
pub(crate) enum Body {
    Whole(Buffer),
    #[cfg(feature = "file")]
    /// The fetched ranges of the body, sorted by start, then by length. They may overlap. Each buffer lies inside one
    /// range.
    Parts(Vec<LocatedBytes>),
}

impl Body {
    /// Returns the bytes of a range. Copies nothing.
    #[inline]
    pub(crate) fn slice(&self, range: BodyRange) -> Result<Buffer> {
        match self {
            Body::Whole(bytes) => Ok(bytes.try_slice(range.start(), range.n_bytes())?),
            #[cfg(feature = "file")]
            Body::Parts(parts) => slice_of_parts(parts, range),
        }
    }
}

/// Returns the bytes of a range, which must lie inside one part.
#[cfg(feature = "file")]
fn slice_of_parts(parts: &[LocatedBytes], range: BodyRange) -> Result<Buffer> {
    if range.n_bytes() == 0 {
        return Ok(Buffer::new());
    }
    // The last part that begins at or before the range. If several parts begin at the same position, it is the longest.
    let next = parts.partition_point(|part| part.start <= range.start());
    let missing = || IpcError::internal("a part of the body was not requested");
    let part = next.checked_sub(1).and_then(|idx| parts.get(idx)).ok_or_else(missing)?;
    // No overflow: the part begins at or before the range.
    Ok(part.bytes.try_slice(range.start() - part.start, range.n_bytes())?)
}

#[cfg(all(test, feature = "file"))]
mod tests {
    use super::*;

    #[test]
    fn parts_that_overlap_give_the_bytes_of_each_range() {
        let bytes = Buffer::copy_from(b"abcdefghij");
        let ranges: Vec<BodyRange> = [(0, 2), (0, 6), (0, 6), (1, 3), (4, 1), (4, 6), (9, 1)]
            .map(|(start, n_bytes)| BodyRange::parse(start, n_bytes, 10).unwrap())
            .to_vec();
        let part = |range: &BodyRange| LocatedBytes {
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
