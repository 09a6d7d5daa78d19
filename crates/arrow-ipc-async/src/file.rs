//! Files: a reader, and its batches as streams that read ahead.

mod reader;

mod ahead;

mod batches;

pub use self::{
    batches::{AsyncBatches, UnorderedBatches},
    reader::AsyncFileReader,
};
