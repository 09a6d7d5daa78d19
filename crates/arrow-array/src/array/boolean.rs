//! Arrays of booleans, bit-packed.

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind};
use arrow_schema::DataType;

use super::{IndexedSlots, methods::array_methods, proven::proven_as, sealed::Slots};
use crate::{error::ArrayError, kind::Kind};

/// Booleans, with one bit for each slot.
///
/// ```
/// use arrow_array::BooleanArray;
///
/// let flags = BooleanArray::from_iter([Some(true), None, Some(false)]);
/// assert_eq!(flags.iter().collect::<Vec<_>>(), [Some(true), None, Some(false)]);
/// assert_eq!(flags.values().count_set(), 1);
/// ```
///
/// Follows "Fixed-size Primitive Layout" of the specification, with bit-packed values.
#[derive(Clone)]
pub struct BooleanArray {
    data: ArrayData,
    values: Bitmap,
}

impl BooleanArray {
    /// Makes an array that shares these bits. A slot is null if its bit in `validity` is not set; without `validity`, all slots are valid.
    ///
    /// ```
    /// use arrow_array::BooleanArray;
    /// use arrow_buffer::Bitmap;
    ///
    /// let [values, validity] = [[true, true, false], [true, false, true]].map(Bitmap::from_iter);
    /// let flags = BooleanArray::try_new(values, Some(validity))?;
    /// assert_eq!(flags, BooleanArray::from_iter([Some(true), None, Some(false)]));
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If `validity` does not have a bit for each value.
    pub fn try_new(values: Bitmap, validity: Option<Bitmap>) -> Result<BooleanArray, ArrayError> {
        let parts = ArrayParts::new(DataType::Boolean, values.len());
        let offset = values.bit_offset();
        let buffers = [values.buffer().clone(), Buffer::new()];
        BooleanArray::try_from(ArrayData::try_new(ArrayParts { validity, buffers, offset, ..parts })?)
    }

    /// The bits of all slots. The bits of null slots have no meaning.
    pub fn values(&self) -> &Bitmap {
        &self.values
    }

    /// Returns a mask for [`filter`](arrow_select::Select::filter): a bit is set if its slot is true, and unset if its slot is
    /// false or null. Copies nothing if no slot is null.
    ///
    /// ```
    /// use arrow_array::BooleanArray;
    /// use arrow_buffer::Bitmap;
    ///
    /// let flags = BooleanArray::from_iter([Some(true), None, Some(false)]);
    /// assert_eq!(flags.to_mask(), Bitmap::from_iter([true, false, false]));
    /// ```
    pub fn to_mask(&self) -> Bitmap {
        match self.validity() {
            None => self.values.clone(),
            Some(validity) => self.values.and(validity).expect("both have a bit for each slot"),
        }
    }
}

impl Slots for BooleanArray {
    type Item<'a> = bool;
    type Access<'a> = IndexedSlots<'a, Self>;

    fn make(data: ArrayData) -> Result<BooleanArray, ArrayError> {
        let data = proven_as(data, Kind::Boolean, "bool")?;
        let values = Bitmap::try_new(data.buffer(0).clone(), data.offset(), data.len()).map_err(|_| {
            let (expected, found) = (data.len() as u64, (data.buffer(0).len() as u64).saturating_mul(8));
            DataError::from(DataErrorKind::BitmapLength { expected, found })
        })?;
        Ok(BooleanArray { data, values })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> bool {
        self.values.get(slot).unwrap_or(false)
    }

    fn zero_value(&self) -> bool {
        false
    }
}

array_methods!([] BooleanArray, bool);
