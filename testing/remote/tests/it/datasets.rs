//! Data sets of remote files: their cost, and the errors if files change.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::FileWriter;
use arrow_ipc_dataset::{Dataset, DatasetError, DatasetOptions, OpenFiles};
use arrow_ipc_object_store::{ObjectFiles, ObjectOptions};
use object_store_0_14::{ObjectStore, local::LocalFileSystem};
use remote::{RangeServer, store, wide};
use testing_support::rows;
use tokio::runtime::Runtime;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a thread")
}

/// Writes `n_parts` files with the same rows. Returns their names.
fn write_set(root: &Path, batches: &[RecordBatch], n_parts: usize) -> Vec<String> {
    let file = FileWriter::write_to_vec(batches[0].schema().clone(), batches).expect("a file");
    fs::create_dir(root).expect("a folder");
    let folder = root.parent().expect("a folder");
    let names: Vec<String> = (0..n_parts).map(|part| format!("data/part-{part:08}.arrow")).collect();
    for name in &names {
        fs::write(folder.join(name), &file).expect("a file");
    }
    names
}

/// Serves the files of a set, which have the same bytes.
fn serve(server: &RangeServer, folder: &Path, names: &[String]) {
    let part = Buffer::from(fs::read(folder.join(&names[0])).expect("a file"));
    names.iter().for_each(|name| drop(server.put_tagged(name, part.clone(), "1")));
}

fn open(files: &ObjectFiles, inputs: &[String]) -> Result<Dataset, DatasetError> {
    Dataset::open_with(inputs, DatasetOptions::new().with_store(Arc::new(files.clone())))
}

/// A row of the table: three of 100 columns from 64 files. With a delay of 200 ms, the time gives the number of round
/// trips on any machine; with 30 ms, the time is printed.
#[test]
fn columns_of_64_files_take_their_bytes_and_few_round_trips() {
    for ms in [30, 200] {
        columns_of_64_files(Duration::from_millis(ms));
    }
}

fn columns_of_64_files(delay: Duration) {
    let (folder, runtime) = (tempfile::tempdir().expect("a folder"), runtime());
    let n_rows = 50_000;
    let names = write_set(&folder.path().join("data"), &[wide(n_rows, 0)], 64);
    let server = RangeServer::start(delay);
    serve(&server, folder.path(), &names);
    let files = ObjectFiles::new(store(&server.url()), runtime.handle().clone());
    server.reset();
    let start = Instant::now();
    let set = open(&files, &names).expect("a set");
    // The end of each file, and nothing else until somebody counts: then the metadata of each batch.
    assert_eq!(server.counts().n_requests, 64);
    assert_eq!(set.count().expect("counted"), 64 * n_rows as u64);
    assert_eq!(server.counts().n_requests, 2 * 64);
    let set = set.with_columns(["c3", "c50", "c97"]).expect("columns");
    let mut n_read = 0;
    for batch in set.read_by_threads(2).expect("a set") {
        n_read += batch.expect("a batch").n_rows();
    }
    let counts = server.counts();
    let needed = 64 * 3 * 8 * n_rows as u64;
    let elapsed = start.elapsed();
    let n_round_trips = elapsed.as_secs_f64() / delay.as_secs_f64();
    println!(
        "64 files at {delay:?}: {} of {needed} bytes, {} requests, {elapsed:?}, {n_round_trips:.1} round trips",
        counts.n_bytes, counts.n_requests
    );
    assert_eq!(n_read, 64 * n_rows);
    assert!(counts.n_bytes * 10 <= needed * 11, "{counts:?} for {needed}");
    // Of short delays, the processor takes a good part of the time.
    assert!(delay.as_millis() < 200 || n_round_trips <= 12.0, "{n_round_trips} round trips, {counts:?}");
}

#[test]
fn sets_in_stores_have_the_rows_of_those_in_folders() {
    let (folder, runtime) = (tempfile::tempdir().expect("a folder"), runtime());
    let root = folder.path().join("data");
    let batches = [wide(100, 0), wide(70, 1)];
    let names = write_set(&root, &batches, 5);
    let local = Dataset::open([&root]).expect("a set");
    let server = RangeServer::start(Duration::ZERO);
    serve(&server, folder.path(), &names);
    let of_server = ObjectFiles::new(store(&server.url()), runtime.handle().clone());
    let system: Arc<dyn ObjectStore> =
        Arc::new(LocalFileSystem::new_with_prefix(folder.path()).expect("a folder"));
    let of_system = ObjectFiles::new_with(system, runtime.handle().clone(), ObjectOptions::default());
    for files in [&of_server, &of_system] {
        let set = open(files, &names).expect("a set");
        let select = |set: &Dataset| {
            let set =
                set.clone().with_predicate("c3 >= 5003".parse().expect("a predicate")).expect("a column");
            set.with_columns(["c7", "c3"]).expect("columns")
        };
        let (set, local) = (select(&set), select(&local));
        let of_all = |batches: &mut dyn Iterator<Item = Result<RecordBatch, DatasetError>>| {
            batches.flat_map(|batch| rows(&batch.expect("a batch"))).collect::<Vec<_>>()
        };
        let expected = of_all(&mut local.read().expect("a file"));
        assert_eq!(of_all(&mut set.read().expect("a file")), expected, "{files:?}");
        assert_eq!(of_all(&mut set.read_by_threads(3).expect("a set")), expected, "{files:?}");
        assert_eq!(set.count().expect("rows"), expected.len() as u64);
        let store = OpenFiles::new(Arc::new(files.clone()));
        let mut of_tasks = Vec::new();
        for task in set.split(1).expect("tasks") {
            of_tasks.extend(of_all(&mut task.read_from(&store).expect("a file")));
        }
        assert_eq!(of_tasks, expected, "{files:?}");
    }
}

#[test]
fn objects_that_are_gone_or_change_are_errors_with_their_paths() {
    type Change = fn(&RangeServer, &[String], &Path);
    let changes: [(&str, Change); 3] = [
        ("another object", |server, names, _| {
            server.put_tagged(&names[1], Buffer::from(remote::write_wide(Vec::new(), 2, 60)), "2");
        }),
        ("cut", |server, names, folder| {
            let bytes = fs::read(folder.join(&names[1])).expect("a file");
            server.put_tagged(&names[1], Buffer::from(bytes[..bytes.len() - 100].to_vec()), "2");
        }),
        ("of the same length", |server, names, folder| {
            let mut bytes = fs::read(folder.join(&names[1])).expect("a file");
            let at = bytes.len() / 2;
            bytes[at] ^= 1;
            server.put_tagged(&names[1], Buffer::from(bytes), "2");
        }),
    ];
    for (what, change) in changes {
        let (folder, runtime) = (tempfile::tempdir().expect("a folder"), runtime());
        let names = write_set(&folder.path().join("data"), &[wide(2_000, 0), wide(2_000, 1)], 3);
        let server = RangeServer::start(Duration::ZERO);
        serve(&server, folder.path(), &names);
        let files = ObjectFiles::new(store(&server.url()), runtime.handle().clone());
        // By their etags: the set was opened before the change, and its tasks are read after it, here and elsewhere.
        let set = open(&files, &names).expect("a set");
        let elsewhere = OpenFiles::new(Arc::new(files.clone()));
        let task = set.split(u64::MAX).expect("tasks").remove(0);
        change(&server, &names, folder.path());
        for mut batches in
            [set.read().expect("the first file"), task.read_from(&elsewhere).expect("the first file")]
        {
            let (found, mut n_read) = (
                loop {
                    match batches.next().expect(what) {
                        Ok(_) => {}
                        Err(error) => break error,
                    }
                },
                0,
            );
            n_read += batches.count();
            assert_eq!(
                (n_read, found.path()),
                (0, Some(PathBuf::from(&names[1]).as_path())),
                "{what}: {found}"
            );
        }
    }
    let (folder, runtime) = (tempfile::tempdir().expect("a folder"), runtime());
    let names = write_set(&folder.path().join("data"), &[wide(20, 0)], 3);
    let server = RangeServer::start(Duration::ZERO);
    serve(&server, folder.path(), &names[..1]);
    let files = ObjectFiles::new(store(&server.url()), runtime.handle().clone());
    let error = open(&files, &names[..2]).expect_err("a part is missing");
    assert_eq!(error.path(), Some(Path::new(&names[1])));
}
