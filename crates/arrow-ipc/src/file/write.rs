//! Encodes and writes files.

mod footer;

mod encoder;

mod writer;

pub use self::{
    encoder::{ContainerEncoder, FileEncoder},
    footer::FooterEncoder,
    writer::FileWriter,
};
pub use arrow_atomic_output::AtomicFile;
