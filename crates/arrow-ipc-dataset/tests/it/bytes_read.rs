//! The number of bytes that tasks read, counted in a wrapper of the files.

use std::{
    fs::File,
    io,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use arrow_array::{DictionaryArray, Int32Array, Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_compute::Predicate;
use arrow_data::RecordBatch;
use arrow_ipc::{FetchCost, Source};
use arrow_ipc_dataset::{
    Dataset, DatasetBatches, DatasetError, DatasetOptions, FileStore, FileVersion, OpenFiles, StoredFile,
};
use arrow_schema::Schema;

use super::support::{Folder, all_rows, file_of, ids_batch, rows_of, rows_of_set, texts};

#[derive(Debug, Default)]
struct Counts {
    n_opened: AtomicU64,
    n_bytes: AtomicU64,
    /// The number of opened files that are not read as a whole.
    n_random: AtomicU64,
    n_requests: AtomicU64,
}

/// The file system. It counts opened files, requests and read bytes.
#[derive(Debug, Default)]
struct CountingFiles {
    counts: Arc<Counts>,
    /// The cost of requests, if it is not that of the file system.
    cost: Option<FetchCost>,
}

#[derive(Debug)]
struct CountedFile {
    file: File,
    counts: Arc<Counts>,
    cost: Option<FetchCost>,
}

impl FileStore for CountingFiles {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        self.counts.n_opened.fetch_add(1, Ordering::Relaxed);
        let counts = Arc::clone(&self.counts);
        Ok(Arc::new(CountedFile { file: File::open(path)?, counts, cost: self.cost }))
    }
}

impl Source for CountedFile {
    fn n_bytes(&self) -> io::Result<u64> {
        self.file.n_bytes()
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.counts.n_bytes.fetch_add(range.end - range.start, Ordering::Relaxed);
        self.counts.n_requests.fetch_add(1, Ordering::Relaxed);
        self.file.fetch(range)
    }

    fn fetch_cost(&self) -> FetchCost {
        self.cost.unwrap_or_else(|| self.file.fetch_cost())
    }
}

impl StoredFile for CountedFile {
    fn version(&self) -> io::Result<FileVersion> {
        self.file.version()
    }

    fn expect_random_access(&self) {
        self.counts.n_random.fetch_add(1, Ordering::Relaxed);
        self.file.expect_random_access();
    }
}

/// A file with a dictionary of 2 MB, and batches of 36 kB.
fn file_with_dictionary(first_id: i64) -> Vec<u8> {
    const N_VALUES: usize = 10_000;
    const N_ROWS: i64 = 1_500;
    let values = Utf8Array::try_from_iter((0..N_VALUES).map(|value| format!("value {value:0194}"))).unwrap();
    let all =
        DictionaryArray::try_new(Int32Array::from_iter(0..N_VALUES as i32), values).unwrap().into_data();
    let batch = |idx: i64| {
        let ids = Int64Array::from_iter((0..N_ROWS).map(|id| first_id + idx * N_ROWS + id));
        let names = all.slice(idx as usize % 2 * 5_000, N_ROWS as usize);
        RecordBatch::try_from_columns([("id", ids.into_data()), ("name", names)]).unwrap()
    };
    file_of(&(0..12).map(batch).collect::<Vec<_>>())
}

#[test]
fn tasks_of_a_file_share_what_they_open_and_its_dictionaries() {
    let folder = Folder::new();
    let mut n_file_bytes = 0;
    for (idx, name) in ["a", "b"].into_iter().enumerate() {
        let bytes = file_with_dictionary(idx as i64 * 1_000_000);
        n_file_bytes += bytes.len() as u64;
        folder.write(&format!("{name}.arrow"), &bytes);
    }
    let set = folder.open(&[""]).unwrap();
    let rows: Vec<String> = set.read().unwrap().flat_map(|batch| rows_of(&batch.unwrap())).collect();
    assert_eq!(rows.len(), 36_000);
    for (target_bytes, n_threads) in [(1, 1), (1, 2), (1, 8), (100_000, 3), (u64::MAX, 2)] {
        let (files, tasks) = (CountingFiles::default(), set.split(target_bytes).unwrap());
        let counts = Arc::clone(&files.counts);
        let n_tasks = tasks.len();
        let batches = DatasetBatches::from_store(
            OpenFiles::new(Arc::new(files)),
            set.schema().clone(),
            tasks,
            n_threads,
        );
        let found: Vec<String> = batches.flat_map(|batch| rows_of(&batch.unwrap())).collect();
        assert!(found == rows, "{n_tasks} tasks, {n_threads} threads");
        let (n_opened, n_bytes) =
            (counts.n_opened.load(Ordering::Relaxed), counts.n_bytes.load(Ordering::Relaxed));
        assert_eq!(n_opened, 2, "{n_tasks} tasks, {n_threads} threads");
        assert!(
            n_bytes < n_file_bytes + 200_000,
            "{n_bytes} of {n_file_bytes} bytes: {n_tasks} tasks, {n_threads} threads"
        );
    }
}

/// Batches without columns of a file have the numbers of rows that its footer states.
#[test]
fn rows_are_counted_without_batches() {
    let folder = Folder::new();
    for day in [1, 2] {
        folder.write(&format!("day={day}/a.arrow"), &file_with_dictionary(day * 1_000_000));
    }
    let set = folder.open(&[""]).unwrap();
    let days = set.clone().with_predicate("day >= 2".parse().unwrap()).unwrap();
    for (set, columns, n_batches) in
        [(&set, vec![], 24), (&set, vec!["day"], 24), (&days, vec![], 12), (&days, vec!["day"], 12)]
    {
        let set = set.clone().with_columns(columns).unwrap();
        let files = CountingFiles::default();
        let counts = Arc::clone(&files.counts);
        let batches = DatasetBatches::from_store(
            OpenFiles::new(Arc::new(files)),
            set.schema().clone(),
            set.split(100_000).unwrap(),
            2,
        );
        let found: Vec<RecordBatch> = batches.map(Result::unwrap).collect();
        assert_eq!(found.len(), n_batches);
        for batch in found {
            assert_eq!((batch.n_rows(), batch.schema()), (1_500, set.schema()));
        }
        let n_bytes = counts.n_bytes.load(Ordering::Relaxed);
        assert!(n_bytes < 40_000, "{n_bytes} bytes");
    }
}

/// The system reads ahead of tasks that need all columns, and of no others.
#[test]
fn files_say_whether_all_columns_are_read() {
    let folder = Folder::new();
    for day in [1, 2] {
        folder.write(&format!("day={day}/a.arrow"), &file_with_dictionary(day * 1_000_000));
    }
    let set = folder.open(&[""]).unwrap();
    for (columns, n_random) in
        [(vec!["id"], 2), (vec!["day"], 2), (vec!["id", "name"], 0), (vec!["name", "day", "id"], 0)]
    {
        let set = set.clone().with_columns(columns).unwrap();
        let files = CountingFiles::default();
        let counts = Arc::clone(&files.counts);
        let tasks = set.split(u64::MAX).unwrap();
        let batches =
            DatasetBatches::from_store(OpenFiles::new(Arc::new(files)), set.schema().clone(), tasks, 1);
        assert_eq!(batches.map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 36_000);
        assert_eq!(counts.n_random.load(Ordering::Relaxed), n_random);
    }
}

/// Threads that wait for a store read whole files, or many batches, so that one request serves neighbouring batches.
#[test]
fn neighbouring_batches_of_a_store_have_one_request() {
    let folder = Folder::new();
    let batch = |idx: i64| {
        let ids = Int64Array::from_iter((0..1_000).map(|id| idx * 1_000 + id));
        RecordBatch::try_from_columns((0..8).map(|column| (format!("c{column}"), ids.clone().into_data())))
            .unwrap()
    };
    for (idx, name) in ["a", "b"].into_iter().enumerate() {
        let batches: Vec<RecordBatch> = (0..50).map(|batch_idx| batch(idx as i64 * 50 + batch_idx)).collect();
        folder.write(&format!("{name}.arrow"), &file_of(&batches));
    }
    let paths = ["a", "b"].map(|name| folder.path().join(format!("{name}.arrow")));
    let cost = FetchCost::new(Duration::from_millis(30), 25_000_000).with_requests_in_flight(10);
    let files = CountingFiles { cost: Some(cost), ..CountingFiles::default() };
    let counts = Arc::clone(&files.counts);
    let set = Dataset::open_with(&paths, DatasetOptions::new().with_store(Arc::new(files))).unwrap();
    for columns in [vec!["c1"], vec!["c1", "c5"], vec!["c0", "c2", "c3", "c4", "c6", "c7"]] {
        let set = set.clone().with_columns(columns).unwrap();
        let before = counts.n_requests.load(Ordering::Relaxed);
        let n_rows: usize = set.read_by_threads(2).unwrap().map(|batch| batch.unwrap().n_rows()).sum();
        let n_requests = counts.n_requests.load(Ordering::Relaxed) - before;
        assert_eq!(n_rows, 100_000);
        assert!(n_requests <= 20, "{n_requests} requests for 100 batches");
    }
}

/// A data set of ten files, one for each day, in a store that counts.
struct CountedSet {
    folder: Folder,
    paths: Vec<PathBuf>,
    counts: Arc<Counts>,
}

impl CountedSet {
    /// The names of the folders, and the number of batches of each file.
    fn new(folder_name: &str, n_batches: i64) -> CountedSet {
        let folder = Folder::new();
        let path = |day: i64| format!("{folder_name}={day}/a.arrow");
        for day in 0..10 {
            let batches: Vec<RecordBatch> =
                (0..n_batches).map(|idx| ids_batch([day * 100 + idx, day * 100 + idx])).collect();
            folder.write(&path(day), &file_of(&batches));
        }
        let paths = (0..10).map(|day| folder.path().join(path(day))).collect();
        CountedSet { folder, paths, counts: Arc::default() }
    }

    /// Opens the files, and selects the rows that match.
    fn open_where(&mut self, options: DatasetOptions, text: &str) -> Result<Dataset, DatasetError> {
        let predicate: Predicate = text.parse().unwrap();
        self.open(options.with_pruning(predicate.clone()))?.with_predicate(predicate)
    }

    fn open(&mut self, options: DatasetOptions) -> Result<Dataset, DatasetError> {
        self.counts = Arc::default();
        let cost = Some(FetchCost::new(Duration::from_millis(30), 25_000_000));
        let files = CountingFiles { counts: Arc::clone(&self.counts), cost };
        Dataset::open_with(&self.paths, options.with_store(Arc::new(files)))
    }

    fn n_opened(&self) -> u64 {
        self.counts.n_opened.load(Ordering::Relaxed)
    }

    fn n_requests(&self) -> u64 {
        self.counts.n_requests.load(Ordering::Relaxed)
    }
}

#[test]
fn a_file_of_a_store_is_opened_once() {
    let mut files = CountedSet::new("day", 3);
    let set = files.open(DatasetOptions::new()).unwrap();
    assert_eq!((files.n_opened(), files.n_requests()), (10, 10));
    for n_threads in [1, 2, 7] {
        let n_rows: usize =
            set.read_by_threads(n_threads).unwrap().map(|batch| batch.unwrap().n_rows()).sum();
        assert_eq!(n_rows, 60);
    }
    let tasks = set.split(1).unwrap();
    assert!(tasks.iter().all(|task| all_rows(task.read_from(set.store()).unwrap()).unwrap().len() == 2));
    assert_eq!(set.count().unwrap(), 60);
    // Such small files are in memory as a whole after they were opened.
    assert_eq!((files.n_opened(), files.n_requests()), (10, 10));
}

#[test]
fn names_of_folders_decide_before_files_are_opened() {
    let mut files = CountedSet::new("day", 2);
    let given = || DatasetOptions::new().with_schema("id: int32\nday: int8".parse::<Schema>().unwrap());
    for (text, n_matching, n_rows) in [
        ("day = 3", 1, 4),
        ("day in (3, 5) and id > 501", 2, 0),
        ("not (day < 8)", 2, 8),
        ("id = 901 and day > 1", 8, 2),
        ("id = 901 or day = 1", 10, 6),
        ("day is null", 1, 0),
    ] {
        let set = files.open_where(DatasetOptions::new(), text).unwrap();
        assert_eq!(files.n_opened(), n_matching, "{text}");
        assert_eq!(set.schema().to_string(), "id: int64\nday: int64");
        assert_eq!(rows_of_set(&set).len(), n_rows, "{text}");
        assert_eq!(set.count().unwrap(), n_rows as u64, "{text}");
        assert_eq!(files.n_opened(), n_matching, "{text}");
        // Whoever asks for all rows opens the other files.
        assert_eq!((set.files().len(), set.n_rows().unwrap(), files.n_opened()), (10, 40, 10));
        // With a schema, one file says that the folders are columns. The others are opened when they are read.
        let set = files.open_where(given(), text).unwrap();
        assert_eq!((files.n_opened(), set.schema().to_string().as_str()), (1, "id: int32\nday: int8"));
        assert_eq!(rows_of_set(&set).len(), n_rows, "{text}");
        assert!(files.n_opened() <= n_matching, "{text}");
    }
    assert!(files.open_where(DatasetOptions::new(), "day = 'x'").is_err());
    assert!(files.open_where(DatasetOptions::new(), "no = 1").is_err());
    // The first rows of a data set with a schema are those of the first file.
    let set = files.open(given()).unwrap();
    let first = set.read().unwrap().next().unwrap().unwrap();
    assert_eq!((rows_of(&first), files.n_opened()), (vec!["0,0".to_owned(), "0,0".to_owned()], 1));
    // Without folders, none is opened at first.
    let set = files.open(given().without_partition_columns()).unwrap();
    assert_eq!((set.files().len(), files.n_opened()), (10, 0));
    assert_eq!((set.n_rows().unwrap(), files.n_opened()), (40, 10));
}

/// A column that the files have is read from them, whatever the names of folders say.
#[test]
fn folders_decide_nothing_about_columns_of_files() {
    let mut files = CountedSet::new("id", 2);
    let given = || DatasetOptions::new().with_schema("id: int64".parse::<Schema>().unwrap());
    for options in [DatasetOptions::new(), given()] {
        let set = files.open_where(options, "id >= 901").unwrap();
        assert_eq!(rows_of_set(&set), ["901", "901"]);
    }
    // All files have the column, or none.
    files.folder.write("id=7/a.arrow", &file_of(&[batch_of_texts()]));
    let error = files.open_where(DatasetOptions::new(), "id >= 901").unwrap_err();
    assert!(error.to_string().contains("id"), "{error}");
    let set = files.open_where(given(), "id >= 901").unwrap();
    let (_, error) = all_rows(set.read().unwrap()).unwrap_err();
    assert!(files.folder.text_of(&error).starts_with("id=7/a.arrow: "), "{error}");
}

fn batch_of_texts() -> RecordBatch {
    RecordBatch::try_from_columns([("text", texts(&["a"]))]).unwrap()
}

/// A file outside of the folders may have their column: it is opened, and is an error then, as it is without a condition or a schema.
#[test]
fn files_outside_of_folders_are_not_ruled_out() {
    let mut files = CountedSet::new("day", 1);
    let outside = RecordBatch::try_from_columns([
        ("id", Int64Array::from_iter([3]).into_data()),
        ("day", Int64Array::from_iter([7]).into_data()),
    ]);
    files.folder.write("z.arrow", &file_of(&[outside.unwrap()]));
    files.paths.push(files.folder.path().join("z.arrow"));
    assert!(files.open(DatasetOptions::new()).is_err());
    assert!(files.open_where(DatasetOptions::new(), "day = 7").is_err());
    let given = DatasetOptions::new().with_schema("id: int64\nday: int64".parse::<Schema>().unwrap());
    let set = files.open(given.clone()).unwrap();
    assert!(all_rows(set.read().unwrap()).is_err());
    let set = files.open_where(given, "day = 7").unwrap();
    assert!(set.read().and_then(|rows| all_rows(rows).map_err(|(_, error)| error)).is_err());
}

/// A condition may use a column that only files have which names of folders rule out.
#[test]
fn a_condition_that_does_not_fit_the_opened_files_opens_the_others() {
    let mut files = CountedSet::new("day", 1);
    let other = RecordBatch::try_from_columns([
        ("id", Int64Array::from_iter([3]).into_data()),
        ("x", Int64Array::from_iter([7]).into_data()),
    ]);
    files.folder.write("day=5/a.arrow", &file_of(&[other.unwrap()]));
    let set = files.open_where(DatasetOptions::new(), "day = 3 and x is null").unwrap();
    assert_eq!(
        (set.schema().to_string().as_str(), files.n_opened()),
        ("id: int64\nx: int64\nday: int64", 10)
    );
    assert_eq!(rows_of_set(&set), ["300,null,3", "300,null,3"]);
    assert!(files.open_where(DatasetOptions::new(), "day = 3 and y is null").is_err());
}
