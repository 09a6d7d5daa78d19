//! Cases in which a writer of a data set returns an error.

use arrow_array::{DictionaryBuilder, Utf8Builder};
use arrow_data::RecordBatch;
use arrow_ipc::WriteOptions;
use arrow_ipc_dataset::{
    CompactOptions, Dataset, DatasetErrorKind, DatasetOptions, DatasetWriter, ExpireOptions, WriteMode,
    compact, expire,
};

use super::{
    support::{Folder, ids_batch},
    writes::{begun, committed, numbers, part, places, rows},
};

#[test]
fn modes_say_what_is_expected() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let begin = |batch: &RecordBatch, mode| DatasetWriter::begin(&root, batch.schema().clone(), mode);
    committed(&root);
    let error = begin(&ids_batch([]), WriteMode::Create).unwrap_err();
    assert_eq!(
        folder.text_of(&error),
        "data: the folder has Arrow files already, or a data set with manifests in _NAME.manifests"
    );
    let other = RecordBatch::try_from_columns([("name", super::support::texts(&["ada"]))]).unwrap();
    let error = begin(&other, WriteMode::Append).unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::PartSchema(_)), "{error}");
    let writer = begin(&other, WriteMode::Replace).unwrap();
    let mut part = writer.part(0, "", WriteOptions::new()).unwrap();
    assert!(part.write(&ids_batch([1])).is_err());
    part.write(&other).unwrap();
    writer.commit([part.finish().unwrap()]).unwrap();
    assert_eq!(rows(&root), ["ada"]);
    // A set may have no rows.
    let writer = begin(&other, WriteMode::Replace).unwrap();
    writer.commit([]).unwrap();
    let set = Dataset::open([&root]).unwrap();
    assert_eq!((set.schema().to_string(), set.count().unwrap()), ("name: utf8".to_owned(), 0));
}

#[test]
fn parts_of_another_schema_are_not_committed() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let batch = RecordBatch::try_from_columns([("name", super::support::texts(&["ada"]))]).unwrap();
    let other = DatasetWriter::begin(&root, batch.schema().clone(), WriteMode::Append).unwrap();
    let mut part_of_other = other.part(0, "", WriteOptions::new()).unwrap();
    part_of_other.write(&batch).unwrap();
    let part_of_other = part_of_other.finish().unwrap();
    let writer = begun(&root, WriteMode::Append);
    writer.commit([part(&writer, 0, 0..3)]).unwrap();
    let error = other.commit([part_of_other]).unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::PartSchema(_)), "{error}");
    assert_eq!(rows(&root), numbers(0..3));
}

/// A folder inside a set is not a set. A writer for it would remove files that the set names.
#[test]
fn folders_inside_of_a_set_are_not_written_alone() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    for name in ["day=1/a", "day=1/b", "day=2/a", "day=2/b"] {
        folder.write_ids(&format!("data/{name}.arrow"), 0..5);
    }
    let options = CompactOptions::default();
    // The inner folder is a set until the outer folder becomes one.
    let inside = root.join("day=1");
    assert_eq!(compact(&inside, &options).unwrap().n_after, 1);
    assert_eq!(compact(&root, &options).unwrap().n_after, 2);
    let expected = format!(
        "data/day=1: the path is inside the data set {}, whose manifest lists the files; write to the data set, or compact the data set",
        root.canonicalize().unwrap().display()
    );
    // The failed call does not make the folder.
    let new = inside.join("new/er");
    assert!(DatasetWriter::begin(&new, ids_batch([]).schema().clone(), WriteMode::Create).is_err());
    assert!(!inside.join("new").exists());
    let begin = |mode| DatasetWriter::begin(&inside, ids_batch([]).schema().clone(), mode).map(drop);
    let refused = [
        begin(WriteMode::Create),
        begin(WriteMode::Append),
        begin(WriteMode::Replace),
        compact(&inside, &options).map(drop),
        expire(&inside, &ExpireOptions::default()).map(drop),
    ];
    for result in refused {
        let error = result.unwrap_err();
        let root = format!("{}/", folder.path().display());
        assert_eq!(error.to_string().strip_prefix(&root), Some(&*expected));
    }
    expire(&root, &ExpireOptions::default()).unwrap();
    assert_eq!((rows(&root).len(), rows(&inside).len()), (20, 10));
}

#[test]
fn columns_of_a_set_have_different_names() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let ids = ids_batch(0..2).columns()[0].clone();
    let batch = RecordBatch::try_from_columns([("x", ids.clone()), ("x", ids)]).unwrap();
    for mode in [WriteMode::Create, WriteMode::Append, WriteMode::Replace] {
        let error = DatasetWriter::begin(&root, batch.schema().clone(), mode).unwrap_err();
        assert!(matches!(error.kind(), DatasetErrorKind::Column(_)), "{error}");
        assert!(folder.text_of(&error).starts_with("data: "), "{error}");
        assert!(!root.exists(), "no folder is made");
    }
}

/// A writer that continues after a refused batch has the statistics of the written batches.
#[test]
fn batches_that_are_not_written_have_no_statistics() {
    let folder = Folder::new();
    let (root, _) = places(&folder);
    let batch = |ids: std::ops::Range<i64>, word: &str| {
        let mut words =
            DictionaryBuilder::try_new(arrow_schema::IndexType::Int8, Utf8Builder::new()).unwrap();
        ids.clone().for_each(|_| words.append(word));
        let ids = ids_batch(ids).columns()[0].clone();
        RecordBatch::try_from_columns([("id", ids), ("word", words.finish().unwrap().into())]).unwrap()
    };
    let schema = batch(0..1, "ada").schema().clone();
    let writer = DatasetWriter::begin(&root, schema, WriteMode::Create).unwrap();
    let mut part = writer.part(0, "", WriteOptions::new()).unwrap();
    part.write(&batch(0..20_000, "ada")).unwrap();
    // In a file, a field has one dictionary.
    part.write(&batch(70_000..90_000, "grace")).unwrap_err();
    part.write(&batch(20_000..40_000, "ada")).unwrap();
    let part = part.finish().unwrap();
    assert_eq!(part.n_rows, 40_000);
    writer.commit([part.clone()]).unwrap();
    let trusting = DatasetOptions::new().trusting_statistics();
    for input in [root.clone(), root.join(&part.path)] {
        let set = Dataset::open_with([&input], &trusting).unwrap();
        assert!(set.bounds("id").unwrap().iter().all(|known| known.min.is_some()), "{input:?}");
        let set = set.with_predicate("id >= 20000".parse().unwrap()).unwrap();
        assert_eq!(set.count().unwrap(), 20_000, "{input:?}");
    }
}
