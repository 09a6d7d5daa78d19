//! Random-access files: a stream between two magics, with a footer that lists its blocks. Follows "IPC File Format" of
//! the specification.

mod atomic;
mod batches;
mod block;
mod dictionaries;
mod encoder;
mod footer;
mod footer_encode;
mod reader;
mod writer;

pub(crate) use self::footer::START_BYTES;
pub use self::{
    atomic::AtomicFile, batches::Batches, block::Block, encoder::FileEncoder, footer::Footer,
    reader::FileReader, writer::FileWriter,
};
