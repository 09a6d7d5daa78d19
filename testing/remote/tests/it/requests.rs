//! The number of requests, and how many run at the same time.

use std::time::Duration;

use arrow_buffer::Buffer;
use arrow_ipc::{FileReader, IpcErrorKind, Projection};
use arrow_ipc_async::{AsyncFileReader, AsyncSource};
use arrow_ipc_object_store::{BlockingObject, ObjectSource};
use remote::{RangeServer, block_on, people, store, wide, wide_stream, write_wide};
use testing_support::rows;
use tokio::runtime::Builder;

#[test]
fn opening_is_one_request_and_a_column_a_few() {
    let server = RangeServer::start(Duration::ZERO);
    let n_rows = 10_000;
    server.put_tagged("wide.arrow", Buffer::from(write_wide(Vec::new(), 2, n_rows)), "1");
    let source = ObjectSource::new(store(&server.url()), "wide.arrow".into());
    let file = block_on(AsyncFileReader::try_new(source)).expect("a file");
    let counts = server.counts();
    assert!(counts.n_requests == 1 && counts.n_bytes < 66_000, "{counts:?}");
    let two = file.project(&Projection::names(["c3", "c70"])).expect("two columns");
    let batch = block_on(two.batch(1)).expect("a batch");
    assert_eq!(rows(&batch), rows(&wide(n_rows, 1).project(&[3, 70]).expect("two columns")));
    let counts = server.counts();
    let n_column_bytes = 8 * n_rows as u64;
    assert!(counts.n_requests <= 4 && counts.n_bytes < 66_000 + 2 * n_column_bytes + 10_000, "{counts:?}");
}

#[test]
fn a_saved_index_opens_a_stream_by_two_requests() {
    let server = RangeServer::start(Duration::ZERO);
    let stream = wide_stream(8, 2_000);
    let index = FileReader::try_from_buffer(stream.clone()).and_then(|file| file.index()).expect("an index");
    server.put_tagged("wide.arrows", stream, "1");
    let source = || ObjectSource::new(store(&server.url()), "wide.arrows".into());
    let file = block_on(AsyncFileReader::try_new_indexed(source(), &index)).expect("a stream");
    let counts = server.counts();
    assert!(counts.n_requests == 2 && counts.n_bytes < 40_000, "{counts:?}");
    assert_eq!(rows(&block_on(file.batch(5)).expect("a batch")), rows(&wide(2_000, 5)));

    server.reset();
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let object = BlockingObject::new(source(), runtime.handle().clone());
    let file = FileReader::try_new_indexed(object, &index).expect("a stream");
    assert_eq!((server.counts().n_requests, file.n_rows().ok()), (2, Some(16_000)));
    assert_eq!(rows(&file.batch(5).expect("a batch")), rows(&wide(2_000, 5)));

    // Another object that is shorter than the last message's position, and one that has more.
    server.put_tagged("wide.arrows", wide_stream(2, 2_000), "2");
    let error =
        block_on(AsyncFileReader::try_new_indexed(source(), &index)).map(|_| ()).expect_err("an error");
    assert!(matches!(error.kind(), IpcErrorKind::StreamIndex { .. }), "{error}");
}

#[test]
fn requests_run_beside_each_other_up_to_a_bound() {
    let server = RangeServer::start(Duration::from_millis(5));
    let (_, file) = people(1, 2_000);
    server.put_tagged("people.arrow", file.clone(), "1");
    let source = ObjectSource::new(store(&server.url()), "people.arrow".into());
    let ranges: Vec<_> = (0..40).map(|idx| idx * 100..idx * 100 + 50).collect();
    for max_requests in [1, 7] {
        server.reset();
        let bytes = block_on(source.fetch_many(&ranges, max_requests)).expect("all ranges");
        for (range, bytes) in ranges.iter().zip(bytes) {
            assert_eq!(*bytes, file[range.start as usize..range.end as usize]);
        }
        let counts = server.counts();
        assert_eq!((counts.n_requests, counts.n_bytes), (40, 2_000));
        assert!(counts.max_in_flight <= max_requests as u64, "{counts:?}");
        assert!(max_requests == 1 || counts.max_in_flight > 2, "{counts:?}");
    }
}

#[test]
fn lengths_and_ends() {
    let server = RangeServer::start(Duration::ZERO);
    let bytes = Buffer::from_static(b"0123456789");
    server.put_tagged("ten", bytes.clone(), "1");
    server.put_tagged("none", Buffer::new(), "2");
    let store = store(&server.url());
    let new = |name: &str| ObjectSource::new(store.clone(), name.into());
    block_on(async {
        assert_eq!(new("ten").n_bytes().await.expect("a length"), 10);
        assert_eq!(new("none").n_bytes().await.expect("a length"), 0);
        for (name, max_bytes, expected) in [
            ("ten", 4, &b"6789"[..]),
            ("ten", 10, &bytes),
            ("ten", 99, &bytes),
            ("ten", 0, b""),
            ("none", 5, b""),
        ] {
            let tail = new(name).fetch_tail(max_bytes).await.expect("an end");
            assert_eq!(
                (tail.file_bytes, &*tail.bytes),
                (if name == "ten" { 10 } else { 0 }, expected),
                "{name}"
            );
        }
        assert!(new("ten").fetch(4..4).await.expect("nothing").is_empty());
        for range in [8..11, 10..11, 20..30] {
            let error = new("ten").fetch(range.clone()).await.expect_err("past the end");
            assert!(error.to_string().contains(&format!("bytes {}..{}", range.start, range.end)), "{error}");
        }
    });
}

/// Bytes have the same alignment in memory as in the object, however they arrive.
#[test]
fn what_is_read_is_aligned() {
    let server = RangeServer::start(Duration::ZERO);
    let (_, file) = people(1, 100_000);
    server.put_tagged("people.arrow", file, "1");
    let source = ObjectSource::new(store(&server.url()), "people.arrow".into());
    for range in [0..64, 64..1_000, 8..1_000_000, 128..400_000] {
        let bytes = block_on(source.fetch(range.clone())).expect("bytes");
        assert_eq!(bytes.as_ptr().addr() as u64 % 8, range.start % 8, "{range:?}");
    }
}

#[test]
fn all_of_an_object_comes_by_one_request() {
    let server = RangeServer::start(Duration::ZERO);
    let (_, file) = people(1, 100_000);
    server.put_tagged("people.arrow", file.clone(), "1");
    let source = ObjectSource::new(store(&server.url()), "people.arrow".into());
    let bytes = block_on(async {
        let mut chunks = source.chunks().await.expect("an answer");
        let mut bytes = Vec::new();
        while let Some(chunk) = chunks.next_chunk().await.expect("bytes") {
            bytes.extend_from_slice(&chunk);
        }
        bytes
    });
    assert_eq!(bytes, *file);
    assert_eq!(server.counts().n_requests, 1);
}
