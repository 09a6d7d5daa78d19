//! Random data sets. The tasks contain each row once, and predicates select the right rows.

use arrow_array::{Int64Array, Scalar, Utf8Array};
use arrow_compute::Predicate;
use arrow_data::RecordBatch;
use arrow_ipc_dataset::{Dataset, DatasetBatches, DatasetOptions};
use arrow_schema::Schema;
use testing_support::{Hunt, Rng};

use super::support::{Folder, all_rows, file_with_statistics, ids_batch, rows_of, rows_of_set};

/// A row with the columns `id`, `city`, `extra` and `day`.
#[derive(Debug, Clone)]
struct Row {
    id: Option<i64>,
    city: Option<&'static str>,
    /// `None` if the file does not have this column.
    extra: Option<i64>,
    /// The value in the name of the folder.
    day: Option<i64>,
}

const CITIES: [&str; 4] = ["Oslo", "Rome", "", "O'Hara"];

fn text(value: Option<impl ToString>) -> String {
    value.map_or("null".to_owned(), |value| value.to_string())
}

impl Row {
    fn shown(&self) -> String {
        [text(self.id), text(self.city), text(self.extra), text(self.day)].join(",")
    }
}

/// A random number in 0..n.
fn below(rng: &mut Rng, n: u64) -> u64 {
    rng.bits() % n
}

fn maybe(rng: &mut Rng, n: u64) -> Option<i64> {
    (below(rng, 5) > 0).then(|| below(rng, n) as i64)
}

/// Writes random files, and returns their rows in the order of the set.
fn random_set(rng: &mut Rng, folder: &Folder) -> Vec<Row> {
    let mut all = Vec::new();
    let mut files: Vec<(String, Option<i64>)> = (0..1 + below(rng, 12))
        .map(|idx| match below(rng, 5) {
            0 => (format!("day=__HIVE_DEFAULT_PARTITION__/{idx:02}.arrow"), None),
            1 => (format!("{idx:02}.arrow"), None),
            day => (format!("day={day}/{idx:02}.arrow"), Some(day as i64)),
        })
        .collect();
    // One file must have the column with this type.
    files.push(("day=9/last.arrow".to_owned(), Some(9)));
    files.sort_by(|a, b| std::path::Path::new(&a.0).cmp(std::path::Path::new(&b.0)));
    for (path, day) in files {
        let has_extra = path.contains("last") || below(rng, 2) == 0;
        let mut batches = Vec::new();
        for _ in 0..below(rng, 4) {
            let rows: Vec<Row> = (0..below(rng, 7))
                .map(|_| {
                    let id = maybe(rng, 9);
                    let city = maybe(rng, 4).map(|idx| CITIES[idx as usize]);
                    let extra = maybe(rng, 3);
                    Row { id, city, extra: if has_extra { extra } else { None }, day }
                })
                .collect();
            let mut columns = vec![
                ("id", Int64Array::from_iter(rows.iter().map(|row| row.id)).into_data()),
                ("city", Utf8Array::try_from_iter(rows.iter().map(|row| row.city)).unwrap().into_data()),
            ];
            if has_extra {
                columns.push(("extra", Int64Array::from_iter(rows.iter().map(|row| row.extra)).into_data()));
            }
            batches.push(RecordBatch::try_from_columns(columns).unwrap());
            all.extend(rows);
        }
        let extra = if has_extra { "\nextra: int64" } else { "" };
        let schema: Schema = format!("id: int64\ncity: utf8{extra}").parse().unwrap();
        folder.write(&path, &file_with_statistics(&schema, &batches));
    }
    all
}

/// The function that returns the expected result of a predicate: true, false or unknown.
type Oracle = Box<dyn Fn(&Row) -> Option<bool>>;

fn random_predicate(rng: &mut Rng, depth: u64) -> (String, Oracle) {
    let joined = depth > 0 && below(rng, 3) > 0;
    if !joined {
        let number = below(rng, 9) as i64;
        let (name, value): (_, fn(&Row) -> Option<i64>) = match below(rng, 3) {
            0 => ("id", |row| row.id),
            1 => ("extra", |row| row.extra),
            _ => ("day", |row| row.day),
        };
        let compare = |sign: &str, holds: fn(&i64, &i64) -> bool| -> (String, Oracle) {
            (
                format!("{name} {sign} {number}"),
                Box::new(move |row| value(row).map(|value| holds(&value, &number))),
            )
        };
        return match below(rng, 9) {
            0 => compare("=", i64::eq),
            1 => compare("!=", i64::ne),
            2 => compare("<", i64::lt),
            3 => compare("<=", i64::le),
            4 => compare(">", i64::gt),
            5 => compare(">=", i64::ge),
            6 => (format!("{name} is null"), Box::new(move |row| Some(value(row).is_none()))),
            7 => (
                "city in ('Oslo', \"O'Hara\")".to_owned(),
                Box::new(|row| Some(["Oslo", "O'Hara"].contains(&row.city?))),
            ),
            _ => ("city < 'P'".to_owned(), Box::new(|row| Some(row.city? < "P"))),
        };
    }
    let (left, is_left) = random_predicate(rng, depth - 1);
    let (right, is_right) = random_predicate(rng, depth - 1);
    match below(rng, 3) {
        0 => (format!("not ({left})"), Box::new(move |row| is_left(row).map(|holds| !holds))),
        1 => (
            format!("({left}) and ({right})"),
            Box::new(move |row| match (is_left(row), is_right(row)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (left, right) => Some(left? && right?),
            }),
        ),
        _ => (
            format!("({left}) or ({right})"),
            Box::new(move |row| match (is_left(row), is_right(row)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (left, right) => Some(left? || right?),
            }),
        ),
    }
}

fn shown(rows: &[Row]) -> Vec<String> {
    rows.iter().map(Row::shown).collect()
}

fn rows_of_tasks(set: &Dataset, target_bytes: u64) -> Vec<String> {
    set.split(target_bytes).unwrap().iter().flat_map(|task| all_rows(task.read().unwrap()).unwrap()).collect()
}

#[test]
fn each_row_is_in_one_task() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(28);
    for _ in 0..hunt.count(25, 500) {
        let folder = Folder::new();
        let rows = random_set(&mut rng, &folder);
        let set = folder.open(&[""]).unwrap();
        let set = set.with_columns(["id", "city", "extra", "day"]).unwrap();
        assert_eq!((set.n_rows().unwrap(), set.count().unwrap()), (rows.len() as u64, rows.len() as u64));
        assert_eq!(rows_of_set(&set), shown(&rows));
        for n_threads in [1, 2, 5] {
            let tasks = set.split(if rng.bits().is_multiple_of(2) { 1 } else { 140_000 }).unwrap();
            let batches = DatasetBatches::new(set.schema().clone(), tasks, n_threads);
            let found: Vec<String> = batches.flat_map(|batch| rows_of(&batch.unwrap())).collect();
            assert_eq!(found, shown(&rows), "{n_threads}");
        }
        for target_bytes in [0, 1, 500, 66_000, 140_000, 300_000, u64::MAX] {
            assert_eq!(rows_of_tasks(&set, target_bytes), shown(&rows), "{target_bytes}");
            let tasks = set.split(target_bytes).unwrap();
            assert_eq!(tasks.iter().map(|task| task.n_rows().unwrap()).sum::<u64>(), rows.len() as u64);
            let is_cut = |n_bytes: u64| n_bytes <= target_bytes;
            let n_batches = |task: &arrow_ipc_dataset::ReadTask| {
                task.files.iter().map(|file| file.batches.len()).sum::<usize>()
            };
            assert!(tasks.iter().all(|task| n_batches(task) > 0));
            assert!(
                tasks.iter().all(|task| is_cut(task.n_bytes()) || n_batches(task) == 1),
                "{target_bytes}"
            );
            if target_bytes == u64::MAX {
                assert!(tasks.len() <= 1);
            }
        }
    }
}

#[test]
fn predicates_select_what_a_look_at_each_row_selects() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(29);
    let (mut n_pruned, mut n_skipped) = (0, 0);
    for _ in 0..hunt.count(8, 200) {
        let folder = Folder::new();
        let rows = random_set(&mut rng, &folder);
        let columns = ["id", "city", "extra", "day"];
        let set = folder.open(&[""]).unwrap().with_columns(columns).unwrap();
        let options = DatasetOptions::new().with_trusted_statistics();
        let trusting = Dataset::open_with([folder.path()], options).unwrap().with_columns(columns).unwrap();
        for _ in 0..40 {
            let (text, holds) = random_predicate(&mut rng, 3);
            let predicate: Predicate = text.parse().unwrap();
            let expected: Vec<Row> = rows.iter().filter(|row| holds(row) == Some(true)).cloned().collect();
            let some = trusting.clone().with_predicate(predicate.clone()).unwrap();
            assert_eq!(rows_of_set(&some), shown(&expected), "{text}");
            assert_eq!(some.count().unwrap(), expected.len() as u64, "{text}");
            assert_eq!(rows_of_tasks(&some, 70_000), shown(&expected), "{text}");
            let n_batches = |set: &Dataset| {
                let tasks = set.split(u64::MAX).unwrap();
                let files = tasks.iter().flat_map(|task| &task.files);
                files.map(|file| file.batches.len()).sum::<usize>()
            };
            let n_trusting = n_batches(&some);
            let some = set.clone().with_predicate(predicate).unwrap();
            n_skipped += n_batches(&some) - n_trusting;
            assert_eq!(rows_of_set(&some), shown(&expected), "{text}");
            assert_eq!(some.count().unwrap(), expected.len() as u64, "{text}");
            let target_bytes = below(&mut rng, 200_000);
            assert_eq!(rows_of_tasks(&some, target_bytes), shown(&expected), "{text}");
            let n_left: usize = some.split(u64::MAX).unwrap().iter().map(|task| task.files.len()).sum();
            n_pruned +=
                set.split(u64::MAX).unwrap()[..].iter().map(|task| task.files.len()).sum::<usize>() - n_left;
            // The predicate may use columns that are not selected.
            let ids = some.clone().with_columns(["id"]).unwrap();
            let expected: Vec<String> = expected.iter().map(text_of_id).collect();
            assert_eq!(rows_of_set(&ids), expected, "{text}");
        }
    }
    assert!(n_pruned > 100 && n_skipped > 100, "{n_pruned} {n_skipped}");
}

fn text_of_id(row: &Row) -> String {
    text(row.id)
}

#[test]
fn folders_decide_without_opening_files() {
    let folder = Folder::new();
    for day in 0..20 {
        folder.write_ids(&format!("day={day}/a.arrow"), [day, day]);
    }
    let set = folder.open(&[""]).unwrap();
    for (text, n_files) in
        [("day = 3", 1), ("day in (3, 5) and id > 0", 2), ("day >= 18 or id = 7", 20), ("day is null", 0)]
    {
        let some = set.clone().with_predicate(text.parse().unwrap()).unwrap();
        assert_eq!(
            some.split(u64::MAX).unwrap().iter().map(|task| task.files.len()).sum::<usize>(),
            n_files,
            "{text}"
        );
    }
    // Files that are not read may be missing. If a condition is true for a whole folder, its rows are counted without
    // reading them.
    set.load_row_counts().unwrap();
    std::fs::remove_dir_all(folder.path()).unwrap();
    let days = |text: &str| set.clone().with_predicate(text.parse().unwrap()).unwrap();
    assert_eq!(days("day < 3").count().unwrap(), 6);
    assert_eq!(days("day > 30").read().unwrap().count(), 0);
    assert!(days("day < 3 and id = 0").count().is_err());
}

#[test]
fn ten_thousand_footers_are_planned() {
    let hunt = Hunt::from_env();
    let folder = Folder::new();
    let n_files = hunt.count(300, 10_000);
    folder.write_ids("0/00000.arrow", 0..5);
    for idx in 1..n_files {
        let path = folder.path().join(format!("{}/{idx:05}.arrow", idx % 10));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::hard_link(folder.path().join("0/00000.arrow"), path).unwrap();
    }
    let start = std::time::Instant::now();
    let set = folder.open(&["**/*.arrow"]).unwrap();
    let tasks = set.split(64 << 20).unwrap();
    println!("{n_files} files planned in {:?}: {} tasks", start.elapsed(), tasks.len());
    assert_eq!(set.n_rows().unwrap(), 5 * n_files as u64);
    // Opening a file takes time, so many small files are divided into several tasks.
    assert!(tasks.iter().all(|task| task.files.len() <= 1024));
    assert!(tasks.len() <= n_files.div_ceil(1000));
}

#[test]
fn some_batches_can_be_chosen_by_what_is_known_of_them() {
    let folder = Folder::new();
    let batches = [ids_batch(0..3), ids_batch(3..5), ids_batch(5..9)];
    for day in [1, 2] {
        folder.write(&format!("day={day}/a.arrow"), &file_with_statistics(batches[0].schema(), &batches));
    }
    let options = DatasetOptions::new().with_trusted_statistics();
    let set = Dataset::open_with([folder.path()], options).unwrap();
    let bounds = |name: &str| {
        let known = set.bounds(name).unwrap();
        let shown = known.iter().map(|bounds| {
            let side = |value: &Option<Scalar>| value.as_ref().map_or("?".to_owned(), Scalar::to_string);
            format!("{}..{}", side(&bounds.min), side(&bounds.max))
        });
        shown.collect::<Vec<_>>()
    };
    assert_eq!(bounds("id"), ["0..2", "3..4", "5..8", "0..2", "3..4", "5..8"]);
    assert_eq!(bounds("day"), ["1..1", "1..1", "1..1", "2..2", "2..2", "2..2"]);
    assert!(set.bounds("nope").is_err());
    let unknown = folder.open(&[""]).unwrap().bounds("id").unwrap();
    assert!(unknown.iter().all(|bounds| bounds.min.is_none() && bounds.null_count.is_none()));

    let some = set.with_batches([4, 0, 1, 99]).unwrap();
    assert_eq!(rows_of_set(&some), ["0,1", "1,1", "2,1", "3,1", "4,1", "3,2", "4,2"]);
    assert_eq!((some.count().unwrap(), some.split(1).unwrap().len()), (7, 3));
    let fewer = some.with_batches(1..4).unwrap();
    assert_eq!(rows_of_set(&fewer), ["3,1", "4,1"]);
    let none = fewer.with_predicate("day = 2".parse().unwrap()).unwrap();
    assert_eq!((none.count().unwrap(), none.split(1).unwrap().len(), rows_of_set(&none).len()), (0, 0, 0));
}
