//! Compares concatenation, taking and filtering with a naive selection of values, for every type.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind as Kind, RecordBatch, Validation};
use arrow_schema::{DataType, Field, RunEndType, UnionMode};
use arrow_select::{Select, SelectError, SelectErrorKind, concat, concat_batches};
use proptest::prelude::*;
use testing_support::{Generator, Nulls, Value, all_types, rows, schema_of_all_types, values};

use testing_support::make::{array, binary, fixed, fixed_size_list, int32, list, list_view, runs, union};

/// Checks that the result has these values, valid content, and valid structure.
pub(crate) fn check(result: Result<ArrayData, SelectError>, expected: &[Value], what: &str) -> ArrayData {
    let result = result.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(values(&result), expected, "{what}");
    assert!(result.checked() >= Validation::Content, "{what}");
    assert_eq!(
        result.text().is_some(),
        *result.data_type() == DataType::Utf8 || *result.data_type() == DataType::LargeUtf8
    );
    assert_eq!(result.text_views().is_some(), *result.data_type() == DataType::Utf8View);
    // The parts make a valid array, which also meets the strict rules.
    let again =
        ArrayData::try_new(result.clone().into_parts()).and_then(|array| array.validate(Validation::Strict));
    assert_eq!(again.map(|array| array.len()), Ok(expected.len()), "{what}");
    result
}

/// Whether the error says that a merged dictionary would have too many values, or that dictionaries are ordered.
fn is_dictionary_error(error: &SelectError) -> bool {
    matches!(error.kind(), SelectErrorKind::IndexOverflow { .. } | SelectErrorKind::OrderedDictionaries)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn agrees_with_the_oracle(seed: u64, n_slots in 0..100_usize, n_arrays in 1..5_usize, density in 0..5_usize) {
        let mut generator = Generator::new(seed);
        let mut n_refused = 0;
        for (name, data_type) in all_types() {
            let nulls = *generator.rng().pick(&Nulls::ALL);
            let source = generator.sliced_array(&data_type, n_slots, nulls);
            let all = values(&source);
            let indices: Vec<usize> =
                (0..if n_slots == 0 { 0 } else { n_slots * 2 }).map(|_| generator.rng().below(n_slots)).collect();
            let taken: Vec<Value> = indices.iter().map(|index| all[*index].clone()).collect();
            let taken = check(source.take(&indices), &taken, &name);
            let as_i32: Vec<i32> = indices.iter().map(|index| *index as i32).collect();
            prop_assert_eq!(source.take(&as_i32).map(|again| values(&again)), Ok(values(&taken)));

            let one_in = [1, 2, 8, 40, 1000][density];
            let bits: Vec<bool> = (0..n_slots).map(|_| generator.rng().one_in(one_in) ^ (density == 3)).collect();
            let filtered: Vec<Value> = all.iter().zip(&bits).filter(|(_, bit)| **bit).map(|(value, _)| value.clone()).collect();
            let mask = Bitmap::from_iter(std::iter::repeat_n(true, 3).chain(bits)).slice(3, n_slots);
            check(source.filter(&mask), &filtered, &name);

            let mut sources = vec![source, taken];
            sources.extend((1..n_arrays).map(|_| {
                let nulls = *generator.rng().pick(&Nulls::ALL);
                generator.sliced_array(&data_type, n_slots / 2, nulls)
            }));
            let expected: Vec<Value> = sources.iter().flat_map(values).collect();
            match concat(&sources) {
                Err(error) if is_dictionary_error(&error) => n_refused += 1,
                result => {
                    let joined = check(result, &expected, &name);
                    // Selects the slots of the joined array in reverse order.
                    let n = joined.len();
                    let reversed: Vec<u32> = (0..n as u32).rev().collect();
                    let expected: Vec<Value> = expected.into_iter().rev().collect();
                    check(joined.take(&reversed), &expected, &name);
                }
            }
        }
        prop_assert!(n_refused < 12, "{} types refused", n_refused);
    }
}

#[test]
fn batches() {
    let schema = Arc::new(schema_of_all_types());
    let mut generator = Generator::new(5);
    let batch = generator.batch(&schema, 60, Nulls::Some);
    let all = rows(&batch);
    let taken = batch.take(&[59_u64, 0, 0]).expect("inside");
    assert_eq!(rows(&taken), [all[59].clone(), all[0].clone(), all[0].clone()]);
    let mask = (0..60).map(|row| row % 7 < 3).collect::<Bitmap>();
    let filtered = batch.filter(&mask).expect("60 bits");
    assert_eq!(
        rows(&filtered),
        (0..60).filter(|row| row % 7 < 3).map(|row| all[row].clone()).collect::<Vec<_>>()
    );
    let pieces = [batch.slice(0, 13), batch.slice(13, 0), batch.slice(13, 47)];
    let joined = concat_batches(Arc::clone(&schema), &pieces).expect("one schema");
    assert_eq!(rows(&joined), all);
    let none = concat_batches(Arc::clone(&schema), &[]).expect("no batches");
    assert_eq!((none.n_rows(), none.n_columns()), (0, schema.fields().len()));

    let ids = || RecordBatch::try_from_columns([("id", int32(&[1, 2]))]).expect("one column");
    let error = concat_batches(Arc::clone(&schema), &[ids()]).expect_err("other columns");
    assert!(matches!(error.data().map(DataError::kind), Some(Kind::Schema(_))), "{error}");
    let error = ids().take(&[0, 2]).expect_err("two rows");
    assert_eq!(error.to_string(), "index 2 at position 1 is out of bounds; there are 2 slots");
    let error = ids().filter(&Bitmap::new_set(3)).expect_err("two rows");
    assert_eq!(error.to_string(), "the mask has 3 bits for 2 slots");
}

#[test]
fn batches_without_columns_have_rows() {
    let batch = RecordBatch::try_new_with_rows(arrow_schema::Schema::new([]), [], 5).expect("no columns");
    assert_eq!(batch.take(&[4, 4, 4, 0, 1, 2, 3]).map(|batch| batch.n_rows()), Ok(7));
    assert_eq!(batch.filter(&(0..5).map(|row| row > 2).collect()).map(|batch| batch.n_rows()), Ok(2));
    let joined = concat_batches(batch.schema().clone(), &[batch.clone(), batch]);
    assert_eq!(joined.map(|batch| batch.n_rows()), Ok(10));
}

#[test]
fn indices_that_select_nothing_are_named() {
    let numbers = int32(&[1, 2, 3]);
    let cases: [(Result<ArrayData, SelectError>, u64, i128); 6] = [
        (numbers.take(&[0, 3]), 1, 3),
        (numbers.take(&[-1, 7]), 0, -1),
        (numbers.take(&[i64::MIN]), 0, i64::MIN.into()),
        (numbers.take(&[2, 1, u64::MAX]), 2, u64::MAX.into()),
        (numbers.take(&[usize::MAX]), 0, usize::MAX as i128),
        (numbers.slice(0, 0).take(&[0_u32]), 0, 0),
    ];
    for (result, at, number) in cases {
        match result.expect_err("outside").kind() {
            SelectErrorKind::TakeOutOfRange { position, index, n_slots: 0 | 3 } => {
                assert_eq!((*position, *index), (at, number));
            }
            other => panic!("{other}"),
        }
    }
    assert!(matches!(
        concat(&[]).expect_err("no type").data().map(DataError::kind),
        Some(Kind::NothingToConcat)
    ));
    let error = concat(&[int32(&[1]), fixed(DataType::Date32, [1_i32])]).expect_err("two types");
    assert!(matches!(error.data().map(DataError::kind), Some(Kind::TypeMismatch { .. })), "{error}");
}

#[test]
fn what_was_not_checked_is_checked() {
    let bad = binary(&DataType::Utf8, &[0, 9, 3], b"abc");
    let good = binary(&DataType::Utf8, &[0, 1, 3], b"abc");
    assert!(bad.take(&[0]).is_err());
    assert!(bad.filter(&Bitmap::new_set(2)).is_err());
    assert!(concat(&[good, bad.clone()]).is_err());
    assert!(concat(&[bad]).is_err());
}

/// Null items take no memory, so a list of them can reach the largest offset.
#[test]
fn what_does_not_fit_is_an_error() {
    let many = |n_slots| array(ArrayParts::new(DataType::Null, n_slots));
    let item = || Field::new("item", DataType::Null);
    let half = 1_usize << 30;
    let lists = list(&DataType::list(item()), &[0, half as i64], many(half));
    let views = list_view(&DataType::list_view(item()), &[0], &[half as i64], many(half));
    let large = list(&DataType::large_list(item()), &[0, half as i64], many(half));
    let sized = fixed_size_list(item(), 1, 1 << 30, many(half));
    let unions = || {
        let (fields, ids) = ([(5, item())], vec![5_i8; 3]);
        let data_type = DataType::union(UnionMode::Dense, fields).expect("one id");
        let buffers = [Buffer::from(ids), Buffer::from(vec![0_i32; 3])];
        array(ArrayParts { buffers, children: Some(Arc::new([many(1)])), ..ArrayParts::new(data_type, 3) })
    };
    let int16_runs = |n_slots: usize| runs(RunEndType::Int16, n_slots, &[n_slots as i64], int32(&[7]));
    for (pair, fits) in [
        (vec![lists.clone(), lists.clone()], false),
        (
            vec![
                views.clone(),
                views.slice(0, 1),
                list_view(&DataType::list_view(item()), &[5], &[1], many(6)),
            ],
            false,
        ),
        (vec![lists.clone(), list(&DataType::list(item()), &[0, half as i64 - 1], many(half))], true),
        (vec![large.clone(), large.clone(), large], true),
        (vec![sized.clone(), sized.clone(), sized], true),
        (vec![int16_runs(30_000), int16_runs(2_767)], true),
        (vec![int16_runs(30_000), int16_runs(2_768)], false),
        (vec![unions(), unions()], true),
    ] {
        let n_slots = pair.iter().map(ArrayData::len).sum::<usize>();
        match concat(&pair) {
            Ok(joined) => assert!(fits && joined.len() == n_slots, "{}", joined.data_type()),
            Err(error) => {
                assert!(!fits, "{error}");
                let is_overflow = matches!(
                    error.kind(),
                    SelectErrorKind::OffsetOverflow { .. } | SelectErrorKind::RunEndOverflow { .. }
                );
                assert!(is_overflow, "{error}");
            }
        }
    }
    let error = lists.take(&[0, 0]).expect_err("too many items");
    assert_eq!(
        error.to_string(),
        "list<item: null> cannot hold so many bytes or items; use a large type or several arrays"
    );
    let error = int16_runs(30_000).take(&vec![5_u32; 40_000]).expect_err("too many slots");
    assert_eq!(error.to_string(), "40000 slots are too many for int16 run ends; use a wider type");
    // The number of slots exceeds a `usize`.
    let error = concat(&[many(usize::MAX), many(1)]).expect_err("too many");
    assert!(matches!(error.data().map(DataError::kind), Some(Kind::SizeOverflow { .. })), "{error}");
    let wide = fixed_size_list(item(), 1 << 33, 1 << 30, many(1 << 63));
    let taken = wide.take(&[0_usize; 1 << 14]).expect("a sum that fits");
    let error = concat(&vec![taken; 1 << 20]).expect_err("too many items");
    assert!(matches!(error.data().map(DataError::kind), Some(Kind::SizeOverflow { .. })), "{error}");
}

#[test]
fn runs_stay_runs() {
    let source = runs(RunEndType::Int32, 10, &[3, 4, 10], int32(&[7, 8, 7]));
    for (indices, expected) in [
        (vec![0, 1, 2, 0, 0], vec![5]),
        (vec![0, 3, 3, 9, 4], vec![1, 3, 5]),
        (vec![0, 9, 0, 9], vec![1, 2, 3, 4]),
    ] {
        let taken = source.take(&indices).expect("inside");
        assert_eq!(taken.children()[0].buffer(0).view::<i32>(), Ok(&expected[..]));
    }
    // If a slice boundary divides a run, the result has two runs.
    let joined = concat(&[source.slice(0, 2), source.slice(2, 8)]).expect("they fit");
    assert_eq!(joined.children()[0].buffer(0).view::<i32>(), Ok(&[2, 3, 4, 10][..]));
}

#[test]
fn data_is_shared_where_it_can_be() {
    let mut generator = Generator::new(9);
    let views =
        generator.array(&DataType::Utf8View, 200, Nulls::Some).validate(Validation::Content).expect("valid");
    let taken = views.take(&[5, 5, 150]).expect("inside");
    assert!(taken.variadic().iter().zip(views.variadic()).all(|(new, old)| new.same_memory(old)));
    let other = generator.array(&DataType::Utf8View, 200, Nulls::None);
    let joined = concat(&[views.clone(), other.clone(), views.slice(3, 9)]).expect("they fit");
    let expected: Vec<&Buffer> = views.variadic().iter().chain(other.variadic()).collect();
    assert_eq!(joined.variadic().len(), expected.len());
    assert!(joined.variadic().iter().zip(expected).all(|(new, old)| new.same_memory(old)));

    let items = DataType::list_view(Field::new("item", DataType::Int32));
    let lists = list_view(&items, &[2, 0, 1], &[1, 3, 2], int32(&[1, 2, 3]));
    let taken = lists.take(&[2, 0]).expect("inside");
    assert!(taken.children()[0].buffer(0).same_memory(lists.children()[0].buffer(0)));
    // Consecutive rows are selected as a slice.
    let numbers = int32(&[1, 2, 3, 4]);
    let filtered = numbers.filter(&Bitmap::from_iter([false, true, true, false])).expect("four bits");
    assert!(filtered.buffer(0).same_memory(&numbers.buffer(0).slice(4..12)));
}

#[test]
fn dense_unions_are_in_order() {
    let source = union(
        UnionMode::Dense,
        &[5, 2, 5, 5],
        &[1, 0, 1, 2],
        [int32(&[9, 8, 7]), binary(&DataType::Utf8, &[0, 1], b"a")],
    );
    let taken = source.take(&[3, 0, 1, 1, 2]).expect("inside");
    assert_eq!(taken.buffer(1).view::<i32>(), Ok(&[0, 1, 0, 0, 1][..]));
    assert_eq!(taken.children()[0].buffer(0).view::<i32>(), Ok(&[7, 8][..]));
    assert!(taken.validate(Validation::Strict).is_ok());
    let again = source.take(&[2, 3, 0]).expect("inside");
    assert_eq!(again.buffer(1).view::<i32>(), Ok(&[0, 1, 2][..]));
    assert!(again.validate(Validation::Strict).is_ok());
}

/// Unions and lists refer twice to the level below them, in order and out of order.
#[test]
fn what_is_shared_does_not_multiply() {
    for offsets in [[0, 0, 1], [0, 1, 0]] {
        let mut child = int32(&[1, 2]);
        for _ in 0..30 {
            let item = Field::new("item", child.data_type().clone());
            let lists = list(&DataType::list(item), &[0, 1, 2], child);
            let data_type =
                DataType::union(UnionMode::Dense, [(0, Field::new("lists", lists.data_type().clone()))]);
            let unions = array(ArrayParts {
                buffers: [Buffer::from(vec![0_i8; 3]), Buffer::from(offsets.to_vec())],
                children: Some(Arc::new([lists])),
                ..ArrayParts::new(data_type.expect("one id"), 3)
            });
            let item = Field::new("item", unions.data_type().clone());
            child = list(&DataType::list(item), &[0, 3, 3], unions);
        }
        let child = child.validate(Validation::Content).expect("it is valid");
        let joined = concat(&[child.clone(), child.clone()]).expect("they fit");
        assert!(joined.n_bytes() < 4 * child.n_bytes() + 4096, "{} {}", joined.n_bytes(), child.n_bytes());
        let filtered = child.filter(&Bitmap::from_iter([true, false])).expect("two bits");
        assert_eq!(filtered.same_values(&child.slice(0, 1)), Ok(true));
    }
}
