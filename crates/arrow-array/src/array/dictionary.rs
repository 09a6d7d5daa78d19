//! Dictionary-encoded arrays.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, Values};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::{DataType, DictionaryOrder, IndexType};

use super::{
    Array, ArrayIter, DecodedArray, Positions,
    access::{Access, Numbers},
    methods::array_methods,
    proven::numbers,
    sealed::Slots,
};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Dictionary-encoded values: each slot is an index into a dictionary. The index type may be any integer type.
///
/// [`value`](DictionaryArray::value) and iteration return indices into [`values`](DictionaryArray::values), and
/// [`decoded`](DictionaryArray::decoded) returns the values themselves. The dictionary may contain equal values.
///
/// `null_count`, `is_null` and `get` treat a slot as null only if it has no index. The dictionary may also contain
/// nulls. Slots that select such a null are null in [`decoded`](DictionaryArray::decoded), and in
/// [`logical_validity`](ArrayData::logical_validity) of the data.
///
/// ```
/// use arrow_array::{DictionaryBuilder, Utf8Array, Utf8Builder};
/// use arrow_schema::IndexType;
///
/// let colors = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new())?;
/// let colors = colors.with_values([Some("red"), None, Some("blue"), Some("red")]).finish()?;
/// assert_eq!((colors.index(1), colors.index(2), colors.index(3)), (None, Some(1), Some(0)));
/// let decoded = colors.decoded::<Utf8Array>()?;
/// assert_eq!(decoded.iter().collect::<Vec<_>>(), [Some("red"), None, Some("blue"), Some("red")]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Dictionary-encoded Layout" of the specification.
#[derive(Clone)]
pub struct DictionaryArray {
    data: ArrayData,
    values: Arc<ArrayData>,
    order: DictionaryOrder,
    indices: IndexValues,
}

#[derive(Debug, Clone)]
enum IndexValues {
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
    /// Makes an array from indices into `values`. The indices are integers of any type. A null index makes a null slot.
    /// Copies nothing. The type declares no order of the values.
    ///
    /// ```
    /// use arrow_array::{DictionaryArray, UInt16Array, Utf8ViewArray};
    ///
    /// let indices = UInt16Array::from_iter([Some(1), None, Some(0)]);
    /// let colors = DictionaryArray::try_new(indices, Utf8ViewArray::from_iter(["red", "blue"]))?;
    /// let decoded = colors.decoded::<Utf8ViewArray>()?;
    /// assert_eq!(decoded.iter().collect::<Vec<_>>(), [Some("blue"), None, Some("red")]);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If `indices` are not integers. If a valid index is out of bounds. If `values` are dictionary-encoded themselves,
    /// or their content is invalid.
    pub fn try_new(
        indices: impl Into<ArrayData>,
        values: impl Into<ArrayData>,
    ) -> Result<DictionaryArray, ArrayError> {
        let (indices, values) = (indices.into(), values.into());
        let index = IndexType::ALL.into_iter().find(|index| DataType::from(*index) == *indices.data_type());
        let index = index.ok_or_else(|| ArrayError::type_mismatch("an integer", indices.data_type()))?;
        DictionaryArray::try_from(ArrayData::try_new(ArrayParts {
            data_type: DataType::dictionary(index, values.data_type().clone())?,
            dictionary: Some(values.into()),
            ..indices.into_parts()
        })?)
    }

    /// The index of a slot into [`values`](DictionaryArray::values). `None` if the slot is null or out of bounds.
    pub fn index(&self, slot: usize) -> Option<usize> {
        self.get(slot)
    }

    /// The indices as an array of integers, without a copy. `A` is the array type of the index type, or
    /// [`AnyArray`](crate::AnyArray). Indices of null slots have no meaning.
    ///
    /// ```
    /// use arrow_array::{DictionaryArray, Int8Array, Utf8ViewArray};
    ///
    /// let indices = Int8Array::from_iter([Some(1), None, Some(0)]);
    /// let array = DictionaryArray::try_new(indices.clone(), Utf8ViewArray::from_iter(["red", "blue"]))?;
    /// assert_eq!(array.indices_as::<Int8Array>()?, indices);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If the indices have another type.
    pub fn indices_as<A: TryFrom<ArrayData, Error = ArrayError>>(&self) -> Result<A, ArrayError> {
        let Some(dictionary) = self.data.data_type().as_dictionary() else {
            return Err(ArrayError::type_mismatch("dictionary", self.data.data_type()));
        };
        let parts = self.data.clone().into_parts();
        A::try_from(ArrayData::try_new(ArrayParts {
            data_type: dictionary.index().into(),
            dictionary: None,
            ..parts
        })?)
    }

    /// The dictionary, from which the slots select their values.
    pub fn values(&self) -> &ArrayData {
        &self.values
    }

    /// Whether the type declares that the order of the values has a meaning. The order is not checked.
    pub fn order(&self) -> DictionaryOrder {
        self.order
    }

    /// Combines the array with its dictionary as a typed array, to read the decoded values.
    ///
    /// # Errors
    /// If the dictionary is not of the type `A`.
    pub fn decoded<A: Array>(&self) -> Result<DecodedArray<DictionaryArray, A>, ArrayError> {
        DecodedArray::try_new(self)
    }
}

impl Slots for DictionaryArray {
    type Item<'a> = usize;
    type Access<'a> = IndexAccess<'a>;

    fn make(data: ArrayData) -> Result<DictionaryArray, ArrayError> {
        let mismatch = |data: &ArrayData| ArrayError::type_mismatch("dictionary", data.data_type());
        if kind(data.data_type()) != Kind::Dictionary {
            return Err(mismatch(&data));
        }
        let data = data.validate(Validation::Content)?;
        let dictionary = data.data_type().as_dictionary().ok_or_else(|| mismatch(&data))?;
        let order = dictionary.order();
        let values = data.dictionary().ok_or_else(|| mismatch(&data))?.clone();
        let buffer = data.buffer(0);
        let n = data.len();
        let indices = match dictionary.index() {
            IndexType::Int8 => IndexValues::Int8(numbers(buffer, n)?),
            IndexType::Int16 => IndexValues::Int16(numbers(buffer, n)?),
            IndexType::Int32 => IndexValues::Int32(numbers(buffer, n)?),
            IndexType::Int64 => IndexValues::Int64(numbers(buffer, n)?),
            IndexType::UInt8 => IndexValues::UInt8(numbers(buffer, n)?),
            IndexType::UInt16 => IndexValues::UInt16(numbers(buffer, n)?),
            IndexType::UInt32 => IndexValues::UInt32(numbers(buffer, n)?),
            IndexType::UInt64 => IndexValues::UInt64(numbers(buffer, n)?),
        };
        Ok(DictionaryArray { data, values, order, indices })
    }

    #[inline]
    fn access(&self) -> IndexAccess<'_> {
        IndexAccess::new(&self.indices, self.data.buffer(0))
    }

    #[inline]
    fn at(&self, slot: usize) -> usize {
        self.access().at(slot)
    }

    fn zero_value(&self) -> usize {
        0
    }
}

/// Binds `$numbers` to the slice of indices, whatever their integer type, and evaluates `$loop`.
macro_rules! with_indices {
    ($indices:expr, $numbers:ident => $loop:expr) => {
        match $indices {
            IndexValues::Int8($numbers) => $loop,
            IndexValues::Int16($numbers) => $loop,
            IndexValues::Int32($numbers) => $loop,
            IndexValues::Int64($numbers) => $loop,
            IndexValues::UInt8($numbers) => $loop,
            IndexValues::UInt16($numbers) => $loop,
            IndexValues::UInt32($numbers) => $loop,
            IndexValues::UInt64($numbers) => $loop,
        }
    };
}

/// Reads indices as `usize`. Folds match on the index type once, and `at` reads one index without a match.
///
/// The content check has found that the indices of valid slots are in bounds. Callers do not use the indices of null
/// slots.
#[derive(Debug, Clone, Copy)]
pub struct IndexAccess<'a> {
    indices: &'a IndexValues,
    bytes: &'a [u8],
    /// The binary logarithm of the width of an index in bytes.
    shift: u32,
    /// A mask for the bits of one index.
    mask: u64,
}

impl<'a> IndexAccess<'a> {
    #[inline]
    fn new(indices: &'a IndexValues, bytes: &'a [u8]) -> IndexAccess<'a> {
        let (shift, mask) = match indices {
            IndexValues::Int8(_) | IndexValues::UInt8(_) => (0, 0xff),
            IndexValues::Int16(_) | IndexValues::UInt16(_) => (1, 0xffff),
            IndexValues::Int32(_) | IndexValues::UInt32(_) => (2, 0xffff_ffff),
            IndexValues::Int64(_) | IndexValues::UInt64(_) => (3, u64::MAX),
        };
        IndexAccess { indices, bytes, shift, mask }
    }

    /// Reads an index near the end of the buffer, where `at` cannot load eight bytes.
    #[cold]
    fn at_by_width(self, slot: usize) -> usize {
        with_indices!(self.indices, indices => Numbers(indices).at(slot) as usize)
    }
}

impl Access for IndexAccess<'_> {
    type Item = usize;

    #[inline]
    fn at(self, slot: usize) -> usize {
        let start = slot << self.shift;
        match self.bytes.get(start..).and_then(|bytes| bytes.first_chunk()) {
            Some(bytes) if cfg!(target_endian = "little") => {
                (u64::from_le_bytes(*bytes) & self.mask) as usize
            }
            _ => self.at_by_width(slot),
        }
    }

    #[inline]
    fn fold_valid<B>(self, slots: Range<usize>, start: B, mut step: impl FnMut(B, usize) -> B) -> B {
        with_indices!(self.indices, indices => {
            Numbers(indices).fold_valid(slots, start, |folded, index| step(folded, index as usize))
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
        with_indices!(self.indices, indices => {
            Numbers(indices).fold(slots, valid, start, |folded, index| step(folded, index.map(|index| index as usize)))
        })
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
