//! The layouts of Apache Arrow as one table, and the code that uses it: arrays, record batches, their validation, comparison and
//! selection.
//!
//! - [`layout`] says for every [`DataType`](arrow_schema::DataType) which buffers an array has and what must
//!   hold of them. All else in this workspace walks that table.
//! - [`ArrayData`] is one column of any type: sound in structure by construction, cheap to clone and slice.
//! - [`RecordBatch`] is columns of equal length with their schema.
//! - [`ChunkedArray`] is one column in several arrays, [`Table`] columns of these: the batches of a stream, without a copy.
//! - [`Level`] names how far data has been checked: structure, content, strict. [`ArrayData::validate`] goes further.
//! - [`ArrayData::same_values`] compares columns by what they mean, whatever their layouts; a [`Comparer`] compares
//!   ranges of slots, and its [`Difference`] says where they first differ. [`RecordBatch::same_rows`] and [`RecordBatch::differences`] do
//!   so for batches.
//! - [`ValueBytes`] writes values as bytes that are the same where the values are; a [`ValueTable`] finds values by them.
//! - [`concat()`], [`ArrayData::take`] and [`ArrayData::filter`] make arrays of slots of others, and
//!   [`RecordBatch`] has the same for rows; a [`Selector`] does all of that under a budget of memory.
//! - [`ArrayData::with_used_items`] leaves out bytes of views and items of list views that no slot refers to,
//!   [`ArrayData::with_used_values`] values of dictionaries. [`ArrayData::compact`] copies what slots refer to into memory of its own, so
//!   that a few rows do not keep a large batch.
//! - [`ArrayData::with_blank_nulls`] writes zeros in null slots.
//! - A [`GrowingArray`] accepts appends while others read snapshots.
//! - [`ArrayData::at_path`] gives the values of a field inside a column, and [`RecordBatch::at_path`] those of one of its
//!   columns: paths are [`FieldPath`](arrow_schema::FieldPath)s.
//! - [`ArrayData::dump`] shows the physical form: buffers, and what is in them.
//!
//! Nothing here sorts, casts or calculates.
//!
//! What reads contents checks them first, where that has not been done:
//!
//! ```
//! use arrow_buffer::{Bitmap, Buffer};
//! use arrow_data::{ArrayData, ArrayParts, Comparer, concat};
//! use arrow_schema::DataType;
//!
//! let numbers = ArrayData::try_new(ArrayParts {
//!     buffers: [Buffer::from(vec![5, 6, 7, 8]), Buffer::new()],
//!     ..ArrayParts::new(DataType::Int32, 4)
//! })?;
//! let even = numbers.filter(&Bitmap::from_iter([false, true, false, true]))?;
//! let odd = numbers.take(&[0, 2])?;
//! let all = concat(&[odd, even])?;
//! assert!(!all.same_values(&numbers)?);
//! let difference = Comparer::try_new(&all, &numbers)?.first_difference(0..4, 0)?;
//! assert_eq!(difference.map(|difference| difference.left_slot()), Some(1));
//! # Ok::<(), arrow_data::DataError>(())
//! ```
//!
//! The feature `mmap`, on by default, is that of `arrow-buffer`.
//!
//! Typed access to values, and builders of them, are in `arrow-array`; reading and writing in `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod array;
mod at_path;
mod batch;
mod blank;
mod chunked;
mod compare;
mod debug;
mod dump;
mod error;
mod grow;
mod layout;
mod level;
mod logical;
mod positions;
mod select;
mod swap;
mod table;
mod validate;
mod value_bytes;

pub use crate::{
    array::{ArrayData, ArrayParts, ProvenText},
    batch::RecordBatch,
    chunked::ChunkedArray,
    compare::{Comparer, Difference, DifferenceKind, RowDifference, RowDifferences},
    dump::Dump,
    error::{DataError, DataErrorKind},
    grow::GrowingArray,
    layout::{
        BufferSpec, ChildLen, Content, Count, Layout, Nulls, OffsetType, Physical, Role, Strict, Swap, layout,
    },
    level::{Level, Validation},
    select::{Selector, SlotIndex, Unused, concat},
    table::{Table, TableBatches},
    validate::Repairs,
    value_bytes::{Inserted, ValueBytes, ValueHasher, ValueReader, ValueTable, ValueWriter},
};

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
