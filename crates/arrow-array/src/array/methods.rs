//! Generates the methods that every array has, so that the [`Array`](super::Array) trait need not be in scope.

/// `array_methods!([generics] Type, Item)` generates the methods and conversions of one array type. `Item` is the type
/// of a value in signatures, with elided lifetimes. `len` names a slice field with one value for each slot, if the
/// array has such a field; the compiler then removes the bounds checks of a loop over all slots.
macro_rules! array_methods {
    ([$($generics:tt)*] $array:ty, $item:ty $(, len = $len:ident)?) => {
        $crate::array::methods::array_methods!(@access [$($generics)*] $array, $item $(, $len)?);
        $crate::array::methods::array_methods!(
            @iterate [$($generics)*] $array, $crate::array::ArrayIter<'a, $array>, $crate::array::Array::iter
        );
    };
    ([$($generics:tt)*] $array:ty, $item:ty, iter = $iter:ty, $new:path) => {
        $crate::array::methods::array_methods!(@access [$($generics)*] $array, $item);
        $crate::array::methods::array_methods!(@iterate [$($generics)*] $array, $iter, $new);
    };
    (@access [$($generics:tt)*] $array:ty, $item:ty $(, $len:ident)?) => {
        impl<$($generics)*> $crate::array::Array for $array {
            fn data(&self) -> &arrow_data::ArrayData {
                &self.data
            }

            $(#[inline]
            fn len(&self) -> usize {
                self.$len.len()
            })?
        }

        impl<$($generics)*> $array {
            /// The number of slots, null slots included.
            #[inline]
            pub fn len(&self) -> usize {
                $crate::array::Array::len(self)
            }

            /// Whether the array has no slots. An array that has only nulls is not empty.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.data.is_empty()
            }

            /// The number of null slots. The first call counts them.
            pub fn null_count(&self) -> usize {
                self.data.null_count()
            }

            /// The Arrow type of the array, such as `Int32`.
            pub fn data_type(&self) -> &arrow_schema::DataType {
                self.data.data_type()
            }

            /// The validity bitmap, with one bit for each slot. `None` if no slot is null, or if the type has no bitmap.
            #[inline]
            pub fn validity(&self) -> Option<&arrow_buffer::Bitmap> {
                self.data.validity()
            }

            /// Whether a slot is null; `false` if out of bounds.
            #[inline]
            pub fn is_null(&self, slot: usize) -> bool {
                $crate::array::Array::is_null(self, slot)
            }

            /// Whether a slot is not null; `false` if out of bounds.
            #[inline]
            pub fn is_valid(&self, slot: usize) -> bool {
                $crate::array::Array::is_valid(self, slot)
            }

            /// The value of a slot. Returns zero or an empty value for a null slot.
            ///
            /// # Panics
            /// If the slot is out of bounds, as for indexing a slice.
            #[inline]
            pub fn value(&self, slot: usize) -> $item {
                $crate::array::Array::value(self, slot)
            }

            /// The value of a slot; `None` if the slot is null or out of bounds.
            #[inline]
            pub fn get(&self, slot: usize) -> Option<$item> {
                $crate::array::Array::get(self, slot)
            }

            /// Returns the slots `start..start + n_slots`. Copies nothing.
            ///
            /// # Panics
            /// If the range is out of bounds, as for a slice of a `[T]`.
            #[must_use]
            pub fn slice(&self, start: usize, n_slots: usize) -> Self {
                $crate::array::Array::slice(self, start, n_slots)
            }

            /// The array as untyped data, with its type, buffers and children. The data is marked as validated, so a
            /// conversion to a typed array does not check it again.
            pub fn data(&self) -> &arrow_data::ArrayData {
                &self.data
            }

            /// Returns the array as untyped data, without a copy.
            pub fn into_data(self) -> arrow_data::ArrayData {
                self.data
            }
        }

        impl<$($generics)*> TryFrom<arrow_data::ArrayData> for $array {
            type Error = $crate::error::ArrayError;

            /// Checks the type, and also the content if the data is not validated yet.
            fn try_from(data: arrow_data::ArrayData) -> Result<Self, Self::Error> {
                $crate::array::sealed::Slots::make(data)
            }
        }

        impl<$($generics)*> TryFrom<&arrow_data::ArrayData> for $array {
            type Error = $crate::error::ArrayError;

            /// Checks the type, and also the content if the data is not validated yet. Copies nothing.
            fn try_from(data: &arrow_data::ArrayData) -> Result<Self, Self::Error> {
                $crate::array::sealed::Slots::make(data.clone())
            }
        }

        impl<$($generics)*> From<$array> for arrow_data::ArrayData {
            fn from(array: $array) -> arrow_data::ArrayData {
                array.data
            }
        }

        impl<$($generics)*> PartialEq for $array {
            /// Whether both arrays have the same type, except for metadata, and the same values and nulls. Encoded arrays are
            /// compared by their values. Floating-point numbers are compared by their bits: a NaN equals the same NaN, and 0.0
            /// differs from -0.0.
            fn eq(&self, other: &Self) -> bool {
                self.data == other.data
            }
        }
    };
    (@iterate [$($generics:tt)*] $array:ty, $iter:ty, $new:path) => {
        impl<$($generics)*> $array {
            /// The values in order, `None` for null slots. Can also be read from the end.
            #[inline]
            pub fn iter<'a>(&'a self) -> $iter {
                $new(self)
            }
        }

        impl<'a, $($generics)*> IntoIterator for &'a $array {
            type Item = Option<<$array as $crate::array::sealed::Slots>::Item<'a>>;
            type IntoIter = $iter;

            #[inline]
            fn into_iter(self) -> $iter {
                $new(self)
            }
        }
    };
}

pub(crate) use array_methods;
