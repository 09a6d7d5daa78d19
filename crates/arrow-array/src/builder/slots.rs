//! What text and bytes can be made of, and the arrays that come out.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, Level};

use crate::error::ArrayError;

/// What a slot of a text array can be made of: text, or an option of it, where `None` is null.
pub trait TextSlot {
    /// The text; `None` for null.
    fn as_text(&self) -> Option<&str>;
}

/// What a slot of a binary array can be made of: bytes, or an option of them, where `None` is null.
pub trait BytesSlot {
    /// The bytes; `None` for null.
    fn as_bytes(&self) -> Option<&[u8]>;
}

macro_rules! slots {
    ($trait:ident, $method:ident, $value:ty: $($item:ty),*) => {$(
        impl $trait for $item {
            fn $method(&self) -> Option<&$value> {
                Some(self)
            }
        }

        impl $trait for Option<$item> {
            fn $method(&self) -> Option<&$value> {
                self.as_ref().map(|value| -> &$value { value })
            }
        }
    )*};
}

slots!(TextSlot, as_text, str: &str, &&str, String, &String, Box<str>, Arc<str>);
slots!(BytesSlot, as_bytes, [u8]: &[u8], &&[u8], Vec<u8>, &Vec<u8>, Box<[u8]>, Arc<[u8]>, Buffer);

impl<const N: usize> BytesSlot for &[u8; N] {
    fn as_bytes(&self) -> Option<&[u8]> {
        Some(*self)
    }
}

impl<const N: usize> BytesSlot for Option<&[u8; N]> {
    fn as_bytes(&self) -> Option<&[u8]> {
        self.map(|bytes| -> &[u8] { bytes })
    }
}

/// The array of parts that were just put together from values, checked as any other.
pub(super) fn assemble(parts: ArrayParts) -> Result<ArrayData, ArrayError> {
    Ok(ArrayData::try_new(parts)?.validate(Level::Content)?)
}
