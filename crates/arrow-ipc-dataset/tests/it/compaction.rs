//! Compactions, which join small parts.

use std::fs;

use arrow_array::{DictionaryBuilder, Scalar, Utf8Builder};
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, RowCounts, WriteOptions};
use arrow_ipc_dataset::{
    CompactOptions, Dataset, DatasetWriter, ExpireOptions, Manifest, WriteMode, WrittenPart, compact, expire,
};
use arrow_schema::{DataType, Field, Metadata, Schema};

use super::{
    support::{Folder, file_of, ids_batch, rows_of_set},
    writes::{begun, committed, names_in, numbers, places, rows, versions_left},
};

#[test]
fn small_parts_become_one_and_large_ones_stay() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    let writer = begun(&root, WriteMode::Create);
    let places = [
        ("", 0..2),
        ("", 2..4),
        ("", 4..30_000),
        ("a", 0..1),
        ("", 30_000..30_002),
        ("", 30_002..30_003),
        ("a", 1..2),
    ];
    let parts: Vec<WrittenPart> = places
        .into_iter()
        .enumerate()
        .map(|(task, (place, ids))| {
            let mut part = writer.part(task as u64, place, WriteOptions::new()).unwrap();
            part.write(&ids_batch(ids)).unwrap();
            part.finish().unwrap()
        })
        .collect();
    writer.commit(parts).unwrap();
    let planned = Dataset::open([&root]).unwrap();
    let options = CompactOptions { target_bytes: 100_000, n_threads: 2, ..CompactOptions::default() };
    let compaction = compact(&root, &options).unwrap();
    assert_eq!((compaction.n_before, compaction.n_after, compaction.version), (7, 4, 2));
    let set = Dataset::open([&root]).unwrap();
    let n_rows: Vec<u64> = set.files().iter().map(|file| file.n_rows()).collect();
    assert_eq!(n_rows, [4, 29_996, 2, 3]);
    assert_eq!(set.files()[0].n_batches(), 1);
    let mut expected: Vec<String> = numbers(0..30_000);
    expected.extend(numbers(0..2).into_iter().chain(numbers(30_000..30_003)));
    assert_eq!(rows(&root), expected);
    // A second compaction changes nothing. A data set that was opened before can still be read.
    assert_eq!(compact(&root, &options).unwrap().version, 2);
    assert_eq!(rows_of_set(&planned).len(), 30_005);
    // `expire` removes the files that only the old version names.
    let old = Manifest::at(&manifests.join("00000000000000000001.arrow")).unwrap().unwrap();
    fs::remove_file(old.files()[0].path()).unwrap();
    let expired = expire(&root, &ExpireOptions::default()).unwrap();
    assert_eq!((expired.n_versions, expired.n_files), (1, 5));
    assert_eq!(
        expire(&root, &ExpireOptions { n_versions: 0, ..ExpireOptions::default() }).unwrap().n_versions,
        0
    );
    assert_eq!((rows(&root).len(), names_in(&root).len(), versions_left(&manifests)), (30_005, 4, 1));
    assert!(planned.read().is_err());
}

#[test]
fn a_compaction_that_fails_or_comes_second_changes_nothing() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    let manifest = committed(&root);
    fs::write(manifest.files()[1].path(), b"").unwrap();
    let error = compact(&root, &CompactOptions::default()).unwrap_err();
    assert!(folder.text_of(&error).starts_with("data/part-"), "{error}");
    assert_eq!((names_in(&root).len(), names_in(&manifests).len()), (2, 1));
    // A failed compaction does not write a first manifest. The text of the second file is invalid UTF-8.
    let words = RecordBatch::try_from_columns([("name", super::support::texts(&["ada", "grace"]))]).unwrap();
    folder.write("words/a.arrow", &file_of(std::slice::from_ref(&words)));
    let mut broken = file_of(&[words]);
    let at = broken.windows(5).position(|found| found == b"grace").unwrap();
    broken[at] = 0xff;
    folder.write("words/b.arrow", &broken);
    let error = compact(&folder.path().join("words"), &CompactOptions::default()).unwrap_err();
    assert!(folder.text_of(&error).starts_with("words/b.arrow: "), "{error}");
    assert_eq!(names_in(&folder.path().join("words")), ["a.arrow", "b.arrow"]);
    assert_eq!(names_in(&folder.path().join("_words.manifests")), [""; 0]);
    // All files without a manifest must have the same columns.
    let other = RecordBatch::try_from_columns([("name", super::support::texts(&["ada"]))]).unwrap();
    folder.write_ids("more/a.arrow", 0..2);
    folder.write("more/b.arrow", &file_of(&[other]));
    let error = compact(&folder.path().join("more"), &CompactOptions::default()).unwrap_err();
    assert_eq!(
        folder.text_of(&error),
        "more/b.arrow: the schema differs from the schema of the data set: field id: expected the name \"id\", found \"name\""
    );
}

#[test]
fn dictionaries_of_joined_parts_are_unified() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let batch = |words: &[&str]| {
        let mut column =
            DictionaryBuilder::try_new(arrow_schema::IndexType::Int8, Utf8Builder::new()).unwrap();
        words.iter().for_each(|word| column.append(*word));
        RecordBatch::try_from_columns([("word", column.finish().unwrap().into())]).unwrap()
    };
    let words = [["ada", "grace"], ["grace", "edsger"], ["ada", "ada"]];
    let writer = DatasetWriter::begin(&root, batch(&[]).schema().clone(), WriteMode::Create).unwrap();
    let parts = words.iter().enumerate().map(|(task, words)| {
        let mut part = writer.part(task as u64, "", WriteOptions::new()).unwrap();
        part.write(&batch(words)).unwrap();
        part.finish().unwrap()
    });
    writer.commit(parts.collect::<Vec<_>>()).unwrap();
    assert_eq!(compact(&root, &CompactOptions::default()).unwrap().n_after, 1);
    assert_eq!(rows(&root), words.concat());
}

/// Row counts, layouts and statistics in a footer are not metadata of the user, so they are not counted as lost.
#[test]
fn row_counts_layouts_and_statistics_are_no_lost_metadata() {
    let batch = ids_batch(0..2);
    let row_counts = [RowCounts::NotWritten, RowCounts::Written, RowCounts::WrittenWithLayouts];
    for (row_counts, statistics) in
        row_counts.into_iter().flat_map(|it| [(it, None), (it, Some(&b"of batches"[..]))])
    {
        let folder = Folder::new();
        for name in ["data/a.arrow", "data/b.arrow"] {
            let options = WriteOptions::new().with_row_counts(row_counts);
            let mut writer = FileWriter::try_new(Vec::new(), batch.schema().clone(), options).unwrap();
            statistics.into_iter().for_each(|stream| writer.set_statistics(stream).unwrap());
            writer.write(&batch).unwrap();
            folder.write(name, &writer.finish().unwrap());
        }
        let root = folder.path().join("data");
        let mut batches = Dataset::open([&root]).unwrap().read_by_threads(1);
        assert_eq!(batches.by_ref().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 4);
        assert_eq!(batches.n_lost_metadata(), 0, "{row_counts:?}");
        assert_eq!(compact(&root, &CompactOptions::default()).unwrap().n_lost_metadata, 0, "{row_counts:?}");
    }
}

/// Joined parts have no metadata of batches and footers. The lost metadata is counted.
#[test]
fn metadata_that_joined_parts_lose_is_counted() {
    let batch = ids_batch(0..2);
    for (of_footer, of_batch, n_lost) in
        [(None, None, 0), (Some("note"), None, 2), (Some("note"), Some("x"), 4)]
    {
        let folder = Folder::new();
        let metadata =
            |key: Option<&str>| key.into_iter().fold(Metadata::new(), |all, key| all.with(key, "y"));
        for name in ["data/a.arrow", "data/b.arrow"] {
            let options = WriteOptions::new()
                .with_footer_metadata(metadata(of_footer))
                .with_row_counts(RowCounts::Written);
            let mut writer = FileWriter::try_new(Vec::new(), batch.schema().clone(), options).unwrap();
            writer.write_with_metadata(&batch, &metadata(of_batch)).unwrap();
            folder.write(name, &writer.finish().unwrap());
        }
        let root = folder.path().join("data");
        assert_eq!(compact(&root, &CompactOptions::default()).unwrap().n_lost_metadata, n_lost);
    }
}

/// Joined parts have the metadata of the first schema and of its fields.
#[test]
fn metadata_of_schemas_that_differs_is_counted() {
    let with = |key: &str, value: &str| Metadata::new().with(key, value);
    let own = || DataType::struct_([Field::new("x", DataType::Int64).with_metadata(with("unit", "kg"))]);
    let other = || DataType::struct_([Field::new("x", DataType::Int64).with_metadata(with("unit", "lb"))]);
    let none = || DataType::struct_([Field::new("x", DataType::Int64)]);
    let schema = |data_type, metadata| Schema::new([Field::new("s", data_type)]).with_metadata(metadata);
    let first = schema(own(), with("k", "v"));
    // A set without a manifest has the metadata that is equal in all files.
    for (second, of_folder, of_manifest) in [
        (first.clone(), 0, 0),
        (schema(none(), Metadata::new()), 0, 0),
        (schema(own(), with("k", "w")), 1, 1),
        (schema(own(), with("other", "v")), 0, 1),
        (schema(other(), with("k", "v")), 1, 1),
    ] {
        let folder = Folder::new();
        let (root, _) = places(&folder);
        for (name, schema) in [("data/day=1/a.arrow", &first), ("data/day=1/b.arrow", &second)] {
            let null = |field: &Field| Scalar::try_new_null(field.data_type()).unwrap().to_array(1).unwrap();
            let columns: Vec<_> = schema.fields().iter().map(|field| null(field).into_data()).collect();
            folder.write(name, &file_of(&[RecordBatch::try_new(schema.clone(), columns).unwrap()]));
        }
        let n_lost = || {
            let mut batches = Dataset::open([&root]).unwrap().read_by_threads(1);
            assert_eq!(batches.by_ref().map(Result::unwrap).count(), 2, "{second}");
            batches.n_lost_metadata()
        };
        assert_eq!(n_lost(), of_folder, "{second}");
        // A manifest does not contain the schema of each file.
        DatasetWriter::begin(&root, first.clone(), WriteMode::Append).unwrap().commit([]).unwrap();
        assert_eq!(n_lost(), of_manifest, "{second}");
        let joined = compact(&root, &CompactOptions::default()).unwrap();
        assert_eq!((joined.n_after, joined.n_lost_metadata), (1, of_manifest), "{second}");
    }
}

/// A manifest would exclude files that are added later.
#[test]
fn a_compaction_of_nothing_makes_no_manifest() {
    let folder = Folder::new();
    let (root, manifests) = places(&folder);
    folder.write_ids("data/a.arrow", 0..2);
    let done = compact(&root, &CompactOptions::default()).unwrap();
    assert_eq!((done.n_before, done.n_after, done.version), (1, 1, 0));
    assert_eq!(names_in(&manifests), [""; 0]);
    folder.write_ids("data/b.arrow", 2..4);
    assert_eq!(rows(&root), numbers(0..4));
}
