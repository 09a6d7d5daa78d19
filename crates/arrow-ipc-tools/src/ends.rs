//! What is at the end of a stream, and after it.

pub use crate::{before_footer::BytesBeforeFooter, continuation::Continuation, trailing::TrailingBytes};
