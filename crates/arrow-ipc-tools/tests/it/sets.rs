//! Validates data sets: compares their files with the manifest.

use std::{fs, io::Write, num::NonZero};

use arrow_array::{Int64Array, Int64Builder, ListArray, ListBuilder, StructArray, Utf8Array};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{FileReader, FileWriter, StreamWriter, WriteOptions};
use arrow_ipc_dataset::{DatasetWriter, WriteMode};
use arrow_ipc_tools::{InputSet, ValidateOptions};
use arrow_schema::Field;
use flate2::{Compression, write::GzEncoder};

/// Replaces the numbers of a column of the manifest, or of a field of a struct column.
fn with_numbers(
    manifest: &RecordBatch,
    name: &str,
    inside: Option<&str>,
    change: fn(i64) -> i64,
) -> RecordBatch {
    let changed = |numbers: &ArrayData| {
        let numbers = Int64Array::try_from(numbers.clone()).unwrap();
        Int64Array::from_iter(numbers.iter().map(|n| n.map(change))).into_data()
    };
    let replaced =
        |fields: &[Field], columns: &[ArrayData], name: &str, change: &dyn Fn(&ArrayData) -> ArrayData| {
            let columns = fields
                .iter()
                .zip(columns)
                .map(|(field, column)| if field.name() == name { change(column) } else { column.clone() });
            columns.collect::<Vec<ArrayData>>()
        };
    let column = |column: &ArrayData| match inside {
        None => changed(column),
        Some(inside) => {
            let values = StructArray::try_from(column.clone()).unwrap();
            let columns: Vec<ArrayData> = values.columns().to_vec();
            let columns = replaced(values.fields(), &columns, inside, &changed);
            StructArray::try_new(values.fields().to_vec(), columns, None).unwrap().into_data()
        }
    };
    let columns = replaced(manifest.schema().fields(), manifest.columns(), name, &column);
    RecordBatch::try_new(manifest.schema().clone(), columns).unwrap()
}

/// Changes each entry of a manifest in turn. `validate` names the manifest, the part, the column and both values.
#[test]
fn a_manifest_that_lies_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("data");
    let batch = |first: i64| {
        let ids = Int64Array::from_iter(first..first + 40_000).into_data();
        let some = (0..40_000i64).map(|n| (n % 4 > 0).then_some(n));
        let columns = [("id", ids), ("some", Int64Array::from_iter(some).into_data())];
        RecordBatch::try_from_columns(columns).unwrap()
    };
    let writer = DatasetWriter::begin(&root, batch(0).schema().clone(), WriteMode::Create).unwrap();
    let parts = [0i64, 1].map(|task| {
        let mut part = writer.part(task as u64, &format!("day={task}"), WriteOptions::new()).unwrap();
        part.write(&batch(task * 80_000)).unwrap();
        part.write(&batch(task * 80_000 + 40_000)).unwrap();
        part.finish().unwrap()
    });
    writer.commit(parts).unwrap();
    let validated = |input: &str| {
        let threads = ValidateOptions { n_threads: NonZero::new(2).unwrap(), ..ValidateOptions::new() };
        InputSet::validate(&folder.path().join(input), &threads, &mut ())
            .unwrap()
            .map(|found| (found.n_rows, found.n_batches))
    };
    for (input, n_batches) in [("data", 4), ("data/day=1", 2), ("data/*/*.arrow", 4)] {
        assert_eq!(validated(input).unwrap(), (n_batches * 40_000, n_batches));
    }
    let path = folder.path().join("_data.manifests/00000000000000000001.arrow");
    let sound = fs::read(&path).unwrap();
    let manifest = FileReader::try_from_buffer(sound.clone().into()).unwrap().batch(0).unwrap();
    let lists = |name: &str, change: fn(usize, i64) -> i64| {
        let values = ListArray::try_from(manifest.column(name).unwrap().clone()).unwrap();
        let values = values.items_as::<Int64Array>().unwrap();
        let mut lists = ListBuilder::new(Int64Builder::new());
        for row in 0..2 {
            let items = values.get(row).unwrap();
            lists.append_iter(items.iter().enumerate().map(|(idx, n)| change(idx, n.unwrap())));
        }
        let position = manifest.schema().index_of(name).unwrap();
        let mut columns = manifest.columns().to_vec();
        columns[position] = lists.finish().unwrap().into();
        RecordBatch::try_new(manifest.schema().clone(), columns).unwrap()
    };
    let ids = Utf8Array::try_from_iter(["0123456789abcdef"; 2]).unwrap().into_data();
    let with_ids = |ids: ArrayData| {
        let mut columns = manifest.columns().to_vec();
        columns[manifest.schema().index_of("id").unwrap()] = ids;
        RecordBatch::try_new(manifest.schema().clone(), columns).unwrap()
    };
    let no_ids = Utf8Array::try_from_iter([None::<&str>; 2]).unwrap().into_data();
    let cases: [(RecordBatch, &str); 11] = [
        (
            with_numbers(&manifest, "n_bytes", None, |n| n + 8),
            "the part has LENGTH8 bytes, but LENGTH were found",
        ),
        (with_ids(ids), "the part has the id 0123456789abcdef; the file has the id "),
        (with_ids(no_ids), "the part has no id; the file has the id "),
        (lists("batch_bytes", |idx, n| n + 8 * idx as i64), "batch 1 has "),
        // The sum of the row counts is correct.
        (
            lists("batch_rows", |idx, n| if idx == 0 { n - 1 } else { n + 1 }),
            "batch 0 has 39999 rows, but 40000 were found",
        ),
        (
            with_numbers(&manifest, "n_nulls", Some("some"), |n| n - 1),
            "the statistics state 19999 nulls of some, but 20000 were found",
        ),
        (
            with_numbers(&manifest, "n_nulls", Some("id"), |n| n + 1),
            "the statistics state 1 nulls of id, but 0 were found",
        ),
        (
            with_numbers(&manifest, "min", Some("id"), |n| n + 1),
            "the statistics say that no value of id is less than 1, but a row has 0",
        ),
        (
            with_numbers(&manifest, "max", Some("id"), |n| n - 1),
            "the statistics say that no value of id is greater than 79998, but a row has 79999",
        ),
        (
            with_numbers(&manifest, "max", Some("some"), |n| n / 2),
            "the statistics say that no value of some is greater than 19999, but a row has 39999",
        ),
        (
            with_numbers(&manifest, "min", Some("some"), |_| i64::MAX),
            "the statistics say that no value of some is less than 9223372036854775807, but a row has 1",
        ),
    ];
    for (lie, expected) in cases {
        fs::write(&path, FileWriter::to_vec(lie.schema().clone(), &[lie], WriteOptions::new()).unwrap())
            .unwrap();
        for input in ["data", "data/day=0", "data/*/*.arrow"] {
            let error = validated(input).unwrap_err().to_string();
            let part = fs::read_dir(root.join("day=0")).unwrap().next().unwrap().unwrap().path();
            let n_bytes = fs::metadata(&part).unwrap().len();
            let expected = expected
                .replace("LENGTH8", &(n_bytes + 8).to_string())
                .replace("LENGTH", &n_bytes.to_string());
            let text = format!("{}: in the manifest {}, {expected}", part.display(), path.display());
            assert!(error.starts_with(&text), "{error}: {text}");
        }
    }
    // Wider bounds and missing bounds are valid.
    for truth in [
        with_numbers(&manifest, "min", Some("id"), |n| n - 1),
        with_numbers(&manifest, "max", Some("some"), |n| n + 1),
        manifest.without_column("n_nulls").unwrap().without_column("max").unwrap(),
    ] {
        fs::write(&path, FileWriter::to_vec(truth.schema().clone(), &[truth], WriteOptions::new()).unwrap())
            .unwrap();
        validated("data").unwrap();
    }
    // Damages a part so that readers refuse it.
    fs::write(&path, &sound).unwrap();
    validated("data").unwrap();
    let part = fs::read_dir(root.join("day=0")).unwrap().next().unwrap().unwrap().path();
    let bytes = fs::read(&part).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), batch(0).schema(), WriteOptions::new()).unwrap();
    stream.write(&batch(0)).unwrap();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&bytes).unwrap();
    let other =
        FileWriter::to_vec(manifest.schema().clone(), std::slice::from_ref(&manifest), WriteOptions::new());
    for (replaced, expected) in [
        (stream.finish().unwrap(), "the part is a file, but a stream was found"),
        (gzip.finish().unwrap(), "neither an Arrow IPC file nor a stream"),
        (other.unwrap(), "were found"),
    ] {
        fs::write(&part, replaced).unwrap();
        let error = validated("data").unwrap_err().to_string();
        assert!(error.contains(part.to_str().unwrap()) && error.contains(expected), "{error}");
    }
    fs::remove_file(&part).unwrap();
    assert!(validated("data").is_err());
}
