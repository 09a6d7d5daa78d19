//! Encodes and writes files.

mod footer;

mod container;
mod encoder;

mod atomic;
mod writer;

pub(crate) use self::container::ContainerEncoder;
pub use self::{atomic::AtomicFile, encoder::FileEncoder, writer::FileWriter};
