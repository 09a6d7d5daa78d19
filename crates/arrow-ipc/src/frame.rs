//! The framing of messages: continuation marker, length prefix, legacy form, end of stream. It does not read metadata. It
//! follows "Encapsulated message format" of the specification.

mod input;
mod prefix;

pub(crate) use self::{
    input::UnreadBytes,
    prefix::{CONTINUATION, END_MARKER, LEGACY_PREFIX_BYTES, PREFIX_BYTES, Prefix, PrefixReader},
};
