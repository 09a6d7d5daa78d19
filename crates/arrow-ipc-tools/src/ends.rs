//! What is at the end of a stream or file, and after it.

pub use crate::{
    before_footer::{BytesBeforeFooter, bytes_of_inner_file},
    continuation::Continuation,
    trailing::TrailingBytes,
};
