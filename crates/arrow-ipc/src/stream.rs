//! Streams: a schema, followed by dictionaries and batches. Follows "IPC Streaming Format" of the specification.

mod decoder;
mod encoder;
mod in_memory;
mod large_batch;
mod messages;
mod output;
mod reader;
mod schema_message;
mod sink;
#[cfg(feature = "tensor")]
mod tensor_reader;
#[cfg(feature = "tensor")]
mod tensor_writer;
mod writer;

pub use self::{
    decoder::{Step, StreamDecoder},
    encoder::StreamEncoder,
    large_batch::LargeBatch,
    messages::{MessageStep, Messages},
    reader::StreamReader,
    sink::SinkWriter,
    writer::StreamWriter,
};

#[cfg(feature = "tensor")]
pub use self::{
    tensor_reader::TensorReader,
    tensor_writer::{TensorEncoder, TensorWriter},
};

pub(crate) use self::{
    in_memory::{write_batches, write_to_buffer},
    output::MessageOutput,
    sink::BatchEncoder,
};
