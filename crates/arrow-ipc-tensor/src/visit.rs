//! Visits the stored values of a sparse tensor. Checks the numbers of its index on the way.

use crate::{
    CompressedAxis, Indices, SparseTensor, SparseTensorIndex, Tensor, TensorError, dense::memory_for,
    strided::StridedLayout,
};

/// The error if the number of index buffers is wrong. It was checked before, so this is a bug of this library.
const NO_INDEX: TensorError = TensorError::internal("a checked number of the index is missing");

/// A function that is called with the position of a value, and its index among the stored values.
type ElementVisitor<'a> = dyn FnMut(&[u64], usize) -> Result<(), TensorError> + 'a;

impl SparseTensor {
    /// Checks the numbers of the index. Coordinates must be inside the shape, and sorted if the index is canonical.
    /// Pointers must begin at 0, not decrease, and end at the number of children.
    ///
    /// # Errors
    /// If a number is wrong. The error names the first wrong number.
    pub fn validate(&self) -> Result<(), TensorError> {
        visit(self, &mut |_, _| Ok(()))
    }

    /// Calls `see` with the position and the bytes of each stored value, in the order of [`data`](SparseTensor::data).
    ///
    /// # Errors
    /// The errors of [`validate`](SparseTensor::validate). `see` may have been called for earlier values.
    pub fn visit(&self, mut see: impl FnMut(&[u64], &[u8])) -> Result<(), TensorError> {
        visit(self, &mut |position, value_idx| {
            see(position, self.stored(value_idx)?);
            Ok(())
        })
    }

    /// The dense tensor, with zeros at all positions without a stored value. If several values have the same position,
    /// the last one is used.
    ///
    /// # Errors
    /// If the dense tensor would be longer than `max_bytes`. The errors of [`validate`](SparseTensor::validate).
    pub fn to_dense(&self, max_bytes: u64) -> Result<Tensor, TensorError> {
        let width = self.n_element_bytes();
        let n_bytes = if self.shape().iter().any(|dim| dim.size() == 0) {
            0
        } else {
            self.shape().iter().fold(width as u128, |n_bytes, dim| n_bytes.saturating_mul(dim.size().into()))
        };
        let mut dense = memory_for(n_bytes, max_bytes)?;
        dense.extend_zeros(usize::try_from(n_bytes).unwrap_or(usize::MAX));
        // The result is row-major, so the strides follow from the shape.
        let shape = || self.shape().iter().cloned();
        let layout = StridedLayout::try_new(self.data_type().clone(), shape().collect(), None)?;
        let bytes = dense.as_mut_slice();
        visit(self, &mut |position, value_idx| {
            let value = self.stored(value_idx)?;
            let start = layout.start_of(position).and_then(|start| usize::try_from(start).ok());
            let target = start.and_then(|start| bytes.get_mut(start..)?.get_mut(..value.len()));
            target
                .ok_or(TensorError::internal("a checked position is out of bounds"))?
                .copy_from_slice(value);
            Ok(())
        })?;
        Tensor::try_new(self.data_type().clone(), shape(), dense.freeze())
    }
}

fn visit(tensor: &SparseTensor, see: &mut ElementVisitor<'_>) -> Result<(), TensorError> {
    match tensor.index() {
        SparseTensorIndex::Coo { is_canonical, .. } => visit_coordinates(tensor, *is_canonical, see),
        SparseTensorIndex::Csx { compressed_axis, .. } => visit_matrix(tensor, *compressed_axis, see),
        SparseTensorIndex::Csf { axis_order, .. } => visit_fibres(tensor, axis_order, see),
    }
}

/// Each stored value takes memory, so their number fits into a `usize`.
fn n_values(tensor: &SparseTensor) -> usize {
    usize::try_from(tensor.non_zero_length()).unwrap_or(usize::MAX)
}

fn visit_coordinates(
    tensor: &SparseTensor,
    is_canonical: bool,
    see: &mut ElementVisitor<'_>,
) -> Result<(), TensorError> {
    let SparseTensorIndex::Coo { indices_type, indices_strides, .. } = tensor.index() else {
        return Err(NO_INDEX);
    };
    let n_dims = tensor.shape().len();
    let strides = SparseTensorIndex::coo_strides(*indices_strides, *indices_type, n_dims);
    let [of_value, of_dim] = strides.map(|stride| usize::try_from(stride).unwrap_or(usize::MAX));
    let indices = tensor.indices(0).ok_or(NO_INDEX)?;
    let mut position = vec![0; n_dims];
    let mut before = Vec::new();
    for value_idx in 0..n_values(tensor) {
        if is_canonical {
            before.clone_from(&position);
        }
        for (dim, coordinate) in position.iter_mut().enumerate() {
            // The coordinate is inside the buffer and does not overflow: both were checked for the last one.
            let start = value_idx.saturating_mul(of_value).saturating_add(dim.saturating_mul(of_dim));
            *coordinate = checked_coordinate(tensor, dim, value_idx, indices.at_byte(start))?;
        }
        if is_canonical && value_idx > 0 && before >= position {
            return Err(TensorError::NotCanonical { position: value_idx as u64 });
        }
        see(&position, value_idx)?;
    }
    Ok(())
}

fn visit_matrix(
    tensor: &SparseTensor,
    axis: CompressedAxis,
    see: &mut ElementVisitor<'_>,
) -> Result<(), TensorError> {
    let indptr = tensor.indptr(0).ok_or(NO_INDEX)?;
    let indices = tensor.indices(0).ok_or(NO_INDEX)?;
    let pointers = Pointers::try_new(indptr, 0, tensor.non_zero_length())?;
    let (major, minor) = match axis {
        CompressedAxis::Row => (0, 1),
        CompressedAxis::Column => (1, 0),
    };
    let mut position = [0; 2];
    for node in 0..pointers.n_nodes() {
        position[major] = node as u64;
        for value_idx in pointers.at(node)?..pointers.at(node.saturating_add(1))? {
            position[minor] = checked_coordinate(tensor, minor, value_idx, indices.get(value_idx))?;
            see(&position, value_idx)?;
        }
    }
    Ok(())
}

fn visit_fibres(
    tensor: &SparseTensor,
    axes: &[usize],
    see: &mut ElementVisitor<'_>,
) -> Result<(), TensorError> {
    let indices = (0..axes.len()).map(|level| tensor.indices(level).ok_or(NO_INDEX));
    let indices: Vec<Indices<'_>> = indices.collect::<Result<_, TensorError>>()?;
    let mut pointers = Vec::with_capacity(axes.len());
    for (level, children) in (0..axes.len()).zip(indices.iter().skip(1)) {
        let indptr = tensor.indptr(level).ok_or(NO_INDEX)?;
        pointers.push(Pointers::try_new(indptr, level, children.len() as u64)?);
    }
    // Also checks nodes that have no children.
    for (indices, dim) in indices.iter().zip(axes) {
        for (idx, coordinate) in indices.iter().enumerate() {
            checked_coordinate(tensor, *dim, idx, Some(coordinate))?;
        }
    }
    let coordinate = |level: usize, node: usize| {
        let coordinate = indices.get(level).and_then(|indices| indices.get(node));
        coordinate.and_then(|coordinate| u64::try_from(coordinate).ok()).ok_or(NO_INDEX)
    };
    let mut position = vec![0; axes.len()];
    // For each level, the node above the current leaf. `None` before the first leaf.
    let mut nodes: Vec<Option<usize>> = vec![None; pointers.len()];
    for leaf in 0..n_values(tensor) {
        let mut child = leaf;
        for (level, (pointers, node)) in pointers.iter().zip(&mut nodes).enumerate().rev() {
            let parent = pointers.parent_of(child, node.unwrap_or(0))?;
            if *node == Some(parent) {
                // If this node is the same as for the last leaf, so are the nodes above it.
                break;
            }
            *node = Some(parent);
            position[axes[level]] = coordinate(level, parent)?;
            child = parent;
        }
        if let Some((last, axis)) = axes.iter().enumerate().next_back() {
            position[*axis] = coordinate(last, leaf)?;
        }
        see(&position, leaf)?;
    }
    Ok(())
}

/// Pointers that begin at 0, do not decrease, and end at the number of children.
struct Pointers<'a>(Indices<'a>);

impl<'a> Pointers<'a> {
    fn try_new(indptr: Indices<'a>, level: usize, n_children: u64) -> Result<Pointers<'a>, TensorError> {
        let n_nodes = indptr.len().saturating_sub(1);
        let mut min = 0u64;
        for (position, found) in indptr.iter().enumerate() {
            let max = if position == 0 { 0 } else { n_children };
            let least = if position == n_nodes { n_children } else { min };
            let (allowed_min, allowed_max) = if position == 0 { (0, max) } else { (least, max) };
            match u64::try_from(found) {
                Ok(pointer) if (allowed_min..=allowed_max).contains(&pointer) => min = pointer,
                _ => {
                    let position = position as u64;
                    let min = allowed_min;
                    let max = allowed_max;
                    return Err(TensorError::Pointer { level, position, found, min, max });
                }
            }
        }
        // A level with *n* nodes has *n* + 1 pointers. So with a single pointer, 0, there are no nodes, and there must
        // be no children.
        if n_nodes == 0 && n_children > 0 {
            let position = 0;
            let found = 0;
            return Err(TensorError::Pointer { level, position, found, min: n_children, max: n_children });
        }
        Ok(Pointers(indptr))
    }

    fn n_nodes(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// The index of the first child of a node. The children of the previous node end there.
    fn at(&self, node: usize) -> Result<usize, TensorError> {
        self.0.get(node).and_then(|pointer| usize::try_from(pointer).ok()).ok_or(NO_INDEX)
    }

    /// The node that contains this child; otherwise the last node. Searches from the node `from` on.
    fn parent_of(&self, child: usize, from: usize) -> Result<usize, TensorError> {
        let mut node = from;
        while node.saturating_add(1) < self.n_nodes() && self.at(node.saturating_add(1))? <= child {
            node += 1;
        }
        Ok(node)
    }
}

fn checked_coordinate(
    tensor: &SparseTensor,
    dim: usize,
    idx: usize,
    found: Option<i128>,
) -> Result<u64, TensorError> {
    let size = tensor.shape().get(dim).map_or(0, |dim| dim.size());
    let found = found.unwrap_or(-1);
    match u64::try_from(found) {
        Ok(coordinate) if coordinate < size => Ok(coordinate),
        _ => Err(TensorError::Coordinate { position: idx as u64, dim, found, size }),
    }
}
