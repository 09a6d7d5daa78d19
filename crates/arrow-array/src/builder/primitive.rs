//! Builders of numbers of one width.

use arrow_buffer::{Buffer, Native};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;

use super::{
    Append, Builder,
    append::Look,
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
    slots::assemble,
    validity::Validity,
};
use crate::{array::PrimitiveArray, error::ArrayError, types::*};

/// Builds arrays of numbers of one width: integers, floats, decimals, and everything to do with time. See the
/// aliases, one for each type.
///
/// ```
/// use arrow_array::{Int64Builder, TimestampBuilder};
/// use arrow_schema::{DataType, TimeUnit};
///
/// let mut ids = Int64Builder::new();
/// ids.append(1);
/// ids.append(None);
/// ids.append_slice(&[2, 3]);
/// assert_eq!(ids.finish()?.iter().collect::<Vec<_>>(), [Some(1), None, Some(2), Some(3)]);
///
/// // Types with parameters are given.
/// let mut seen = TimestampBuilder::try_new(DataType::timestamp(TimeUnit::Second))?;
/// seen.append(1_700_000_000);
/// assert_eq!(format!("{:?}", seen.finish()?), r#"timestamp(s) ["2023-11-14T22:13:20"]"#);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PrimitiveBuilder<T: PrimitiveType> {
    data_type: DataType,
    values: Vec<T::Native>,
    validity: Validity,
}

macro_rules! aliases {
    ($($alias:ident = $marker:ident, $what:literal;)*) => {$(
        #[doc = concat!("Builds ", $what, ".")]
        pub type $alias = PrimitiveBuilder<$marker>;
    )*};
}

aliases! {
    Int8Builder = Int8Type, "signed integers of 8 bits";
    Int16Builder = Int16Type, "signed integers of 16 bits";
    Int32Builder = Int32Type, "signed integers of 32 bits";
    Int64Builder = Int64Type, "signed integers of 64 bits";
    UInt8Builder = UInt8Type, "unsigned integers of 8 bits";
    UInt16Builder = UInt16Type, "unsigned integers of 16 bits";
    UInt32Builder = UInt32Type, "unsigned integers of 32 bits";
    UInt64Builder = UInt64Type, "unsigned integers of 64 bits";
    Float16Builder = Float16Type, "floating-point numbers of 16 bits";
    Float32Builder = Float32Type, "floating-point numbers of 32 bits";
    Float64Builder = Float64Type, "floating-point numbers of 64 bits";
    Decimal32Builder = Decimal32Type, "decimal numbers of at most 9 digits, of unscaled integers";
    Decimal64Builder = Decimal64Type, "decimal numbers of at most 18 digits, of unscaled integers";
    Decimal128Builder = Decimal128Type, "decimal numbers of at most 38 digits, of unscaled integers";
    Decimal256Builder = Decimal256Type, "decimal numbers of at most 76 digits, of unscaled integers";
    Date32Builder = Date32Type, "dates, of days since 1970-01-01";
    Date64Builder = Date64Type, "dates, of milliseconds since 1970-01-01";
    Time32Builder = Time32Type, "times of day, of seconds or milliseconds";
    Time64Builder = Time64Type, "times of day, of microseconds or nanoseconds";
    TimestampBuilder = TimestampType, "moments, counted from 1970-01-01 00:00:00";
    DurationBuilder = DurationType, "lengths of time";
    IntervalYearMonthBuilder = IntervalYearMonthType, "calendar intervals, of months";
    IntervalDayTimeBuilder = IntervalDayTimeType, "calendar intervals, of days and milliseconds";
    IntervalMonthDayNanoBuilder = IntervalMonthDayNanoType,
        "calendar intervals, of months, days and nanoseconds";
}

impl<T: PlainType> PrimitiveBuilder<T> {
    /// A builder without slots.
    pub fn new() -> Self {
        PrimitiveBuilder { data_type: T::DATA_TYPE, values: Vec::new(), validity: Validity::default() }
    }

    /// A builder without slots, and room for `n_slots`.
    pub fn with_capacity(n_slots: usize) -> Self {
        PrimitiveBuilder { values: Vec::with_capacity(n_slots), ..Self::new() }
    }
}

impl<T: PlainType> Default for PrimitiveBuilder<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: PrimitiveType> PrimitiveBuilder<T> {
    /// A builder without slots, of a type that has parameters.
    ///
    /// # Errors
    /// If `data_type` is not of the sort that `T` marks.
    pub fn try_new(data_type: DataType) -> Result<Self, ArrayError> {
        match T::parameters(&data_type) {
            Some(_) => Ok(PrimitiveBuilder { data_type, values: Vec::new(), validity: Validity::default() }),
            None => Err(ArrayError::type_mismatch(T::NAME, &data_type)),
        }
    }

    /// Appends all of these numbers.
    pub fn append_slice(&mut self, numbers: &[T::Native]) {
        self.values.extend_from_slice(numbers);
        self.validity.append_valids(numbers.len());
    }

    /// Appends the same number `n_slots` times.
    pub fn append_repeated(&mut self, number: T::Native, n_slots: usize) {
        self.values.resize(self.values.len().saturating_add(n_slots), number);
        self.validity.append_valids(n_slots);
    }

    /// The numbers so far; those of null slots are zero.
    pub fn values(&self) -> &[T::Native] {
        &self.values
    }
}

impl<T: PrimitiveType> Builder for PrimitiveBuilder<T> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.values.len()
    }

    #[inline]
    fn append_null(&mut self) {
        self.validity.append_null(self.values.len());
        self.values.push(T::Native::default());
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.values.len(), n_slots);
        self.values.resize(self.values.len().saturating_add(n_slots), T::Native::default());
    }

    fn reserve(&mut self, n_slots: usize) {
        self.values.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        self.values.truncate(n_slots);
        self.validity.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        None
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        let values = std::mem::take(&mut self.values);
        let parts = ArrayParts::new(self.data_type.clone(), values.len());
        let (validity, buffers) = (self.validity.finish(), [Buffer::from(values), Buffer::new()]);
        assemble(ArrayParts { validity, buffers, ..parts })
    }
}

impl<T: PrimitiveType> Slots for PrimitiveBuilder<T> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn slot_hash(&self, slot: usize, hasher: &SlotHasher) -> u64 {
        match self.values.get(slot) {
            Some(number) if self.validity.is_valid(slot) => hasher.bytes(number.as_bytes()),
            _ => hasher.null(),
        }
    }

    fn same_slots(&self, a: usize, b: usize) -> bool {
        let bytes = |slot: usize| {
            let number = self.values.get(slot).filter(|_| self.validity.is_valid(slot));
            number.map(|number| number.as_bytes())
        };
        bytes(a) == bytes(b)
    }
}

impl<T: PrimitiveType, V: Into<Option<T::Native>> + Copy> Append<V> for PrimitiveBuilder<T> {
    // Whoever appends in a loop waits for nothing else.
    #[inline(always)]
    fn append(&mut self, value: V) {
        match value.into() {
            Some(number) => {
                self.values.push(number);
                self.validity.append_valid();
            }
            None => self.append_null(),
        }
    }

    /// Where values cannot be null, the compiler makes a copy of this.
    #[inline]
    fn append_all(&mut self, values: impl IntoIterator<Item = V>) {
        if self.validity.has_nulls() {
            return values.into_iter().for_each(|value| self.append(value));
        }
        let (mut slot, mut nulls) = (self.values.len(), Vec::new());
        self.values.extend(values.into_iter().map(|value| {
            let number = value.into().unwrap_or_else(|| {
                nulls.push(slot);
                T::Native::default()
            });
            slot += 1;
            number
        }));
        self.validity.set_nulls(self.values.len(), nulls);
    }

    #[inline]
    fn look(&self, value: &V, hasher: &SlotHasher) -> Look {
        let number: Option<T::Native> = (*value).into();
        number.map_or(Look::Null, |number| Look::Hash(hasher.bytes(number.as_bytes())))
    }

    #[inline]
    fn holds(&self, slot: usize, value: &V) -> bool {
        let number: Option<T::Native> = (*value).into();
        number.is_some_and(|number| {
            let is_same = |other: &T::Native| other.as_bytes() == number.as_bytes();
            self.values.get(slot).is_some_and(is_same) && self.validity.is_valid(slot)
        })
    }
}

builder_methods!([T: PrimitiveType,] PrimitiveBuilder<T> => PrimitiveArray<T>);
