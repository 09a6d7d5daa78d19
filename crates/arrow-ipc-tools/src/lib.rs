//! Checks, inspects, compares, converts and recovers Arrow IPC files and streams. Results and errors are data; the
//! crate `arrow-ipc-report` describes them as text and JSON.
//!
//! **Invariant:** nothing is printed here, and nothing opens an output.
//!
//! - [`validate()`] reads and checks a whole input.
//! - [`inspect()`] shows every message and the footer, also of damaged files.
//! - [`diff()`] compares schema, metadata and rows of two inputs in any encoding.
//! - [`count_rows`] counts rows, and reads only metadata. [`summarize`] describes the values of each column.
//! - [`convert()`] rewrites an input as a stream or file, and lists the losses. [`Conversion`] writes several inputs as
//!   one, or a part of an input. [`convert::split_files`] writes an input as several files.
//! - [`append::append_in_place`] writes the rows of inputs to the end of a file.
//! - [`recover()`] copies every complete batch of a damaged input, and lists the losses with their positions;
//!   [`RecoverCopy`](recover::RecoverCopy) does so without I/O.
//! - [`Import`] reads CSV and lines of JSON (feature `text`). [`Input`] also reads the tables of Feather files of version 1.
//! - [`Rows`] returns the batches of a file or of several streams; a [`cursor::RowCursor`] returns only
//!   the rows in a [`RowWindow`].
//!
//! An [`Input`] is a file, bytes in memory, anything that is read by position, or a pipe. A [`ToolError`] names the
//! input, and its [`ToolErrorKind`] is the cause. An [`Observer`] receives progress, and may stop the work.
//!
//! # Features
//!
//! - `text`, off by default: reads text, data sets, and inputs that are compressed as a whole.
//! - `lz4`, `zstd` and `mmap`, on by default, and `rayon`, off by default, are passed on to `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]
// docs/STYLE.md, rule 4. Tests may pick out one variant.

// The first page names what only text has, whatever the features.
#![cfg_attr(not(feature = "text"), allow(rustdoc::broken_intra_doc_links))]

pub mod append;
pub mod byte_counter;
pub mod columns;
#[cfg(feature = "text")]
pub mod compressed;
pub mod convert;
pub mod count;
pub mod cursor;
pub mod diff;
mod error;
pub mod identity;
#[cfg(feature = "text")]
pub mod import;
mod index;
mod input;
#[cfg(feature = "text")]
mod input_set;
pub mod inspect;
mod observer;
pub mod recover;
mod rows;
mod source;
pub mod summary;
pub mod tensors;
pub mod validate;
mod walk;

pub use self::{
    columns::{ColumnNames, RowQuery},
    convert::{Conversion, ConvertOptions, Loss, Reshaping, convert},
    count::count_rows,
    diff::{DiffOptions, DiffSink, Difference, diff},
    error::{Contradiction, InputContext, ToolError, ToolErrorKind, foreign::ForeignFormat, name::InputName},
    index::index_stream,
    input::Input,
    inspect::{InspectOptions, InspectReport, InspectSink, inspect},
    observer::{
        InputRemarks, Note, NoteKind, Observer, Progress, StatisticsLoss, Unit, unknown_zone::UnknownZone,
    },
    recover::{RecoverOptions, RecoverReport, recover},
    rows::{Rows, row_window::RowWindow},
    source::SharedSource,
    summary::{Summary, SummaryOptions, summarize},
    validate::{ValidateOptions, ValidateReport, validate},
};
#[cfg(feature = "text")]
pub use self::{
    error::malformed_text::MalformedText,
    import::{Import, ImportOptions},
    input_set::InputSet,
};

/// The bytes after a stream, before a footer and after it.
pub mod trailing {
    #[cfg(feature = "text")]
    pub use crate::input_set::unreferenced_bytes_of;
    pub use crate::{
        error::trailing::TrailingBytes, input::continuation::Continuation,
        source::before_footer::BytesBeforeFooter,
    };
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
