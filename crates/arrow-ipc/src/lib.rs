//! The Apache Arrow IPC protocol: streams and random-access files, read and written without copies.
//!
//! - Streams: [`StreamReader`] and [`StreamWriter`] over `Read` and `Write`; [`StreamDecoder`] and [`StreamEncoder`]
//!   without I/O.
//! - Files: [`FileReader`] reads batches in any order, from memory or any [`Source`]; [`FileWriter`] writes without
//!   `Seek`; [`FileAppender`] appends in place; [`FileDecoder`] and [`FileEncoder`] do no I/O.
//! - Options for writing: [`WriteOptions`], with [`Compression`], [`DictionaryPolicy`], metadata version, framing and
//!   byte order.
//! - The output of encoders: [`Encoded`] must be written before the next batch is encoded. [`OwnedEncoded`] can wait in a
//!   queue or for an async writer.
//! - Sizes: [`EncodedBytes`] counts the bytes of a message before it is written, [`split_by_encoded_bytes`] splits a batch,
//!   and [`WriteOptions::with_max_message_bytes`] all batches of a writer.
//! - Remote files: [`file::ReadPlan`] lists the byte ranges to fetch, and a [`FetchCost`] decides which ranges share a
//!   request. If the footer has [`RowCounts`], counting rows needs no request.
//! - Other protocols, such as Flight: [`MessageDecoder`] and [`MessageEncoder`] decode and encode single messages.
//! - Low level: [`Messages`] and [`MessageScan`] return single messages, for tools that process messages themselves.
//!
//! Fewer programs need these modules:
//!
//! - [`compression`]: single buffers of compressed bodies.
//! - [`file`](mod@file), [`message`], [`dictionary`], [`segment`] and [`error`]: further types of the readers and writers
//!   above.
//!
//! Batches are [`RecordBatch`](arrow_data::RecordBatch)es of `arrow-data`. Other crates have typed arrays and builders
//! (`arrow-array`), tensors (`arrow-ipc-tensor`), the rest of damaged files (`arrow-ipc-recover`), messages rewritten
//! without arrays and files that are planned before they are written (`arrow-ipc-rewrite`), tables, JSON and CSV (`arrow-text`), asynchronous readers and writers (`arrow-ipc-async`), and
//! object stores (`arrow-ipc-object-store`). The crate `arrow` has examples,
//! which run as tests, and a guide by tasks with a table for those who come from arrow-rs.
//!
//! # Writing and reading a file
//!
//! ```
//! use arrow_array::{Int64Array, TypedBatch, Utf8Array};
//! use arrow_data::RecordBatch;
//! use arrow_ipc::{FileReader, FileWriter};
//!
//! let ids = Int64Array::from_iter([1, 2]).into();
//! let names = Utf8Array::try_from_iter([Some("ada"), None])?.into();
//! let batch = RecordBatch::try_from_columns([("id", ids), ("name", names)])?;
//! # let path = std::env::temp_dir().join(format!("arrow-ipc-front-page-{}.arrow", std::process::id()));
//!
//! let mut writer = FileWriter::create(&path, batch.schema())?;
//! writer.write(&batch)?;
//! writer.finish()?;
//!
//! let file = FileReader::open(&path)?;
//! assert_eq!(file.n_batches(), 1);
//! for batch in file.batches() {
//!     let names = batch?.column_as::<Utf8Array>("name")?;
//!     assert_eq!((names.get(0), names.get(1)), (Some("ada"), None));
//! }
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Writing and reading a stream
//!
//! ```
//! use arrow_array::Int64Array;
//! use arrow_data::RecordBatch;
//! use arrow_ipc::{StreamReader, StreamWriter};
//!
//! let ids = Int64Array::from_iter([1, 2, 3]).into();
//! let batches = [RecordBatch::try_from_columns([("id", ids)])?];
//!
//! // In memory that is taken once. `StreamWriter::try_new` writes to any `Write`, batch by batch.
//! let stream = StreamWriter::write_to_buffer(batches[0].schema(), &batches)?;
//!
//! let reader = StreamReader::try_new(&*stream)?;
//! assert_eq!(reader.schema().to_string(), "id: int64");
//! for batch in reader {
//!     assert_eq!(batch?.n_rows(), 3);
//! }
//! # Ok::<(), arrow_ipc::IpcError>(())
//! ```
//!
//! # Reading one column of a file that is in memory
//!
//! ```
//! # use arrow_buffer::Buffer;
//! # use arrow_data::{ArrayData, RecordBatch};
//! # use arrow_ipc::{FileReader, FileWriter, Projection};
//! # use arrow_schema::DataType;
//! # let columns = [("a", ArrayData::new_empty(&DataType::Utf8)), ("b", ArrayData::new_empty(&DataType::Date32))];
//! # let batches = [RecordBatch::try_from_columns(columns)?];
//! let bytes: Buffer = FileWriter::write_to_buffer(batches[0].schema(), &batches)?;
//! let file = FileReader::try_from_buffer(bytes)?.project(&Projection::names(["b"]))?;
//! for batch in file.batches() {
//!     assert_eq!(batch?.schema().to_string(), "b: date32");
//! }
//! # Ok::<(), arrow_ipc::IpcError>(())
//! ```
//!
//! # Trust
//!
//! For any input, reading returns either a batch, or an error with its position. Reading never panics, and its memory is
//! in proportion to the input. By default, reading checks the content of batches; see [`Validation`]. [`Limits`] bounds
//! lengths, counts and depths.
//!
//! # Features
//!
//! - `lz4` and `zstd`, on by default: read and write compressed bodies (see [`Compression`]). Without the feature of its
//!   codec, reading a compressed body returns an error that names the feature. `zstd` builds a C library.
//! - `file`, on by default: files, and scans of all messages of an input. Streams do not need this feature.
//! - `mmap`, on by default: memory maps (`Buffer::map` of `arrow-buffer`), and huge pages for large bodies.
//! - `rayon`: compresses and decompresses the buffers of large batches on several threads, with the same result, and adds
//!   `FileReader::par_batches`.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)]
// docs/STYLE.md, rule 4. Tests may pick out one variant.

// The first page names what only files have, whatever the features.
#![cfg_attr(not(feature = "file"), allow(rustdoc::broken_intra_doc_links))]

pub mod compression;
pub mod dictionary;
pub mod error;
#[cfg(feature = "file")]
pub mod file;
/// The messages of streams and files, for programs that handle messages directly. [`Messages`] and [`MessageScan`]
/// return them.
pub mod message {
    pub use crate::batch::BatchLayout;
    pub use arrow_ipc_format::{BatchHeader, BodyRange, FieldNode, Header, Message, bare_schema};
}
pub mod segment;

mod batch;
mod encoded_bytes;
mod frame;
mod message_decoder;
mod message_encoder;
mod options;
mod recycled;
#[cfg(feature = "file")]
mod scan;
mod source;
mod stream;
mod threads;
mod unused;

pub use crate::{
    batch::{BatchWithMetadata, ReadStats},
    compression::Compression,
    dictionary::DictionaryPolicy,
    encoded_bytes::{EncodedBytes, split_by_encoded_bytes, split_by_encoded_bytes_with},
    error::{ErrorClass, FormatError, FormatErrorKind, IpcError, IpcErrorKind, Result},
    message_decoder::MessageDecoder,
    message_encoder::MessageEncoder,
    options::{
        Copies, DictionaryMode, NullSlots, OptionError, Projection, ReadOptions, RowCounts, SharedBuffers,
        UnusedValues, Validation, WriteOptions,
    },
    recycled::RecycledMemory,
    segment::{
        encoded::{Encoded, EncodedMessage, MessageSize, OwnedEncoded},
        parts::MessageParts,
    },
    source::{FetchCost, FetchCostEstimator, ReadAt, SeekSource, Source},
    stream::{
        BatchEncoder, EndOfStream, LargeBatch, MessageStep, Messages, RawMessageEncoder, SinkWriter, Step,
        StreamDecoder, StreamEncoder, StreamReader, StreamWriter, Trailer,
    },
    threads::Threads,
};
#[cfg(feature = "file")]
pub use crate::{
    file::{AtomicFile, ContainerEncoder, FileAppender, FileDecoder, FileEncoder, FileReader, FileWriter},
    scan::MessageScan,
    source::planner,
};
pub use arrow_ipc_format::{
    BodyRange, BufferDescription, BufferDescriptions, BufferMap, Codec, Container, Endianness, Feature,
    Framing, IpcSchema, Limits, MessageKind, MetadataVersion, SchemaIrregularity, UnsupportedColumn,
    WrittenContainer,
};

/// Compiles and runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
