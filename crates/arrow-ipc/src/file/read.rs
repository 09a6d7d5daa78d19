//! Reads files: plans without I/O, and readers that fetch the ranges of plans.

mod provided;
mod ranges;

mod plan;

mod dictionary_blocks;
mod metadata;

mod decoder;

mod dictionaries;
mod opening;
mod schema_message;

mod batch;

mod opened;
mod outlook;
mod rows;

mod whole_batch;

mod plans;

mod ahead;

mod in_pieces;

mod fetching;

mod reader;

mod file_ahead;
mod of_message;

mod batches;
mod parts;

#[cfg(feature = "rayon")]
mod parallel;

mod iterators;

pub use self::{
    ahead::ReadAhead,
    batches::{Batches, FileRows},
    decoder::FileDecoder,
    dictionaries::FileDictionary,
    file_ahead::{FileAhead, NextBatch},
    in_pieces::{InPieces, JoinedPieces},
    opened::{FetchedBatch, OpenedBatch},
    parts::BatchParts,
    plan::{PlanStep, ReadPlan},
    ranges::{LaterRanges, NeededRanges},
    reader::FileReader,
};
pub(crate) use self::{
    decoder::FileShared, dictionaries::load, provided::Provided, schema_message::read_schema_message,
};
