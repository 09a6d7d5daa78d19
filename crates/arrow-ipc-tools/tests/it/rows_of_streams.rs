//! A few rows of a stream: its metadata is read, and of the bodies only what is needed.

use std::{
    io,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arrow_array::Int64Array;
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Source, StreamWriter};
use arrow_ipc_tools::{Input, RowQuery, RowWindow, Rows, cursor::RowCursor, index_stream};

/// Bytes, and the number of those that were read.
#[derive(Debug, Clone)]
struct Counted {
    bytes: Buffer,
    n_read: Arc<AtomicU64>,
}

impl Counted {
    /// 100 batches of 100,000 rows.
    fn new() -> Counted {
        let batch = |first: i64| {
            let ids = Int64Array::from_iter(first..first + 100_000);
            RecordBatch::try_from_columns([("id", ids.into())]).unwrap()
        };
        let batches: Vec<RecordBatch> = (0..100).map(|n| batch(n * 100_000)).collect();
        let bytes = StreamWriter::write_to_buffer(batches[0].schema(), &batches).unwrap();
        Counted { bytes, n_read: Arc::default() }
    }

    fn take(&self) -> u64 {
        self.n_read.swap(0, Ordering::Relaxed)
    }
}

impl Source for Counted {
    fn n_bytes(&self) -> io::Result<u64> {
        self.bytes.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.n_read.fetch_add(range.end - range.start, Ordering::Relaxed);
        self.bytes.fetch(range)
    }
}

/// The first cells of each part of the rows.
fn first_ids(cursor: &mut RowCursor) -> Vec<i64> {
    let mut found = Vec::new();
    while cursor.next_batch().unwrap() {
        while let Some((rows, _)) = cursor.next_rows().unwrap() {
            let ids = Int64Array::try_from(rows.columns()[0].clone()).unwrap();
            found.push(ids.get(0).unwrap());
        }
    }
    found
}

#[test]
fn rows_at_the_end_of_a_stream_cost_its_metadata() {
    let source = Counted::new();
    let n_bytes = source.n_bytes().unwrap();
    let input = || Input::try_new("stream", source.clone()).unwrap();
    let window = RowWindow::from_rows(9_999_990..10_000_000);
    let mut cursor = RowCursor::open_by_position(input(), &RowQuery::new(), window).unwrap();
    assert_eq!(first_ids(&mut cursor), [9_999_990]);
    let n_read = source.take();
    assert!(n_read < n_bytes / 50, "{n_read} of {n_bytes} bytes");
    // With its index, not even the metadata.
    let index = index_stream(input()).unwrap();
    source.take();
    let indexed = input().with_index(index);
    let mut cursor = RowCursor::open_by_position(indexed, &RowQuery::new(), window).unwrap();
    assert_eq!(first_ids(&mut cursor), [9_999_990]);
    let n_read = source.take();
    assert!(n_read < 20_000, "{n_read} bytes");
}

#[test]
fn what_other_bytes_follow_is_read_in_order() {
    let source = Counted::new();
    let followed = [&source.bytes[..], b"more"].concat();
    let cut = source.bytes.slice(..source.bytes.len() - 20);
    for bytes in [followed.into(), cut] {
        let input = Input::try_from_buffer("stream", bytes).unwrap();
        let (rows, _) = Rows::open_by_position(input, &RowQuery::new()).unwrap();
        assert!(matches!(rows, Rows::Streams(_)));
    }
    let input = Input::try_from_buffer("stream", source.bytes).unwrap();
    assert!(matches!(Rows::open_by_position(input, &RowQuery::new()).unwrap().0, Rows::File { .. }));
}
