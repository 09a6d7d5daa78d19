//! The wire layer of Arrow IPC: bytes of messages to checked values, and back. It does no I/O, and knows no arrays.
//!
//! - [`Prefix`] is the continuation marker and the length before the metadata of a message.
//! - [`Message`] is one encapsulated message, [`NextMessage`] finds it in a range of bytes; [`Message::header`] reads its [`Header`]: an [`IpcSchema`], or the nodes and
//!   buffers of a batch ([`BatchHeader`]). All numbers are checked: no length is negative, and each [`BodyRange`] lies
//!   inside the body.
//! - [`IpcSchema`] is a schema with dictionary ids, metadata version and byte order.
//! - [`columns`] says which nodes and buffers of a message belong to which field.
//! - [`Limits`] bounds lengths, counts and depths.
//! - [`FormatError`] says what is wrong, with the values that were found and allowed.
//! - [`Codec`], [`MetadataVersion`], [`Endianness`], [`MessageKind`] and [`Container`] name what the format has.
//!
//! `arrow-ipc` stands on this crate: streams, files, dictionaries and compression. Take this crate alone to look into
//! messages, or to carry them in a protocol of your own.
//!
//! [`tables`] has the tables of the format with checked accessors, which `cargo xtask codegen` generates from the schemas in
//! the folder `format` of the repository. Tables may share children, so a small input can describe a huge tree: bound how
//! deep and how far you walk.
#![forbid(unsafe_code)]
#![deny(clippy::wildcard_enum_match_arm)] // docs/STYLE.md, rule 4. Tests may pick out one variant.

pub mod columns;
pub mod error;

mod alignment;
mod bare_schema;
mod body_range;
mod buffer_map;
pub mod flatbuffer;
mod limits;
mod message;
mod prefix;
mod protocol;
mod schema;
mod schema_message;
#[allow(missing_docs)]
#[rustfmt::skip]
pub mod tables;

pub use crate::{
    alignment::{Alignment, SMALL_ALIGNMENT, length_of, round_up, share_of},
    bare_schema::bare_schema,
    body_range::BodyRange,
    buffer_map::{BufferDescription, BufferDescriptions, BufferMap},
    error::{ErrorClass, FormatError, FormatErrorKind, not_negative, required},
    limits::Limits,
    message::{
        BatchHeader, BatchHeaderBuilder, BatchMetadata, BatchView, DictionaryHeader, Envelope, FieldNode,
        Header, Message, MessageFormat, MetadataEncoder, NextMessage, VectorLengths, cut_prefix,
        wire_version,
    },
    prefix::{CONTINUATION, END_MARKER, LEGACY_PREFIX_BYTES, PREFIX_BYTES, Prefix},
    protocol::{
        Codec, Container, Endianness, FILE_MAGIC, Feature, Framing, MessageKind, MetadataVersion,
        WrittenContainer,
    },
    schema::{
        IpcSchema, SchemaFlatbuffer, SchemaIrregularity, SchemaPart, SharedList, TypeTable,
        UnsupportedColumn, check_fits, check_metadata_utf8, check_readable, decode_index_type,
        decode_metadata, decode_schema, decode_type, n_metadata_bytes, write_metadata, write_type,
    },
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
