//! Builders of utf8 values with offsets.

use arrow_buffer::{Bitmap, TextSlotsBuilder};
use arrow_data::ArrayData;
use arrow_schema::DataType;

use super::{
    offsets::overflow,
    values::{PlainStore, ValueStore, ValuesBuilder},
};
use crate::{
    array::{GenericUtf8Array, Width},
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of utf8 values with offsets of type `O`.
///
/// Values are `str`, so `finish` does not check UTF-8. If the values have more bytes than the offsets can express, `finish`
/// returns an error.
///
/// ```
/// use arrow_array::Utf8Builder;
///
/// let mut names = Utf8Builder::new();
/// names.append("ada");
/// names.append(None::<&str>);
/// names.append(String::from("grace"));
/// assert_eq!(names.finish()?.iter().collect::<Vec<_>>(), [Some("ada"), None, Some("grace")]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub type GenericUtf8Builder<O> = ValuesBuilder<TextSlotsBuilder<O>>;

/// Builds arrays of utf8 values with offsets of 32 bits.
pub type Utf8Builder = GenericUtf8Builder<i32>;
/// Builds arrays of utf8 values with offsets of 64 bits.
pub type LargeUtf8Builder = GenericUtf8Builder<i64>;

impl<O: Width> GenericUtf8Builder<O> {
    /// The total number of bytes of all values so far.
    pub fn n_bytes(&self) -> usize {
        self.store.n_bytes()
    }
}

impl<O: Width> PlainStore for TextSlotsBuilder<O> {
    const TYPE: DataType = if size_of::<O>() == 4 { DataType::Utf8 } else { DataType::LargeUtf8 };

    fn reserve_bytes(&mut self, n_bytes: usize) {
        TextSlotsBuilder::reserve(self, 0, n_bytes);
    }
}

impl<O: Width> ValueStore for TextSlotsBuilder<O> {
    type Value = str;
    type Array = GenericUtf8Array<O>;

    fn len(&self) -> usize {
        TextSlotsBuilder::len(self)
    }

    #[inline]
    fn push(&mut self, value: &str) -> bool {
        TextSlotsBuilder::push(self, value).is_ok()
    }

    fn refusal(&self, value: &str) -> ArrayErrorKind {
        overflow::<O>(self.n_bytes().saturating_add(value.len()), "bytes")
    }

    fn push_zeros(&mut self, n_slots: usize) {
        self.push_empty(n_slots);
    }

    fn reserve(&mut self, n_slots: usize) {
        TextSlotsBuilder::reserve(self, n_slots, 0);
    }

    fn truncate(&mut self, n_slots: usize) {
        TextSlotsBuilder::truncate(self, n_slots);
    }

    #[inline]
    fn get(&self, slot: usize) -> Option<&[u8]> {
        TextSlotsBuilder::get(self, slot).map(str::as_bytes)
    }

    fn finish(&mut self, _: &DataType, validity: Option<Bitmap>) -> Result<ArrayData, ArrayError> {
        Ok(ArrayData::try_from_text(O::proven(TextSlotsBuilder::finish(self)), validity)?)
    }
}
