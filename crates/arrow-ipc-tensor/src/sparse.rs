//! Sparse tensors.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_schema::{DataType, IndexType};

use crate::{
    Indices, SparseTensorIndex, Tensor, TensorDim, TensorError,
    dense::{swap_of, swapped},
    dim::{check_dims, wire_number},
    index::long_enough,
    strided::n_element_bytes,
};

/// An array of several dimensions that stores only some values, and an index of their positions. All other values are
/// zero.
///
/// The constructor checks that the buffers are long enough for the index, the shape and the number of values. It does
/// not check the numbers in the index. [`validate`](SparseTensor::validate) checks these numbers, and so does each
/// method that uses them to find values.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::{SparseTensor, SparseTensorIndex, SparseTensorParts, TensorDim};
/// use arrow_schema::{DataType, IndexType};
///
/// // [0, 7, 0]
/// // [8, 0, 9]
/// let matrix = SparseTensor::try_new(SparseTensorParts {
///     data_type: DataType::Float32,
///     shape: vec![TensorDim::new(2), TensorDim::new(3)],
///     non_zero_length: 3,
///     index: SparseTensorIndex::csr(IndexType::Int32, IndexType::Int32),
///     index_buffers: vec![Buffer::from(vec![0i32, 1, 3]), Buffer::from(vec![1i32, 0, 2])],
///     data: Buffer::from(vec![7f32, 8.0, 9.0]),
/// })?;
/// matrix.validate()?;
///
/// let mut values = Vec::new();
/// matrix.visit(|position, value| values.push((position.to_vec(), value.to_vec())))?;
/// assert_eq!(values[2], (vec![1, 2], 9f32.to_ne_bytes().to_vec()));
///
/// let dense = matrix.to_dense(1 << 20)?;
/// assert_eq!(dense.data().view::<f32>()?, [0.0, 7.0, 0.0, 8.0, 0.0, 9.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Specification: `SparseTensor.fbs`, table `SparseTensor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparseTensor {
    layout: SparseLayout,
    index_buffers: Arc<[Buffer]>,
    data: Buffer,
}

/// The arguments of [`SparseTensor::try_new`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparseTensorParts {
    /// The type of the values.
    pub data_type: DataType,
    /// The dimensions, outermost first.
    pub shape: Vec<TensorDim>,
    /// The number of stored values. Some of them may be zero.
    pub non_zero_length: u64,
    /// The kind of index, and the types of its numbers.
    pub index: SparseTensorIndex,
    /// The buffers of the index, in the order that [`SparseTensorIndex`] describes.
    pub index_buffers: Vec<Buffer>,
    /// The stored values, in the order of the index. Most tensors do not store zeros.
    pub data: Buffer,
}

/// A sparse tensor without its buffers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SparseLayout {
    pub(crate) data_type: DataType,
    pub(crate) shape: Arc<[TensorDim]>,
    pub(crate) n_element_bytes: usize,
    pub(crate) non_zero_length: u64,
    pub(crate) index: SparseTensorIndex,
}

/// The number of used bytes of each buffer of a sparse tensor.
pub(crate) struct UsedBytes {
    pub(crate) index: Vec<u64>,
    pub(crate) data: u64,
}

impl SparseLayout {
    /// Computes the width of the values. `check` checks the other properties.
    pub(crate) fn try_new(
        data_type: DataType,
        shape: Arc<[TensorDim]>,
        non_zero_length: u64,
        index: SparseTensorIndex,
    ) -> Result<SparseLayout, TensorError> {
        let n_element_bytes = n_element_bytes(&data_type)?;
        Ok(SparseLayout { data_type, shape, n_element_bytes, non_zero_length, index })
    }

    pub(crate) fn check(&self, index_bytes: &[u64], data_bytes: u64) -> Result<UsedBytes, TensorError> {
        check_dims(&self.shape)?;
        if self.shape.is_empty() {
            return Err(TensorError::NoDimensions);
        }
        wire_number("the number of values", self.non_zero_length)?;
        // If the product overflows, no buffer is long enough.
        let needed = self.non_zero_length.saturating_mul(self.n_element_bytes as u64);
        let data = long_enough("the data of the tensor", needed, data_bytes)?;
        Ok(UsedBytes { index: self.index.check(&self.shape, self.non_zero_length, index_bytes)?, data })
    }
}

impl SparseTensor {
    /// Checks that the properties and buffers fit together, but not the numbers in the index. Drops unused bytes at the
    /// end of buffers.
    ///
    /// # Errors
    /// If the type does not have a fixed width in whole bytes. If there are no dimensions, or more than 256. If the index
    /// does not fit the shape. If there are too few or too many buffers, or a buffer is too short.
    pub fn try_new(parts: SparseTensorParts) -> Result<SparseTensor, TensorError> {
        let SparseTensorParts { data_type, shape, non_zero_length, index, index_buffers, data } = parts;
        SparseTensor::from_layout(
            SparseLayout::try_new(data_type, shape.into(), non_zero_length, index)?,
            &index_buffers,
            &data,
        )
    }

    pub(crate) fn from_layout(
        layout: SparseLayout,
        index_buffers: &[Buffer],
        data: &Buffer,
    ) -> Result<SparseTensor, TensorError> {
        let index_bytes: Vec<u64> = index_buffers.iter().map(|buffer| buffer.len() as u64).collect();
        let used = layout.check(&index_bytes, data.len() as u64)?;
        // `check` has found that the buffer has these bytes.
        let used_of = |buffer: &Buffer, n_bytes: u64| {
            buffer.slice(..usize::try_from(n_bytes).unwrap_or(usize::MAX).min(buffer.len()))
        };
        let narrowed = index_buffers.iter().zip(&used.index);
        let index_buffers = narrowed.map(|(buffer, n_bytes)| used_of(buffer, *n_bytes)).collect();
        Ok(SparseTensor { layout, index_buffers, data: used_of(data, used.data) })
    }

    /// The type of the values, which has a fixed width.
    pub fn data_type(&self) -> &DataType {
        &self.layout.data_type
    }

    /// The dimensions, outermost first.
    pub fn shape(&self) -> &[TensorDim] {
        &self.layout.shape
    }

    /// The number of stored values. Some of them may be zero.
    pub fn non_zero_length(&self) -> u64 {
        self.layout.non_zero_length
    }

    /// The kind of index, and the types of its numbers.
    pub fn index(&self) -> &SparseTensorIndex {
        &self.layout.index
    }

    /// The buffers of the index, in the order that [`SparseTensorIndex`] describes.
    pub fn index_buffers(&self) -> &[Buffer] {
        &self.index_buffers
    }

    /// The stored values, in the order of the index. Most tensors do not store zeros.
    pub fn data(&self) -> &Buffer {
        &self.data
    }

    /// The length of one value in bytes.
    pub fn n_element_bytes(&self) -> usize {
        self.layout.n_element_bytes
    }

    /// The pointers of CSR or CSC (level 0), or of a level of CSF. `None` if the level does not exist or has no
    /// pointers, and for COO.
    pub fn indptr(&self, level: usize) -> Option<Indices<'_>> {
        match &self.layout.index {
            SparseTensorIndex::Coo { .. } => None,
            SparseTensorIndex::Csx { indptr_type, .. } => self.numbers(*indptr_type, [0].get(level)),
            SparseTensorIndex::Csf { indptr_type, axis_order, .. } => {
                let n_before = axis_order.len().saturating_sub(1);
                self.numbers(*indptr_type, Some(&level).filter(|level| **level < n_before))
            }
        }
    }

    /// The coordinates of COO, CSR or CSC (level 0), or of a level of CSF. `None` if the level does not exist.
    /// Coordinates of COO are in the order of the buffer, which depends on the strides.
    pub fn indices(&self, level: usize) -> Option<Indices<'_>> {
        match &self.layout.index {
            SparseTensorIndex::Coo { indices_type, .. } => self.numbers(*indices_type, [0].get(level)),
            SparseTensorIndex::Csx { indices_type, .. } => self.numbers(*indices_type, [1].get(level)),
            SparseTensorIndex::Csf { indices_type, axis_order, .. } => {
                let n_before = axis_order.len().saturating_sub(1);
                self.numbers(*indices_type, n_before.checked_add(level).as_ref())
            }
        }
    }

    fn numbers(&self, index_type: IndexType, buffer_idx: Option<&usize>) -> Option<Indices<'_>> {
        Some(Indices::new(index_type, self.index_buffers.get(*buffer_idx?)?))
    }

    pub(crate) fn stored(&self, value_idx: usize) -> Result<&[u8], TensorError> {
        let width = self.layout.n_element_bytes;
        let start = value_idx.saturating_mul(width);
        let value = self.data.get(start..start.saturating_add(width));
        value.ok_or(TensorError::internal("a stored value has no bytes"))
    }

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
