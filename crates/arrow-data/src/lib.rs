//! The layouts of Apache Arrow as one table, and the code that uses the table: arrays, record batches, and their validation,
//! comparison and selection.
//!
//! - [`layout`] returns, for every [`DataType`](arrow_schema::DataType), the buffers of an array and their rules. All
//!   crates of this workspace use this table.
//! - [`ArrayData`] is one column of any type. Its structure is always valid, and it is cheap to clone and slice.
//! - [`RecordBatch`] has columns of equal length and their schema.
//! - [`ChunkedArray`] is one column in several arrays. [`Table`] has columns of this kind: it joins the batches of a
//!   stream without a copy.
//! - [`Level`] says which rules are checked: structure, content or strict. [`ArrayData::validate`] checks an array up
//!   to a level.
//! - [`ArrayData::same_values`] compares columns by value, in any layouts. A [`Comparer`] compares ranges of slots, and
//!   a [`ColumnDifference`] is the first position at which they differ. [`RecordBatch::same_rows`] and
//!   [`RecordBatch::differences`] compare batches.
//! - [`ValueBytes`] writes values as bytes: equal values have equal bytes. A [`ValueTable`] finds values by these
//!   bytes.
//! - [`concat()`], [`ArrayData::take`] and [`ArrayData::filter`] make arrays from slots of other arrays, and
//!   [`RecordBatch`] does the same for rows. A [`Selector`] does so under a memory budget.
//! - [`ArrayData::with_used_items`] removes bytes of views and items of list views that no slot refers to.
//!   [`ArrayData::with_used_values`] removes values of dictionaries. [`ArrayData::compact`] copies the data that slots
//!   refer to, so that a few rows do not keep a large batch in memory.
//! - [`ArrayData::with_blank_nulls`] writes zeros in null slots.
//! - A [`GrowingArray`] accepts appends while other code reads snapshots.
//! - [`ArrayData::at_path`] returns the values of a field inside a column, and [`RecordBatch::at_path`] the values of a
//!   field inside a batch. Paths are [`FieldPath`](arrow_schema::FieldPath)s.
//! - [`ArrayData::dump`] shows the buffers and their bytes.
//!
//! This crate does not sort, cast or calculate.
//!
//! Functions that read content check it first, unless it has been checked before:
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
//! The feature `mmap`, on by default, turns on the feature of the same name in `arrow-buffer`.
//!
//! Typed access to values and builders are in `arrow-array`; reading and writing are in `arrow-ipc`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod array;
mod at_path;
mod batch;
mod blank;
mod chunked;
mod columns;
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
    compare::{ColumnDifference, Comparer, DifferenceKind, RowDifference, RowDifferences},
    dump::Dump,
    error::{DataError, DataErrorKind},
    grow::GrowingArray,
    layout::{
        BufferSpec, ChildLen, Content, Count, Layout, Nulls, OffsetType, Physical, Role, Strict, Swap, layout,
    },
    level::{Level, Validation},
    select::{Selector, SlotIndex, Unused, Used, concat},
    table::{Table, TableBatches},
    validate::Repairs,
    value_bytes::{
        Inserted, PairOrder, ValueBytes, ValueHasher, ValueReader, ValueTable, ValueWriter, WrittenValue,
        sort_pairs,
    },
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
