//! The index of a sparse tensor: its kind, and the lengths of its buffers.

use std::{fmt, sync::Arc};

use arrow_schema::IndexType;

use crate::{TensorDim, TensorError, dim::wire_number, indices::n_index_bytes};

/// The kind of index of a sparse tensor, and the types of its numbers. The numbers are in the
/// [`index_buffers`](super::SparseTensor::index_buffers).
///
/// ```
/// use arrow_ipc_tensor::SparseTensorIndex;
/// use arrow_schema::IndexType;
///
/// assert_eq!(SparseTensorIndex::csr(IndexType::Int32, IndexType::Int32).name(), "CSR");
/// assert_eq!(SparseTensorIndex::csf(IndexType::Int32, IndexType::Int8, [2, 0, 1]).name(), "CSF");
/// ```
///
/// Specification: `SparseTensor.fbs`, union `SparseTensorIndex`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SparseTensorIndex {
    /// Coordinates (COO): a matrix in one buffer, with a row for each value and a column for each dimension.
    Coo {
        /// The type of the coordinates.
        indices_type: IndexType,
        /// The distance in bytes between consecutive rows of the matrix, and between consecutive columns. `None` for
        /// contiguous rows.
        indices_strides: Option<[u64; 2]>,
        /// Whether the coordinates are sorted by the first dimension, then by the second and so on, without duplicates.
        is_canonical: bool,
    },
    /// Compressed rows or columns of a matrix (CSR, CSC). The first buffer contains pointers: for each row (or column)
    /// the index of its first value, then the number of values. The second buffer contains the column (or row) of each
    /// value.
    Csx {
        /// Whether the rows or the columns are compressed.
        compressed_axis: CompressedAxis,
        /// The type of the pointers.
        indptr_type: IndexType,
        /// The type of the coordinates.
        indices_type: IndexType,
    },
    /// Compressed fibres (CSF): a tree with a level for each dimension, and the values as leaves. Each level except the
    /// last has a buffer of pointers: for each node the index of its first child in the next level, then the number of
    /// nodes of the next level. The other buffers contain the coordinates of the nodes, one buffer for each level.
    Csf {
        /// The type of the pointers.
        indptr_type: IndexType,
        /// The type of the coordinates.
        indices_type: IndexType,
        /// The dimension of each level.
        axis_order: Arc<[usize]>,
    },
}

/// Whether the rows or the columns of a matrix are compressed.
///
/// Specification: `SparseTensor.fbs`, enum `SparseMatrixCompressedAxis`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompressedAxis {
    /// Rows (CSR).
    Row,
    /// Columns (CSC).
    Column,
}

impl SparseTensorIndex {
    /// A COO index with contiguous rows. The coordinates need not be sorted.
    pub fn coo(indices_type: IndexType) -> SparseTensorIndex {
        SparseTensorIndex::Coo { indices_type, indices_strides: None, is_canonical: false }
    }

    /// A CSR index: compressed rows. `indptr_type` is the type of the pointers, `indices_type` is the type of the
    /// coordinates.
    pub fn csr(indptr_type: IndexType, indices_type: IndexType) -> SparseTensorIndex {
        SparseTensorIndex::Csx { compressed_axis: CompressedAxis::Row, indptr_type, indices_type }
    }

    /// A CSC index: compressed columns. `indptr_type` is the type of the pointers, `indices_type` is the type of the
    /// coordinates.
    pub fn csc(indptr_type: IndexType, indices_type: IndexType) -> SparseTensorIndex {
        SparseTensorIndex::Csx { compressed_axis: CompressedAxis::Column, indptr_type, indices_type }
    }

    /// A CSF index: compressed fibres. `axis_order` contains the dimension of each level.
    pub fn csf(
        indptr_type: IndexType,
        indices_type: IndexType,
        axis_order: impl Into<Arc<[usize]>>,
    ) -> SparseTensorIndex {
        SparseTensorIndex::Csf { indptr_type, indices_type, axis_order: axis_order.into() }
    }

    /// The usual name of the kind: `COO`, `CSR`, `CSC` or `CSF`.
    pub fn name(&self) -> &'static str {
        match self {
            SparseTensorIndex::Coo { .. } => "COO",
            SparseTensorIndex::Csx { compressed_axis: CompressedAxis::Row, .. } => "CSR",
            SparseTensorIndex::Csx { compressed_axis: CompressedAxis::Column, .. } => "CSC",
            SparseTensorIndex::Csf { .. } => "CSF",
        }
    }

    /// The strides of the matrix of coordinates: `strides`, or the strides of contiguous rows.
    pub(crate) fn coo_strides(strides: Option<[u64; 2]>, indices_type: IndexType, n_dims: usize) -> [u64; 2] {
        let width = n_index_bytes(indices_type) as u64;
        strides.unwrap_or([width.saturating_mul(n_dims as u64), width])
    }

    /// Checks everything except the numbers in the buffers. Returns how many bytes of each buffer are used.
    pub(crate) fn check(
        &self,
        shape: &[TensorDim],
        non_zero_length: u64,
        buffer_bytes: &[u64],
    ) -> Result<Vec<u64>, TensorError> {
        match self {
            SparseTensorIndex::Coo { indices_type, indices_strides, .. } => {
                let [available] = counted("buffers of coordinates", buffer_bytes)?;
                let strides = SparseTensorIndex::coo_strides(*indices_strides, *indices_type, shape.len());
                let width = n_index_bytes(*indices_type) as u64;
                let needed = n_coo_bytes(strides, width, [non_zero_length, shape.len() as u64])?;
                // Coordinates must not overlap, so visiting all of them takes time in proportion to the length of the
                // buffer.
                let each = non_zero_length.saturating_mul(shape.len() as u64).saturating_mul(width);
                let needed = needed.max(each);
                long_enough("the buffer of coordinates", needed, available)?;
                Ok(vec![needed])
            }
            SparseTensorIndex::Csx { compressed_axis, indptr_type, indices_type } => {
                let [indptr, indices] = counted("buffers of pointers and coordinates", buffer_bytes)?;
                let [rows, columns] = shape else {
                    return Err(TensorError::NoMatrix { n_dims: shape.len() });
                };
                let axis = if *compressed_axis == CompressedAxis::Row { rows } else { columns };
                let n_pointers = axis.size().saturating_add(1);
                Ok(vec![
                    n_used("the buffer of pointers", *indptr_type, n_pointers, indptr)?,
                    n_used("the buffer of coordinates", *indices_type, non_zero_length, indices)?,
                ])
            }
            SparseTensorIndex::Csf { indptr_type, indices_type, axis_order } => {
                check_axis_order(axis_order, shape.len())?;
                let n_pointer_buffers = shape.len().saturating_sub(1);
                let expected = n_pointer_buffers.saturating_add(shape.len());
                let what = "buffers of pointers and coordinates";
                let found = buffer_bytes.len();
                if found != expected {
                    return Err(TensorError::IndexBufferCount { what, expected, found });
                }
                let (indptr, indices) = buffer_bytes.split_at(n_pointer_buffers);
                let width = n_index_bytes(*indices_type) as u64;
                let mut used = Vec::with_capacity(expected);
                for (n_bytes, nodes) in indptr.iter().zip(indices) {
                    let n_pointers = (nodes / width).saturating_add(1);
                    used.push(n_used("a buffer of pointers", *indptr_type, n_pointers, *n_bytes)?);
                }
                for n_bytes in indices {
                    if !n_bytes.is_multiple_of(width) {
                        let what = "a buffer of coordinates";
                        let n_bytes = *n_bytes;
                        return Err(TensorError::PartOfNumber { what, n_bytes, width });
                    }
                    used.push(*n_bytes);
                }
                let found = indices.last().map_or(0, |n_bytes| n_bytes / width);
                if found != non_zero_length {
                    return Err(TensorError::LeafCount { found, non_zero_length });
                }
                Ok(used)
            }
        }
    }
}

impl fmt::Display for SparseTensorIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn counted<const N: usize>(what: &'static str, buffer_bytes: &[u64]) -> Result<[u64; N], TensorError> {
    let found = buffer_bytes.len();
    buffer_bytes.try_into().map_err(|_| TensorError::IndexBufferCount { what, expected: N, found })
}

/// The length from the first coordinate to the end of the last one, in bytes.
fn n_coo_bytes(strides: [u64; 2], width: u64, counts: [u64; 2]) -> Result<u64, TensorError> {
    strides.iter().try_for_each(|stride| wire_number("a stride", *stride))?;
    if counts.contains(&0) {
        return Ok(0);
    }
    let mut last =
        counts.iter().zip(strides).map(|(count, stride)| count.saturating_sub(1).checked_mul(stride));
    let start = last.try_fold(0u64, |start, further| start.checked_add(further?));
    start.and_then(|start| start.checked_add(width)).ok_or(TensorError::StrideOverflow)
}

/// The length of `n` numbers in bytes. Fails if the buffer is shorter.
fn n_used(what: &'static str, index_type: IndexType, n: u64, available: u64) -> Result<u64, TensorError> {
    // If the product overflows, no buffer is long enough.
    let needed = n.saturating_mul(n_index_bytes(index_type) as u64);
    long_enough(what, needed, available)
}

pub(crate) fn long_enough(what: &'static str, needed: u64, available: u64) -> Result<u64, TensorError> {
    if needed <= available { Ok(needed) } else { Err(TensorError::TooShort { what, needed, available }) }
}

fn check_axis_order(axis_order: &[usize], n_dims: usize) -> Result<(), TensorError> {
    let mut sorted = axis_order.to_vec();
    sorted.sort_unstable();
    if sorted.into_iter().eq(0..n_dims) {
        return Ok(());
    }
    let found = axis_order.iter().map(|axis| i64::try_from(*axis).unwrap_or(i64::MAX)).collect();
    Err(TensorError::AxisOrder { found, n_dims })
}
