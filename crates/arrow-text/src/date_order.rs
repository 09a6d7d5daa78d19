//! Orders of day, month and year in dates, and the conversion of such dates to ISO 8601.

/// The order of day, month and year in the dates of CSV. The order of ISO 8601, as in `2024-02-29`, is not one of these.
///
/// Years have four digits, and days and months have one or two. Slashes, points or hyphens separate them. A time of day may
/// follow.
///
/// ```
/// use arrow_text::DateOrder;
///
/// assert!(DateOrder::DayFirst.reads("29/2/2024") && DateOrder::DayFirst.reads("29.02.2024 12:30"));
/// assert!(!DateOrder::MonthFirst.reads("29/2/2024") && DateOrder::YearFirst.reads("2024/02/29"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// `29/2/2024` or `29.02.2024`.
    DayFirst,
    /// `2/29/2024`.
    MonthFirst,
    /// `2024/2/29` or `2024.02.29`.
    YearFirst,
}

impl DateOrder {
    /// The three orders, for trying each.
    pub const ALL: [DateOrder; 3] = [DateOrder::DayFirst, DateOrder::MonthFirst, DateOrder::YearFirst];

    pub(crate) fn example(self) -> &'static str {
        match self {
            DateOrder::DayFirst => "29/02/2024",
            DateOrder::MonthFirst => "02/29/2024",
            DateOrder::YearFirst => "2024/02/29",
        }
    }

    /// Converts the date at the start of `text` to the order of ISO 8601, in the memory of `place`. Returns `text` itself if it
    /// does not begin with a date in this order.
    pub(crate) fn iso<'a>(self, text: &'a str, place: &'a mut String) -> &'a str {
        let Some(([first, second, third], rest)) = numbers(text) else { return text };
        let [year, month, day] = match self {
            DateOrder::DayFirst => [third, second, first],
            DateOrder::MonthFirst => [third, first, second],
            DateOrder::YearFirst => [first, second, third],
        };
        if year.len() != 4 || ![month, day].iter().all(|number| matches!(number.len(), 1 | 2)) {
            return text;
        }
        place.clear();
        for piece in [year, "-", zero(month), month, "-", zero(day), day, rest] {
            place.push_str(piece);
        }
        place
    }
}

/// The zero to write before a number of one digit. Empty if the number has two digits.
fn zero(number: &str) -> &'static str {
    if number.len() == 1 { "0" } else { "" }
}

/// Splits a text into three numbers with equal separators, and the remaining text, which is empty or a time of day.
fn numbers(text: &str) -> Option<([&str; 3], &str)> {
    let split = |text: &'_ str| text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    let (first, rest) = text.split_at_checked(split(text))?;
    let separator = rest.chars().next().filter(|char| matches!(char, '/' | '.' | '-'))?;
    let rest = rest.strip_prefix(separator)?;
    let (second, rest) = rest.split_at_checked(split(rest))?;
    let rest = rest.strip_prefix(separator)?;
    let (third, rest) = rest.split_at_checked(split(rest))?;
    (rest.is_empty() || rest.starts_with([' ', 'T'])).then_some(([first, second, third], rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_iso_8601_has_them() {
        use DateOrder::{DayFirst, MonthFirst, YearFirst};
        let cases = [
            (DayFirst, "31/12/2024", "2024-12-31", true),
            (DayFirst, "1.2.2024", "2024-02-01", true),
            (DayFirst, "1-2-2024", "2024-02-01", true),
            (DayFirst, "31/12/2024 12:30", "2024-12-31 12:30", true),
            (DayFirst, "31/12/2024T12:30:05.5Z", "2024-12-31T12:30:05.5Z", true),
            (MonthFirst, "12/31/2024", "2024-12-31", true),
            (MonthFirst, "31/12/2024", "2024-31-12", false),
            (YearFirst, "2024/2/9", "2024-02-09", true),
            (YearFirst, "2024.12.31", "2024-12-31", true),
            (YearFirst, "2024-2-9", "2024-02-09", true),
            // Dates of ISO 8601 are the same with each order.
            (DayFirst, "2024-12-31", "2024-12-31", false),
            (MonthFirst, "2024-12-31", "2024-12-31", false),
            (YearFirst, "2024-12-31", "2024-12-31", false),
            (DayFirst, "30/2/2024", "2024-02-30", false),
            (DayFirst, "31/12/24", "31/12/24", false),
            (DayFirst, "31/12.2024", "31/12.2024", false),
            (DayFirst, "031/12/2024", "031/12/2024", false),
            (DayFirst, "31/12/2024x", "31/12/2024x", false),
            (DayFirst, "31/12/2024 x", "2024-12-31 x", false),
            (DayFirst, "31//2024", "31//2024", false),
            (DayFirst, "31/12", "31/12", false),
            (DayFirst, "٣١/12/2024", "٣١/12/2024", false),
            (DayFirst, "-1/12/2024", "-1/12/2024", false),
            (DayFirst, "1.5", "1.5", false),
            (DayFirst, "é", "é", false),
            (DayFirst, "", "", false),
        ];
        for (order, text, expected, is_read) in cases {
            assert_eq!(order.iso(text, &mut "old".to_owned()), expected, "{text}");
            assert_eq!(order.reads(text), is_read, "{text}");
        }
    }

    /// Whether the day exists in the calendar.
    fn is_day(year: u32, month: u32, day: u32) -> bool {
        let n_days = match month {
            2 => 28 + u32::from(year == 2000),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        (1..=n_days).contains(&day)
    }

    /// Each day of some years is read correctly in each order and with each separator.
    #[test]
    fn each_day_has_one_reading() {
        for (year, month, day) in (1999..=2001)
            .flat_map(|year| (1..=13).flat_map(move |month| (0..=32).map(move |day| (year, month, day))))
        {
            let iso = format!("{year}-{month:02}-{day:02}");
            for separator in ['/', '.', '-'] {
                let written = [
                    (DateOrder::DayFirst, format!("{day}{separator}{month}{separator}{year}")),
                    (DateOrder::MonthFirst, format!("{month:02}{separator}{day}{separator}{year}")),
                    (DateOrder::YearFirst, format!("{year}{separator}{month}{separator}{day:02}")),
                ];
                for (order, text) in written {
                    assert_eq!(order.iso(&text, &mut String::new()), iso, "{text}");
                    assert_eq!(order.reads(&text), text != iso && is_day(year, month, day), "{text}");
                }
            }
        }
    }
}
