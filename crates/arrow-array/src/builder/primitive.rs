//! Builders of numbers of one width.

use arrow_buffer::{Buffer, NativeType};
use arrow_data::{ArrayData, ArrayParts, StrictRule, Validation};
use arrow_schema::DataType;
use arrow_select::{SelectError, ValueWriter};

use super::{
    Append, Builder, FirstFailure,
    append::{LookupKey, SlotLookup},
    assemble,
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
    validity::Validity,
};
use crate::{array::PrimitiveArray, error::ArrayError, types::*};

/// Builds arrays of numbers of one width: integers, floats, decimals, dates, times, durations and intervals. Each type has an
/// alias.
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
///
/// `finish` returns an error if a number does not fit the type: a decimal with more digits than the precision, a time
/// outside a day, or a date64 that is not a whole day. After [`skip_range_check`](Self::skip_range_check), it accepts
/// such numbers.
///
/// ```
/// use arrow_array::Time32Builder;
///
/// let mut times = Time32Builder::try_new("time32(s)".parse().expect("a type"))?;
/// times.append_slice(&[0, 86_400]);
/// let error = times.finish().unwrap_err();
/// assert_eq!(error.to_string(), "values, slot 1: the time 86400 is not within a day, from 0 to less than 86400");
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PrimitiveBuilder<T: PrimitiveType> {
    data_type: DataType,
    parameters: T::Parameters,
    values: Vec<T::Native>,
    validity: Validity,
    failure: FirstFailure,
    skips_range_check: bool,
}

macro_rules! aliases {
    ($($marker:ident: $array:ident, $builder:ident, $what:literal { $($row:tt)* })*) => {$(
        #[doc = concat!("Builds arrays of ", $what, ".")]
        pub type $builder = PrimitiveBuilder<$marker>;
    )*};
}

each_primitive!(aliases);

impl<T: PlainType> PrimitiveBuilder<T> {
    /// Makes an empty builder. Allocates no memory.
    pub fn new() -> Self {
        Self::from_data_type(T::DATA_TYPE, ())
    }

    /// Makes an empty builder with memory for `n_slots` slots.
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
    /// Makes an empty builder for a type with parameters, such as a unit or a scale.
    ///
    /// # Errors
    /// If `data_type` is not one of the types that `T` represents.
    pub fn try_new(data_type: DataType) -> Result<Self, ArrayError> {
        match T::parameters(&data_type) {
            Some(parameters) => Ok(Self::from_data_type(data_type, parameters)),
            None => Err(ArrayError::type_mismatch(T::NAME, &data_type)),
        }
    }

    fn from_data_type(data_type: DataType, parameters: T::Parameters) -> Self {
        let validity = Validity::default();
        let failure = FirstFailure::default();
        let values = Vec::new();
        PrimitiveBuilder { data_type, parameters, values, validity, failure, skips_range_check: false }
    }

    /// The parameters of the type: a unit, a scale, or `()` for types without parameters.
    pub fn parameters(&self) -> T::Parameters {
        self.parameters
    }

    /// Converts a value to the number to store; `None` if the value is null. If the type cannot hold the value, returns
    /// `None` and stores the error in `failure`.
    #[inline(always)]
    fn number(&mut self, value: &impl NumberSlot<T>) -> Option<T::Native> {
        match value.number(&self.data_type, self.parameters) {
            Ok(number) => number,
            Err(error) => {
                self.failure.remember(self.values.len(), error);
                None
            }
        }
    }

    /// Lets the next `finish` accept all numbers, such as times outside a day, which some producers write. Validation
    /// at [`Validation::Strict`] finds such numbers in the array.
    #[inline]
    pub fn skip_range_check(&mut self) {
        self.skips_range_check = true;
    }

    /// Appends each of `numbers` as a valid slot.
    pub fn append_slice(&mut self, numbers: &[T::Native]) {
        self.values.extend_from_slice(numbers);
        self.validity.append_valids(numbers.len());
    }

    /// Appends a number, or a null for `None`. Does the same as `append`, but needs no bound in code that is generic over `T`.
    #[inline]
    pub fn append_option(&mut self, number: Option<T::Native>) {
        match number {
            Some(number) => self.append(number),
            None => self.append_null(),
        }
    }

    /// Appends `n_slots` valid slots with the same number.
    pub fn append_repeated(&mut self, number: T::Native, n_slots: usize) {
        self.values.resize(self.values.len().saturating_add(n_slots), number);
        self.validity.append_valids(n_slots);
    }

    /// The numbers of all slots so far. The numbers of null slots are zero.
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
        self.failure.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error()
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        let values = std::mem::take(&mut self.values);
        let parts = ArrayParts::new(self.data_type.clone(), values.len());
        let validity = self.validity.finish();
        let buffers = [Buffer::from(values), Buffer::new()];
        let skips_range_check = std::mem::take(&mut self.skips_range_check);
        self.failure.take()?;
        let array = assemble(ArrayParts { validity, buffers, ..parts })?;
        let is_done = skips_range_check || array.layout().strict() == StrictRule::Any;
        Ok(if is_done { array } else { array.validate(Validation::Strict)? })
    }
}

impl<T: PrimitiveType> Slots for PrimitiveBuilder<T> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        match self.values.get(slot) {
            Some(number) if self.validity.is_valid(slot) => to.fixed(number.as_bytes()),
            _ => to.null(),
        }
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.append_repeated(T::Native::default(), n_slots);
    }
}

impl<T: PrimitiveType, V: NumberSlot<T>> Append<V> for PrimitiveBuilder<T> {
    // This function has no other work, so the compiler can optimise loops that call it.
    #[inline(always)]
    fn append(&mut self, value: V) {
        match self.number(&value) {
            Some(number) => {
                self.values.push(number);
                self.validity.append_valid();
            }
            None => self.append_null(),
        }
    }
}

impl<T: PrimitiveType, V: NumberSlot<T>> SlotLookup<V> for PrimitiveBuilder<T> {
    #[inline]
    fn append_all(&mut self, values: impl IntoIterator<Item = V>) {
        if self.validity.has_nulls() {
            return values.into_iter().for_each(|value| self.append(value));
        }
        if V::IS_NUMBER {
            // If the iterator comes from a slice, the compiler turns this into a single copy.
            let data_type = &self.data_type;
            let parameters = self.parameters;
            let number = |value: V| {
                let number = value.number(data_type, parameters).ok().flatten();
                number.expect("`IS_NUMBER` says that each value is one")
            };
            return self.values.extend(values.into_iter().map(number));
        }
        let Self { data_type, parameters, values: numbers, validity, failure, .. } = self;
        let mut slot = numbers.len();
        let mut appended = AppendedNulls { values: numbers, validity, nulls: Vec::new() };
        let AppendedNulls { values: numbers, nulls, .. } = &mut appended;
        numbers.extend(values.into_iter().map(|value| {
            let number = value.number(data_type, *parameters).unwrap_or_else(|error| {
                failure.remember(slot, error);
                None
            });
            let number = number.unwrap_or_else(|| {
                nulls.push(slot);
                T::Native::default()
            });
            slot += 1;
            number
        }));
    }

    #[inline]
    fn look(&self, value: &V, hasher: &SlotHasher) -> LookupKey {
        match value.number(&self.data_type, self.parameters) {
            Ok(Some(number)) => LookupKey::Hash(hasher.fixed(number.as_bytes())),
            Ok(None) => LookupKey::Null,
            Err(_) => LookupKey::Append,
        }
    }

    #[inline]
    fn holds(&self, slot: usize, value: &V) -> bool {
        let number = value.number(&self.data_type, self.parameters).ok().flatten();
        number.is_some_and(|number| {
            let is_same = |other: &T::Native| other.as_bytes() == number.as_bytes();
            self.values.get(slot).is_some_and(is_same) && self.validity.is_valid(slot)
        })
    }
}

/// Marks the null slots among appended numbers when it is dropped: after the loop, or if the iterator panics.
struct AppendedNulls<'a, N> {
    values: &'a mut Vec<N>,
    validity: &'a mut Validity,
    /// The null slots, counted from the first slot of the builder.
    nulls: Vec<usize>,
}

impl<N> Drop for AppendedNulls<'_, N> {
    #[inline]
    fn drop(&mut self) {
        self.validity.set_nulls(self.values.len(), std::mem::take(&mut self.nulls));
    }
}

builder_methods!([T: PrimitiveType,] PrimitiveBuilder<T> => PrimitiveArray<T>);
