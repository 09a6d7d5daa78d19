//! Text and bytes.

use crate::{
    array::{
        BinaryArrayOf, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray, LargeUtf8Array, Utf8ArrayOf,
        Utf8ViewArray, Width,
    },
    builder::{
        BinaryBuilderOf, BinaryViewBuilder, BytesSlot, FixedSizeBinaryBuilder, TextSlot, Utf8BuilderOf,
        Utf8ViewBuilder,
    },
    error::ArrayError,
};

impl<O: Width> Utf8ArrayOf<O> {
    /// An array of text, or of optional text.
    ///
    /// # Errors
    /// If there are more bytes than offsets of type `O` can count.
    pub fn try_from_iter<V: TextSlot>(values: impl IntoIterator<Item = V>) -> Result<Self, ArrayError> {
        Utf8BuilderOf::new().with_values(values).finish()
    }
}

impl<O: Width> BinaryArrayOf<O> {
    /// An array of bytes, or of optional bytes.
    ///
    /// # Errors
    /// If there are more bytes than offsets of type `O` can count.
    pub fn try_from_iter<V: BytesSlot>(values: impl IntoIterator<Item = V>) -> Result<Self, ArrayError> {
        BinaryBuilderOf::new().with_values(values).finish()
    }
}

impl FixedSizeBinaryArray {
    /// An array of bytes, or of optional bytes, `n_bytes` each.
    ///
    /// # Errors
    /// If a value has another length, or if the length is above `i32::MAX`.
    pub fn try_from_iter<V: BytesSlot>(
        n_bytes: u32,
        values: impl IntoIterator<Item = V>,
    ) -> Result<Self, ArrayError> {
        FixedSizeBinaryBuilder::try_new(n_bytes)?.with_values(values).finish()
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
    /// If one value alone is longer than a view can say, 2 GiB. The builder reports that instead.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> Utf8ViewArray {
        Utf8ViewBuilder::new().with_values(values).finish().expect("values are shorter than 2 GiB")
    }
}

impl<V: BytesSlot> FromIterator<V> for BinaryViewArray {
    /// An array of bytes, or of optional bytes, where `None` is null.
    ///
    /// # Panics
    /// If one value alone is longer than a view can say, 2 GiB. The builder reports that instead.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> BinaryViewArray {
        BinaryViewBuilder::new().with_values(values).finish().expect("values are shorter than 2 GiB")
    }
}
