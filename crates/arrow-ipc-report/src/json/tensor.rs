//! Writes descriptions of tensors as JSON, from the metadata of their messages.

use arrow_ipc_tensor::{AnyTensorHeader, CompressedAxis, SparseTensorIndex, TensorDim};
use arrow_ipc_tools::tensors::TensorDescription;
use serde_core::ser::SerializeMap;

use super::{AsText, Items, JsonMembers, JsonObject, Pairs};

/// The description of an input that only has tensors.
impl JsonMembers for TensorDescription {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("container", "tensor")?;
        object.serialize_entry("tensor", &JsonObject(self.header()))?;
        object.serialize_entry("metadata", &Pairs(self.metadata()))
    }
}

impl JsonMembers for AnyTensorHeader {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        match self {
            AnyTensorHeader::Dense(tensor) => {
                object.serialize_entry("type", &AsText(tensor.data_type()))?;
                object.serialize_entry("shape", &Items(|| tensor.shape().iter().map(JsonObject)))?;
                object.serialize_entry("strides", tensor.strides())
            }
            AnyTensorHeader::Sparse(tensor) => {
                object.serialize_entry("type", &AsText(tensor.data_type()))?;
                object.serialize_entry("shape", &Items(|| tensor.shape().iter().map(JsonObject)))?;
                object.serialize_entry("non_zero_length", &tensor.non_zero_length())?;
                object.serialize_entry("index", &JsonObject(tensor.index()))
            }
        }
    }
}

impl JsonMembers for SparseTensorIndex {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("format", self.name())?;
        match self {
            SparseTensorIndex::Coo { indices_type, indices_strides, is_canonical } => {
                object.serialize_entry("indices_type", &AsText(indices_type))?;
                object.serialize_entry("indices_strides", indices_strides)?;
                object.serialize_entry("is_canonical", is_canonical)
            }
            SparseTensorIndex::Csx { compressed_axis, indptr_type, indices_type } => {
                let axis = if *compressed_axis == CompressedAxis::Row { "row" } else { "column" };
                object.serialize_entry("compressed_axis", axis)?;
                object.serialize_entry("indptr_type", &AsText(indptr_type))?;
                object.serialize_entry("indices_type", &AsText(indices_type))
            }
            SparseTensorIndex::Csf { indptr_type, indices_type, axis_order } => {
                object.serialize_entry("indptr_type", &AsText(indptr_type))?;
                object.serialize_entry("indices_type", &AsText(indices_type))?;
                object.serialize_entry("axis_order", &**axis_order)
            }
        }
    }
}

impl JsonMembers for TensorDim {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("size", &self.size())?;
        object.serialize_entry("name", &self.name())
    }
}
