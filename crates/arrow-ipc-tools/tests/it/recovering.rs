//! What is recovered of inputs that are not damaged is all of them, of every writer and version.

use std::fs;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, Limits, MessageScan, MetadataVersion, StreamReader, StreamWriter, WriteOptions};
use arrow_ipc_tools::{Input, RecoverOptions, Target, recover};
use arrow_schema::Schema;
use testing_support::{Generator, files_below};

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

/// Messages of V4 and V5 in one stream; their unions have other buffers.
#[test]
fn mixed_versions_are_recovered() {
    let schema: Schema = "id: int64\nu: sparse_union<0=a: int32, 1=b: utf8>".parse().unwrap();
    let batches = Generator::new(3).batches(&schema, &[7, 9, 4]);
    let write = |version| {
        let options = WriteOptions::new().with_version(version);
        let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema(), options).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap()
    };
    let [v4, v5] = [MetadataVersion::V4, MetadataVersion::V5].map(write);
    let places = |bytes: &[u8]| {
        let mut scan =
            MessageScan::try_new(Buffer::copy_from(bytes), 0..u64::MAX, Limits::default()).unwrap();
        let mut ends = vec![0];
        while let Some(message) = scan.next_message().unwrap() {
            ends.push((message.body_position() + message.n_body_bytes()) as usize);
        }
        ends
    };
    for (first, second) in [(&v4, &v5), (&v5, &v4)] {
        let (ends, others) = (places(first), places(second));
        let mixed = [&first[..ends[2]], &second[others[2]..others[3]], &first[ends[3]..]].concat();
        for target in [Target::File, Target::Stream] {
            let input = Input::from_damaged("input", Buffer::copy_from(&mixed));
            let (output, report) = recover(input, Vec::new(), &RecoverOptions::new(target), &mut ()).unwrap();
            assert!(report.losses.is_empty(), "{:?}", report.losses);
            let found = read(&output).unwrap();
            assert!(found.len() == 3 && found.iter().zip(&batches).all(|(a, b)| a.same_rows(b).unwrap()));
        }
    }
}
