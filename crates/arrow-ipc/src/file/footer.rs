//! The footer of a file: the lists of blocks, row counts of batches, and the search for a footer.

mod block;
mod blocks;
mod faults;
mod irregular;
mod row_counts;

mod content;

mod packed;
mod search;
mod stream_blocks;

pub(crate) use self::{
    block::{BLOCK_BYTES, WireBlock},
    content::{FILE, FILE_OR_STREAM},
    packed::pack,
    row_counts::BatchRowCounts,
    stream_blocks::StreamBlocks,
};
pub use self::{
    block::{Block, START_BYTES},
    content::{Footer, TAIL_BYTES},
    faults::FooterFaults,
    irregular::FooterIrregularity,
    search::FooterSearch,
};
