//! Counts the values that lose digits.

use arrow_array::AnyArray;
use arrow_buffer::MemoryBudget;
use arrow_compute::{Cast, CastErrorKind, Digits, cast};

use crate::cast::built;

/// The number of values that lose digits is the number of values whose own cast with `Digits::Keep` fails.
#[test]
fn values_that_lose_digits_are_counted() {
    let cases: [(&str, &[&str], &str); 8] = [
        ("float64", &["1.5", "2", "-0.1"], "int8"),
        ("float64", &["0.1", "0.5", "nan"], "float16"),
        ("int64", &["9007199254740993", "1"], "float64"),
        ("timestamp(ms)", &["-1", "0", "86399999", "86400000"], "date64"),
        ("timestamp(ms)", &["-1", "1000", "1999"], "timestamp(s)"),
        ("decimal256(40, 2)", &["100", "101", "-199"], "decimal128(10, 1)"),
        ("decimal128(38, 2)", &["1234567890123456789", "150"], "float32"),
        ("utf8", &["1.5", "2", "-3.25", "1e-1"], "int32"),
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
        let kept = Cast::new(to.clone(), Digits::Keep);
        kept.array(&array, &MemoryBudget::new(1 << 20)).unwrap_err();
        assert_eq!(kept.n_cut(), 0, "{from} to {to}");
    }
}

/// Casts to dates and times of day check the range. An error only mentions lost digits if `Digits::Drop` would help.
#[test]
fn days_and_times_stay_in_their_range() {
    let cases: [(&str, &str, &str, [&str; 2]); 9] = [
        ("utf8", "2024-02-29T12:34:56.789", "date64", ["would lose digits as date64", "2024-02-29"]),
        ("utf8", "2024-02-29", "date64", ["2024-02-29", "2024-02-29"]),
        ("utf8", "9223372036854775807", "time64(us)", ["does not fit", "does not fit"]),
        ("utf8", "23:59:59", "time32(s)", ["23:59:59", "23:59:59"]),
        ("int32", "86400", "time32(s)", ["does not fit", "does not fit"]),
        ("int32", "-1", "time32(s)", ["does not fit", "does not fit"]),
        ("int32", "86399", "time32(s)", ["23:59:59", "23:59:59"]),
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
