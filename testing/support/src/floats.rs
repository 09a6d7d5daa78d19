//! The text of floating-point numbers, made by the standard library.

use std::{fmt, str::FromStr};

/// The shortest text that reads back as the same number. Of two that are equally near, the one with an even last digit.
///
/// `Debug` has the greater of the two. Rounded to as many digits, the number has the even one.
pub fn shortest_text<F: Copy + fmt::Debug + fmt::LowerExp + FromStr + PartialEq>(value: F) -> String {
    let text = format!("{value:?}");
    let shortest = format!("{value:e}");
    let Some((digits, _)) = shortest.split_once('e') else { return text };
    let n_after_point = digits.split_once('.').map_or(0, |(_, after)| after.len());
    let rounded = format!("{value:.n_after_point$e}");
    // Below a power of two, the nearest digits may be those of another number.
    if !rounded.parse().is_ok_and(|read: F| read == value) {
        return text;
    }
    if text.contains('e') {
        return rounded;
    }
    let (digits, exponent) = rounded.split_once('e').unwrap();
    let mut digits = digits.replace(['.', '-'], "");
    let exponent: i32 = exponent.parse().unwrap();
    let sign = if rounded.starts_with('-') { "-" } else { "" };
    let Ok(unit) = usize::try_from(exponent) else {
        return format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    };
    while digits.len() < unit + 2 {
        digits.push('0');
    }
    digits.insert(unit + 1, '.');
    format!("{sign}{digits}")
}
