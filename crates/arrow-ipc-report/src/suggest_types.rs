//! Suggests options and types with which an invalid value can be read.

use arrow_schema::PathStep;
use arrow_text::{DateOrder, Expectation, RowError, RowErrorKind, ValueError};

use crate::text_note::name_of_order;

/// Options with which a number or a date of CSV can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSuggestion {
    /// The options of the program, such as `--decimal ,`.
    pub options: String,
    /// What the options read: `numbers` or `dates`.
    pub what: &'static str,
    /// Whether the column has integers, and the number has a fraction, so that the column also needs another type.
    pub needs_float: bool,
}

/// Finds options with which an invalid value can be read. `None` if there are none.
pub fn suggest_options(row: &RowError, error: &ValueError) -> Option<OptionSuggestion> {
    use Expectation::{Date, DateOrTimestamp, Decimal, Float, Integer, MarkedNumber, OrderedDate, Timestamp};
    let expected = error.expected();
    let found = error.found();
    // Errors of JSON have a byte.
    if row.byte().is_some() {
        return None;
    }
    let from_number = |options: &str, read: &str| {
        let options = options.to_owned();
        let needs_float = matches!(expected, Integer { .. }) && read.contains('.');
        Some(OptionSuggestion { options, what: "numbers", needs_float })
    };
    // The number may have a decimal comma, and spaces or points between groups of digits.
    let spaced = found.replace(',', ".").replace(['\u{a0}', '\u{202f}', ' '], ",");
    let swapped = found.replace('.', " ").replace(',', ".").replace(' ', ",");
    // Whether the options already have the decimal comma.
    let has_comma = matches!(expected, MarkedNumber { example } if example.ends_with(",5"));
    if matches!(expected, Integer { .. } | Float | Decimal | MarkedNumber { .. }) {
        return match () {
            () if has_groups(found) && !has_comma => from_number("--thousands ,", found),
            () if has_groups(&spaced) && found.contains(',') && !has_comma => {
                from_number("--decimal , --thousands ' '", &spaced)
            }
            () if has_groups(&spaced) => from_number("--thousands ' '", &spaced),
            () if has_groups(&swapped) && has_comma => from_number("--thousands .", &swapped),
            () if has_groups(&swapped) => from_number("--decimal , --thousands .", &swapped),
            () if !has_comma && found.contains(',') && !found.contains('.') => {
                swapped.parse::<f64>().ok().filter(|number| number.is_finite())?;
                from_number("--decimal ,", &swapped)
            }
            () => None,
        };
    }
    let is_date = matches!(expected, Date | OrderedDate { .. }) && !found.contains(':');
    if !is_date && !matches!(expected, DateOrTimestamp | Timestamp) {
        return None;
    }
    // By default, an ISO 8601 date without a time is not a timestamp. With `--dates`, it is midnight.
    let is_iso = || {
        *expected == Timestamp && !found.contains(':') && DateOrder::YearFirst.reads(&found.replace('-', "/"))
    };
    let order = DateOrder::ALL.into_iter().find(|order| order.reads(found));
    let order = order.or_else(|| is_iso().then_some(DateOrder::YearFirst))?;
    let options = format!("--dates {}", name_of_order(order));
    Some(OptionSuggestion { options, what: "dates", needs_float: false })
}

/// Whether a text is a number with commas between groups of three digits: `1,000.5`. Nobody groups digits
/// after a zero.
fn has_groups(text: &str) -> bool {
    let whole = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = whole.split_once('.').unwrap_or((whole, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(',');
    let is_first = groups
        .next()
        .is_some_and(|first| matches!(first.len(), 1..=3) && are_digits(first) && !first.starts_with('0'));
    is_first
        && whole.contains(',')
        && are_digits(fraction)
        && groups.all(|group| group.len() == 3 && are_digits(group))
}

/// The column of JSON with values of several kinds, or with objects in which a name is repeated; and a type that reads all its
/// values.
pub fn suggest_type_of_mixed(row: &RowError) -> Option<(&str, &'static str)> {
    let [PathStep::Child { name, .. }, below @ ..] = row.path().steps() else { return None };
    if let RowErrorKind::Mixed { before, found } = row.kind() {
        let is_nested = |kind| ["an array", "an object"].contains(kind);
        let is_text = below.is_empty() && ![before, found].into_iter().any(is_nested);
        return Some((name, if is_text { "utf8" } else { "json" }));
    }
    (matches!(row.kind(), RowErrorKind::Repeated) && !below.is_empty()).then_some((name, "json"))
}

/// The name of the column of a number in JSON that is too large for float64, and the type that keeps the text of its values.
pub fn suggest_type_of_large_number<'a>(row: &'a RowError, error: &ValueError) -> Option<[&'a str; 2]> {
    let is_large = matches!(error.expected(), Expectation::FiniteFloat { .. }) && row.byte().is_some();
    match row.path().steps() {
        [PathStep::Child { name, .. }] if is_large => Some([name, "utf8"]),
        [PathStep::Child { name, .. }, _, ..] if is_large => Some([name, "json"]),
        _ => None,
    }
}

/// A type for a value of a row that does not fit its column. Whole numbers must not be rounded.
pub fn suggest_type(row: &RowError, error: &ValueError) -> &'static str {
    /// The least whole number with too many digits for decimal128.
    const END: u128 = 10_u128.pow(38);
    /// Characters that show that a number is not whole. The last two are for `NaN` and `inf`.
    const FLOAT: [char; 5] = ['.', 'e', 'E', 'N', 'n'];
    let is_nested = matches!(error.expected(), Expectation::Array | Expectation::Object)
        || error.found().starts_with(['[', '{']);
    // Errors of JSON have a byte. A utf8 column of JSON takes no arrays and objects.
    if row.byte().is_some() && is_nested {
        return "json";
    }
    if *error.expected() == Expectation::Boolean
        && row.byte().is_none()
        && ["0", "1"].contains(&error.found())
    {
        return "bool";
    }
    // There are no rows before the first row, so its type was not inferred from earlier rows.
    let is_first = row.byte().is_some() && row.line() == 1;
    if matches!(error.expected(), Expectation::Timestamp | Expectation::ZonedTimestamp)
        && is_first
        && error.found().parse::<i64>().is_ok()
    {
        return "int64";
    }
    if let Expectation::Fraction { n_digits: 0..=8 } = error.expected() {
        return type_in_nanoseconds(error.found());
    }
    let Expectation::Integer { max, .. } = error.expected() else { return "utf8" };
    let fits =
        |number: f64| number.is_finite() || !error.found().contains(|char: char| char.is_ascii_digit());
    match error.found().parse::<i128>() {
        // In a column of uint64, other numbers may be too large for int64.
        Ok(number) if i64::try_from(number).is_ok() && i64::try_from(*max).is_ok() => "int64",
        Ok(number) if u64::try_from(number).is_ok() && !error.found().starts_with('-') => "uint64",
        Ok(number) if number.unsigned_abs() < END => "decimal128(38, 0)",
        Err(_) if error.found().parse::<f64>().is_ok_and(fits) && error.found().contains(FLOAT) => "float64",
        Ok(_) | Err(_) => "utf8",
    }
}

/// Whether a type that is inferred from all rows may take a value that does not fit its column. In JSON, no type takes values of
/// several kinds, such as numbers and strings.
pub fn may_infer_with(row: &RowError, error: &ValueError) -> bool {
    use Expectation::{
        Clock, Date, DateOrTimestamp, ExactFloat, Float, Fraction, Integer, Null, Time, Timestamp,
        TimestampInRange, ZonedTimestamp,
    };
    // Errors of JSON have a byte.
    if row.byte().is_none() {
        return true;
    }
    let found = error.found();
    let is_number = found.parse::<f64>().is_ok();
    let expected = error.expected();
    // These are strings, whose content is found without quotes.
    let is_time = matches!(
        expected,
        Date | DateOrTimestamp
            | Time { .. }
            | Clock
            | Timestamp
            | ZonedTimestamp
            | Fraction { .. }
            | TimestampInRange { .. }
    );
    if is_time {
        return !is_number && !["true", "false"].contains(&found) && !found.starts_with(['[', '{']);
    }
    // A string of digits is found with its quotes. Where a null was expected, there was no value before.
    *expected == Null || is_number && matches!(expected, Integer { .. } | Float | ExactFloat)
}

/// The type in nanoseconds that takes a time or timestamp with more digits than its unit has.
fn type_in_nanoseconds(found: &str) -> &'static str {
    let (before, fraction) = found.rsplit_once('.').unwrap_or((found, ""));
    let n_digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    // The years that 64 bits of nanoseconds hold.
    let is_in_range = before.get(..4).is_some_and(|year| ("1678"..="2261").contains(&year));
    let has_date = before.contains('-');
    let has_zone = fraction.len() > n_digits;
    if n_digits > 9 {
        "utf8"
    } else if has_date && is_in_range {
        if has_zone { "timestamp(ns, \"UTC\")" } else { "timestamp(ns)" }
    } else if has_date || has_zone {
        "utf8"
    } else {
        "time64(ns)"
    }
}

/// What to change in a text that is not JSON. `None` if the error has another cause.
pub fn suggest_json_syntax(row: &RowError) -> Option<&'static str> {
    let RowErrorKind::NotJson { reason } = row.kind() else { return None };
    Some(match &**reason {
        "trailing comma" => "JSON has no comma before ] and }",
        "key must be a string" => "JSON has names in double quotes",
        "unexpected end of hex escape" | "lone leading surrogate in hex escape" => {
            "\\ud800 to \\udfff are halves of characters, and occur in pairs; the writer must replace half of a pair, for example with \\ufffd"
        }
        reason if reason.starts_with("expected \"") => {
            "JSON has no such numbers: the writer must write the name in quotes, or null"
        }
        _ => return None,
    })
}
