//! Makes arrays from Rust values: numbers, booleans, text and bytes. For all other types, use builders.
//!
//! Arrays that accept all values implement `FromIterator`. The others have `try_from_iter`, which returns an error if the
//! values do not fit, for example if they are too long together.

use arrow_schema::DataType;

use crate::{
    array::{
        BinaryViewArray, BooleanArray, FixedSizeBinaryArray, GenericBinaryArray, GenericUtf8Array,
        LargeBinaryArray, LargeUtf8Array, PrimitiveArray, Utf8ViewArray, Width,
    },
    builder::{
        BinaryViewBuilder, BoolSlot, BooleanBuilder, BytesSlot, FixedSizeBinaryBuilder, GenericBinaryBuilder,
        GenericUtf8Builder, PrimitiveBuilder, TextSlot, Utf8ViewBuilder,
    },
    error::ArrayError,
    types::{NumberSlot, PlainNumberSlot, PlainType, PrimitiveType},
};

impl<T: PlainType, V: PlainNumberSlot<T>> FromIterator<V> for PrimitiveArray<T> {
    /// Makes an array from numbers, or from options of numbers, where `None` becomes a null. All numbers are accepted, also those
    /// of date64 that are not whole days.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> PrimitiveArray<T> {
        let mut builder = PrimitiveBuilder::new().with_values(values);
        builder.skip_range_check();
        builder.finish().expect("each number fits")
    }
}

impl<T: PrimitiveType> PrimitiveArray<T> {
    /// Makes an array from numbers, or from options of numbers, for a type with parameters.
    ///
    /// ```
    /// use arrow_array::TimestampArray;
    /// use arrow_schema::{DataType, TimeUnit};
    ///
    /// let seen = TimestampArray::try_from_iter(DataType::timestamp(TimeUnit::Second), [Some(0), None])?;
    /// assert_eq!(format!("{seen:?}"), r#"timestamp(s) ["1970-01-01T00:00:00", null]"#);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If `data_type` is not one of the types that `T` represents. If a value does not fit the type, such as a decimal with more
    /// digits than the precision, or a time outside a day.
    pub fn try_from_iter<V: NumberSlot<T>>(
        data_type: DataType,
        values: impl IntoIterator<Item = V>,
    ) -> Result<PrimitiveArray<T>, ArrayError> {
        PrimitiveBuilder::try_new(data_type)?.with_values(values).finish()
    }
}

impl<V: BoolSlot> FromIterator<V> for BooleanArray {
    /// Makes an array from booleans, or from options of booleans, where `None` becomes a null.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> BooleanArray {
        BooleanBuilder::new().with_values(values).finish().expect("there is a bit for each slot")
    }
}

impl<V: BoolSlot> From<Vec<V>> for BooleanArray {
    /// Makes an array from booleans, or from options of booleans, where `None` becomes a null.
    ///
    /// ```
    /// use arrow_array::BooleanArray;
    ///
    /// assert_eq!(BooleanArray::from(vec![Some(true), None]), BooleanArray::from_iter([Some(true), None]));
    /// ```
    fn from(values: Vec<V>) -> BooleanArray {
        values.into_iter().collect()
    }
}

impl<O: Width> GenericUtf8Array<O> {
    /// Makes an array from texts, or from options of texts, where `None` becomes a null.
    ///
    /// # Errors
    /// If the values have more bytes than offsets of type `O` can express.
    pub fn try_from_iter<V: TextSlot>(values: impl IntoIterator<Item = V>) -> Result<Self, ArrayError> {
        GenericUtf8Builder::new().with_values(values).finish()
    }
}

impl<O: Width> GenericBinaryArray<O> {
    /// Makes an array from byte strings, or from options of byte strings, where `None` becomes a null.
    ///
    /// # Errors
    /// If the values have more bytes than offsets of type `O` can express.
    pub fn try_from_iter<V: BytesSlot>(values: impl IntoIterator<Item = V>) -> Result<Self, ArrayError> {
        GenericBinaryBuilder::new().with_values(values).finish()
    }
}

impl FixedSizeBinaryArray {
    /// Makes an array from values of `n_bytes` bytes each, or from options of such values, where `None` becomes a null.
    ///
    /// ```
    /// use arrow_array::FixedSizeBinaryArray;
    ///
    /// let uuids = FixedSizeBinaryArray::try_from_iter(16, [Some([7_u8; 16]), None])?;
    /// assert_eq!((uuids.value(0), uuids.null_count()), (&[7; 16][..], 1));
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If a value has another length. If `n_bytes` is above `i32::MAX`.
    pub fn try_from_iter<V: BytesSlot>(
        n_bytes: u32,
        values: impl IntoIterator<Item = V>,
    ) -> Result<Self, ArrayError> {
        FixedSizeBinaryBuilder::try_new(n_bytes)?.with_values(values).finish()
    }
}

impl<V: TextSlot> FromIterator<V> for LargeUtf8Array {
    /// Makes an array from texts, or from options of texts, where `None` becomes a null.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> LargeUtf8Array {
        LargeUtf8Array::try_from_iter(values).expect("64 bits count all the bytes that there can be")
    }
}

impl<V: BytesSlot> FromIterator<V> for LargeBinaryArray {
    /// Makes an array from byte strings, or from options of byte strings, where `None` becomes a null.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> LargeBinaryArray {
        LargeBinaryArray::try_from_iter(values).expect("64 bits count all the bytes that there can be")
    }
}

impl<V: TextSlot> FromIterator<V> for Utf8ViewArray {
    /// Makes an array from texts, or from options of texts, where `None` becomes a null.
    ///
    /// # Panics
    /// If a single value is longer than a view can express, 2 GiB. The builder returns an error instead.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> Utf8ViewArray {
        Utf8ViewBuilder::new().with_values(values).finish().expect("values are shorter than 2 GiB")
    }
}

impl<V: BytesSlot> FromIterator<V> for BinaryViewArray {
    /// Makes an array from byte strings, or from options of byte strings, where `None` becomes a null.
    ///
    /// # Panics
    /// If a single value is longer than a view can express, 2 GiB. The builder returns an error instead.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> BinaryViewArray {
        BinaryViewBuilder::new().with_values(values).finish().expect("values are shorter than 2 GiB")
    }
}
