//! The checked header of a dense tensor message, and functions that sparse tensors also use.

use std::sync::Arc;

use arrow_buffer::{Budget, Buffer};
use arrow_ipc_format::{
    Message, MessageKind,
    flatbuffer::{Tables, Vector},
    tables as fb,
};
use arrow_schema::DataType;

use crate::{
    Tensor, TensorDim, TensorError, dim::MAX_DIMENSIONS, index::long_enough, strided::StridedLayout,
};
use arrow_ipc::Result;
use arrow_ipc_format::{BodyRange, Limits, SharedList, decode_type, not_negative};

/// The header of a dense tensor message: type, shape, strides, and the range of the data in the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorHeader {
    layout: StridedLayout,
    /// The range of the data in the body, without trailing bytes.
    data: BodyRange,
}

impl TensorHeader {
    /// Reads the header of a message of the kind [`Tensor`](arrow_ipc_format::MessageKind::Tensor).
    ///
    /// # Errors
    /// If the message has another kind, or is invalid, unsupported or over a limit.
    pub fn try_from_message(message: &Message, limits: &Limits) -> Result<TensorHeader> {
        let budget = limits.schema_budget(message.metadata_bytes().len());
        let table = message.header_table(MessageKind::Tensor)?;
        TensorHeader::parse(table, message.n_body_bytes(), limits, budget)
    }

    pub(crate) fn parse(
        tensor: fb::Tensor<'_>,
        n_body_bytes: u64,
        limits: &Limits,
        mut budget: Budget,
    ) -> Result<TensorHeader> {
        let (data_type, shape) = decode_type_and_shape(tensor.type_()?, tensor.shape()?, &mut budget)?;
        let strides = tensor.strides()?.map(decode_strides).transpose()?;
        let data = BodyRange::parse_buffer(tensor.data()?, n_body_bytes)?;
        let layout = StridedLayout::try_new(data_type, shape, strides)?;
        Limits::check("elements", layout.n_elements, limits.max_slots())?;
        let n_bytes = long_enough("the data of the tensor", layout.n_bytes, data.n_bytes())?;
        Ok(TensorHeader { layout, data: data.shortened(n_bytes) })
    }

    /// Makes the tensor from the body of the message. The tensor shares the memory of `body`.
    ///
    /// # Errors
    /// If `body` is not the whole body of the message.
    pub fn read(&self, body: &Buffer) -> Result<Tensor> {
        let data = body.try_slice(self.data.start(), self.data.n_bytes())?;
        Ok(Tensor::from_layout(self.layout.clone(), &data)?)
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

    /// The product of the sizes of all dimensions; 1 without dimensions.
    pub fn n_elements(&self) -> u64 {
        self.layout.n_elements
    }

    /// Whether the elements are contiguous in row-major order, as in C.
    pub fn is_row_major(&self) -> bool {
        self.layout.is_row_major()
    }

    /// Whether the elements are contiguous in column-major order, as in Fortran.
    pub fn is_column_major(&self) -> bool {
        self.layout.is_column_major()
    }

    /// The range of the elements in the body, in bytes.
    pub fn data(&self) -> BodyRange {
        self.data
    }
}

/// Checks a number of dimensions, axes or buffers before they are read.
pub(crate) fn few_enough(found: usize) -> std::result::Result<(), TensorError> {
    let limit = MAX_DIMENSIONS;
    if found <= limit { Ok(()) } else { Err(TensorError::TooManyDimensions { found, limit }) }
}

pub(crate) fn decode_type_and_shape(
    data_type: fb::Type<'_>,
    shape: Tables<'_, fb::TensorDim<'_>>,
    budget: &mut Budget,
) -> Result<(DataType, Arc<[TensorDim]>)> {
    let data_type = decode_type(data_type, SharedList::default(), budget)?;
    few_enough(shape.len())?;
    let mut dims = Vec::with_capacity(shape.len());
    for dim in shape.iter() {
        let dim = dim?;
        let decoded = TensorDim::new(not_negative(dim.size()?, "the size of a dimension")?);
        dims.push(match dim.name()? {
            None => decoded,
            Some(name) => {
                budget.spend("bytes of dimension names", name.len() as u64)?;
                decoded.with_name(&*name)
            }
        });
    }
    Ok((data_type, dims.into()))
}

pub(crate) fn decode_strides(strides: Vector<'_, i64>) -> Result<Arc<[u64]>> {
    few_enough(strides.len())?;
    strides.iter().map(|stride| Ok(not_negative(stride, "a stride")?)).collect()
}
