//! Reads and writes many Apache Arrow IPC files as one data set. Paths, patterns and folders select the files. Their
//! footers are enough to plan what to read. Tasks then read the rows.
//!
//! - [`Dataset`] lists the files, merges their schemas, and selects columns and rows. It adds partition columns,
//!   whose values are in names of folders (`day=1`).
//! - [`Dataset::split`] makes [`ReadTask`]s, which are plain data: they can be sent to other threads, processes and
//!   machines.
//! - [`ReadTask::read`] returns the batches of a task, in bounded memory. It fails if a file has changed after the
//!   task was created.
//!
//! - [`DatasetWriter`] lets many tasks write the files of a new folder, which get their names at once.
//!
//! This crate is not a query engine: it has no expressions except [`Predicate`](arrow_compute::Predicate)s, no joins
//! and no sorting. It has no scheduler: the caller decides who reads which task.
//!
//! # Features
//!
//! - `lz4` and `zstd`, off by default, are passed on to `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod columns;
mod common_schema;
mod dataset;
mod dataset_batches;
mod error;
mod file;
mod listing;
mod padding;
mod partition;
mod row_selection;
mod store;
mod task;
mod version;
mod write;

pub use crate::{
    columns::FileColumns,
    common_schema::{common_schema, has_metadata_of, with_types},
    dataset::{Dataset, DatasetOptions},
    dataset_batches::DatasetBatches,
    error::{DatasetError, DatasetErrorKind},
    file::{DatasetFile, FileContents},
    listing::{is_dataset, list_files},
    partition::PartitionValue,
    row_selection::RowSelection,
    store::{FileStore, LocalFiles, OpenFiles, StoreNames, StoredFile},
    task::{ReadTask, TaskBatches, TaskFile},
    version::{FileStamp, FileVersion},
    write::{DatasetWriter, PartWriter, WrittenPart},
};
pub use arrow_atomic_output::AtomicFolder;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
