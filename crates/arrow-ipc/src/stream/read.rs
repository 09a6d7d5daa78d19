//! Reads streams: splits bytes into messages, and decodes messages to batches.

mod decoder;
mod large_batch;
mod messages;
mod reader;

pub use self::{
    decoder::{Step, StreamDecoder},
    large_batch::LargeBatch,
    messages::{MessageStep, Messages},
    reader::StreamReader,
};
