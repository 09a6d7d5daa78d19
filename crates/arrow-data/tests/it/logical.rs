//! Finds nulls through the values that slots select.

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataErrorKind, Validation};
use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};
use testing_support::{Generator, Nulls, Value, all_types, values};

use testing_support::make::{binary, dictionary, int32, nulls, runs, union};

fn is_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Union(_, value) => is_null(value),
        _ => false,
    }
}

/// Compares with the naive reading of values.
fn check(array: &ArrayData, what: &str) {
    let expected: Bitmap = values(array).iter().map(|value| !is_null(value)).collect();
    let null_count = expected.count_unset();
    assert_eq!(array.logical_null_count(), Ok(null_count), "{what}\n{}", array.dump());
    assert_eq!(
        array.logical_validity(),
        Ok((null_count > 0).then_some(expected)),
        "{what}\n{}",
        array.dump()
    );
}

fn dictionary_of(value: DataType) -> DataType {
    DataType::dictionary(IndexType::UInt16, value).expect("no dictionary itself")
}

fn union_of(mode: UnionMode, children: [DataType; 2]) -> DataType {
    let fields = [7, 0].into_iter().zip(children).map(|(id, child)| (id, Field::new("c", child)));
    DataType::union(mode, fields).expect("two ids")
}

#[test]
fn all_types_agree_with_the_naive_reading() {
    let words = || DataType::run_end_encoded(RunEndType::Int16, dictionary_of(DataType::Utf8));
    let dense = || union_of(UnionMode::Dense, [words(), DataType::Null]);
    let sparse = union_of(UnionMode::Sparse, [dense(), DataType::Int8]);
    let more = [
        ("union of runs and nulls", dense()),
        ("union of unions", sparse.clone()),
        ("dictionary of unions", dictionary_of(sparse.clone())),
        ("dictionary of nulls", dictionary_of(DataType::Null)),
        ("runs of unions", DataType::run_end_encoded(RunEndType::Int64, sparse)),
        ("runs of nulls", DataType::run_end_encoded(RunEndType::Int32, DataType::Null)),
    ];
    let mut generator = Generator::new(41);
    let more = more.map(|(name, data_type)| (name.to_owned(), data_type));
    for (name, data_type) in all_types().into_iter().chain(more) {
        for nulls in Nulls::ALL {
            for n_slots in [0, 1, 7, 64, 130] {
                let array = generator.sliced_array(&data_type, n_slots, nulls);
                check(&array, &name);
                check(&array.validate(Validation::Content).expect("it is sound"), &name);
            }
        }
    }
}

/// The arrays are made by hand, since the generator reads arrays in the same way as the oracle.
#[test]
fn nulls_are_those_that_slots_select() {
    let values = || nulls(int32(&[1, 2, 3]), "101");
    let keys = dictionary(&dictionary_of(DataType::Int32), &[1, 0, 1, 2], values());
    let numbers = nulls(int32(&[1, 2, 3, 4]), "0101");
    let texts = binary(&DataType::Utf8, &[0, 1, 2, 3, 4], b"abcd");
    let cases = [
        ("dictionary", nulls(keys, "1101"), "0101"),
        ("runs", runs(RunEndType::Int32, 6, &[2, 3, 6], values()), "110111"),
        ("part of runs", runs(RunEndType::Int32, 6, &[2, 3, 6], values()).slice(2, 2), "01"),
        ("sparse union", union(UnionMode::Sparse, &[5, 5, 2, 2], &[], [numbers, texts.clone()]), "0111"),
        ("dense union", union(UnionMode::Dense, &[2, 5, 5], &[3, 1, 2], [values(), texts]), "101"),
        ("nulls", ArrayData::try_new(ArrayParts::new(DataType::Null, 2)).expect("sound"), "00"),
    ];
    for (what, array, expected) in cases {
        let expected: Bitmap = expected.bytes().map(|bit| bit == b'1').collect();
        assert_eq!(array.logical_null_count(), Ok(expected.count_unset()), "{what}");
        assert_eq!(array.logical_validity(), Ok(Some(expected)), "{what}");
    }
}

#[test]
fn numbers_that_lead_nowhere_are_found() {
    let values = || nulls(int32(&[1, 2]), "10");
    let texts = binary(&DataType::Utf8, &[0, 1], b"a");
    let keys = dictionary(&dictionary_of(DataType::Int32), &[0, 2], values());
    let in_keys = dictionary(
        &dictionary_of(DataType::run_end_encoded(RunEndType::Int32, DataType::Int32)),
        &[0, 1],
        runs(RunEndType::Int32, 2, &[2, 1], values()),
    );
    let cases = [
        (keys, "values, slot 1: index 2 is out of bounds; the dictionary has 2 values"),
        (
            in_keys,
            "field `<dictionary>.run_ends`, values, slot 1: run end 1 is not greater than the start of its run, 2",
        ),
        (
            union(UnionMode::Dense, &[5, 2], &[0, 1], [values(), texts]),
            "offsets, slot 1: offset 1 is out of bounds; the union's child has 1 slots",
        ),
    ];
    for (array, expected) in cases {
        let error = array.logical_validity().expect_err(expected);
        assert_eq!(error.to_string(), expected);
        assert_eq!(array.logical_null_count(), Err(error));
    }
    // Content that cannot make a slot null, such as text, is not checked.
    let bad_text = binary(&DataType::Utf8, &[0, 9], b"a");
    assert_eq!(nulls(bad_text.clone(), "0").logical_null_count(), Ok(1));
    assert!(matches!(
        bad_text.validate(Validation::Content).expect_err("short").kind(),
        DataErrorKind::OffsetOutOfRange { .. }
    ));
}

/// A bit per slot would take 128 GiB.
#[cfg(target_pointer_width = "64")]
#[test]
fn nulls_of_long_runs_are_counted_run_by_run() {
    let n_slots = 1_i64 << 40;
    let ends = ArrayData::try_new(ArrayParts {
        buffers: [vec![7_i64, n_slots].into(), Buffer::new()],
        ..ArrayParts::new(DataType::Int64, 2)
    });
    let validity = Some(Bitmap::from_iter([true, false]));
    let values =
        ArrayData::try_new(ArrayParts { validity, ..int32(&[1, 0]).into_parts() }).expect("two values");
    let data_type = DataType::run_end_encoded(RunEndType::Int64, DataType::Int32);
    let runs = ArrayData::try_new(ArrayParts {
        children: Some([ends.expect("two ends"), values].into()),
        ..ArrayParts::new(data_type.clone(), n_slots as usize)
    })
    .expect("two runs");
    assert_eq!(runs.logical_null_count(), Ok(n_slots as usize - 7));
    assert_eq!(runs.slice(0, 9).logical_null_count(), Ok(2));
    // Indices that select slots of the runs.
    let selected = ArrayData::try_new(ArrayParts {
        buffers: [vec![0_i64, n_slots - 1, 6, 7].into(), Buffer::new()],
        dictionary: Some(runs.into()),
        ..ArrayParts::new(DataType::dictionary(IndexType::Int64, data_type).expect("runs"), 4)
    })
    .expect("inside of the runs");
    assert_eq!(selected.logical_validity(), Ok(Some(Bitmap::from_iter([true, false, true, false]))));
}
