//! Appends batches to a file, in place or to a copy.

mod append_file;
mod complete;
mod continuing;

mod complete_end;

mod appender;
mod copy;

pub use self::{
    append_file::{AppendFile, Durability},
    appender::FileAppender,
};
