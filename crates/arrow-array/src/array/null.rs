//! Arrays that have only nulls.

use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::DataType;

use super::{IndexedSlots, methods::array_methods, proven::proven_as, sealed::Slots};
use crate::{error::ArrayError, kind::Kind};

/// An array in which all slots are null. The slots take no memory.
///
/// ```
/// use arrow_array::NullArray;
///
/// let nulls = NullArray::new(3);
/// assert_eq!((nulls.len(), nulls.null_count(), nulls.get(0)), (3, 3, None));
/// ```
///
/// Follows "Null Layout" of the specification.
#[derive(Clone)]
pub struct NullArray {
    data: ArrayData,
}

impl NullArray {
    /// Makes an array of `n_slots` nulls. Allocates no buffers.
    pub fn new(n_slots: usize) -> NullArray {
        let data = ArrayData::try_new(ArrayParts::new(DataType::Null, n_slots))
            .and_then(|data| data.validate(Validation::Content));
        NullArray { data: data.expect("nulls have no buffers that could be wrong") }
    }
}

impl Slots for NullArray {
    type Item<'a> = ();
    type Access<'a> = IndexedSlots<'a, Self>;
    const ALL_NULL: bool = true;

    fn make(data: ArrayData) -> Result<NullArray, ArrayError> {
        Ok(NullArray { data: proven_as(data, Kind::Null, "null")? })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, _slot: usize) {}

    fn zero_value(&self) {}
}

array_methods!([] NullArray, ());
