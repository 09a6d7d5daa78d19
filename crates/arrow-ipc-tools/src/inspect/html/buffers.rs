//! The buffers of a page: one by one, or small neighbours together if there are many.

use arrow_data::Role;

use super::{messages::Groups, padding::Padding};
use crate::inspect::Length;

/// The roles of buffers, by their numbers in the page. Two more numbers follow them.
pub(super) const ROLES: [Role; 8] = [
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

/// A buffer, or several that follow each other.
#[derive(Debug, Clone)]
pub(in crate::inspect) struct Piece {
    /// The number of the message, over all streams.
    message: u64,
    pub(in crate::inspect) start: u64,
    pub(in crate::inspect) end: u64,
    pub(super) n_buffers: u64,
    /// A position in [`ROLES`], or [`SEVERAL`] or [`BODY`].
    pub(super) role: usize,
    /// The first and last field.
    pub(in crate::inspect) fields: Option<(usize, usize)>,
    pub(in crate::inspect) n_bytes: u64,
    pub(in crate::inspect) n_padding_bytes: u64,
    /// Bytes that are missing, since the input is cut off. All other numbers count the bytes that are there.
    pub(super) n_missing_bytes: u64,
    /// The decompressed length, if the body is compressed.
    pub(in crate::inspect) n_decompressed_bytes: Option<u64>,
    /// The flags below that each of its buffers has, added.
    pub(super) flags: u8,
}

/// The flag of a buffer that is not compressed, in a compressed body.
const RAW: u8 = 1;
/// The flag of a validity buffer without nulls.
const WITHOUT_NULLS: u8 = 2;
/// The flag of bytes that another buffer has, too.
const SHARED: u8 = 4;

impl Piece {
    pub(super) fn of(start: u64, n_bytes: u64, role: Role, field_idx: usize) -> Piece {
        let role = ROLES.iter().position(|known| *known == role).unwrap_or(SEVERAL);
        Piece { role, fields: Some((field_idx, field_idx)), ..Piece::whole_body(start, n_bytes) }
    }

    pub(super) fn whole_body(start: u64, n_bytes: u64) -> Piece {
        Piece {
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
    pub(super) fn set_length(&mut self, length: Option<Length>) {
        self.n_decompressed_bytes = length.map(Length::n_bytes);
        if length.is_some_and(Length::is_raw) && self.n_bytes > 0 {
            self.flags |= RAW;
        }
    }

    /// Notes that no slot of the field is null.
    pub(super) fn set_has_no_nulls(&mut self, role: Role) {
        if role == Role::Validity && self.n_bytes > 0 {
            self.flags |= WITHOUT_NULLS;
        }
    }

    /// The bytes of a validity buffer without nulls.
    pub(in crate::inspect) fn n_unneeded_bytes(&self) -> u64 {
        if self.flags & WITHOUT_NULLS == 0 { 0 } else { self.n_bytes }
    }

    /// Leaves out the bytes after the end of the input. The decompressed length of the rest is not known.
    pub(super) fn cut_at(&mut self, end: u64) {
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

    fn n_spanned_bytes(&self, next: &Piece) -> u64 {
        self.end.max(next.end).saturating_sub(self.start.min(next.start))
    }

    fn append(&mut self, next: Piece) {
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

/// The buffers in the order of the messages. If there are many, neighbours in one group of messages are joined if they
/// span at most some number of bytes, which grows until few are left. So what is too small to be seen is shown
/// together.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pieces: Vec<Piece>,
    n_joined_bytes: Option<u64>,
}

impl Buffers {
    const MAX: usize = 20_000;

    /// Adds a buffer of the last message.
    pub(super) fn push(&mut self, piece: Piece, messages: &Groups) {
        self.pieces.push(Piece { message: messages.last_message(), ..piece });
        if self.pieces.len() > Buffers::MAX {
            let n_bytes = *self.n_joined_bytes.get_or_insert(0);
            self.join(n_bytes, messages);
            while self.pieces.len() > Buffers::MAX / 4 * 3 && self.n_joined_bytes != Some(u64::MAX) {
                let n_bytes = self.n_joined_bytes.unwrap_or_default().saturating_mul(2).max(64);
                self.n_joined_bytes = Some(n_bytes);
                self.join(n_bytes, messages);
            }
        }
    }

    /// Also joins the buffers that came after neighbours were last joined.
    pub(super) fn merge(&mut self, messages: &Groups) {
        if let Some(n_bytes) = self.n_joined_bytes {
            self.join(n_bytes, messages);
        }
    }

    fn join(&mut self, n_bytes: u64, messages: &Groups) {
        let mut joined: Vec<Piece> = Vec::with_capacity(self.pieces.len());
        for piece in self.pieces.drain(..) {
            let last = joined.last_mut().filter(|last| {
                messages.group_of(last.message) == messages.group_of(piece.message)
                    && last.n_spanned_bytes(&piece) <= n_bytes
            });
            match last {
                Some(last) => last.append(piece),
                None => joined.push(piece),
            }
        }
        self.pieces = joined;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Piece> + Clone {
        self.pieces.iter()
    }

    /// How many pieces each group of messages has.
    pub(super) fn counts(&self, messages: &Groups) -> Vec<u64> {
        let mut counts = vec![0; messages.iter().count()];
        for piece in &self.pieces {
            let group = usize::try_from(messages.group_of(piece.message));
            if let Some(count) = group.ok().and_then(|group| counts.get_mut(group)) {
                *count += 1;
            }
        }
        counts
    }
}
