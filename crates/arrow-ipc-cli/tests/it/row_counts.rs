//! Row counts and layouts that `convert` writes into footers.

use std::fs;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, StreamReader, WriteOptions, file::Footer};
use arrow_schema::Metadata;

use crate::program::{run, run_with_input, temporary_folder};

fn batches() -> Vec<RecordBatch> {
    let batch = |rows: std::ops::Range<i64>| {
        let ids = arrow_array::Int64Array::from_iter(rows).into();
        RecordBatch::try_from_columns([("id", ids)]).unwrap()
    };
    [0..5, 5..12].map(batch).to_vec()
}

/// Makes a file with custom metadata.
fn file() -> Vec<u8> {
    let options = WriteOptions::new().with_file_metadata(Metadata::from_iter([("a", "b")]));
    let mut writer = FileWriter::try_new_with(Vec::new(), batches()[0].schema(), options).unwrap();
    batches().iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn converted(input: &[u8], options: &[&str]) -> Vec<u8> {
    let args = [&["convert", "-", "-"], options].concat();
    let output = run_with_input(args, input);
    assert!(output.expect(&[0]).stderr.is_empty(), "{output:?}");
    output.stdout
}

#[test]
fn files_say_how_many_rows_their_batches_have() {
    let metadata = |bytes: &[u8]| {
        let reader = FileReader::try_from_buffer(Buffer::copy_from(bytes)).unwrap();
        let metadata = reader.footer_metadata();
        assert_eq!(metadata.get("a"), Some("b"));
        metadata.get(Footer::ROW_COUNTS_KEY).map(str::to_owned)
    };
    let counts = Some(r#"{"record_batch_cum_len":[5,12]}"#.to_owned());
    let file = file();
    let counted = converted(&file, &["--to", "file", "--row-counts"]);
    assert_eq!(metadata(&counted), counts);
    // The counts are the same whether messages are decoded or copied.
    let compressed = converted(&file, &["--to", "file", "--row-counts", "--compression", "lz4"]);
    assert_eq!(metadata(&compressed), counts);
    // Correct row counts are copied.
    assert_eq!(metadata(&converted(&counted, &["--to", "file"])), counts);
    for bytes in [&counted, &compressed] {
        assert_eq!(run_with_input(["count", "-"], bytes).expect(&[0]).text().trim(), "12");
        // A footer with more metadata than the schema message is no contradiction.
        run_with_input(["validate", "-"], bytes).expect(&[0]);
        let stream = converted(bytes, &["--to", "stream"]);
        let stream = StreamReader::try_new(&*stream).unwrap();
        assert_eq!(*stream.schema_message_metadata(), Metadata::from_iter([("a", "b")]));
    }
}

#[test]
fn false_counts_are_reported() {
    let counted = converted(&file(), &["--to", "file", "--row-counts"]);
    let (from, to) = (b"[5,12]", b"[6,12]");
    let start = (0..counted.len()).find(|start| counted[*start..].starts_with(from)).unwrap();
    let mut bytes = counted;
    bytes[start..start + to.len()].copy_from_slice(to);
    let folder = temporary_folder();
    let path = folder.path().join("false.arrow");
    fs::write(&path, bytes).unwrap();
    for command in ["count", "cat", "validate"] {
        let said = run([command.as_ref(), path.as_os_str()]);
        let said = said.expect(&[1]);
        let both = "the batch has 5 rows; the footer or the index says 6";
        assert!(said.stderr.contains(both), "{command}: {said:?}");
    }
}

/// Only files have row counts, so `diff` ignores them.
#[test]
fn counts_are_no_difference() {
    let folder = temporary_folder();
    let [counted, stream] = ["counted.arrow", "stream.arrows"].map(|name| folder.path().join(name));
    fs::write(&counted, converted(&file(), &["--to", "file", "--row-counts"])).unwrap();
    let [from, to] = [&counted, &stream].map(|path| path.to_str().unwrap());
    run(["convert", from, to]).expect(&[0]);
    let said = run(["diff", from, to]);
    assert!(said.expect(&[0]).stderr.is_empty(), "{said:?}");
}
