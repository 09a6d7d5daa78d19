//! Arrays of positions in a dictionary.

use arrow_buffer::Values;
use arrow_data::ArrayData;
use arrow_schema::{DictionaryOrder, IndexType};

use super::{
    Array, ArrayIter, Decoded, Positions,
    methods::array_methods,
    proven::{numbers, proven},
    sealed::Slots,
};
use crate::{
    dispatch::{Kind, kind},
    error::ArrayError,
};

/// Positions in a dictionary, with any type of index; the values are decoded when they are accessed.
///
/// The value of a slot is its key: a position in [`values`](DictionaryArray::values). The dictionary may hold
/// nulls, too, and the same value several times. [`decoded`](DictionaryArray::decoded) reads through to the
/// values.
///
/// ```
/// use arrow_array::{DictionaryArray, Int8Array, Utf8Array};
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_schema::{DataType, IndexType};
///
/// let keys = Int8Array::from_iter([Some(1), None, Some(0)]).into_data();
/// let colors = Utf8Array::try_from_iter(["red", "blue"])?.into_data();
/// let array = DictionaryArray::try_from(ArrayData::try_new(ArrayParts {
///     data_type: DataType::dictionary(IndexType::Int8, DataType::Utf8)?,
///     dictionary: Some(colors.into()),
///     ..keys.into_parts()
/// })?)?;
/// assert_eq!((array.key(0), array.key(1)), (Some(1), None));
/// let decoded = array.decoded::<Utf8Array>()?;
/// assert_eq!(decoded.iter().collect::<Vec<_>>(), [Some("blue"), None, Some("red")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Follows "Dictionary-encoded Layout" of the specification.
#[derive(Clone)]
pub struct DictionaryArray {
    data: ArrayData,
    keys: Keys,
}

/// The indices, whatever their width.
#[derive(Clone)]
enum Keys {
    Int8(Values<i8>),
    Int16(Values<i16>),
    Int32(Values<i32>),
    Int64(Values<i64>),
    UInt8(Values<u8>),
    UInt16(Values<u16>),
    UInt32(Values<u32>),
    UInt64(Values<u64>),
}

impl DictionaryArray {
    /// The position in [`values`](DictionaryArray::values) that a slot selects; `None` where the slot is null
    /// or out of range.
    pub fn key(&self, slot: usize) -> Option<usize> {
        self.get(slot)
    }

    /// The dictionary.
    pub fn values(&self) -> &ArrayData {
        // The array has one: its type says so, and the structure of data holds what its type says.
        self.data.dictionary().map_or(&self.data, |dictionary| dictionary)
    }

    /// Whether the order of the values has a meaning.
    pub fn order(&self) -> DictionaryOrder {
        self.data.data_type().as_dictionary().map(|dictionary| dictionary.order()).unwrap_or_default()
    }

    /// The array with its values read through the dictionary, which is of type `A`.
    ///
    /// # Errors
    /// If the values are of another type.
    pub fn decoded<A: Array>(&self) -> Result<Decoded<DictionaryArray, A>, ArrayError> {
        Decoded::try_new(self)
    }
}

impl Keys {
    fn get(&self, slot: usize) -> Option<usize> {
        fn position<T: Copy + TryInto<usize>>(keys: &[T], slot: usize) -> Option<usize> {
            keys.get(slot).and_then(|key| (*key).try_into().ok())
        }
        match self {
            Keys::Int8(keys) => position(keys, slot),
            Keys::Int16(keys) => position(keys, slot),
            Keys::Int32(keys) => position(keys, slot),
            Keys::Int64(keys) => position(keys, slot),
            Keys::UInt8(keys) => position(keys, slot),
            Keys::UInt16(keys) => position(keys, slot),
            Keys::UInt32(keys) => position(keys, slot),
            Keys::UInt64(keys) => position(keys, slot),
        }
    }
}

impl Slots for DictionaryArray {
    fn make(data: ArrayData) -> Result<DictionaryArray, ArrayError> {
        let mismatch = |data: &ArrayData| ArrayError::type_mismatch("dictionary", data.data_type());
        if kind(data.data_type()) != Kind::Dictionary {
            return Err(mismatch(&data));
        }
        let data = proven(data)?;
        let dictionary = data.data_type().as_dictionary().ok_or_else(|| mismatch(&data))?;
        let (buffer, n) = (data.buffer(0), data.len());
        let keys = match dictionary.index() {
            IndexType::Int8 => Keys::Int8(numbers(buffer, n)?),
            IndexType::Int16 => Keys::Int16(numbers(buffer, n)?),
            IndexType::Int32 => Keys::Int32(numbers(buffer, n)?),
            IndexType::Int64 => Keys::Int64(numbers(buffer, n)?),
            IndexType::UInt8 => Keys::UInt8(numbers(buffer, n)?),
            IndexType::UInt16 => Keys::UInt16(numbers(buffer, n)?),
            IndexType::UInt32 => Keys::UInt32(numbers(buffer, n)?),
            IndexType::UInt64 => Keys::UInt64(numbers(buffer, n)?),
        };
        Ok(DictionaryArray { data, keys })
    }
}

impl Array for DictionaryArray {
    type Item<'a> = usize;

    fn data(&self) -> &ArrayData {
        &self.data
    }

    fn at(&self, slot: usize) -> usize {
        self.keys.get(slot).unwrap_or_default()
    }

    fn blank(&self) -> usize {
        0
    }
}

impl Positions for DictionaryArray {
    type Iter<'a> = ArrayIter<'a, DictionaryArray>;

    fn encoded_values(&self) -> &ArrayData {
        self.values()
    }

    fn positions(&self) -> ArrayIter<'_, DictionaryArray> {
        self.iter()
    }
}

array_methods!([] DictionaryArray, usize);
