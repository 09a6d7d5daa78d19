//! Arrow IPC files and streams as a format of DataFusion 55, in any of its object stores.
//!
//! ```
//! use datafusion::{error::Result, prelude::SessionContext};
//!
//! async fn total() -> Result<()> {
//!     let session = SessionContext::new();
//!     arrow_datafusion::register(&session)?;
//!     session.sql("CREATE EXTERNAL TABLE events STORED AS ARROW LOCATION 'events/'").await?;
//!     session.sql("SELECT day, count(*) FROM events GROUP BY day").await?.show().await
//! }
//! ```
//!
//! - [`register`] makes `STORED AS ARROW` and `STORED AS ARROWS` read with this crate. [`IpcFormat`] is the same for
//!   `ListingOptions`, and [`IpcSource`] for plans that a program makes itself.
//! - A query fetches the buffers of its columns only. Footers stay in DataFusion's cache of metadata. Row counts in footers
//!   answer `count(*)` and say how many batches a limit takes.
//! - [`IpcOptions::with_trusted_statistics`] also leaves out batches by the bounds in footers that `arrow-ipc-statistics`
//!   writes.
//! - A byte range of a file or a stream has the batches that begin in it, so partitions read each batch once.
//! - Batches share the memory of the reader: `arrow-rs-adapter` passes them on without a copy.
//! - An [`IpcFileError`] has the path of the file and the location of the error.
//!
//! The types of DataFusion are part of the interface, so a program needs the same major version: 55.
#![forbid(unsafe_code)]

mod error;
mod fields;
mod format;
mod nulls;
mod object;
mod opened;
mod options;
mod ordered_casts;
mod scan;
mod schema;
mod source;
mod statistics;

pub use crate::{
    error::{IpcFileError, IpcFileErrorKind},
    format::{IpcFormat, IpcFormatFactory, register, register_with},
    options::IpcOptions,
    source::IpcSource,
};

/// The examples of the README are compiled as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
