//! Reading files: plans without I/O, and readers that fetch what plans ask for.

mod plan;
mod provided;
mod ranges;

mod batch;
mod decoder;
mod dictionaries;
mod group;
mod metadata;
mod of_message;
mod opened;
mod opening;
mod rows;
mod schema_message;

mod ahead;
mod batches;
mod fetching;
mod in_order;
mod in_pieces;
#[cfg(feature = "rayon")]
mod parallel;
mod parts;
mod reader;
mod row_windows;

pub use self::{
    ahead::{NextBatch, ReadAhead},
    batches::Batches,
    decoder::FileDecoder,
    dictionaries::FileDictionary,
    group::FetchedBatch,
    in_pieces::InPieces,
    opened::OpenedBatch,
    parts::BatchPart,
    plan::{PlanStep, ReadPlan},
    ranges::{LaterRanges, NeededRanges},
    reader::FileReader,
    row_windows::{BatchRows, BatchWindows},
    rows::FileRows,
};
pub(crate) use self::{decoder::FileShared, dictionaries::load, plan::Work, provided::Provided};
