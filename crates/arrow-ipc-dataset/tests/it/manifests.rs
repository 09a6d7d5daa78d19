//! Damaged and hostile manifests. They cause an error with their path, and no file outside of the folder is read.

use std::{fs, path::Path, sync::Arc};

use arrow_array::{Int64Array, Int64Builder, ListBuilder, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{FileReader, FileWriter, WriteOptions};
use arrow_ipc_dataset::{
    CompactOptions, Dataset, DatasetErrorKind, DatasetOptions, DatasetWriter, ExpireOptions, Manifest,
    WriteMode, compact, expire,
};
use arrow_schema::{Metadata, Schema};
use testing_support::Hunt;

use super::support::{Folder, ids_batch, rows_of_set, texts};

const NAME: &str = "_data.manifests/00000000000000000001.arrow";

/// Makes a set of two parts. Returns its manifest as bytes and as a batch.
fn committed(folder: &Folder) -> (Vec<u8>, RecordBatch) {
    let root = folder.path().join("data");
    let schema = ids_batch([]).schema().clone();
    let writer = DatasetWriter::begin(root, schema, WriteMode::Create).unwrap();
    let parts = [0, 1].map(|task| {
        let mut part = writer.part(task, "", WriteOptions::new()).unwrap();
        part.write(&ids_batch(0..3)).unwrap();
        part.finish().unwrap()
    });
    writer.commit(parts).unwrap();
    let bytes = fs::read(folder.path().join(NAME)).unwrap();
    let file = FileReader::try_from_buffer(Buffer::from(bytes.clone())).unwrap();
    let batch = file.batch(0).unwrap();
    (bytes, batch)
}

fn lists(values: [&[i64]; 2]) -> ArrayData {
    let mut lists = ListBuilder::new(Int64Builder::new());
    values.into_iter().for_each(|items| lists.append_iter(items.iter().copied()));
    lists.finish().unwrap().into()
}

/// Replaces a column of the manifest.
fn with_column(manifest: &RecordBatch, name: &str, column: &ArrayData) -> RecordBatch {
    let position = manifest.schema().index_of(name).unwrap();
    let mut columns: Vec<(String, ArrayData)> = manifest
        .schema()
        .fields()
        .iter()
        .zip(manifest.columns())
        .map(|(field, column)| (field.name().to_owned(), column.clone()))
        .collect();
    columns[position].1 = column.clone();
    let metadata = manifest.schema().metadata().clone();
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let schema = Schema::clone(batch.schema()).with_metadata(metadata);
    batch.with_schema(schema).unwrap()
}

fn bytes_of(batch: &RecordBatch) -> Vec<u8> {
    FileWriter::to_vec(batch.schema().clone(), std::slice::from_ref(batch), WriteOptions::new()).unwrap()
}

/// The error for a manifest, without the path at its start.
fn refused(folder: &Folder, bytes: &[u8]) -> String {
    folder.write(NAME, bytes);
    let root = folder.path().join("data");
    let error = Dataset::open([&root]).expect_err("the manifest is refused");
    let text = folder.text_of(&error);
    assert!(matches!(text.strip_prefix(NAME), Some(rest) if rest.starts_with(": ")), "{text}");
    // A refused manifest also prevents commits and compactions.
    assert!(DatasetWriter::begin(&root, ids_batch([]).schema().clone(), WriteMode::Replace).is_err());
    assert!(compact(&root, &CompactOptions::default()).is_err());
    text[NAME.len() + 2..].to_owned()
}

#[test]
fn what_a_manifest_says_is_checked() {
    let folder = Folder::new();
    let (_, manifest) = committed(&folder);
    let paths = manifest.column("path").unwrap().clone();
    let first = Utf8Array::try_from(paths).unwrap().get(0).unwrap().to_owned();
    let of_texts = |values: [Option<&str>; 2]| Utf8Array::try_from_iter(values).unwrap().into_data();
    let counts = |values: [Option<i64>; 2]| Int64Array::from_iter(values).into_data();
    let path = |second: &str| ("path", of_texts([Some(&first), Some(second)]));
    let no_path = |text: &str| {
        format!(
            "{text:?} is not a valid path of a part: a path is UTF-8, is below the folder of the data set, and has at most 256 folders"
        )
    };
    let deep: String = (0..257).map(|n| format!("k{n}=/")).collect();
    let row_1 = |what: &str| format!("the manifest has no valid value of {what:?} in row 1");
    let cases = [
        (path("../../etc/passwd"), no_path("../../etc/passwd")),
        (path("a/../../b.arrow"), no_path("a/../../b.arrow")),
        (path("/etc/passwd"), no_path("/etc/passwd")),
        (path("a//b.arrow"), no_path("a//b.arrow")),
        (path(&(deep.clone() + "b.arrow")), no_path(&(deep + "b.arrow"))),
        (path("./a.arrow"), no_path("./a.arrow")),
        (path("a/"), no_path("a/")),
        (path(""), no_path("")),
        (
            path("a\0b"),
            "\"a\\u0000b\" is not a valid path of a part: a path is UTF-8, is below the folder of the data set, and has at most 256 folders"
                .to_owned(),
        ),
        (path(&first), format!("the manifest names the part {first:?} twice")),
        (("path", of_texts([Some(&first), None])), row_1("path")),
        (("path", counts([Some(1), Some(2)])), "field `path`: expected utf8, found int64".to_owned()),
        (("n_bytes", counts([Some(1), Some(-1)])), row_1("n_bytes")),
        (("n_bytes", counts([Some(1), None])), row_1("n_bytes")),
        (("n_rows", counts([Some(3), Some(4)])), row_1("n_rows")),
        (("n_rows", counts([Some(3), Some(i64::MIN)])), row_1("n_rows")),
        (("batch_rows", lists([&[3], &[-3]])), row_1("batch_rows")),
        (("batch_rows", lists([&[3], &[i64::MAX, i64::MAX, i64::MAX, 5]])), row_1("batch_bytes")),
        (("batch_bytes", lists([&[3], &[3, 4]])), row_1("batch_bytes")),
        (("id", of_texts([Some("0123456789abcdef"), Some("0123456789abcde")])), row_1("id")),
        (("id", of_texts([Some("0123456789abcdef"), Some("+123456789abcdef")])), row_1("id")),
        (("rows", counts([None, None])), "the manifest has no valid column or metadata \"rows\"".to_owned()),
        (("rows", lists([&[], &[]])), "the manifest has no valid column or metadata \"rows\"".to_owned()),
    ];
    for ((name, column), expected) in cases {
        let found = refused(&folder, &bytes_of(&with_column(&manifest, name, &column)));
        assert_eq!(found, expected, "{name}");
    }
    for (position, field) in manifest.schema().fields().iter().enumerate().take(7) {
        let others: Vec<usize> = (0..manifest.n_columns()).filter(|other| *other != position).collect();
        let found = refused(&folder, &bytes_of(&manifest.project(&others).unwrap()));
        assert!(found.contains(&format!("{:?}", field.name())), "{found}");
    }
    let metadata = |pairs: &[(&str, &str)]| {
        let schema =
            Schema::clone(manifest.schema()).with_metadata(Metadata::from_iter(pairs.iter().copied()));
        bytes_of(&manifest.with_schema(schema).unwrap())
    };
    let format = ("arrow-ipc.manifest", "1");
    let cases: [(&[(&str, &str)], &str); 6] = [
        (&[], "the file is not a manifest of format 1"),
        (&[("arrow-ipc.manifest", "2")], "the file is not a manifest of format 1, but of format \"2\""),
        (&[format], "the manifest has no valid column or metadata \"arrow-ipc.manifest.folders\""),
        (
            &[format, ("arrow-ipc.manifest.folders", "2")],
            "the manifest has no valid column or metadata \"arrow-ipc.manifest.folders\"",
        ),
        (
            &[format, ("arrow-ipc.manifest.folders", "-1")],
            "the manifest has no valid column or metadata \"arrow-ipc.manifest.folders\"",
        ),
        (
            &[format, ("arrow-ipc.manifest.folders", "99999999999999999999")],
            "the manifest has no valid column or metadata \"arrow-ipc.manifest.folders\"",
        ),
    ];
    for (pairs, expected) in cases {
        assert_eq!(refused(&folder, &metadata(pairs)), expected);
    }
}

/// Rows are counted from the manifest. Reading a part with another number of rows returns an error.
#[test]
fn parts_have_the_rows_that_the_manifest_names() {
    for (of_batches, n_rows, found) in [([&[3][..], &[4]], 4, 3), ([&[3], &[2]], 2, 3)] {
        let folder = Folder::new();
        let (_, manifest) = committed(&folder);
        let manifest = with_column(&manifest, "batch_rows", &lists(of_batches));
        let n_rows_of_each = Int64Array::from_iter([3, n_rows]).into_data();
        folder.write(NAME, &bytes_of(&with_column(&manifest, "n_rows", &n_rows_of_each)));
        let set = folder.open(&["data"]).unwrap();
        let (rows, error) = super::support::all_rows(set.read().unwrap()).unwrap_err();
        assert!(rows.len() >= 3);
        let text = folder.text_of(&error);
        assert!(text.starts_with("data/part-"), "{text}");
        assert!(
            text.ends_with(&format!("the batches of the task have {found} rows; {n_rows} were planned")),
            "{text}"
        );
        assert!(set.with_predicate("id >= 1".parse().unwrap()).unwrap().count().is_err());
    }
}

#[test]
fn manifests_that_are_cut_or_of_another_kind_are_refused() {
    let folder = Folder::new();
    let (bytes, _) = committed(&folder);
    for n_bytes in (0..bytes.len()).step_by(61).chain([bytes.len() - 1]) {
        refused(&folder, &bytes[..n_bytes]);
    }
    for other in [&b"{\"version\": 1}"[..], &[0; 4096], &bytes_of(&ids_batch(0..3))] {
        refused(&folder, other);
    }
    // A folder has the name of a manifest.
    fs::remove_file(folder.path().join(NAME)).unwrap();
    fs::create_dir(folder.path().join(NAME)).unwrap();
    assert!(Dataset::open([folder.path().join("data")]).is_err());
}

/// A manifest must be a file: opening a pipe waits for a writer, and some devices have no end.
#[cfg(unix)]
#[test]
fn a_manifest_is_a_file() {
    let folder = Folder::new();
    committed(&folder);
    let manifest = folder.path().join(NAME);
    let makes: [fn(&Path); 2] = [
        |path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()),
        |path| std::os::unix::fs::symlink("/dev/zero", path).unwrap(),
    ];
    for make in makes {
        fs::remove_file(&manifest).unwrap();
        make(&manifest);
        for input in ["data", "data/*", "**", NAME] {
            let error = folder.open(&[input]).unwrap_err();
            assert_eq!(folder.text_of(&error), format!("{NAME}: neither a file nor a folder"), "{input}");
        }
    }
}

/// Any bytes give an error or a set without parts outside of the folder.
#[test]
fn damaged_manifests_never_lead_outside() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(63);
    let folder = Folder::new();
    let (bytes, _) = committed(&folder);
    let root = folder.path().join("data");
    let mut below = |n: u64| (rng.bits() % n) as usize;
    let (n_rounds, mut n_opened) = (hunt.count(400, 20_000), 0);
    for _ in 0..n_rounds {
        let mut bytes = bytes.clone();
        for _ in 0..1 + below(4) {
            let at = below(bytes.len() as u64);
            bytes[at] = [0, 1, 0x7f, 0xff, b'/', b'.', below(256) as u8][below(7)];
        }
        folder.write(NAME, &bytes);
        let options = DatasetOptions::new().trusting_statistics();
        let Ok(set) = Dataset::open_with([&root], &options) else { continue };
        n_opened += 1;
        assert!(set.files().iter().all(|file| file.path().starts_with(&root)));
        let _ = set.count();
        let filtered = set.with_predicate("id > 1".parse().unwrap());
        let _ = filtered.map(|set| set.read().map(|batches| batches.take_while(Result::is_ok).count()));
    }
    // If more manifests were refused, the test would check too little.
    assert!(n_opened > n_rounds / 10, "{n_opened} of {n_rounds}");
}

/// If `recover` saves only some rows of a damaged manifest, the result names too few parts and is refused.
#[test]
fn a_manifest_names_as_many_parts_as_it_says() {
    let folder = Folder::new();
    let (_, manifest) = committed(&folder);
    for (saved, found) in [(manifest.slice(0, 1), 1), (manifest.slice(0, 0), 0)] {
        assert_eq!(
            refused(&folder, &bytes_of(&saved)),
            format!("the manifest is incomplete: it names {found} parts instead of 2")
        );
    }
    for n_parts in [Some("-2"), Some(""), Some("18446744073709551616"), None] {
        let schema = manifest.schema();
        let metadata = schema.metadata().without("arrow-ipc.manifest.parts");
        let metadata = match n_parts {
            Some(n_parts) => metadata.with("arrow-ipc.manifest.parts", n_parts),
            None => metadata,
        };
        let other = manifest.clone().with_schema(Schema::clone(schema).with_metadata(metadata)).unwrap();
        assert_eq!(
            refused(&folder, &bytes_of(&other)),
            "the manifest has no valid column or metadata \"arrow-ipc.manifest.parts\""
        );
    }
}

#[test]
fn any_other_writer_may_make_a_manifest() {
    let folder = Folder::new();
    let (_, manifest) = committed(&folder);
    // Adds a column, moves `n_rows` to the end, and divides the manifest into batches.
    let others = manifest
        .with_column(arrow_schema::Field::new("note", arrow_schema::DataType::Utf8), texts(&["a", "b"]));
    let others = others.unwrap().without_column("n_rows").unwrap();
    let n_rows = manifest.column("n_rows").unwrap().clone();
    let field = arrow_schema::Field::new("n_rows", arrow_schema::DataType::Int64);
    let others = others.with_column(field, n_rows).unwrap();
    let batches = [others.slice(0, 1), others.slice(1, 1), others.slice(0, 0)];
    let bytes = FileWriter::to_vec(others.schema().clone(), &batches, WriteOptions::new()).unwrap();
    folder.write(NAME, &bytes);
    let set = Dataset::open([folder.path().join("data")]).unwrap();
    assert_eq!(rows_of_set(&set), ["0", "1", "2", "0", "1", "2"]);
    assert_eq!(Arc::clone(set.schema()).to_string(), "id: int64");
    // Files with other names are not manifests.
    folder.write("_data.manifests/99999.arrow", b"no manifest");
    folder.write("_data.manifests/000000000000000000x2.arrow", b"no manifest");
    folder.write("_data.manifests/_attempt-1", b"no manifest");
    let at = |path: &str| Manifest::at(&folder.path().join(path));
    assert!(at("_data.manifests/99999.arrow").unwrap().is_none());
    assert!(Manifest::at(Path::new("data/a.arrow")).unwrap().is_none());
    assert_eq!(at(NAME).unwrap().unwrap().files().len(), 2);
    assert_eq!(Dataset::open([folder.path().join("data")]).unwrap().count().unwrap(), 6);
}

#[test]
fn the_last_version_has_no_successor() {
    let folder = Folder::new();
    let (bytes, _) = committed(&folder);
    folder.write("_data.manifests/18446744073709551615.arrow", &bytes);
    let root = folder.path().join("data");
    let writer = DatasetWriter::begin(&root, ids_batch([]).schema().clone(), WriteMode::Append).unwrap();
    let error = writer.commit([]).unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::Conflict { .. }), "{error}");
    assert_eq!(expire(&root, &ExpireOptions::default()).unwrap().n_versions, 1);
}
