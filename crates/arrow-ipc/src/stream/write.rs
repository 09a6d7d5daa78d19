//! Writes streams, and contains what writers of files also use: messages as segments, writers to a sink, and writing
//! all batches to memory.

mod encoder;
mod in_memory;
mod output;
mod sink;
#[cfg(feature = "tensor")]
mod tensor_writer;
mod trailer;
mod writer;

#[cfg(feature = "tensor")]
pub use self::tensor_writer::{TensorEncoder, TensorWriter};
pub use self::{
    encoder::{BatchEncoder, StreamEncoder},
    sink::SinkWriter,
    trailer::Trailer,
    writer::StreamWriter,
};
pub(crate) use self::{
    in_memory::{write_batches, write_to_buffer},
    output::MessageOutput,
};
