//! Computes statistics of columns of any Apache Arrow type, batch by batch and in bounded memory; casts columns between
//! encodings, widths and units; and finds rows for which a condition is true.
//!
//! [`Decode::decoded`] makes plain arrays of dictionaries and runs of any type, at any depth.
//!
//! [`Statistics`] counts rows, nulls and distinct values, finds the least and the greatest value, and computes the mean and the
//! mean length of text, bytes and lists. It decodes dictionaries and runs.
//!
//! ```
//! use arrow_array::Int64Array;
//! use arrow_compute::{DistinctCount, Statistics};
//! use arrow_schema::DataType;
//!
//! let mut statistics = Statistics::new(DataType::Int64);
//! for batch in [[Some(3), None], [Some(1), Some(3)]] {
//!     statistics.add(Int64Array::from_iter(batch).data())?;
//! }
//! assert_eq!((statistics.n_rows(), statistics.null_count()), (4, 1));
//! assert_eq!(statistics.distinct(), DistinctCount::Exact(2));
//! let (min, max) = (statistics.min().unwrap(), statistics.max().unwrap());
//! assert_eq!((min.to_string(), max.to_string()), ("1".to_owned(), "3".to_owned()));
//! # Ok::<(), arrow_compute::StatisticsError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod cast;
mod long_values;
mod predicate;
mod statistics;
mod wider_type;

pub use crate::cast::{Cast, CastError, CastErrorKind, Decode, Digits, cast};
pub use crate::predicate::{
    BoundPredicate, ColumnBounds, ComparisonOperator, JsonParser, Matches, Predicate, PredicateError,
    PredicateErrorKind,
};
pub use crate::statistics::{
    DistinctCount, Extreme, Statistics, StatisticsError, StatisticsLimits, has_order,
};
pub use crate::wider_type::wider_type;

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
