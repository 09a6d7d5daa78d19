//! Text and bytes.

use std::sync::Arc;

use arrow_buffer::{BitmapBuilder, Buffer, BufferMut, View};
use arrow_data::ArrayParts;
use arrow_schema::DataType;

use super::assemble;
use crate::{
    array::{
        BinaryArrayOf, BinaryViewArray, LargeBinaryArray, LargeUtf8Array, Utf8ArrayOf, Utf8ViewArray, Width,
    },
    error::{ArrayError, ArrayErrorKind},
};

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

impl<O: Width> Utf8ArrayOf<O> {
    /// An array of text, or of optional text.
    ///
    /// # Errors
    /// If there are more bytes than offsets of type `O` can count.
    pub fn try_from_iter<V: TextSlot>(values: impl IntoIterator<Item = V>) -> Result<Self, ArrayError> {
        let data_type = if size_of::<O>() == 4 { DataType::Utf8 } else { DataType::LargeUtf8 };
        let mut slots = OffsetSlots::<O>::new();
        values.into_iter().try_for_each(|value| slots.push(value.as_text().map(str::as_bytes)))?;
        assemble(slots.into_parts(data_type))
    }
}

impl<O: Width> BinaryArrayOf<O> {
    /// An array of bytes, or of optional bytes.
    ///
    /// # Errors
    /// If there are more bytes than offsets of type `O` can count.
    pub fn try_from_iter<V: BytesSlot>(values: impl IntoIterator<Item = V>) -> Result<Self, ArrayError> {
        let data_type = if size_of::<O>() == 4 { DataType::Binary } else { DataType::LargeBinary };
        let mut slots = OffsetSlots::<O>::new();
        values.into_iter().try_for_each(|value| slots.push(value.as_bytes()))?;
        assemble(slots.into_parts(data_type))
    }
}

impl<V: TextSlot> FromIterator<V> for LargeUtf8Array {
    /// An array of text, or of optional text, where `None` is null.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> LargeUtf8Array {
        LargeUtf8Array::try_from_iter(values).expect("64 bits count all the bytes that there can be")
    }
}

impl<V: BytesSlot> FromIterator<V> for LargeBinaryArray {
    /// An array of bytes, or of optional bytes, where `None` is null.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> LargeBinaryArray {
        LargeBinaryArray::try_from_iter(values).expect("64 bits count all the bytes that there can be")
    }
}

impl<V: TextSlot> FromIterator<V> for Utf8ViewArray {
    /// An array of text, or of optional text, where `None` is null.
    ///
    /// # Panics
    /// If one value alone is longer than a view can say, 2 GiB.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> Utf8ViewArray {
        let mut slots = ViewSlots::default();
        values.into_iter().for_each(|value| slots.push(value.as_text().map(str::as_bytes)));
        assemble(slots.into_parts(DataType::Utf8View)).expect("views of text are text")
    }
}

impl<V: BytesSlot> FromIterator<V> for BinaryViewArray {
    /// An array of bytes, or of optional bytes, where `None` is null.
    ///
    /// # Panics
    /// If one value alone is longer than a view can say, 2 GiB.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> BinaryViewArray {
        let mut slots = ViewSlots::default();
        values.into_iter().for_each(|value| slots.push(value.as_bytes()));
        assemble(slots.into_parts(DataType::BinaryView)).expect("the views are of the bytes beside them")
    }
}

/// Bytes and offsets, as they grow.
struct OffsetSlots<O> {
    validity: BitmapBuilder,
    offsets: Vec<O>,
    bytes: BufferMut,
}

impl<O: Width> OffsetSlots<O> {
    fn new() -> OffsetSlots<O> {
        OffsetSlots { validity: BitmapBuilder::new(), offsets: vec![O::ZERO], bytes: BufferMut::new() }
    }

    fn push(&mut self, value: Option<&[u8]>) -> Result<(), ArrayError> {
        self.bytes.extend_from_slice(value.unwrap_or_default());
        let offset = O::from_usize(self.bytes.len()).ok_or_else(|| {
            let n_bytes = self.bytes.len() as u64;
            let max = if size_of::<O>() == 4 { i32::MAX as u64 } else { i64::MAX as u64 };
            ArrayErrorKind::OffsetOverflow { n_bytes, offsets: O::OFFSETS, max }
        })?;
        self.offsets.push(offset);
        self.validity.push(value.is_some());
        Ok(())
    }

    fn into_parts(self, data_type: DataType) -> ArrayParts {
        let n_slots = self.validity.len();
        ArrayParts {
            validity: self.validity.finish_with_nulls(),
            buffers: [Buffer::from(self.offsets), self.bytes.freeze()],
            ..ArrayParts::new(data_type, n_slots)
        }
    }
}

/// Views and the bytes of long values, as they grow.
#[derive(Default)]
struct ViewSlots {
    validity: BitmapBuilder,
    views: Vec<View>,
    bytes: BufferMut,
    full: Vec<Buffer>,
}

impl ViewSlots {
    fn push(&mut self, value: Option<&[u8]>) {
        self.validity.push(value.is_some());
        let bytes = value.unwrap_or_default();
        let view = View::inline(bytes).unwrap_or_else(|| self.push_long(bytes));
        self.views.push(view);
    }

    /// Keeps the bytes of a value that does not fit into its view. A buffer is full when an offset would not
    /// fit.
    fn push_long(&mut self, bytes: &[u8]) -> View {
        let end = self.bytes.len().saturating_add(bytes.len());
        if i32::try_from(end).is_err() {
            self.full.push(std::mem::take(&mut self.bytes).freeze());
        }
        let place = i32::try_from(self.full.len()).ok().zip(i32::try_from(self.bytes.len()).ok());
        let view = place.and_then(|(buffer_idx, offset)| View::long(bytes, buffer_idx, offset));
        self.bytes.extend_from_slice(bytes);
        view.expect("a value is shorter than 2 GiB")
    }

    fn into_parts(mut self, data_type: DataType) -> ArrayParts {
        if !self.bytes.is_empty() {
            self.full.push(self.bytes.freeze());
        }
        let n_slots = self.views.len();
        ArrayParts {
            validity: self.validity.finish_with_nulls(),
            buffers: [Buffer::from(self.views), Buffer::new()],
            variadic: Some(self.full.into()),
            ..ArrayParts::new(data_type, n_slots)
        }
    }
}
