//! Streams: a schema, then dictionaries and batches. See "IPC Streaming Format" in the specification.

mod read;
mod write;

pub(crate) use self::write::{MessageOutput, write_batches, write_to_buffer};
#[cfg(feature = "tensor")]
pub use self::{
    read::TensorReader,
    write::{TensorEncoder, TensorWriter},
};
pub use self::{
    read::{LargeBatch, MessageStep, Messages, Step, StreamDecoder, StreamReader},
    write::{BatchEncoder, SinkWriter, StreamEncoder, StreamWriter, Trailer},
};
