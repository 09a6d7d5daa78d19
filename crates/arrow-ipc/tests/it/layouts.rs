//! Layouts of batches in the footer: what they save, and what becomes of false ones.

use std::io::Cursor;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    ErrorClass, FetchCost, FileReader, FileWriter, FooterLayouts, IpcErrorKind, Limits, Projection,
    ReadOptions, RowCounts, SeekSource, WriteOptions, error::BlockIndex, file::Footer,
};
use arrow_schema::{Metadata, Schema};
use testing_support::{Generator, rows};

use crate::store::{Store, Traffic};

const KEY: &str = "arrow-ipc.layouts";

fn with_layouts() -> WriteOptions {
    WriteOptions::new().with_row_counts(RowCounts::WrittenWithLayouts)
}

/// The requests of a reader after the file has been opened.
fn traffic(store: &Store, layouts: FooterLayouts, read: impl Fn(FileReader<Store>)) -> Traffic {
    let options = ReadOptions::new().with_fetch_cost(FetchCost::OBJECT_STORE).with_layouts(layouts);
    let reader = FileReader::try_from_source(store.clone(), options).unwrap();
    assert_eq!(store.take_traffic().n_requests, 1);
    read(reader);
    store.take_traffic()
}

#[test]
fn metadata_comes_together_with_columns() {
    let store = Store::large_batches_with(with_layouts());
    let read = |reader: FileReader<Store>| {
        let three = reader.project(&Projection::Positions(vec![10, 50, 90])).unwrap();
        assert_eq!(three.batches().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 16 * 62_500);
    };
    let checked = traffic(&store, FooterLayouts::Checked, read);
    assert_eq!((checked.n_requests, checked.n_waits, checked.n_round_trips), (64, 1, 3));
    assert_eq!(checked.n_bytes, 24_078_848);
    // Without the metadata.
    let believed = traffic(&store, FooterLayouts::Believed, read);
    assert_eq!((believed.n_requests, believed.n_waits, believed.n_round_trips), (48, 1, 2));
    assert_eq!(believed.n_bytes, 24_000_000);
}

#[test]
fn rows_need_a_round_trip_less() {
    let store = Store::one_batch_with(with_layouts());
    // The metadata comes with the first values, which are next to it.
    for (layouts, n_requests) in [(FooterLayouts::Checked, 3), (FooterLayouts::Believed, 3)] {
        let found = traffic(&store, layouts, |reader| {
            assert_eq!(reader.batch_rows(0, 0..10).unwrap().n_rows(), 10);
        });
        assert_eq!((found.n_requests, found.n_waits), (n_requests, 2), "{layouts:?}");
    }
}

fn batches() -> Vec<RecordBatch> {
    let schema: Schema = "a: int64\nb: utf8\nc: list<item: int32>\nd: utf8_view\ne: bool".parse().unwrap();
    Generator::new(7).batches(&schema, &[20, 20, 0, 7])
}

fn written(options: WriteOptions, batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn layouts_of(bytes: &[u8]) -> Option<String> {
    let footer = Footer::read(&Buffer::copy_from(bytes), &Limits::default()).unwrap();
    footer.metadata().get(KEY).map(str::to_owned)
}

fn open(bytes: &[u8], layouts: FooterLayouts) -> FileReader<SeekSource<Cursor<Vec<u8>>>> {
    let options = ReadOptions::new().with_tail_bytes(0).with_layouts(layouts);
    let source = SeekSource::new(Cursor::new(bytes.to_vec()));
    FileReader::try_from_source(source, options.with_fetch_cost(FetchCost::FREE_REQUESTS)).unwrap()
}

#[test]
fn batches_and_rows_are_the_same() {
    let batches = batches();
    let bytes = written(with_layouts(), &batches);
    for layouts in [FooterLayouts::Checked, FooterLayouts::Believed] {
        let reader = open(&bytes, layouts);
        assert_eq!(reader.n_rows().unwrap(), 47);
        for (batch_idx, batch) in batches.iter().enumerate() {
            for column in 0..batch.n_columns() {
                let one = reader.project(&Projection::Positions(vec![column])).unwrap();
                assert_eq!(rows(&one.batch(batch_idx).unwrap()), rows(&batch.project(&[column]).unwrap()));
            }
            let n_rows = batch.n_rows();
            let found = open(&bytes, layouts).batch_rows(batch_idx, 0..n_rows as u64 / 2).unwrap();
            assert_eq!(rows(&found), rows(&batch.slice(0, n_rows / 2)));
        }
    }
}

#[test]
fn layouts_are_compact() {
    // Batches with the same metadata count once.
    let batch = batches().remove(0);
    let one = layouts_of(&written(with_layouts(), &vec![batch.clone(); 1])).unwrap();
    let many = layouts_of(&written(with_layouts(), &vec![batch; 1_000])).unwrap();
    assert!(many.len() < one.len() + 4, "{} {}", many.len(), one.len());
    let store = Store::large_batches_with(with_layouts());
    let reader = FileReader::try_from_source(store, ReadOptions::new()).unwrap();
    let n_bytes = reader.metadata().get(KEY).unwrap().len();
    let n_metadata_bytes = reader.footer().batches()[0].n_metadata_bytes() as usize;
    assert_eq!((n_bytes, n_metadata_bytes), (1_493, 4_928));
}

#[test]
fn layouts_of_another_file_are_not_written() {
    let batches = batches();
    let given = layouts_of(&written(with_layouts(), &batches)).unwrap();
    let options = WriteOptions::new().with_footer_metadata(Metadata::from_iter([(KEY, &*given)]));
    assert_eq!(layouts_of(&written(options.clone(), &batches)), None);
    let options = options.with_row_counts(RowCounts::WrittenWithLayouts);
    assert_eq!(layouts_of(&written(options, &batches)), Some(given));
    assert_eq!(layouts_of(&written(WriteOptions::new().with_row_counts(RowCounts::Written), &batches)), None);
}

/// The file with another digit in the layouts, for some digits.
fn tampered(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let value = layouts_of(bytes).unwrap();
    let start = (0..bytes.len()).find(|start| bytes[*start..].starts_with(value.as_bytes())).unwrap();
    (start..start + value.len())
        .flat_map(move |position| [b'A', b'B', b'/', b'w', b'1', b' '].map(|digit| (position, digit)))
        .filter(|(position, digit)| bytes[*position] != *digit)
        .map(|(position, digit)| {
            let mut bytes = bytes.to_vec();
            bytes[position] = digit;
            bytes
        })
        .collect::<Vec<_>>()
        .into_iter()
}

#[test]
fn false_layouts_never_become_data() {
    let batches = batches();
    let bytes = written(with_layouts(), &batches);
    let (mut n_refused, mut n_ignored) = (0, 0);
    for bytes in tampered(&bytes) {
        // Each batch is read as it is, or refused with both numbers.
        let reader = open(&bytes, FooterLayouts::Checked);
        let reader = reader.project(&Projection::Positions(vec![1, 3])).unwrap();
        let mut is_refused = false;
        for (batch_idx, batch) in batches.iter().enumerate() {
            match reader.batch(batch_idx) {
                Ok(found) => assert_eq!(rows(&found), rows(&batch.project(&[1, 3]).unwrap())),
                Err(error) => {
                    let IpcErrorKind::Layout { footer, message, .. } = error.kind() else {
                        panic!("{error}")
                    };
                    assert!(footer != message);
                    assert_eq!(error.class(), ErrorClass::Malformed);
                    assert_eq!(error.location().block, Some(BlockIndex::RecordBatch(batch_idx)));
                    is_refused = true;
                }
            }
        }
        n_refused += usize::from(is_refused);
        n_ignored += usize::from(!is_refused);
    }
    assert!(n_refused > 500 && n_ignored > 100, "{n_refused} {n_ignored}");
}

#[test]
fn false_layouts_that_are_believed_do_no_harm() {
    let bytes = written(with_layouts(), &batches());
    let (mut n_read, mut n_refused) = (0, 0);
    for bytes in tampered(&bytes) {
        let reader = open(&bytes, FooterLayouts::Believed);
        for batch_idx in 0..reader.n_batches() {
            // Whatever it is: values, or an error; rows that are displayed are sound.
            match reader.batch(batch_idx) {
                Ok(batch) => n_read += rows(&batch).len(),
                Err(_) => n_refused += 1,
            }
            let _ = reader.batch_rows(batch_idx, 0..1);
        }
    }
    assert!(n_read > 0 && n_refused > 0);
}
