//! Encodes the header of a tensor message.

use arrow_buffer::Buffer;
use arrow_ipc_format::flatbuf as fb;
use arrow_schema::{IndexType, Metadata};
use planus::{Builder, UnionOffset};

use super::{CompressedAxis, SparseTensor, SparseTensorIndex, Tensor, TensorDim, TensorRef};
use crate::error::{IpcErrorKind, Result};
use arrow_ipc_format::{
    BatchHeaderBuilder, MetadataVersion, check_fits, encode_metadata, encode_type, n_metadata_bytes,
    wire_version,
};

impl<'a> TensorRef<'a> {
    /// The buffers of the body, in order: the buffers of the index if the tensor is sparse, then the values.
    pub(crate) fn buffers(self) -> impl Iterator<Item = &'a Buffer> {
        let (index, data): (&[Buffer], &Buffer) = match self {
            TensorRef::Dense(tensor) => (&[], tensor.data()),
            TensorRef::Sparse(tensor) => (tensor.index_buffers(), tensor.data()),
        };
        index.iter().chain([data])
    }

    /// The length of all dimension names, in bytes.
    pub(crate) fn n_text_bytes(self) -> u64 {
        let shape = match self {
            TensorRef::Dense(tensor) => tensor.shape(),
            TensorRef::Sparse(tensor) => tensor.shape(),
        };
        let names = shape.iter().filter_map(TensorDim::name);
        names.fold(0, |n_bytes, name| n_bytes.saturating_add(name.len() as u64))
    }
}

/// Encodes the metadata of a tensor message. `lists` contains the positions of its buffers.
pub(crate) fn encode_message(
    version: MetadataVersion,
    tensor: TensorRef<'_>,
    lists: &BatchHeaderBuilder,
    metadata: &Metadata,
) -> Result<Vec<u8>> {
    check_fits(n_metadata_bytes(metadata).saturating_add(tensor.n_text_bytes()))?;
    let builder = &mut Builder::new();
    let header = encode_tensor(builder, tensor, lists.buffers())?;
    let metadata = encode_metadata(builder, metadata);
    let n_body_bytes = lists.wire_body_bytes()?;
    let message = fb::Message::create(builder, wire_version(version), header, n_body_bytes, metadata);
    Ok(builder.finish(message, None).to_vec())
}

/// Encodes the header of a tensor message. `places` contains the offset and length of each buffer in the body.
fn encode_tensor(
    builder: &mut Builder,
    tensor: TensorRef<'_>,
    places: &[[i64; 2]],
) -> Result<UnionOffset<fb::MessageHeader>> {
    let places: Vec<fb::Buffer> =
        places.iter().map(|[offset, length]| fb::Buffer { offset: *offset, length: *length }).collect();
    match tensor {
        TensorRef::Dense(tensor) => {
            let table = encode_dense(builder, tensor, &places)?;
            Ok(fb::MessageHeader::create_tensor(builder, table))
        }
        TensorRef::Sparse(tensor) => {
            let table = encode_sparse(builder, tensor, &places)?;
            Ok(fb::MessageHeader::create_sparse_tensor(builder, table))
        }
    }
}

fn encode_dense(
    builder: &mut Builder,
    tensor: &Tensor,
    places: &[fb::Buffer],
) -> Result<planus::Offset<fb::Tensor>> {
    let data_type = encode_type(builder, tensor.data_type());
    let shape = encode_shape(tensor.shape());
    // The strides are optional for contiguous rows, but old readers need them.
    let strides: Vec<i64> = tensor.strides().iter().map(|stride| wire(*stride)).collect();
    let (shape, strides) = (shape.as_slice(), strides.as_slice());
    Ok(fb::Tensor::create(builder, data_type, shape, strides, place(places, 0)?))
}

fn encode_sparse(
    builder: &mut Builder,
    tensor: &SparseTensor,
    places: &[fb::Buffer],
) -> Result<planus::Offset<fb::SparseTensor>> {
    let data_type = encode_type(builder, tensor.data_type());
    let shape = encode_shape(tensor.shape());
    let index = encode_index(builder, tensor, places)?;
    let (n_values, data) = (wire(tensor.non_zero_length()), place(places, tensor.index_buffers().len())?);
    Ok(fb::SparseTensor::create(builder, data_type, shape.as_slice(), n_values, index, data))
}

fn encode_index(
    builder: &mut Builder,
    tensor: &SparseTensor,
    places: &[fb::Buffer],
) -> Result<UnionOffset<fb::SparseTensorIndex>> {
    Ok(match tensor.index() {
        SparseTensorIndex::Coo { indices_type, indices_strides, is_canonical } => {
            let n_dims = tensor.shape().len();
            // The strides are optional for contiguous rows, but readers need them.
            let strides = SparseTensorIndex::coo_strides(*indices_strides, *indices_type, n_dims).map(wire);
            let (int, canonical) = (encode_int(*indices_type), *is_canonical);
            let (strides, place) = (strides.as_slice(), place(places, 0)?);
            let table = fb::SparseTensorIndexCoo::create(builder, int, strides, place, canonical);
            fb::SparseTensorIndex::create_sparse_tensor_index_coo(builder, table)
        }
        SparseTensorIndex::Csx { compressed_axis, indptr_type, indices_type } => {
            let axis = match compressed_axis {
                CompressedAxis::Row => fb::SparseMatrixCompressedAxis::Row,
                CompressedAxis::Column => fb::SparseMatrixCompressedAxis::Column,
            };
            let (pointer, coordinate) = (encode_int(*indptr_type), encode_int(*indices_type));
            let (indptr, indices) = (place(places, 0)?, place(places, 1)?);
            let table = fb::SparseMatrixIndexCsx::create(builder, axis, pointer, indptr, coordinate, indices);
            fb::SparseTensorIndex::create_sparse_matrix_index_csx(builder, table)
        }
        SparseTensorIndex::Csf { indptr_type, indices_type, axis_order } => {
            let (indptr, rest) =
                places.split_at_checked(axis_order.len().saturating_sub(1)).ok_or(NO_PLACE)?;
            let indices = rest.get(..axis_order.len()).ok_or(NO_PLACE)?;
            let (pointer, coordinate) = (encode_int(*indptr_type), encode_int(*indices_type));
            // The casts lose nothing: there are at most 256 dimensions.
            let axes: Vec<i32> =
                axis_order.iter().map(|axis| i32::try_from(*axis).unwrap_or(i32::MAX)).collect();
            let axes = axes.as_slice();
            let table = fb::SparseTensorIndexCsf::create(builder, pointer, indptr, coordinate, indices, axes);
            fb::SparseTensorIndex::create_sparse_tensor_index_csf(builder, table)
        }
    })
}

fn encode_shape(dims: &[TensorDim]) -> Vec<fb::TensorDim> {
    let dim = |dim: &TensorDim| fb::TensorDim { size: wire(dim.size()), name: dim.name().map(str::to_owned) };
    dims.iter().map(dim).collect()
}

fn encode_int(index_type: IndexType) -> fb::Int {
    // The cast loses nothing: the width is at most 64.
    let bit_width = index_type.n_bits().cast_signed();
    fb::Int { bit_width, is_signed: index_type.is_signed() }
}

const NO_PLACE: IpcErrorKind =
    IpcErrorKind::Internal { what: "a buffer of a tensor has no place in the body" };

fn place(places: &[fb::Buffer], idx: usize) -> Result<fb::Buffer> {
    Ok(places.get(idx).copied().ok_or(NO_PLACE)?)
}

/// A size, stride or count as a number of the format. The constructors of tensors have checked that it fits into 63
/// bits.
fn wire(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
