//! Writers of data sets: killed writers, simultaneous writers, and files of other programs.

use std::{
    fs,
    mem::ManuallyDrop,
    path::{Path, PathBuf},
};

use arrow_ipc::WriteOptions;
use arrow_ipc_dataset::{
    CompactOptions, Dataset, DatasetErrorKind, DatasetOptions, DatasetWriter, ExpireOptions, Manifest,
    PartAttempt, WriteMode, WrittenPart, compact, expire,
};

use super::support::{Folder, all_rows, file_of, ids_batch, rows_of_set};

/// The folder of the set, and the folder of its manifests.
pub(crate) fn places(folder: &Folder) -> (PathBuf, PathBuf) {
    (folder.path().join("data"), folder.path().join("_data.manifests"))
}

pub(crate) fn begun(root: &Path, mode: WriteMode) -> DatasetWriter {
    DatasetWriter::begin(root, ids_batch([]).schema().clone(), mode).unwrap()
}

pub(crate) fn attempt(writer: &DatasetWriter, task: u64, ids: impl IntoIterator<Item = i64>) -> PartAttempt {
    let mut part = writer.part(task, "", WriteOptions::new()).unwrap();
    part.write(&ids_batch(ids)).unwrap();
    part
}

pub(crate) fn part(writer: &DatasetWriter, task: u64, ids: impl IntoIterator<Item = i64>) -> WrittenPart {
    attempt(writer, task, ids).finish().unwrap()
}

/// Makes a set with one commit of two parts.
pub(crate) fn committed(root: &Path) -> Manifest {
    let writer = begun(root, WriteMode::Create);
    let parts = [part(&writer, 0, 0..3), part(&writer, 1, 3..5)];
    writer.commit(parts).unwrap()
}

pub(crate) fn rows(root: &Path) -> Vec<String> {
    rows_of_set(&Dataset::open([root]).unwrap())
}

pub(crate) fn numbers(range: std::ops::Range<i64>) -> Vec<String> {
    range.map(|id| id.to_string()).collect()
}

pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The number of versions that have not expired.
pub(crate) fn versions_left(manifests: &Path) -> usize {
    let is_left = |name: &String| fs::metadata(manifests.join(name)).unwrap().len() > 0;
    names_in(manifests).iter().filter(|name| is_left(name)).count()
}

#[test]
fn parts_are_a_set_when_they_are_committed() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    let writer = begun(&root, WriteMode::Create);
    // Parts can be finished in any order. The commit determines the order of the rows.
    let second = part(&writer, 1, 3..5);
    let first = part(&writer, 0, 0..3);
    assert_eq!((first.n_rows, first.path.starts_with("part-")), (3, true));
    let manifest = writer.commit([first, second]).unwrap();
    assert_eq!((manifest.version(), manifest.files().len()), (1, 2));
    assert_eq!(manifest.schema().to_string(), "id: int64");
    assert_eq!(rows(&root), numbers(0..5));
    assert_eq!(names_in(&manifests), ["00000000000000000001.arrow"]);
    // The path of a manifest can be opened as a set.
    assert_eq!(rows(&manifests.join("00000000000000000001.arrow")), numbers(0..5));
}

#[test]
fn parts_are_not_read_before_the_first_commit() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    let writer = begun(&root, WriteMode::Create);
    let first = part(&writer, 0, 0..3);
    let error = Dataset::open([&root]).unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::NoFiles), "{error}");
    writer.commit([first]).unwrap();
    assert_eq!(rows(&root), numbers(0..3));
    // A folder without manifests, such as a copy, has the rows of all its files.
    fs::remove_dir_all(manifests).unwrap();
    assert_eq!(rows(&root), numbers(0..3));
    // The same is true for a folder of other files before an append is committed.
    let (other, old) = (folder.path().join("other"), file_of(&[ids_batch(0..3)]));
    for name in ["a.arrow", "part-0.arrow", "part-0123456789abcdef-x.arrow"] {
        folder.write(&format!("other/{name}"), &old);
    }
    part(&begun(&other, WriteMode::Append), 0, 3..9);
    assert_eq!(rows(&other).len(), 9);
}

#[test]
fn a_process_that_is_killed_leaves_the_set_as_it_was_or_complete() {
    const STEP: &str = "ARROW_IPC_TEST_KILLED_STEP";
    type Step = fn(&DatasetWriter);
    let steps: [(&str, Step); 4] = [
        ("while a part is written", |writer| {
            let _ = ManuallyDrop::new(attempt(writer, 7, 90..99));
        }),
        ("before the rename", |writer| {
            // The file is complete, but still has the name of an attempt.
            let mut part = attempt(writer, 7, 90..99);
            part.write(&ids_batch(99..100)).unwrap();
            let _ = ManuallyDrop::new(part);
        }),
        ("after the rename", |writer| drop(part(writer, 7, 90..99))),
        ("while the manifest is written", |writer| {
            drop(part(writer, 7, 90..99));
            let manifests = writer.root.with_file_name("_data.manifests");
            let whole = fs::read(manifests.join("00000000000000000001.arrow")).unwrap();
            fs::write(manifests.join(format!("_attempt-{:016x}-0000000000000000", writer.id)), &whole[..99])
                .unwrap();
        }),
    ];
    // The test program starts itself, and ends without running destructors.
    if let Ok(asked) = std::env::var(STEP) {
        let [step, id, root] = asked.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        let writer = DatasetWriter { id: id.parse().unwrap(), ..begun(Path::new(root), WriteMode::Append) };
        steps[step.parse::<usize>().unwrap()].1(&writer);
        std::process::abort();
    }
    for (position, (when, _)) in steps.into_iter().enumerate() {
        let folder = Folder::new();
        let (root, manifests) = places(&folder);
        committed(&root);
        let writer = begun(&root, WriteMode::Append);
        let name = "writes::a_process_that_is_killed_leaves_the_set_as_it_was_or_complete";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", name]).env(STEP, format!("{position} {} {}", writer.id, root.display()));
        assert!(!child.output().unwrap().status.success(), "{when}");
        // The unfinished files still exist.
        let is_left = |name: &String| name.contains(&format!("{:016x}", writer.id));
        let n_left =
            [&root, &manifests].map(|folder| names_in(folder).iter().filter(|name| is_left(name)).count());
        assert_eq!(n_left, [[0, 2], [0, 2], [1, 1], [1, 2]][position], "{when}");
        assert_eq!(rows(&root), numbers(0..5), "{when}");
        // Leftover files do not disturb another process that writes the same rows, as the same writer or as a new one.
        for writer in [writer, begun(&root, WriteMode::Append)] {
            let before = rows(&root).len();
            writer.commit([part(&writer, 8, 5..7)]).unwrap();
            assert_eq!(rows(&root).len(), before + 2, "{when}");
        }
    }
}

#[test]
fn an_attempt_that_loses_gives_the_part_of_the_first() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    let writer = begun(&root, WriteMode::Create);
    let [first, second] = [attempt(&writer, 0, 0..3), attempt(&writer, 0, 0..3)];
    let (second, first) = (second.finish().unwrap(), first.finish().unwrap());
    assert_eq!(first, second);
    assert_eq!(names_in(&root).len(), 1);
    writer.commit([first]).unwrap();
    // A part that is written again after the commit returns an error, because its rows would be in no set.
    let error = attempt(&writer, 0, 70..99).finish().unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::Committed), "{error}");
    // The writer has a mark again, which the next `expire` removes.
    assert_eq!(rows(&root), numbers(0..3));
    assert!(matches!(&names_in(&manifests)[..], [_, mark] if mark.starts_with("_writer-")));
}

#[test]
fn of_two_commits_at_once_one_is_told() {
    for mode in [WriteMode::Replace, WriteMode::Create] {
        let folder = Folder::new();
        let (root, _) = places(&folder);
        let [first, second] = [begun(&root, mode), begun(&root, mode)];
        let parts = [part(&first, 0, 0..3), part(&second, 0, 70..80)];
        let [of_first, of_second] = parts;
        second.commit([of_second]).unwrap();
        let error = first.commit([of_first]).unwrap_err();
        assert_eq!(
            folder.text_of(&error),
            "data: another commit came first: the data set has version 1, and this commit was based on version 0"
        );
        assert_eq!(rows(&root), numbers(70..80));
        first.abort();
        assert_eq!((rows(&root), names_in(&root).len()), (numbers(70..80), 1));
    }
    // Appends are committed one after the other. A repeated commit adds its rows once.
    let folder = Folder::new();
    let (root, _) = places(&folder);
    committed(&root);
    let [first, second] = [begun(&root, WriteMode::Append), begun(&root, WriteMode::Append)];
    let of_second = part(&second, 0, 5..7);
    assert_eq!(second.commit([of_second.clone()]).unwrap().version(), 2);
    assert_eq!(second.commit([of_second]).unwrap().version(), 2);
    assert_eq!(first.commit([part(&first, 0, 7..9)]).unwrap().version(), 3);
    assert_eq!(rows(&root), numbers(0..9));
}

#[test]
fn threads_that_commit_at_once_lose_nothing() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    committed(&root);
    let commit = |thread: i64| {
        for round in 0..5 {
            let writer = begun(&root, WriteMode::Append);
            let first = 100 + thread * 50 + round * 10;
            let written = part(&writer, 0, first..first + 10);
            writer.commit([written]).unwrap();
        }
    };
    std::thread::scope(|scope| {
        let threads = [0, 1, 2].map(|thread| scope.spawn(move || commit(thread)));
        for thread in threads {
            thread.join().unwrap();
        }
    });
    let mut found: Vec<i64> = rows(&root).iter().map(|id| id.parse().unwrap()).collect();
    found.sort_unstable();
    assert_eq!(found, (0..5).chain(100..250).collect::<Vec<i64>>());
    assert_eq!(names_in(&manifests).len(), 16);
}

#[test]
fn readers_take_what_the_manifest_names() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    committed(&root);
    folder.write_ids("data/zz-foreign.arrow", 70..99);
    folder.write("data/broken.arrow", b"no Arrow data");
    assert_eq!(rows(&root), numbers(0..5));
    // If the input is an outer folder, the inner set is still read by its manifest.
    folder.write_ids("aa.arrow", [-1]);
    assert_eq!(rows(folder.path()), numbers(-1..5));
    // A copy of a file can replace the file.
    for path in Dataset::open([&root]).unwrap().files().iter().map(|file| file.path().to_owned()) {
        let copy = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        fs::write(&path, copy).unwrap();
    }
    assert_eq!(rows(&root), numbers(0..5));
}

#[test]
fn parts_that_are_not_what_the_manifest_names_are_refused() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 5] = [
        ("missing", |path| fs::remove_file(path).unwrap()),
        ("cut", |path| fs::write(path, &fs::read(path).unwrap()[..300]).unwrap()),
        ("longer", |path| {
            fs::write(path, [&fs::read(path).unwrap()[..], b"\0\0\0\0\0\0\0\0"].concat()).unwrap()
        }),
        ("another file", |path| fs::write(path, file_of(&[ids_batch(7..9)])).unwrap()),
        ("another part of the same length", |path| {
            let mut bytes = fs::read(path).unwrap();
            let key = b"arrow-ipc.part";
            let at = bytes.windows(key.len()).position(|found| found == key).unwrap();
            let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
            // The value may be before its key in the file.
            let ids = |bytes: &[u8]| bytes.windows(16).position(|found| found.iter().all(is_digit)).unwrap();
            let id = at.saturating_sub(100) + ids(&bytes[at.saturating_sub(100)..]);
            bytes[id..id + 16].copy_from_slice(b"0123456789abcdef");
            fs::write(path, bytes).unwrap();
        }),
    ];
    for (what, change) in changes {
        let folder = Folder::new();
        let (root, _) = places(&folder);
        let manifest = committed(&root);
        change(manifest.files()[1].path());
        // The set can be opened, because opening reads only the manifest.
        let set = Dataset::open([&root]).unwrap();
        assert_eq!(set.n_rows(), 5);
        let (found, error) = all_rows(set.read().unwrap()).expect_err(what);
        assert_eq!(found, numbers(0..3), "{what}");
        assert!(folder.text_of(&error).starts_with("data/part-"), "{what}: {error}");
        // A commit with this part is refused, too.
        let name = manifest.files()[1].path().file_name().unwrap().to_str().unwrap().to_owned();
        let writer = begun(&root, WriteMode::Replace);
        let gone = WrittenPart { path: name, id: 1, n_bytes: 2, n_rows: 2 };
        assert!(writer.commit([gone]).is_err(), "{what}");
    }
}

#[test]
fn bounds_in_the_manifest_leave_out_parts() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let writer = begun(&root, WriteMode::Create);
    // Each part is long enough to have room for statistics.
    let parts: Vec<WrittenPart> =
        (0..4).map(|task| part(&writer, task as u64, task * 50_000..(task + 1) * 50_000)).collect();
    writer.commit(parts).unwrap();
    let tasks = |options: &DatasetOptions, condition: &str| {
        let set = Dataset::open_with([&root], options).unwrap();
        let set = set.with_predicate(condition.parse().unwrap()).unwrap();
        (set.split(1).len(), set.count().unwrap())
    };
    let (trusting, careful) = (DatasetOptions::new().trusting_statistics(), DatasetOptions::new());
    assert_eq!(tasks(&trusting, "id >= 125000 and id < 125010"), (1, 10));
    assert_eq!(tasks(&trusting, "id is null"), (0, 0));
    assert_eq!(tasks(&trusting, "id in (5, 199999)"), (2, 2));
    assert_eq!(tasks(&careful, "id >= 125000 and id < 125010"), (4, 10));
    // The next commit copies the bounds of earlier commits.
    let writer = begun(&root, WriteMode::Append);
    writer.commit([part(&writer, 0, 200_000..250_000)]).unwrap();
    assert_eq!(tasks(&trusting, "id >= 199990 and id < 200010"), (2, 20));
}

#[test]
fn folders_of_parts_are_columns() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let writer = begun(&root, WriteMode::Create);
    let parts = [("day=1/city=Oslo", 0..2), ("day=2/city=%3D %27", 2..4)].map(|(place, ids)| {
        let mut part = writer.part(0, place, WriteOptions::new()).unwrap();
        part.write(&ids_batch(ids)).unwrap();
        part.finish().unwrap()
    });
    let manifest = writer.commit(parts).unwrap();
    assert_eq!(manifest.schema().to_string(), "id: int64\nday: int64\ncity: utf8");
    assert_eq!(rows(&root), ["0,1,Oslo", "1,1,Oslo", "2,2,= '", "3,2,= '"]);
    let set = Dataset::open([&root]).unwrap().with_predicate("day = 2".parse().unwrap()).unwrap();
    assert_eq!((set.split(1).len(), set.count().unwrap()), (1, 2));
    // The types of folder columns do not change.
    let writer = begun(&root, WriteMode::Append);
    let mut part = writer.part(0, "day=x/city=Rome", WriteOptions::new()).unwrap();
    part.write(&ids_batch(0..1)).unwrap();
    let part = part.finish().unwrap();
    let error = writer.commit([part]).unwrap_err();
    assert!(
        error.to_string().contains("the value \"x\" in the name of the folder is not of type int64"),
        "{error}"
    );
    let other =
        "the name of the folder contains column \"zip\", which the other folders of the data set do not have";
    let none = "column \"city\" has its values in the names of folders";
    for (task, place, expected) in
        [(1, "day=3/city=Rome/zip=1", other), (2, "day=3", none), (3, "day=3/zip=4", none)]
    {
        let mut part = writer.part(task, place, WriteOptions::new()).unwrap();
        part.write(&ids_batch(0..1)).unwrap();
        let error = writer.commit([part.finish().unwrap()]).unwrap_err();
        assert!(error.to_string().contains(expected), "{place}: {error}");
    }
    assert_eq!(rows(&root).len(), 4);
    // The first parts of a set must have the same columns.
    let writer = begun(&folder.path().join("mixed"), WriteMode::Create);
    let parts = ["day=1", ""].map(|place| {
        let mut part = writer.part(0, place, WriteOptions::new()).unwrap();
        part.write(&ids_batch(0..1)).unwrap();
        part.finish().unwrap()
    });
    let error = writer.commit(parts).unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::NoFolder(name) if name == "day"), "{error}");
    for place in ["..", "a/../..", "/etc", "a//b", "./a", "a/"] {
        let error = writer.part(0, place, WriteOptions::new()).unwrap_err();
        assert!(matches!(error.kind(), DatasetErrorKind::PartPath(_)), "{place}: {error}");
    }
}

/// The shell limits the length of files, which has the effect of a full disk. The test program starts itself.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_set_as_it_was() {
    const ROOT: &str = "ARROW_IPC_TEST_FULL_DISK";
    if let Some(root) = std::env::var_os(ROOT) {
        let writer = begun(Path::new(&root), WriteMode::Append);
        let mut long = writer.part(0, "", WriteOptions::new()).unwrap();
        let failed = long.write(&ids_batch(0..100_000)).unwrap_err();
        assert!(failed.to_string().contains("_data.manifests/_attempt-"), "{failed}");
        assert!(long.finish().is_err());
        // The manifest is longer than the remaining space.
        let parts: Vec<WrittenPart> = (1..40).map(|task| part(&writer, task, 0..1)).collect();
        let failed = writer.commit(parts).unwrap_err();
        assert!(failed.to_string().contains("_data.manifests/00000000000000000002.arrow"), "{failed}");
        writer.abort();
        // The first append to a folder of plain files.
        let (writer, below) = DatasetWriter::appending_to(&Path::new(&root).with_file_name("plain")).unwrap();
        let mut long = writer.part(0, &below, WriteOptions::new()).unwrap();
        assert!(long.write(&ids_batch(0..100_000)).is_err());
        drop(long);
        writer.abort();
        return;
    }
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    committed(&root);
    folder.write_ids("plain/a.arrow", 0..3);
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let name = "writes::a_full_disk_leaves_the_set_as_it_was";
    let mut child = std::process::Command::new("sh");
    child.args(["-c", limited]).arg(std::env::current_exe().unwrap()).args(["--exact", name, "--nocapture"]);
    let output = child.env(ROOT, &root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(rows(&root), numbers(0..5));
    assert_eq!((names_in(&root).len(), names_in(&manifests).len()), (2, 1));
    assert_eq!(names_in(folder.path()), ["_data.manifests", "data", "plain"]);
}

/// A first commit does not include parts of other writers, which have not committed or were killed.
#[test]
fn first_commits_at_once_lose_and_double_nothing() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    folder.write_ids("data/plain.arrow", 0..2);
    let [first, second, third] =
        [begun(&root, WriteMode::Append), begun(&root, WriteMode::Append), begun(&root, WriteMode::Append)];
    let of_first = part(&first, 0, 2..4);
    part(&second, 0, 70..80);
    let of_third = part(&third, 0, 4..6);
    first.commit([of_first]).unwrap();
    second.abort();
    third.commit([of_third]).unwrap();
    assert_eq!(rows(&root), numbers(0..6));

    // A process is killed before the first commit of a set.
    let folder = Folder::new();
    let (root, _) = places(&folder);
    part(&begun(&root, WriteMode::Create), 0, 70..80);
    committed(&root);
    assert_eq!(rows(&root), numbers(0..5));
}

/// A part that is committed twice is counted once, even after it was joined with others.
#[test]
fn parts_are_named_once() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    committed(&root);
    let writer = begun(&root, WriteMode::Append);
    let [one, two] = [part(&writer, 0, 5..7), part(&writer, 1, 7..9)];
    writer.commit([one.clone(), one.clone()]).unwrap();
    writer.commit([one.clone(), two.clone()]).unwrap();
    assert_eq!(rows(&root), numbers(0..9));
    assert_eq!(compact(&root, &CompactOptions::default()).unwrap().n_after, 1);
    assert_eq!(writer.commit([two, one]).unwrap().version(), 4);
    assert_eq!((rows(&root), names_in(&manifests).len()), (numbers(0..9), 4));
    // Older manifests name the files of the writer.
    let n_files = names_in(&root).len();
    writer.abort();
    assert_eq!(names_in(&root).len(), n_files);
}

#[test]
fn a_replacement_is_told_of_commits_that_expired() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    committed(&root);
    let slow = begun(&root, WriteMode::Replace);
    let written = part(&slow, 0, 70..80);
    let quick = begun(&root, WriteMode::Append);
    quick.commit([part(&quick, 0, 5..7)]).unwrap();
    compact(&root, &CompactOptions::default()).unwrap();
    expire(&root, &ExpireOptions::default()).unwrap();
    let error = slow.commit([written]).unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::Conflict { .. }), "{error}");
    assert_eq!((rows(&root), versions_left(&manifests)), (numbers(0..7), 1));
}

/// A folder or pattern inside a set has rows of the set. Uncommitted parts have none.
#[test]
fn parts_of_a_set_are_read_as_it_has_them() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let writer = begun(&root, WriteMode::Create);
    let parts = [(0, 0..3), (1, 3..5)].map(|(task, ids)| {
        let mut part = writer.part(task, "day=1", WriteOptions::new()).unwrap();
        part.write(&ids_batch(ids)).unwrap();
        part.finish().unwrap()
    });
    let inputs = ["data", "data/day=1", "data/**/*.arrow", "d*", "data/*", "**"];
    let n_rows = |input: &str| match folder.open(&[input]) {
        Ok(set) => set.n_rows(),
        Err(error) => {
            assert!(matches!(error.kind(), DatasetErrorKind::NoFiles), "{input}: {error}");
            0
        }
    };
    inputs.iter().for_each(|input| assert_eq!(n_rows(input), 0, "{input}"));
    writer.commit(parts).unwrap();
    compact(&root, &CompactOptions::default()).unwrap();
    inputs.iter().for_each(|input| assert_eq!(n_rows(input), 5, "{input}"));
    assert_eq!(names_in(&root.join("day=1")).len(), 3);
}
