//! Typed arrays over Apache Arrow data, and builders that make them.
//!
//! An [`ArrayData`](arrow_data::ArrayData) is a column of any type, as buffers. This crate has a Rust type for each layout, and
//! all of these types implement [`Array`]. To convert a column of a batch, call [`column_as`](TypedBatch::column_as); to
//! convert an [`ArrayData`](arrow_data::ArrayData), call `try_from`. Both check type and content once. After that, no access
//! fails because of invalid data.
//!
//! ```
//! use arrow_array::{Int64Array, TypedBatch, Utf8Array};
//! use arrow_data::RecordBatch;
//!
//! let batch = RecordBatch::try_from_columns([
//!     ("id", Int64Array::from_iter([1, 2, 3]).into()),
//!     ("name", Utf8Array::try_from_iter([Some("ada"), None, Some("grace")])?.into()),
//! ])?;
//!
//! let names = batch.column_as::<Utf8Array>("name")?;
//! assert_eq!(names.iter().collect::<Vec<_>>(), [Some("ada"), None, Some("grace")]);
//! for name in &names {
//!     println!("{}", name.unwrap_or("unknown"));
//! }
//! # Ok::<(), arrow_array::ArrayError>(())
//! ```
//!
//! Columns are found by name, by position, or by a path such as `address.zip`: `column`, `column_at` and `column_by_path`
//! return untyped arrays, and `column_as`, `column_at_as` and `column_by_path_as` of [`TypedBatch`] typed ones.
//! [`StructArray`] has methods of the same names. [`TypedBatch`] also has `filter_by`, which returns the rows that a mask
//! selects. Errors name the column.
//!
//! For a null slot, `get(i)` and iteration return `None`, and `value(i)` returns zero or an empty value. All arrays have `len`,
//! `null_count`, `is_valid`, `is_null`, `validity`, `slice`, `data_type` and `data`. Methods such as
//! [`values`](PrimitiveArray::values) return the numbers, offsets, views or bits of all slots, including null slots.
//!
//! The table of types in the repository has a row for every type: its array, its builder, and how a value is printed. [`arrow_data`] has batches,
//! and compares, filters, selects and concatenates columns of any type. [`arrow_schema`] has types and fields, and
//! [`arrow_buffer`] has bytes and numbers. `arrow-ipc` reads and writes files and streams; its folder `examples` has programs
//! that use typed arrays.
//!
//! # Make arrays
//!
//! Numbers, booleans, text and bytes have `from_iter`, and `from` for a `Vec` or a Rust array, which make an array of values or
//! of options. A `Vec` of numbers is not copied. `from_iter` of text and bytes panics if the values have more than 2 GiB, the
//! limit of offsets of 32 bits; their `try_from_iter` returns an error. So have lists whose items are of such types. Types with parameters have `try_from_iter`, which takes
//! the type as well, `fixed_size_binary` the number of bytes, and lists, dictionaries and runs the builder of their values.
//!
//! Builders make arrays of every type, value by value. The builder of a nested type contains the builders of its children.
//!
//! ```
//! use arrow_array::{Float64Array, ListBuilder, TimestampArray, Utf8Builder};
//! use arrow_schema::{DataType, TimeUnit};
//!
//! let scores = Float64Array::from_iter([Some(1.5), None]);
//! let seen = DataType::timestamp_with_zone(TimeUnit::Second, "UTC");
//! let seen = TimestampArray::try_from_iter(seen, [Some(1_700_000_000), None])?;
//! let mut tags = ListBuilder::new(Utf8Builder::new());
//! tags.append(["red", "green"]);
//! tags.append_null();
//! assert_eq!((scores.len(), seen.len(), tags.finish()?.len()), (2, 2, 2));
//! # Ok::<(), arrow_array::ArrayError>(())
//! ```
//!
//! [`Builder`] has the methods of all builders, and [`Append`] lists the values that they accept. If a value cannot be stored,
//! `finish` returns an error. [`Decimal`] prints, parses and compares numbers with their scale.
//!
//! # Rows of your own types
//!
//! [`StructBuilder`] builds the rows of a batch, from tuples or from types that implement [`AppendTo`].
//!
//! ```
//! use arrow_array::{AppendTo, Int64Builder, StructBuilder, Utf8Builder};
//!
//! struct Person { id: i64, name: Option<String> }
//!
//! impl AppendTo<(Int64Builder, Utf8Builder)> for &Person {
//!     fn append_to(self, (ids, names): &mut (Int64Builder, Utf8Builder)) {
//!         ids.append(self.id);
//!         names.append(self.name.as_deref());
//!     }
//! }
//!
//! let mut rows = StructBuilder::new((("id", Int64Builder::new()), ("name", Utf8Builder::new())));
//! rows.extend(&[Person { id: 1, name: Some("ada".to_owned()) }, Person { id: 2, name: None }]);
//! let batch = rows.finish_batch()?;
//! assert_eq!(batch.schema().to_string(), "id: int64\nname: utf8");
//! # Ok::<(), arrow_array::ArrayError>(())
//! ```
//!
//! # Read nested values
//!
//! To read nested values, get typed children: [`items_as`](GenericListArray::items_as) for lists,
//! [`column_as`](StructArray::column_as) for structs, [`entries_as`](MapArray::entries_as) for maps,
//! [`child_at_as`](UnionArray::child_at_as) for unions, [`decoded`](DictionaryArray::decoded) for dictionaries and runs. Each of
//! these methods checks the types once for all slots. A batch converts to a [`StructArray`], and back.
//!
//! ```
//! use arrow_array::{Int64Array, Int64Builder, ListBuilder};
//!
//! let mut lists = ListBuilder::new(Int64Builder::new());
//! lists.extend([vec![1, 2], vec![], vec![3]]);
//! let lists = lists.finish()?;
//! let lists = lists.items_as::<Int64Array>()?;
//! let sums: Vec<i64> = lists.iter().flatten().map(|items| items.iter().flatten().sum()).collect();
//! assert_eq!(sums, [3, 0, 3]);
//! # Ok::<(), arrow_array::ArrayError>(())
//! ```
//!
//! Arrays are equal if their values and their types, except for metadata, are equal. Encoded arrays are compared by their
//! decoded values, and floating-point numbers by their bits: a NaN equals the same NaN, and 0.0 differs from -0.0.
//!
//! # Types known only at run time
//!
//! To handle a column of any type, match on [`AnyArray`] once. [`with_integer!`], [`with_primitive!`] and [`with_array!`]
//! generate this match for generic code. [`AnyBuilder`] builds any type.
//!
//! ```
//! use arrow_array::{AnyArray, AnyBuilder, Int32Array};
//! use arrow_data::ArrayData;
//!
//! let column = ArrayData::from(Int32Array::from_iter([1, 2]));
//! match AnyArray::try_from(&column)? {
//!     AnyArray::Int32(numbers) => assert_eq!(numbers.get(1), Some(2)),
//!     AnyArray::Utf8(names) => println!("{:?}", names.get(1)),
//!     other => println!("{} slots of {}", other.data().len(), other.data().data_type()),
//! }
//! # Ok::<(), arrow_array::ArrayError>(())
//! ```
//!
//! A conversion to a typed array validates the data, unless it has been validated before. If many arrays share dictionaries,
//! [`DictionaryProofs`] validates each dictionary once.
//!
//! # One value
//!
//! A [`Scalar`] is one value of any type, together with its type. To make a scalar, use a slot of an array, a Rust value or a
//! builder.
//!
//! # Values as text
//!
//! `Debug` of an array prints its type and its first values, and [`AnyArray::display`] prints one value. [`ColumnText`] writes
//! the values of a column of any type, as lossless JSON or as plain text. The crate `arrow-text` writes tables, and reads and
//! writes JSON lines and CSV.
//!
//! # Features
//!
//! - `jiff`, off by default: reads and builds temporal arrays with the dates, times, timestamps and spans of the crate `jiff`.
//!   Without this feature, temporal values are integers.
//! - `time-zones`, off by default: `TimeZones::database` knows the rules of time zones by their names. Needs `jiff`, and has a
//!   time zone database for systems without one.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod array;
mod array_cache;
mod builder;
mod decimal;
mod digits;
mod dispatch;
mod display;
mod error;
mod form;
mod from_iter;
mod from_lists;
mod from_values;
mod kind;
pub mod parse;
mod scalar;
mod shared_validation;
#[cfg(feature = "jiff")]
mod temporal;
mod time_zone;
mod types;

pub use crate::{
    array::primitive::{
        Date32Array, Date64Array, Decimal32Array, Decimal64Array, Decimal128Array, Decimal256Array,
        DurationArray, Float16Array, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array,
        Int64Array, IntervalDayTimeArray, IntervalMonthDayNanoArray, IntervalYearMonthArray, Time32Array,
        Time64Array, TimestampArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
    },
    array::{
        Array, ArrayIter, BinaryArray, BinaryViewArray, BooleanArray, DecodedArray, DecodedIter,
        DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray, GenericBinaryArray, GenericListArray,
        GenericListViewArray, GenericUtf8Array, Items, LargeBinaryArray, LargeListArray, LargeListViewArray,
        LargeUtf8Array, ListArray, ListViewArray, Lists, ListsArray, MapArray, MapEntries, NullArray,
        PairIter, Pairs, Positions, PrimitiveArray, RunEndEncodedArray, RunIter, SlotIter, StructArray,
        StructValue, TypedBatch, TypedLists, TypedListsIter, TypedMaps, TypedMapsIter, UnionArray,
        UnionValue, Utf8Array, Utf8ViewArray, Width,
    },
    builder::primitive::{
        Date32Builder, Date64Builder, Decimal32Builder, Decimal64Builder, Decimal128Builder,
        Decimal256Builder, DurationBuilder, Float16Builder, Float32Builder, Float64Builder, Int8Builder,
        Int16Builder, Int32Builder, Int64Builder, IntervalDayTimeBuilder, IntervalMonthDayNanoBuilder,
        IntervalYearMonthBuilder, Time32Builder, Time64Builder, TimestampBuilder, UInt8Builder,
        UInt16Builder, UInt32Builder, UInt64Builder,
    },
    builder::{
        AnyBuilder, Append, AppendTo, BinaryBuilder, BinaryViewBuilder, BoolSlot, BooleanBuilder, Builder,
        BytesSlot, Children, DictionaryBuilder, FixedSizeBinaryBuilder, FixedSizeListBuilder,
        GenericBinaryBuilder, GenericListBuilder, GenericListViewBuilder, GenericUtf8Builder,
        LargeBinaryBuilder, LargeListBuilder, LargeListViewBuilder, LargeUtf8Builder, ListBuilder, ListSlot,
        ListViewBuilder, ListsBuilder, MapBuilder, NamedChildren, NullBuilder, PrimitiveBuilder,
        RunEndEncodedBuilder, StructBuilder, TextSlot, UnionBuilder, Utf8Builder, Utf8ViewBuilder,
        ValuesBuilder,
    },
    decimal::{Decimal, DecimalParameters, NativeDecimal, ParseDecimalError},
    dispatch::AnyArray,
    display::{AppendedText, ColumnText, ColumnTextIter, TextCache, TextStyle, ValueText},
    error::{ArrayError, ArrayErrorKind},
    form::{TensorAxes, TensorForm, TensorShape, ValueForm},
    from_lists::ListItem,
    from_values::ArrayIntoIter,
    parse::append_text,
    scalar::Scalar,
    shared_validation::DictionaryProofs,
    time_zone::{LocalTime, OffsetChange, TimeZones, ZoneFinder, ZoneRules},
    types::{
        Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DurationType,
        Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
        IntervalDayTimeType, IntervalMonthDayNanoType, IntervalYearMonthType, NumberSlot, PlainNumberSlot,
        PlainType, PrimitiveType, Time32Type, Time64Type, TimestampType, UInt8Type, UInt16Type, UInt32Type,
        UInt64Type,
    },
};
#[cfg(feature = "jiff")]
pub use crate::{error::TemporalError, temporal::JiffValue};

arrow_error::error_class! {
    ParseDecimalError => Malformed,
    parse::ValueError => Malformed,
}
#[cfg(feature = "jiff")]
arrow_error::error_class! { TemporalError => Misuse }

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
