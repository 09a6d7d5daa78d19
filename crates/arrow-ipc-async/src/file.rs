//! Reads files. The batches of a file are streams that read ahead.

mod reader;

mod ahead;

mod batches;

pub use self::{
    batches::{AsyncBatches, UnorderedBatches},
    reader::AsyncFileReader,
};
