//! Bounds that say nothing: of types without an order, of other types, NaN, and of columns that are not known.

use arrow_array::{AnyArray, Scalar};
use arrow_compute::{BoundPredicate, ColumnBounds, Matches, Predicate, has_order};
use arrow_schema::{DataType, Field, FieldPath, Schema};
use testing_support::{Generator, Nulls, all_types};

fn exact_bounds(min: &Scalar, max: &Scalar) -> ColumnBounds {
    ColumnBounds {
        n_rows: Some(3),
        null_count: Some(0),
        min: Some(min.clone()),
        max: Some(max.clone()),
        is_min_exact: true,
        is_max_exact: true,
    }
}

fn bound(data_type: &DataType, condition: &str) -> Option<BoundPredicate> {
    let schema = Schema::new([Field::new("c", data_type.clone())]);
    condition.parse::<Predicate>().ok()?.bind(&schema).ok()
}

/// Whatever others write as bounds of such types, and of whatever type, no batch is left out.
#[test]
fn bounds_of_types_without_an_order_say_nothing() {
    let (mut n_unordered, mut n_conditions) = (0, 0);
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let array = Generator::new(seed as u64).array(&data_type, 40, Nulls::None);
        let scalars = (0..array.len()).filter_map(|slot| Scalar::try_from_slot(&array, slot).ok());
        let scalars: Vec<Scalar> = scalars.filter(|scalar| !scalar.is_null()).collect();
        if has_order(&data_type) || scalars.len() < 3 {
            continue;
        }
        n_unordered += 1;
        let shown = AnyArray::try_new(&array).unwrap();
        for (k, pair) in scalars.windows(2).enumerate() {
            let [min, max] = pair else { unreachable!() };
            let inexact = ColumnBounds { is_min_exact: false, is_max_exact: false, ..exact_bounds(max, min) };
            for known in [exact_bounds(min, max), inexact] {
                let value = shown.display((k + 7) % array.len()).to_string().replace('\'', "''");
                for condition in [
                    format!("c = '{value}'"),
                    format!("c != '{value}'"),
                    format!("c in ('{value}', '{value}')"),
                ] {
                    let Some(bound) = bound(&data_type, &condition) else { continue };
                    assert_eq!(bound.can_match(|_| known.clone()), Matches::Some, "{name}: {condition}");
                    n_conditions += 1;
                }
                let null = bound(&data_type, "c is null").unwrap();
                assert_eq!(null.can_match(|_| known.clone()), Matches::None, "{name}");
                let row_bounds = ColumnBounds { min: None, max: None, ..known.clone() };
                assert!(
                    known.encloses(&row_bounds)
                        && known.encloses(&ColumnBounds::from_array(&array, 9).unwrap()),
                    "{name}"
                );
            }
        }
    }
    assert!(n_unordered > 8 && n_conditions > 200, "{n_unordered}, {n_conditions}");
}

#[test]
fn bounds_that_are_nan_say_nothing_of_other_numbers() {
    let known = exact_bounds(&f64::NAN.into(), &f64::NAN.into());
    for condition in ["c < 3", "c = 3", "c > 3", "c != 'NaN'", "c in (1, 3)"] {
        let bound = bound(&DataType::Float64, condition).unwrap();
        assert_eq!(bound.can_match(|_| known.clone()), Matches::Some, "{condition}");
    }
    // Zeros of both signs are equal.
    let known = exact_bounds(&0.0.into(), &0.0.into());
    for condition in ["c = -0.0", "c = 0", "c <= -0.0", "c >= 0"] {
        let bound = bound(&DataType::Float64, condition).unwrap();
        assert_eq!(bound.can_match(|_| known.clone()), Matches::All, "{condition}");
    }
}

/// A number of another scale, unit, zone or width has other bits for the same value.
#[test]
fn bounds_of_other_types_say_nothing() {
    let value = |data_type: &str, text: &str| {
        let column = arrow_array::Utf8Array::try_from_iter([text]).unwrap();
        let data_type: DataType = data_type.parse().unwrap();
        let cast = arrow_compute::cast(column.data(), &data_type, arrow_compute::Digits::Keep).unwrap();
        Scalar::try_from_slot(&cast, 0).unwrap()
    };
    let cases = [
        ("decimal128(9, 2)", "decimal128(9, 3)", "9.5", "c = 9.5"),
        ("decimal128(9, 2)", "int64", "9", "c = 1"),
        ("timestamp(s)", "timestamp(ms)", "2024-01-01T00:00:00", "c = '2020-01-01'"),
        ("timestamp(s, \"UTC\")", "timestamp(s)", "2024-01-01T00:00:00", "c = '2020-01-01T00:00:00Z'"),
        ("int32", "uint32", "7", "c = 1"),
        ("boolean", "int8", "1", "c = false"),
        ("binary", "utf8", "7", "c = x'00'"),
    ];
    for (column, other, text, condition) in cases {
        let data_type: DataType = column.parse().unwrap_or(DataType::Boolean);
        let known = exact_bounds(&value(other, text), &value(other, text));
        let bound = bound(&data_type, condition).unwrap_or_else(|| panic!("{condition}"));
        assert_eq!(bound.can_match(|_| known.clone()), Matches::Some, "{column}, {other}");
    }
}

/// A predicate over four columns of which two are known decides like one over all, with nothing known of the others. The constants are
/// those of names of folders: `day=3/city=a`.
#[test]
fn nothing_is_known_of_columns_that_a_schema_lacks() {
    let day = Scalar::from(3_i64);
    let city = Scalar::from("a");
    let known = |name: &str| match name {
        "day" => exact_bounds(&day, &day),
        "city" => exact_bounds(&city, &city),
        _ => ColumnBounds::default(),
    };
    let named = |path: &FieldPath| known(path.to_string().as_str());
    let folders: Schema = "day: int64\ncity: utf8".parse().unwrap();
    let all: Schema = "id: int64\nday: int64\ncity: utf8\nname: utf8".parse().unwrap();
    for (text, expected) in [
        ("day = 3", Matches::All),
        ("day = 4", Matches::None),
        ("day != 3 or city = 'a'", Matches::All),
        ("id = 1", Matches::Some),
        ("not (id = 1)", Matches::Some),
        ("id is null", Matches::Some),
        ("day = 4 and id = 1", Matches::None),
        ("day = 4 or id = 1", Matches::Some),
        ("day = 3 and id = 1", Matches::Some),
        // A null of the other side is not ruled out by the first one.
        ("day = 3 or id = 1", Matches::Some),
        ("not (day = 3 or id = 1)", Matches::None),
        ("day in (1, 2, 4) and not (name like 'x%')", Matches::None),
        ("id = day", Matches::Some),
        ("city = name", Matches::Some),
        ("city > 'b' and id > day", Matches::None),
    ] {
        let predicate: Predicate = text.parse().unwrap();
        assert_eq!(predicate.can_match(&folders, named), expected, "{text}");
        let bound = predicate.bind(&all).unwrap();
        assert_eq!(bound.can_match(named), expected, "{text}");
    }
    // A test that fits no type of the column decides nothing.
    let predicate: Predicate = "day = 'x'".parse().unwrap();
    assert_eq!(predicate.can_match(&folders, named), Matches::Some);
    assert!(predicate.bind(&all).is_err());
}
