//! What is at the end of a stream or file, and after it.

#[cfg(feature = "text")]
pub use crate::input_set::unreferenced_bytes_of;
pub use crate::{
    error::trailing::TrailingBytes, input::continuation::Continuation,
    source::before_footer::BytesBeforeFooter,
};
