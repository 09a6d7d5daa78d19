//! What queries ask of a store: few requests, and only the bytes that they need.

use std::sync::Arc;

use arrow_array::Int64Array;
use arrow_datafusion::{IpcOptions, IpcSource};
use arrow_ipc::{FetchCost, FileReader, RowCounts, StreamWriter, WriteOptions};
use arrow_rs_adapter::v59::{FromArrowRs, ToArrowRs};
use datafusion::{
    arrow::{
        array::{ArrayRef, AsArray, DictionaryArray, RecordBatch as RsRecordBatch},
        datatypes::{Int32Type, Int64Type},
    },
    datasource::{
        listing::PartitionedFile,
        object_store::ObjectStoreUrl,
        physical_plan::{FileGroup, FileScanConfigBuilder},
        source::DataSourceExec,
    },
    error::Result,
    object_store::{self, path::Path},
    physical_plan::collect,
};

use crate::{
    ALLOCATOR,
    support::{CountingStore, URL, batch, file, number, register, rows, session},
};

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
async fn a_count_without_row_counts_reads_metadata() -> Result<()> {
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
    let point = testing_support::make::struct_(fields);
    let nested = arrow_data::RecordBatch::try_from_columns([("point", point)]).unwrap();
    let bytes = file(&[nested], WriteOptions::new());
    let n_total = bytes.len() as u64;
    let store = Arc::new(CountingStore::default());
    store.put("one", bytes);
    let session = session(&store, 1);
    register(&session, "one", IpcOptions::new().with_fetch_cost(FetchCost::FREE_REQUESTS)).await?;
    let sum = 50_000 * 49_999 / 2;
    for (sql, expected, percent) in [
        ("SELECT sum(get_field(point, 'id')) FROM t", sum, 30),
        ("SELECT sum(get_field(point, 'id') + get_field(point, 'first')) FROM t", sum, 55),
        ("SELECT sum(get_field(point, 'id')) FROM t WHERE get_field(point, 'name') < 'name 00000003'", 3, 80),
        ("SELECT count(DISTINCT point) FROM t", 50_000, 110),
    ] {
        store.take();
        assert_eq!(number(&session, sql).await?, expected, "{sql}");
        let n_read: u64 = store.take().iter().map(|(_, n_bytes)| n_bytes).sum();
        assert!(n_read * 100 <= n_total * percent, "{sql}: {n_read} of {n_total} bytes");
    }
    Ok(())
}

/// As a consumer of a shuffle does: the footer, and the batches of its range.
#[tokio::test]
async fn a_range_of_a_file_is_fetched_alone() -> Result<()> {
    let batches: Vec<_> = (0..30).map(|idx| batch(idx * 5_000, 5_000)).collect();
    let bytes = file(&batches, WriteOptions::new());
    let n_total = bytes.len() as u64;
    let footer = FileReader::try_from_buffer(bytes.clone().into()).unwrap().footer().clone();
    let store = Arc::new(CountingStore::default());
    store.put("one", bytes);
    let session = session(&store, 1);
    let meta = object_store::ObjectStoreExt::head(&*store, &Path::from("one")).await?;
    let schema = batches[0].schema().to_arrow_rs().unwrap();
    for consumer in 0..3 {
        let [first, last] = [10 * consumer, 10 * consumer + 9].map(|idx| footer.batch(idx).unwrap());
        let range = first.position()..last.position() + last.n_bytes();
        let part =
            PartitionedFile::new_from_meta(meta.clone()).with_range(range.start as i64, range.end as i64);
        let source = Arc::new(IpcSource::new_with(Arc::clone(&schema), exactly()));
        let url = ObjectStoreUrl::parse(URL)?;
        let config =
            FileScanConfigBuilder::new(url, source).with_file_group(FileGroup::new(vec![part])).build();
        store.take();
        let found = collect(DataSourceExec::from_data_source(config), session.task_ctx()).await?;
        let first_id = found[0].column(0).as_primitive::<Int64Type>().value(0);
        assert_eq!(first_id, consumer as i64 * 50_000);
        assert_eq!(found.iter().map(|batch| batch.num_rows()).sum::<usize>(), 50_000);
        let answers = store.take();
        let n_read: u64 = answers.iter().map(|(_, n_bytes)| n_bytes).sum();
        assert!(n_read <= range.end - range.start + 70_000 && n_read < n_total / 2, "{answers:?}");
    }
    Ok(())
}

/// Partitions of a file read its dictionaries once, and a later query reads them again.
#[tokio::test]
async fn partitions_share_dictionaries() -> Result<()> {
    let words: Vec<String> = (0..20_000).map(|idx| format!("a long word with the number {idx:08}")).collect();
    let words: DictionaryArray<Int32Type> = words.iter().map(|word| Some(word.as_str())).collect();
    let ids = Int64Array::from_iter(0..20_000);
    let words = RsRecordBatch::try_from_iter([("word", Arc::new(words) as ArrayRef)]).unwrap();
    let words = arrow_data::RecordBatch::try_from_arrow_rs(&words).unwrap();
    let columns = [("word", words.column_at(0).unwrap().clone()), ("id", ids.into_data())];
    let batch = arrow_data::RecordBatch::try_from_columns(columns).unwrap();
    let batches = vec![batch; 12];
    let bytes = file(&batches, WriteOptions::new());
    let reader = FileReader::try_from_buffer(bytes.clone().into()).unwrap();
    assert_eq!(reader.footer().dictionaries().len(), 1);
    let dictionary = reader.footer().dictionaries()[0].n_bytes();
    let n_total = bytes.len() as u64;
    let store = Arc::new(CountingStore::default());
    store.put("one", bytes);
    for n_partitions in [1, 2, 8] {
        let session = session(&store, n_partitions);
        register(&session, "one", exactly()).await?;
        for _ in 0..2 {
            store.take();
            assert_eq!(number(&session, "SELECT count(word) FROM t WHERE word > 'a'").await?, 240_000);
            let n_read: u64 = store.take().iter().map(|(_, n_bytes)| n_bytes).sum();
            assert!(n_read > dictionary && n_read < n_total, "{n_partitions}: {n_read} of {n_total} bytes");
        }
        assert_eq!(number(&session, "SELECT sum(id) FROM t").await?, 12 * 19_999 * 10_000);
        let n_read: u64 = store.take().iter().map(|(_, n_bytes)| n_bytes).sum();
        assert!(n_read + dictionary < n_total, "no dictionary is needed");
    }
    Ok(())
}

/// The footers of many files stay in a cache of a usual size.
#[tokio::test]
async fn footers_of_many_files_stay_in_the_cache() -> Result<()> {
    const N_FILES: i64 = 3_000;
    let store = Arc::new(CountingStore::default());
    // Longer than what is cached as a whole.
    let bytes = file(&[batch(0, 400), batch(400, 400)], WriteOptions::new());
    assert!(bytes.len() > 16 << 10);
    for file_idx in 0..N_FILES {
        store.put(&format!("set/{file_idx}.arrow"), bytes.clone());
    }
    let session = session(&store, 2);
    register(&session, "set/", exactly()).await?;
    store.take();
    for _ in 0..2 {
        assert_eq!(number(&session, "SELECT sum(first) FROM t").await?, 400 * 400 * N_FILES);
        let answers = store.take();
        let n_tails = answers.iter().filter(|(_, n_bytes)| *n_bytes > 8 << 10).count();
        assert_eq!(n_tails, 0, "no footer is read again");
        assert!(answers.len() as i64 <= 4 * N_FILES, "{} requests", answers.len());
    }
    // What the cache accounts for is what it frees.
    let cache = session.runtime_env().cache_manager.get_file_metadata_cache();
    assert_eq!((cache.len() as i64, cache.cache_limit()), (N_FILES, 50 << 20));
    let entries = cache.list_entries();
    let n_accounted: usize = entries.values().map(|entry| entry.value.file_metadata.memory_size()).sum();
    drop(entries);
    let ((), usage) = ALLOCATOR.measure(|| cache.clear());
    let n_freed = usize::try_from(-usage.live_bytes).unwrap();
    assert!(n_freed < N_FILES as usize * 8_000, "{n_freed} bytes for {N_FILES} files");
    assert!((n_freed * 7 / 10..n_freed * 2).contains(&n_accounted), "{n_accounted} of {n_freed} bytes");
    Ok(())
}
