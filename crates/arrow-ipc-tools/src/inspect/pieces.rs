//! The buffers of messages. Several consecutive buffers may be joined into one item.

use arrow_data::Role;
use arrow_ipc::{BufferDescription, message::FieldNode};

use super::{Length, padding::Padding};

/// The roles of buffers. The HTML page uses their indices, and after these `SEVERAL` and `BODY`.
pub(crate) const ROLES: [Role; 8] = [
    Role::Validity,
    Role::Values,
    Role::Offsets,
    Role::Sizes,
    Role::TypeIds,
    Role::Views,
    Role::Bytes,
    Role::Variadic,
];

/// The role number for joined buffers of different roles.
const SEVERAL: usize = ROLES.len();
/// The role number for a body whose buffers are unknown.
const BODY: usize = SEVERAL + 1;

/// One buffer, or several consecutive buffers that are shown as one.
#[derive(Debug, Clone)]
pub(crate) struct PlacedBuffer {
    /// The number of the message, counted over all streams.
    pub(crate) message: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) n_buffers: u64,
    /// An index into [`ROLES`], or [`SEVERAL`], or [`BODY`].
    pub(crate) role: usize,
    /// The indices of the first and the last field of the buffers; `None` if the fields are unknown.
    pub(crate) fields: Option<(usize, usize)>,
    pub(crate) n_bytes: u64,
    pub(crate) n_padding_bytes: u64,
    /// The number of buffer bytes after the end of a truncated input. All other numbers count bytes that are present.
    pub(crate) n_missing_bytes: u64,
    /// The decompressed length in bytes; `None` if the body is not compressed or the length is unknown.
    pub(crate) n_decompressed_bytes: Option<u64>,
    /// The flags that all joined buffers have: `RAW`, `WITHOUT_NULLS`, `SHARED`.
    pub(crate) flags: u8,
}

/// Flags a buffer that is stored without compression in a compressed body.
const RAW: u8 = 1;
/// Flags a validity buffer of a field without nulls.
const WITHOUT_NULLS: u8 = 2;
/// Flags a buffer that shares bytes with another buffer.
const SHARED: u8 = 4;

impl PlacedBuffer {
    /// A buffer of a message whose body begins at `body`. `node` is the node of its field, and `length` its length in a
    /// compressed body.
    pub(super) fn of(
        buffer: &BufferDescription,
        body: u64,
        node: Option<&FieldNode>,
        length: Option<Length>,
        padding: Padding,
    ) -> PlacedBuffer {
        let n_bytes = buffer.range.n_bytes();
        let is_raw = length.is_some_and(Length::is_raw);
        let has_no_nulls =
            buffer.role == Role::Validity && node.is_some_and(|node| node.n_nulls() == Some(0));
        let flags = [
            (SHARED, padding.n_shared > 0),
            (RAW, is_raw && n_bytes > 0),
            (WITHOUT_NULLS, has_no_nulls && n_bytes > 0),
        ];
        let flags = flags.into_iter().filter(|(_, is_set)| *is_set).fold(0, |flags, (flag, _)| flags | flag);
        PlacedBuffer {
            role: ROLES.iter().position(|known| *known == buffer.role).unwrap_or(SEVERAL),
            n_padding_bytes: padding.n_after,
            n_decompressed_bytes: length.map(Length::n_bytes),
            flags,
            ..PlacedBuffer::whole_body(body.saturating_add(buffer.range.start()), n_bytes)
        }
    }

    pub(crate) fn whole_body(start: u64, n_bytes: u64) -> PlacedBuffer {
        PlacedBuffer {
            message: 0,
            start,
            end: start.saturating_add(n_bytes),
            n_buffers: 1,
            role: BODY,
            fields: None,
            n_bytes,
            n_padding_bytes: 0,
            n_missing_bytes: 0,
            n_decompressed_bytes: None,
            flags: 0,
        }
    }

    /// The length of the buffer if it is a validity buffer without nulls; otherwise 0.
    pub(crate) fn n_unneeded_bytes(&self) -> u64 {
        if self.flags & WITHOUT_NULLS == 0 { 0 } else { self.n_bytes }
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

    pub(crate) fn n_spanned_bytes(&self, next: &PlacedBuffer) -> u64 {
        self.end.max(next.end).saturating_sub(self.start.min(next.start))
    }

    pub(crate) fn append(&mut self, next: PlacedBuffer) {
        self.start = self.start.min(next.start);
        self.end = self.end.max(next.end);
        self.n_buffers = self.n_buffers.saturating_add(next.n_buffers);
        if self.role != next.role {
            self.role = SEVERAL;
        }
        self.fields = match (self.fields, next.fields) {
            (Some((first, last)), Some(next)) => Some((first.min(next.0), last.max(next.1))),
            (fields, None) | (None, fields) => fields,
        };
        self.n_bytes = self.n_bytes.saturating_add(next.n_bytes);
        self.n_padding_bytes = self.n_padding_bytes.saturating_add(next.n_padding_bytes);
        self.n_missing_bytes = self.n_missing_bytes.saturating_add(next.n_missing_bytes);
        self.n_decompressed_bytes = match (self.n_decompressed_bytes, next.n_decompressed_bytes) {
            (Some(n_bytes), Some(more)) => Some(n_bytes.saturating_add(more)),
            (known, None) | (None, known) => known,
        };
        self.flags &= next.flags;
    }
}
