//! Encodes the header of a tensor message.

use arrow_schema::{IndexType, Metadata};

use crate::{CompressedAxis, SparseTensor, SparseTensorIndex, Tensor, TensorDim, TensorRef};
use arrow_ipc::{
    IpcError, Result,
    segment::{BodyPart, RawMessage},
};
use arrow_ipc_format::{
    BatchHeaderBuilder, MessageFormat, MessageKind, MetadataVersion, TypeTable, check_fits,
    flatbuffer::{FlatbufferWriter, ROOT_BYTES, Slot, TableHandle, Value},
    n_metadata_bytes, tables as fb, wire_version, write_metadata, write_type,
};

/// The message of a tensor, whose bytes are in the byte order of the output.
#[derive(Debug)]
pub(crate) struct TensorMessage {
    kind: MessageKind,
    flatbuffer: Vec<u8>,
    n_body_bytes: u64,
    body: Vec<BodyPart>,
}

impl TensorMessage {
    /// Encodes the metadata of a tensor.
    ///
    /// # Errors
    /// If names of dimensions, the metadata or the body are longer than the format can express.
    pub(crate) fn try_new(
        format: MessageFormat,
        tensor: TensorRef<'_>,
        metadata: &Metadata,
    ) -> Result<TensorMessage> {
        let mut header = BatchHeaderBuilder::new(format.alignment);
        tensor.buffers().for_each(|buffer| {
            header.add_buffer(buffer.len());
        });
        header.end_body();
        let flatbuffer = encode_message(format.version, tensor, &header, metadata)?;
        let offsets = header.buffers().iter().map(|[offset, _]| offset.cast_unsigned());
        let buffers = offsets.zip(tensor.buffers()).filter(|(_, buffer)| !buffer.is_empty());
        let body = buffers.map(|(offset, buffer)| BodyPart { offset, bytes: buffer.clone() }).collect();
        Ok(TensorMessage { kind: tensor.kind(), flatbuffer, n_body_bytes: header.n_body_bytes(), body })
    }

    /// The message for an encoder.
    pub(crate) fn as_raw(&self) -> RawMessage<'_> {
        RawMessage::from_flatbuffer(self.kind, 0, &self.flatbuffer, self.n_body_bytes).with_body(&self.body)
    }
}

/// Encodes the metadata of a tensor message. `body` has the positions of its buffers.
fn encode_message(
    version: MetadataVersion,
    tensor: TensorRef<'_>,
    body: &BatchHeaderBuilder,
    metadata: &Metadata,
) -> Result<Vec<u8>> {
    check_fits(n_metadata_bytes(metadata).saturating_add(tensor.n_text_bytes()))?;
    let mut writer = FlatbufferWriter::new_at(0);
    let root = writer.zeros(ROOT_BYTES, 0, 4);
    let mut fields = vec![
        (fb::Message::VERSION, Value::I16(wire_version(version) as i16)),
        (fb::Message::HEADER_TAG, Value::Tag),
        (fb::Message::HEADER, Value::Reference),
        (fb::Message::BODY_LENGTH, Value::I64(body.wire_body_bytes()?)),
    ];
    if !metadata.is_empty() {
        fields.push((fb::Message::CUSTOM_METADATA, Value::Reference));
    }
    let message = writer.table(&fields);
    writer.refer(root, message.position);
    let (tag, header) = match tensor {
        TensorRef::Dense(tensor) => {
            (fb::MessageHeaderTag::Tensor, write_dense(&mut writer, tensor, body.buffers())?)
        }
        TensorRef::Sparse(tensor) => {
            (fb::MessageHeaderTag::SparseTensor, write_sparse(&mut writer, tensor, body.buffers())?)
        }
    };
    let header_tag = (&fb::Message::HEADER_TAG, tag as u8);
    writer.refer_to_union(&message, header_tag, (&fb::Message::HEADER, header));
    if let Some(metadata) = write_metadata(&mut writer, metadata) {
        writer.refer_from(&message, &fb::Message::CUSTOM_METADATA, metadata);
    }
    Ok(writer.finish())
}

fn write_dense(writer: &mut FlatbufferWriter, tensor: &Tensor, locations: &[[i64; 2]]) -> Result<usize> {
    let table = writer.table(&[
        (fb::Tensor::TYPE_TAG, Value::Tag),
        (fb::Tensor::TYPE, Value::Reference),
        (fb::Tensor::SHAPE, Value::Reference),
        (fb::Tensor::STRIDES, Value::Reference),
        (fb::Tensor::DATA, location(locations, 0)?),
    ]);
    let TypeTable { tag, table: data_type } = write_type(writer, tensor.data_type());
    writer.refer_to_union(&table, (&fb::Tensor::TYPE_TAG, tag as u8), (&fb::Tensor::TYPE, data_type));
    let shape = write_shape(writer, tensor.shape());
    writer.refer_from(&table, &fb::Tensor::SHAPE, shape);
    // The strides are optional for contiguous rows, but old readers need them.
    let strides = write_numbers(writer, tensor.strides());
    writer.refer_from(&table, &fb::Tensor::STRIDES, strides);
    Ok(table.position)
}

fn write_sparse(
    writer: &mut FlatbufferWriter,
    tensor: &SparseTensor,
    locations: &[[i64; 2]],
) -> Result<usize> {
    let table = writer.table(&[
        (fb::SparseTensor::TYPE_TAG, Value::Tag),
        (fb::SparseTensor::TYPE, Value::Reference),
        (fb::SparseTensor::SHAPE, Value::Reference),
        (fb::SparseTensor::NON_ZERO_LENGTH, Value::I64(wire(tensor.non_zero_length()))),
        (fb::SparseTensor::SPARSE_INDEX_TAG, Value::Tag),
        (fb::SparseTensor::SPARSE_INDEX, Value::Reference),
        (fb::SparseTensor::DATA, location(locations, tensor.index_buffers().len())?),
    ]);
    let TypeTable { tag, table: data_type } = write_type(writer, tensor.data_type());
    let type_tag = (&fb::SparseTensor::TYPE_TAG, tag as u8);
    writer.refer_to_union(&table, type_tag, (&fb::SparseTensor::TYPE, data_type));
    let shape = write_shape(writer, tensor.shape());
    writer.refer_from(&table, &fb::SparseTensor::SHAPE, shape);
    let (tag, index) = write_index(writer, tensor, locations)?;
    let index_tag = (&fb::SparseTensor::SPARSE_INDEX_TAG, tag as u8);
    writer.refer_to_union(&table, index_tag, (&fb::SparseTensor::SPARSE_INDEX, index));
    Ok(table.position)
}

/// Writes an index. Returns its tag and the position of its table.
fn write_index(
    writer: &mut FlatbufferWriter,
    tensor: &SparseTensor,
    locations: &[[i64; 2]],
) -> Result<(fb::SparseTensorIndexTag, usize)> {
    match tensor.index() {
        SparseTensorIndex::Coo { indices_type, indices_strides, is_canonical } => {
            use fb::SparseTensorIndexCoo as Coo;
            let table = writer.table(&[
                (Coo::INDICES_TYPE, Value::Reference),
                (Coo::INDICES_STRIDES, Value::Reference),
                (Coo::INDICES_BUFFER, location(locations, 0)?),
                (Coo::IS_CANONICAL, Value::Bool(*is_canonical)),
            ]);
            write_int(writer, &table, &Coo::INDICES_TYPE, *indices_type);
            // The strides are optional for contiguous rows, but readers need them.
            let n_dims = tensor.shape().len();
            let strides = SparseTensorIndex::coo_strides(*indices_strides, *indices_type, n_dims);
            let strides = write_numbers(writer, &strides);
            writer.refer_from(&table, &Coo::INDICES_STRIDES, strides);
            Ok((fb::SparseTensorIndexTag::SparseTensorIndexCoo, table.position))
        }
        SparseTensorIndex::Csx { compressed_axis, indptr_type, indices_type } => {
            use fb::SparseMatrixIndexCsx as Csx;
            let axis = match compressed_axis {
                CompressedAxis::Row => fb::SparseMatrixCompressedAxis::Row,
                CompressedAxis::Column => fb::SparseMatrixCompressedAxis::Column,
            };
            let table = writer.table(&[
                (Csx::COMPRESSED_AXIS, Value::I16(axis as i16)),
                (Csx::INDPTR_TYPE, Value::Reference),
                (Csx::INDPTR_BUFFER, location(locations, 0)?),
                (Csx::INDICES_TYPE, Value::Reference),
                (Csx::INDICES_BUFFER, location(locations, 1)?),
            ]);
            write_int(writer, &table, &Csx::INDPTR_TYPE, *indptr_type);
            write_int(writer, &table, &Csx::INDICES_TYPE, *indices_type);
            Ok((fb::SparseTensorIndexTag::SparseMatrixIndexCsx, table.position))
        }
        SparseTensorIndex::Csf { indptr_type, indices_type, axis_order } => {
            use fb::SparseTensorIndexCsf as Csf;
            let n_pointers = axis_order.len().saturating_sub(1);
            let (indptr, rest) = locations.split_at_checked(n_pointers).ok_or_else(no_location)?;
            let indices = rest.get(..axis_order.len()).ok_or_else(no_location)?;
            let table = writer.table(&[
                (Csf::INDPTR_TYPE, Value::Reference),
                (Csf::INDPTR_BUFFERS, Value::Reference),
                (Csf::INDICES_TYPE, Value::Reference),
                (Csf::INDICES_BUFFERS, Value::Reference),
                (Csf::AXIS_ORDER, Value::Reference),
            ]);
            write_int(writer, &table, &Csf::INDPTR_TYPE, *indptr_type);
            write_int(writer, &table, &Csf::INDICES_TYPE, *indices_type);
            for (slot, locations) in [(&Csf::INDPTR_BUFFERS, indptr), (&Csf::INDICES_BUFFERS, indices)] {
                let buffers: Vec<[u8; 16]> = locations.iter().map(buffer_bytes).collect();
                let buffers = writer.vector(&buffers);
                writer.refer_from(&table, slot, buffers);
            }
            // The casts lose nothing: there are at most 256 dimensions.
            let axis = |axis: &usize| i32::try_from(*axis).unwrap_or(i32::MAX).to_le_bytes();
            let axes = writer.vector(&axis_order.iter().map(axis).collect::<Vec<_>>());
            writer.refer_from(&table, &Csf::AXIS_ORDER, axes);
            Ok((fb::SparseTensorIndexTag::SparseTensorIndexCsf, table.position))
        }
    }
}

fn write_shape(writer: &mut FlatbufferWriter, dims: &[TensorDim]) -> usize {
    let list = writer.references(dims.len());
    for (idx, dim) in dims.iter().enumerate() {
        let size = (fb::TensorDim::SIZE, Value::I64(wire(dim.size())));
        let table = match dim.name() {
            None => writer.table(&[size]),
            Some(name) => {
                let table = writer.table(&[size, (fb::TensorDim::NAME, Value::Reference)]);
                let name = writer.text(name);
                writer.refer_from(&table, &fb::TensorDim::NAME, name);
                table
            }
        };
        writer.refer(list + 4 + 4 * idx, table.position);
    }
    list
}

fn write_numbers(writer: &mut FlatbufferWriter, numbers: &[u64]) -> usize {
    writer.vector(&numbers.iter().map(|number| wire(*number).to_le_bytes()).collect::<Vec<_>>())
}

/// Writes a type of integers, to which this field refers.
fn write_int(writer: &mut FlatbufferWriter, table: &TableHandle, slot: &Slot, index_type: IndexType) {
    let written = write_type(writer, &index_type.into());
    writer.refer_from(table, slot, written.table);
}

fn no_location() -> IpcError {
    IpcError::internal("a buffer of a tensor is outside the body")
}

fn location(locations: &[[i64; 2]], idx: usize) -> Result<Value> {
    Ok(Value::Struct(buffer_bytes(locations.get(idx).ok_or_else(no_location)?)))
}

fn buffer_bytes(&[offset, length]: &[i64; 2]) -> [u8; 16] {
    fb::Buffer { offset, length }.to_bytes()
}

/// A size, stride or count as a number of the format. The constructors of tensors have checked that it fits into 63
/// bits.
fn wire(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
