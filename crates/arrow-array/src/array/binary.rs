//! Arrays of binary values with offsets.

use arrow_buffer::{Buffer, Values};
use arrow_data::ArrayData;

use super::{
    Width,
    access::Strings,
    methods::array_methods,
    proven::{offsets, proven_as, range},
    sealed::Slots,
};
use crate::{error::ArrayError, kind::Kind};

/// Binary values, with offsets of type `O`.
///
/// ```
/// use arrow_array::BinaryArray;
///
/// let blobs = BinaryArray::try_from_iter([Some(b"ab".as_slice()), None])?;
/// assert_eq!((blobs.get(0), blobs.get(1)), (Some(b"ab".as_slice()), None));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Variable-size Binary Layout" of the specification.
#[derive(Clone)]
pub struct GenericBinaryArray<O: Width> {
    data: ArrayData,
    offsets: Values<O>,
    bytes: Buffer,
}

/// Binary values with offsets of 32 bits.
pub type BinaryArray = GenericBinaryArray<i32>;
/// Binary values with offsets of 64 bits.
pub type LargeBinaryArray = GenericBinaryArray<i64>;

impl<O: Width> GenericBinaryArray<O> {
    /// The offsets of the slots in [`bytes`](GenericBinaryArray::bytes): one more than there are slots, or no offset if
    /// there are no slots. The first offset need not be 0.
    pub fn offsets(&self) -> &[O] {
        &self.offsets
    }

    /// The bytes to which the offsets refer. They may include bytes before the first offset and after the last.
    pub fn bytes(&self) -> &Buffer {
        &self.bytes
    }
}

impl<O: Width> Slots for GenericBinaryArray<O> {
    type Item<'a> = &'a [u8];
    type Access<'a> = Strings<'a, O>;

    fn make(data: ArrayData) -> Result<GenericBinaryArray<O>, ArrayError> {
        let expected = if size_of::<O>() == 4 { Kind::Binary } else { Kind::LargeBinary };
        let data = proven_as(data, expected, O::BINARY)?;
        Ok(GenericBinaryArray { offsets: offsets(&data)?, bytes: data.buffer(1).clone(), data })
    }

    #[inline]
    fn access(&self) -> Strings<'_, O> {
        Strings { offsets: &self.offsets, bytes: &self.bytes }
    }

    #[inline]
    fn at(&self, slot: usize) -> &[u8] {
        self.bytes.get(range(&self.offsets, slot)).unwrap_or_default()
    }

    fn zero_value(&self) -> &[u8] {
        &[]
    }
}

array_methods!([O: Width] GenericBinaryArray<O>, &[u8]);
