//! The body of a message, as a whole or as fetched ranges; and ranges of bytes in a body.

#[cfg(feature = "file")]
mod parts;

use arrow_buffer::Buffer;
use arrow_ipc_format::BodyRange;

use crate::error::Result;
#[cfg(feature = "file")]
use crate::source::LocatedBytes;

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
            Body::Parts(parts) => parts::slice_of(parts, range),
        }
    }
}
