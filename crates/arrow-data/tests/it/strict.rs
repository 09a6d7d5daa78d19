//! Tests the rules that only the strict level checks.

use arrow_buffer::{I128, I256};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_schema::{
    DataType, Field, IndexType, RunEndEncodedType, RunEndType, Schema, Time32Unit, Time64Unit, UnionMode,
};

use testing_support::make::{
    array, binary, dictionary, fixed, fixed_size_list, int32, list, list_view, message, nulls, runs, struct_,
    union, union_of,
};

/// Checks that content is valid and that the strict level fails, also for an array that is made again from its parts.
#[track_caller]
fn refused(array: ArrayData, expected: &str) {
    let content = array.validate(Validation::Content).unwrap_or_else(|error| panic!("content: {error}"));
    assert_eq!(message(content.clone().validate(Validation::Strict)), expected);
    let from_the_start = ArrayData::try_new(content.into_parts()).expect("sound before");
    assert_eq!(message(from_the_start.validate(Validation::Strict)), expected);
}

#[track_caller]
fn accepted(array: ArrayData) {
    let checked = array.validate(Validation::Strict).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(checked.checked(), Validation::Strict);
}

#[test]
fn decimals() {
    let limit_256 = I256::checked_pow10(76).expect("it fits");
    let nines_256: I256 = "9".repeat(76).parse().expect("it fits");
    let limit_128 = 10_i128.pow(38);
    let decimal = "the precision is legal";
    let types = [
        DataType::decimal32(3, 0).expect(decimal),
        DataType::decimal64(18, 5).expect(decimal),
        DataType::decimal128(38, -5).expect(decimal),
        DataType::decimal256(76, 76).expect(decimal),
    ];
    let limit_64 = 10_i64.pow(18);
    let cases = [
        (
            fixed(types[0].clone(), [999, 1000]),
            fixed(types[0].clone(), [-999, -1000]),
            fixed(types[0].clone(), [999, -999]),
        ),
        (
            fixed(types[1].clone(), [limit_64 - 1, limit_64]),
            fixed(types[1].clone(), [1 - limit_64, i64::MIN]),
            fixed(types[1].clone(), [limit_64 - 1, 1 - limit_64]),
        ),
        (
            fixed(types[2].clone(), [I128::new(limit_128 - 1), I128::new(limit_128)]),
            fixed(types[2].clone(), [I128::new(1 - limit_128), I128::new(i128::MIN)]),
            fixed(types[2].clone(), [I128::new(limit_128 - 1), I128::new(1 - limit_128)]),
        ),
        (
            fixed(types[3].clone(), [nines_256, limit_256]),
            fixed(types[3].clone(), [-nines_256, -limit_256]),
            fixed(types[3].clone(), [nines_256, -nines_256]),
        ),
    ];
    let least_256 = (-limit_256).to_string();
    let least = ["-1000", "-9223372036854775808", "-170141183460469231731687303715884105728", &least_256];
    for (((above, below, good), n_digits), least) in cases.into_iter().zip([3, 18, 38, 76]).zip(least) {
        let expected = |value: &str| {
            format!(
                "values, slot 1: the decimal has more than {n_digits} digits: its unscaled value is {value}"
            )
        };
        refused(above.clone(), &expected(&format!("1{}", "0".repeat(n_digits))));
        refused(below, &expected(least));
        accepted(good);
        accepted(nulls(above, "10"));
    }
}

#[test]
fn dates_and_times() {
    const DAY: i64 = 86_400_000;
    let date = |values: [i64; 3]| fixed(DataType::Date64, values);
    refused(
        date([0, -DAY, DAY + 1]),
        "values, slot 2: the date64 86400001 is not a multiple of 86400000, one day",
    );
    refused(date([0, -1, DAY]), "values, slot 1: the date64 -1 is not a multiple of 86400000, one day");
    accepted(date([0, -DAY, DAY]));
    accepted(nulls(date([0, -1, DAY]), "101"));
    for (unit, per_day) in [(Time32Unit::Second, 86_400), (Time32Unit::Millisecond, 86_400_000)] {
        let time = |value: i32| fixed(DataType::Time32(unit), [0, value]);
        let expected =
            format!("values, slot 1: the time {per_day} is not within a day, from 0 to less than {per_day}");
        refused(time(per_day), &expected);
        refused(time(-1), &expected.replacen(&per_day.to_string(), "-1", 1));
        accepted(time(per_day - 1));
        accepted(nulls(time(-1), "10"));
    }
    for (unit, per_day) in
        [(Time64Unit::Microsecond, 86_400_000_000), (Time64Unit::Nanosecond, 86_400_000_000_000)]
    {
        let time = |value: i64| fixed(DataType::Time64(unit), [0, value]);
        let expected =
            format!("values, slot 1: the time {per_day} is not within a day, from 0 to less than {per_day}");
        refused(time(per_day), &expected);
        refused(time(i64::MIN), &expected.replacen(&per_day.to_string(), &i64::MIN.to_string(), 1));
        accepted(time(per_day - 1));
    }
}

#[test]
fn dense_unions() {
    let children = || [int32(&[1, 2, 3]), binary(&DataType::Utf8, &[0, 1, 2], b"ab")];
    let new = |ids: &[i8], offsets: &[i32]| union(UnionMode::Dense, ids, offsets, children());
    refused(
        new(&[5, 2, 5, 5], &[1, 0, 2, 1]),
        "offsets, slot 3: offset 1 is less than 2, the preceding offset into the same child",
    );
    accepted(new(&[5, 2, 5, 2, 5], &[0, 1, 0, 1, 2]));
}

/// A null in a field that is not nullable is found below every kind of parent; nulls below invalid slots are allowed.
#[test]
fn nulls_in_required_fields() {
    let required = || Field::new("item", DataType::Int32).required();
    let child = || nulls(int32(&[1, 2, 3, 4]), "1101");
    let expected = "field `item`, validity, slot 2: the value is null, but the field is not nullable";

    let parent = || struct_(vec![(required(), child())]);
    refused(parent(), expected);
    accepted(nulls(parent(), "1101"));
    refused(nulls(parent(), "0111"), expected);

    for data_type in [DataType::list(required()), DataType::large_list(required())] {
        let new = |offsets: &[i64]| list(&data_type, offsets, child());
        refused(new(&[0, 2, 4]), expected);
        accepted(nulls(new(&[0, 2, 3, 4]), "101"));
        accepted(new(&[0, 1, 2]));
        accepted(new(&[3, 3, 4]));
    }
    for data_type in [DataType::list_view(required()), DataType::large_list_view(required())] {
        let new = |offsets: &[i64], sizes: &[i64]| list_view(&data_type, offsets, sizes, child());
        refused(new(&[3, 2], &[1, 1]), expected);
        refused(new(&[0, 0, 1], &[4, 4, 2]), expected);
        accepted(nulls(new(&[3, 2], &[1, 2]), "10"));
        accepted(new(&[3, 0, 2], &[1, 2, 0]));
    }
    refused(fixed_size_list(required(), 2, 2, child()), expected);
    accepted(nulls(fixed_size_list(required(), 2, 2, child()), "10"));

    let entries = |key: &str, value: &str| {
        let fields = [Field::new("key", DataType::Int32).required(), required()];
        let columns = [nulls(int32(&[1, 2]), key), nulls(int32(&[1, 2]), value)];
        struct_(fields.into_iter().zip(columns).collect())
    };
    let map = DataType::map(Field::new("key", DataType::Int32).required(), required());
    refused(
        list(&map, &[0, 2], entries("11", "10")),
        "field `entries.item`, validity, slot 1: the value is null, but the field is not nullable",
    );
    accepted(list(&map, &[0, 2], entries("11", "11")));

    for (mode, ids, offsets, good) in [
        (UnionMode::Sparse, [1, 1, 5, 1], [0; 4], [1, 1, 1, 5]),
        (UnionMode::Dense, [1, 5, 5, 5], [0, 0, 2, 3], [1, 5, 1, 5]),
    ] {
        let fields = || [(5, required()), (1, Field::new("other", DataType::Int32))];
        let children = || [child(), int32(&[1, 2, 3, 4])];
        let bad = union_of(mode, fields(), &ids, &offsets, children());
        refused(bad, expected);
        let good = if mode == UnionMode::Sparse { [1, 5, 1, 5] } else { good };
        accepted(union_of(mode, fields(), &good, &offsets, children()));
    }

    let values = RunEndEncodedType::try_new(Field::new("run_ends", DataType::Int16).required(), required());
    let data_type = DataType::from(values.expect("legal"));
    for (offset, n_slots, is_good) in
        [(0, 10, false), (0, 5, true), (0, 6, false), (7, 3, false), (8, 2, true), (6, 0, true)]
    {
        let parts = runs(RunEndType::Int16, 0, &[2, 5, 8, 10], child()).into_parts();
        let parts = ArrayParts { data_type: data_type.clone(), offset, n_slots, ..parts };
        match is_good {
            true => accepted(array(parts)),
            false => refused(array(parts), expected),
        }
    }
}

/// A slot is also null through the values of a dictionary, through runs, or through the child of a union.
#[test]
fn nulls_that_encodings_hold() {
    let expected = |slot: usize| {
        format!("field `item`, validity, slot {slot}: the value is null, but the field is not nullable")
    };
    let parent =
        |child: ArrayData| struct_(vec![(Field::new("item", child.data_type().clone()).required(), child)]);
    let values = || nulls(int32(&[1, 2, 3]), "101");

    let indices = DataType::dictionary(IndexType::Int8, DataType::Int32).expect("legal");
    refused(parent(dictionary(&indices, &[0, 2, 1, 0], values())), &expected(2));
    accepted(parent(dictionary(&indices, &[0, 2, 2, 0], values())));
    accepted(nulls(parent(dictionary(&indices, &[0, 2, 1, 0], values())), "1101"));
    refused(parent(nulls(dictionary(&indices, &[0, 2, 1, 0], values()), "0111")), &expected(0));

    let run = |n_slots: usize, ends: &[i64], values| parent(runs(RunEndType::Int64, n_slots, ends, values));
    refused(run(9, &[4, 6, 9], values()), &expected(4));
    refused(nulls(run(9, &[4, 6, 9], values()), "111101111"), &expected(5));
    accepted(nulls(run(9, &[4, 6, 9], values()), "111100111"));
    accepted(run(4, &[4, 6, 9], values()));
    // Runs of values that are encoded themselves.
    refused(run(9, &[4, 6, 9], dictionary(&indices, &[2, 0, 1], values())), &expected(6));
    refused(run(9, &[4, 6, 9], runs(RunEndType::Int16, 3, &[1, 2, 3], values())), &expected(4));

    for mode in [UnionMode::Sparse, UnionMode::Dense] {
        let children = || [nulls(int32(&[1, 2, 3]), "110"), binary(&DataType::Utf8, &[0, 1, 2, 3], b"abc")];
        refused(parent(union(mode, &[5, 2, 5], &[0, 1, 2], children())), &expected(2));
        accepted(parent(union(mode, &[5, 5, 2], &[0, 1, 2], children())));
    }
}

/// A few bytes may encode too many slots to visit one by one.
#[cfg(target_pointer_width = "64")]
#[test]
fn nulls_in_long_runs() {
    const LONG: usize = 1 << 62;
    let data_type = DataType::run_end_encoded(RunEndType::Int64, DataType::Int32);
    let fields = [Field::new("item", data_type).required()];
    for (bits, slot) in [("11", None), ("10", Some(LONG as u64 - 7)), ("01", Some(0))] {
        let column =
            runs(RunEndType::Int64, LONG, &[LONG as i64 - 7, LONG as i64], nulls(int32(&[1, 2]), bits));
        let batch = RecordBatch::try_new(Schema::new(fields.clone()), vec![column.clone()]).expect("it fits");
        let found = batch.validate(Validation::Strict).map(drop);
        assert_eq!(
            found.map_err(|error| error.slot()),
            slot.map_or(Ok(()), |slot| Err(Some(slot))),
            "{bits}"
        );
        let parent = struct_(vec![(fields[0].clone(), column)]);
        assert_eq!(parent.validate(Validation::Strict).is_err(), slot.is_some(), "{bits}");
    }
}

#[test]
fn columns() {
    let schema = Schema::new([
        Field::new("a", DataType::Int32),
        Field::new("b", DataType::Int32).required(),
        Field::new("n", DataType::Null),
    ]);
    let batch = |a: &str, b: &str| {
        let nothing = array(ArrayParts::new(DataType::Null, 2));
        let columns = vec![nulls(int32(&[1, 2]), a), nulls(int32(&[3, 4]), b), nothing];
        RecordBatch::try_new(schema.clone(), columns).expect("the columns fit")
    };
    let good = batch("01", "11").validate(Validation::Strict).expect("no null in b");
    assert!(good.columns().iter().all(|column| column.checked() == Validation::Strict));
    let bad = batch("01", "10");
    let content = bad.clone().validate(Validation::Content).expect("this is a strict rule");
    for batch in [bad, content] {
        let error = batch.validate(Validation::Strict).expect_err("a null in b");
        assert_eq!(
            error.to_string(),
            "field `b`, validity, slot 1: the value is null, but the field is not nullable"
        );
    }
    // The rule is part of the schema, so it is checked again for columns that have been checked.
    let columns = good.project(&[0]).expect("it exists").columns().to_vec();
    let other = RecordBatch::try_new(Schema::new([Field::new("a", DataType::Int32).required()]), columns);
    let error = other.and_then(|batch| batch.validate(Validation::Strict)).expect_err("a null in a");
    assert_eq!(error.slot(), Some(0));
}
