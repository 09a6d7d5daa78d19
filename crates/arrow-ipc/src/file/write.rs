//! Writing files, from front to back.

mod bounds;
mod footer;

mod encoder;

mod atomic;
mod writer;

pub use self::{atomic::AtomicFile, encoder::FileEncoder, writer::FileWriter};
