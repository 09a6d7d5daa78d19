//! The body of a message: whole, or only the parts of it that were fetched.

use arrow_buffer::Buffer;

use crate::{
    error::{IpcError, Result},
    message::BodyRange,
};

/// Where buffers are taken from.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    Whole(Buffer),
    Parts(Vec<Part>),
}

/// Some bytes of a body, and where in it they begin.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) start: u64,
    pub(crate) bytes: Buffer,
}

impl Body {
    /// Shares the bytes of a range. Parts are in order and do not overlap.
    #[inline]
    pub(crate) fn slice(&self, range: BodyRange) -> Result<Buffer> {
        match self {
            Body::Whole(bytes) => Ok(bytes.try_slice(range.start(), range.n_bytes())?),
            Body::Parts(parts) => {
                if range.n_bytes() == 0 {
                    return Ok(Buffer::new());
                }
                let next = parts.partition_point(|part| part.start <= range.start());
                let part = next.checked_sub(1).and_then(|idx| parts.get(idx));
                let part = part.ok_or_else(|| {
                    IpcError::internal("a part of the body is needed that was not asked for")
                })?;
                Ok(part.bytes.try_slice(range.start().saturating_sub(part.start), range.n_bytes())?)
            }
        }
    }
}
