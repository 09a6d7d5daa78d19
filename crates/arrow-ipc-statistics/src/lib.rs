//! Statistics of the batches of an Arrow IPC file, in its footer: the number of rows, the number of nulls of each
//! column, and for columns with an order also the least and the greatest value.
//!
//! - [`StatisticsBuilder`] collects the statistics while you write a file, and encodes the stream for
//!   [`FileWriter::set_statistics`](arrow_ipc::FileWriter::set_statistics).
//! - [`FileStatistics`] reads this stream. [`batches_matching`](FileStatistics::batches_matching) returns the batches
//!   in which rows can match a condition. [`check`](FileStatistics::check) compares the statistics with the rows.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod build;
mod check;
mod columns;
mod names;
mod read;

pub use crate::{
    build::StatisticsBuilder,
    check::{StatisticsCheck, WrongStatistics},
    read::FileStatistics,
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
