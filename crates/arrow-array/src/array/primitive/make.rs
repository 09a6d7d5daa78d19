//! Arrays made of numbers that are there already.

use arrow_buffer::{Bitmap, Buffer, Values};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;

use super::PrimitiveArray;
use crate::{
    error::ArrayError,
    types::{PlainType, PrimitiveType},
};

impl<T: PrimitiveType> PrimitiveArray<T> {
    /// An array of these numbers, which are not copied, of any type that `T` marks. Slots are null where a bit of
    /// `validity` is not set; without it none is.
    ///
    /// ```
    /// use arrow_array::{Int32Array, TimestampArray};
    /// use arrow_buffer::{Bitmap, Buffer, Values};
    /// use arrow_schema::{DataType, TimeUnit};
    ///
    /// let seconds = DataType::timestamp(TimeUnit::Second);
    /// let validity = Bitmap::from_iter([true, false]);
    /// let seen = TimestampArray::try_new(seconds, vec![60, 0], Some(validity))?;
    /// assert_eq!(format!("{seen:?}"), r#"timestamp(s) ["1970-01-01T00:01:00", null]"#);
    ///
    /// let bytes = Buffer::from(vec![1i32, 2, 3]);
    /// let first = Int32Array::try_new(DataType::Int32, Values::try_new(bytes, 2)?, None)?;
    /// assert_eq!(first.values(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `data_type` is not of the sort that `T` marks, or if there is not a bit for each number.
    pub fn try_new(
        data_type: DataType,
        values: impl Into<Values<T::Native>>,
        validity: Option<Bitmap>,
    ) -> Result<PrimitiveArray<T>, ArrayError> {
        if T::parameters(&data_type).is_none() {
            return Err(ArrayError::type_mismatch(T::NAME, &data_type));
        }
        let values = values.into();
        let parts = ArrayParts::new(data_type, values.len());
        let buffers = [values.into_buffer(), Buffer::new()];
        PrimitiveArray::try_from(ArrayData::try_new(ArrayParts { validity, buffers, ..parts })?)
    }
}

impl<T: PlainType> From<Vec<T::Native>> for PrimitiveArray<T> {
    /// An array of these numbers, which are not copied; no slot is null.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    ///
    /// let numbers = vec![5, 6, 7];
    /// let address = numbers.as_ptr();
    /// let array = Int64Array::from(numbers);
    /// assert_eq!((array.values().as_ptr(), array.value(2)), (address, 7));
    /// ```
    fn from(values: Vec<T::Native>) -> PrimitiveArray<T> {
        PrimitiveArray::try_new(T::DATA_TYPE, values, None)
            .expect("the numbers are of the type, none is null")
    }
}
