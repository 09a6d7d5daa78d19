//! Writers of data sets: killed processes, tasks that run twice, and writers that commit at the same time.

use std::{
    fs, io,
    mem::ManuallyDrop,
    path::{Path, PathBuf},
    process::Command,
};

use arrow_array::{DictionaryBuilder, Utf8Builder};
use arrow_data::RecordBatch;
use arrow_ipc::{AtomicFile, WriteOptions};
use arrow_ipc_dataset::{
    Dataset, DatasetError, DatasetErrorKind as Kind, DatasetOptions, DatasetWriter, PartWriter, WrittenPart,
};

use super::support::{Folder, ids_batch, rows_of_set, texts};

fn new_writer(root: &Path) -> DatasetWriter {
    DatasetWriter::create(root, ids_batch([]).schema().clone()).unwrap()
}

fn unfinished(writer: &DatasetWriter, folder: &str, ids: impl IntoIterator<Item = i64>) -> PartWriter {
    let mut part = writer.part(folder, WriteOptions::new()).unwrap();
    part.write(&ids_batch(ids)).unwrap();
    part
}

fn part(writer: &DatasetWriter, folder: &str, ids: impl IntoIterator<Item = i64>) -> WrittenPart {
    unfinished(writer, folder, ids).finish().unwrap()
}

fn rows(root: &Path) -> Result<Vec<String>, DatasetError> {
    Dataset::open([root]).map(|set| rows_of_set(&set))
}

fn numbers(ids: impl IntoIterator<Item = i64>) -> Vec<String> {
    ids.into_iter().map(|id| id.to_string()).collect()
}

/// The paths of all files and folders below a folder.
fn all_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        found.extend(all_below(&path));
        found.push(path);
    }
    found.sort();
    found
}

fn is_absent(found: Result<Vec<String>, DatasetError>) -> bool {
    let error = found.unwrap_err();
    matches!(error.kind(), Kind::NoFiles)
        || matches!(error.kind(), Kind::Io(error) if error.kind() == io::ErrorKind::NotFound)
}

#[test]
fn parts_are_read_after_the_commit_in_its_order() {
    for is_there in [false, true] {
        let folder = Folder::new();
        let root = folder.path().join("new/data");
        if is_there {
            fs::create_dir_all(&root).unwrap();
        }
        let writer = new_writer(&root);
        let [second, first] = [part(&writer, "", 3..5), part(&writer, "", 0..3)];
        // A task that ran again, and a part that is written while others are committed.
        part(&writer, "", 0..3);
        let late = unfinished(&writer, "day=1", 0..3);
        assert_eq!((first.n_rows, second.n_rows), (3, 2));
        for input in [&root, folder.path(), &folder.path().join("**")] {
            assert!(is_absent(rows(input)), "{input:?}");
        }
        writer.commit([first.clone(), second, first.clone()]).unwrap();
        for input in [&root, folder.path(), &folder.path().join("**")] {
            assert_eq!(rows(input).unwrap(), numbers(0..5), "{input:?}");
        }
        assert_eq!(all_below(root.parent().unwrap()).len(), 3);
        for error in [
            late.finish().unwrap_err(),
            writer.part("", WriteOptions::new()).unwrap_err(),
            writer.part("day=1", WriteOptions::new()).unwrap_err(),
            writer.commit([first]).unwrap_err(),
        ] {
            assert!(matches!(error.kind(), Kind::Committed), "{error}");
        }
        assert_eq!(all_below(root.parent().unwrap()).len(), 3);
    }
}

/// A writer that was killed while it began may have left an empty folder.
#[test]
fn what_a_killed_writer_left_is_removed() {
    let folder = Folder::new();
    let root = folder.path().canonicalize().unwrap().join("data");
    let left = AtomicFile::temporary_paths(&root.join("data")).next().unwrap();
    fs::create_dir_all(&left).unwrap();
    let writer = new_writer(&root);
    writer.commit([part(&writer, "", 0..3)]).unwrap();
    assert_eq!(rows(&root).unwrap(), numbers(0..3));
    assert_eq!(all_below(folder.path()).len(), 2);
}

/// New files are added to a data set in a folder of their own.
#[test]
fn a_folder_inside_a_data_set_adds_rows() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    folder.write_ids("data/day=1/a.arrow", 0..3);
    let writer = new_writer(&root.join("day=2"));
    let parts = [part(&writer, "", 3..5), part(&writer, "", 5..6)];
    assert_eq!(rows(&root).unwrap(), ["0,1", "1,1", "2,1"]);
    writer.commit(parts).unwrap();
    assert_eq!(rows(&root).unwrap(), ["0,1", "1,1", "2,1", "3,2", "4,2", "5,2"]);
}

/// A process is killed while it writes a part, or after it. The data set is complete after the commit, and without the
/// rows of that process.
#[test]
fn a_killed_process_leaves_nothing_that_is_read() {
    const STEP: &str = "ARROW_IPC_TEST_KILLED_STEP";
    const STEPS: [fn(&DatasetWriter); 3] = [
        |writer| _ = ManuallyDrop::new(unfinished(writer, "", 90..99)),
        |writer| _ = ManuallyDrop::new(unfinished(writer, "day=1", 90..99)),
        |writer| drop(part(writer, "", 90..99)),
    ];
    // The test program starts itself, and ends without running destructors.
    if let Ok(arguments) = std::env::var(STEP) {
        let [step, root, staging] = arguments.splitn(3, '\n').collect::<Vec<_>>().try_into().unwrap();
        let schema = ids_batch([]).schema().clone();
        let writer = DatasetWriter { root: root.into(), staging: staging.into(), schema };
        STEPS[step.parse::<usize>().unwrap()](&writer);
        std::process::abort();
    }
    for step in 0..STEPS.len() {
        let folder = Folder::new();
        let root = folder.path().join("data");
        let writer = new_writer(&root);
        let first = part(&writer, "", 0..3);
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "writes::a_killed_process_leaves_nothing_that_is_read"]);
        child.env(STEP, format!("{step}\n{}\n{}", writer.root.display(), writer.staging.display()));
        assert!(!child.output().unwrap().status.success());
        let n_left = all_below(&writer.staging).iter().filter(|path| path.is_file()).count();
        assert_eq!(n_left, 2, "{step}");
        assert!(is_absent(rows(&root)));
        writer.commit([first, part(&writer, "", 3..5)]).unwrap();
        assert_eq!(rows(&root).unwrap(), numbers(0..5), "{step}");
        assert_eq!(all_below(folder.path()).len(), 3, "{step}");
    }
}

#[test]
fn one_of_two_simultaneous_commits_fails() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let [first, second] = [new_writer(&root), new_writer(&root)];
    let [first_part, second_part] = [part(&first, "", 0..3), part(&second, "", 70..80)];
    second.commit([second_part]).unwrap();
    let error = first.commit([first_part.clone()]).unwrap_err();
    assert!(error.to_string().contains("the folder is not empty"), "{error}");
    assert_eq!(rows(&root).unwrap(), numbers(70..80));
    // The parts can be committed elsewhere.
    let elsewhere = DatasetWriter { root: folder.path().canonicalize().unwrap().join("other"), ..first };
    elsewhere.commit([first_part]).unwrap();
    assert_eq!(rows(&elsewhere.root).unwrap(), numbers(0..3));
}

/// A part that is passed twice is one part, whatever its other fields say.
#[test]
fn parts_are_repeated_if_their_paths_are() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let writer = new_writer(&root);
    let first = part(&writer, "", 0..3);
    let again = WrittenPart { n_rows: 7, ..first.clone() };
    writer.commit([first, again]).unwrap();
    assert_eq!(rows(&root).unwrap(), numbers(0..3));
}

#[test]
fn parts_are_moved_back_if_one_of_them_cannot_be_moved() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let writer = new_writer(&root);
    // The folder of the second part has the name of the first file.
    let parts = [part(&writer, "", 0..3), part(&writer, "part-00000000.arrow", 3..5)];
    let before = all_below(&writer.staging);
    for _ in 0..2 {
        let error = writer.commit(parts.clone()).unwrap_err();
        assert!(matches!(error.kind(), Kind::Io(_)), "{error}");
        assert!(is_absent(rows(&root)));
        assert_eq!(all_below(&writer.staging), before);
    }
    let [first, second] = parts;
    writer.commit([second, first]).unwrap();
    let mut found = rows(&root).unwrap();
    found.sort();
    assert_eq!(found, numbers(0..5));
}

#[test]
fn what_is_not_committed_is_removed() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let writer = new_writer(&root);
    let left = unfinished(&writer, "a/b", 0..3);
    drop(unfinished(&writer, "a/b", 0..3));
    assert_eq!(all_below(&writer.staging).len(), 3);
    let first = part(&writer, "", 0..3);
    writer.abort();
    assert!(all_below(folder.path()).is_empty());
    assert!(matches!(writer.commit([first]).unwrap_err().kind(), Kind::Committed));
    assert!(matches!(left.finish().unwrap_err().kind(), Kind::Committed));
    assert!(all_below(folder.path()).is_empty());
}

#[test]
fn parts_that_are_not_those_that_were_written_are_refused() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let writer = new_writer(&root);
    let [first, second] = [part(&writer, "", 0..3), part(&writer, "day=1", 3..5)];
    let longer = WrittenPart { n_bytes: first.n_bytes + 1, ..first.clone() };
    let absent = WrittenPart { path: "absent.arrow".to_owned(), ..first.clone() };
    for wrong in [longer, absent] {
        let error = writer.commit([second.clone(), wrong]).unwrap_err();
        assert!(matches!(error.kind(), Kind::MissingPart), "{error}");
        assert!(is_absent(rows(&root)));
    }
    for path in ["..", "../x", "a/../../x", "/etc", "a//b", "a/", ".", "a\0b"] {
        let error = writer.part(path, WriteOptions::new()).unwrap_err();
        assert!(matches!(error.kind(), Kind::PartPath(_)), "{path:?}: {error}");
        let wrong = WrittenPart { path: path.to_owned(), ..first.clone() };
        let error = writer.commit([wrong]).unwrap_err();
        assert!(matches!(error.kind(), Kind::PartPath(_)), "{path:?}: {error}");
    }
    writer.commit([first, second]).unwrap();
}

/// Readers would skip such folders, or refuse the data set. Escaped names are read.
#[test]
fn parts_are_in_no_folder_that_readers_do_not_read() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let writer = new_writer(&root);
    let marks = ["arrow-ipc-incomplete", "arrow-ipc-incomplete.arrow", "a=1/arrow-ipc-incomplete"];
    for path in ["_year=2024", ".x", "a=1/_b=2", "_", "..."].into_iter().chain(marks) {
        let error = writer.part(path, WriteOptions::new()).unwrap_err();
        assert!(matches!(error.kind(), Kind::PartPath(_)), "{path:?}: {error}");
        assert!(error.to_string().contains("%5F"), "{error}");
    }
    for path in ["a=1/a=2", "b/a=1/%61=2", "a=%FF"] {
        let error = writer.part(path, WriteOptions::new()).unwrap_err();
        assert!(
            matches!(error.kind(), Kind::RepeatedPartition(_) | Kind::PartitionName(_)),
            "{path:?}: {error}"
        );
    }
    let parts = [part(&writer, "%5Fyear=2024", 0..2), part(&writer, "%5Fyear=2025/a_b=.c", 2..3)];
    writer.commit(parts).unwrap();
    assert_eq!(Dataset::open([&root]).unwrap().schema().to_string(), "id: int64\n_year: int64\na_b: utf8");
    assert_eq!(rows(&root).unwrap(), ["0,2024,null", "1,2024,null", "2,2025,.c"]);
}

/// The hidden folder has a longer name than the new one, and names have at most 255 bytes.
#[test]
#[cfg(target_os = "linux")]
fn folders_with_long_names_are_written() {
    for (n_bytes, character) in
        (225..=255).map(|n_bytes| (n_bytes, "a")).chain([(254, "é"), (255, "\u{20ac}")])
    {
        let folder = Folder::new();
        let root = folder.path().join(character.repeat(n_bytes / character.len()));
        let writer = new_writer(&root);
        let name = writer.staging.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with('.') && name.ends_with(".parts"), "{name}");
        writer.commit([part(&writer, "", 0..3)]).unwrap();
        assert_eq!(rows(&root).unwrap(), numbers(0..3), "{n_bytes}");
        assert_eq!(all_below(folder.path()).len(), 2);
    }
}

/// A bind mount has the file system of the folder above it, but nothing can be moved across its border.
#[test]
#[cfg(target_os = "linux")]
fn parts_do_not_cross_a_mount_point() {
    const FOLDER: &str = "ARROW_IPC_TEST_MOUNTED_FOLDER";
    // The test program starts itself where it may mount folders. These mounts end with it.
    let Some(folder) = std::env::var_os(FOLDER) else {
        let may_mount = Command::new("unshare").args(["-rm", "true"]).status();
        if !may_mount.is_ok_and(|status| status.success()) {
            // Not by `println!`, which shows nothing if the test passes.
            return io::Write::write_all(
                &mut io::stderr(),
                b"SKIPPED: `unshare -rm` may not mount folders\n",
            )
            .unwrap();
        }
        let folder = Folder::new();
        for set in ["inside/set", "beside/set"] {
            folder.write_ids(&format!("{set}/day=1/a.arrow"), 0..3);
        }
        fs::create_dir_all(folder.path().join("itself")).unwrap();
        let mount = r#"cd "$1" && for name in inside/set itself; do mount --bind $name $name; done && shift && exec "$@""#;
        let mut child = Command::new("unshare");
        child.args(["-rm", "sh", "-c", mount, "sh"]).arg(folder.path());
        child.arg(std::env::current_exe().unwrap());
        child.args(["--exact", "writes::parts_do_not_cross_a_mount_point"]).env(FOLDER, folder.path());
        let output = child.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        return;
    };
    let folder = Path::new(&folder).canonicalize().unwrap();
    // The hidden folder cannot be above the data set if the data set is a mount point.
    for (set, above) in [("inside/set", "inside/set"), ("beside/set", "beside")] {
        let set = folder.join(set);
        for (name, is_there) in [("day=2", false), ("day=3", true)] {
            if is_there {
                fs::create_dir(set.join(name)).unwrap();
            }
            let writer = new_writer(&set.join(name));
            assert_eq!(writer.staging.parent(), Some(&*folder.join(above)));
            writer.commit([part(&writer, "", 3..5)]).unwrap();
        }
        assert_eq!(rows(&set).unwrap(), ["0,1", "1,1", "2,1", "3,2", "4,2", "3,3", "4,3"]);
        assert_eq!(fs::read_dir(&set).unwrap().count(), 3);
        assert_eq!(fs::read_dir(set.parent().unwrap()).unwrap().count(), 1);
    }
    let error = DatasetWriter::create(&folder.join("itself"), ids_batch([]).schema().clone()).unwrap_err();
    assert!(matches!(error.kind(), Kind::MountPoint), "{error}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    assert_eq!(fs::read_dir(folder.join("itself")).unwrap().count(), 0);
}

#[test]
fn folders_and_schemas_that_cannot_be_written_are_refused() {
    let folder = Folder::new();
    folder.write("full/x", b"of others");
    folder.write("file", b"");
    let schema = || ids_batch([]).schema().clone();
    let error = DatasetWriter::create(&folder.path().join("full"), schema()).unwrap_err();
    assert!(matches!(error.kind(), Kind::NotEmpty), "{error}");
    DatasetWriter::create(&folder.path().join("file"), schema()).unwrap_err();
    let ids = ids_batch(0..2).columns()[0].clone();
    let twice = RecordBatch::try_from_columns([("x", ids.clone()), ("x", ids)]).unwrap();
    let error = DatasetWriter::create(&folder.path().join("new"), twice.schema().clone()).unwrap_err();
    assert!(matches!(error.kind(), Kind::Column(_)), "{error}");
    assert_eq!(all_below(folder.path()).len(), 3);
    let writer = new_writer(&folder.path().join("new"));
    let other = RecordBatch::try_from_columns([("name", texts(&["ada"]))]).unwrap();
    let error = unfinished(&writer, "", 0..1).write(&other).unwrap_err();
    assert!(matches!(error.kind(), Kind::PartSchema(_)), "{error}");
}

/// A limit of the message length splits batches; the statistics are those of the batches of the file.
#[test]
fn statistics_belong_to_the_batches_of_the_file() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let writer = DatasetWriter::create(&root, ids_batch([]).schema().clone()).unwrap();
    let mut part = writer.part("", WriteOptions::new().with_max_message_bytes(100_000)).unwrap();
    part.write(&ids_batch(0..40_000)).unwrap();
    let part = part.finish().unwrap();
    assert_eq!(part.n_rows, 40_000);
    writer.commit([part]).unwrap();
    let set = Dataset::open_with([&root], DatasetOptions::new().with_trusted_statistics()).unwrap();
    assert!(set.bounds("id").unwrap().iter().all(|known| known.min.is_some()));
    let file = all_below(&root).pop().unwrap();
    let reader = arrow_ipc::FileReader::open(file).unwrap();
    assert_eq!(reader.n_batches(), 4);
    let statistics = arrow_ipc_statistics::FileStatistics::from_footer(reader.footer()).unwrap();
    assert_eq!(statistics.n_batches(), 4);
}

/// A writer that continues after a refused batch has the statistics of the written batches.
#[test]
fn batches_that_are_not_written_have_no_statistics() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let batch = |ids: std::ops::Range<i64>, word: &str| {
        let mut words =
            DictionaryBuilder::try_new(arrow_schema::IndexType::Int8, Utf8Builder::new()).unwrap();
        ids.clone().for_each(|_| words.append(word));
        let ids = ids_batch(ids).columns()[0].clone();
        RecordBatch::try_from_columns([("id", ids), ("word", words.finish().unwrap().into())]).unwrap()
    };
    let writer = DatasetWriter::create(&root, batch(0..1, "ada").schema().clone()).unwrap();
    let mut part = writer.part("", WriteOptions::new()).unwrap();
    part.write(&batch(0..20_000, "ada")).unwrap();
    // In a file, a field has one dictionary.
    part.write(&batch(70_000..90_000, "grace")).unwrap_err();
    part.write(&batch(20_000..40_000, "ada")).unwrap();
    let part = part.finish().unwrap();
    assert_eq!(part.n_rows, 40_000);
    writer.commit([part]).unwrap();
    let set = Dataset::open_with([&root], DatasetOptions::new().with_trusted_statistics()).unwrap();
    assert!(set.bounds("id").unwrap().iter().all(|known| known.min.is_some()));
    let set = set.with_predicate("id >= 20000".parse().unwrap()).unwrap();
    assert_eq!(set.count().unwrap(), 20_000);
}
