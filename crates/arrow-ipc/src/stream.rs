//! Streams: a schema, then dictionaries and batches. See "IPC Streaming Format" in the specification.

mod read;
mod write;

pub use self::write::MessageOutput;
pub(crate) use self::write::{write_batches, write_to_buffer};
pub use self::{
    read::{LargeBatch, MessageStep, Messages, Step, StreamDecoder, StreamReader},
    write::{BatchEncoder, SinkWriter, StreamEncoder, StreamWriter, Trailer},
};
