//! Casts of floating-point numbers to smaller widths, and to decimals and back.

use arrow_array::Float64Array;
use arrow_compute::{CastErrorKind, Digits, cast};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;
use testing_support::values;

use crate::cast::{Case, check_cases};

/// Whole numbers are exact. All other numbers have the digits of their shortest text.
#[test]
fn whole_numbers_have_all_digits_as_decimals() {
    use Digits::{Drop, Keep};
    const CASES: &[Case] = &[
        ("float64", &["4611686018427387904"], "decimal128(38, 0)", Keep, Ok(&["4611686018427387904"])),
        ("float64", &["-4611686018427387904"], "decimal128(38, 0)", Drop, Ok(&["-4611686018427387904"])),
        ("float64", &["1e23"], "decimal256(76, 1)", Keep, Ok(&["99999999999999991611392.0"])),
        ("float32", &["1073741824"], "decimal64(18, 2)", Keep, Ok(&["1073741824.00"])),
        ("float32", &["1e10", "0.1"], "decimal128(20, 1)", Keep, Ok(&["10000000000.0", "0.1"])),
        ("float16", &["65504", "2049"], "decimal32(5, 0)", Keep, Ok(&["65504", "2048"])),
        (
            "float64",
            &["0.1", "4503599627370495.5"],
            "decimal128(38, 18)",
            Keep,
            Ok(&["0.100000000000000000", "4503599627370495.500000000000000000"]),
        ),
        ("float64", &["4503599627370495.5"], "decimal128(38, 0)", Drop, Ok(&["4503599627370495"])),
        (
            "float64",
            &["4611686018427387904"],
            "decimal128(38, -3)",
            Keep,
            Err("the value 4.611686018427388e18 in slot 0 would lose digits as decimal128(38, -3)"),
        ),
        ("float64", &["4611686018427387904"], "decimal128(38, -3)", Drop, Ok(&["4611686018427387000"])),
        (
            "utf8",
            &["e5"],
            "decimal128(9, -2)",
            Drop,
            Err("the value \"e5\" in slot 0 does not fit decimal128(9, -2)"),
        ),
        (
            "utf8",
            &["--5"],
            "decimal128(9, -2)",
            Drop,
            Err("the value \"--5\" in slot 0 does not fit decimal128(9, -2)"),
        ),
        (
            "utf8",
            &[".e4"],
            "decimal128(9, -2)",
            Drop,
            Err("the value \".e4\" in slot 0 does not fit decimal128(9, -2)"),
        ),
        ("utf8", &["5e-401", "-12.5e1"], "decimal128(9, -2)", Drop, Ok(&["0", "-100"])),
        ("float64", &["-1999.5", "999", "0.5"], "decimal128(38, -3)", Drop, Ok(&["-1000", "0", "0"])),
        ("float64", &["4000"], "decimal128(38, -3)", Keep, Ok(&["4000"])),
        ("decimal128(38, 0)", &["4611686018427387904"], "float64", Keep, Ok(&["4.611686018427388e18"])),
        (
            "decimal128(38, 0)",
            &["4611686018427388000"],
            "float64",
            Keep,
            Err("the value 4611686018427388000 in slot 0 would lose digits as float64"),
        ),
        ("decimal128(38, 0)", &["4611686018427388000"], "float64", Drop, Ok(&["4.611686018427388e18"])),
    ];
    check_cases(CASES);
}

/// Also inside other types. Numbers that do not fit are an error. Casts of other types do not drop digits.
#[test]
fn casts_can_round_floating_point_numbers() {
    let rounded = |array: &ArrayData, to: &DataType| cast(array, to, Digits::RoundFloats);
    let inside = |number: f64, kind: usize| {
        let numbers = Float64Array::from_iter([number, number]).into_data();
        let (long, n_slots) = match kind {
            0 => return numbers,
            1 => return cast(&numbers, &"dictionary<int8, float64>".parse().unwrap(), Digits::Keep).unwrap(),
            2 => ("struct<x: float64>", 2),
            _ => ("fixed_size_list<item: float64; 2>", 1),
        };
        let parts = ArrayParts::new(long.parse().unwrap(), n_slots);
        ArrayData::try_new(ArrayParts { children: Some(vec![numbers].into()), ..parts }).unwrap()
    };
    let short = |long: &ArrayData, name: &str| -> DataType {
        long.data_type().to_string().replace("float64", name).parse().unwrap()
    };
    for kind in 0..4 {
        let array = inside(0.1, kind);
        let to = short(&array, "float32");
        let back = cast(&rounded(&array, &to).unwrap(), array.data_type(), Digits::Keep).unwrap();
        assert_eq!(values(&back), values(&inside(f64::from(0.1_f32), kind)), "{to}");
        let error = cast(&array, &to, Digits::Keep).unwrap_err();
        assert!(matches!(error.kind(), CastErrorKind::LostDigits { .. }), "{error}");
        for (number, name) in [(1e300, "float32"), (1e6, "float16")] {
            let array = inside(number, kind);
            let error = rounded(&array, &short(&array, name)).unwrap_err();
            assert!(matches!(error.kind(), CastErrorKind::OutOfRange { .. }), "{error}");
        }
    }
    let error = rounded(&inside(1.5, 0), &DataType::Int8).unwrap_err();
    assert_eq!(error.to_string(), "the value 1.5 in slot 0 would lose digits as int8");
}
