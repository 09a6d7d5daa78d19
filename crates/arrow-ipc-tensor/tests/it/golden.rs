//! The tensors of `testing/corpus/tensors`, which pyarrow and Arrow C++ wrote: read, compared with their text, and
//! written again.

use std::{fs, path::PathBuf};

use arrow_buffer::Buffer;
use arrow_ipc::{Limits, MessageStep, Messages, Result};
use arrow_ipc_tensor::{AnyTensor, TensorReader, TensorWriter};
use testing_support::ChunkedReader;

use super::text::text;

fn files() -> Vec<PathBuf> {
    let files = testing_support::files_below(&testing_support::corpus_dir().join("tensors"), ".tensor");
    assert!(files.len() > 40, "{} files", files.len());
    files
}

fn read(bytes: &Buffer) -> Result<Vec<AnyTensor>> {
    TensorReader::from_buffer(bytes.clone()).collect()
}

#[test]
fn tensors_are_those_that_were_written() {
    let mut kinds = std::collections::BTreeSet::new();
    for path in files() {
        let bytes = Buffer::from(fs::read(&path).unwrap());
        let tensors = read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let found: String = tensors.iter().map(|tensor| text(tensor) + "\n").collect();
        let expected = fs::read_to_string(path.with_extension("json")).unwrap();
        assert_eq!(found, expected, "{}", path.display());
        kinds.extend(
            tensors.iter().map(|tensor| tensor.as_sparse().map_or("dense", |tensor| tensor.index().name())),
        );
        let by_bytes = TensorReader::new(ChunkedReader::new(&*bytes, 7));
        assert_eq!(by_bytes.collect::<Result<Vec<_>>>().unwrap(), tensors, "{}", path.display());
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["COO", "CSC", "CSF", "CSR", "dense"]);
}

#[test]
fn what_was_read_is_written_the_same() {
    for path in files() {
        let tensors = read(&Buffer::from(fs::read(&path).unwrap())).unwrap();
        let mut writer = TensorWriter::new(Vec::new());
        tensors.iter().for_each(|tensor| writer.write(tensor).unwrap());
        let bytes = Buffer::from(writer.finish().unwrap());
        verify(&bytes);
        let again: Vec<String> = read(&bytes).unwrap().iter().map(text).collect();
        assert_eq!(again, tensors.iter().map(text).collect::<Vec<_>>(), "{}", path.display());
    }
}

/// Shows the metadata of all messages to the official verifier.
fn verify(bytes: &Buffer) {
    let mut messages = Messages::new(Limits::default());
    messages.feed(bytes.clone());
    messages.finish_input();
    while let MessageStep::Message(message) = messages.step().unwrap() {
        testing_support::verify_message(message.metadata_bytes()).unwrap();
    }
}

#[test]
fn fuzzed_tensors_are_refused_or_valid() {
    let Some(data) = testing_support::arrow_test_data("fuzzed tensors") else { return };
    let paths = testing_support::files_below(&data.join("arrow-ipc-tensor-stream"), "");
    assert!(!paths.is_empty());
    for path in paths {
        // Without errors, every value can be walked.
        let bytes = Buffer::from(fs::read(&path).unwrap());
        for tensor in TensorReader::from_buffer(bytes).flatten() {
            if let AnyTensor::Sparse(sparse) = &tensor {
                sparse.validate().unwrap();
            } else if let AnyTensor::Dense(dense) = &tensor {
                assert!(dense.elements().take(1_000).all(|element| element.len() == dense.n_element_bytes()));
            }
        }
    }
}
