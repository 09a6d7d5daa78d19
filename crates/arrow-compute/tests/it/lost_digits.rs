//! Counts the values that lose digits.

use arrow_array::AnyArray;
use arrow_buffer::{I256, MemoryBudget};
use arrow_compute::{Cast, CastErrorKind, Digits, cast};
use arrow_schema::DataType;
use testing_support::{Hunt, Rng};

use crate::cast::built;

/// Digits and the power of ten of the last one, in any notation.
fn written(rng: &mut Rng) -> (I256, i64, String) {
    let digits: String = (0..1 + rng.below(25)).map(|_| char::from(b'0' + rng.below(10) as u8)).collect();
    let sign = *rng.pick(&["", "-", "+"]);
    let n_after = rng.below(digits.len() + 1);
    let (whole, fraction) = digits.split_at(digits.len() - n_after);
    let point = if n_after > 0 || rng.one_in(5) { "." } else { "" };
    let exponent = if rng.one_in(3) { 0 } else { rng.within(-30..=30) };
    let e = match exponent {
        0 if rng.one_in(2) => String::new(),
        0.. if rng.one_in(2) => format!("E+{exponent}"),
        _ => format!("e{exponent}"),
    };
    let number = format!("{}{digits}", sign.trim_start_matches('+')).parse().unwrap();
    (number, exponent - n_after as i64, format!("{sign}{whole}{point}{fraction}{e}"))
}

/// The number `digits` times ten to the power `exponent + scale`, truncated toward zero.
fn truncated(digits: I256, exponent: i64) -> Option<I256> {
    let text = digits.to_string();
    match exponent {
        0.. => {
            let zeros = "0".repeat(exponent as usize);
            if text == "0" { Some(digits) } else { format!("{text}{zeros}").parse().ok() }
        }
        ..0 => {
            let (sign, unsigned) = text.strip_prefix('-').map_or(("", text.as_str()), |text| ("-", text));
            let n_retained = unsigned.len().saturating_sub(exponent.unsigned_abs() as usize);
            if n_retained == 0 {
                Some(I256::from(0_i64))
            } else {
                format!("{sign}{}", &unsigned[..n_retained]).parse().ok()
            }
        }
    }
}

/// Text in any notation becomes the number that it means, truncated toward zero.
#[test]
fn texts_are_truncated_toward_zero() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(31);
    let (mut n_cut, mut n_refused) = (0, 0);
    for _ in 0..hunt.count(6_000, 200_000) {
        let (digits, exponent, text) = written(&mut rng);
        let (name, max_digits) =
            *rng.pick(&[("decimal32", 9), ("decimal64", 18), ("decimal128", 38), ("decimal256", 76)]);
        let scale = rng.within(-6..=max_digits);
        let (to, scale): (DataType, i64) = match rng.below(4) {
            0 => (DataType::Int64, 0),
            1 => ("duration(ms)".parse().unwrap(), 0),
            _ => (format!("{name}({max_digits}, {scale})").parse().unwrap(), scale),
        };
        let expected = truncated(digits, exponent + scale).map(|number| number.to_string());
        let fits = |number: &String| match &to {
            to if to.is_decimal() => number.trim_start_matches('-').len() as i64 <= max_digits,
            _ => number.parse::<i64>().is_ok(),
        };
        let expected = expected.filter(fits);
        let made = cast(&built("utf8", &[&text]), &to, Digits::Drop);
        let Some(expected) = expected else {
            let error = made.expect_err(&text);
            assert!(matches!(error.kind(), CastErrorKind::OutOfRange { .. }), "{text} to {to}: {error}");
            n_refused += 1;
            continue;
        };
        let made = made.unwrap_or_else(|error| panic!("{text} to {to}: {error}"));
        let expected = match &to {
            to if to.is_decimal() => built("utf8", &[&format!("{expected}e{}", -scale)]),
            _ => built("utf8", &[&expected]),
        };
        let expected = cast(&expected, &to, Digits::Keep).unwrap();
        assert!(made.same_values(&expected).unwrap(), "{text} to {to}: {made:?}");
        n_cut += usize::from(cast(&built("utf8", &[&text]), &to, Digits::Keep).is_err());
    }
    assert!(n_cut > 1_000 && n_refused > 500, "{n_cut}, {n_refused}");
}

/// The number of values that lose digits is the number of values whose own cast with `Digits::Keep` fails.
#[test]
fn values_that_lose_digits_are_counted() {
    let cases: [(&str, &[&str], &str); 17] = [
        ("timestamp(us)", &["-1", "0", "1000", "86400000000"], "date64"),
        ("utf8", &["2024-02-29T12:34:56.7891", "2024-02-29T12:34:56.789", "2024-02-29"], "date64"),
        ("float64", &["150", "1234.5", "-99", "200", "1.25e20"], "decimal128(30, -2)"),
        ("utf8", &["150", "1.5e3", "1e-3", "-1234567", "12e2"], "decimal32(9, -2)"),
        ("float64", &["1.5", "2", "-0.1"], "int8"),
        ("float64", &["0.1", "0.5", "nan"], "float16"),
        ("int64", &["9007199254740993", "1"], "float64"),
        ("timestamp(ms)", &["-1", "0", "86399999", "86400000"], "date64"),
        ("timestamp(ms)", &["-1", "1000", "1999"], "timestamp(s)"),
        ("decimal256(40, 2)", &["100", "101", "-199"], "decimal128(10, 1)"),
        ("decimal128(38, 2)", &["1234567890123456789", "150"], "float32"),
        ("utf8", &["1.5", "2", "-3.25", "1e-1"], "int32"),
        ("utf8", &["1.23456789e5", "1.234e1", "12345e-3", "12.345e-1", "1.5e1"], "decimal128(9, 2)"),
        ("utf8", &["1.23456789e5", "1.5e3", "1e2"], "decimal128(9, 0)"),
        ("utf8", &["1.5e3", "15e-1", "-1e-9", "12e1"], "int64"),
        ("utf8", &["9007199254740993", "0.1", "1e-400"], "float64"),
        ("utf8_view", &["16777217", "16777216", "1.23456789"], "float32"),
    ];
    for (from, texts, to) in cases {
        let (array, to) = (built(from, texts), to.parse().unwrap());
        let alone = |slot| cast(&array.slice(slot, 1), &to, Digits::Keep);
        let is_lost = |slot: &usize| {
            let error = alone(*slot).err();
            error.is_some_and(|error| matches!(error.kind(), CastErrorKind::LostDigits { .. }))
        };
        let n_lost = (0..array.len()).filter(is_lost).count() as u64;
        assert_ne!(n_lost, 0, "{from} to {to}");
        let all = Cast::new(to.clone(), Digits::Drop);
        for n_times in 1..3 {
            all.array(&array, &MemoryBudget::new(1 << 20)).unwrap();
            assert_eq!(all.n_cut(), n_times * n_lost, "{from} to {to}");
        }
        let exact = Cast::new(to.clone(), Digits::Keep);
        exact.array(&array, &MemoryBudget::new(1 << 20)).unwrap_err();
        assert_eq!(exact.n_cut(), 0, "{from} to {to}");
    }
}

/// Casts to dates and times of day check the range. An error only mentions lost digits if `Digits::Drop` would help.
#[test]
fn days_and_times_stay_in_their_range() {
    let cases: [(&str, &str, &str, [&str; 2]); 18] = [
        ("utf8", "2024-02-29T12:34:56.7891", "date64", ["would lose digits as date64", "2024-02-29"]),
        ("utf8", "2024-02-29 00:00:00.0001", "date64", ["would lose digits as date64", "2024-02-29"]),
        ("utf8", "2024-02-29T25:34:56.7891", "date64", ["does not fit", "does not fit"]),
        ("utf8", "2024-02-29T12:34:56.789", "date64", ["would lose digits as date64", "2024-02-29"]),
        ("utf8", "2024-02-29", "date64", ["2024-02-29", "2024-02-29"]),
        ("utf8", "9223372036854775807", "time64(us)", ["does not fit", "does not fit"]),
        ("utf8", "23:59:59", "time32(s)", ["23:59:59", "23:59:59"]),
        ("int32", "86400", "time32(s)", ["does not fit", "does not fit"]),
        ("int32", "-1", "time32(s)", ["does not fit", "does not fit"]),
        ("int32", "86399", "time32(s)", ["23:59:59", "23:59:59"]),
        ("utf8", "1.23456789e5", "decimal128(9, 2)", ["would lose digits", "123456.78"]),
        ("utf8", "1.23456789e5", "decimal128(9, 0)", ["would lose digits", "123456"]),
        ("utf8", "1.2345e1", "decimal128(5, 1)", ["would lose digits", "12.3"]),
        ("utf8", "-12345e-3", "decimal128(5, 1)", ["would lose digits", "-12.3"]),
        ("utf8", "1.5e3", "int64", ["does not fit", "1500"]),
        ("utf8", "12.345e-1", "duration(s)", ["would lose digits", "1"]),
        ("utf8", ".5", "int64", ["would lose digits as int64", "0"]),
        ("utf8", "2024-02-29 12:34:56.789", "int64", ["does not fit", "does not fit"]),
    ];
    for (from, text, to, expected) in cases {
        let array = built(from, &[text]);
        for (digits, expected) in [Digits::Keep, Digits::Drop].into_iter().zip(expected) {
            let done = cast(&array, &to.parse().unwrap(), digits);
            let found = match done {
                Ok(made) => AnyArray::try_new(&made).unwrap().display(0).to_string(),
                Err(error) => error.to_string(),
            };
            assert!(found.contains(expected), "{text} to {to}: {found}");
            assert_eq!(found.starts_with("the value"), expected.contains(' '), "{text} to {to}: {found}");
        }
    }
}

/// Text becomes the nearest floating-point number, and nothing is lost if the number has the digits of the text.
#[test]
fn floats_of_texts_have_their_digits() {
    let texts = [
        ("0.1", "float64", true),
        ("0.10", "float64", true),
        ("0.10000000000000000000", "float64", true),
        ("0.10000000000000001", "float64", true),
        ("0.1000000000000000055511151231257827", "float64", true),
        ("0.1000000000000000055511151231257828", "float64", false),
        ("0.12345678901234567890123", "float64", false),
        ("-123456789.123456", "float64", true),
        ("9007199254740992", "float64", true),
        ("9007199254740993", "float64", false),
        ("9007199254740993.0", "float64", false),
        ("9007199254740993000", "float64", false),
        ("9007199254740993000.0", "float64", true),
        ("77392340000", "float32", false),
        ("77392340000.0", "float32", true),
        ("9.007199254740993e18", "float64", true),
        ("1e300", "float64", true),
        ("5e-324", "float64", true),
        ("7e-324", "float64", false),
        ("1e-400", "float64", false),
        ("0e-400", "float64", true),
        ("-0.000", "float64", true),
        ("NaN", "float64", true),
        ("-Infinity", "float64", true),
        // Half way between two texts: the even one is written, and the standard library prints the other one.
        ("1125899906842624.2", "float64", true),
        ("1125899906842624.3", "float64", true),
        ("1125899906842624.4", "float64", false),
        ("1048576.2", "float32", true),
        ("1048576.3", "float32", true),
        ("1048576.35", "float32", false),
        ("0.1", "float32", true),
        ("0.100000001", "float32", true),
        ("0.1000000015", "float32", true),
        ("0.1000000016", "float32", false),
        ("16777217", "float32", false),
        ("1e-46", "float32", false),
        ("2048", "float16", true),
        ("2049", "float16", false),
        ("0.1", "float16", true),
    ];
    for (text, to, is_exact) in texts {
        let to = to.parse().unwrap();
        for from in ["utf8", "utf8_view"] {
            let array = built(from, &["1", text]);
            let done = cast(&array, &to, Digits::Keep);
            let lost = done.as_ref().err().map(ToString::to_string);
            let expected = format!("the value {text:?} in slot 1 would lose digits as {to}");
            assert_eq!(lost, (!is_exact).then_some(expected), "{text} as {to}");
            for digits in [Digits::RoundFloats, Digits::Drop] {
                let all = Cast::new(to.clone(), digits);
                let made = all.array(&array, &MemoryBudget::new(1 << 20)).unwrap();
                assert_eq!(all.n_cut() > 0, digits == Digits::Drop && !is_exact, "{text} as {to}");
                // The shortest text of the number is not rounded again.
                let shortest = cast(&made, &"utf8".parse().unwrap(), Digits::Keep).unwrap();
                let again = cast(&shortest, &to, Digits::Keep).unwrap();
                let [again, made] =
                    [again, made].map(|made| format!("{:?}", AnyArray::try_new(&made).unwrap()));
                assert_eq!(again, made, "{text} as {to}");
            }
        }
    }
    // All floating-point numbers are those of their texts, with few digits and with many.
    let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
    for n_digits in (0..40).cycle().take(4_000) {
        bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).rotate_left(17) ^ 0xA5;
        for (number, to) in
            [(f64::from_bits(bits), "float64"), (f64::from(f32::from_bits(bits as u32)), "float32")]
        {
            let texts = match to {
                "float64" => {
                    [format!("{number:?}"), format!("{number:.17e}"), format!("{number:.n_digits$e}")]
                }
                _ => {
                    [format!("{:?}", number as f32), format!("{number:.9e}"), format!("{number:.n_digits$e}")]
                }
            };
            let n_certain = if to == "float64" { 17 } else { 9 };
            let n_sure = if n_digits >= n_certain { 3 } else { 2 };
            for text in &texts[..n_sure] {
                let exact = cast(&built("utf8", &[text]), &to.parse().unwrap(), Digits::Keep);
                assert!(exact.is_ok(), "{text} as {to}: {exact:?}");
            }
        }
    }
}
