//! Random-access files: a stream between two magics, with a footer that lists its blocks. Follows "IPC File Format" of
//! the specification.

mod block;
mod dictionaries;
mod footer;
mod reader;

pub use self::{
    block::Block,
    footer::Footer,
    reader::{Batches, FileReader},
};
