//! Arrays of positions in a dictionary.

use std::ops::Range;

use arrow_buffer::{Bitmap, Values};
use arrow_data::ArrayData;
use arrow_schema::{DictionaryOrder, IndexType};

use super::{
    Array, ArrayIter, Decoded, Positions,
    access::{Access, Numbers},
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
#[derive(Debug, Clone)]
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

/// Access to the keys as positions. Loops look at their width once.
///
/// The content check has found the keys of valid slots to be positions. Others may become any, and are not asked for.
#[derive(Debug, Clone, Copy)]
pub enum KeyAccess<'a> {
    Int8(&'a [i8]),
    Int16(&'a [i16]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    UInt8(&'a [u8]),
    UInt16(&'a [u16]),
    UInt32(&'a [u32]),
    UInt64(&'a [u64]),
}

/// Evaluates `$loop` with the numbers of the keys, whatever their width.
macro_rules! with_keys {
    ($keys:expr, $numbers:ident => $loop:expr) => {
        match $keys {
            KeyAccess::Int8($numbers) => $loop,
            KeyAccess::Int16($numbers) => $loop,
            KeyAccess::Int32($numbers) => $loop,
            KeyAccess::Int64($numbers) => $loop,
            KeyAccess::UInt8($numbers) => $loop,
            KeyAccess::UInt16($numbers) => $loop,
            KeyAccess::UInt32($numbers) => $loop,
            KeyAccess::UInt64($numbers) => $loop,
        }
    };
}

impl Access for KeyAccess<'_> {
    type Item = usize;

    #[inline]
    fn at(self, slot: usize) -> usize {
        with_keys!(self, keys => Numbers(keys).at(slot) as usize)
    }

    #[inline]
    fn fold_valid<B>(self, slots: Range<usize>, start: B, mut step: impl FnMut(B, usize) -> B) -> B {
        with_keys!(self, keys => {
            Numbers(keys).fold_valid(slots, start, |folded, key| step(folded, key as usize))
        })
    }

    #[inline]
    fn fold<B>(
        self,
        slots: Range<usize>,
        valid: &Bitmap,
        start: B,
        mut step: impl FnMut(B, Option<usize>) -> B,
    ) -> B {
        with_keys!(self, keys => {
            Numbers(keys).fold(slots, valid, start, |folded, key| step(folded, key.map(|key| key as usize)))
        })
    }
}

impl Array for DictionaryArray {
    type Item<'a> = usize;
    type Access<'a> = KeyAccess<'a>;

    fn data(&self) -> &ArrayData {
        &self.data
    }

    #[inline]
    fn access(&self) -> KeyAccess<'_> {
        match &self.keys {
            Keys::Int8(keys) => KeyAccess::Int8(keys),
            Keys::Int16(keys) => KeyAccess::Int16(keys),
            Keys::Int32(keys) => KeyAccess::Int32(keys),
            Keys::Int64(keys) => KeyAccess::Int64(keys),
            Keys::UInt8(keys) => KeyAccess::UInt8(keys),
            Keys::UInt16(keys) => KeyAccess::UInt16(keys),
            Keys::UInt32(keys) => KeyAccess::UInt32(keys),
            Keys::UInt64(keys) => KeyAccess::UInt64(keys),
        }
    }

    #[inline]
    fn at(&self, slot: usize) -> usize {
        self.access().at(slot)
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
