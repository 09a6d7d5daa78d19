//! The Apache Arrow IPC protocol.
#![forbid(unsafe_code)]

mod batch;
mod body;
mod columns;
mod compression;
mod detect;
mod dictionary;
mod error;
mod file;
mod frame;
mod ipc_schema;
mod limits;
mod message;
mod options;
mod schema;
mod source;
mod stats;
mod stream;

pub use crate::{
    detect::Container,
    error::{ErrorClass, IpcError, IpcErrorKind, Location, Result, Unsupported},
    file::{Batches, Block, FileReader, Footer},
    ipc_schema::{Endianness, IpcSchema, MetadataVersion},
    limits::{Budget, Limits},
    message::{BatchHeader, BodyRange, Codec, Header, Message, MessageKind, Node},
    options::{MergeGap, Projection, ReadOptions, Validation, WriteOptions},
    source::{SeekSource, Source},
    stats::ReadStats,
    stream::{BatchWithMetadata, MessageStep, Messages, Step, StreamDecoder, StreamReader},
};
