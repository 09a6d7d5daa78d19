//! Describes containers, features and tensors in a few words.

use arrow_ipc::{Container, Endianness, Feature};
use arrow_ipc_tensor::{AnyTensorHeader, SparseTensorHeader, SparseTensorIndex, TensorDim, TensorHeader};

/// The name of a container in JSON: `file`, or `stream` for all others.
pub fn container_name(container: Container) -> &'static str {
    if container == Container::File { "file" } else { "stream" }
}

/// The name of a byte order in JSON.
pub(crate) fn endianness_name(endianness: Endianness) -> &'static str {
    match endianness {
        Endianness::Little => "little",
        Endianness::Big => "big",
    }
}

/// The name of a feature in reports, such as `compressed body`.
pub fn feature_name(feature: Feature) -> &'static str {
    match feature {
        Feature::DictionaryReplacement => "dictionary replacement",
        Feature::CompressedBody => "compressed body",
        Feature::Unused | _ => "unused",
    }
}

/// Describes type, shape and layout of a tensor in a few words.
pub fn tensor_note(tensor: &AnyTensorHeader) -> String {
    match tensor {
        AnyTensorHeader::Dense(tensor) => dense_note(tensor),
        AnyTensorHeader::Sparse(tensor) => sparse_note(tensor),
    }
}

/// Describes a dense tensor in a few words: `int32 [row: 3, column: 4], row-major`.
fn dense_note(tensor: &TensorHeader) -> String {
    let order = if tensor.is_row_major() {
        "row-major".to_owned()
    } else if tensor.is_column_major() {
        "column-major".to_owned()
    } else {
        format!("strides {:?}", tensor.strides())
    };
    format!("{} {}, {order}", tensor.data_type(), shape(tensor.shape()))
}

/// Describes a sparse tensor in a few words: `float64 [5, 7], COO of int64, canonical, 4 values`.
fn sparse_note(tensor: &SparseTensorHeader) -> String {
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
        SparseTensorIndex::Coo { .. } | SparseTensorIndex::Csx { .. } => String::new(),
    };
    let data_type = tensor.data_type();
    let shape = shape(tensor.shape());
    let index = tensor.index().name();
    let n_values = tensor.non_zero_length();
    let values = if n_values == 1 { "value" } else { "values" };
    format!("{data_type} {shape}, {index} of {types}{axes}, {n_values} {values}")
}

fn shape(dims: &[TensorDim]) -> String {
    let dims: Vec<String> = dims.iter().map(TensorDim::to_string).collect();
    format!("[{}]", dims.join(", "))
}
