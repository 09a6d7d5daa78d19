//! The footer of a file: the lists of blocks, row counts and layouts of batches, and the search for a footer.

mod block;
mod blocks;
mod faults;
mod irregular;
mod row_counts;

mod content;

mod last;
mod layouts;
mod packed;

#[cfg(feature = "recover")]
pub(crate) use self::faults::Faults;
pub use self::{block::Block, content::Footer, irregular::FooterIrregularity};
pub(crate) use self::{
    block::{BLOCK_BYTES, START_BYTES, WireBlock},
    content::TAIL_BYTES,
    last::LastFooter,
};
pub(crate) use self::{
    layouts::{LayoutEncoder, Layouts},
    packed::pack,
    row_counts::RowEnds,
};
