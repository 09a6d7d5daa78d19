//! Files that are missing, cut, replaced, or no Arrow files. Reading returns an error with the path, and then no more
//! rows.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

use arrow_array::{Int8Array, Int64Array};
use arrow_data::RecordBatch;
use arrow_ipc_dataset::{DatasetBatches, DatasetErrorKind, ReadTask};
use arrow_schema::Schema;

use super::support::{Folder, all_rows, file_of, file_with, ids_batch, texts};

/// Three files with two batches each, and the tasks for them.
fn set_of_three() -> (Folder, Vec<ReadTask>) {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.write(&format!("{name}.arrow"), &file_of(&[ids_batch(0..1000), ids_batch(1000..2000)]));
    }
    let tasks = folder.open(&[""]).unwrap().split(u64::MAX).unwrap();
    assert_eq!(tasks.len(), 1);
    (folder, tasks)
}

fn modified(path: &Path, by: Duration) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() + by).unwrap();
}

#[test]
fn files_that_changed_since_they_were_planned_are_refused() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 7] = [
        ("removed", |path| fs::remove_file(path).unwrap()),
        ("a folder", |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        }),
        ("cut", |path| fs::write(path, &fs::read(path).unwrap()[..300]).unwrap()),
        ("empty", |path| fs::write(path, b"").unwrap()),
        ("of the same length", |path| {
            let mut bytes = fs::read(path).unwrap();
            bytes[400] ^= 1;
            fs::write(path, bytes).unwrap();
            modified(path, Duration::from_secs(1));
        }),
        ("of another schema", |path| {
            let other = RecordBatch::try_from_columns([("name", texts(&["ada"]))]).unwrap();
            fs::write(path, file_of(&[other])).unwrap();
        }),
        ("touched by a clock that jumped back", |path| {
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH - Duration::from_secs(1)).unwrap();
        }),
    ];
    for (what, change) in changes {
        let (folder, tasks) = set_of_three();
        change(&folder.path().join("b.arrow"));
        let (rows, error) = all_rows(tasks[0].read().unwrap()).expect_err(what);
        assert_eq!(rows.len(), 2000, "{what}");
        assert!(folder.text_of(&error).starts_with("b.arrow: "), "{what}: {error}");
        // A damaged first file causes an error before any batch.
        change(&folder.path().join("a.arrow"));
        let error = tasks[0].read().map(drop).expect_err(what);
        assert!(folder.text_of(&error).starts_with("a.arrow: "), "{what}: {error}");
    }
}

#[test]
fn errors_come_in_order_from_several_threads() {
    for n_threads in [1, 2, 3, 9] {
        let (folder, _) = set_of_three();
        let set = folder.open(&[""]).unwrap();
        fs::write(folder.path().join("b.arrow"), b"").unwrap();
        fs::remove_file(folder.path().join("c.arrow")).unwrap();
        let mut batches = DatasetBatches::new(set.schema().clone(), set.split(1).unwrap(), n_threads);
        assert_eq!(batches.by_ref().take(2).map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 2000);
        let error = batches.next().unwrap().unwrap_err();
        assert!(folder.text_of(&error).starts_with("b.arrow: "), "{error}");
        assert!(batches.next().is_none());
        // The threads end if the iterator is dropped early.
        let mut batches = DatasetBatches::new(set.schema().clone(), set.split(1).unwrap(), n_threads);
        assert!(batches.next().is_some());
    }
}

#[test]
fn a_file_that_is_overwritten_while_it_is_read_is_an_error() {
    let (folder, tasks) = set_of_three();
    let mut batches = tasks[0].read().unwrap();
    assert_eq!(batches.next().unwrap().unwrap().n_rows(), 1000);
    modified(&folder.path().join("a.arrow"), Duration::from_secs(5));
    // No batch is returned that may be of the other version.
    let error = batches.next().unwrap().unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::Changed { .. }), "{error}");
    assert!(folder.text_of(&error).starts_with("a.arrow: the file has changed since it was planned"));
    assert!(batches.next().is_none());
    // If a rename replaces an open file, the reader continues with the old file.
    let (folder, tasks) = set_of_three();
    let mut batches = tasks[0].read().unwrap();
    batches.next().unwrap().unwrap();
    fs::rename(folder.path().join("b.arrow"), folder.path().join("a.arrow")).unwrap();
    assert_eq!(batches.next().unwrap().unwrap().n_rows(), 1000);
    let error = batches.next().unwrap().unwrap_err();
    assert!(folder.text_of(&error).starts_with("b.arrow: "), "{error}");
}

#[test]
fn tasks_that_do_not_fit_their_files_are_refused() {
    let (folder, tasks) = set_of_three();
    let mut task = tasks[0].clone();
    task.files[1].batches = 1..3;
    let (_, error) = all_rows(task.read().unwrap()).unwrap_err();
    assert_eq!(folder.text_of(&error), "b.arrow: the file has 2 batches; the task needs 3");
    let wanting = |columns: Option<Vec<String>>, predicate: Option<&str>| {
        let predicate = predicate.map(|text| text.parse().unwrap());
        ReadTask { columns, predicate, ..tasks[0].clone() }.read().map(drop).unwrap_err().to_string()
    };
    assert_eq!(wanting(Some(vec!["x".to_owned()]), None), "no field is named \"x\"");
    assert!(wanting(None, Some("x = 1")).starts_with("the predicate: "));
    // The next file has other columns than the first, and the task has no schema.
    let other = RecordBatch::try_from_columns([("name", texts(&["ada"]))]).unwrap();
    folder.write("d.arrow", &file_of(&[other]));
    let other = folder.open(&["d.arrow"]).unwrap().split(1).unwrap().remove(0);
    let mut task = tasks[0].clone();
    task.files.insert(1, other.files[0].clone());
    let (rows, error) = all_rows(task.read().unwrap()).unwrap_err();
    assert_eq!(rows.len(), 2000);
    assert!(matches!(error.kind(), DatasetErrorKind::Schema(_)), "{error}");
}

#[test]
fn what_is_no_arrow_file_is_named() {
    let (folder, _) = set_of_three();
    let good = fs::read(folder.path().join("a.arrow")).unwrap();
    let cases: [(&str, &[u8]); 5] = [
        ("empty", b""),
        ("text", b"id,name\n1,ada\n"),
        ("cut at its end", &good[..good.len() - 7]),
        ("only its end", &good[good.len() - 40..]),
        ("zeros", &[0; 5000]),
    ];
    for (what, bytes) in cases {
        folder.write("b.arrow", bytes);
        let error = folder.open(&[""]).expect_err(what);
        assert!(folder.text_of(&error).starts_with("b.arrow: "), "{what}: {error}");
    }
    // The error names the first bad file, whichever thread fails first.
    for name in ["d", "e", "f", "g"] {
        folder.write(&format!("{name}.arrow"), b"no Arrow data");
    }
    for _ in 0..20 {
        let error = folder.open(&[""]).unwrap_err();
        assert!(folder.text_of(&error).starts_with("b.arrow: "), "{error}");
    }
}

#[test]
fn files_without_rows_or_batches_have_none() {
    let folder = Folder::new();
    let schema: Schema = "id: int64".parse().unwrap();
    folder.write("a.arrow", &file_with(&schema, &[]));
    folder.write("b.arrow", &file_of(&[ids_batch([])]));
    let set = folder.open(&[""]).unwrap();
    assert_eq!((set.n_rows().unwrap(), set.count().unwrap()), (0, 0));
    assert_eq!(all_rows(set.read().unwrap()).unwrap(), [""; 0]);
    folder.write_ids("c.arrow", [7]);
    let set = folder.open(&[""]).unwrap().with_predicate("id = 7".parse().unwrap()).unwrap();
    assert_eq!(all_rows(set.read().unwrap()).unwrap(), ["7"]);
}

#[test]
fn rows_that_take_no_bytes_get_no_memory_for_columns_of_folders() {
    let folder = Folder::new();
    let batch = RecordBatch::try_new_with_rows(Schema::default(), Vec::new(), 1 << 27).unwrap();
    folder.write("day=1/a.arrow", &file_of(&[batch]));
    let set = folder.open(&[""]).unwrap();
    assert_eq!((set.schema().to_string().as_str(), set.n_rows().unwrap()), ("day: int64", 1 << 27));
    let (_, error) = all_rows(set.read().unwrap()).unwrap_err();
    assert!(error.to_string().contains("memory budget"), "{error}");
    let some = set.with_predicate("day = 1".parse().unwrap()).unwrap();
    assert_eq!(some.count().unwrap(), 1 << 27);
}

/// The bytes of columns that are not read count, too.
#[test]
fn columns_of_folders_are_made_for_many_rows() {
    const N_ROWS: usize = (256 << 20) / 8 + 1;
    let folder = Folder::new();
    let ids = Int8Array::from_iter(std::iter::repeat_n(7, N_ROWS)).into_data();
    folder.write("day=1/a.arrow", &file_of(&[RecordBatch::try_from_columns([("id", ids)]).unwrap()]));
    let set = folder.open(&[""]).unwrap().with_columns(["day"]).unwrap();
    let n_rows = set.read().unwrap().map(|batch| batch.unwrap().n_rows()).sum::<usize>();
    assert_eq!(n_rows, N_ROWS);
}

#[test]
fn batches_of_a_task_are_independent_of_others() {
    // Each task reads its batch without the batches before it.
    let folder = Folder::new();
    let large = Int64Array::from_iter(0..100_000).into_data();
    let batch = RecordBatch::try_from_columns([("id", large)]).unwrap();
    folder.write("a.arrow", &file_of(&[batch.clone(), batch.clone(), batch]));
    let tasks = folder.open(&[""]).unwrap().split(1).unwrap();
    assert_eq!(tasks.len(), 3);
    for (idx, task) in tasks.iter().enumerate() {
        assert_eq!(task.files[0].batches, idx..idx + 1);
        assert_eq!(task.read().unwrap().map(|batch| batch.unwrap().n_rows()).sum::<usize>(), 100_000);
    }
}
