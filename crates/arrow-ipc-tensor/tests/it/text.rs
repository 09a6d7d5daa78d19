//! A tensor as a line of text, in the form of `testing/corpus/tensors`.

use std::fmt::Write;

use arrow_ipc_tensor::{AnyTensor, SparseTensor, Tensor, TensorDim};

pub(crate) fn text(tensor: &AnyTensor) -> String {
    match tensor {
        AnyTensor::Dense(tensor) => dense(tensor),
        AnyTensor::Sparse(tensor) => sparse(tensor),
    }
}

fn dense(tensor: &Tensor) -> String {
    let values: Vec<String> = tensor.elements().map(|element| format!("\"{}\"", hex(element))).collect();
    let strides: Vec<String> = tensor.strides().iter().map(u64::to_string).collect();
    let (strides, values) = (strides.join(","), values.join(","));
    let head = head("dense", &tensor.data_type().to_string(), tensor.shape());
    format!("{head},\"strides\":[{strides}],\"values\":[{values}]}}")
}

fn sparse(tensor: &SparseTensor) -> String {
    let mut values = Vec::new();
    tensor.visit(|position, value| values.push((position.to_vec(), hex(value)))).unwrap();
    values.sort();
    let value = |(position, value): &(Vec<u64>, String)| {
        let position: Vec<String> = position.iter().map(u64::to_string).collect();
        format!("[[{}],\"{value}\"]", position.join(","))
    };
    let values: Vec<String> = values.iter().map(value).collect();
    let head = head(tensor.index().name(), &tensor.data_type().to_string(), tensor.shape());
    format!("{head},\"values\":[{}]}}", values.join(","))
}

fn head(kind: &str, data_type: &str, shape: &[TensorDim]) -> String {
    let dim = |dim: &TensorDim| {
        let name = dim.name().map_or_else(|| "null".to_owned(), |name| format!("\"{name}\""));
        format!("[{},{name}]", dim.size())
    };
    let shape: Vec<String> = shape.iter().map(dim).collect();
    format!("{{\"kind\":\"{kind}\",\"type\":\"{data_type}\",\"shape\":[{}]", shape.join(","))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
