//! Converts rows of [serde](https://serde.rs) types to batches of Apache Arrow data, and back.
//!
//! [`to_batch`] and [`RowWriter`] write any type that is `Serialize` to batches of a given schema. [`BatchRows`] and
//! [`try_from_batch`] read any type that is `Deserialize`. A value that a column or the type of a field cannot store
//! exactly is an error, which names the row and the field. Only two kinds of values are rounded, to the nearest number:
//! floating-point numbers whose new type is narrower, and decimals that are read as floating-point numbers. Integers
//! are never rounded, and a finite number never becomes infinite.
//!
//! ```
//! use arrow_schema::Schema;
//! use arrow_serde::{BatchRows, to_batch};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Person<'a> {
//!     id: u32,
//!     name: &'a str,
//!     tags: Vec<&'a str>,
//! }
//!
//! let schema: Schema = "id: int64 not null\nname: utf8\ntags: list<item: dictionary<int8, utf8>>".parse()?;
//! let people = [Person { id: 1, name: "ada", tags: vec!["new", "red"] }, Person { id: 2, name: "eve", tags: vec![] }];
//! let batch = to_batch(schema, &people)?;
//!
//! let rows = BatchRows::try_new(&batch)?;
//! let ada: Person<'_> = rows.row(0)?;
//! assert_eq!((ada.name, ada.tags), ("ada", vec!["new", "red"]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`SchemaTracer`] finds a schema from samples of rows, or from the Rust type of the rows alone.
//!
//! # Which value goes with which type
//!
//! | type | is written from | is read as |
//! |---|---|---|
//! | `null` | `()`, `None`, unit structs | the same |
//! | `bool` | `bool` | `bool` |
//! | `int8` … `uint64` | any integer in range | any integer or floating-point type that contains the number |
//! | `float16` … `float64` | floating-point numbers, rounded to the nearest; integers, if the type contains the number | `f32`, `f64`, rounded to the nearest |
//! | `decimal32` … `decimal256` | text, integers of that value | text; integers, if whole; the nearest floating-point number |
//! | `date32`, `date64`, `time32`, `time64`, `timestamp` | text; integers, in the unit of the type. `date64`: whole days; times: within a day | text; integers |
//! | `duration` | integers | any integer or floating-point type that contains the number |
//! | `interval(…)` | structs or maps of integers: `months`; or `days`, `milliseconds`; or `months`, `days`, `nanoseconds`. Only months: also integers | the same |
//! | `utf8`, `large_utf8`, `utf8_view` | text, characters, names of variants | the same; `&str` borrows |
//! | `binary`, `large_binary`, `binary_view`, `fixed_size_binary` | bytes, sequences and tuples of `u8`; text of hexadecimal digits | bytes (`&[u8]` borrows), sequences of `u8`; text |
//! | `list`, `large_list`, `list_view`, `large_list_view`, `fixed_size_list` | sequences, tuples | the same |
//! | `struct`, and rows | structs, maps with names as keys, tuples of all fields | the same |
//! | `map` | maps, structs | the same; sequences of pairs |
//! | `union` | enums, by the names of the children; maps of one entry, whose key is the name of a child | the same |
//! | `dictionary`, `run_end_encoded` | the same as their values | the same as their values |
//!
//! Text of dates, times, timestamps, decimals and bytes has the form of JSON rows (`NOTATION.md` of `arrow-text`). `chrono`, `jiff`
//! and `time` write the same text. A Rust type that accepts any value, such as `serde_json::Value`, gets this text, and
//! gets bytes for binary values. As in JSON rows, the text of a time may also be the stored number, and the text of a
//! `date64` may be a timestamp. This text may be outside a day, since some producers store such values.
//!
//! Below `#[serde(flatten)]`, and in enums that are `untagged` or have a `tag`, serde keeps values of any type, and converts them
//! itself when it knows the type of a field. There it rounds integers that a floating-point type does not contain, and
//! numbers above the range of `f32` become infinite.
//!
//! `None` is written as null, and a null can only be read as `None`. A union has no nulls of its own, so wrap an optional enum
//! in a struct: `None` is then a null of the struct.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod compound;
mod error;
mod read;
mod trace;
mod write;

pub use crate::{
    error::{SerdeError, SerdeErrorKind},
    read::{BatchRows, OwnedRowIter, RowIter, try_from_batch},
    trace::SchemaTracer,
    write::{RowWriter, to_batch},
};

/// The maximum depth of types in a schema. Writing or reading a value recurses once for each level.
const MAX_DEPTH: usize = 64;

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
