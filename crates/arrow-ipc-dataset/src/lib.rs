//! Reads and writes many Apache Arrow IPC files as one data set. Paths, patterns and folders name the files. Reading is
//! planned from their footers alone, and the rows are read in tasks.
//!
//! - [`Dataset`] lists the files, adds the columns that their folders name, merges their schemas, and selects columns and rows.
//! - [`Dataset::split`] makes [`ReadTask`]s: plain data, which other threads, processes and machines can read.
//! - [`ReadTask::read`] returns the batches of one task, in bounded memory. A file that has changed since the task was made is
//!   an error.
//!
//! - [`DatasetWriter`] writes a set in parts, and commits them: a [`Manifest`] lists the files of the set.
//!
//! This crate plans, reads and writes. It is not a query engine: it has no expressions except
//! [`Predicate`](arrow_compute::Predicate)s, no joins and no sorting. It has no scheduler either: engines run the tasks.
//!
//! # Features
//!
//! - `lz4` and `zstd`, on by default, are passed on to `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod bounds;
mod columns;
mod compact;
mod dataset;
mod entry;
mod error;
mod expire;
mod file;
mod listing;
mod manifest;
mod partition;
mod set_batches;
mod store;
mod task;
pub mod threads;
mod unfinished;
mod unnamed;
mod version;
mod write;

pub use crate::{
    compact::{CompactOptions, Compaction, compact},
    dataset::{Dataset, DatasetOptions},
    entry::{ManifestEntry, WrongPart},
    error::{DatasetError, DatasetErrorKind},
    expire::{ExpireOptions, Expired, expire},
    file::DatasetFile,
    listing::{ListedFile, check_outside, files_of, is_set, parts_of},
    manifest::Manifest,
    partition::PartitionValue,
    set_batches::SetBatches,
    store::{FileStore, LocalFiles, StoreNames, StoredFile},
    task::{ReadTask, TaskBatches, TaskFile},
    unnamed::{check_there, unnamed_files},
    version::{FileStamp, FileVersion},
    write::{DatasetWriter, PartAttempt, WriteMode, WrittenPart},
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
