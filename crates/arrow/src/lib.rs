//! Apache Arrow in one dependency: batches, typed arrays, streams and files.
//!
//! The root re-exports the names that most programs need, and has one [`Error`] for the errors of all crates. The modules
//! are the other crates of the project: [`array`](mod@array) has all arrays and builders, [`ipc`] has the IPC protocol,
//! and there are [`buffer`], [`data`], [`schema`] and [`select`]. The features `async`, `c-data`, `compute`, `dataset`,
//! `recover`, `rewrite`, `serde`, `statistics`, `tensor` and `text` add modules with these names; those of `async` and
//! `c-data` are `asynchronous` and `c_data`.
//!
//! # Filtering rows by a predicate
//!
//! A column of a batch is an array of some type. Its values are [`Option`]s; a null is `None`.
//!
//! ```
//! use arrow::{BooleanArray, Int64Array, RecordBatch, TypedBatch, Utf8Array};
//!
//! let names = Utf8Array::try_from_iter([Some("ada"), None, Some("grace")])?;
//! let years = Int64Array::from_iter([Some(1815), Some(1912), None]);
//! let people = RecordBatch::try_from_columns([("name", names.into()), ("born", years.into())])?;
//!
//! let born = people.column_as::<Int64Array>("born")?;
//! let is_early: BooleanArray = born.iter().map(|year| year.map(|year| year < 1900)).collect();
//! // Neither false nor null.
//! let early = people.filter_by(&is_early)?;
//! assert_eq!(early.column_as::<Utf8Array>("name")?.iter().collect::<Vec<_>>(), [Some("ada")]);
//! # Ok::<(), arrow::Error>(())
//! ```
//!
//! With the feature `compute`, you can write a condition as text: `"born < 1900".parse::<compute::Predicate>()`. `bind`
//! looks up the columns in a schema, and `matches` then returns the matching rows of a batch as a [`Bitmap`] for
//! [`filter`](select::Select::filter).
//!
//! # Reading a file
//!
//! ```
//! use arrow::{FileReader, FileWriter, Int64Array, Projection, RecordBatch, TypedBatch};
//!
//! # let path = std::env::temp_dir().join(format!("arrow-front-page-{}.arrow", std::process::id()));
//! let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
//! let mut writer = FileWriter::create(&path, batch.schema())?;
//! writer.write(&batch)?;
//! writer.finish()?;
//!
//! let file = FileReader::open(&path)?.project(&Projection::names(["id"]))?;
//! for batch in file.batches() {
//!     let ids = batch?.column_as::<Int64Array>("id")?;
//!     assert_eq!(ids.values(), [1, 2]);
//! }
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), arrow::Error>(())
//! ```
//!
//! # Decoding a stream whose bytes arrive in pieces
//!
//! [`StreamDecoder`] does no I/O: you pass the bytes that have arrived, and it returns complete batches.
//!
//! ```
//! use arrow::{Buffer, Int64Array, RecordBatch, Step, StreamDecoder, StreamWriter};
//!
//! let batches = [RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?];
//! let stream = StreamWriter::write_to_buffer(batches[0].schema(), &batches)?;
//!
//! let mut decoder = StreamDecoder::new();
//! let (mut pieces, mut n_rows) = (stream.chunks(10), 0);
//! loop {
//!     match decoder.step()? {
//!         Step::NeedBytes(_) => match pieces.next() {
//!             Some(piece) => decoder.feed(Buffer::copy_from(piece)),
//!             // Then the next step is the end, or an error if the stream is truncated.
//!             None => decoder.finish_input(),
//!         },
//!         Step::Batch(next) => n_rows += next.batch.n_rows(),
//!         Step::End => break,
//!         _ => {}
//!     }
//! }
//! assert_eq!(n_rows, 2);
//! # Ok::<(), arrow::Error>(())
//! ```
#![forbid(unsafe_code)]

mod error;

pub use self::error::{Error, Result};

pub use arrow_array as array;
pub use arrow_buffer as buffer;
#[cfg(feature = "c-data")]
pub use arrow_c_data as c_data;
#[cfg(feature = "compute")]
pub use arrow_compute as compute;
pub use arrow_data as data;
pub use arrow_ipc as ipc;
#[cfg(feature = "async")]
pub use arrow_ipc_async as asynchronous;
#[cfg(feature = "dataset")]
pub use arrow_ipc_dataset as dataset;
#[cfg(feature = "recover")]
pub use arrow_ipc_recover as recover;
#[cfg(feature = "rewrite")]
pub use arrow_ipc_rewrite as rewrite;
#[cfg(feature = "statistics")]
pub use arrow_ipc_statistics as statistics;
#[cfg(feature = "tensor")]
pub use arrow_ipc_tensor as tensor;
pub use arrow_schema as schema;
pub use arrow_select as select;
#[cfg(feature = "serde")]
pub use arrow_serde as serde;
#[cfg(feature = "text")]
pub use arrow_text as text;

pub use arrow_array::{
    AnyArray, AnyBuilder, BinaryArray, BinaryBuilder, BooleanArray, BooleanBuilder, Date32Array,
    Date32Builder, Decimal, Decimal128Array, Decimal128Builder, DictionaryArray, DictionaryBuilder,
    Float32Array, Float32Builder, Float64Array, Float64Builder, Int8Array, Int8Builder, Int16Array,
    Int16Builder, Int32Array, Int32Builder, Int64Array, Int64Builder, ListArray, ListBuilder, Scalar,
    StructArray, StructBuilder, TimestampArray, TimestampBuilder, TypedBatch, UInt8Array, UInt8Builder,
    UInt16Array, UInt16Builder, UInt32Array, UInt32Builder, UInt64Array, UInt64Builder, Utf8Array,
    Utf8Builder, Utf8ViewArray, Utf8ViewBuilder,
};
pub use arrow_buffer::{Bitmap, Buffer};
pub use arrow_data::{ArrayData, RecordBatch};
pub use arrow_ipc::{
    Compression, FileReader, FileWriter, IpcError, Projection, ReadOptions, Step, StreamDecoder,
    StreamReader, StreamWriter, WriteOptions,
};
pub use arrow_schema::{DataType, Field, Metadata, Schema, TimeUnit};
pub use arrow_select::{Select, concat, concat_batches};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// The examples of the README of the project are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod project_readme {}

// Its examples are compiled and run as tests.
#[cfg(any(doc, all(doctest, feature = "json")))]
#[doc = include_str!("../../../docs/GUIDE.md")]
pub mod guide {}
