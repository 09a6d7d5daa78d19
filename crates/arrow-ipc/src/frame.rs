//! The framing of messages: continuation marker, length of the metadata, legacy framing and end marker. Does not read
//! metadata. Follows "Encapsulated message format" of the specification.

mod input;
mod prefix;

pub(crate) use self::{
    input::UnreadBytes,
    prefix::{CONTINUATION, END_MARKER, LEGACY_PREFIX_BYTES, PREFIX_BYTES, Prefix},
};
