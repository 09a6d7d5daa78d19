//! Writes descriptions of tensors as JSON, from the metadata of their messages.

use arrow_ipc_tensor::{
    AnyTensorHeader, CompressedAxis, SparseTensorHeader, SparseTensorIndex, TensorDim, TensorHeader,
};
use arrow_ipc_tools::tensors::TensorDescription;
use serde_json::Value;

use super::{JsonMembers, display, object, pairs};

/// Writes the description of a tensor as a JSON object, for an input that only has tensors.
pub fn tensor_as_json(tensor: &TensorDescription) -> Value {
    let mut members = vec![("container", Value::from("tensor"))];
    members.push(("tensor", tensor_members(tensor.header())));
    members.push(("metadata", pairs(tensor.metadata())));
    object(members)
}

/// Writes the members of a dense or sparse tensor.
pub(super) fn tensor_members(header: &AnyTensorHeader) -> Value {
    match header {
        AnyTensorHeader::Dense(tensor) => dense_members(tensor),
        AnyTensorHeader::Sparse(tensor) => sparse_members(tensor),
    }
}

fn dense_members(tensor: &TensorHeader) -> Value {
    object(vec![
        ("type", display(tensor.data_type())),
        ("shape", shape_as_json(tensor.shape())),
        ("strides", Value::Array(tensor.strides().iter().map(|stride| Value::from(*stride)).collect())),
    ])
}

fn sparse_members(tensor: &SparseTensorHeader) -> Value {
    let mut index: JsonMembers = vec![("format", Value::from(tensor.index().name()))];
    match tensor.index() {
        SparseTensorIndex::Coo { indices_type, indices_strides, is_canonical } => {
            index.push(("indices_type", display(indices_type)));
            let strides = indices_strides.map(|strides| Value::Array(strides.map(Value::from).into()));
            index.push(("indices_strides", strides.unwrap_or(Value::Null)));
            index.push(("is_canonical", Value::Bool(*is_canonical)));
        }
        SparseTensorIndex::Csx { compressed_axis, indptr_type, indices_type } => {
            let axis = if *compressed_axis == CompressedAxis::Row { "row" } else { "column" };
            index.push(("compressed_axis", Value::from(axis)));
            index.push(("indptr_type", display(indptr_type)));
            index.push(("indices_type", display(indices_type)));
        }
        SparseTensorIndex::Csf { indptr_type, indices_type, axis_order } => {
            index.push(("indptr_type", display(indptr_type)));
            index.push(("indices_type", display(indices_type)));
            let axes = axis_order.iter().map(|axis| Value::from(*axis as u64));
            index.push(("axis_order", Value::Array(axes.collect())));
        }
    }
    object(vec![
        ("type", display(tensor.data_type())),
        ("shape", shape_as_json(tensor.shape())),
        ("non_zero_length", Value::from(tensor.non_zero_length())),
        ("index", object(index)),
    ])
}

fn shape_as_json(dims: &[TensorDim]) -> Value {
    let dim = |dim: &TensorDim| {
        let name = dim.name().map_or(Value::Null, Value::from);
        object(vec![("size", Value::from(dim.size())), ("name", name)])
    };
    Value::Array(dims.iter().map(dim).collect())
}
