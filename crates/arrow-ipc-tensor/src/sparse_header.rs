//! The checked header of a sparse tensor message.

use std::sync::Arc;

use arrow_buffer::{Budget, Buffer};
use arrow_ipc_format::{Message, MessageKind, flatbuffer::Vector, tables as fb};
use arrow_schema::DataType;

use crate::{
    CompressedAxis, SparseTensor, SparseTensorIndex, TensorDim, TensorError,
    header::{decode_strides, decode_type_and_shape, few_enough},
    indices::n_index_bytes,
    sparse::SparseLayout,
};
use arrow_ipc::Result;
use arrow_ipc_format::{BodyRange, Limits, decode_index_type, not_negative};

/// The header of a sparse tensor message: type, shape, index, and the ranges of the buffers in the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparseTensorHeader {
    layout: SparseLayout,
    /// The ranges of the buffers in the body, without trailing bytes.
    index_buffers: Arc<[BodyRange]>,
    data: BodyRange,
}

impl SparseTensorHeader {
    /// Reads the header of a message of the kind [`SparseTensor`](arrow_ipc_format::MessageKind::SparseTensor).
    ///
    /// # Errors
    /// If the message has another kind, or is invalid, unsupported or over a limit.
    pub fn try_from_message(message: &Message, limits: &Limits) -> Result<SparseTensorHeader> {
        let budget = limits.schema_budget(message.metadata_bytes().len());
        let table = message.header_table(MessageKind::SparseTensor)?;
        SparseTensorHeader::parse(table, message.n_body_bytes(), limits, budget)
    }

    pub(crate) fn parse(
        tensor: fb::SparseTensor<'_>,
        n_body_bytes: u64,
        limits: &Limits,
        mut budget: Budget,
    ) -> Result<SparseTensorHeader> {
        let (data_type, shape) = decode_type_and_shape(tensor.type_()?, tensor.shape()?, &mut budget)?;
        let non_zero_length = not_negative(tensor.non_zero_length()?, "the number of values")?;
        Limits::check("values", non_zero_length, limits.max_slots())?;
        let (index, mut index_buffers) = decode_index(tensor.sparse_index()?, n_body_bytes)?;
        let data = BodyRange::parse_buffer(tensor.data()?, n_body_bytes)?;
        let layout = SparseLayout::try_new(data_type, shape, non_zero_length, index)?;
        let check = |index_buffers: &[BodyRange]| {
            let index_bytes: Vec<u64> = index_buffers.iter().map(BodyRange::n_bytes).collect();
            layout.check(&index_bytes, data.n_bytes())
        };
        let used =
            match (check(&index_buffers), counted_in_numbers(&layout.index, &index_buffers, n_body_bytes)) {
                (Ok(used), _) => used,
                (Err(error), None) => return Err(error.into()),
                (Err(error), Some(in_bytes)) => {
                    index_buffers = in_bytes;
                    check(&index_buffers).map_err(|_| error)?
                }
            };
        for (buffer, n_bytes) in index_buffers.iter_mut().zip(&used.index) {
            *buffer = buffer.shortened(*n_bytes);
        }
        Ok(SparseTensorHeader {
            layout,
            index_buffers: index_buffers.into(),
            data: data.shortened(used.data),
        })
    }

    /// Makes the tensor from the body of the message. The tensor shares the memory of `body`. The numbers of its index
    /// are not checked.
    ///
    /// # Errors
    /// If `body` is not the whole body of the message.
    pub fn read(&self, body: &Buffer) -> Result<SparseTensor> {
        let slice = |range: &BodyRange| body.try_slice(range.start(), range.n_bytes());
        let index_buffers =
            self.index_buffers.iter().map(slice).collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(SparseTensor::from_layout(self.layout.clone(), &index_buffers, &slice(&self.data)?)?)
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

    /// The ranges of the index buffers in the body, in the order that [`SparseTensorIndex`] describes.
    pub fn index_buffers(&self) -> &[BodyRange] {
        &self.index_buffers
    }

    /// The range of the stored values in the body, in bytes.
    pub fn data(&self) -> BodyRange {
        self.data
    }
}

fn decode_index(
    index: fb::SparseTensorIndex<'_>,
    n_body_bytes: u64,
) -> Result<(SparseTensorIndex, Vec<BodyRange>)> {
    let index_type = |int| decode_index_type(int, "the bit width of the integer");
    let range = |buffer: fb::Buffer| BodyRange::parse_buffer(buffer, n_body_bytes);
    Ok(match index {
        fb::SparseTensorIndex::SparseTensorIndexCoo(coo) => {
            let strides = coo.indices_strides()?.map(decode_strides).transpose()?;
            let index = SparseTensorIndex::Coo {
                indices_type: index_type(coo.indices_type()?)?,
                indices_strides: strides.map(two_strides).transpose()?,
                is_canonical: coo.is_canonical()?,
            };
            (index, vec![range(coo.indices_buffer()?)?])
        }
        fb::SparseTensorIndex::SparseMatrixIndexCsx(csx) => {
            let index = SparseTensorIndex::Csx {
                compressed_axis: match csx.compressed_axis()? {
                    fb::SparseMatrixCompressedAxis::Row => CompressedAxis::Row,
                    fb::SparseMatrixCompressedAxis::Column => CompressedAxis::Column,
                },
                indptr_type: index_type(csx.indptr_type()?)?,
                indices_type: index_type(csx.indices_type()?)?,
            };
            (index, vec![range(csx.indptr_buffer()?)?, range(csx.indices_buffer()?)?])
        }
        fb::SparseTensorIndex::SparseTensorIndexCsf(csf) => {
            let axes = csf.axis_order()?;
            let indptr = csf.indptr_buffers()?;
            let indices = csf.indices_buffers()?;
            [axes.len(), indptr.len(), indices.len()].into_iter().try_for_each(few_enough)?;
            // Later checks see all buffers in one list, so the number of each kind is checked here.
            let expected = axes.len().saturating_sub(1);
            for (what, expected, found) in [
                ("buffers of pointers", expected, indptr.len()),
                ("buffers of coordinates", axes.len(), indices.len()),
            ] {
                if found != expected {
                    return Err(TensorError::IndexBufferCount { what, expected, found }.into());
                }
            }
            let (indptr_type, indices_type) =
                (index_type(csf.indptr_type()?)?, index_type(csf.indices_type()?)?);
            let index = SparseTensorIndex::csf(indptr_type, indices_type, decode_axes(axes)?);
            (
                index,
                indptr
                    .iter()
                    .chain(indices.iter())
                    .map(range)
                    .collect::<arrow_ipc_format::error::Result<_>>()?,
            )
        }
    })
}

/// Converts the lengths of the buffers from elements to bytes, since Arrow C++ writes the number of elements for CSF.
/// `None` if a buffer would then be outside the body.
fn counted_in_numbers(
    index: &SparseTensorIndex,
    index_buffers: &[BodyRange],
    n_body_bytes: u64,
) -> Option<Vec<BodyRange>> {
    let SparseTensorIndex::Csf { indptr_type, indices_type, axis_order } = index else { return None };
    let n_pointer_buffers = axis_order.len().saturating_sub(1);
    let in_bytes = |(idx, buffer): (usize, &BodyRange)| {
        let index_type = if idx < n_pointer_buffers { indptr_type } else { indices_type };
        buffer.widened(n_index_bytes(*index_type) as u64, n_body_bytes)
    };
    index_buffers.iter().enumerate().map(in_bytes).collect()
}

fn two_strides(strides: Arc<[u64]>) -> Result<[u64; 2]> {
    let found = strides.len();
    <[u64; 2]>::try_from(&*strides).map_err(|_| TensorError::StrideCount { expected: 2, found }.into())
}

/// Converts the axes to `usize`. `check` later checks that each axis occurs once.
fn decode_axes(axes: Vector<'_, i32>) -> Result<Vec<usize>> {
    let positions: Option<Vec<usize>> = axes.iter().map(|axis| usize::try_from(axis).ok()).collect();
    positions.ok_or_else(|| {
        let found = axes.iter().map(i64::from).collect();
        TensorError::AxisOrder { found, n_dims: axes.len() }.into()
    })
}
