//! The Apache Arrow IPC protocol.
#![forbid(unsafe_code)]

mod columns;
mod error;
mod frame;
mod ipc_schema;
mod limits;
mod message;
mod options;
mod schema;

pub use crate::{
    error::{Container, ErrorClass, IpcError, IpcErrorKind, Location, Result, Unsupported},
    ipc_schema::{Endianness, IpcSchema, MetadataVersion},
    limits::{Budget, Limits},
    message::{BatchHeader, BodyRange, Codec, Header, Message, MessageKind, Node},
    options::{MergeGap, Projection, ReadOptions, Validation, WriteOptions},
};
