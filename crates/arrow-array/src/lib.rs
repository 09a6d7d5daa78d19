//! Typed arrays over Apache Arrow data, builders of them, one display of their values, and rows from text.
//!
//! An [`ArrayData`](arrow_data::ArrayData) is a column of any type, as buffers. This crate gives it a Rust
//! type: one [`Array`] for each layout, made by `try_from`, which checks type and content once. After that no
//! data makes an access fail.
//!
//! ```
//! use arrow_array::{Int64Array, Utf8Array};
//! use arrow_data::RecordBatch;
//!
//! let batch = RecordBatch::try_from_columns([
//!     ("id", Int64Array::from_iter([1, 2, 3]).into()),
//!     ("name", Utf8Array::try_from_iter([Some("ada"), None, Some("grace")])?.into()),
//! ])?;
//!
//! let names = Utf8Array::try_from(batch.column("name")?)?;
//! let mut found = Vec::new();
//! for name in &names {
//!     found.push(name);
//! }
//! assert_eq!(found, [Some("ada"), None, Some("grace")]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - A null slot is `None` in `get(i)` and in iteration; `value(i)` gives what is zero or empty for it. All arrays have
//!   `len`, `null_count`, `is_valid`, `is_null`, `validity`, `slice`, `data_type` and `data`; the numbers, offsets, views or
//!   bits of all slots, those of nulls included, are there too, such as [`values`](PrimitiveArray::values).
//! - Arrays are equal when their types are, metadata left out, and their values. What is encoded compares by what it
//!   stands for, and floating-point numbers by their bits: a NaN equals the same NaN, 0.0 and -0.0 differ.
//! - What is nested is read with the types of its parts: [`items_as`](ListArrayOf::items_as) of lists,
//!   [`column_as`](StructArray::column_as) of structs, [`entries_as`](MapArray::entries_as) of maps,
//!   [`child_as`](UnionArray::child_as) of unions, [`decoded`](DictionaryArray::decoded) of dictionaries and runs. Each
//!   looks at the types once, and costs nothing for each slot. A batch becomes a [`StructArray`], and the other way round.
//! - Where the type is known only when the program runs, [`AnyArray`] is matched once. [`with_integer!`],
//!   [`with_primitive!`] and [`with_array!`] write the match for code that is generic.
//! - [`Decimal`] prints, parses and compares numbers with their scale. Temporal types are integers; with the feature
//!   `jiff` they are dates, times, timestamps and spans of that crate.
//! - Builders make arrays of every type, value by value: [`Builder`] says what all have in common, [`Append`] what values
//!   they take, [`AnyBuilder`] is the one of any type. They nest: the builder of a list is made of that of its items, and
//!   [`StructBuilder`] builds the rows of a batch, of tuples or of your own types.
//! - [`JsonRows`], [`CsvRows`] and [`Table`] write values of every type: losslessly, for programs that know no types,
//!   and for people. `docs/JSON.md` and `docs/CSV.md` say how. To look at a batch,
//!   `println!("{}", Table::of(&batch)?)`. For one batch after the other use a [`JsonWriter`] or [`CsvWriter`], which look
//!   at a dictionary only once.
//! - [`CsvReader`], and with the feature `json` `JsonReader`, read rows by a schema. Of a row that fails nothing is kept,
//!   and the [`RowError`] says on which line, in which field, what was expected and what was found.
//! - Arrays that have not been validated are validated when a typed array is made of them. Where many of them
//!   share dictionaries, [`DictionaryProofs`] does it once for each dictionary.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

mod array;
mod builder;
mod decimal;
mod dispatch;
mod display;
mod error;
mod from_iter;
mod kept;
mod proofs;
mod rows;
#[cfg(feature = "jiff")]
mod temporal;
mod types;

#[cfg(feature = "json")]
pub use crate::rows::JsonReader;
#[cfg(feature = "jiff")]
pub use crate::temporal::{JiffValue, TemporalError};
pub use crate::{
    array::{
        Array, ArrayIter, BinaryArray, BinaryArrayOf, BinaryViewArray, BooleanArray, Date32Array,
        Date64Array, Decimal32Array, Decimal64Array, Decimal128Array, Decimal256Array, Decoded, DecodedIter,
        DictionaryArray, DurationArray, FixedSizeBinaryArray, FixedSizeListArray, Float16Array, Float32Array,
        Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, IntervalDayTimeArray,
        IntervalMonthDayNanoArray, IntervalYearMonthArray, Items, LargeBinaryArray, LargeListArray,
        LargeListViewArray, LargeUtf8Array, ListArray, ListArrayOf, ListViewArray, ListViewArrayOf, Lists,
        MapArray, MapEntries, NullArray, PairIter, Pairs, Positions, PrimitiveArray, RunEndEncodedArray,
        RunIter, StructArray, StructValue, Time32Array, Time64Array, TimestampArray, TypedLists,
        TypedListsIter, TypedMaps, UInt8Array, UInt16Array, UInt32Array, UInt64Array, UnionArray, UnionValue,
        Utf8Array, Utf8ArrayOf, Utf8ViewArray, Width,
    },
    builder::{
        AnyBuilder, Append, AppendTo, BinaryBuilder, BinaryBuilderOf, BinaryViewBuilder, BooleanBuilder,
        Builder, BytesSlot, Children, Date32Builder, Date64Builder, Decimal32Builder, Decimal64Builder,
        Decimal128Builder, Decimal256Builder, DictionaryBuilder, DurationBuilder, FixedSizeBinaryBuilder,
        FixedSizeListBuilder, Float16Builder, Float32Builder, Float64Builder, Int8Builder, Int16Builder,
        Int32Builder, Int64Builder, IntervalDayTimeBuilder, IntervalMonthDayNanoBuilder,
        IntervalYearMonthBuilder, LargeBinaryBuilder, LargeListBuilder, LargeListViewBuilder,
        LargeUtf8Builder, ListBuilder, ListBuilderOf, ListSlot, ListViewBuilder, ListViewBuilderOf,
        MapBuilder, NamedChildren, NullBuilder, NumberSlot, PlainNumberSlot, PrimitiveBuilder,
        RunEndEncodedBuilder, StructBuilder, TextSlot, Time32Builder, Time64Builder, TimestampBuilder,
        UInt8Builder, UInt16Builder, UInt32Builder, UInt64Builder, UnionBuilder, Utf8Builder, Utf8BuilderOf,
        Utf8ViewBuilder,
    },
    decimal::{Decimal, DecimalNative, ParseDecimalError},
    dispatch::AnyArray,
    display::{
        BatchTable, CsvOptions, CsvRow, CsvRows, CsvWriter, DelimiterError, JsonColumn, JsonRow, JsonRowIter,
        JsonRows, JsonValue, JsonValueIter, JsonWriter, Table, TableHeader, TableOptions, TableRow,
        TableRows,
    },
    error::{ArrayError, ArrayErrorKind},
    proofs::DictionaryProofs,
    rows::{CsvReader, Expected, RowError, RowErrorKind, ValueError},
    types::{
        Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
        DecimalParameters, DurationType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type,
        Int32Type, Int64Type, IntervalDayTimeType, IntervalMonthDayNanoType, IntervalYearMonthType,
        PlainType, PrimitiveType, Time32Type, Time64Type, TimestampType, UInt8Type, UInt16Type, UInt32Type,
        UInt64Type,
    },
};
