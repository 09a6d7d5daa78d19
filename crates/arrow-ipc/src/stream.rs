//! Streams: a schema, then dictionaries and batches, to the end. Follows "IPC Streaming Format" of the specification.

mod decoder;
mod encoder;
mod in_memory;
mod large_batch;
mod messages;
mod output;
mod reader;
mod sink;
mod tensor_reader;
mod tensor_writer;
mod writer;

pub use self::{
    decoder::{Step, StreamDecoder},
    encoder::StreamEncoder,
    large_batch::LargeBatch,
    messages::{MessageStep, Messages},
    reader::{BatchWithMetadata, StreamReader},
    tensor_reader::TensorReader,
    tensor_writer::{TensorEncoder, TensorWriter},
    writer::StreamWriter,
};

pub(crate) use self::{
    in_memory::{write_batches, write_to_buffer},
    output::MessageOutput,
    sink::{BatchEncoder, SinkWriter},
};
