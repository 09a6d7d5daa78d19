//! Streams: a schema, then dictionaries and batches, to the end. Follows "IPC Streaming Format" of the specification.

mod decoder;
mod messages;
mod reader;

pub use self::{
    decoder::{Step, StreamDecoder},
    messages::{MessageStep, Messages},
    reader::{BatchWithMetadata, StreamReader},
};

pub(crate) use self::decoder::check_native;
