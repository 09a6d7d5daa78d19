//! Casts of decimals to floating-point numbers and back, beside an oracle that compares whole numbers exactly and all others by
//! the digits of the shortest text.

use arrow_array::{Float16Array, Float32Array, Float64Array};
use arrow_buffer::{BufferMut, F16, I256};
use arrow_compute::{CastErrorKind, Digits, cast};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;
use testing_support::{Hunt, Rng, shortest_text};

/// The digits without zeros at both ends, and the power of ten of the last one.
fn digits_of(text: &str) -> (bool, String, i64) {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) =
        number.trim_start_matches('-').split_once('.').unwrap_or((number.trim_start_matches('-'), ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    let power =
        exponent.parse::<i64>().unwrap() - fraction.len() as i64 + (digits.len() - significant.len()) as i64;
    let significant = significant.trim_start_matches('0').to_owned();
    let is_zero = significant.is_empty();
    (text.starts_with('-') && !is_zero, significant, if is_zero { 0 } else { power })
}

/// A floating-point number as text: all digits if it is whole, and its shortest text otherwise.
fn text_of(float: f64, width: u32) -> String {
    match width {
        // All whole numbers below 2048 have their digits in the shortest text.
        _ if float.fract() == 0.0 => format!("{float:.0}"),
        16 => F16::from_f64(float).to_string(),
        32 => shortest_text(float as f32),
        _ => shortest_text(float),
    }
}

fn nearest(text: &str, width: u32) -> f64 {
    match width {
        // Rounds once: no decimal of these tests is near a tie of 16 bits and not on it.
        16 => F16::from_f64(text.parse().unwrap()).to_f32().into(),
        32 => text.parse::<f32>().unwrap().into(),
        _ => text.parse().unwrap(),
    }
}

fn decimals(data_type: &DataType, number: I256) -> ArrayData {
    let mut bytes = BufferMut::default();
    let unscaled = number.to_string();
    match data_type.byte_width() {
        Some(4) => bytes.push(unscaled.parse::<i32>().unwrap()),
        Some(8) => bytes.push(unscaled.parse::<i64>().unwrap()),
        Some(16) => bytes.push(arrow_buffer::I128::from(unscaled.parse::<i128>().unwrap())),
        _ => bytes.push(number),
    }
    let parts = ArrayParts::new(data_type.clone(), 1);
    ArrayData::try_new(ArrayParts { buffers: [bytes.freeze(), Default::default()], ..parts }).unwrap()
}

fn float_at(array: &ArrayData) -> f64 {
    match array.data_type().byte_width() {
        Some(2) => Float16Array::try_from(array.clone()).unwrap().value(0).to_f32().into(),
        Some(4) => Float32Array::try_from(array.clone()).unwrap().value(0).into(),
        _ => Float64Array::try_from(array.clone()).unwrap().value(0),
    }
}

const WIDTHS: [(&str, u32); 3] = [("float64", 64), ("float32", 32), ("float16", 16)];

/// Few or many digits, with zeros at the end, or the digits of a floating-point number.
fn random_number(rng: &mut Rng, max_digits: usize) -> I256 {
    let text = if rng.one_in(3) {
        let power = rng.below(max_digits.min(60)) as i32;
        format!("{:.0}", (rng.below(1 << 20) as f64 * 10_f64.powi(power)).trunc())
    } else {
        let n_digits = 1 + rng.below(max_digits);
        let n_other = 1 + rng.below(n_digits.min(20));
        (0..n_digits)
            .map(|k| if k < n_other { char::from(b'0' + rng.below(10) as u8) } else { '0' })
            .collect()
    };
    let text = if text.len() > max_digits { text[..max_digits].to_owned() } else { text };
    let number: I256 = text.parse().unwrap();
    if rng.one_in(2) { number.checked_neg().unwrap() } else { number }
}

#[test]
fn decimals_become_numbers_with_the_same_digits() {
    let hunt = Hunt::from_env();
    let (mut n_cast, mut n_whole, mut n_refused) = (0, 0, 0);
    for seed in 0..hunt.count(4_000, 100_000) as u64 {
        let mut rng = Rng::new(hunt.seed(seed));
        let (name, max_digits) =
            *rng.pick(&[("decimal32", 9), ("decimal64", 18), ("decimal128", 38), ("decimal256", 76)]);
        let scale = rng.below(max_digits) as i32 - if rng.one_in(4) { 5 } else { 0 };
        let scale = if rng.one_in(2) { 0 } else { scale };
        let from: DataType = format!("{name}({max_digits}, {scale})").parse().unwrap();
        let number = random_number(&mut rng, max_digits);
        let text = format!("{number}e{}", -scale);
        let array = decimals(&from, number);
        for (float, width) in WIDTHS {
            let made = cast(&array, &float.parse().unwrap(), Digits::Keep);
            let expected = nearest(&text, width);
            if expected.is_infinite() {
                assert!(made.is_err(), "{text} {float}");
                continue;
            }
            let is_same = digits_of(&text_of(expected, width)) == digits_of(&text);
            match made {
                Ok(made) => {
                    assert!(is_same, "{from} {text}: {expected:e}");
                    assert_eq!(float_at(&made), expected, "{text} {float}");
                    // What was cast comes back.
                    let back =
                        cast(&made, &from, Digits::Keep).unwrap_or_else(|error| panic!("{text}: {error}"));
                    assert!(back.same_values(&array).unwrap(), "{text} {float}");
                    n_cast += 1;
                    n_whole += usize::from(expected.fract() == 0.0 && expected > 1e15);
                }
                Err(error) => {
                    let is_lost = matches!(error.kind(), CastErrorKind::LostDigits { .. });
                    assert!(is_lost && !is_same, "{from} {text} {float}: {error}");
                    n_refused += 1;
                    // The nearest number is there for who asks for it.
                    let rounded = cast(&array, &float.parse().unwrap(), Digits::Drop).unwrap();
                    assert_eq!(float_at(&rounded), expected, "{text} {float}");
                }
            }
        }
    }
    assert!(n_cast > 2_000 && n_refused > 2_000 && n_whole > 30, "{n_cast}, {n_refused}, {n_whole}");
}

#[test]
fn numbers_become_decimals_with_the_same_digits() {
    let hunt = Hunt::from_env();
    let (mut n_cast, mut n_refused) = (0, 0);
    for seed in 0..hunt.count(4_000, 100_000) as u64 {
        let mut rng = Rng::new(hunt.seed(seed));
        let number = match rng.below(3) {
            0 => f64::from_bits(rng.bits()),
            1 => (rng.below(1_000_000) as f64) / 10_f64.powi(rng.below(12) as i32),
            _ => rng.below(1 << 40) as f64 * 2_f64.powi(rng.below(100) as i32 - 30),
        };
        let (name, max_digits) =
            *rng.pick(&[("decimal32", 9), ("decimal64", 18), ("decimal128", 38), ("decimal256", 76)]);
        let scale = rng.below(max_digits) as i32 - if rng.one_in(4) { 3 } else { 0 };
        let to: DataType = format!("{name}({max_digits}, {scale})").parse().unwrap();
        for (array, float, width) in [
            (Float64Array::from_iter([number]).into_data(), number, 64),
            (Float32Array::from_iter([number as f32]).into_data(), f64::from(number as f32), 32),
        ] {
            if !float.is_finite() {
                continue;
            }
            let (is_negative, digits, power) = digits_of(&text_of(float, width));
            // The digits of the decimal, if it can store all of them.
            let n_zeros = power + i64::from(scale);
            let fits =
                n_zeros >= 0 && digits.len() as i64 + n_zeros <= max_digits as i64 || digits.is_empty();
            let made = cast(&array, &to, Digits::Keep);
            assert_eq!(made.is_ok(), fits, "{float:e} {to}: {made:?}");
            let Ok(made) = made else {
                n_refused += 1;
                continue;
            };
            let zeros = "0".repeat(if digits.is_empty() { 1 } else { n_zeros as usize });
            let unscaled: I256 =
                format!("{}{digits}{zeros}", if is_negative { "-" } else { "" }).parse().unwrap();
            assert!(made.same_values(&decimals(&to, unscaled)).unwrap(), "{float:e} {to}");
            let back = cast(&made, array.data_type(), Digits::Keep).unwrap();
            assert_eq!(float_at(&back), float, "{to}");
            n_cast += 1;
        }
    }
    assert!(n_cast > 500 && n_refused > 500, "{n_cast}, {n_refused}");
}

/// No integer of 128 bits is the ratio of units whose scales differ by 39 or more.
#[test]
fn scales_may_be_far_apart() {
    let shown = |array: &ArrayData| {
        let array = arrow_array::AnyArray::try_new(array).unwrap();
        (0..array.len()).map(|slot| array.display(slot).to_string()).collect::<Vec<String>>().join(",")
    };
    let number = |text: &str| text.parse::<I256>().unwrap();
    let far = "1".repeat(38);
    let cases = [
        ("decimal128(38, 38)", "0", "decimal128(38, -1)", Ok("0"), "0"),
        ("decimal128(5, 39)", "12345", "int64", Err("would lose digits"), "0"),
        (
            "decimal128(5, 39)",
            "-12345",
            "decimal32(9, 39)",
            Ok("-0.000000000000000000000000000000000012345"),
            "",
        ),
        ("decimal128(38, 38)", &far, "decimal64(9, -1)", Err("would lose digits"), "0"),
        ("decimal32(2, -20)", "12", "decimal128(38, 20)", Err("does not fit"), "does not fit"),
        ("decimal32(2, -40)", "0", "decimal64(9, 0)", Ok("0"), "0"),
    ];
    for (from, unscaled, to, exact, dropped) in cases {
        let (array, to) = (decimals(&from.parse().unwrap(), number(unscaled)), to.parse().unwrap());
        assert_eq!(cast(&array.slice(0, 0), &to, Digits::Keep).unwrap().len(), 0, "{from} to {to}");
        match (cast(&array, &to, Digits::Keep), exact) {
            (Ok(made), Ok(exact)) => assert_eq!(shown(&made), exact, "{from} to {to}"),
            (Err(error), Err(exact)) => assert!(error.to_string().contains(exact), "{from} to {to}: {error}"),
            (made, _) => panic!("{from} to {to}: {made:?}"),
        }
        let found =
            cast(&array, &to, Digits::Drop).map_or_else(|error| error.to_string(), |made| shown(&made));
        assert!(found.contains(dropped), "{from} to {to}: {found}");
    }
}
