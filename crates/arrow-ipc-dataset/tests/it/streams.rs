//! Streams as files of data sets.

use std::fs::File;

use arrow_compute::Digits;
use arrow_data::RecordBatch;
use arrow_ipc::StreamWriter;
use arrow_ipc_dataset::{Dataset, DatasetErrorKind as Kind, FileVersion};

use crate::support::{Folder, all_rows, ids_batch, texts};

fn stream_of(batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), batches[0].schema().clone()).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

const END_MARKER: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// Streams and files are one data set, however the reading is divided.
#[test]
fn streams_and_files_are_read_in_order() {
    let folder = Folder::new();
    let batches = |ids: std::ops::Range<i64>| ids.map(|id| ids_batch([id, id])).collect::<Vec<_>>();
    folder.write("data/a.arrow", &stream_of(&batches(0..5)));
    folder.write_ids("data/b.arrow", 5..7);
    folder.write("data/c.arrow", &[stream_of(&batches(7..9)), END_MARKER.to_vec(), vec![0; 12]].concat());
    // Without an end marker.
    let cut = stream_of(&batches(9..11));
    folder.write("data/k=1/d.arrow", &cut[..cut.len() - END_MARKER.len()]);
    folder.write("data/e.arrows", &stream_of(&[ids_batch([])]));
    let set = folder.open(&["data"]).unwrap();
    let n_batches: Vec<usize> = set.files().iter().map(|file| file.contents().unwrap().n_batches()).collect();
    assert_eq!(n_batches, [5, 1, 2, 1, 2]);
    assert_eq!((set.n_rows().unwrap(), set.count().unwrap()), (20, 20));
    let whole = all_rows(set.read().unwrap()).unwrap();
    assert_eq!(whole.first().unwrap(), "0,null");
    assert_eq!(whole.last().unwrap(), "10,1");
    for target_bytes in [0, 1, 200, 1 << 10, u64::MAX] {
        let tasks = set.split(target_bytes).unwrap();
        // A stream is divided like a file.
        if target_bytes == 0 {
            assert_eq!(tasks.len(), 12 - 1);
        }
        let rows: Vec<String> =
            tasks.iter().flat_map(|task| all_rows(task.read().unwrap()).unwrap()).collect();
        assert_eq!(rows, whole, "{target_bytes}");
    }
    let threads: Vec<u64> =
        set.read_by_threads(4).unwrap().map(|batch| batch.unwrap().n_rows() as u64).collect();
    assert_eq!(threads.iter().sum::<u64>(), 20);
    let some = set.clone().with_predicate("id >= 4 and id < 8".parse().unwrap()).unwrap();
    assert_eq!((some.count().unwrap(), all_rows(some.read().unwrap()).unwrap().len()), (6, 6));
    // Batches that are not selected are skipped.
    let chosen = set.with_batches([1, 3, 6]).unwrap().with_columns(["id"]).unwrap();
    assert_eq!(all_rows(chosen.read().unwrap()).unwrap(), ["1", "1", "3", "3", "7", "7"]);
}

/// Columns are selected, merged and cast as those of files are. Dictionaries may change between batches.
#[test]
fn streams_have_the_columns_of_the_set() {
    let folder = Folder::new();
    let words = |values: &[&str]| {
        let words =
            arrow_compute::cast(&texts(values), &"dictionary<int8, utf8>".parse().unwrap(), Digits::Keep)
                .unwrap();
        RecordBatch::try_from_columns([("word", words), ("text", texts(values))]).unwrap()
    };
    folder.write("a.arrow", &stream_of(&[words(&["x", "y"]), words(&["z", "x"])]));
    folder.write_ids("b.arrow", [1]);
    let set = folder.open(&["."]).unwrap();
    assert_eq!(set.schema().to_string(), "word: dictionary<int8, utf8>\ntext: utf8\nid: int64");
    let rows = ["x,x,null", "y,y,null", "z,z,null", "x,x,null", "null,null,1"];
    assert_eq!(all_rows(set.read().unwrap()).unwrap(), rows);
    // Each task reads the dictionary that counts for its batch.
    let tasks = set.split(0).unwrap();
    let alone = tasks.iter().rev().map(|task| all_rows(task.read().unwrap()).unwrap());
    assert_eq!(alone.collect::<Vec<_>>().concat(), [&rows[4..], &rows[2..4], &rows[..2]].concat());
    let some = set.with_columns(["id", "word"]).unwrap();
    assert_eq!(all_rows(some.read().unwrap()).unwrap()[2], "null,z");
}

/// What is not read is an error, which names the file.
#[test]
fn damaged_streams_are_errors() {
    let folder = Folder::new();
    let whole = stream_of(&[ids_batch(0..100), ids_batch(0..100)]);
    let other = [&whole[..], &stream_of(&[ids_batch([1])])].concat();
    let mut damaged = whole.clone();
    damaged[8] ^= 0xff;
    for (bytes, words) in [
        (&whole[..whole.len() - 100], "is truncated"),
        (&whole[..100], "is truncated"),
        (&other, "bytes follow the end of the stream at byte"),
        (&[&whole[..], &[0xff; 16]].concat(), "bytes follow the end of the stream at byte"),
        (&[&whole[..], &END_MARKER, &END_MARKER[..7]].concat(), "bytes follow the end of the stream at byte"),
        (&[&whole[..], b"text"].concat(), "bytes follow the end of the stream at byte"),
        (&damaged, "a.arrow: "),
        (&END_MARKER, "a.arrow: "),
    ] {
        folder.write("a.arrow", bytes);
        let error = folder.open(&["."]).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.path().unwrap().ends_with("a.arrow"), "{error}");
    }
    // The stream changes after it was opened.
    folder.write("a.arrow", &whole);
    let task = folder.open(&["."]).unwrap().split(u64::MAX).unwrap().remove(0);
    folder.write("a.arrow", &stream_of(&[ids_batch(0..100)]));
    assert!(matches!(task.read().unwrap_err().kind(), Kind::Changed { .. }));
    let mut wrong = task;
    folder.write("a.arrow", &whole);
    wrong.files[0].version = Dataset::open([folder.path()]).unwrap().files()[0].contents().unwrap().version();
    wrong.files[0].batches.end = 3;
    let error = wrong.read().unwrap_err();
    assert!(matches!(error.kind(), Kind::Batches { wanted: 3, found: 2 }), "{error}");
    // Of a stream that is cut, the error says so.
    folder.write("a.arrow", &whole[..whole.len() - 100]);
    wrong.files[0].version =
        FileVersion::from_file(&File::open(folder.path().join("a.arrow")).unwrap()).unwrap();
    assert!(wrong.read().unwrap_err().to_string().contains("is truncated"));
}
