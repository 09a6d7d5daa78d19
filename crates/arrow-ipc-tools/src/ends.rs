//! What is at the end of a stream or file, and after it.

#[cfg(feature = "text")]
pub use crate::input_set::second_file_of;
pub use crate::{before_footer::BytesBeforeFooter, continuation::Continuation, trailing::TrailingBytes};
