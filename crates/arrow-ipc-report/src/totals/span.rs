//! The buffers of messages as spans of the input. Several consecutive spans may be joined.

use arrow_data::Role;
use arrow_ipc::{BufferDescription, message::FieldNode};
use arrow_ipc_tools::inspect::Length;

use super::fields::Padding;

/// What the bytes of a [`BufferSpan`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpanRole {
    /// Buffers of this role.
    Buffer(Role),
    /// Buffers of several roles.
    Mixed,
    /// A body whose buffers are unknown.
    Body,
}

/// Where a buffer lies in the input, or several consecutive buffers.
#[derive(Debug, Clone)]
pub(crate) struct BufferSpan {
    /// The number of the message, counted over all streams.
    pub(crate) message: u64,
    /// The byte offset of the first byte in the input.
    pub(crate) start: u64,
    /// The byte offset after the last byte.
    pub(crate) end: u64,
    /// The number of buffers.
    pub(crate) n_buffers: u64,
    /// What the bytes are.
    pub(crate) role: SpanRole,
    /// The indices of the first and the last field of the buffers; `None` if the fields are unknown.
    pub(crate) fields: Option<(usize, usize)>,
    /// The total length of the buffers. Shared bytes count for each buffer.
    pub(crate) n_bytes: u64,
    /// The length of the padding after the buffers.
    pub(crate) n_padding_bytes: u64,
    /// The number of buffer bytes after the end of a truncated input. All other numbers count bytes that are present.
    pub(crate) n_missing_bytes: u64,
    /// Whether a buffer is in a compressed body.
    pub(crate) is_compressed: bool,
    /// The decompressed length in bytes; `None` if no body is compressed or a length is unknown.
    pub(crate) n_decompressed_bytes: Option<u64>,
    /// Whether all buffers are stored without compression in compressed bodies.
    pub(crate) is_raw: bool,
    /// Whether all buffers are validity buffers of fields without nulls.
    pub(crate) has_no_nulls: bool,
    /// Whether all buffers share bytes with other buffers.
    pub(crate) is_shared: bool,
}

impl BufferSpan {
    /// A buffer of a message whose body begins at `body`. `node` is the node of its field, and `length` its length in a
    /// compressed body.
    pub(super) fn new(
        buffer: &BufferDescription,
        body: u64,
        node: Option<&FieldNode>,
        length: Option<Length>,
        padding: Padding,
    ) -> BufferSpan {
        let n_bytes = buffer.range.n_bytes();
        let has_no_nulls =
            buffer.role == Role::Validity && node.is_some_and(|node| node.null_count() == Some(0));
        BufferSpan {
            role: SpanRole::Buffer(buffer.role),
            n_padding_bytes: padding.n_after,
            n_decompressed_bytes: length.map(Length::n_bytes),
            is_raw: length.is_some_and(Length::is_raw) && n_bytes > 0,
            has_no_nulls: has_no_nulls && n_bytes > 0,
            is_shared: padding.n_shared > 0,
            ..BufferSpan::whole_body(body.saturating_add(buffer.range.start()), n_bytes)
        }
    }

    /// A body whose buffers are unknown.
    pub(crate) fn whole_body(start: u64, n_bytes: u64) -> BufferSpan {
        BufferSpan {
            message: 0,
            start,
            end: start.saturating_add(n_bytes),
            n_buffers: 1,
            role: SpanRole::Body,
            fields: None,
            n_bytes,
            n_padding_bytes: 0,
            n_missing_bytes: 0,
            is_compressed: false,
            n_decompressed_bytes: None,
            is_raw: false,
            has_no_nulls: false,
            is_shared: false,
        }
    }

    /// The length of the buffer if it is a validity buffer without nulls; otherwise 0.
    pub(crate) fn n_unneeded_bytes(&self) -> u64 {
        if self.has_no_nulls { self.n_bytes } else { 0 }
    }

    /// The decompressed length, which is the length of buffers that are not compressed; `None` if it is unknown.
    pub(crate) fn n_whole_bytes(&self) -> Option<u64> {
        if self.is_compressed { self.n_decompressed_bytes } else { Some(self.n_bytes) }
    }

    /// Removes the bytes after the end of the input. If bytes are missing, the decompressed length becomes unknown.
    pub(crate) fn cut_at(&mut self, end: u64) {
        let n_padding_bytes = end.saturating_sub(self.end).min(self.n_padding_bytes);
        self.n_padding_bytes = n_padding_bytes;
        let n_missing_bytes = self.end.saturating_sub(end).min(self.n_bytes);
        if n_missing_bytes > 0 {
            self.n_missing_bytes = n_missing_bytes;
            self.n_bytes = self.n_bytes.saturating_sub(n_missing_bytes);
            self.end = self.end.saturating_sub(n_missing_bytes);
            self.n_decompressed_bytes = None;
        }
    }

    /// The length from the first byte of the span to the last byte of `next`.
    pub(crate) fn n_spanned_bytes(&self, next: &BufferSpan) -> u64 {
        self.end.max(next.end).saturating_sub(self.start.min(next.start))
    }

    /// Joins the span with `next`.
    pub(crate) fn append(&mut self, next: BufferSpan) {
        self.start = self.start.min(next.start);
        self.end = self.end.max(next.end);
        self.n_buffers = self.n_buffers.saturating_add(next.n_buffers);
        if self.role != next.role {
            self.role = SpanRole::Mixed;
        }
        self.fields = match (self.fields, next.fields) {
            (Some((first, last)), Some(next)) => Some((first.min(next.0), last.max(next.1))),
            (fields, None) | (None, fields) => fields,
        };
        if self.is_compressed || next.is_compressed {
            let whole = self.n_whole_bytes().zip(next.n_whole_bytes());
            self.n_decompressed_bytes = whole.map(|(n_bytes, more)| n_bytes.saturating_add(more));
            self.is_compressed = true;
        }
        self.n_bytes = self.n_bytes.saturating_add(next.n_bytes);
        self.n_padding_bytes = self.n_padding_bytes.saturating_add(next.n_padding_bytes);
        self.n_missing_bytes = self.n_missing_bytes.saturating_add(next.n_missing_bytes);
        self.is_raw &= next.is_raw;
        self.has_no_nulls &= next.has_no_nulls;
        self.is_shared &= next.is_shared;
    }
}
