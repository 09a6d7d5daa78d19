//! Parses intervals, which are JSON objects with integers.

use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano};

use super::{
    error::{Expectation, ValueError, ValueResult},
    integer,
};

/// Parses an interval such as `{"months":14}`.
pub(super) fn interval_year_month(text: &str) -> ValueResult<i32> {
    let found = members(text, ["months"]).and_then(|[months]| narrow(months));
    found.ok_or_else(|| wrong(text, r#"{"months":14}"#))
}

/// Parses an interval such as `{"days":1,"milliseconds":-500}`.
pub(super) fn interval_day_time(text: &str) -> ValueResult<IntervalDayTime> {
    let found = members(text, ["days", "milliseconds"]).and_then(|[days, milliseconds]| {
        Some(IntervalDayTime { days: narrow(days)?, milliseconds: narrow(milliseconds)? })
    });
    found.ok_or_else(|| wrong(text, r#"{"days":1,"milliseconds":-500}"#))
}

/// Parses an interval such as `{"months":1,"days":-2,"nanoseconds":3}`.
pub(super) fn interval_month_day_nano(text: &str) -> ValueResult<IntervalMonthDayNano> {
    let found = members(text, ["months", "days", "nanoseconds"]).and_then(|[months, days, nanoseconds]| {
        Some(IntervalMonthDayNano { months: narrow(months)?, days: narrow(days)?, nanoseconds })
    });
    found.ok_or_else(|| wrong(text, r#"{"months":1,"days":-2,"nanoseconds":3}"#))
}

fn narrow(part: i64) -> Option<i32> {
    i32::try_from(part).ok()
}

fn wrong(text: &str, example: &'static str) -> ValueError {
    ValueError::new(Expectation::Interval { example }, text)
}

/// The numbers of the members `names`, which may have any order. `None` unless each name occurs exactly once.
fn members<const N: usize>(text: &str, names: [&str; N]) -> Option<[i64; N]> {
    let mut found = [None; N];
    // Names and integers contain neither a comma nor a colon.
    for member in trim(text).strip_prefix('{')?.strip_suffix('}')?.split(',') {
        member_of(member, &names, &mut found)?;
    }
    let mut parts = [0; N];
    for (part, found) in parts.iter_mut().zip(found) {
        *part = found?;
    }
    Some(parts)
}

fn member_of(member: &str, names: &[&str], found: &mut [Option<i64>]) -> Option<()> {
    let (name, number) = member.split_once(':')?;
    let name = trim(name).strip_prefix('"')?.strip_suffix('"')?;
    let position = names.iter().position(|known| is_name(name, known))?;
    let field = found.get_mut(position).filter(|field| field.is_none())?;
    *field = Some(integer(trim(number)).ok()?);
    Some(())
}

/// Whether the content of a JSON string is this name, whose letters may be escaped.
fn is_name(json: &str, name: &str) -> bool {
    let mut json = json.chars();
    let is_next = |letter| match json.next() {
        Some('\\') => {
            let escape: String = json.by_ref().take(5).collect();
            let digits =
                escape.strip_prefix('u').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) == Some(u32::from(letter))
        }
        found => found == Some(letter),
    };
    name.chars().all(is_next) && json.next().is_none()
}

/// Removes the white space that JSON allows between tokens.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_by_hand() {
        assert_eq!(interval_year_month(r#"{"months":-14}"#), Ok(-14));
        assert_eq!(interval_year_month(" {\n\"months\" :\t14 } "), Ok(14));
        assert_eq!(interval_year_month(r#"{"mo\u006eth\u0073":14}"#), Ok(14));
        let expected = IntervalMonthDayNano { months: i32::MIN, days: 2, nanoseconds: i64::MAX };
        let text = r#"{"nanoseconds":9223372036854775807, "months":-2147483648,"days":2}"#;
        assert_eq!(interval_month_day_nano(text), Ok(expected));
        let bad = [
            "",
            "{",
            "}",
            "{}",
            "14",
            r#""months":14"#,
            r#"{"months":14"#,
            r#"{"months"}"#,
            r#"{months:14}"#,
            r#"{"months":14,}"#,
            r#"{"months":"14"}"#,
            r#"{"months":1.0}"#,
            r#"{"months":null}"#,
            r#"{"months":2147483648}"#,
            r#"{"months":14,"months":14}"#,
            r#"{"months":14,"years":1}"#,
            r#"{"months":{"months":14}}"#,
        ];
        for text in bad {
            assert!(interval_year_month(text).is_err(), "{text}");
        }
        for text in [
            r#"{"days":1}"#,
            r#"{"days":1,"milliseconds":2147483648}"#,
            r#"{"days":2147483648,"milliseconds":1}"#,
        ] {
            assert!(interval_day_time(text).is_err(), "{text}");
        }
        let error = interval_day_time("{}").expect_err("nothing is there");
        assert_eq!(
            error.to_string(),
            r#"expected an object such as {"days":1,"milliseconds":-500}, with integers that fit, found "{}""#
        );
    }
}
