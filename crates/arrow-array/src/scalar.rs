//! One value of any type.

mod from;

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use arrow_buffer::BudgetError;
use arrow_data::{ArrayData, ChunkedArray, DataError, DataErrorKind};
use arrow_schema::DataType;
use arrow_select::{Selector, ValueBytes};

use crate::{
    array::{Array, DictionaryArray, RunEndEncodedArray},
    builder::{AnyBuilder, Append, Builder},
    dispatch::AnyArray,
    error::ArrayError,
};

/// One value of any Arrow type, which may be nested or null.
///
/// A scalar is an array of one slot. A scalar of a slot of an array copies nothing, and keeps the memory of the array alive. It
/// prints like [`AnyArray::display`] of the slot. Scalars are compared like arrays: metadata in types is ignored, and
/// floating-point numbers are compared by their bits. Scalars have no order.
///
/// ```
/// use arrow_array::{Int32Array, Int64Array, ListBuilder, Int64Builder, Scalar, Utf8Array};
///
/// let five = Scalar::from(5);
/// assert_eq!((five.data_type().to_string(), five.to_string()), ("int32".to_owned(), "5".to_owned()));
/// assert_eq!(five.value_as::<Int32Array>()?, Some(5));
/// assert_eq!(five, Scalar::try_from_slot(Int32Array::from_iter([4, 5]).data(), 1)?);
///
/// let name = Scalar::from("ada");
/// assert_eq!(name.value_as::<Utf8Array>()?, Some("ada"));
/// assert_eq!(name.value_as::<Int64Array>().unwrap_err().to_string(), "expected int64, found utf8");
///
/// let list = Scalar::try_build(ListBuilder::new(Int64Builder::new()), vec![1, 2])?;
/// assert_eq!(list.to_string(), "[1,2]");
/// assert_eq!(list.to_array(3)?.len(), 3);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Clone)]
pub struct Scalar {
    array: AnyArray,
}

impl Scalar {
    /// Makes a scalar of a slot, and shares the memory of the array. Validates the slot, and all of its children and
    /// dictionaries, unless they have been validated before.
    ///
    /// # Errors
    /// If the slot is out of bounds. If the content is invalid.
    pub fn try_from_slot(data: &ArrayData, slot: usize) -> Result<Scalar, ArrayError> {
        Ok(Scalar { array: AnyArray::try_from(data.try_slice(slot, 1)?)? })
    }

    /// Makes a scalar of a slot of a chunked column. Slots are counted through all chunks.
    ///
    /// # Errors
    /// The errors of [`try_from_slot`](Scalar::try_from_slot).
    pub fn try_from_chunked(column: &ChunkedArray, slot: usize) -> Result<Scalar, ArrayError> {
        let found = column.locate(slot).and_then(|(idx, slot)| Some((column.chunks().get(idx)?, slot)));
        let Some((chunk, slot)) = found else {
            let (start, end) = (slot as u64, slot as u128 + 1);
            let n_slots = column.len() as u64;
            return Err(DataError::from(DataErrorKind::SliceOutOfRange { start, end, n_slots }).into());
        };
        Scalar::try_from_slot(chunk, slot)
    }

    /// Makes a null of a type. A union has no nulls of its own, so its first child gets the null.
    ///
    /// # Errors
    /// If the type cannot have a null: runs whose values are not nullable, unions without children, and structs or
    /// fixed-size lists that contain such a type.
    ///
    /// ```
    /// use arrow_array::Scalar;
    /// use arrow_schema::{DataType, Field};
    ///
    /// let null = Scalar::try_new_null(&DataType::list(Field::new("item", DataType::Int8)))?;
    /// assert!(null.is_null());
    /// assert_eq!(null.to_string(), "null");
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn try_new_null(data_type: &DataType) -> Result<Scalar, ArrayError> {
        let mut builder = AnyBuilder::new(data_type);
        builder.append_null();
        Scalar::try_from_slot(&builder.finish_data()?, 0)
    }

    /// Makes a scalar from a Rust value, which is appended to a builder of any type. Removes values that are already in the
    /// builder.
    ///
    /// # Errors
    /// If the value does not fit the type of the builder.
    ///
    /// ```
    /// use arrow_array::{Scalar, TimestampBuilder};
    /// use arrow_schema::{DataType, TimeUnit};
    ///
    /// let seconds = TimestampBuilder::try_new(DataType::timestamp(TimeUnit::Second))?;
    /// assert_eq!(Scalar::try_build(seconds, 0)?.to_string(), "1970-01-01T00:00:00");
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn try_build<V>(mut builder: impl Append<V>, value: V) -> Result<Scalar, ArrayError> {
        builder.truncate(0);
        Append::append(&mut builder, value);
        Scalar::try_from_slot(&builder.finish_data()?, 0)
    }

    /// The Arrow type of the value.
    pub fn data_type(&self) -> &DataType {
        self.array.data_type()
    }

    /// Whether the value is null. `true` also for a slot that selects a null of a dictionary, of a run or of a child of a
    /// union.
    pub fn is_null(&self) -> bool {
        self.array.data().logical_null_count().expect("the array has been validated") > 0
    }

    /// The value as an array of type `A` returns it, such as a number, a `&str`, or the [`ArrayData`] of a list's items. `None`
    /// if the slot is null. For a dictionary-encoded value, returns the index; see [`decoded`](Scalar::decoded).
    ///
    /// # Errors
    /// If the value is not of the array type `A`.
    pub fn value_as<A: Array>(&self) -> Result<Option<A::Item<'_>>, ArrayError> {
        if let Some(array) = self.array.downcast_ref::<A>() {
            return Ok(array.get(0));
        }
        // The conversion fails, and its error names both types.
        match A::try_from(self.array.data().clone()) {
            Err(error) => Err(error),
            Ok(_) => unreachable!("an array of this type is one"),
        }
    }

    /// Replaces a dictionary-encoded or run-end encoded value by the value that it selects. Copies nothing.
    ///
    /// ```
    /// use arrow_array::{DictionaryBuilder, Scalar, Utf8Array, Utf8Builder};
    /// use arrow_schema::IndexType;
    ///
    /// let words = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new())?;
    /// let word = Scalar::try_build(words, "ada")?;
    /// assert_eq!(word.data_type().to_string(), "dictionary<int8, utf8>");
    /// assert_eq!(word.decoded()?.value_as::<Utf8Array>()?, Some("ada"));
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If the value is null and the decoded type cannot have nulls; see [`try_new_null`](Scalar::try_new_null).
    pub fn decoded(&self) -> Result<Scalar, ArrayError> {
        let mut decoded = self.clone();
        loop {
            let (values, slot) = match (decoded.array.downcast_ref::<DictionaryArray>(), decoded.runs()) {
                (Some(dictionary), _) => (dictionary.values(), dictionary.get(0)),
                (None, Some(runs)) => (runs.values(), runs.get(0)),
                (None, None) => return Ok(decoded),
            };
            decoded = match slot {
                Some(slot) => Scalar::try_from_slot(values, slot)?,
                None => Scalar::try_new_null(values.data_type())?,
            };
        }
    }

    fn runs(&self) -> Option<&RunEndEncodedArray> {
        self.array.downcast_ref()
    }

    /// The array of one slot that contains the value.
    pub fn as_array(&self) -> &AnyArray {
        &self.array
    }

    /// Makes an array with this value in `n_slots` slots. Copies the value, but shares items of list views, bytes of
    /// views and dictionaries, as [`Select::take`](arrow_select::Select::take) does.
    ///
    /// # Errors
    /// If the offsets of 32 bits or the run ends of the type cannot express `n_slots` such values. If the system has too little
    /// memory.
    ///
    /// ```
    /// use arrow_array::{Scalar, Utf8Array};
    ///
    /// assert_eq!(Scalar::from("a").to_array(2)?, Utf8Array::try_from_iter(["a", "a"])?.into());
    /// let error = Scalar::from(1).to_array(usize::MAX / 4).unwrap_err();
    /// assert!(error.to_string().starts_with("the system cannot provide"), "{error}");
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    /// use arrow_select::Select;
    pub fn to_array(&self, n_slots: usize) -> Result<AnyArray, ArrayError> {
        self.to_array_with(n_slots, &Selector::new())
    }

    /// Like [`to_array`](Scalar::to_array), but charges copies to the budget of `selector`.
    ///
    /// # Errors
    /// The errors of [`to_array`](Scalar::to_array), and an error if the budget is exceeded.
    pub fn to_array_with(&self, n_slots: usize, selector: &Selector) -> Result<AnyArray, ArrayError> {
        if n_slots == 0 {
            return AnyArray::try_from(ArrayData::new_empty(self.data_type()));
        }
        // Copies the array repeatedly, so that no list of `n_slots` indices is needed. The first copy shows how much memory a
        // slot takes.
        let mut data = self.array.data().clone();
        let mut n_copies = 2;
        while data.len() < n_slots {
            let (n_before, n_bytes_before) = (data.len(), data.n_bytes());
            let n_whole = (n_slots / n_before).min(n_copies);
            let n_rest = if n_whole < n_copies { n_slots % n_before } else { 0 };
            let mut ranges = vec![0..n_before; n_whole];
            ranges.push(0..n_rest);
            data = selector.take_ranges(&data, &ranges)?;
            let n_bytes_added = u128::from(data.n_bytes().saturating_sub(n_bytes_before));
            let n_added = (data.len() - n_before) as u128;
            check_memory(n_bytes_added * (n_slots - data.len()) as u128 / n_added)?;
            n_copies = 1024;
        }
        AnyArray::try_from(data)
    }
}

/// Tries to allocate `n_bytes` bytes, and frees them at once. A selection would abort the program if there is too
/// little memory.
fn check_memory(n_bytes: u128) -> Result<(), DataError> {
    let is_there = usize::try_from(n_bytes).is_ok_and(|n| Vec::<u8>::new().try_reserve_exact(n).is_ok());
    if is_there {
        return Ok(());
    }
    let requested = u64::try_from(n_bytes).unwrap_or(u64::MAX);
    Err(DataErrorKind::Memory(BudgetError::OutOfMemory { requested }).into())
}

impl PartialEq for Scalar {
    /// Compares the scalars as arrays of one slot. Scalars of different types differ.
    fn eq(&self, other: &Scalar) -> bool {
        self.array == other.array
    }
}

// Floating-point numbers are compared by their bits, so each value equals itself.
impl Eq for Scalar {}

/// The maximum number of bytes that are hashed. List views and dictionaries may refer to the same values many times, so
/// a value that takes little memory may have more bytes than fit into memory.
const MAX_HASHED_BYTES: usize = 4096;

impl Hash for Scalar {
    /// Hashes the first 4 KiB of the value. Does not hash the type.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut bytes = Vec::new();
        if let Ok(values) = ValueBytes::try_new(self.array.data()) {
            // Equal values write the same bytes, even if the limit stops them.
            let _: Result<(), _> = values.append(0, &mut bytes, MAX_HASHED_BYTES);
        }
        bytes.hash(state);
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.array.display(0), f)
    }
}

impl fmt::Debug for Scalar {
    /// Prints the type and the value, like `Debug` of arrays. Cuts the value after 1 KiB and ends it with `…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scalar").field(&self.array).finish()
    }
}
