//! Every kind of input gives equal results, and errors contain its name.

use std::{fs, io::Cursor};

use arrow_buffer::Buffer;
use arrow_ipc::Container;
use arrow_ipc_tools::{
    Conversion, Input, InputName, Rows, ToolError, ToolErrorKind, ValidateOptions, cursor::StreamItem,
    diff::Comparison, validate,
};

use crate::{
    corpus::Remote,
    samples::{file, ids, stream},
};

/// Makes an input of each kind from the same bytes.
fn every_kind(bytes: &[u8], folder: &tempfile::TempDir) -> Vec<Input> {
    let path = folder.path().join("input");
    fs::write(&path, bytes).unwrap();
    let small_reads = testing_support::ChunkedReader::new(Cursor::new(bytes.to_vec()), 5);
    vec![
        Input::open(&path).unwrap(),
        Input::try_from_buffer("memory", bytes.to_vec().into()).unwrap(),
        Input::try_new("remote", Remote(bytes.to_vec().into())).unwrap(),
        Input::try_from_reader("pipe", Cursor::new(bytes.to_vec())).unwrap(),
        Input::try_from_reader("slow pipe", small_reads).unwrap(),
    ]
}

fn n_rows(input: Input) -> usize {
    match Rows::open(input).unwrap() {
        Rows::File { reader } => reader.batches().map(|batch| batch.unwrap().n_rows()).sum(),
        Rows::Streams(mut streams) => {
            let mut n_rows = 0;
            while let Some(item) = streams.next_item().unwrap() {
                if let StreamItem::Batch(next) = item {
                    n_rows += next.batch.n_rows();
                }
            }
            n_rows
        }
    }
}

#[test]
fn all_kinds_of_inputs_give_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let batches = [ids([1, 2]), ids([3])];
    let two_streams = [stream(&batches), stream(&batches)].concat();
    for (bytes, container, n_expected) in [
        (file(&batches), Container::File, 3),
        (stream(&batches), Container::Stream, 3),
        (two_streams, Container::Stream, 6),
    ] {
        for input in every_kind(&bytes, &folder) {
            assert_eq!(input.container(), container);
            assert_eq!(n_rows(input), n_expected);
        }
        for input in every_kind(&bytes, &folder) {
            validate(input, &ValidateOptions::new(), &mut ()).unwrap();
        }
    }
}

#[test]
fn what_is_no_input_is_refused_by_name() {
    let refused = |bytes: &[u8]| Input::try_from_buffer("upload", bytes.to_vec().into()).unwrap_err();
    let empty = refused(b"");
    assert!(matches!(empty.kind(), ToolErrorKind::Empty));
    assert_eq!(empty.to_string(), "upload: the input is empty");
    let parquet = refused(b"PAR1....");
    assert!(matches!(parquet.kind(), ToolErrorKind::Input(_)), "{parquet}");
    let none = Input::open("no such file").unwrap_err();
    assert!(matches!(none.kind(), ToolErrorKind::Read(_)));
    assert_eq!(*none.input(), InputName::Path("no such file".into()));
}

#[test]
fn inputs_and_errors_go_to_other_threads() {
    fn check<T: Send>() {}
    check::<Input>();
    check::<Conversion>();
    check::<Comparison<'_>>();
    check::<ToolError>();
}

#[test]
fn bytes_in_memory_are_not_copied() {
    let bytes: Buffer = [stream(&[ids(0..1000)]), stream(&[ids(0..1000)])].concat().into();
    let memory = bytes.as_ptr_range();
    let input = Input::try_from_buffer("memory", bytes.clone()).unwrap();
    let Rows::Streams(mut streams) = Rows::open(input).unwrap() else { panic!("streams") };
    let mut n_batches = 0;
    while let Some(batch) = streams.next_batch().unwrap() {
        assert!(memory.contains(&batch.column_at(0).unwrap().buffer(0).as_ptr()));
        n_batches += 1;
    }
    assert_eq!(n_batches, 2);
}
