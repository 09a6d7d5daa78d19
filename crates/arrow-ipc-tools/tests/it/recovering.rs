//! What is recovered of inputs that are not damaged is all of them, of every writer and version.

use std::fs;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, StreamReader};
use arrow_ipc_tools::{Input, RecoverOptions, Target, recover};
use testing_support::files_below;

fn read(bytes: &[u8]) -> arrow_ipc::Result<Vec<RecordBatch>> {
    match bytes.starts_with(b"ARROW1") {
        true => FileReader::try_from_buffer(Buffer::copy_from(bytes))?.batches().collect(),
        false => StreamReader::try_new(bytes)?.collect(),
    }
}

#[test]
fn golden_inputs_are_recovered_as_a_whole() {
    let golden = testing_support::corpus_dir().join("golden");
    let mut n_inputs = 0;
    for (suffix, target) in
        [(".arrow", Target::File), (".arrow", Target::Stream), (".arrows", Target::Stream)]
    {
        for path in files_below(&golden, suffix) {
            let (what, bytes) = (path.display().to_string(), fs::read(&path).unwrap());
            let all = read(&bytes).unwrap();
            let input = Input::from_damaged("input", Buffer::from(bytes));
            let recovered = recover(input, Vec::new(), &RecoverOptions::new(target), &mut ());
            let (output, report) = recovered.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(report.losses.is_empty(), "{what}: {:?}", report.losses);
            let found = read(&output).unwrap();
            let is_same = |(left, right): (&RecordBatch, &RecordBatch)| left.same_rows(right).unwrap();
            assert!(found.len() == all.len() && found.iter().zip(&all).all(is_same), "{what}");
            n_inputs += 1;
        }
    }
    assert!(n_inputs > 200, "{n_inputs}");
}
