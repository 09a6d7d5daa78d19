//! Methods of [`AnyArray`](super::AnyArray) that need no `match` in the caller.

use std::{any::Any, fmt};

use arrow_buffer::Bitmap;
use arrow_data::ArrayData;
use arrow_schema::DataType;

use super::AnyArray;
use crate::{
    array::{Array, PrimitiveArray},
    types::PrimitiveType,
};

impl AnyArray {
    /// The number of slots, null slots included.
    pub fn len(&self) -> usize {
        self.data().len()
    }

    /// Whether the array has no slots. An array that has only nulls is not empty.
    pub fn is_empty(&self) -> bool {
        self.data().is_empty()
    }

    /// The Arrow type of the array, such as `Int32`.
    pub fn data_type(&self) -> &DataType {
        self.data().data_type()
    }

    /// The number of null slots. The first call counts them.
    pub fn null_count(&self) -> usize {
        self.data().null_count()
    }

    /// The validity bitmap, with one bit for each slot. `None` if no slot is null, or if the type has no bitmap.
    pub fn validity(&self) -> Option<&Bitmap> {
        self.data().validity()
    }

    /// Whether a slot is valid. `false` if out of bounds. Nulls inside dictionaries, runs and union children do not count.
    pub fn is_valid(&self, slot: usize) -> bool {
        with_array!(self, array => Array::is_valid(array, slot))
    }

    /// Whether a slot is null. `false` if out of bounds. Nulls inside dictionaries, runs and union children do not count.
    pub fn is_null(&self, slot: usize) -> bool {
        with_array!(self, array => Array::is_null(array, slot))
    }

    /// Returns the slots `start..start + n_slots`. Copies nothing.
    ///
    /// # Panics
    /// If the range is out of bounds, as for a slice of a `[T]`.
    #[must_use]
    pub fn slice(&self, start: usize, n_slots: usize) -> AnyArray {
        with_array!(self, array => array.slice(start, n_slots).into())
    }

    /// The array as a [`PrimitiveArray`](crate::PrimitiveArray) of `T`. `None` if the array has another type.
    ///
    /// ```
    /// use arrow_array::{AnyArray, Float64Array, Float64Type, Int64Type};
    ///
    /// let any = AnyArray::from(Float64Array::from_iter([0.5, 1.5]));
    /// assert_eq!(any.as_primitive::<Float64Type>().map(|array| array.value(1)), Some(1.5));
    /// assert!(any.as_primitive::<Int64Type>().is_none());
    /// ```
    pub fn as_primitive<T: PrimitiveType>(&self) -> Option<&PrimitiveArray<T>> {
        self.downcast_ref()
    }

    /// The array as the Rust type `A`, without validation. `None` if the variant contains another Rust type.
    ///
    /// ```
    /// use arrow_array::{AnyArray, Utf8Array, Utf8ViewArray};
    ///
    /// let any = AnyArray::from(Utf8ViewArray::from_iter(["a"]));
    /// assert_eq!(any.downcast_ref::<Utf8ViewArray>().map(|array| array.value(0)), Some("a"));
    /// assert!(any.downcast_ref::<Utf8Array>().is_none());
    /// ```
    pub fn downcast_ref<A: Array>(&self) -> Option<&A> {
        with_array!(self, array => (array as &dyn Any).downcast_ref())
    }

    /// The array as untyped data, with its type, buffers and children.
    pub fn data(&self) -> &ArrayData {
        with_array!(self, array => array.data())
    }

    /// Returns the array as untyped data, without a copy.
    pub fn into_data(self) -> ArrayData {
        with_array!(self, array => array.into_data())
    }
}

impl PartialEq for AnyArray {
    /// Compares values in the same way as the typed arrays. Arrays of different types are not equal.
    fn eq(&self, other: &AnyArray) -> bool {
        self.data() == other.data()
    }
}

impl fmt::Debug for AnyArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_array!(self, array => fmt::Debug::fmt(array, f))
    }
}

impl From<AnyArray> for ArrayData {
    fn from(array: AnyArray) -> ArrayData {
        array.into_data()
    }
}
