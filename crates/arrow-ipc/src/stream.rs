//! Streams: a schema, then dictionaries and batches. See "IPC Streaming Format" in the specification.

mod read;
mod write;

#[cfg(feature = "file")]
pub(crate) use self::write::{MessageOutput, write_batches};
pub use self::{
    read::{LargeBatch, MessageStep, Messages, Step, StreamDecoder, StreamReader},
    write::{BatchEncoder, EndOfStream, RawMessageEncoder, SinkWriter, StreamEncoder, StreamWriter, Trailer},
};
