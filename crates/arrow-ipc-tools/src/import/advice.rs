//! Options and types with which a value can be read that is an error.

use arrow_schema::PathStep;
use arrow_text::{DateOrder, Expected, RowError, RowErrorKind, ValueError};

use super::form::order_of_dates;

/// Options of the program that read a number or date of CSV, and which of the two they read. A column of integers also needs a
/// type for fractions, such as `float64`, if the options have `--decimal`.
pub fn options_reading(row: &RowError, error: &ValueError) -> Option<(String, &'static str)> {
    use Expected::{Date, DateOrTimestamp, OrderedDate, Timestamp, ZonedTimestamp};
    let (expected, found) = (error.expected(), error.found());
    // Errors of JSON have a byte.
    if row.byte().is_some() || matches!(expected, Expected::Array | Expected::Object) {
        return None;
    }
    // The number may have a decimal comma, and spaces or points between groups of digits.
    let spaced = found.replace(',', ".").replace(['\u{a0}', '\u{202f}', ' '], ",");
    let swapped = found.replace('.', " ").replace(',', ".").replace(' ', ",");
    let is_number = matches!(expected, Expected::Integer { .. } | Expected::Float | Expected::Decimal);
    // Whether the options already have the decimal comma.
    let has_comma = matches!(expected, Expected::MarkedNumber { example } if example.ends_with(",5"));
    let options = match () {
        () if has_groups(found) && !has_comma => "--thousands ,",
        () if has_groups(&spaced) && found.contains(',') && !has_comma => "--decimal , --thousands ' '",
        () if has_groups(&spaced) => "--thousands ' '",
        () if has_groups(&swapped) && has_comma => "--thousands .",
        () if is_number && has_groups(&swapped) => "--decimal , --thousands .",
        () if is_number
            && found.contains(',')
            && !found.contains('.')
            && swapped.parse::<f64>().is_ok_and(f64::is_finite) =>
        {
            "--decimal ,"
        }
        () if matches!(
            expected,
            Date | DateOrTimestamp | OrderedDate { .. } | Timestamp | ZonedTimestamp
        ) =>
        {
            let order = DateOrder::ALL.into_iter().find(|order| order.reads(found))?;
            return Some((format!("--dates {}", order_of_dates(order).0), "dates"));
        }
        () => return None,
    };
    Some((options.to_owned(), "numbers"))
}

/// Whether a text is a number with commas between groups of three digits: `1,000.5`.
fn has_groups(text: &str) -> bool {
    let whole = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = whole.split_once('.').unwrap_or((whole, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(',');
    let is_first = groups.next().is_some_and(|first| matches!(first.len(), 1..=3) && are_digits(first));
    is_first
        && whole.contains(',')
        && are_digits(fraction)
        && groups.all(|group| group.len() == 3 && are_digits(group))
}

/// The column of JSON whose values are of several kinds, and a type that reads them all.
pub fn mixed_column(row: &RowError) -> Option<(&str, &'static str)> {
    let RowErrorKind::Mixed { before, found } = row.kind() else { return None };
    let [PathStep::Child { name, .. }, below @ ..] = row.path().steps() else { return None };
    let is_nested =
        !below.is_empty() || [before, found].iter().any(|kind| ["an array", "an object"].contains(kind));
    Some((name, if is_nested { "json" } else { "utf8" }))
}

/// A type for a value of a row that does not fit its column. Whole numbers must not be rounded.
pub fn type_that_takes(row: &RowError, error: &ValueError) -> &'static str {
    /// The least whole number with too many digits for decimal128.
    const END: u128 = 10_u128.pow(38);
    /// Characters that show that a number is not whole. The last two are for `NaN` and `inf`.
    const FLOAT: [char; 5] = ['.', 'e', 'E', 'N', 'n'];
    let is_nested = matches!(error.expected(), Expected::Array | Expected::Object)
        || error.found().starts_with(['[', '{']);
    // Errors of JSON have a byte. A utf8 column of JSON takes no arrays and objects.
    if row.byte().is_some() && is_nested {
        return "json";
    }
    if *error.expected() == Expected::Boolean && ["0", "1"].contains(&error.found()) {
        return "bool";
    }
    let Expected::Integer { max, .. } = error.expected() else { return "utf8" };
    let fits =
        |number: f64| number.is_finite() || !error.found().contains(|char: char| char.is_ascii_digit());
    match error.found().parse::<i128>() {
        // In a column of uint64, other numbers may be too large for int64.
        Ok(number) if i64::try_from(number).is_ok() && i64::try_from(*max).is_ok() => "int64",
        Ok(number) if u64::try_from(number).is_ok() => "uint64",
        Ok(number) if number.unsigned_abs() < END => "decimal128(38, 0)",
        Err(_) if error.found().parse::<f64>().is_ok_and(fits) && error.found().contains(FLOAT) => "float64",
        Ok(_) | Err(_) => "utf8",
    }
}
