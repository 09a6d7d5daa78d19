//! Conditions that compare two columns, beside a comparison of single values.

use std::cmp::Ordering;

use arrow_array::{
    AnyBuilder, BooleanArray, Builder, DictionaryArray, Float64Array, Int8Array, Int64Array, NullArray,
    UInt64Array, Utf8Array, Utf8ViewArray,
};
use arrow_compute::{ComparisonOperator, Digits, Predicate, PredicateErrorKind, cast, has_order};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::DataType;
use arrow_select::Select;
use testing_support::{Generator, Hunt, Nulls, all_types, values};

use super::parsed;

/// The rows that match, as digits.
fn rows(batch: &RecordBatch, condition: &str) -> Vec<usize> {
    let bound = parsed(condition).bind(batch.schema()).unwrap_or_else(|error| panic!("{condition}: {error}"));
    let bits = bound.matches(batch).unwrap_or_else(|error| panic!("{condition}: {error}"));
    bits.iter().enumerate().filter(|(_, holds)| *holds).map(|(row, _)| row).collect()
}

fn as_type(data: &ArrayData, data_type: &str) -> ArrayData {
    cast(data, &data_type.parse().expect("a type"), Digits::Keep).expect("values of this type")
}

/// Three slots that [`Builder::append_nulls`] makes.
fn nulls_of(data_type: &str) -> ArrayData {
    let mut builder = AnyBuilder::new(&data_type.parse().expect("a type"));
    builder.append_nulls(3);
    builder.finish_data().expect("nulls")
}

#[test]
fn numbers_of_two_columns_compare_by_value_in_any_type() {
    let numbers = [-3_i64, 0, 1, 1, 2, 100];
    let pairs: Vec<(Option<i64>, Option<i64>)> = numbers
        .iter()
        .flat_map(|left| numbers.iter().map(|right| (Some(*left), Some(*right))))
        .chain([(None, Some(1)), (Some(1), None), (None, None)])
        .collect();
    let left = Int64Array::from_iter(pairs.iter().map(|(left, _)| *left)).into_data();
    let right = Int64Array::from_iter(pairs.iter().map(|(_, right)| *right)).into_data();
    let types = [
        "int8",
        "int32",
        "int64",
        "float32",
        "float64",
        "decimal32(9, 2)",
        "decimal256(60, 20)",
        "dictionary<int8, int16>",
        "run_end_encoded<run_ends: int32 not null, values: int64>",
    ];
    for left_type in types {
        for right_type in types {
            let columns = [("a", as_type(&left, left_type)), ("b", as_type(&right, right_type))];
            let batch = RecordBatch::try_from_columns(columns).unwrap();
            for comparison in ComparisonOperator::ALL {
                let admits = |order: Ordering| match comparison {
                    ComparisonOperator::Equal => order == Ordering::Equal,
                    ComparisonOperator::NotEqual => order != Ordering::Equal,
                    ComparisonOperator::Less => order == Ordering::Less,
                    ComparisonOperator::LessOrEqual => order != Ordering::Greater,
                    ComparisonOperator::Greater => order == Ordering::Greater,
                    ComparisonOperator::GreaterOrEqual => order != Ordering::Less,
                };
                let expected = |wanted: bool| -> Vec<usize> {
                    let holds = |(left, right): &(Option<i64>, Option<i64>)| matches!((left, right), (Some(left), Some(right)) if admits(left.cmp(right)) == wanted);
                    (0..pairs.len()).filter(|row| holds(&pairs[*row])).collect()
                };
                let condition = format!("a {comparison} b");
                assert_eq!(
                    rows(&batch, &condition),
                    expected(true),
                    "{condition}, {left_type}, {right_type}"
                );
                assert_eq!(rows(&batch, &format!("not {condition}")), expected(false), "not {condition}");
            }
        }
    }
}

#[test]
fn values_of_other_types_compare_too() {
    let words = Utf8ViewArray::from_iter([Some("b"), Some("a"), None]);
    let columns = [
        ("text", Utf8Array::from([Some("a"), Some("a"), Some("a")]).into_data()),
        ("view", words.data().clone()),
        ("word", DictionaryArray::from_iter([Some("a"), None, Some("b")]).into_data()),
        ("yes", BooleanArray::from_iter([true, true, false]).into_data()),
        ("no", BooleanArray::from_iter([Some(false), None, Some(false)]).into_data()),
        ("nan", Float64Array::from_iter([f64::NAN, 1.0, f64::NAN]).into_data()),
        ("float", Float64Array::from_iter([f64::NAN, 1.0, f64::INFINITY]).into_data()),
        ("large", UInt64Array::from_iter([u64::MAX, 1, 0]).into_data()),
        ("small", Int64Array::from_iter([-1, 1, -1]).into_data()),
        ("empty", NullArray::new(3).into_data()),
        ("day", as_type(Int64Array::from_iter([0, 0, 86_400]).data(), "timestamp(s)")),
        ("date", as_type(&as_type(Utf8Array::from([Some("1970-01-01"); 3]).data(), "date32"), "date32")),
        ("union", nulls_of("sparse_union<0=number: int8, 1=text: utf8>")),
        ("runs", nulls_of("run_end_encoded<run_ends: int16, values: int64>")),
        ("list", as_type(Int8Array::from_iter([0, 1, 2]).data(), "int8")),
    ];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    for (condition, expected) in [
        ("text = view", &[1][..]),
        ("text < view", &[0]),
        ("word >= view", &[]),
        ("not word >= view", &[0]),
        ("word <= text", &[0]),
        ("yes > no", &[0]),
        ("yes = no", &[2]),
        ("nan = float", &[0, 1]),
        ("nan > float", &[2]),
        ("large > small", &[0, 2]),
        ("small = large", &[1]),
        ("empty = small or small < empty", &[]),
        ("empty = union or union != empty or empty < runs or runs != empty", &[]),
        ("date = day", &[0, 1]),
        ("date < day", &[2]),
        ("list between small and large", &[0, 1]),
        ("list between 1 and large", &[1]),
        ("list between small and 1", &[0, 1]),
        ("text ilike 'A%' and view ilike 'B'", &[0]),
        ("view contains 'b' or word not contains 'a'", &[0, 2]),
    ] {
        assert_eq!(rows(&batch, condition), expected, "{condition}");
    }
    let bound = parsed("text = view and day > date").bind(batch.schema()).unwrap();
    assert_eq!(bound.columns(), [0, 1, 10, 11]);
    let paths: Vec<String> = bound.paths().iter().map(ToString::to_string).collect();
    assert_eq!(paths, ["text", "view", "day", "date"]);
}

#[test]
fn case_is_ignored_character_by_character() {
    let texts = ["Ærø", "ÆRØ", "ærøx", "İ", "i", "ǅ", "STRASSE", "50%"];
    let batch =
        RecordBatch::try_from_columns([("t", Utf8Array::try_from_iter(texts).unwrap().into_data())]).unwrap();
    for (condition, expected) in [
        ("t ilike 'æRø'", &[0, 1][..]),
        ("t ilike 'Æ_ø%'", &[0, 1, 2]),
        ("t ilike '_'", &[3, 4, 5]),
        ("t ilike 'I'", &[4]),
        ("t ilike 'ǆ'", &[5]),
        ("t ilike '%SS%'", &[6]),
        ("t ilike '50\\%'", &[7]),
        ("t not ilike '%'", &[]),
    ] {
        assert_eq!(rows(&batch, condition), expected, "{condition}");
    }
}

#[test]
fn values_that_cannot_be_compared_are_errors() {
    let columns = [
        ("text", Utf8Array::try_from_iter(["a"]).unwrap().into_data()),
        ("number", Int64Array::from_iter([1]).into_data()),
        ("first name", Int64Array::from_iter([1]).into_data()),
        ("months", as_type(NullArray::new(1).data(), "interval(month_day_nano)")),
        ("late", as_type(Int64Array::from_iter([i64::MAX]).data(), "timestamp(s)")),
        ("fine", as_type(Int64Array::from_iter([i64::MAX]).data(), "timestamp(ns)")),
    ];
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let error = |condition: &str| parsed(condition).bind(batch.schema()).unwrap_err().to_string();
    for (condition, expected) in [
        (
            "text = number",
            "in column text: the types utf8 and int64 cannot be compared; cast one of them to the type of the other",
        ),
        ("months < months", "the type interval(month_day_nano) does not support <"),
        ("number = Oslo", "text needs quotes: write \"Oslo\""),
        ("text = numbr", "no field is named \"numbr\"; text needs quotes: write \"numbr\""),
        (
            "text = \"number\"",
            "\"number\" is also the name of a column; as a column, write number; as text, write 'number'",
        ),
        ("text = \"first name\"", "as a column, write it on the left side"),
    ] {
        let found = error(condition);
        assert!(found.contains(expected), "{condition}: {found}");
    }
    assert_eq!(rows(&batch, "\"first name\" = number and months = months"), [0; 0]);
    assert_eq!(rows(&batch, "\"first name\" = number"), [0]);
    // An instant that the finer unit cannot store.
    let bound = parsed("late > fine").bind(batch.schema()).unwrap();
    let error = bound.matches(&batch).unwrap_err();
    assert!(matches!(error.kind(), PredicateErrorKind::Cast(_)), "{error}");
}

/// Lists, structs, maps, unions and intervals of every type, of which some are equal.
#[test]
fn values_without_an_order_are_equal_or_not() {
    let hunt = Hunt::from_env();
    let mut generator = Generator::new(hunt.seed(41));
    let (mut n_same, mut n_others) = (0, 0);
    for (name, data_type) in all_types() {
        if has_order(&data_type) || data_type == DataType::Null {
            continue;
        }
        for nulls in Nulls::ALL {
            let left = generator.sliced_array(&data_type, 40, nulls);
            let slots: Vec<usize> = (0..40)
                .map(|slot| if generator.rng().one_in(2) { slot } else { generator.rng().below(40) })
                .collect();
            let right = left.take(&slots).unwrap();
            let batch = RecordBatch::try_from_columns([("a", left.clone()), ("b", right.clone())]).unwrap();
            let (one, other) = (values(&left), values(&right));
            let is_valid: Vec<bool> = rows(&batch, "a is not null and b is not null").iter().fold(
                vec![false; 40],
                |mut bits, row| {
                    bits[*row] = true;
                    bits
                },
            );
            for (condition, expects) in [("a = b", true), ("a != b", false)] {
                let expected: Vec<usize> =
                    (0..40).filter(|row| is_valid[*row] && (one[*row] == other[*row]) == expects).collect();
                assert_eq!(rows(&batch, condition), expected, "{name}: {condition}");
                *(if expects { &mut n_same } else { &mut n_others }) += expected.len();
            }
        }
    }
    assert!(n_same > 500 && n_others > 500, "{n_same}, {n_others}");
}

#[test]
fn conditions_of_two_columns_are_built_as_they_are_parsed() {
    let built = Predicate::compare_columns("first name", ComparisonOperator::Less, "b.c");
    assert_eq!(built.columns(), ["\"first name\"", "b.c"]);
    assert_eq!(parsed("\"first name\" < b.c"), built);
    assert_eq!(parsed("a ilike 'x'"), Predicate::ilike("a", "x"));
    assert_eq!(parsed("a contains '%'"), Predicate::contains("a", "%"));
}

/// A timestamp that the unit of a column cannot express has a position among those that it can.
#[test]
fn timestamps_that_a_unit_cannot_express_are_ordered() {
    let of = |data_type: &str, ticks: [i64; 3]| as_type(Int64Array::from_iter(ticks).data(), data_type);
    let batch = RecordBatch::try_from_columns([
        ("ns", of("timestamp(ns)", [i64::MIN, 0, i64::MAX])),
        ("least", of("timestamp(ns)", [i64::MIN, i64::MIN + 1, i64::MIN + 2])),
        ("s", of("timestamp(s)", [-2, -1, 0])),
        ("zoned", of("timestamp(ms, \"UTC\")", [-1_001, -1_000, 5])),
    ])
    .unwrap();
    for (condition, expected) in [
        ("ns < '9999-12-31'", &[0, 1, 2][..]),
        ("ns >= '2300-01-01T00:00:00'", &[]),
        ("ns > '0001-01-01' and ns <= '1970-01-01'", &[0, 1]),
        ("ns != '9999-12-31'", &[0, 1, 2]),
        ("ns in ('9999-12-31', '1970-01-01')", &[1]),
        ("s >= '1969-12-31T23:59:58.5'", &[1, 2]),
        ("s <= '1969-12-31T23:59:58.5'", &[0]),
        ("s = '1969-12-31T23:59:58.5'", &[]),
        ("s between '1969-12-31T23:59:58.000000001' and '1969-12-31T23:59:59.999'", &[1]),
        ("ns < '9999-12-31T23:59:59.9999999'", &[0, 1, 2]),
        ("ns <= '2262-04-11T23:47:16.854775808'", &[0, 1, 2]),
        ("least < '1677-09-21T00:12:43.1452241935'", &[0, 1]),
        ("least >= '1677-09-21T00:12:43.1452241935'", &[2]),
        ("least = '1677-09-21T00:12:43.145224193'", &[1]),
        ("least > '1677-09-21T00:12:43.1452241915'", &[0, 1, 2]),
        ("s <= '1969-12-31T23:59:59.000'", &[0, 1]),
        ("zoned < '1969-12-31T23:59:58.9999Z'", &[0]),
        ("zoned > '1970-01-01T01:00:00.0049+01:00'", &[2]),
    ] {
        assert_eq!(rows(&batch, condition), expected, "{condition}");
    }
    for constant in [
        "10000-99-99",
        "2024-02-29.5",
        "2024-02-29T12:34.5",
        "2024-02-29T12:34:56.",
        "2024-02-29T12:34:56.5.5",
    ] {
        let error = parsed(&format!("ns < '{constant}'")).bind(batch.schema()).unwrap_err().to_string();
        assert!(error.contains("expected a timestamp"), "{error}");
    }
}
