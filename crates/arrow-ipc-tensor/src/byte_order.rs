//! Converts tensors to the other byte order.

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::{Swap, layout};
use arrow_schema::{DataType, IndexType};

use crate::{AnyTensor, SparseTensor, SparseTensorIndex, SparseTensorParts, Tensor, TensorError, TensorRef};

impl AnyTensor {
    /// A copy with all elements byte-swapped. Use it if a tensor was read in the wrong byte order.
    ///
    /// # Errors
    /// If elements of a dense tensor overlap, and a copy without overlap would be longer than the data.
    pub fn to_other_byte_order(&self) -> Result<AnyTensor, TensorError> {
        TensorRef::from(self).to_other_byte_order()
    }
}

impl TensorRef<'_> {
    pub(crate) fn to_other_byte_order(self) -> Result<AnyTensor, TensorError> {
        match self {
            TensorRef::Dense(tensor) => tensor.to_other_byte_order().map(AnyTensor::Dense),
            TensorRef::Sparse(tensor) => tensor.to_other_byte_order().map(AnyTensor::Sparse),
        }
    }
}

impl Tensor {
    /// A copy with all elements byte-swapped. If the strides are multiples of the element width, they stay the same.
    /// Otherwise the copy is row-major.
    ///
    /// # Errors
    /// If the copy must be row-major and, because elements overlap, would be longer than the data.
    pub fn to_other_byte_order(&self) -> Result<Tensor, TensorError> {
        let width = self.n_element_bytes() as u64;
        let mut strides = self.shape().iter().zip(self.strides()).filter(|(dim, _)| dim.size() > 1);
        let of_multiples = strides.all(|(_, stride)| stride.is_multiple_of(width));
        let tensor = if of_multiples { self.clone() } else { self.to_row_major(self.data().len() as u64)? };
        let data = swapped(tensor.data(), swap_of(tensor.data_type()));
        let shape = tensor.shape().iter().cloned();
        Tensor::try_new_strided(tensor.data_type().clone(), shape, tensor.strides(), data)
    }
}

impl SparseTensor {
    /// A copy with byte-swapped values and index. In the copy, the coordinates of a COO index are contiguous.
    ///
    /// # Errors
    /// If this library has a bug. A valid tensor can be converted.
    pub fn to_other_byte_order(&self) -> Result<SparseTensor, TensorError> {
        let (index, index_buffers) = match self.index() {
            SparseTensorIndex::Coo { indices_type, is_canonical, .. } => {
                let indices_type = *indices_type;
                let is_canonical = *is_canonical;
                let index = SparseTensorIndex::Coo { indices_type, indices_strides: None, is_canonical };
                (index, vec![swapped(&self.coordinates_in_rows()?, swap_of(&indices_type.into()))])
            }
            index @ (SparseTensorIndex::Csx { indptr_type, indices_type, .. }
            | SparseTensorIndex::Csf { indptr_type, indices_type, .. }) => {
                let n_pointer_buffers = self.index_buffers().len() / 2;
                let type_of = |idx: usize| -> IndexType {
                    if idx < n_pointer_buffers { *indptr_type } else { *indices_type }
                };
                let buffers = self.index_buffers().iter().enumerate();
                (
                    index.clone(),
                    buffers.map(|(idx, bytes)| swapped(bytes, swap_of(&type_of(idx).into()))).collect(),
                )
            }
        };
        SparseTensor::try_new(SparseTensorParts {
            data_type: self.data_type().clone(),
            shape: self.shape().to_vec(),
            non_zero_length: self.non_zero_length(),
            index,
            index_buffers,
            data: swapped(self.data(), swap_of(self.data_type())),
        })
    }

    /// The coordinates of a COO index, with contiguous rows.
    fn coordinates_in_rows(&self) -> Result<Buffer, TensorError> {
        let [bytes] = self.index_buffers() else {
            return Err(TensorError::internal("a COO index does not have one buffer"));
        };
        let SparseTensorIndex::Coo { indices_type, indices_strides: Some(strides), .. } = self.index() else {
            return Ok(bytes.clone());
        };
        let shape = [self.non_zero_length(), self.shape().len() as u64];
        // The matrix is inside the buffer, and not longer than the buffer: both were checked.
        let matrix = Tensor::try_new_strided((*indices_type).into(), shape, *strides, bytes.clone())?;
        Ok(matrix.to_row_major(u64::MAX)?.data().clone())
    }
}

/// How to swap the bytes of an element of this type.
fn swap_of(data_type: &DataType) -> Swap {
    layout(data_type).data_buffers().first().map_or(Swap::None, |values| values.swap)
}

fn swapped(bytes: &Buffer, swap: Swap) -> Buffer {
    if !swap.changes_bytes() {
        return bytes.clone();
    }
    let mut copy = BufferMut::from(bytes.as_slice());
    swap.to_native(copy.as_mut_slice());
    copy.freeze()
}
