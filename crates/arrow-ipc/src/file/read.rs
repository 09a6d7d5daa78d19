//! Reads files: plans without I/O, and readers that fetch the ranges of plans.

mod provided_ranges;
mod ranges;

mod plan;

mod dictionary_blocks;
mod metadata;

mod decoder;
mod state;

mod dictionaries;
mod open;
mod read_footer;

mod batch;

mod estimate;
mod fetched_batch;
mod rows;

mod plans;
mod unreferenced;

mod indexed;
mod prefetch;
mod stream_dictionaries;
mod walk;

mod fetch;

mod reader;

mod file_prefetch;
mod large_batch;

mod batches;
mod row_batches;

#[cfg(feature = "rayon")]
mod parallel;

mod iterators;

pub use self::{
    batches::{Batches, FileRows},
    decoder::FileDecoder,
    dictionaries::FileDictionary,
    fetched_batch::{DecompressedBatch, FetchedBatch},
    file_prefetch::{FilePrefetcher, NextBatch},
    plan::{PlanStep, ReadPlan},
    prefetch::BatchPrefetcher,
    ranges::{LaterRanges, NeededRanges},
    reader::FileReader,
    row_batches::BatchParts,
    unreferenced::{UnreferencedBytes, UnreferencedKind},
};
pub(crate) use self::{
    dictionaries::load, provided_ranges::ProvidedRanges, read_footer::open_complete, state::FileState,
};
