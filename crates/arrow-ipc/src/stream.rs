//! Streams: a schema, then dictionaries and batches. See "IPC Streaming Format" in the specification.

mod read;
mod write;

pub use self::write::MessageOutput;
pub(crate) use self::write::write_batches;
pub use self::{
    read::{LargeBatch, MessageStep, Messages, Step, StreamDecoder, StreamReader},
    write::{BatchEncoder, SinkWriter, StreamEncoder, StreamWriter, Trailer},
};
