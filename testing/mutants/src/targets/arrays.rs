//! Tests values: tensors, and every operation on arrays.

use arrow_buffer::Buffer;
use arrow_ipc_tensor::{AnyTensor, TensorReader, TensorWriter};

use crate::{check::check_share, operations::use_batches, share::Share};

/// The memory for the elements of tensors, which may take more memory than their bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Reads tensors and their elements, and writes them again.
pub(super) fn tensors(bytes: &[u8]) {
    let mut reader = TensorReader::from_buffer(Buffer::copy_from(bytes));
    while let Ok(Some(read)) = reader.next_tensor() {
        match &read.tensor {
            AnyTensor::Dense(tensor) => {
                let n_seen = tensor.elements().take(10_000).count() as u64;
                assert_eq!(n_seen, tensor.n_elements().min(10_000));
                if let Ok(made) = tensor.to_row_major(MAX_BYTES) {
                    assert!(made.is_row_major() && made.shape() == tensor.shape());
                    assert!(made.elements().take(1_000).eq(tensor.elements().take(1_000)));
                }
                let _ = tensor.to_array(MAX_BYTES);
                let mut writer = TensorWriter::new(Vec::new());
                writer.write(tensor).expect("it was read");
                let written = writer.finish().expect("memory");
                let again = TensorReader::from_buffer(written.into()).next_tensor().expect("it was written");
                let again = again.expect("there is one");
                assert!(again.tensor.as_dense().is_some_and(|again| {
                    again.shape() == tensor.shape()
                        && again.elements().take(1_000).eq(tensor.elements().take(1_000))
                }));
            }
            AnyTensor::Sparse(tensor) => {
                let is_valid = tensor.validate().is_ok();
                let visited = tensor.visit(|_, _| {});
                assert!(visited.is_ok() || !is_valid, "{visited:?}");
                let _ = tensor.to_dense(MAX_BYTES);
                for level in 0..4 {
                    let _ = tensor.indices(level).map(|indices| indices.iter().take(100).count());
                    let _ = tensor.indptr(level).map(|indptr| indptr.iter().take(100).count());
                }
            }
        }
    }
}

/// Selects, compares, joins, rewrites or prints the batches of an input.
pub(super) fn operations(bytes: &[u8]) {
    let verdict = check_share(&Buffer::copy_from(bytes), Some(use_batches), Share::by(bytes));
    assert!(verdict.findings.is_empty(), "{}", verdict.findings.join("\n"));
}
