//! The framing of messages: continuation marker, length of the metadata, legacy framing and end marker. Does not read
//! metadata. Also the body of a message, as a whole or as the ranges that were fetched. Follows "Encapsulated message
//! format" of the specification.

pub(crate) mod body;
mod input;
mod prefix;

pub(crate) use self::{
    body::{Body, BodyRange},
    input::UnreadBytes,
    prefix::{CONTINUATION, END_MARKER, LEGACY_PREFIX_BYTES, PREFIX_BYTES, Prefix},
};
