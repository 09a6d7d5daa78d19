//! Arrays of numbers of one width: integers, floats, decimals, dates, times, durations and intervals.

use std::iter::FusedIterator;

use arrow_buffer::{Bitmap, Buffer, Values};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, Time32Unit, Time64Unit, TimeUnit};

use super::{access::Numbers, methods::array_methods, proven::numbers, sealed::Slots};
use crate::{
    decimal::{Decimal, DecimalParameters, NativeDecimal},
    error::ArrayError,
    types::*,
};

/// Numbers of one width. `T` determines the Arrow type, and each type has an alias, such as [`Int32Array`](crate::Int32Array).
///
/// ```
/// use arrow_array::Int64Array;
///
/// let ids = Int64Array::from_iter([Some(1), None, Some(3)]);
/// assert_eq!((ids.get(0), ids.get(1), ids.get(9)), (Some(1), None, None));
/// assert_eq!(ids.value(1), 0);
/// assert_eq!(ids.iter().flatten().sum::<i64>(), 4);
/// ```
///
/// Follows "Fixed-size Primitive Layout" of the specification.
#[derive(Clone)]
pub struct PrimitiveArray<T: PrimitiveType> {
    data: ArrayData,
    values: Values<T::Native>,
    parameters: T::Parameters,
}

macro_rules! aliases {
    ($($marker:ident: $array:ident, $builder:ident, $what:literal { $($row:tt)* })*) => {$(
        #[doc = concat!("Arrays of ", $what, ".")]
        pub type $array = PrimitiveArray<$marker>;
    )*};
}

each_primitive!(aliases);

impl<T: PrimitiveType> PrimitiveArray<T> {
    /// Makes an array that shares these numbers. `data_type` must be one of the types that `T` represents. A slot is null if
    /// its bit in `validity` is not set; without `validity`, all slots are valid.
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
    /// If `data_type` is not one of the types that `T` represents. If `validity` does not have a bit for each number.
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
    /// Makes an array without nulls from these numbers. Copies nothing.
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

impl<T: PrimitiveType> PrimitiveArray<T> {
    /// The numbers of all slots as a slice. The numbers of null slots have no meaning.
    pub fn values(&self) -> &[T::Native] {
        &self.values
    }

    /// The parameters of the type: a unit, a scale, or `()` for types without parameters.
    pub fn parameters(&self) -> T::Parameters {
        self.parameters
    }

    /// The least and the greatest value. Nulls and NaN are ignored; `None` if all values are null or NaN. If equal
    /// values have different bits, as 0.0 and -0.0 have, returns the first of them.
    ///
    /// To call this method on an array of any type, use [`with_ordered!`](crate::with_ordered).
    ///
    /// ```
    /// use arrow_array::{AnyArray, Float64Array, with_ordered};
    ///
    /// let prices = Float64Array::from_iter([None, Some(2.5), Some(f64::NAN), Some(-1.0)]);
    /// assert_eq!(prices.min_max(), Some((-1.0, 2.5)));
    /// assert_eq!(prices.slice(2, 1).min_max(), None);
    ///
    /// let is_constant = |any: &AnyArray| {
    ///     with_ordered!(any, array => array.min_max().is_some_and(|(min, max)| min == max), _ => false)
    /// };
    /// assert!(!is_constant(&prices.into()));
    /// ```
    pub fn min_max(&self) -> Option<(T::Native, T::Native)>
    where
        T::Native: PartialOrd,
    {
        least_and_greatest(&self.values, self.validity())
    }
}

/// Does the work of `min_max`. Types with the same Rust type of numbers share the compiled code.
#[inline(never)]
fn least_and_greatest<N: PartialOrd + Copy>(values: &[N], validity: Option<&Bitmap>) -> Option<(N, N)> {
    fn both<N: PartialOrd + Copy>(values: impl Iterator<Item = N>) -> Option<(N, N)> {
        let mut values = values.filter(|value| value.partial_cmp(value).is_some());
        let first = values.next()?;
        Some(values.fold((first, first), |(min, max), value| {
            (if value < min { value } else { min }, if value > max { value } else { max })
        }))
    }
    match validity {
        None => both(values.iter().copied()),
        Some(validity) => both(validity.iter_set().filter_map(|slot| values.get(slot).copied())),
    }
}

impl<T: PrimitiveType<Parameters = DecimalParameters>> PrimitiveArray<T> {
    /// The greatest number of decimal digits that the type allows. Values may have more digits, unless strict validation has
    /// checked them.
    pub fn precision(&self) -> u8 {
        self.parameters.precision
    }

    /// The number of digits after the decimal point. May be negative.
    pub fn scale(&self) -> i32 {
        self.parameters.scale
    }
}

impl<T> PrimitiveArray<T>
where
    T: PrimitiveType<Parameters = DecimalParameters>,
    T::Native: NativeDecimal,
{
    /// The value of a slot together with the scale, as a [`Decimal`], which prints the exact value. `None` if the slot
    /// is null or out of bounds.
    pub fn decimal(&self, slot: usize) -> Option<Decimal<T::Native>> {
        self.get(slot).map(|unscaled| Decimal::new(unscaled, self.parameters.scale))
    }

    /// The values in order, each together with the scale. `None` for null slots. Can also be read from the end.
    ///
    /// ```
    /// use arrow_array::Decimal32Array;
    /// use arrow_schema::DataType;
    ///
    /// let prices = Decimal32Array::try_from_iter(DataType::decimal32(5, 2)?, [Some(1999), None, Some(5)])?;
    /// let prices: Vec<String> = prices.decimals().flatten().map(|price| price.to_string()).collect();
    /// assert_eq!(prices, ["19.99", "0.05"]);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn decimals(
        &self,
    ) -> impl DoubleEndedIterator<Item = Option<Decimal<T::Native>>> + ExactSizeIterator + FusedIterator + Clone
    {
        let scale = self.parameters.scale;
        self.iter().map(move |value| value.map(|unscaled| Decimal::new(unscaled, scale)))
    }
}

impl Time32Array {
    /// The unit that the values count: seconds or milliseconds.
    pub fn unit(&self) -> Time32Unit {
        self.parameters
    }
}

impl Time64Array {
    /// The unit that the values count: microseconds or nanoseconds.
    pub fn unit(&self) -> Time64Unit {
        self.parameters
    }
}

impl DurationArray {
    /// The unit that the values count, from seconds to nanoseconds.
    pub fn unit(&self) -> TimeUnit {
        self.parameters
    }
}

impl TimestampArray {
    /// The unit that the values count, from seconds to nanoseconds.
    pub fn unit(&self) -> TimeUnit {
        self.parameters
    }

    /// The time zone in which timestamps are displayed. `None` if they are local times of an unknown zone: if
    /// the type has no time zone, or an empty one.
    pub fn time_zone(&self) -> Option<&str> {
        self.data.data_type().as_timestamp().and_then(|(_, zone)| zone)
    }
}

impl<T: PrimitiveType> Slots for PrimitiveArray<T> {
    type Item<'a> = T::Native;
    type Access<'a> = Numbers<'a, T::Native>;

    fn make(data: ArrayData) -> Result<PrimitiveArray<T>, ArrayError> {
        let Some(parameters) = T::parameters(data.data_type()) else {
            return Err(ArrayError::type_mismatch(T::NAME, data.data_type()));
        };
        let data = data.validate(Validation::Content)?;
        Ok(PrimitiveArray { values: numbers(data.buffer(0), data.len())?, data, parameters })
    }

    #[inline]
    fn access(&self) -> Numbers<'_, T::Native> {
        Numbers(&self.values)
    }

    #[inline]
    fn at(&self, slot: usize) -> T::Native {
        self.values.get(slot).copied().unwrap_or_default()
    }

    fn zero_value(&self) -> T::Native {
        T::Native::default()
    }
}

array_methods!([T: PrimitiveType] PrimitiveArray<T>, T::Native, len = values);
