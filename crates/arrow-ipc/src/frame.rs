//! Bytes to frames: continuation marker, length prefix, legacy form, end of stream. Knows nothing of what is inside
//! the metadata; follows "Encapsulated message format" of the specification.

mod input;
mod prefix;

pub(crate) use self::{
    input::Input,
    prefix::{CONTINUATION, PREFIX_BYTES, Prefix, PrefixReader},
};
