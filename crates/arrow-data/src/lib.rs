//! The layouts of Apache Arrow as one table, and the code that uses the table: arrays, record batches, and their
//! validation.
//!
//! - [`layout`] returns, for every [`DataType`](arrow_schema::DataType), the buffers of an array and their rules. All
//!   crates of this workspace use this table.
//! - [`ArrayData`] is one column of any type. Its structure is always valid, and it is cheap to clone and slice.
//! - [`RecordBatch`] has columns of equal length and their schema.
//! - [`ChunkedArray`] is one column in several arrays. [`Table`] has columns of this kind: it joins the batches of a
//!   stream without a copy.
//! - [`Validation`] says which rules are checked: structure, content or strict. [`ArrayData::validate`] checks an array up
//!   to a level.
//! - [`ArrayData::at_path`] returns the values of a field inside a column, and [`RecordBatch::at_path`] the values of a
//!   field inside a batch. Paths are [`FieldPath`](arrow_schema::FieldPath)s.
//! - [`ArrayData::dump`] shows the buffers and their bytes.
//! - [`positions`] finds the values that slots refer to, for code that works on arrays of any type.
//! - Arrays, batches and tables are equal if types and values are equal. [`ArrayData::same_values`] compares values in any
//!   layouts; a [`Comparer`] compares ranges of slots, and a [`ColumnDifference`] is the first position at which they
//!   differ. [`differences`] finds the differences of two batches.
//!
//! Selection and concatenation are in `arrow-select`.
//!
//! ```
//! use arrow_buffer::Buffer;
//! use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
//! use arrow_schema::DataType;
//!
//! let numbers = ArrayData::try_new(ArrayParts {
//!     buffers: [Buffer::from(vec![5, 6, 7, 8]), Buffer::new()],
//!     ..ArrayParts::new(DataType::Int32, 4)
//! })?;
//! let batch = RecordBatch::try_from_columns([("n", numbers)])?.validate(Validation::Strict)?;
//! assert_eq!(batch.slice(1, 2).n_rows(), 2);
//! # Ok::<(), arrow_data::DataError>(())
//! ```
//!
//! The feature `mmap`, on by default, turns on the feature of the same name in `arrow-buffer`.
//!
//! Typed access to values and builders are in `arrow-array`; reading and writing are in `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod array;
mod batch;
mod chunked;
mod columns;
mod debug;
mod error;
mod layout;
mod row_differences;
mod swap;
mod table;
mod validation;

pub use crate::{
    array::{ArrayData, ArrayParts, ColumnDifference, Comparer, DifferenceKind, Dump, ProvenText, positions},
    batch::RecordBatch,
    chunked::ChunkedArray,
    error::{DataError, DataErrorKind},
    layout::{
        BufferSpec, ChildLen, Content, Count, Layout, Nulls, OffsetType, Physical, References, Role,
        StrictRule, Swap, layout,
    },
    row_differences::{RowDifference, RowDifferences, differences},
    table::{Table, TableBatches},
    validation::Validation,
};

// Plumbing of readers and imports: what validation has copied, what it remembers, and parts of arrays.
#[doc(hidden)]
pub use crate::array::{CheckedArrays, Repairs, trimmed};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
