//! The framing of messages: continuation marker, length of the metadata, legacy framing and end marker. The heads of messages: prefix and metadata. Also the body of a message, as a whole or as the ranges that were fetched. Follows "Encapsulated message
//! format" of the specification.

pub(crate) mod body;
#[cfg(feature = "file")]
pub(crate) mod heads;
mod input;

pub(crate) use self::{body::Body, input::UnreadBytes};
