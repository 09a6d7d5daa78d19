//! Describes tensors by their messages.

use arrow_ipc::{CompressedAxis, SparseTensorHeader, SparseTensorIndex, TensorDim, TensorHeader};

use serde_json::Value;

use crate::json::{Members, display, object};

/// `int32 [row: 3, column: 4], row-major`
pub(crate) fn dense_note(tensor: &TensorHeader) -> String {
    let order = if tensor.is_row_major() {
        "row-major".to_owned()
    } else if tensor.is_column_major() {
        "column-major".to_owned()
    } else {
        format!("strides {:?}", tensor.strides())
    };
    format!("{} {}, {order}", tensor.data_type(), shape(tensor.shape()))
}

/// `float64 [5, 7], COO of int64, canonical, 4 values`
pub(crate) fn sparse_note(tensor: &SparseTensorHeader) -> String {
    let types = match tensor.index() {
        SparseTensorIndex::Coo { indices_type, is_canonical: true, .. } => {
            format!("{indices_type}, canonical")
        }
        SparseTensorIndex::Coo { indices_type, .. } => indices_type.to_string(),
        SparseTensorIndex::Csx { indptr_type, indices_type, .. }
        | SparseTensorIndex::Csf { indptr_type, indices_type, .. }
            if indptr_type == indices_type =>
        {
            indices_type.to_string()
        }
        SparseTensorIndex::Csx { indptr_type, indices_type, .. }
        | SparseTensorIndex::Csf { indptr_type, indices_type, .. } => {
            format!("{indptr_type} and {indices_type}")
        }
    };
    let axes = match tensor.index() {
        SparseTensorIndex::Csf { axis_order, .. } => format!(", axes {axis_order:?}"),
        _ => String::new(),
    };
    let (data_type, shape, index) = (tensor.data_type(), shape(tensor.shape()), tensor.index().name());
    let n_values = tensor.non_zero_length();
    let values = if n_values == 1 { "value" } else { "values" };
    format!("{data_type} {shape}, {index} of {types}{axes}, {n_values} {values}")
}

pub(crate) fn dense_members(tensor: &TensorHeader) -> Value {
    object(vec![
        ("type", display(tensor.data_type())),
        ("shape", shape_as_json(tensor.shape())),
        ("strides", Value::Array(tensor.strides().iter().map(|stride| Value::from(*stride)).collect())),
    ])
}

pub(crate) fn sparse_members(tensor: &SparseTensorHeader) -> Value {
    let mut index: Members = vec![("format", Value::from(tensor.index().name()))];
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

fn shape(dims: &[TensorDim]) -> String {
    let dims: Vec<String> = dims.iter().map(TensorDim::to_string).collect();
    format!("[{}]", dims.join(", "))
}

fn shape_as_json(dims: &[TensorDim]) -> Value {
    let dim = |dim: &TensorDim| {
        let name = dim.name().map_or(Value::Null, Value::from);
        object(vec![("size", Value::from(dim.size())), ("name", name)])
    };
    Value::Array(dims.iter().map(dim).collect())
}
