//! Reads files. Batches of a file can be read as a stream, which fetches later batches ahead.

mod reader;

mod ahead;

mod batches;

pub use self::{
    batches::{AsyncBatches, UnorderedBatches},
    reader::AsyncFileReader,
};
