//! The type, shape and strides of a tensor, which determine the position of each element in the data. They are checked
//! together.

use std::sync::Arc;

use arrow_data::{Physical, layout};
use arrow_schema::DataType;

use crate::{
    TensorDim, TensorError,
    dim::{check_dims, show_shape, wire_number},
};

/// Type, shape and strides. `n_bytes` is the distance from the start of the data to the end of the last element.
/// `n_bytes` and `n_elements` fit into an `i64`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StridedLayout {
    pub(crate) data_type: DataType,
    pub(crate) shape: Arc<[TensorDim]>,
    /// For each dimension, the distance in bytes between consecutive elements.
    pub(crate) strides: Arc<[u64]>,
    pub(crate) n_element_bytes: usize,
    pub(crate) n_elements: u64,
    pub(crate) n_bytes: u64,
}

impl StridedLayout {
    /// If `strides` is `None`, the elements are in row-major order without gaps.
    pub(crate) fn try_new(
        data_type: DataType,
        shape: Arc<[TensorDim]>,
        strides: Option<Arc<[u64]>>,
    ) -> Result<StridedLayout, TensorError> {
        check_dims(&shape)?;
        let n_element_bytes = n_element_bytes(&data_type)?;
        let overflow = || TensorError::ShapeOverflow { shape: show_shape(&shape) };
        let n_dense_bytes = n_dense_bytes(&shape, n_element_bytes as u64);
        let strides = match strides {
            Some(strides) if strides.len() != shape.len() => {
                let (expected, found) = (shape.len(), strides.len());
                return Err(TensorError::StrideCount { expected, found });
            }
            Some(strides) => strides,
            None => row_major(&shape, n_element_bytes as u64, n_dense_bytes.ok_or_else(overflow)?),
        };
        strides.iter().try_for_each(|stride| wire_number("a stride", *stride))?;
        // With strides of 0, a few bytes may be many elements.
        let n_elements = n_dense_bytes.map(|n_bytes| n_bytes / n_element_bytes as u64);
        let n_elements = n_elements.ok_or_else(overflow)?;
        let n_bytes = match n_elements {
            0 => 0,
            _ => n_strided_bytes(&shape, &strides, n_element_bytes as u64)?,
        };
        Ok(StridedLayout { data_type, shape, strides, n_element_bytes, n_elements, n_bytes })
    }

    /// Whether the elements are contiguous in row-major order: the index of the last dimension changes fastest.
    pub(crate) fn is_row_major(&self) -> bool {
        self.is_dense_in((0..self.shape.len()).rev())
    }

    /// Whether the elements are contiguous in column-major order: the index of the first dimension changes fastest.
    pub(crate) fn is_column_major(&self) -> bool {
        self.is_dense_in(0..self.shape.len())
    }

    /// Whether the elements are contiguous for some order of the dimensions.
    pub(crate) fn is_contiguous(&self) -> bool {
        let mut order: Vec<usize> = (0..self.shape.len()).collect();
        // The stride of a dimension of length 1 does not matter.
        order.sort_unstable_by_key(|dim| (self.strides[*dim], *dim));
        self.is_dense_in(order.into_iter())
    }

    /// Whether the elements are contiguous for this order of the dimensions. The first one changes fastest.
    fn is_dense_in(&self, order: impl Iterator<Item = usize>) -> bool {
        let mut expected = self.n_element_bytes as u64;
        self.n_elements == 0
            || order.map(|dim| (self.shape[dim].size(), self.strides[dim])).all(|(size, stride)| {
                let is_next = size == 1 || stride == expected;
                expected = expected.saturating_mul(size);
                is_next
            })
    }

    /// The offset of an element in the data; `None` if an index is out of bounds.
    pub(crate) fn start_of(&self, position: &[u64]) -> Option<u64> {
        if position.len() != self.shape.len() {
            return None;
        }
        let mut start = 0u64;
        for ((at, dim), stride) in position.iter().zip(&*self.shape).zip(&*self.strides) {
            if *at >= dim.size() {
                return None;
            }
            // No overflow: the offset is less than `n_bytes`, unless a dimension is empty. Then there is no element.
            start = start.checked_add(at.checked_mul(*stride)?)?;
        }
        (self.n_elements > 0).then_some(start)
    }
}

/// The length of an element in bytes.
pub(crate) fn n_element_bytes(data_type: &DataType) -> Result<usize, TensorError> {
    if let Physical::Fixed(n_bytes) = layout(data_type).physical()
        && n_bytes.get() > 0
    {
        return Ok(n_bytes.as_usize());
    }
    Err(TensorError::ElementType { found: data_type.clone() })
}

/// The length of all elements of a shape without overlap, in bytes. `None` if it does not fit into 63 bits.
pub(crate) fn n_dense_bytes(shape: &[TensorDim], n_element_bytes: u64) -> Option<u64> {
    if shape.iter().any(|dim| dim.size() == 0) {
        return Some(0);
    }
    let mut sizes = shape.iter().map(TensorDim::size);
    let n_bytes = sizes.try_fold(n_element_bytes, u64::checked_mul)?;
    i64::try_from(n_bytes).is_ok().then_some(n_bytes)
}

/// The strides of row-major order without gaps. For a shape without elements, the strides are those that other
/// libraries write.
fn row_major(shape: &[TensorDim], n_element_bytes: u64, n_dense_bytes: u64) -> Arc<[u64]> {
    if n_dense_bytes == 0 {
        return vec![n_element_bytes; shape.len()].into();
    }
    let mut left = n_dense_bytes;
    let stride = |dim: &TensorDim| {
        // `left` is the product of this size, the following sizes and the element width. No size is 0.
        left = left.checked_div(dim.size()).unwrap_or_default();
        left
    };
    shape.iter().map(stride).collect()
}

/// The end of the last element. No dimension may be empty.
fn n_strided_bytes(shape: &[TensorDim], strides: &[u64], n_element_bytes: u64) -> Result<u64, TensorError> {
    let mut last =
        shape.iter().zip(strides).map(|(dim, stride)| dim.size().saturating_sub(1).checked_mul(*stride));
    let start = last.try_fold(0u64, |start, further| start.checked_add(further?));
    let end = start.and_then(|start| start.checked_add(n_element_bytes));
    end.filter(|end| i64::try_from(*end).is_ok()).ok_or(TensorError::StrideOverflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(sizes: &[u64], strides: &[u64]) -> Result<StridedLayout, TensorError> {
        let shape = sizes.iter().map(|size| TensorDim::new(*size)).collect();
        StridedLayout::try_new(DataType::Int32, shape, Some(strides.into()))
    }

    #[test]
    fn orders_are_distinguished() {
        for (sizes, strides, expected) in [
            // Expected: whether the tensor is row-major, column-major and contiguous.
            (&[2, 3][..], &[12, 4][..], [true, false, true]),
            (&[2, 3], &[4, 8], [false, true, true]),
            (&[2, 3], &[16, 4], [false, false, false]),
            (&[2, 3], &[0, 4], [false, false, false]),
            (&[2, 3, 4], &[16, 32, 4], [false, false, true]),
            (&[3], &[4], [true, true, true]),
            (&[3], &[8], [false, false, false]),
            (&[1, 3, 1], &[999, 4, 0], [true, true, true]),
            (&[], &[], [true, true, true]),
            (&[2, 0], &[7, 7], [true, true, true]),
        ] {
            let layout = strided(sizes, strides).unwrap();
            let found = [layout.is_row_major(), layout.is_column_major(), layout.is_contiguous()];
            assert_eq!(found, expected, "{sizes:?} {strides:?}");
        }
    }

    #[test]
    fn sizes_and_strides_beyond_numbers_are_refused() {
        let huge = i64::MAX as u64;
        for (sizes, strides) in [
            (&[huge, huge][..], &[0, 0][..]),
            (&[huge], &[0]),
            (&[1 << 32, 1 << 31], &[0, 0]),
            (&[3], &[huge]),
            (&[3, 3], &[huge / 4, huge / 4]),
            (&[huge + 1], &[4]),
            (&[0, huge + 1], &[4, 4]),
            (&[1], &[huge + 1]),
            (&[0], &[huge + 1]),
            (&[2], &[4, 4]),
            (&[2], &[]),
        ] {
            assert!(strided(sizes, strides).is_err(), "{sizes:?} {strides:?}");
        }
        // A tensor with an empty dimension has no elements, so no product of large numbers is computed.
        assert_eq!(strided(&[huge, 0, huge], &[huge, huge, huge]).unwrap().n_elements, 0);
        assert_eq!(strided(&[1 << 40], &[0]).unwrap().n_bytes, 4);
    }
}
