//! Tensors for other implementations to read. The content of each is also written as text, which is made from the values
//! and not from the tensor.

use std::fmt::Write;

use arrow_buffer::Buffer;
use arrow_ipc_tensor::{AnyTensor, SparseTensor, SparseTensorIndex, SparseTensorParts, Tensor, TensorDim};
use arrow_schema::{DataType, IndexType};

/// A tensor, and a line of text about it in the form of `testing/corpus/tensors`.
#[derive(Debug, Clone)]
pub struct TensorSample {
    /// The name in lower case, with hyphens.
    pub name: String,
    /// The tensor to write.
    pub tensor: AnyTensor,
    /// The expected text of what is read.
    pub text: String,
}

/// All samples.
pub fn tensor_samples() -> Vec<TensorSample> {
    let mut samples = dense();
    for index_type in
        [IndexType::Int8, IndexType::Int16, IndexType::Int32, IndexType::Int64, IndexType::UInt16]
    {
        samples.extend(matrices(index_type));
    }
    samples.push(fibres());
    samples
}

/// Tensors with the numbers from 0 on, in three orders, for every type that other libraries read.
fn dense() -> Vec<TensorSample> {
    let mut samples = Vec::new();
    let types: [(DataType, usize); 11] = [
        (DataType::Int8, 1),
        (DataType::Int16, 2),
        (DataType::Int32, 4),
        (DataType::Int64, 8),
        (DataType::UInt8, 1),
        (DataType::UInt16, 2),
        (DataType::UInt32, 4),
        (DataType::UInt64, 8),
        (DataType::Float16, 2),
        (DataType::Float32, 4),
        (DataType::Float64, 8),
    ];
    for (data_type, width) in types {
        let dims =
            [TensorDim::new(2).with_name("größe"), TensorDim::new(3), TensorDim::new(4).with_name("z")];
        let w = width as u64;
        for (order, strides) in
            [("rows", [12 * w, 4 * w, w]), ("columns", [w, 2 * w, 6 * w]), ("gaps", [40 * w, 10 * w, 2 * w])]
        {
            let mut data = vec![0xee; 80 * width];
            let mut values = Vec::new();
            for (number, position) in positions(&[2, 3, 4]).into_iter().enumerate() {
                // Any bits are a number of any of these types.
                let value = (number as u64 * 0x0101_0101_0101_0103).to_le_bytes();
                let start: u64 = position.iter().zip(strides).map(|(at, stride)| at * stride).sum();
                data[start as usize..][..width].copy_from_slice(&value[..width]);
                values.push(format!("\"{}\"", hex(&value[..width])));
            }
            let tensor =
                Tensor::try_new_strided(data_type.clone(), dims.clone(), strides, Buffer::from(data));
            let text = format!(
                "{{\"kind\":\"dense\",\"type\":\"{data_type}\",\"shape\":[[2,\"größe\"],[3,null],[4,\"z\"]],\"strides\":{strides:?},\"values\":[{}]}}",
                values.join(",")
            );
            let name = format!("dense-{data_type}-{order}");
            samples.push(TensorSample {
                name,
                tensor: tensor.expect("it fits").into(),
                text: text.replace(", ", ","),
            });
        }
    }
    samples
}

/// The same matrix in each form.
fn matrices(index_type: IndexType) -> Vec<TensorSample> {
    // Where they are, and 1.5, 2.5 and so on, as doubles.
    let cells = [[0, 3], [2, 0], [2, 6], [4, 1]];
    let numbers = |numbers: &[u64]| {
        let width = index_type.n_bits() as usize / 8;
        Buffer::from(
            numbers.iter().flat_map(|number| number.to_le_bytes()[..width].to_vec()).collect::<Vec<u8>>(),
        )
    };
    let by_row: Vec<f64> = vec![1.5, 2.5, 3.5, 4.5];
    let by_column = vec![2.5, 4.5, 1.5, 3.5];
    let coo = SparseTensorIndex::Coo { indices_type: index_type, indices_strides: None, is_canonical: true };
    let width = u64::from(index_type.n_bits() / 8);
    let columns = SparseTensorIndex::Coo {
        indices_type: index_type,
        indices_strides: Some([width, 4 * width]),
        is_canonical: true,
    };
    let mut forms = vec![
        ("coo", coo, vec![numbers(&cells.concat())], &by_row),
        ("coo-columns", columns, vec![numbers(&[0, 2, 2, 4, 3, 0, 6, 1])], &by_row),
        (
            "csr",
            SparseTensorIndex::csr(index_type, index_type),
            vec![numbers(&[0, 1, 1, 3, 3, 4]), numbers(&[3, 0, 6, 1])],
            &by_row,
        ),
        (
            "csc",
            SparseTensorIndex::csc(index_type, index_type),
            vec![numbers(&[0, 1, 2, 2, 3, 3, 3, 4]), numbers(&[2, 4, 0, 2])],
            &by_column,
        ),
    ];
    // Others read the lengths of its buffers as numbers, and write them so; with single bytes that is the same.
    if width == 1 {
        let csf = SparseTensorIndex::csf(index_type, index_type, [0, 1]);
        forms.push((
            "csf",
            csf,
            vec![numbers(&[0, 1, 3, 4]), numbers(&[0, 2, 4]), numbers(&[3, 0, 6, 1])],
            &by_row,
        ));
    }
    let cells: Vec<(Vec<u64>, String)> =
        cells.iter().zip(&by_row).map(|(cell, value)| (cell.to_vec(), hex(&value.to_le_bytes()))).collect();
    let sample = |(form, index, index_buffers, values): (&str, SparseTensorIndex, Vec<Buffer>, &Vec<f64>)| {
        let parts = SparseTensorParts {
            data_type: DataType::Float64,
            shape: vec![TensorDim::new(5), TensorDim::new(7)],
            non_zero_length: 4,
            index,
            index_buffers,
            data: Buffer::from(values.clone()),
        };
        sparse(format!("sparse-{form}-{index_type}"), "[[5,null],[7,null]]", parts, &cells)
    };
    forms.into_iter().map(sample).collect()
}

/// A tree of three levels, with a special order of dimensions.
fn fibres() -> TensorSample {
    let bytes = |bytes: &[u8]| Buffer::copy_from(bytes);
    let parts = SparseTensorParts {
        data_type: DataType::Int8,
        shape: vec![TensorDim::new(3), TensorDim::new(4), TensorDim::new(2)],
        non_zero_length: 4,
        index: SparseTensorIndex::csf(IndexType::Int8, IndexType::Int8, [2, 0, 1]),
        // (0, 1, 2) and (0, 1, 3) below 0, and (1, 0, 0) and (1, 2, 1) below 1; the first is the last dimension.
        index_buffers: vec![
            bytes(&[0, 1, 3]),
            bytes(&[0, 2, 3, 4]),
            bytes(&[0, 1]),
            bytes(&[1, 0, 2]),
            bytes(&[2, 3, 0, 1]),
        ],
        data: bytes(&[1, 2, 3, 4]),
    };
    let cells = [([1, 2, 0], "01"), ([1, 3, 0], "02"), ([0, 0, 1], "03"), ([2, 1, 1], "04")];
    let cells = cells.map(|(position, value)| (position.to_vec(), value.to_owned()));
    sparse("sparse-csf-cube".to_owned(), "[[3,null],[4,null],[2,null]]", parts, &cells)
}

fn sparse(name: String, shape: &str, parts: SparseTensorParts, cells: &[(Vec<u64>, String)]) -> TensorSample {
    let mut cells = cells.to_vec();
    cells.sort();
    let cells: Vec<String> = cells
        .iter()
        .map(|(position, value)| format!("[{position:?},\"{value}\"]").replace(", ", ","))
        .collect();
    let (kind, data_type, cells) = (parts.index.name(), &parts.data_type, cells.join(","));
    let text =
        format!("{{\"kind\":\"{kind}\",\"type\":\"{data_type}\",\"shape\":{shape},\"values\":[{cells}]}}");
    TensorSample { name, tensor: SparseTensor::try_new(parts).expect("it fits").into(), text }
}

fn positions(shape: &[u64]) -> Vec<Vec<u64>> {
    shape.iter().fold(vec![vec![]], |prefixes, size| {
        let extend = |prefix: Vec<u64>| (0..*size).map(move |at| [&prefix[..], &[at]].concat());
        prefixes.into_iter().flat_map(extend).collect()
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_valid_and_have_names_of_their_own() {
        let samples = tensor_samples();
        let names: std::collections::BTreeSet<&str> =
            samples.iter().map(|sample| sample.name.as_str()).collect();
        assert_eq!(names.len(), samples.len());
        for sample in &samples {
            assert!(
                sample.tensor.as_sparse().is_none_or(|tensor| tensor.validate().is_ok()),
                "{}",
                sample.name
            );
        }
    }
}
