//! Selects and concatenates arrays and record batches of any type.
//!
//! - [`Select`] has the methods of arrays and batches that select slots: `take`, `filter`, `take_ranges`. [`concat()`] and
//!   [`concat_batches`] join them. A [`Selector`] does the same under a memory budget.
//! - [`combine_chunks`] makes one array of a [`ChunkedArray`](arrow_data::ChunkedArray), and [`combine_table`] one batch of
//!   a [`Table`](arrow_data::Table).
//! - [`Select::with_used_items`] removes bytes of views and items of list views that no slot refers to.
//!   [`Select::with_used_values`] removes values of dictionaries. [`Select::compact`] copies the data that slots refer to,
//!   so that a few rows do not keep a large batch in memory; [`ReferredBytes`] counts this data. [`Select::with_zeroed_nulls`]
//!   writes zeros in null slots, and [`Select::with_unused_nulls`] makes null what no valid slot refers to.
//! - [`ValueBytes`] writes values as bytes: equal values have equal bytes. A [`ValueTable`] finds values by these bytes.
//! - A [`GrowingArray`] accepts appends while other code reads snapshots.
//!
//! `arrow-data` compares arrays; `arrow-compute` casts and calculates. No crate sorts.
//!
//! Functions that read content check it first, unless it has been checked before:
//!
//! ```
//! use arrow_buffer::{Bitmap, Buffer};
//! use arrow_data::{ArrayData, ArrayParts};
//! use arrow_schema::DataType;
//! use arrow_data::Comparer;
//! use arrow_select::{Select, concat};
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
//! # Ok::<(), arrow_select::SelectError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod error;
mod grow;
mod select;
mod value_bytes;

pub use crate::{
    error::{SelectError, SelectErrorKind},
    grow::GrowingArray,
    select::{
        ReferredBytes, Select, Selector, SlotIndex, UnusedValues, UsedRanges, combine_chunks, combine_table,
        concat, concat_batches, refers_to_at_least,
    },
    value_bytes::{
        Insertion, PairOrder, ValueBytes, ValueEncoding, ValueHasher, ValueReader, ValueTable, ValueWriter,
        sort_pairs,
    },
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
