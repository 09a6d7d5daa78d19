//! Tests manifests of data sets, and statistics in footers. With any content, no file outside of the set may be read.
//! Rows may only be missing if statistics were trusted and are wrong.

use std::{
    collections::HashMap,
    fmt, fs, io,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use arrow_array::{Float64Array, Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_compute::Predicate;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, Source, WriteOptions};
use arrow_ipc_dataset::{
    Dataset, DatasetOptions, DatasetWriter, FileStamp, FileStore, FileVersion, StoredFile, WriteMode,
};
use arrow_ipc_statistics::{FileStatistics, StatisticsBuilder};

/// The path of the manifest that is replaced by mutants.
const MANIFEST: &str = "set/_data.manifests/00000000000000000001.arrow";

/// The folder of the set.
const ROOT: &str = "set/data";

const CONDITIONS: [&str; 6] = [
    "id > 30",
    "id in (7, 45) or name is null",
    "x >= 2.5 and name like 'a%'",
    "not (name < 'm' or x is null)",
    "x = 'NaN'",
    "id between -5 and 21",
];

/// A set of two parts with two batches each: the files by their paths below the set, and its manifest.
static SET: LazyLock<(HashMap<PathBuf, Buffer>, Vec<u8>)> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("arrow-mutants-{}", std::process::id()));
    let root = folder.join("data");
    let mut parts = HashMap::new();
    for (name, batches) in ["day=1/a.arrow", "day=2/b.arrow"].into_iter().zip(batches().chunks(2)) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
        let file = file_with(batches, None);
        fs::write(path, &file).expect("a file can be written");
        parts.insert(PathBuf::from(ROOT).join(name), file.into());
    }
    let writer =
        DatasetWriter::begin(&root, batches()[0].schema().clone(), WriteMode::Append).expect("a set");
    writer.commit([]).expect("a commit");
    let manifest = folder.join("_data.manifests/00000000000000000001.arrow");
    let manifest = fs::read(manifest).expect("there is a manifest");
    fs::remove_dir_all(folder).expect("the folder can be removed");
    (parts, manifest)
});

fn batches() -> Vec<RecordBatch> {
    let batch = |first: i64| {
        let ids = Int64Array::from_iter(first..first + 12).into_data();
        let names = (first..first + 12)
            .map(|n| (n % 5 > 0).then(|| format!("{}-{n}", ["a", "k", "z"][n as usize % 3])));
        let names = Utf8Array::try_from_iter(names).expect("names").into_data();
        let numbers = (first..first + 12).map(|n| if n == 20 { f64::NAN } else { n as f64 / 4.0 });
        let columns = [("id", ids), ("name", names), ("x", Float64Array::from_iter(numbers).into_data())];
        RecordBatch::try_from_columns(columns).expect("a batch")
    };
    (0..4).map(|idx| batch(idx * 12)).collect()
}

/// A file with these statistics, or with correct ones.
fn file_with(batches: &[RecordBatch], statistics: Option<&[u8]>) -> Vec<u8> {
    let mut writer =
        FileWriter::try_new(Vec::new(), batches[0].schema(), WriteOptions::new()).expect("a file");
    batches.iter().for_each(|batch| writer.write(batch).expect("a batch"));
    let own = own_statistics(batches);
    writer.set_statistics(statistics.unwrap_or(&own)).expect("statistics of any bytes");
    writer.finish().expect("a file")
}

fn own_statistics(batches: &[RecordBatch]) -> Vec<u8> {
    let mut own = StatisticsBuilder::new(batches[0].schema());
    batches.iter().for_each(|batch| own.add(batch).expect("statistics"));
    own.finish(u64::MAX).expect("memory").expect("there are some")
}

/// The parts of the set, with any bytes as the manifest.
struct SetInMemory(Buffer);

impl fmt::Debug for SetInMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SetInMemory")
    }
}

impl FileStore for SetInMemory {
    fn open(&self, path: &Path) -> io::Result<Arc<dyn StoredFile>> {
        assert!(path == Path::new(MANIFEST) || path.starts_with(ROOT), "{path:?} is outside of the set");
        let file = if path == Path::new(MANIFEST) { Some(&self.0) } else { SET.0.get(path) };
        let file = file.ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(FileInMemory(file.clone())))
    }
}

#[derive(Debug)]
struct FileInMemory(Buffer);

impl Source for FileInMemory {
    fn n_bytes(&self) -> io::Result<u64> {
        Source::n_bytes(&self.0)
    }

    fn fetch(&self, range: Range<u64>) -> io::Result<Buffer> {
        self.0.fetch(range)
    }

    fn whole(&self) -> Option<Buffer> {
        Some(self.0.clone())
    }
}

impl StoredFile for FileInMemory {
    fn version(&self) -> io::Result<FileVersion> {
        Ok(FileVersion { n_bytes: Source::n_bytes(&self.0)?, stamp: FileStamp::of_tag("v1") })
    }
}

/// The number of rows that match; `None` if the set cannot be read.
fn n_rows_of(set: Dataset, condition: &str) -> Option<u64> {
    let set = set.with_predicate(condition.parse().expect("a condition")).ok()?;
    let counted = set.count().ok();
    let read = set.read().ok()?.try_fold(0u64, |sum, batch| Some(sum + batch.ok()?.n_rows() as u64))?;
    // Counting reads no batch whose rows are all known to match.
    counted.inspect(|counted| assert!(*counted >= read, "{condition}: {counted} rows of {read}"))?;
    Some(read)
}

pub(super) fn manifests(bytes: &[u8]) {
    let store = Arc::new(SetInMemory(bytes.to_vec().into()));
    let options = DatasetOptions::new().with_store(store).with_threads(1);
    let Ok(set) = Dataset::open_with([MANIFEST], &options) else { return };
    assert!(set.files().iter().all(|file| file.path().starts_with(ROOT)));
    let n_rows = set.read().ok().and_then(|batches| {
        batches.into_iter().try_fold(0u64, |sum, batch| Some(sum + batch.ok()?.n_rows() as u64))
    });
    if let Some(n_rows) = n_rows {
        // A part with other rows than the manifest says is an error.
        assert_eq!(n_rows, set.n_rows());
    }
    let trusting =
        Dataset::open_with([MANIFEST], &options.trusting_statistics()).expect("it was opened before");
    for condition in CONDITIONS.into_iter().chain(["day = 2"]) {
        let all = n_rows_of(set.clone(), condition);
        if let (Some(found), Some(all)) = (n_rows_of(trusting.clone(), condition), all) {
            // What is believed may hide rows, and adds none.
            assert!(found <= all, "{condition}: {found} rows of {all}");
        }
    }
    let _ = set.bounds("id").map(|bounds| bounds.len());
    let _ = trusting.bounds("name").map(|bounds| bounds.len());
}

pub(super) fn manifest_seeds() -> Vec<Vec<u8>> {
    vec![SET.1.clone()]
}

/// Uses the bytes as the statistics of a file.
pub(super) fn statistics(bytes: &[u8]) {
    let batches = batches();
    let file = Buffer::from(file_with(&batches, Some(bytes)));
    let reader = FileReader::try_from_buffer(file).expect("a file");
    let _ = StatisticsBuilder::continuing(reader.footer()).map(|more| more.map(|more| more.finish(u64::MAX)));
    let Some(known) = FileStatistics::of_footer(reader.footer()) else { return };
    known.columns().for_each(|path| drop(known.bounds_of_all(path)));
    let is_true = batches.iter().enumerate().all(|(idx, batch)| known.check(idx, batch).is_ok());
    for condition in CONDITIONS {
        let condition: Predicate = condition.parse().expect("a condition");
        let bound = condition.bind(reader.schema()).expect("it fits");
        let found: Vec<usize> = known.batches_matching(&bound).collect();
        for (idx, batch) in batches.iter().enumerate().filter(|_| is_true) {
            let n_matching = bound.matches(batch).expect("it fits").count_set();
            assert!(
                n_matching == 0 || found.contains(&idx),
                "{condition}: {n_matching} rows of batch {idx} are lost"
            );
        }
    }
}

/// Statistics of all batches, of other batches, and of too few batches.
pub(super) fn statistics_seeds() -> Vec<Vec<u8>> {
    let batches = batches();
    let others: Vec<RecordBatch> = batches.iter().rev().cloned().collect();
    [&batches[..], &others, &batches[1..]].into_iter().map(own_statistics).collect()
}
