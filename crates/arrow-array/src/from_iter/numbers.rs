//! Numbers and booleans.

use arrow_schema::DataType;

use crate::{
    array::{BooleanArray, PrimitiveArray},
    builder::{BoolSlot, BooleanBuilder, NumberSlot, PlainNumberSlot, PrimitiveBuilder},
    error::ArrayError,
    types::{PlainType, PrimitiveType},
};

impl<T: PlainType, V: PlainNumberSlot<T>> FromIterator<V> for PrimitiveArray<T> {
    /// An array of numbers, or of optional numbers, where `None` is null.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> PrimitiveArray<T> {
        PrimitiveArray::try_from_iter(T::DATA_TYPE, values).expect("the type is that of the array")
    }
}

impl<T: PrimitiveType> PrimitiveArray<T> {
    /// An array of numbers, or of optional numbers, of a type that has parameters.
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
    /// If `data_type` is not of the sort that `T` marks, or a value does not fit into it.
    pub fn try_from_iter<V: NumberSlot<T>>(
        data_type: DataType,
        values: impl IntoIterator<Item = V>,
    ) -> Result<PrimitiveArray<T>, ArrayError> {
        PrimitiveBuilder::try_new(data_type)?.with_values(values).finish()
    }
}

impl<V: BoolSlot> FromIterator<V> for BooleanArray {
    /// An array of booleans, or of optional booleans, where `None` is null.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> BooleanArray {
        BooleanBuilder::new().with_values(values).finish().expect("there is a bit for each slot")
    }
}
