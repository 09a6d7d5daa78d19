//! Dense tensors.

use std::sync::Arc;

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::{ArrayData, ArrayParts, Swap, layout};
use arrow_schema::DataType;

use crate::{
    Elements, TensorDim, TensorError,
    strided::{StridedLayout, n_element_bytes},
};
use arrow_ipc::IpcError;

/// The greatest alignment that the buffers of any array need.
const ALIGNMENT: usize = 8;

/// An array of several dimensions in one buffer. It has a type of fixed width, a shape, and strides in bytes.
///
/// Elements cannot be null. The constructors check that all elements are inside the data. Two tensors are equal if
/// their types, shapes, names, strides and all bytes of their data are equal.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::{Tensor, TensorDim};
/// use arrow_schema::DataType;
///
/// let dims = [TensorDim::new(2).with_name("row"), TensorDim::new(3).with_name("column")];
/// let tensor = Tensor::try_new(DataType::Int32, dims, Buffer::from(vec![1i32, 2, 3, 4, 5, 6]))?;
/// assert_eq!(tensor.strides(), [12, 4]);
/// assert_eq!(tensor.element(&[1, 0]), Some(&4i32.to_ne_bytes()[..]));
/// assert_eq!(tensor.element(&[2, 0]), None);
/// assert_eq!(tensor.data().view::<i32>()?[1], 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Specification: `Tensor.fbs`, table `Tensor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    layout: StridedLayout,
    /// The data, up to the end of the last element.
    data: Buffer,
}

impl Tensor {
    /// A row-major tensor: elements that follow each other in the last dimension are adjacent. Bytes after the last
    /// element are dropped.
    ///
    /// # Errors
    /// If the type does not have a fixed width in whole bytes, if the shape has too many elements or more than 256
    /// dimensions, or if the data is too short.
    pub fn try_new<D: Into<TensorDim>>(
        data_type: DataType,
        shape: impl IntoIterator<Item = D>,
        data: Buffer,
    ) -> Result<Tensor, TensorError> {
        let shape = shape.into_iter().map(Into::into).collect();
        Tensor::from_layout(StridedLayout::try_new(data_type, shape, None)?, &data)
    }

    /// A tensor with strides. The stride of a dimension is the distance in bytes between consecutive elements. With a
    /// stride of 0, all indices of the dimension refer to the same elements.
    ///
    /// # Errors
    /// The errors of [`try_new`](Tensor::try_new). If an element lies outside the data.
    pub fn try_new_strided<D: Into<TensorDim>>(
        data_type: DataType,
        shape: impl IntoIterator<Item = D>,
        strides: impl Into<Arc<[u64]>>,
        data: Buffer,
    ) -> Result<Tensor, TensorError> {
        let shape = shape.into_iter().map(Into::into).collect();
        Tensor::from_layout(StridedLayout::try_new(data_type, shape, Some(strides.into()))?, &data)
    }

    /// The slots of an array as a row-major tensor of this shape. Shares the memory of the array.
    ///
    /// # Errors
    /// The errors of [`try_new`](Tensor::try_new). If the array has nulls.
    pub fn try_from_array<D: Into<TensorDim>>(
        array: &ArrayData,
        shape: impl IntoIterator<Item = D>,
    ) -> Result<Tensor, TensorError> {
        let null_count = array.null_count();
        if null_count > 0 {
            return Err(TensorError::Nulls { null_count });
        }
        let n_bytes = n_element_bytes(array.data_type())?.saturating_mul(array.len());
        let data = array.buffer(0);
        Tensor::try_new(array.data_type().clone(), shape, data.slice(..n_bytes.min(data.len())))
    }

    pub(crate) fn from_layout(layout: StridedLayout, data: &Buffer) -> Result<Tensor, TensorError> {
        let needed = layout.n_bytes;
        let available = data.len() as u64;
        let what = "the data of the tensor";
        let data =
            data.try_slice(0, needed).map_err(|_| TensorError::TooShort { what, needed, available })?;
        Ok(Tensor { layout, data })
    }

    /// The type of the elements, which has a fixed width.
    pub fn data_type(&self) -> &DataType {
        &self.layout.data_type
    }

    /// The dimensions, outermost first.
    pub fn shape(&self) -> &[TensorDim] {
        &self.layout.shape
    }

    /// For each dimension, the distance in bytes between consecutive elements.
    pub fn strides(&self) -> &[u64] {
        &self.layout.strides
    }

    /// The bytes from the start of the first element to the end of the last.
    pub fn data(&self) -> &Buffer {
        &self.data
    }

    /// The product of the sizes of all dimensions; 1 without dimensions.
    pub fn n_elements(&self) -> u64 {
        self.layout.n_elements
    }

    /// The length of one element in bytes.
    pub fn n_element_bytes(&self) -> usize {
        self.layout.n_element_bytes
    }

    /// Whether the elements are contiguous in row-major order, as in C: the index of the last dimension changes
    /// fastest.
    pub fn is_row_major(&self) -> bool {
        self.layout.is_row_major()
    }

    /// Whether the elements are contiguous in column-major order, as in Fortran: the index of the first dimension
    /// changes fastest.
    pub fn is_column_major(&self) -> bool {
        self.layout.is_column_major()
    }

    /// Whether the elements are contiguous for some order of the dimensions: without gaps and without overlap.
    pub fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// The bytes of an element, in the byte order of this machine. `position` has an index for each dimension. `None`
    /// if an index is out of bounds.
    pub fn element(&self, position: &[u64]) -> Option<&[u8]> {
        let start = usize::try_from(self.layout.start_of(position)?).ok()?;
        self.data.get(start..start.checked_add(self.layout.n_element_bytes)?)
    }

    /// Iterates over the bytes of each element, in row-major order. Works for any strides.
    ///
    /// With strides of 0, the iterator may return far more elements than the data has bytes.
    pub fn elements(&self) -> Elements<'_> {
        Elements::new(&self.layout, &self.data)
    }

    /// The tensor in row-major order. If it is row-major already, the result shares its memory; otherwise this copies
    /// at most `max_bytes` bytes.
    ///
    /// # Errors
    /// If the copy would be longer than `max_bytes`.
    pub fn to_row_major(&self, max_bytes: u64) -> Result<Tensor, TensorError> {
        if self.is_row_major() {
            return Ok(self.clone());
        }
        let n_bytes = u128::from(self.n_elements()).saturating_mul(self.n_element_bytes() as u128);
        let mut copy = memory_for(n_bytes, max_bytes)?;
        self.elements().for_each(|element| copy.extend_from_slice(element));
        Tensor::try_new(self.data_type().clone(), self.shape().iter().cloned(), copy.freeze())
    }

    /// The elements as an array, in row-major order. If the tensor is row-major and its data is aligned to 8 bytes, the
    /// array shares the data; otherwise this copies at most `max_bytes` bytes.
    ///
    /// # Errors
    /// If the copy would be longer than `max_bytes`.
    pub fn to_array(&self, max_bytes: u64) -> Result<ArrayData, IpcError> {
        let rows = self.to_row_major(max_bytes)?;
        let n_slots = rows.data.len() / rows.n_element_bytes();
        if !rows.data.is_aligned_to(ALIGNMENT) {
            allowed(rows.data.len() as u128, max_bytes)?;
        }
        let buffers = [rows.data.to_aligned(ALIGNMENT), Buffer::new()];
        Ok(ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(rows.data_type().clone(), n_slots) })?)
    }

    /// A copy with all elements byte-swapped. If the strides are multiples of the element width, they stay the same.
    /// Otherwise the copy is row-major.
    ///
    /// # Errors
    /// If the copy must be row-major and, because elements overlap, would be longer than the data.
    pub fn to_other_byte_order(&self) -> Result<Tensor, TensorError> {
        let width = self.n_element_bytes() as u64;
        let mut strides = self.shape().iter().zip(self.strides()).filter(|(dim, _)| dim.size() > 1);
        let are_multiples = strides.all(|(_, stride)| stride.is_multiple_of(width));
        let tensor = if are_multiples { self.clone() } else { self.to_row_major(self.data().len() as u64)? };
        let data = swapped(tensor.data(), swap_of(tensor.data_type()));
        let shape = tensor.shape().iter().cloned();
        Tensor::try_new_strided(tensor.data_type().clone(), shape, tensor.strides(), data)
    }
}

/// Allocates memory for `n_bytes` bytes. Fails if this is more than `max_bytes`.
pub(crate) fn memory_for(n_bytes: u128, max_bytes: u64) -> Result<BufferMut, TensorError> {
    let n_bytes = allowed(n_bytes, max_bytes)?;
    let memory = BufferMut::try_with_capacity(n_bytes);
    memory.ok_or(TensorError::OutOfMemory { requested: n_bytes as u64 })
}

fn allowed(requested: u128, limit: u64) -> Result<usize, TensorError> {
    match usize::try_from(requested) {
        Ok(n_bytes) if requested <= u128::from(limit) => Ok(n_bytes),
        Ok(_) | Err(_) => Err(TensorError::TooLarge { requested, limit }),
    }
}

/// How to swap the bytes of an element of this type.
pub(crate) fn swap_of(data_type: &DataType) -> Swap {
    layout(data_type).data_buffers().first().map_or(Swap::None, |values| values.swap)
}

pub(crate) fn swapped(bytes: &Buffer, swap: Swap) -> Buffer {
    if !swap.changes_bytes() {
        return bytes.clone();
    }
    let mut copy = BufferMut::from(bytes.as_slice());
    swap.to_native(copy.as_mut_slice());
    copy.freeze()
}
