//! Folders with files that become data sets, and rows that are appended to such sets.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use arrow_ipc::WriteOptions;
use arrow_ipc_dataset::{
    CompactOptions, Dataset, DatasetErrorKind, DatasetOptions, DatasetWriter, ExpireOptions, WriteMode,
    compact, expire, unnamed_files,
};

use super::{
    support::{Folder, file_of, ids_batch},
    writes::{begun, names_in, numbers, part, places, rows},
};

#[test]
fn files_without_a_manifest_become_parts() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    folder.write_ids("data/a.arrow", 0..2);
    folder.write_ids("data/b.arrow", 2..4);
    let writer = begun(&root, WriteMode::Append);
    writer.commit([part(&writer, 0, 4..6)]).unwrap();
    assert_eq!(rows(&root), numbers(0..6));
    folder.write_ids("data/c.arrow", 2..4);
    assert_eq!(rows(&root), numbers(0..6));
    // A copy has another modification time.
    for name in names_in(&root) {
        let (from, to) = (root.join(&name), folder.path().join("copied").join(&name));
        folder.write(&format!("copied/{name}"), &fs::read(&from).unwrap());
        fs::File::options()
            .write(true)
            .open(to)
            .unwrap()
            .set_modified(std::time::SystemTime::UNIX_EPOCH)
            .unwrap();
    }
    fs::rename(root.with_file_name("_data.manifests"), root.with_file_name("_copied.manifests")).unwrap();
    let copied = folder.path().join("copied");
    assert_eq!(rows(&copied), numbers(0..6));
    // Conditions that read the footers, and the next commit, work on the copy, too.
    let trusting = Dataset::open_with([&copied], &DatasetOptions::new().trusting_statistics()).unwrap();
    assert_eq!(trusting.with_predicate("id > 1".parse().unwrap()).unwrap().count().unwrap(), 4);
    let writer = begun(&copied, WriteMode::Append);
    writer.commit([part(&writer, 0, 6..9)]).unwrap();
    assert_eq!(rows(&copied), numbers(0..9));
    assert_eq!(compact(&copied, &CompactOptions::default()).unwrap().n_after, 1);
    assert_eq!(rows(&copied), numbers(0..9));
}

/// A file that became a part unchanged is recognized by its length and the lengths of its batches.
#[test]
fn files_with_other_batches_are_not_those_that_became_parts() {
    let batches = [ids_batch(0..100), ids_batch(100..101)];
    let folder = Folder::new();
    let (root, _) = places(&folder);
    folder.write("data/a.arrow", &file_of(&batches));
    begun(&root, WriteMode::Append).commit([]).unwrap();
    assert_eq!(rows(&root), numbers(0..101));
    for (other, is_as_long) in [
        (file_of(&[ids_batch(0..1), ids_batch(1..101)]), true),
        (file_of(&batches[..1]), false),
        ([file_of(&batches), vec![0; 8]].concat(), false),
    ] {
        assert_eq!(other.len() == file_of(&batches).len(), is_as_long);
        folder.write("data/a.arrow", &other);
        let error = Dataset::open([&root]).unwrap().read().expect_err("another file");
        assert!(matches!(error.kind(), DatasetErrorKind::Changed { .. }), "{error}");
    }
}

/// The caller of an append names the top folder of the set. If folders name columns, the caller names one of these
/// folders.
#[test]
fn sets_are_appended_to_by_their_folders() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let append = |place: &Path, ids: std::ops::Range<i64>| {
        let (writer, below) = DatasetWriter::appending_to(place).map_err(|error| folder.text_of(&error))?;
        let mut part = writer.part(0, &below, WriteOptions::new()).unwrap();
        part.write(&ids_batch(ids)).unwrap();
        Ok::<u64, String>(writer.commit([part.finish().unwrap()]).unwrap().version())
    };
    folder.write_ids("data/day=1/a.arrow", 0..2);
    let column = "column \"day\" has its values in the names of folders; append to one of these folders, or to a new folder with such a name";
    // Without a manifest, the top folder of the set is unknown.
    let unknown = "columns are in the names of folders, but no manifest marks the root of the data set, which may be data";
    for place in ["data", "data/day=1", "data/day=9"] {
        assert_eq!(append(&folder.path().join(place), 2..4).unwrap_err(), format!("{place}: {unknown}"));
    }
    assert_eq!(names_in(&root.with_file_name("_data.manifests")), [""; 0]);
    assert_eq!(names_in(&root), ["day=1"]);
    // The compaction has nothing to join, but it writes the first manifest.
    let compaction = compact(&root, &CompactOptions::default()).unwrap();
    assert_eq!((compaction.n_before, compaction.n_after, compaction.version), (1, 1, 1));
    assert!(compaction.is_first);
    assert!(!compact(&root, &CompactOptions::default()).unwrap().is_first);
    assert_eq!(append(&root, 2..4).unwrap_err(), format!("data: {column}"));
    assert_eq!(append(&root.join("day=1"), 2..4), Ok(2));
    assert_eq!(append(&root.join("day=2/x"), 4..6), Ok(3));
    assert_eq!(rows(&root), ["0,1", "1,1", "2,1", "3,1", "4,2", "5,2"]);
    fs::create_dir(root.join("other")).unwrap();
    assert_eq!(append(&root.join("other"), 0..1).unwrap_err(), format!("data/other: {column}"));
    assert!(append(&root.join("none"), 0..1).unwrap_err().starts_with("data/none: "));
    let typed = "data/day=x: the value \"x\" in the name of the folder is not of type int64";
    assert_eq!(append(&root.join("day=x"), 0..1).unwrap_err(), typed);
    assert!(!root.join("day=x").exists());
    for place in ["day=9/../../other", "day=9/../day=2"] {
        assert!(append(&root.join(place), 0..1).is_err(), "{place}");
    }
    let none = folder.path().join("none");
    fs::create_dir(&none).unwrap();
    assert!(append(&none, 0..1).unwrap_err().starts_with("none: no files"));
}

/// A folder above the set names a column, too. The appended rows have the value in its name.
#[test]
fn sets_below_folders_of_columns_are_appended_to() {
    let folder = Folder::new();
    let root = folder.path().join("env=8/data");
    folder.write_ids("env=8/data/a.arrow", 0..2);
    fs::create_dir_all(root.join("day=1")).unwrap();
    for version in 1..3 {
        let (writer, below) = DatasetWriter::appending_to(&root).unwrap();
        assert_eq!(below, "");
        let mut part = writer.part(0, &below, WriteOptions::new()).unwrap();
        part.write(&ids_batch(2..3)).unwrap();
        assert_eq!(writer.commit([part.finish().unwrap()]).unwrap().version(), version);
    }
    assert_eq!(rows(&root), ["0,8", "1,8", "2,8", "2,8"]);
    for (place, expected) in [
        (
            "day=1",
            "the name of the folder contains column \"day\", which the other folders of the data set do not have",
        ),
        ("env=9", "two folders of the path name column \"env\""),
    ] {
        let error = DatasetWriter::appending_to(&root.join(place)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// Another program writes a file into the folder after a compaction. The file stays, with any name, until it is
/// appended to the set.
#[test]
fn files_that_were_written_again_are_kept_and_named() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    for (name, start) in [("a", 0), ("b", 10), ("c", 20)] {
        folder.write_ids(&format!("data/{name}.arrow"), start..start + 10);
    }
    assert_eq!(unnamed_files(&root).unwrap(), [] as [PathBuf; 0]);
    assert_eq!(compact(&root, &CompactOptions::default()).unwrap().n_after, 1);
    assert_eq!(unnamed_files(&root).unwrap(), [] as [PathBuf; 0]);
    let paths = ["a", "b", "d"].map(|name| root.join(format!("{name}.arrow")));
    // `a` gets another length, `b` gets other values of the same length, and `d` is new.
    folder.write_ids("data/a.arrow", 500..600);
    folder.write_ids("data/b.arrow", 700..710);
    let later = SystemTime::now() + Duration::from_secs(5);
    fs::File::options().write(true).open(&paths[1]).unwrap().set_modified(later).unwrap();
    folder.write_ids("data/d.arrow", 900..910);
    assert_eq!(unnamed_files(&root).unwrap(), paths);
    for (pattern, n_files) in
        [("data/*.arrow", 3), ("*/[ad].arrow", 2), ("**", 3), ("data/c*", 0), ("[e]/*", 0)]
    {
        let unnamed = unnamed_files(&folder.path().join(pattern)).unwrap();
        let matching = paths.iter().filter(|path| n_files == 3 || !path.ends_with("b.arrow"));
        assert_eq!(unnamed, matching.take(n_files).cloned().collect::<Vec<_>>(), "{pattern}");
    }
    let expired = expire(&root, &ExpireOptions::default()).unwrap();
    assert_eq!((expired.n_files, expired.n_changed), (1, 2));
    assert_eq!(rows(&root), numbers(0..30));
    assert_eq!(unnamed_files(&root).unwrap(), paths);
    assert_eq!(paths.map(|path| rows(&path).len()), [100, 10, 10]);
}

/// A file is renamed to the name of a joined file. It has its own modification time, which may be before that of the
/// manifest.
#[test]
fn older_files_of_the_same_length_are_kept() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let writer = begun(&root, WriteMode::Create);
    let parts = [part(&writer, 0, 0..3), part(&writer, 1, 3..6)];
    let path_of_part = root.join(&parts[0].path);
    writer.commit(parts).unwrap();
    let small = |ranges: [std::ops::Range<i64>; 2]| file_of(&ranges.map(ids_batch));
    folder.write("plain/a.arrow", &small([0..100, 100..101]));
    folder.write("plain/b.arrow", &small([0..100, 100..101]));
    let plain = folder.path().join("plain");
    // A part of another set, and a file with the same batches in another order.
    let other = begun(&folder.path().join("other"), WriteMode::Create);
    let other = part(&other, 0, 7..10);
    let other = folder.path().join("other").join(other.path);
    folder.write("of_other_order.arrow", &small([0..1, 1..101]));
    for (root, from, to) in [
        (&root, &other, &path_of_part),
        (&plain, &folder.path().join("of_other_order.arrow"), &plain.join("a.arrow")),
    ] {
        compact(root, &CompactOptions::default()).unwrap();
        assert_eq!(fs::metadata(from).unwrap().len(), fs::metadata(to).unwrap().len());
        fs::rename(from, to).unwrap();
        let older = SystemTime::now() - Duration::from_secs(3600);
        fs::File::options().write(true).open(to).unwrap().set_modified(older).unwrap();
        let expired = expire(root, &ExpireOptions::default()).unwrap();
        assert_eq!((expired.n_files, expired.n_changed), (1, 1));
        assert!(to.exists());
    }
}
