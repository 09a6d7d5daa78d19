//! What lies between the bytes of a stream and its messages: the bytes that have arrived, a cursor over messages without
//! their bodies, and the body of a message, as a whole or as the ranges that were fetched. Follows "Encapsulated message
//! format" of the specification.

pub(crate) mod body;
#[cfg(feature = "file")]
pub(crate) mod cursor;
mod input;

pub(crate) use self::{body::Body, input::UnreadBytes};
