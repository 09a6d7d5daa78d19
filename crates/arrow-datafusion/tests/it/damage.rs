//! Damaged files are errors with their path, and files that change are noticed.

use std::{
    fs,
    sync::{Arc, Mutex},
};

use arrow_data::RecordBatch;
use arrow_datafusion::{IpcFileError, IpcFileErrorKind, IpcOptions};
use arrow_ipc::{FileReader, FileWriter, StreamWriter, WriteOptions};
use arrow_ipc_async::AsyncSource;
use arrow_ipc_object_store::v0_13::ObjectSource;
use arrow_schema::Schema;
use datafusion::{
    error::{DataFusionError, Result},
    object_store::{local::LocalFileSystem, path::Path},
};
use testing_support::corpus_dir;

use crate::{
    ALLOCATOR,
    support::{CountingStore, URL, batch, batches, file, number, register, rows, session},
};

/// Whether `arrow-ipc` can read all batches.
fn is_readable(bytes: &[u8]) -> bool {
    let Ok(reader) = FileReader::try_from_buffer(bytes.to_vec().into()) else { return false };
    reader.batches().all(|batch| batch.is_ok()) && reader.check_end().is_ok()
}

async fn read_all(
    store: &Arc<CountingStore>,
    path: &str,
    options: IpcOptions,
    n_partitions: usize,
) -> Result<usize> {
    let session = session(store, n_partitions);
    register(&session, path, options).await?;
    number(&session, "SELECT count(*) FROM t").await?;
    Ok(batches(&session, "SELECT * FROM t").await?.iter().map(|batch| batch.num_rows()).sum())
}

/// Hostile files: all are errors where `arrow-ipc` finds an error, with the path, and none is a panic.
#[tokio::test]
async fn hostile_files_are_errors() -> Result<()> {
    let mut n_errors = 0;
    let mut n_files = 0;
    for folder in ["hostile", "damaged"] {
        for entry in fs::read_dir(corpus_dir().join(folder))? {
            let path = entry?.path();
            let Ok(bytes) = fs::read(&path) else { continue };
            if bytes.is_empty() || bytes.len() > 1 << 20 {
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            // Rows without bytes, of which DataFusion holds as many as it is given.
            let n_rows = FileReader::try_from_buffer(bytes.clone().into()).and_then(|reader| reader.n_rows());
            if n_rows.is_ok_and(|n_rows| n_rows > 1 << 20) {
                continue;
            }
            let is_fine = is_readable(&bytes);
            let store = Arc::new(CountingStore::default());
            store.put(&name, bytes);
            for n_partitions in [3] {
                let trusted = IpcOptions::new().with_trusted_statistics();
                match read_all(&store, &name, trusted, n_partitions).await {
                    Ok(_) => assert!(is_fine, "{name} is read"),
                    Err(error) => {
                        n_errors += usize::from(!is_fine);
                        // DataFusion itself refuses some schemas, such as those with equal names.
                        let is_ours = error.to_string().contains("External error");
                        assert!(!is_ours || error.to_string().contains(&name), "{name}: {error}");
                    }
                }
            }
            n_files += 1;
        }
    }
    assert!(n_files > 100 && n_errors * 2 > n_files, "{n_files} files, {n_errors} errors");
    Ok(())
}

/// DataFusion makes nulls of the types of all columns for each plan.
#[test]
fn types_whose_nulls_take_gigabytes_are_refused() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let many: String = (0..40).map(|idx| format!("\nc{idx}: fixed_size_binary(2000000)")).collect();
    for (columns, refused) in [
        ("big: fixed_size_list<item: int32; 2147483647>", Some("big")),
        ("s: struct<a: fixed_size_binary(2147483647)>", Some("s")),
        ("l: list<item: fixed_size_list<item: fixed_size_list<item: bool; 65536>; 65536>>", Some("l")),
        (
            "runs: fixed_size_list<item: run_end_encoded<run_ends: int16 not null, values: int32>; 40000>",
            Some("runs"),
        ),
        (many.trim_start(), Some("c33")),
        ("nulls: fixed_size_list<item: null; 2147483647>", None),
        ("pairs: fixed_size_list<item: fixed_size_list<item: float64; 1000>; 1000>", None),
    ] {
        let schema: Schema = format!("id: int64\n{columns}").parse().unwrap();
        let no_batches: [RecordBatch; 0] = [];
        let store = Arc::new(CountingStore::default());
        store.put("one.arrow", FileWriter::write_to_vec(Arc::new(schema), &no_batches).unwrap());
        let query = async {
            let session = session(&store, 1);
            register(&session, "one.arrow", IpcOptions::new()).await?;
            rows(&session, "SELECT * FROM t WHERE id > 2").await
        };
        let (found, usage) = ALLOCATOR.measure(|| runtime.block_on(query));
        assert!(usage.peak_bytes < 128 << 20, "{columns}: {usage:?}");
        let Some(refused) = refused else {
            assert_eq!(found?.num_rows(), 0);
            continue;
        };
        let error = found.unwrap_err();
        let error = file_error(&error).expect("an error of the file");
        let column = match error.kind() {
            IpcFileErrorKind::LargeNull { column, .. } | IpcFileErrorKind::NoNull { column } => column,
            other => panic!("{other:?}"),
        };
        assert_eq!((error.path().as_ref(), column.to_string().as_str()), ("one.arrow", refused));
        // A table without this column.
        let query = async {
            let session = session(&store, 1);
            arrow_datafusion::register(&session)?;
            let create =
                format!("CREATE EXTERNAL TABLE t (id BIGINT) STORED AS ARROW LOCATION '{URL}one.arrow'");
            session.sql(&create).await?.collect().await?;
            rows(&session, "SELECT * FROM t WHERE id > 2").await
        };
        assert_eq!(runtime.block_on(query)?.num_rows(), 0, "{columns}");
    }
    Ok(())
}

/// The limit holds for the columns of a table, also if no file has all of them.
#[tokio::test]
async fn nulls_of_all_columns_of_a_table_are_counted() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    let put = |path: &str, columns: &str| {
        let schema: Schema = columns.parse().unwrap();
        let no_batches: [RecordBatch; 0] = [];
        store.put(path, FileWriter::write_to_vec(Arc::new(schema), &no_batches).unwrap());
    };
    put("t/a.arrow", "id: int64\nx: fixed_size_binary(40000000)");
    put("t/b.arrow", "id: int64\nx: fixed_size_binary(40000000)\ns: struct<a: fixed_size_binary(20000000)>");
    let all = session(&store, 1);
    register(&all, "t/", IpcOptions::new()).await?;
    assert_eq!(rows(&all, "SELECT * FROM t").await?.num_rows(), 0);
    put("t/c.arrow", "s: struct<b: fixed_size_binary(10000000)>");
    let error = register(&session(&store, 1), "t/", IpcOptions::new()).await.unwrap_err();
    let error = file_error(&error).expect("an error of the file");
    let IpcFileErrorKind::LargeNull { column, n_bytes, max_bytes } = error.kind() else { panic!("{error}") };
    assert_eq!((error.path().as_ref(), column.to_string().as_str()), ("t/c.arrow", "s"));
    assert_eq!((*n_bytes, *max_bytes), (30_000_003, 64 << 20));
    Ok(())
}

/// Each byte of a small file is changed, one after the other.
#[tokio::test]
async fn changed_bytes_are_errors_or_values() -> Result<()> {
    let whole = file(&[batch(0, 3), batch(3, 2)], WriteOptions::new());
    let stream = StreamWriter::write_to_vec(batch(0, 3).schema(), &[batch(0, 3), batch(3, 2)]).unwrap();
    for bytes in [whole, stream] {
        for position in (0..bytes.len()).step_by(11) {
            let mut changed = bytes.clone();
            changed[position] ^= 0x55;
            let is_fine = is_readable(&changed);
            let store = Arc::new(CountingStore::default());
            store.put("one", changed);
            let found = read_all(&store, "one", IpcOptions::new(), 2).await;
            assert!(found.is_err() || is_fine, "byte {position}");
        }
    }
    Ok(())
}

fn file_error(error: &DataFusionError) -> Option<&IpcFileError> {
    match error.find_root() {
        DataFusionError::External(error) => error.downcast_ref(),
        _ => None,
    }
}

#[tokio::test]
async fn a_cut_stream_has_its_batches_and_then_an_error() -> Result<()> {
    let batches: Vec<_> = (0..10).map(|idx| batch(idx * 1_000, 1_000)).collect();
    let mut bytes = StreamWriter::write_to_vec(batches[0].schema(), &batches).unwrap();
    bytes.truncate(bytes.len() - 3_000);
    let store = Arc::new(CountingStore::default());
    store.put("cut.arrows", bytes);
    // Short enough to be opened when the table is made.
    let mut short =
        StreamWriter::write_to_vec(batches[0].schema(), &[batch(0, 100), batch(100, 100)]).unwrap();
    short.truncate(short.len() - 3_000);
    store.put("short.arrows", short);
    let session_of_short = session(&store, 1);
    register(&session_of_short, "short.arrows", IpcOptions::new()).await?;
    assert!(number(&session_of_short, "SELECT count(*) FROM t").await.is_err());
    for n_partitions in [1, 4] {
        let session = session(&store, n_partitions);
        register(&session, "cut.arrows", IpcOptions::new()).await?;
        let error = rows(&session, "SELECT * FROM t").await.unwrap_err();
        let found = file_error(&error).expect("an error of the file");
        assert_eq!(found.path().as_ref(), "cut.arrows");
        // The rows before the end are no answer.
        assert!(number(&session, "SELECT count(*) FROM t").await.is_err());
        // Batches before the end are read.
        assert_eq!(number(&session, "SELECT sum(id) FROM (SELECT id FROM t LIMIT 1000)").await?, 499_500);
    }
    Ok(())
}

#[tokio::test]
async fn a_file_that_changes_is_an_error() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    store.put("one.arrow", file(&[batch(0, 9_000)], WriteOptions::new()));
    let session = session(&store, 1);
    register(&session, "one.arrow", IpcOptions::new()).await?;
    let plan = session.sql("SELECT sum(id) FROM t").await?.create_physical_plan().await?;
    store.put("one.arrow", file(&[batch(7, 9_000)], WriteOptions::new()));
    let error = datafusion::physical_plan::collect(plan, session.task_ctx()).await.unwrap_err();
    assert!(error.to_string().contains("one.arrow") && error.to_string().contains("changed"), "{error}");
    Ok(())
}

/// Ranges of a local file are no requests, but a change is noticed as if they were.
#[tokio::test]
async fn an_open_file_that_changes_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one");
    let (first, other) = (b"the first bytes", b"the other bytes");
    fs::write(&path, first).unwrap();
    let local = Arc::new(LocalFileSystem::new_with_prefix(folder.path()).unwrap());
    let source = ObjectSource::new(local, Path::from("one"));
    source.retain_file().await.unwrap();
    assert_eq!(&source.fetch(4..9).await.unwrap()[..], b"first");
    fs::write(folder.path().join("other"), other).unwrap();
    fs::rename(folder.path().join("other"), &path).unwrap();
    let error = source.fetch(4..9).await.unwrap_err();
    assert!(error.to_string().contains("changed while being read"), "{error}");
    fs::remove_file(&path).unwrap();
    assert_eq!(source.fetch(4..9).await.unwrap_err().kind(), std::io::ErrorKind::NotFound);
}

#[tokio::test]
async fn what_is_no_arrow_file_is_an_error_of_its_path() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    store.put("short.arrow", b"a,b\n1,2\n".to_vec());
    store.put("long.arrow", b"a,b\n1,2\n".repeat(20_000));
    let mut cut = file(&[batch(0, 9_000)], WriteOptions::new());
    cut.truncate(cut.len() - 5);
    store.put("cut.arrow", cut);
    for path in ["short.arrow", "long.arrow", "cut.arrow"] {
        let session = session(&store, 1);
        let error = register(&session, path, IpcOptions::new()).await.unwrap_err();
        let found = file_error(&error).expect("an error of the file");
        assert_eq!(found.path().as_ref(), path);
    }
    Ok(())
}

/// The warnings of all tests.
struct Warnings(Mutex<Vec<String>>);

static WARNINGS: Warnings = Warnings(Mutex::new(Vec::new()));

impl log::Log for Warnings {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() == log::Level::Warn
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            self.0.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

#[tokio::test]
async fn bytes_that_no_block_has_are_a_warning() -> Result<()> {
    log::set_logger(&WARNINGS).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
    let store = Arc::new(CountingStore::default());
    let one = file(&[batch(0, 9_000)], WriteOptions::new());
    let two = file(&[batch(9_000, 9_000)], WriteOptions::new());
    store.put("seconds/one.arrow", one.clone());
    store.put("seconds/twice.arrow", [&one[..], &two].concat());
    let [.., a, b, c, d, _, _, _, _, _, _] = one[..] else { panic!("no footer") };
    let footer = one.len() - 10 - usize::try_from(i32::from_le_bytes([a, b, c, d])).unwrap();
    store.put("seconds/garbage.arrow", [&one[..footer], &[7; 100], &one[footer..]].concat());
    let session = session(&store, 2);
    register(&session, "seconds/", IpcOptions::new()).await?;
    for _ in 0..2 {
        assert_eq!(number(&session, "SELECT max(id) FROM t").await?, 8_999);
    }
    let texts = [
        format!(
            "seconds/garbage.arrow: 108 bytes from byte {} to the footer are in none of its blocks, and not read",
            footer - 8
        ),
        format!(
            "seconds/twice.arrow: a second file begins at byte {}; only batches of the first are read",
            one.len()
        ),
    ];
    let warnings = WARNINGS.0.lock().unwrap();
    let mut found: Vec<&String> = warnings.iter().filter(|found| found.starts_with("seconds/")).collect();
    found.sort();
    assert_eq!(found, texts.iter().collect::<Vec<_>>());
    Ok(())
}
