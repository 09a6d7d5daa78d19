//! Bounds of parts in a manifest. A part with a matching row is always read.

use std::{fs, path::Path, sync::Arc};

use arrow_array::{BinaryArray, Scalar};
use arrow_compute::{ComparisonOperator, Predicate};
use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, WriteOptions};
use arrow_ipc_dataset::{Dataset, DatasetError, DatasetErrorKind, DatasetOptions, DatasetWriter, WriteMode};
use arrow_schema::{DataType, Field, Schema};
use testing_support::{Generator, Hunt, Nulls, all_types};

use super::support::{Folder, ids_batch, rows_of};

/// The length of the long value. With it, 2 % of the length of a part is enough for the statistics.
const PAD_BYTES: usize = 200_000;

/// A column of `data_type`, a column of the same type inside a struct, and a column of long values.
fn schema_of(data_type: &DataType) -> Schema {
    let inside = [Field::new("other", DataType::Int8), Field::new("x", data_type.clone())];
    Schema::new([
        Field::new("c", data_type.clone()),
        Field::new("s", DataType::struct_(inside)),
        Field::new("pad", DataType::Binary),
    ])
}

/// A few batches. Only the first contains the long value.
fn random_batches(schema: &Schema, generator: &mut Generator) -> Vec<RecordBatch> {
    let n_batches = 1 + generator.rng().below(2);
    let batch = |idx: usize| {
        let n_rows = if idx == 0 { 1 } else { 0 } + generator.rng().below(4);
        let nulls = Nulls::ALL[generator.rng().below(Nulls::ALL.len())];
        let mut columns: Vec<_> = schema.fields()[..2]
            .iter()
            .map(|field| generator.sliced_array(field.data_type(), n_rows, nulls))
            .collect();
        let pad = (0..n_rows).map(|row| vec![7; if idx + row == 0 { PAD_BYTES } else { 0 }]);
        columns.push(BinaryArray::try_from_iter(pad).unwrap().into_data());
        RecordBatch::try_new_with_rows(Arc::new(schema.clone()), columns, n_rows).unwrap()
    };
    (0..n_batches).map(batch).collect()
}

/// Commits four parts in two folders. Returns an error if files cannot have the dictionaries of the parts.
fn commit(folder: &Folder, parts: &[Vec<RecordBatch>]) -> Result<(), DatasetError> {
    let root = folder.path().join("data");
    let writer = DatasetWriter::begin(root, parts[0][0].schema().clone(), WriteMode::Create)?;
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let written = parts.iter().zip(0..).map(|(batches, task)| {
        let mut part = writer.part(task, &format!("day={}", task % 2), options.clone())?;
        batches.iter().try_for_each(|batch| part.write(batch))?;
        part.finish()
    });
    let written = written.collect::<Result<Vec<_>, _>>()?;
    writer.commit(written).map(drop)
}

/// The matching rows, and the number of rows that the tasks read.
fn found(set: &Dataset, condition: &Predicate) -> Option<(Vec<String>, u64)> {
    let set = set.clone().with_columns(["c", "s", "day"]).ok()?.with_predicate(condition.clone()).ok()?;
    let batches = set.read().ok()?.collect::<Result<Vec<_>, _>>().ok()?;
    let n_read = set.split(u64::MAX).iter().map(|task| task.n_rows()).sum();
    Some((batches.iter().flat_map(rows_of).collect(), n_read))
}

/// Random parts of each type, in columns, structs and folders. They are read unchanged and cast to a given schema.
/// Conditions compare with values of the parts.
#[test]
fn no_part_is_left_out_in_which_a_row_matches() {
    let hunt = Hunt::from_env();
    let mut generator = Generator::new(hunt.seed(72));
    let (mut n_left_out, mut n_compared, mut n_cast) = (0, 0, 0);
    let types = all_types();
    for case in 0..hunt.count(2, 10) {
        for (name, data_type) in hunt.some_of(&types, 12, case) {
            let schema = schema_of(data_type);
            let parts: Vec<_> = (0..4).map(|_| random_batches(&schema, &mut generator)).collect();
            let folder = Folder::new();
            if commit(&folder, &parts).is_err() {
                continue;
            }
            let casts = [DataType::Int64, DataType::Float64, DataType::Utf8, DataType::LargeUtf8];
            let cast = generator.rng().pick(&casts).clone();
            let mut given = schema_of(&cast).fields().to_vec();
            given.push(Field::new("day", DataType::Int64));
            for given in [None, Some(Schema::new(given))] {
                let is_cast = given.is_some();
                let options = given.into_iter().fold(DatasetOptions::new(), DatasetOptions::with_schema);
                let root = [folder.path().join("data")];
                let Ok(plain) = Dataset::open_with(&root, &options) else { continue };
                let trusting = Dataset::open_with(&root, &options.trusting_statistics()).unwrap();
                for _ in 0..6 {
                    let condition = condition(&parts, &mut generator);
                    let Some((expected, n_all)) = found(&plain, &condition) else { continue };
                    let Some((rows, n_read)) = found(&trusting, &condition) else {
                        panic!("{name}, {is_cast}: {condition}: only read as a whole");
                    };
                    assert_eq!(rows, expected, "{name} {is_cast} {cast}: {condition}");
                    n_left_out += n_all - n_read;
                    n_compared += 1;
                    n_cast += u32::from(is_cast);
                }
            }
        }
    }
    assert!(n_compared > 40 && n_cast > 8 && n_left_out > 40, "{n_compared} {n_cast} {n_left_out}");
}

/// A comparison with a value of a part, alone or combined with a condition on the folder.
fn condition(parts: &[Vec<RecordBatch>], generator: &mut Generator) -> Predicate {
    let mut comparison = || {
        let column = *generator.rng().pick(&["c", "s.x", "s.other"]);
        let batch = &generator.rng().pick(parts)[0];
        let path = batch.schema().column_or_path(column).unwrap();
        let operator = *generator.rng().pick(&ComparisonOperator::ALL);
        let value = batch.at_path(&path).ok().and_then(|values| {
            let slot = generator.rng().below(values.len());
            Scalar::try_from_slot(&values, slot).ok().filter(|value| !value.is_null())
        });
        match value {
            Some(value) => Predicate::compare(column, operator, value).to_string(),
            None => format!("{column} is null"),
        }
    };
    let [one, other] = [comparison(), comparison()];
    let text = match generator.rng().below(4) {
        0 => format!("day = 1 and ({one})"),
        1 => format!("day = 0 and not ({one}) or {other}"),
        2 => format!("not ({one} or {other})"),
        _ => one,
    };
    text.parse().unwrap()
}

/// A manifest has the bounds of each part. If the bounds allow a match, the footer of the part is read.
#[test]
fn footers_of_parts_tell_which_batches_match() {
    let folder = Folder::new();
    let root = folder.path().join("data");
    let writer = DatasetWriter::begin(&root, ids_batch([]).schema().clone(), WriteMode::Create).unwrap();
    let parts = [0i64, 1, 2].map(|task| {
        let mut part = writer.part(task as u64, "", WriteOptions::new()).unwrap();
        for batch in 0..4 {
            let first = (task * 4 + batch) * 20_000;
            part.write(&ids_batch(first..first + 20_000)).unwrap();
        }
        part.finish().unwrap()
    });
    writer.commit(parts).unwrap();
    let open = |options: &DatasetOptions| Dataset::open_with([&root], options).unwrap();
    let trusting = DatasetOptions::new().trusting_statistics();
    for (condition, expected, n_rows) in [
        ("id >= 125000 and id < 125010", vec![(1, 2..3)], 10),
        ("id in (5, 239999)", vec![(0, 0..1), (2, 3..4)], 2),
        ("id < 25000", vec![(0, 0..2)], 25_000),
        ("id >= 70000 and id < 90000", vec![(0, 3..4), (1, 0..1)], 20_000),
        ("id > 239999", vec![], 0),
    ] {
        let set = open(&trusting).with_predicate(condition.parse().unwrap()).unwrap();
        let tasks = set.split(u64::MAX);
        let found = tasks.iter().flat_map(|task| &task.files);
        let position = |path: &Path| set.files().iter().position(|file| file.path() == path).unwrap();
        let found: Vec<_> = found.map(|file| (position(&file.path), file.batches.clone())).collect();
        assert_eq!(found, expected, "{condition}");
        assert_eq!(set.count().unwrap(), n_rows, "{condition}");
        // Without trusting statistics, no footer is read, and all batches are.
        let set = open(&DatasetOptions::new()).with_predicate(condition.parse().unwrap()).unwrap();
        let n_batches: usize =
            set.split(1).iter().flat_map(|task| &task.files).map(|file| file.batches.len()).sum();
        assert_eq!((n_batches, set.count().unwrap()), (12, n_rows), "{condition}");
    }
    // A replaced part causes an error if its footer is read.
    let set = open(&trusting);
    let path = set.files()[1].path().to_owned();
    fs::write(&path, fs::read(set.files()[0].path()).unwrap()).unwrap();
    let narrow = |condition: &str| set.clone().with_predicate(condition.parse().unwrap());
    assert_eq!(narrow("id = 5").unwrap().count().unwrap(), 1);
    let error = narrow("id = 125000").unwrap_err();
    assert!(matches!(error.kind(), DatasetErrorKind::Changed { .. }), "{error}");
    assert_eq!(error.path(), Some(&*path));
}
