//! Queries that need few of the files, batches and columns, and the number of bytes that are read for them.

use std::{
    fs::{self, File},
    io,
    ops::Range,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arrow_array::{Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_datafusion::DatasetTable;
use arrow_ipc::{FileWriter, Source};
use arrow_ipc_dataset::{Dataset, DatasetOptions, FileStore, FileVersion, StoredFile};
use arrow_ipc_statistics::StatisticsBuilder;
use datafusion::{
    arrow::array::AsArray, arrow::datatypes::Int64Type, error::DataFusionError, prelude::SessionContext,
};

const N_FILES: i64 = 4;
const N_BATCHES: i64 = 5;
const N_ROWS: i64 = 10_000;

/// The file system, with the number of bytes that were read.
#[derive(Debug, Default)]
struct CountingFiles(Arc<AtomicU64>);

#[derive(Debug)]
struct CountedFile(File, Arc<AtomicU64>);

impl FileStore for CountingFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        Ok(Arc::new(CountedFile(File::open(path)?, Arc::clone(&self.0))))
    }
}

impl Source for CountedFile {
    fn n_bytes(&self) -> io::Result<u64> {
        self.0.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.1.fetch_add(range.end - range.start, Ordering::Relaxed);
        self.0.fetch(range)
    }
}

impl StoredFile for CountedFile {
    fn version(&self) -> io::Result<FileVersion> {
        self.0.version()
    }
}

/// A file of ascending ids and their names, with statistics.
fn write_file(path: &Path, first_id: i64) {
    let batch = |idx: i64| {
        let ids = first_id + idx * N_ROWS..first_id + (idx + 1) * N_ROWS;
        let names = Utf8Array::try_from_iter(ids.clone().map(|id| format!("name {id:08}"))).unwrap();
        let ids = Int64Array::from_iter(ids);
        RecordBatch::try_from_columns([("id", ids.into_data()), ("name", names.into_data())]).unwrap()
    };
    let batches: Vec<_> = (0..N_BATCHES).map(batch).collect();
    let mut writer = FileWriter::try_new(File::create(path).unwrap(), batches[0].schema()).unwrap();
    let mut statistics = StatisticsBuilder::new(batches[0].schema());
    for batch in &batches {
        writer.write(batch).unwrap();
        statistics.add(batch).unwrap();
    }
    statistics.put_into(&mut writer).unwrap();
    writer.finish().unwrap();
}

#[tokio::test]
async fn queries_read_what_they_need() -> Result<(), DataFusionError> {
    let folder = tempfile::tempdir()?;
    for idx in 0..N_FILES {
        write_file(&folder.path().join(format!("{idx}.arrow")), idx * N_BATCHES * N_ROWS);
    }
    let files: Vec<_> = (0..N_FILES).map(|idx| folder.path().join(format!("{idx}.arrow"))).collect();
    let n_total: u64 = fs::read_dir(folder.path())?.map(|it| it.unwrap().metadata().unwrap().len()).sum();

    // A query, its result, and the greatest share of all bytes that is read for it, in percent.
    let n_all = N_FILES * N_BATCHES * N_ROWS;
    let cases = [
        ("SELECT count(*) FROM t", n_all, 10),
        ("SELECT count(name) FROM t", n_all, 110),
        ("SELECT sum(id) FROM t", n_all * (n_all - 1) / 2, 40),
        ("SELECT count(name) FROM t WHERE id BETWEEN 12000 AND 12999", 1_000, 8),
        ("SELECT count(name) FROM t WHERE id = 5 OR id = 199999", 2, 14),
        ("SELECT count(name) FROM t WHERE id IN (7, 8) AND name = 'name 00000008'", 1, 8),
        ("SELECT count(name) FROM t WHERE id < 0", 0, 2),
        // Not for the data set, but right.
        ("SELECT count(name) FROM t WHERE id % 2 = 1", n_all / 2, 110),
    ];
    for (sql, expected, percent) in cases {
        let store = CountingFiles::default();
        let n_bytes = Arc::clone(&store.0);
        let options = DatasetOptions::new().with_trusted_statistics().with_store(Arc::new(store));
        let set = Dataset::open_with(&files, options).unwrap();
        let session = SessionContext::new();
        session.register_table("t", Arc::new(DatasetTable::try_new(set)?))?;
        let n_opening = n_bytes.load(Ordering::Relaxed);
        let batches = session.sql(sql).await?.collect().await?;
        assert_eq!(batches[0].column(0).as_primitive::<Int64Type>().value(0), expected, "{sql}");
        let n_read = n_bytes.load(Ordering::Relaxed) - n_opening;
        assert!(n_read * 100 <= n_total * percent, "{sql}: {n_read} of {n_total} bytes");
    }
    Ok(())
}

#[tokio::test]
async fn errors_have_their_cause() -> Result<(), DataFusionError> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("0.arrow");
    write_file(&path, 0);
    let set = Dataset::open([folder.path()]).unwrap();
    let session = SessionContext::new();
    session.register_table("t", Arc::new(DatasetTable::try_new(set)?))?;
    fs::remove_file(&path)?;
    write_file(&path, 7);
    let error = session.sql("SELECT sum(id) FROM t").await?.collect().await.unwrap_err();
    assert!(error.to_string().contains("0.arrow"), "{error}");
    Ok(())
}
