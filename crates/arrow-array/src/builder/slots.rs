//! Traits of the values from which slots of text, bytes and booleans are made.

use std::sync::Arc;

use arrow_buffer::Buffer;

/// A value for a slot of a boolean array: a boolean, a reference to a boolean, or an option of either, where `None` is
/// null.
pub trait BoolSlot {
    /// Returns the boolean, or `None` for null.
    fn as_bool(&self) -> Option<bool>;
}

macro_rules! bool_slots {
    ($($slot:ty, $value:expr;)*) => {$(
        impl BoolSlot for $slot {
            #[inline]
            fn as_bool(&self) -> Option<bool> {
                let value: fn(&$slot) -> Option<bool> = $value;
                value(self)
            }
        }
    )*};
}

bool_slots! {
    bool, |value| Some(*value);
    &bool, |value| Some(**value);
    Option<bool>, |value| *value;
    &Option<bool>, |value| **value;
}

/// A value for a slot of a text array: text, or an option of text, where `None` is null.
pub trait TextSlot {
    /// Returns the text, or `None` for null.
    fn as_text(&self) -> Option<&str>;
}

/// A value for a slot of a binary array: bytes, or an option of bytes, where `None` is null.
pub trait BytesSlot {
    /// Returns the bytes, or `None` for null.
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

slots!(TextSlot, as_text, str: &str, &String, String, Box<str>, Arc<str>);
slots!(BytesSlot, as_bytes, [u8]: &[u8], &Vec<u8>, Vec<u8>, Box<[u8]>, Arc<[u8]>, Buffer);

/// Implements a trait for references to values, since iterators over collections return references.
macro_rules! references {
    ($trait:ident, $method:ident, $value:ty: $($item:ty),*) => {$(
        impl $trait for &$item {
            fn $method(&self) -> Option<&$value> {
                (**self).$method()
            }
        }
    )*};
}

references!(
    TextSlot, as_text, str:
    &str, Box<str>, Arc<str>, Option<&str>, Option<String>, Option<Box<str>>, Option<Arc<str>>
);
references!(
    BytesSlot, as_bytes, [u8]:
    &[u8], Box<[u8]>, Arc<[u8]>, Buffer, Option<&[u8]>, Option<Vec<u8>>, Option<Box<[u8]>>, Option<Arc<[u8]>>
);

impl<const N: usize> BytesSlot for &[u8; N] {
    fn as_bytes(&self) -> Option<&[u8]> {
        Some(*self)
    }
}

impl<const N: usize> BytesSlot for [u8; N] {
    fn as_bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl<const N: usize> BytesSlot for Option<[u8; N]> {
    fn as_bytes(&self) -> Option<&[u8]> {
        self.as_ref().map(<[u8; N]>::as_slice)
    }
}

impl<const N: usize> BytesSlot for Option<&[u8; N]> {
    fn as_bytes(&self) -> Option<&[u8]> {
        self.map(|bytes| -> &[u8] { bytes })
    }
}
