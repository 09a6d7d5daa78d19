//! Random-access files: a stream between two copies of the magic `ARROW1`, and a [`Footer`] that lists its [`Block`]s.
//! Follows "IPC File Format" of the specification.
//!
//! - [`FileReader`] reads files in any order: whole batches ([`Batches`]), rows of batches ([`BatchParts`],
//!   [`FileRows`]), and batches that are decoded later ([`FetchedBatch`]). [`FilePrefetcher`] fetches several batches
//!   together.
//! - [`FileDecoder`] reads without I/O. A [`ReadPlan`] lists the bytes that it needs next ([`NeededRanges`]).
//!   [`BatchPrefetcher`] lists the ranges to fetch for the following batches.
//! - [`FileWriter`] and [`FileEncoder`] write. [`FileAppender`] appends in place. [`AtomicFile`] replaces a file only
//!   once the new file is complete.
//! - [`Footer::parse_parts`] and [`FooterSearch`] read what is left of the footer of a damaged file.

mod footer;

mod read;

mod write;

mod append;

mod index_file;
mod stream_index;

pub(crate) use self::footer::FILE;
pub use self::{
    append::{AppendFile, Durability, FileAppender},
    footer::{Block, Footer, FooterFaults, FooterIrregularity, FooterSearch, START_BYTES, TAIL_BYTES},
    read::{
        BatchParts, BatchPrefetcher, Batches, DecompressedBatch, FetchedBatch, FileDecoder, FileDictionary,
        FilePrefetcher, FileReader, FileRows, LaterRanges, NeededRanges, NextBatch, PlanStep, ReadPlan,
        UnreferencedBytes, UnreferencedKind,
    },
    stream_index::{StreamEnd, StreamIndex},
    write::{AtomicFile, ContainerEncoder, FileEncoder, FileWriter, FooterEncoder},
};
pub use crate::source::{JoinedPieces, SplitRanges};
