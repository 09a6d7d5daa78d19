//! Files without a manifest, and files of writers that do not commit.

use std::{
    fs,
    mem::ManuallyDrop,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, SystemTime},
};

use arrow_ipc_dataset::{
    CompactOptions, Dataset, DatasetErrorKind, ExpireOptions, WriteMode, compact, expire,
};

use super::{
    support::{Folder, ids_batch},
    writes::{attempt, begun, committed, names_in, numbers, part, places, rows, versions_left},
};

const DAY: Duration = Duration::from_hours(24);

/// Paths and patterns for the files of a set in a folder `data`.
const INPUTS: [&str; 6] = ["data", "data/**/*.arrow", "d*", "data/*", "**", "data/p*"];

fn rows_by(folder: &Folder, input: &str) -> Vec<String> {
    let mut found = super::support::rows_of_set(&folder.open(&[input]).unwrap());
    found.sort_by_key(|id| id.parse::<i64>().unwrap());
    found
}

#[test]
fn a_copy_without_manifests_is_read_until_a_commit_takes_it_over() {
    for (mode, expected) in [(WriteMode::Append, numbers(0..7)), (WriteMode::Replace, numbers(5..7))] {
        let folder = Folder::new();
        let (root, manifests) = places(&folder);
        committed(&root);
        fs::remove_dir_all(manifests).unwrap();
        let read = |expected: &[String], when: &str| {
            INPUTS.iter().for_each(|input| assert_eq!(rows_by(&folder, input), expected, "{input} {when}"));
        };
        read(&numbers(0..5), "at first");
        // `without_manifest` returns a part that no manifest names.
        for input in INPUTS {
            let told = folder.open(&[input]).unwrap().without_manifest().map(|path| path.to_owned());
            assert!(told.unwrap().to_str().unwrap().contains("data/part-"), "{input}");
        }
        let [writer, killed] = [begun(&root, mode), begun(&root, mode)];
        let open = attempt(&writer, 0, 5..7);
        read(&numbers(0..5), "while a part is written");
        let written = open.finish().unwrap();
        part(&killed, 0, 70..80);
        read(&numbers(0..5), "before the commit");
        begun(&root, mode).abort();
        read(&numbers(0..5), "after another writer gave up");
        writer.commit([written]).unwrap();
        read(&expected, "after the commit");
        INPUTS.iter().for_each(|input| assert_eq!(folder.open(&[input]).unwrap().without_manifest(), None));
        // Replaced files stay on the disk, but are not read.
        assert_eq!(names_in(&root).len(), 4);
        killed.abort();
        read(&expected, "in the end");
    }
}

#[test]
fn a_replacement_hides_files_that_had_no_manifest() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    for name in ["plain.arrow", "part-0.arrow", "day=1/plain.feather"] {
        folder.write_ids(&format!("data/{name}"), 70..80);
    }
    let writer = begun(&root, WriteMode::Replace);
    let written = part(&writer, 0, 0..5);
    assert_eq!(folder.open(&["data"]).unwrap().n_rows(), 30);
    writer.commit([written]).unwrap();
    for input in INPUTS {
        assert_eq!(rows_by(&folder, input), numbers(0..5), "{input}");
    }
    assert!(matches!(folder.open(&["data/day=1"]).unwrap_err().kind(), DatasetErrorKind::NoFiles));
    // A file is read if its path is an input, even if the manifest does not name it.
    assert_eq!(folder.open(&["data/plain.arrow"]).unwrap().n_rows(), 10);
}

fn aged(path: &Path, by: Duration) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - by).unwrap();
}

/// All files of a writer, in the folder of manifests and in the folder of the set.
fn files_of_writer(root: &Path, id: u64) -> Vec<PathBuf> {
    let manifests = root.with_file_name("_data.manifests");
    let of_writer = |path: &PathBuf| path.to_str().unwrap().contains(&format!("{id:016x}"));
    let in_folder = |folder: &Path| names_in(folder).into_iter().map(|name| folder.join(name)).collect();
    let all: [Vec<PathBuf>; 2] = [in_folder(root), in_folder(&manifests)];
    all.into_iter().flatten().filter(of_writer).collect()
}

#[test]
fn what_killed_writers_left_expires_and_what_others_write_stays() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    let dead = |id: u64| files_of_writer(&root, id).iter().for_each(|path| aged(path, 8 * DAY));
    // Files expire before the first commit, too.
    let first = begun(&root, WriteMode::Create);
    part(&first, 0, 70..80);
    dead(first.id);
    folder.write_ids("data/plain.arrow", 0..2);
    let expired = expire(&root, &ExpireOptions::default()).unwrap();
    assert_eq!((expired.n_versions, expired.n_files, expired.n_writers), (0, 0, 1));
    assert_eq!((names_in(&root).len(), names_in(&manifests).len()), (1, 0));

    let [killed, slow, live] = [(); 3].map(|()| begun(&root, WriteMode::Append));
    for writer in [&killed, &slow, &live] {
        part(writer, 0, 70..80);
        let _ = ManuallyDrop::new(attempt(writer, 1, 80..90));
    }
    // One writer has been active for more than a week. The clock of another writer is ahead.
    dead(killed.id);
    dead(slow.id);
    dead(live.id);
    part(&slow, 2, 90..95);
    aged(&files_of_writer(&root, live.id)[0], Duration::ZERO);
    let ahead = fs::File::options().write(true).open(&files_of_writer(&root, live.id)[1]).unwrap();
    ahead.set_modified(SystemTime::now() + 9 * DAY).unwrap();
    assert_eq!(expire(&root, &ExpireOptions::default()).unwrap().n_writers, 1);
    let left = [&killed, &slow, &live].map(|writer| files_of_writer(&root, writer.id).len());
    assert_eq!(left, [0, 4, 3]);
    assert_eq!(rows(&root), numbers(0..2));
    // The active writers can commit.
    slow.commit([part(&slow, 0, 70..80)]).unwrap();
    assert_eq!(rows(&root).len(), 12);
    let expired =
        expire(&root, &ExpireOptions { unfinished_for: 9 * DAY, ..ExpireOptions::default() }).unwrap();
    assert_eq!((expired.n_writers, rows(&root).len()), (0, 12));
    // A writer was killed after its commit and before the removal of its mark. None of its rows are lost.
    let mark = manifests.join(format!("_writer-{:016x}", slow.id));
    fs::write(&mark, b"").unwrap();
    aged(&mark, 8 * DAY);
    aged(Dataset::open([&root]).unwrap().files()[1].path(), 8 * DAY);
    // The mark and the time of the uncommitted part become old, too.
    for path in files_of_writer(&root, slow.id) {
        aged(&path, 8 * DAY);
    }
    assert_eq!(expire(&root, &ExpireOptions::default()).unwrap().n_writers, 1);
    assert_eq!((rows(&root).len(), files_of_writer(&root, slow.id).len()), (12, 1));
}

/// Copies of parts are ordinary files without a mark.
#[test]
fn parts_without_a_mark_do_not_expire() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    committed(&root);
    fs::remove_dir_all(&manifests).unwrap();
    for path in names_in(&root) {
        aged(&root.join(path), 800 * DAY);
    }
    part(&begun(&root, WriteMode::Append), 0, 70..80);
    let all = ExpireOptions { unfinished_for: Duration::ZERO, ..ExpireOptions::default() };
    assert_eq!(expire(&root, &all).unwrap().n_writers, 1);
    assert_eq!((rows(&root), names_in(&root).len()), (numbers(0..5), 2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_mount_point_is_refused_before_anything_is_written() {
    for mode in [WriteMode::Create, WriteMode::Append, WriteMode::Replace] {
        for root in ["/proc", "/"] {
            let schema = ids_batch([]).schema().clone();
            let error = arrow_ipc_dataset::DatasetWriter::begin(root, schema, mode).unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("{root}: the folder is a mount point")),
                "{error}"
            );
        }
    }
}

#[test]
fn sets_without_rows_are_compacted() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let error = compact(&root, &CompactOptions::default()).unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::Io(_)), "{error}");
    fs::create_dir(&root).unwrap();
    let error = compact(&root, &CompactOptions::default()).unwrap_err();
    assert!(folder.text_of(&error).starts_with("data: no files"), "{error}");
    begun(&root, WriteMode::Create).commit([]).unwrap();
    let done = compact(&root, &CompactOptions::default()).unwrap();
    assert_eq!((done.n_before, done.n_after, done.version), (0, 0, 1));
    // Parts without rows are joined to one.
    let writer = begun(&root, WriteMode::Append);
    writer.commit([part(&writer, 0, []), part(&writer, 1, [])]).unwrap();
    assert_eq!(compact(&root, &CompactOptions::default()).unwrap().n_after, 1);
    assert_eq!(rows(&root), [""; 0]);
}

/// A process appends ten rows with each commit, and is killed at random times. The test program starts itself as that
/// process.
#[test]
fn processes_that_are_killed_leave_whole_commits() {
    const ROOT: &str = "ARROW_IPC_TEST_KILLED_WRITER";
    if let Some(root) = std::env::var_os(ROOT) {
        loop {
            let writer = begun(Path::new(&root), WriteMode::Append);
            let parts = [part(&writer, 0, 0..5), part(&writer, 1, 5..10)];
            writer.commit(parts).unwrap();
        }
    }
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    let mut n_before = 0;
    for round in 0..12u64 {
        let mut child = Command::new(std::env::current_exe().unwrap());
        let name = "leftovers::processes_that_are_killed_leave_whole_commits";
        child.args(["--exact", name, "--nocapture"]).env(ROOT, &root);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let n_commits = || names_in(&manifests).iter().filter(|name| !name.starts_with('_')).count();
        while n_commits() == n_before {
            assert!(child.try_wait().unwrap().is_none(), "round {round}: it has ended");
            thread::sleep(Duration::from_millis(1));
        }
        // Each round kills the process at another step of its loop.
        thread::sleep(Duration::from_micros(1_700 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let n_commits = n_commits();
        let found = rows(&root);
        assert_eq!(found.len(), 10 * n_commits, "round {round}");
        assert!(found.chunks(10).all(|commit| commit == numbers(0..10)), "round {round}");
        assert!(n_commits > n_before, "round {round}");
        n_before = n_commits;
    }
    expire(&root, &ExpireOptions { n_versions: 1, unfinished_for: Duration::ZERO }).unwrap();
    assert_eq!(versions_left(&manifests), 1);
    assert_eq!((names_in(&root).len(), rows(&root).len()), (2 * n_before, 10 * n_before));
}
