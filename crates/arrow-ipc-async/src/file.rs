//! Reads files. [`AsyncBatches`] prefetches batches.

mod reader;

mod prefetch;

mod batches;

pub use self::{
    batches::{AsyncBatches, UnorderedBatches},
    reader::AsyncFileReader,
};
