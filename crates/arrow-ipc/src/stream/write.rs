//! Writes streams, and contains what writers of files also use: messages as segments, writers to a sink, and writing
//! all batches to memory.

mod encoder;
mod in_memory;
mod output;
mod sink;
mod trailer;
mod writer;

pub(crate) use self::in_memory::write_batches;
#[cfg(feature = "file")]
pub(crate) use self::output::MessageOutput;
pub use self::{
    encoder::{BatchEncoder, StreamEncoder},
    output::RawMessageEncoder,
    sink::SinkWriter,
    trailer::{EndOfStream, Trailer},
    writer::StreamWriter,
};
