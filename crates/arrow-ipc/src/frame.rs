//! The framing of messages: continuation marker, length of the metadata, legacy framing and end marker. Does not read
//! metadata. Also the body of a message, as a whole or as the ranges that were fetched. Follows "Encapsulated message
//! format" of the specification.

pub(crate) mod body;
mod input;

pub(crate) use self::{body::Body, input::UnreadBytes};
