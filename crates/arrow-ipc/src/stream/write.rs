//! Writes streams, and contains what writers of files also use: messages as segments, writers to a sink, and writing
//! all batches to memory.

mod encoder;
mod in_memory;
mod output;
mod sink;
mod trailer;
mod writer;

pub(crate) use self::in_memory::write_batches;
pub use self::{
    encoder::{BatchEncoder, StreamEncoder},
    output::MessageOutput,
    sink::SinkWriter,
    trailer::Trailer,
    writer::StreamWriter,
};
