//! How many requests queries make of a store, beside those of DataFusion's Parquet with the same rows.

use std::{path::Path, sync::Arc, time::Duration};

use arrow_data::RecordBatch;
use arrow_datafusion::IpcFormat;
use arrow_ipc::{FileWriter, RowCounts, WriteOptions};
use arrow_rs_adapter::v59::FromArrowRs;
use datafusion::{
    arrow::{
        array::{ArrayRef, Int64Array, RecordBatch as RsRecordBatch, StringArray},
        datatypes::DataType,
    },
    datasource::{
        file_format::{FileFormat, parquet::ParquetFormat},
        listing::{ListingOptions, ListingTableUrl},
    },
    error::Result,
    object_store::{ObjectStore, local::LocalFileSystem},
    parquet::arrow::ArrowWriter,
    prelude::{SessionConfig, SessionContext},
};

#[path = "../src/measure/store.rs"]
mod store;

use store::CountingStore;

const N_FILES: i64 = 50;
const N_BATCHES: i64 = 4;
const N_ROWS: i64 = 5_000;

/// Rows by their number, all different.
fn batch(first_id: i64) -> RsRecordBatch {
    let ids = first_id..first_id + N_ROWS;
    let names =
        StringArray::from_iter_values(ids.clone().map(|id| format!("name {:08}", id * 7919 % 100_003)));
    let prices = Int64Array::from_iter_values(ids.clone().map(|id| id * 7919 % 9_973));
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(ids));
    RsRecordBatch::try_from_iter([("id", ids), ("name", Arc::new(names)), ("price", Arc::new(prices))])
        .unwrap()
}

fn batches_of(file_idx: i64) -> Vec<RsRecordBatch> {
    (0..N_BATCHES).map(|idx| batch((file_idx * N_BATCHES + idx) * N_ROWS)).collect()
}

/// A folder of each format with a folder for each day.
fn write_files(folder: &Path) {
    for day in 0..N_FILES {
        let batches = batches_of(day);
        let path = |format: &str| {
            let folder = folder.join(format).join(format!("day={day:02}"));
            std::fs::create_dir_all(&folder).unwrap();
            folder.join(format!("one.{format}"))
        };
        std::fs::write(path("arrow"), arrow_file(&batches)).unwrap();
        std::fs::write(path("parquet"), parquet_file(&batches)).unwrap();
    }
}

fn arrow_file(batches: &[RsRecordBatch]) -> Vec<u8> {
    let batches: Vec<_> =
        batches.iter().map(|batch| RecordBatch::try_from_arrow_rs(batch).unwrap()).collect();
    let options = WriteOptions::new().with_row_counts(RowCounts::Written);
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    for batch in &batches {
        writer.write(batch).unwrap();
    }
    writer.finish().unwrap()
}

fn parquet_file(batches: &[RsRecordBatch]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batches[0].schema(), None).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.close().unwrap();
    bytes
}

/// A table of a format in a store, whose requests are counted.
struct Table {
    session: SessionContext,
    store: Arc<CountingStore>,
}

impl Table {
    async fn open(folder: &Path, format: &str, is_distant: bool) -> Result<Table> {
        let store = CountingStore::new(Arc::new(LocalFileSystem::new()), is_distant, Duration::ZERO);
        let store = Arc::new(store);
        let scheme = if is_distant { "distant" } else { "file" };
        let url = ListingTableUrl::parse(format!("{scheme}://{}/{format}/", folder.display()))?;
        let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(2));
        let as_store: Arc<dyn ObjectStore> = Arc::<CountingStore>::clone(&store);
        session.register_object_store(url.object_store().as_ref(), as_store);
        let reads: Arc<dyn FileFormat> = match format {
            "arrow" => Arc::new(IpcFormat::new()),
            _ => Arc::new(ParquetFormat::default()),
        };
        let files = ListingOptions::new(reads)
            .with_file_extension(format!(".{format}"))
            .with_table_partition_cols(vec![("day".to_owned(), DataType::Utf8)]);
        session.register_listing_table("t", url.as_str(), files, None, None).await?;
        Ok(Table { session, store })
    }

    /// The number of rows of an answer, and of the requests for it.
    async fn query(&self, sql: &str) -> Result<(usize, usize)> {
        self.store.take();
        let batches = self.session.sql(sql).await?.collect().await?;
        Ok((batches.iter().map(RsRecordBatch::num_rows).sum(), self.store.take().0))
    }
}

/// A query, and the numbers of its requests: of this format, and of Parquet.
type Case = (&'static str, usize, usize);

async fn check(folder: &Path, is_distant: bool, opened: [usize; 2], cases: &[Case]) -> Result<()> {
    let ours = Table::open(folder, "arrow", is_distant).await?;
    let parquet = Table::open(folder, "parquet", is_distant).await?;
    let mut found = vec![("open", ours.store.take().0, parquet.store.take().0)];
    for (sql, _, _) in cases {
        let (answer, n_ours) = ours.query(sql).await?;
        let (expected, n_parquet) = parquet.query(sql).await?;
        assert_eq!(answer, expected, "{sql}");
        found.push((sql, n_ours, n_parquet));
    }
    let [n_ours, n_parquet] = opened;
    let expected: Vec<Case> =
        [("open", n_ours, n_parquet)].into_iter().chain(cases.iter().copied()).collect();
    assert_eq!(found, expected);
    Ok(())
}

#[tokio::test]
async fn queries_make_few_requests() -> Result<()> {
    let folder = tempfile::tempdir()?;
    write_files(folder.path());
    let path = std::fs::canonicalize(folder.path())?;
    let local = [
        ("SELECT count(*) FROM t", 0, 0),
        ("SELECT sum(price) FROM t", 50, 50),
        ("SELECT sum(price) FROM t WHERE day = '07'", 1, 1),
        ("SELECT * FROM t LIMIT 10", 1, 1),
    ];
    check(&path, false, [50, 50], &local).await?;
    // Batches that lie far apart are requested alone, with their metadata, which the session keeps: more requests, fewer bytes.
    let distant = [
        ("SELECT count(*) FROM t", 0, 0),
        ("SELECT sum(price) FROM t", 400, 50),
        ("SELECT sum(price) FROM t WHERE day = '07'", 4, 1),
        ("SELECT * FROM t LIMIT 10", 1, 1),
    ];
    check(&path, true, [50, 50], &distant).await
}
