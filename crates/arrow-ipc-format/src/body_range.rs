//! Ranges of bytes in the body of a message.

use arrow_buffer::Buffer;

use crate::{
    error::{FormatErrorKind, Result},
    limits::Limits,
    tables as fb,
};

/// A range of bytes inside the body of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BodyRange {
    start: u64,
    n_bytes: u64,
}

impl BodyRange {
    /// The range with this start and length.
    ///
    /// # Errors
    /// If it is not inside a body of `body_bytes` bytes.
    pub fn parse(start: i64, n_bytes: i64, body_bytes: u64) -> Result<BodyRange> {
        let outside = FormatErrorKind::BufferOutOfBody { start, n_bytes, body_bytes };
        BodyRange::within(start, n_bytes, body_bytes).ok_or_else(|| outside.into())
    }

    /// The range of the whole body of `n_bytes` bytes.
    ///
    /// # Errors
    /// If `n_bytes` does not fit in 63 bits.
    pub fn whole(n_bytes: u64) -> Result<BodyRange> {
        BodyRange::parse(0, Limits::fit("bytes of body", n_bytes, Limits::MAX_I64)?, n_bytes)
    }

    /// Returns the bytes that were fetched of this range.
    ///
    /// # Errors
    /// If they have another length.
    pub fn exactly(&self, bytes: Buffer) -> Result<Buffer> {
        let available = bytes.len() as u64;
        if self.n_bytes == available {
            return Ok(bytes);
        }
        Err(FormatErrorKind::Truncated { what: "range of a body", needed: self.n_bytes, available }.into())
    }

    /// Makes the range with this start and length. Returns `None` if it does not lie inside a body of `body_bytes` bytes.
    #[inline]
    pub fn within(start: i64, n_bytes: i64, body_bytes: u64) -> Option<BodyRange> {
        let start = u64::try_from(start).ok()?;
        let n_bytes = u64::try_from(n_bytes).ok()?;
        let end = start.checked_add(n_bytes)?;
        (end <= body_bytes).then_some(BodyRange { start, n_bytes })
    }

    /// The range that a buffer of a flatbuffer states.
    ///
    /// # Errors
    /// If it is not inside a body of `body_bytes` bytes.
    pub fn parse_buffer(buffer: fb::Buffer, body_bytes: u64) -> Result<BodyRange> {
        BodyRange::parse(buffer.offset, buffer.length, body_bytes)
    }

    /// The first `n_bytes` bytes of the range.
    pub fn shortened(&self, n_bytes: u64) -> BodyRange {
        BodyRange { n_bytes: n_bytes.min(self.n_bytes), ..*self }
    }

    /// The range without its first `n_bytes` bytes.
    pub fn after(&self, n_bytes: u64) -> BodyRange {
        let n_bytes = n_bytes.min(self.n_bytes);
        // No overflow: both positions lie inside the range.
        BodyRange { start: self.start + n_bytes, n_bytes: self.n_bytes - n_bytes }
    }

    /// The range with the same start and `n_times` the length; `None` if it would end after the body.
    pub fn widened(&self, n_times: u64, body_bytes: u64) -> Option<BodyRange> {
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
