//! Reads files. [`AsyncBatches`] reads batches ahead.

mod reader;

mod prefetch;

mod batches;

pub use self::{
    batches::{AsyncBatches, UnorderedBatches},
    reader::AsyncFileReader,
};
