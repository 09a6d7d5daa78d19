//! Arrays with nothing but nulls.

use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;

use super::{Array, access::Whole, methods::array_methods, proven::proven, sealed::Slots};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Slots that are all null and take no memory.
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
    /// An array of this many nulls.
    pub fn new(n_slots: usize) -> NullArray {
        let data = ArrayData::try_new(ArrayParts::new(DataType::Null, n_slots)).and_then(proven);
        NullArray { data: data.expect("nulls have no buffers that could be wrong") }
    }
}

impl Slots for NullArray {
    type Item<'a> = ();
    type Access<'a> = Whole<'a, Self>;
    const ALL_NULL: bool = true;

    fn make(data: ArrayData) -> Result<NullArray, ArrayError> {
        if kind(data.data_type()) != Kind::Null {
            return Err(ArrayError::type_mismatch("null", data.data_type()));
        }
        Ok(NullArray { data: proven(data)? })
    }

    #[inline]
    fn access(&self) -> Whole<'_, Self> {
        Whole(self)
    }

    #[inline]
    fn at(&self, _slot: usize) {}

    fn blank(&self) {}
}

impl Array for NullArray {
    fn data(&self) -> &ArrayData {
        &self.data
    }
}

array_methods!([] NullArray, ());
