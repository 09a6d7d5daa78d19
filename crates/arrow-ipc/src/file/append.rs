//! Appends batches to a file, in place or to a copy.

mod append_file;
mod continuing;

mod complete_end;

mod appender;
mod copy;

pub(crate) use self::continuing::encoder_to_append;
pub use self::{
    append_file::{AppendFile, Durability},
    appender::FileAppender,
};
