//! Data that batches share is read once: the work for a batch is in proportion to its own data.

use std::sync::Arc;

use arrow_array::*;
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_schema::{DataType, Field, IndexType, Schema};
use testing_support::{Generator, Nulls, all_types};

use crate::ALLOCATOR;

fn make(parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(parts).expect("the parts fit")
}

fn encoded(keys: &[i8], values: &Arc<ArrayData>) -> ArrayData {
    let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone()).expect("no dictionary");
    make(ArrayParts {
        data_type,
        dictionary: Some(values.clone()),
        ..make(Int8Array::from_iter(keys.iter().copied()).into_data().into_parts()).into_parts()
    })
}

/// Makes a utf8 array that is not validated.
fn text(bytes: Buffer) -> ArrayData {
    let n_bytes = i32::try_from(bytes.len()).expect("it is short");
    make(ArrayParts {
        buffers: [Buffer::from(vec![0, n_bytes]), bytes],
        ..ArrayParts::new(DataType::Utf8, 1)
    })
}

fn struct_of(columns: Vec<(String, ArrayData)>, n_slots: usize) -> ArrayData {
    let (fields, columns): (Vec<Field>, Vec<ArrayData>) = columns
        .into_iter()
        .map(|(name, column)| (Field::new(name, column.data_type().clone()), column))
        .unzip();
    make(ArrayParts {
        children: Some(columns.into()),
        ..ArrayParts::new(DataType::Struct(fields.into()), n_slots)
    })
}

/// Makes a struct with long names, and a dictionary of a wide type whose values contain dictionaries.
fn wide() -> RecordBatch {
    let inner = Arc::new(text(Buffer::copy_from(&[b'x'; 100_000])));
    let columns = (0..500).map(|k| (format!("column {k}"), encoded(&[0], &inner))).collect();
    let dictionary = Arc::new(struct_of(columns, 1));
    let named = struct_of(vec![("n".repeat(100_000), Int8Array::from_iter([1, 2]).into())], 2);
    RecordBatch::try_from_columns([("d", encoded(&[0, 0], &dictionary)), ("s", named)])
        .expect("of equal lengths")
}

#[test]
fn writers_look_at_dictionaries_once() {
    for is_validated in [true, false] {
        let batch = wide();
        let batch =
            if is_validated { batch.validate(Validation::Strict).expect("it is valid") } else { batch };
        let mut cache = TextCache::new();
        let (_, first) = ALLOCATOR.measure(|| cache.rows(&batch).expect("it is valid"));
        let (_, first_plain) = ALLOCATOR.measure(|| plain(&mut cache, &batch));
        for part in [batch.slice(0, 1), batch.slice(1, 1), batch.slice(2, 0)] {
            let (rows, next) = ALLOCATOR.measure(|| cache.rows(&part).expect("it is valid"));
            let (n_rows, next_plain) = ALLOCATOR.measure(|| plain(&mut cache, &part));
            assert!(rows.len() == part.n_rows() && n_rows == part.n_rows());
            for (first, next) in [(first, next), (first_plain, next_plain)] {
                assert!(first.total_bytes > 50_000, "{first:?}");
                assert!(next.total_bytes < 10_000, "{is_validated}: {next:?} after {first:?}");
            }
        }
    }
}

/// Prepares all columns as plain text, and returns the number of rows.
fn plain(cache: &mut TextCache, batch: &RecordBatch) -> usize {
    let columns = 0..batch.n_columns();
    let columns =
        columns.map(|position| cache.column(batch, position, TextStyle::Plain).expect("it is valid"));
    columns.map(|column| column.len()).max().unwrap_or(0)
}

#[test]
fn one_cache_writes_what_many_do() {
    let mut cache = TextCache::new();
    for (type_idx, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(type_idx as u64);
        let schema = Schema::new([Field::new("a", data_type.clone()), Field::new("b", data_type)]);
        let batches = generator.batches(&schema, &[5, 0, 12]);
        let whole = generator.batch(&schema, 20, Nulls::Some);
        let slices = [(0, 7), (7, 0), (7, 13)].map(|(start, n_rows)| whole.slice(start, n_rows));
        for batch in batches.iter().chain(&slices) {
            let expected = TextCache::new().rows(batch).expect("it is valid");
            let rows = cache.rows(batch).expect("it is valid");
            assert_eq!(rows.len(), expected.len());
            for (row, expected) in rows.iter().zip(expected.iter()) {
                assert_eq!(row.to_string(), expected.to_string(), "{name}");
            }
        }
    }
}

#[test]
fn proofs_are_shared() {
    let values = Arc::new(text(Buffer::copy_from(b"text")));
    let nested = || struct_of(vec![("d".into(), encoded(&[0, 0], &values))], 2);
    let mut proofs = DictionaryProofs::new();
    let proven = [encoded(&[0], &values), nested(), encoded(&[0, 0, 0], &values)]
        .map(|array| proofs.prove(&array).expect("it is valid"));
    assert!(proven.iter().all(|array| array.checked() == Validation::Content));
    let dictionaries = proven.each_ref().map(|array| match array.children() {
        [child] => child.dictionary().expect("it is encoded"),
        _ => array.dictionary().expect("it is encoded"),
    });
    assert!(dictionaries.iter().all(|dictionary| Arc::ptr_eq(dictionary, dictionaries[0])));
    assert!(dictionaries[0].text().is_some_and(|text| &**text == "text"));
    // A valid array is returned unchanged.
    let again = proofs.prove(&proven[0]).expect("it is valid");
    assert!(again.dictionary().is_some_and(|dictionary| Arc::ptr_eq(dictionary, dictionaries[0])));
}

#[test]
fn errors_are_those_of_validation() {
    let bad = Arc::new(text(Buffer::copy_from(b"\xff")));
    let bad_struct = Arc::new(struct_of(vec![("inner".into(), encoded(&[0], &bad))], 1));
    let good = Arc::new(text(Buffer::copy_from(b"good")));
    let mut proofs = DictionaryProofs::new();
    let mut cache = TextCache::new();
    for array in [
        encoded(&[0], &bad),
        encoded(&[1], &good),
        encoded(&[0], &bad_struct),
        struct_of(vec![("good".into(), encoded(&[0], &good)), ("bad".into(), encoded(&[0], &bad_struct))], 1),
    ] {
        let expected = array.clone().validate(Validation::Content).expect_err("it is bad");
        for _ in 0..2 {
            let error = proofs.prove(&array).expect_err("it is bad");
            assert_eq!(*error.kind(), ArrayErrorKind::Data(expected.clone()));
            let batch = RecordBatch::try_from_columns([("column", array.clone())]).expect("one column");
            let error = cache.rows(&batch).expect_err("it is bad");
            let expected = expected.clone().in_field(0, "column");
            assert_eq!(*error.kind(), ArrayErrorKind::Data(expected));
        }
    }
}

#[test]
fn dictionaries_that_are_gone_are_not_held() {
    let (mut cache, mut proofs) = (TextCache::new(), DictionaryProofs::new());
    let mut owners: Vec<Arc<Vec<u8>>> = Vec::new();
    for n in 0..100 {
        let owner = Arc::new(format!("text {n}").into_bytes());
        let values = Arc::new(text(Buffer::from_owner(Owner(owner.clone()))));
        owners.push(owner);
        let batch = RecordBatch::try_from_columns([("d", encoded(&[0], &values))]).expect("one column");
        let rows = cache.rows(&batch).expect("it is valid");
        assert_eq!(rows.value(0).to_string(), format!(r#"{{"d":"text {n}"}}"#));
        proofs.prove(batch.column("d").expect("there is one")).expect("it is valid");
    }
    let n_held = owners.iter().filter(|owner| Arc::strong_count(owner) > 1).count();
    assert!(n_held <= 3, "{n_held} dictionaries are held");
}

struct Owner(Arc<Vec<u8>>);

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
