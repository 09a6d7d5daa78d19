//! Encodes and writes files.

mod footer;

mod encoder;

mod atomic;
mod writer;

pub(crate) use self::encoder::ContainerEncoder;
pub use self::{atomic::AtomicFile, encoder::FileEncoder, footer::FooterEncoder, writer::FileWriter};
