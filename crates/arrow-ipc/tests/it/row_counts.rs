//! Row counts in the footer: what is written, what is saved by them, and what becomes of false ones.

use arrow_array::Int64Array;
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    ContainerEncoder, ErrorClass, FetchCost, FileReader, FileWriter, IpcErrorKind, Limits, Projection,
    ReadOptions, Result, RowCounts, SeekSource, WriteOptions, WrittenContainer, error::BlockIndex,
    file::Footer,
};
use arrow_schema::Metadata;
use testing_support::{Value, rows};

use crate::{access::golden, store::Store};

const KEY: &str = Footer::ROW_COUNTS_KEY;
const TRUE: &str = r#"{"record_batch_cum_len":[100,250,250,500]}"#;

fn batches() -> Vec<RecordBatch> {
    let batch = |rows: std::ops::Range<i64>| {
        let ids = Int64Array::from_iter(rows).into();
        RecordBatch::try_from_columns([("id", ids)]).unwrap()
    };
    [0..100, 100..250, 250..250, 250..500].map(batch).to_vec()
}

fn written(options: WriteOptions) -> Vec<u8> {
    let batches = batches();
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.finish().unwrap()
}

fn counted() -> Vec<u8> {
    written(WriteOptions::new().with_row_counts(RowCounts::Written))
}

/// A reader that has read the footer, and nothing else.
fn open(bytes: Vec<u8>) -> FileReader<SeekSource<std::io::Cursor<Vec<u8>>>> {
    let options = ReadOptions::new().with_tail_bytes(0).with_fetch_cost(FetchCost::FREE_REQUESTS);
    FileReader::try_new_with(SeekSource::new(std::io::Cursor::new(bytes)), options).unwrap()
}

/// The file with other row counts.
fn claiming(json: &str) -> Vec<u8> {
    let mut bytes = counted();
    let found: Vec<usize> =
        (0..bytes.len()).filter(|start| bytes[*start..].starts_with(TRUE.as_bytes())).collect();
    let [start] = found[..] else { panic!("the footer has the counts {} times", found.len()) };
    let padded = format!("{json:<width$}", width = TRUE.len());
    bytes[start..start + TRUE.len()].copy_from_slice(padded.as_bytes());
    bytes
}

#[test]
fn counts_are_written_under_the_key_of_polars() {
    let metadata = Metadata::from_iter([("a", "b")]);
    let options = WriteOptions::new().with_file_metadata(metadata);
    let bytes = Buffer::from(written(options.with_row_counts(RowCounts::Written)));
    let footer = Footer::read(&bytes, &Limits::default()).unwrap();
    assert_eq!((footer.metadata().get("a"), footer.metadata().get(KEY)), (Some("b"), Some(TRUE)));
    assert_eq!(footer.n_rows(), Some(500));
    let each: Vec<_> = (0..5).map(|batch_idx| footer.n_rows_of(batch_idx)).collect();
    assert_eq!(each, [Some(100), Some(150), Some(0), Some(250), None]);
}

#[test]
fn a_file_of_polars_says_its_rows() {
    let reader = FileReader::try_from_buffer(golden("polars-2.1.0/row-counts.arrow")).unwrap();
    assert_eq!(reader.footer().n_rows(), Some(11));
    assert_eq!(reader.n_rows().unwrap(), 11);
    let counts: Vec<_> = reader.batches().map(|batch| batch.unwrap().n_rows()).collect();
    assert_eq!(counts, [4, 4, 3]);
}

#[test]
fn counts_save_all_requests() {
    let batches = vec![batches().remove(1); 100];
    let store = Store::new(&batches, WriteOptions::new().with_row_counts(RowCounts::Written));
    let options = ReadOptions::new().with_fetch_cost(FetchCost::OBJECT_STORE).with_tail_bytes(10);
    let reader = FileReader::try_new_with(store.clone(), options).unwrap();
    store.take_traffic();
    assert_eq!(reader.n_rows().unwrap(), 15_000);
    assert_eq!(reader.n_rows_of(99).unwrap(), 150);
    let middle = reader.rows(1_000..1_200).unwrap();
    assert_eq!(middle.len(), 2);
    assert_eq!(store.take_traffic().n_requests, 0);
    let found: Vec<_> = middle.map(|batch| batch.unwrap().n_rows()).collect();
    assert_eq!(found, [50, 150]);
}

/// Batches are counted once, whatever rows are requested.
#[test]
fn known_batches_are_not_counted_again() {
    let batches = vec![batches().remove(1); 100];
    let store = Store::new(&batches, WriteOptions::new());
    let options = ReadOptions::new().with_metadata_cache_bytes(0).with_tail_bytes(10);
    let reader = FileReader::try_new_with(store.clone(), options).unwrap();
    store.take_traffic();
    assert_eq!(reader.rows(14_900..15_000).unwrap().len(), 1);
    assert!(store.take_traffic().n_bytes > 0);
    for (rows, n_batches) in [(14_849..14_901, 2), (0..1, 1), (0..15_000, 100), (450..450, 0)] {
        assert_eq!(reader.rows(rows.clone()).unwrap().len(), n_batches, "{rows:?}");
        assert_eq!(store.take_traffic().n_bytes, 0, "{rows:?}");
    }
}

#[test]
fn rows_of_the_file_are_those_of_its_batches() {
    let all: Vec<Vec<Value>> = batches().iter().flat_map(rows).collect();
    let ranges = [(0, 500), (0, 0), (500, 500), (99, 101), (100, 250), (249, 251), (250, 250), (7, 9)];
    // From the metadata of the batches, and from the footer; all batches first, or last.
    let backwards = || ranges.into_iter().rev().collect();
    for (bytes, ranges) in [
        (written(WriteOptions::new()), ranges.to_vec()),
        (written(WriteOptions::new()), backwards()),
        (counted(), ranges.to_vec()),
        (counted(), backwards()),
    ] {
        let reader = open(bytes);
        for (start, end) in ranges {
            let found: Result<Vec<RecordBatch>> = reader.rows(start..end).unwrap().collect();
            let found: Vec<Vec<Value>> = found.unwrap().iter().flat_map(rows).collect();
            assert_eq!(found, all[start as usize..end as usize], "{start}..{end}");
        }
        #[allow(clippy::reversed_empty_ranges)] // That is one of the wrong ones.
        for range in [0..501, 501..501, 5..4, u64::MAX..u64::MAX] {
            let error = reader.rows(range).unwrap_err();
            assert!(matches!(error.kind(), IpcErrorKind::NoSuchFileRows { n_rows: 500, .. }), "{error}");
            assert_eq!(error.class(), ErrorClass::Misuse);
        }
    }
}

#[test]
fn false_counts_are_an_error_when_a_batch_is_read() {
    // The second batch is said to have one more, fewer, and more than there can be.
    for (json, stated) in [
        (r#"{"record_batch_cum_len":[100,251,251,501]}"#, 151),
        (r#"{"record_batch_cum_len":[100,101,101,351]}"#, 1),
    ] {
        let reader = open(claiming(json));
        assert_eq!(reader.n_rows_of(1).unwrap(), stated, "stated, and nothing contradicts it yet");
        let error = reader.batch(1).unwrap_err();
        let IpcErrorKind::RowCount { footer, message } = error.kind() else { panic!("{error}") };
        assert_eq!((*footer, *message), (stated, 150));
        assert_eq!(error.location().block, Some(BlockIndex::RecordBatch(1)));
        let text = error.to_string();
        assert!(text.contains("150 rows") && text.contains(&stated.to_string()), "{text}");
        assert_eq!(error.class(), ErrorClass::Malformed);
        // Whatever reads it, and from memory too. The batches that are as they are counted are read.
        let ways: [fn(&FileReader<_>) -> Result<()>; 4] = [
            |reader| reader.batch_rows(1, 0..1).map(|_| ()),
            |reader| reader.rows(100..101)?.try_for_each(|batch| batch.map(|_| ())),
            |reader| reader.project(&Projection::Positions(vec![]))?.batch(1).map(|_| ()),
            |reader| reader.batches().nth(1).unwrap().map(|_| ()),
        ];
        for way in ways {
            let error = way(&open(claiming(json))).unwrap_err();
            assert!(matches!(error.kind(), IpcErrorKind::RowCount { .. }), "{error}");
        }
        let in_memory = FileReader::try_from_buffer(Buffer::from(claiming(json))).unwrap();
        assert!(matches!(in_memory.n_rows().unwrap_err().kind(), IpcErrorKind::RowCount { .. }));
        assert_eq!(reader.batch(0).unwrap().n_rows(), 100);
    }
}

#[test]
fn impossible_counts_are_not_trusted() {
    for json in [
        // Of fewer and of more batches, negative, decreasing, overflowing, of another form.
        r#"{"record_batch_cum_len":[100,250]}"#,
        r#"{"record_batch_cum_len":[1,2,3,4,5]}"#,
        r#"{"record_batch_cum_len":[-1,2,3,4]}"#,
        r#"{"record_batch_cum_len":[4,3,2,1]}"#,
        r#"{"record_batch_cum_len":[1,1e2,1e3,4]}"#,
        r#"{"record_batch_len":[100,150,0,250]}"#,
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
        "",
    ] {
        let reader = open(claiming(json));
        assert_eq!(reader.footer().n_rows(), None, "{json}");
        assert_eq!(reader.n_rows().unwrap(), 500);
        assert_eq!(reader.rows(249..251).unwrap().len(), 2);
        assert!(reader.batches().all(|batch| batch.is_ok()));
    }
}

#[test]
fn counts_of_another_file_are_not_written() {
    let given =
        |json: &str| WriteOptions::new().with_footer_metadata(Metadata::from_iter([("a", "b"), (KEY, json)]));
    let found = |options: WriteOptions| {
        let bytes = Buffer::from(written(options));
        let metadata = Footer::read(&bytes, &Limits::default()).unwrap().metadata().clone();
        assert_eq!(metadata.get("a"), Some("b"));
        metadata.get(KEY).map(str::to_owned)
    };
    let spaced = TRUE.replace(',', ", ");
    assert_eq!(found(given(&spaced)), Some(spaced), "they are true");
    for json in [r#"{"record_batch_cum_len":[1,2,3,4]}"#, r#"{"record_batch_cum_len":[500]}"#, "{}"] {
        assert_eq!(found(given(json)), None);
        assert_eq!(found(given(json).with_row_counts(RowCounts::Written)).as_deref(), Some(TRUE));
    }
}

/// With the option, schema message and footer have the same metadata, whatever else is wanted.
#[test]
fn schema_and_footer_have_the_same_metadata() {
    let pairs = |pairs: &[(&str, &str)]| Metadata::from_iter(pairs.iter().copied());
    let [message, footer] =
        [&[("a", "1"), ("b", "2")][..], &[("b", "3"), (KEY, TRUE), ("c", "4")]].map(pairs);
    let statistics = pairs(&[(Footer::STATISTICS_KEY, "1:"), ("c", "4")]);
    let options = WriteOptions::new().with_row_counts(RowCounts::Written);
    let cases = [
        (options.clone(), Metadata::new()),
        (options.clone().with_file_metadata(message.clone()), message.clone()),
        (options.clone().with_footer_metadata(footer.clone()), pairs(&[("b", "3"), ("c", "4")])),
        (
            options.clone().with_file_metadata(message).with_footer_metadata(footer),
            pairs(&[("b", "3"), ("c", "4"), ("a", "1")]),
        ),
        (options.with_footer_metadata(statistics), pairs(&[("c", "4")])),
    ];
    for (options, expected) in cases {
        let options = options.with_same_metadata();
        let batches = batches();
        let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options.clone()).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        assert!(!writer.set_statistics(b"a stream").unwrap());
        assert_eq!(writer.footer_metadata(), &expected);
        let reader = open(writer.finish().unwrap());
        assert_eq!(reader.footer_metadata(), &expected);
        assert_eq!(reader.schema_message_metadata().unwrap().as_ref(), Some(&expected));
        assert_eq!(reader.n_batches(), 4);
        // The encoder of either container writes the same.
        let mut encoder =
            ContainerEncoder::try_new_with(batches[0].schema(), WrittenContainer::File, options.clone())
                .unwrap();
        let mut bytes = Vec::new();
        for batch in &batches {
            encoder.encode(batch).unwrap().write_to(&mut bytes).unwrap();
        }
        encoder.finish().unwrap().write_to(&mut bytes).unwrap();
        assert_eq!(bytes, written(options));
    }
}
