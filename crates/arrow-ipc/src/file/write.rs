//! Encodes and writes files.

mod footer;

mod encoder;

mod atomic;
mod writer;

pub use self::{
    atomic::AtomicFile,
    encoder::{ContainerEncoder, FileEncoder},
    footer::FooterEncoder,
    writer::FileWriter,
};
