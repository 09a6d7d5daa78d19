//! Numbers and booleans.

use arrow_buffer::{BitmapBuilder, Buffer};
use arrow_data::ArrayParts;
use arrow_schema::DataType;

use super::assemble;
use crate::{
    array::{BooleanArray, PrimitiveArray},
    error::ArrayError,
    types::{PlainType, PrimitiveType},
};

impl<T: PlainType, V: Into<Option<T::Native>>> FromIterator<V> for PrimitiveArray<T> {
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
    /// If `data_type` is not of the sort that `T` marks.
    pub fn try_from_iter<V: Into<Option<T::Native>>>(
        data_type: DataType,
        values: impl IntoIterator<Item = V>,
    ) -> Result<PrimitiveArray<T>, ArrayError> {
        if T::parameters(&data_type).is_none() {
            return Err(ArrayError::type_mismatch(T::NAME, &data_type));
        }
        let values = values.into_iter();
        let mut numbers: Vec<T::Native> = Vec::with_capacity(values.size_hint().0);
        let mut validity = BitmapBuilder::new();
        for value in values {
            let value = value.into();
            validity.push(value.is_some());
            numbers.push(value.unwrap_or_default());
        }
        let parts = ArrayParts::new(data_type, numbers.len());
        let buffers = [Buffer::from(numbers), Buffer::new()];
        assemble(ArrayParts { validity: validity.finish_with_nulls(), buffers, ..parts })
    }
}

impl<V: Into<Option<bool>>> FromIterator<V> for BooleanArray {
    /// An array of booleans, or of optional booleans, where `None` is null.
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> BooleanArray {
        let mut bits = BitmapBuilder::new();
        let mut validity = BitmapBuilder::new();
        for value in values {
            let value = value.into();
            validity.push(value.is_some());
            bits.push(value.unwrap_or(false));
        }
        let n_slots = bits.len();
        let parts = ArrayParts {
            validity: validity.finish_with_nulls(),
            buffers: [bits.finish().to_packed(), Buffer::new()],
            ..ArrayParts::new(DataType::Boolean, n_slots)
        };
        assemble(parts).expect("there is a bit for each slot")
    }
}
