//! What queries ask of a store: few requests, and only the bytes that they need.

use std::sync::Arc;

use arrow_datafusion::IpcOptions;
use arrow_ipc::{FetchCost, RowCounts, StreamWriter, WriteOptions};
use datafusion::error::Result;

use crate::support::{CountingStore, batch, file, number, register, rows, session};

const N_FILES: i64 = 4;
const N_BATCHES: i64 = 5;
const N_ROWS: i64 = 10_000;

fn put_files(store: &CountingStore) -> u64 {
    let mut n_bytes = 0;
    for file_idx in 0..N_FILES {
        let first = file_idx * N_BATCHES * N_ROWS;
        let batches: Vec<_> = (0..N_BATCHES).map(|idx| batch(first + idx * N_ROWS, N_ROWS)).collect();
        let bytes = file(&batches, WriteOptions::new().with_row_counts(RowCounts::Written));
        n_bytes += bytes.len() as u64;
        store.put(&format!("set/{file_idx}.arrow"), bytes);
    }
    n_bytes
}

/// Requests that cost nothing show which bytes are needed.
fn exactly() -> IpcOptions {
    IpcOptions::new().with_fetch_cost(FetchCost::FREE_REQUESTS).with_trusted_statistics()
}

#[tokio::test]
async fn queries_read_what_they_need() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    let n_total = put_files(&store);
    let session = session(&store, 3);
    register(&session, "set/", exactly()).await?;
    // The footer of each file was read once to find the columns.
    let opened = store.take();
    assert_eq!(opened.len() as i64, N_FILES);
    assert!(opened.iter().all(|(_, n_bytes)| *n_bytes <= 66_000), "{opened:?}");

    // A query, its result, and the greatest share of all bytes that is read for it, in percent.
    let n_all = N_FILES * N_BATCHES * N_ROWS;
    let cases = [
        ("SELECT count(*) FROM t", n_all, 0),
        ("SELECT count(*) FROM t LIMIT 5", n_all, 0),
        ("SELECT count(1) FROM (SELECT * FROM t LIMIT 15000)", 15_000, 0),
        ("SELECT count(name) FROM t", n_all, 0),
        ("SELECT count(DISTINCT name) FROM t", n_all, 65),
        ("SELECT sum(id) FROM t", n_all * (n_all - 1) / 2, 26),
        ("SELECT count(name) FROM t WHERE id BETWEEN 12000 AND 12999", 1_000, 5),
        ("SELECT count(name) FROM t WHERE id = 5 OR id = 199999", 2, 9),
        ("SELECT count(name) FROM t WHERE id IN (7, 8) AND name = 'name 00000008'", 1, 5),
        ("SELECT count(*) FROM t WHERE name < 'name 00000010' AND id > 3", 6, 5),
        ("SELECT count(name) FROM t WHERE id < 0", 0, 0),
        ("SELECT count(name) FROM t WHERE id IS NULL", 0, 0),
        // Bounds say nothing of it, but the answer is right.
        ("SELECT count(*) FROM t WHERE id % 2 = 1", n_all / 2, 26),
    ];
    for (sql, expected, percent) in cases {
        assert_eq!(number(&session, sql).await?, expected, "{sql}");
        let answers = store.take();
        let n_read: u64 = answers.iter().map(|(_, n_bytes)| n_bytes).sum();
        assert!(n_read * 100 <= n_total * percent, "{sql}: {n_read} of {n_total} bytes: {answers:?}");
    }
    Ok(())
}

#[tokio::test]
async fn without_trust_bounds_leave_out_nothing() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    put_files(&store);
    let session = session(&store, 3);
    register(&session, "set/", IpcOptions::new()).await?;
    store.take();
    assert_eq!(number(&session, "SELECT count(id) FROM t WHERE id = 7").await?, 1);
    let paths: std::collections::BTreeSet<_> = store.take().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths.len() as i64, N_FILES);
    Ok(())
}

#[tokio::test]
async fn a_limit_reads_the_first_batches() -> Result<()> {
    for row_counts in [RowCounts::Written, RowCounts::NotWritten] {
        let store = Arc::new(CountingStore::default());
        let batches: Vec<_> = (0..50).map(|idx| batch(idx * 1_000, 1_000)).collect();
        let bytes = file(&batches, WriteOptions::new().with_row_counts(row_counts));
        let n_total = bytes.len() as u64;
        store.put("one.arrow", bytes);
        let session = session(&store, 1);
        register(&session, "one.arrow", IpcOptions::new().with_fetch_cost(FetchCost::DISK)).await?;
        store.take();
        assert_eq!(rows(&session, "SELECT * FROM t LIMIT 900").await?.num_rows(), 900);
        let n_read: u64 = store.take().iter().map(|(_, n_bytes)| n_bytes).sum();
        assert!(n_read * 10 <= n_total, "{n_read} of {n_total} bytes");
        assert_eq!(rows(&session, "SELECT * FROM t LIMIT 2500").await?.num_rows(), 2_500);
    }
    Ok(())
}

#[tokio::test]
async fn a_count_without_row_counts_reads_heads() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    let batches: Vec<_> = (0..8).map(|idx| batch(idx * 20_000, 20_000)).collect();
    let bytes = file(&batches, WriteOptions::new().with_row_counts(RowCounts::NotWritten));
    let n_total = bytes.len() as u64;
    store.put("one.arrow", bytes);
    let session = session(&store, 4);
    register(&session, "one.arrow", IpcOptions::new().with_fetch_cost(FetchCost::FREE_REQUESTS)).await?;
    store.take();
    assert_eq!(number(&session, "SELECT count(*) FROM t").await?, 160_000);
    let n_read: u64 = store.take().iter().map(|(_, n_bytes)| n_bytes).sum();
    assert!(n_read * 100 <= n_total, "{n_read} of {n_total} bytes");
    Ok(())
}

#[tokio::test]
async fn the_schema_of_a_stream_is_in_its_first_bytes() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    let batches: Vec<_> = (0..40).map(|idx| batch(idx * 10_000, 10_000)).collect();
    store.put("one.arrows", StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap());
    let session = session(&store, 4);
    register(&session, "one.arrows", IpcOptions::new()).await?;
    let answers = store.take();
    let n_read: u64 = answers.iter().map(|(_, n_bytes)| n_bytes).sum();
    // One of them is that of the listing.
    assert!(answers.len() <= 3 && n_read <= 140_000, "{answers:?}");
    // All partitions together look at each message once.
    assert_eq!(number(&session, "SELECT sum(id) FROM t").await?, 400_000 * 399_999 / 2);
    let first = store.take().len();
    assert_eq!(number(&session, "SELECT sum(id) FROM t").await?, 400_000 * 399_999 / 2);
    let second = store.take().len();
    assert!(second < first, "{first} requests, then {second}");
    Ok(())
}

#[tokio::test]
async fn a_field_of_a_struct_is_read_alone() -> Result<()> {
    let parts = batch(0, 50_000);
    let fields = parts.schema().fields().iter().cloned().zip(parts.columns().iter().cloned()).collect();
    let place = testing_support::make::struct_(fields);
    let nested = arrow_data::RecordBatch::try_from_columns([("place", place)]).unwrap();
    let bytes = file(&[nested], WriteOptions::new());
    let n_total = bytes.len() as u64;
    let store = Arc::new(CountingStore::default());
    store.put("one", bytes);
    let session = session(&store, 1);
    register(&session, "one", IpcOptions::new().with_fetch_cost(FetchCost::FREE_REQUESTS)).await?;
    let sum = 50_000 * 49_999 / 2;
    for (sql, expected, percent) in [
        ("SELECT sum(get_field(place, 'id')) FROM t", sum, 30),
        ("SELECT sum(get_field(place, 'id') + get_field(place, 'first')) FROM t", sum, 55),
        ("SELECT sum(get_field(place, 'id')) FROM t WHERE get_field(place, 'name') < 'name 00000003'", 3, 80),
        ("SELECT count(DISTINCT place) FROM t", 50_000, 110),
    ] {
        store.take();
        assert_eq!(number(&session, sql).await?, expected, "{sql}");
        let n_read: u64 = store.take().iter().map(|(_, n_bytes)| n_bytes).sum();
        assert!(n_read * 100 <= n_total * percent, "{sql}: {n_read} of {n_total} bytes");
    }
    Ok(())
}
