//! Casts of many numbers, which are cast in blocks as long as all of a block fit: the same as of each number by itself.

use arrow_array::{Int64Array, Utf8Array};
use arrow_compute::{Digits, cast};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use arrow_select::concat;

const N_SLOTS: i64 = 2 * 1024 + 7;

/// A type, a number that is not cast in a block, and a type to which it can be cast.
const CASES: [(&str, i64, &str); 14] = [
    ("int64", i64::MAX, "uint64"),
    ("int64", i64::MIN, "decimal128(19, 0)"),
    ("int64", i64::MAX, "decimal128(30, 3)"),
    ("int64", i64::MAX, "timestamp(ns)"),
    ("int64", 1 << 62, "float64"),
    ("int64", 1 << 62, "float32"),
    ("decimal128(19, 0)", i64::MAX, "int64"),
    ("decimal128(19, 0)", 1 << 60, "decimal128(38, 9)"),
    ("decimal128(19, 0)", 1 << 53, "float64"),
    ("float64", 1 << 62, "int64"),
    ("float64", 1 << 62, "decimal128(19, 0)"),
    ("float32", 1 << 62, "decimal64(18, 0)"),
    ("timestamp(s)", 9_300_000_000, "timestamp(ns)"),
    ("duration(us)", 1_500_000, "duration(s)"),
];

#[test]
fn blocks_are_cast_as_their_numbers_are() {
    for (from, special, to) in CASES {
        let [from, to]: [DataType; 2] = [from, to].map(|data_type| data_type.parse().unwrap());
        let cast = |array: &ArrayData, to: &DataType| cast(array, to, Digits::Keep);
        for wrong_slot in [None, Some(0), Some(1023), Some(1024), Some(N_SLOTS - 1)] {
            let number = |slot: i64| match (Some(slot) == wrong_slot, slot % 5) {
                (true, _) => Some(special),
                (false, 0) => None,
                (false, _) => Some((slot - 1000) * 1_000_000),
            };
            let numbers = Int64Array::from_iter((0..N_SLOTS).map(number));
            let Ok(numbers) = cast(numbers.data(), &from) else { panic!("{from}: {wrong_slot:?}") };
            let made = cast(&numbers, &to);
            let each: Result<Vec<_>, _> =
                (0..numbers.len()).map(|slot| cast(&numbers.slice(slot, 1), &to)).collect();
            assert_eq!(made.is_ok(), each.is_ok(), "{from} to {to}: {wrong_slot:?}");
            if let (Ok(made), Ok(each)) = (made, each) {
                assert!(made.same_values(&concat(&each).unwrap()).unwrap(), "{from} to {to}: {wrong_slot:?}");
            }
        }
    }
}

/// Decimals of few digits become the floating-point number that is nearest, and the other way round.
#[test]
fn decimals_and_floats_are_those_of_their_texts() {
    let number = |slot: i64, n_digits: u32| slot.wrapping_mul(0x1E37_79B9_7F4A_7C15) % 10_i64.pow(n_digits);
    for scale in [0, 1, 2, 7, 15, 22, 23] {
        let decimal: DataType = format!("decimal128(38, {scale})").parse().unwrap();
        let unscaled: DataType = "decimal128(38, 0)".parse().unwrap();
        for n_digits in [1, 2, 6, 14, 15] {
            let numbers = Int64Array::from_iter((0..500).map(|slot| number(slot, n_digits)));
            let texts: Vec<String> =
                numbers.iter().flatten().map(|number| format!("{number}e-{scale}")).collect();
            let decimals = Utf8Array::try_from_iter(texts.iter().map(String::as_str)).unwrap();
            let decimals = cast(decimals.data(), &decimal, Digits::Keep).unwrap();
            assert_eq!(decimals.buffer(0), cast(numbers.data(), &unscaled, Digits::Keep).unwrap().buffer(0));
            let floats = cast(&decimals, &DataType::Float64, Digits::Keep).unwrap();
            let parsed: Vec<f64> = texts.iter().map(|text| text.parse().unwrap()).collect();
            assert_eq!(floats.buffer(0).view::<f64>().unwrap(), parsed, "{decimal}");
            let back = cast(&floats, &decimal, Digits::Keep).unwrap();
            assert!(back.same_values(&decimals).unwrap(), "{decimal}");
        }
    }
}
