//! Reads the next message of a range of bytes, without its body.

use std::ops::Range;

use arrow_buffer::Buffer;

use crate::{
    error::{FormatError, FormatErrorKind},
    limits::Limits,
    message::Message,
    prefix::{PREFIX_BYTES, Prefix},
};

/// What a range of bytes begins with.
#[derive(Debug, Clone)]
pub enum NextMessage {
    /// A message. Its [`body`](Message::body) is empty; the range may end before the end of the body.
    Message(Message),
    /// The end marker of a stream. It has `n_bytes` bytes.
    EndMarker {
        /// The length of the marker.
        n_bytes: u64,
    },
    /// The range has no bytes.
    EndOfBytes,
}

impl NextMessage {
    /// Reads the prefix and the metadata at the start of the range. The message gets this index, and the start of the
    /// range as its position. `fetch` returns the bytes of a range, or `None` if they are missing; then the function
    /// returns `None`, and the next call asks for the same bytes.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_ipc_format::{FormatError, Limits, NextMessage};
    ///
    /// let end = Buffer::from_static(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    /// let fetch = |range: std::ops::Range<u64>| Ok(end.try_slice(range.start, range.end - range.start).ok());
    /// let next = NextMessage::read::<FormatError>(0, 0..8, &Limits::default(), fetch)?;
    /// assert!(matches!(next, Some(NextMessage::EndMarker { n_bytes: 8 })));
    /// # Ok::<(), FormatError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of `fetch`. If the prefix or the metadata is malformed, if a length is over a limit, or if the range
    /// ends inside the metadata.
    pub fn read<E: From<FormatError>>(
        index: u64,
        range: Range<u64>,
        limits: &Limits,
        mut fetch: impl FnMut(Range<u64>) -> Result<Option<Buffer>, E>,
    ) -> Result<Option<NextMessage>, E> {
        let Range { start, end } = range;
        if start >= end {
            return Ok(Some(NextMessage::EndOfBytes));
        }
        let Some(prefix) = fetch(start..end.min(start.saturating_add(PREFIX_BYTES)))? else {
            return Ok(None);
        };
        let (n_prefix_bytes, n_metadata_bytes) = match Prefix::parse(&prefix)? {
            Some(Prefix::Message { n_prefix_bytes, n_metadata_bytes }) => (n_prefix_bytes, n_metadata_bytes),
            Some(Prefix::EndOfStream { n_prefix_bytes: n_bytes }) => {
                return Ok(Some(NextMessage::EndMarker { n_bytes }));
            }
            None => return Err(FormatError::from(cut_prefix(prefix.len() as u64)).into()),
        };
        let needed = u64::from(n_metadata_bytes);
        let metadata_start = start.saturating_add(n_prefix_bytes);
        limits.check_metadata(needed, end.saturating_sub(metadata_start))?;
        let Some(metadata) = fetch(metadata_start..metadata_start.saturating_add(needed))? else {
            return Ok(None);
        };
        let message = Message::without_body(index, start, n_prefix_bytes, metadata, limits)?;
        Ok(Some(NextMessage::Message(message)))
    }
}

/// The error about a prefix of which only `available` bytes exist.
pub fn cut_prefix(available: u64) -> FormatErrorKind {
    FormatErrorKind::Truncated { what: "message prefix", needed: PREFIX_BYTES, available }
}
