//! Appending to files, in place or to a copy.

mod complete;
mod continuing;
mod last_end;

mod appender;
mod copy;

pub use self::appender::{AppendFile, Durability, FileAppender};
