//! Random-access files: a stream between two magics, with a [`Footer`] that lists its [`Block`]s. Follows "IPC File Format" of
//! the specification.
//!
//! - [`FileReader`] reads files by position: whole batches ([`Batches`]), rows of batches ([`BatchRows`], [`FileRows`]), and batches
//!   that are not decoded yet ([`FetchedBatch`]). [`ReadAhead`] fetches several batches together.
//! - [`FileDecoder`] reads without I/O: a [`ReadPlan`] says which bytes it needs next ([`NeededRanges`]).
//! - [`FileWriter`] and [`FileEncoder`] write; [`FileAppender`] appends in place; [`AtomicFile`] replaces a file only when it is
//!   complete.

mod block;
mod blocks;
mod fetching;
mod footer;
mod irregular;

mod batch;
mod decoder;
mod dictionaries;
mod group;
mod layouts;
mod metadata;
mod of_message;
mod opened;
mod opening;
mod plan;
mod provided;
mod ranges;
mod row_counts;
mod rows;
mod schema_message;

mod ahead;
mod batches;
mod in_order;
mod in_pieces;
#[cfg(feature = "rayon")]
mod parallel;
mod parts;
mod reader;
mod row_windows;

mod atomic;
mod bounds;
mod encoder;
mod footer_encode;
mod writer;

mod appender;
mod complete;
mod continuing;
mod last_end;
mod last_footer;

pub use self::{
    ahead::{NextBatch, ReadAhead},
    appender::{AppendFile, Durability, FileAppender},
    atomic::AtomicFile,
    batches::Batches,
    block::Block,
    decoder::FileDecoder,
    dictionaries::FileDictionary,
    encoder::FileEncoder,
    footer::Footer,
    group::FetchedBatch,
    in_pieces::InPieces,
    irregular::FooterIrregularity,
    opened::OpenedBatch,
    parts::BatchPart,
    plan::{PlanStep, ReadPlan},
    ranges::{LaterRanges, NeededRanges},
    reader::FileReader,
    row_windows::{BatchRows, BatchWindows},
    rows::FileRows,
    writer::FileWriter,
};
pub(crate) use self::{
    footer::{START_BYTES, TAIL_BYTES},
    last_footer::LastFooter,
};
