//! The buffers of messages, alone or several of them joined.

use arrow_data::Role;

use super::{Length, padding::Padding};

/// The roles of buffers, by their numbers in the page. The numbers `SEVERAL` and `BODY` follow.
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

/// The number for several buffers of different roles.
const SEVERAL: usize = ROLES.len();
/// The number for a body whose buffers are not known.
const BODY: usize = SEVERAL + 1;

/// One buffer, or several consecutive buffers that were joined.
#[derive(Debug, Clone)]
pub(crate) struct PlacedBuffer {
    /// The number of the message, counted over all streams.
    pub(crate) message: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) n_buffers: u64,
    /// The role as a position in [`ROLES`], or [`SEVERAL`] or [`BODY`].
    pub(crate) role: usize,
    /// The first and the last field that the buffers belong to; `None` if they are unknown.
    pub(crate) fields: Option<(usize, usize)>,
    pub(crate) n_bytes: u64,
    pub(crate) n_padding_bytes: u64,
    /// The number of missing bytes, if the input is truncated. All other numbers count the present bytes.
    pub(crate) n_missing_bytes: u64,
    /// The decompressed length, if the body is compressed.
    pub(crate) n_decompressed_bytes: Option<u64>,
    /// The flags that all of these buffers have: `RAW`, `WITHOUT_NULLS`, `SHARED`.
    pub(crate) flags: u8,
}

/// The flag of a buffer that is not compressed, in a compressed body.
const RAW: u8 = 1;
/// The flag of a validity buffer without nulls.
const WITHOUT_NULLS: u8 = 2;
/// The flag of a buffer with bytes that another buffer has, too.
const SHARED: u8 = 4;

impl PlacedBuffer {
    pub(crate) fn of(start: u64, n_bytes: u64, role: Role, field_idx: usize) -> PlacedBuffer {
        let role = ROLES.iter().position(|known| *known == role).unwrap_or(SEVERAL);
        PlacedBuffer {
            role,
            fields: Some((field_idx, field_idx)),
            ..PlacedBuffer::whole_body(start, n_bytes)
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

    pub(super) fn set_padding(&mut self, padding: Padding) {
        self.n_padding_bytes = padding.n_after;
        if padding.n_shared > 0 {
            self.flags |= SHARED;
        }
    }

    /// Notes that the body is compressed, with the decompressed length of the buffer, if that is known.
    pub(crate) fn set_length(&mut self, length: Option<Length>) {
        self.n_decompressed_bytes = length.map(Length::n_bytes);
        if length.is_some_and(Length::is_raw) && self.n_bytes > 0 {
            self.flags |= RAW;
        }
    }

    /// Notes that no slot of the field is null.
    pub(crate) fn set_has_no_nulls(&mut self, role: Role) {
        if role == Role::Validity && self.n_bytes > 0 {
            self.flags |= WITHOUT_NULLS;
        }
    }

    /// The length of the buffer, if it is a validity buffer without nulls; otherwise 0.
    pub(crate) fn n_unneeded_bytes(&self) -> u64 {
        if self.flags & WITHOUT_NULLS == 0 { 0 } else { self.n_bytes }
    }

    /// Leaves out the bytes after the end of the input. The decompressed length of the present bytes is not known.
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
