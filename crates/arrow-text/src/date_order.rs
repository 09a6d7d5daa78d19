//! Orders of day, month and year in dates, and the conversion of such dates to ISO 8601.

/// The order of day, month and year in the dates of CSV. The order of ISO 8601, as in `2024-02-29`, is not one of these.
///
/// Years have four digits, and days and months have one or two. Slashes, points or hyphens separate them. A time of day may
/// follow, with one or two digits for the hour, and with AM or PM.
///
/// ```
/// use arrow_text::DateOrder;
///
/// assert!(DateOrder::DayFirst.reads("29/2/2024") && DateOrder::DayFirst.reads("29.02.2024 12:30"));
/// assert!(DateOrder::MonthFirst.reads("2/29/2024, 5:07:09 PM"));
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
    /// All three orders.
    pub const ALL: [DateOrder; 3] = [DateOrder::DayFirst, DateOrder::MonthFirst, DateOrder::YearFirst];

    pub(crate) fn example(self) -> &'static str {
        match self {
            DateOrder::DayFirst => "29/02/2024",
            DateOrder::MonthFirst => "02/29/2024",
            DateOrder::YearFirst => "2024/02/29",
        }
    }

    /// Like [`iso`](DateOrder::iso), but also converts a date such as `2024-2-29`, whatever the order is. The time after the
    /// date may then have AM or PM.
    pub(crate) fn iso_of_any<'a>(self, text: &'a str, buffer: &'a mut String) -> &'a str {
        let is_year_first = text.find('-') == Some(4);
        if is_year_first { DateOrder::YearFirst } else { self }.iso(text, buffer)
    }

    /// Converts the date at the start of `text` to the order of ISO 8601, in the memory of `buffer`. Returns `text` itself if it
    /// does not begin with a date in this order.
    pub(crate) fn iso<'a>(self, text: &'a str, buffer: &'a mut String) -> &'a str {
        let Some(([first, second, third], rest)) = numbers(text) else { return text };
        let [year, month, day] = match self {
            DateOrder::DayFirst => [third, second, first],
            DateOrder::MonthFirst => [third, first, second],
            DateOrder::YearFirst => [first, second, third],
        };
        if year.len() != 4 || ![month, day].iter().all(|number| matches!(number.len(), 1 | 2)) {
            return text;
        }
        buffer.clear();
        for piece in [year, "-", zero(month), month, "-", zero(day), day] {
            buffer.push_str(piece);
        }
        match clock(rest) {
            Some((hours, after)) => buffer.push_str(&format!(" {hours:02}:{after}")),
            None => buffer.push_str(rest),
        }
        buffer
    }
}

/// Splits the time of day after a date into the hour, from 0 to 23 if the time has AM or PM, and the text after the colon,
/// without AM or PM. `None` if `text` is not such a time.
fn clock(text: &str) -> Option<(u8, &str)> {
    const HALVES: [(&str, u8); 6] = [("AM", 0), ("am", 0), ("a.m.", 0), ("PM", 12), ("pm", 12), ("p.m.", 12)];
    let (hours, rest) = text.get(1..)?.split_once(':')?;
    let is_hour = hours.len() <= 2 && hours.bytes().all(|byte| byte.is_ascii_digit());
    if !is_hour {
        return None;
    }
    let hours: u8 = hours.parse().ok()?;
    let half = HALVES.iter().find_map(|(half, start)| Some((rest.strip_suffix(half)?, start)));
    match half {
        Some((rest, start)) if matches!(hours, 1..=12) => {
            Some((hours % 12 + start, rest.trim_end_matches([' ', '\u{a0}', '\u{202f}'])))
        }
        Some(_) => None,
        None => Some((hours, rest)),
    }
}

/// The zero to write before a number of one digit. Empty if the number has two digits.
fn zero(number: &str) -> &'static str {
    if number.len() == 1 { "0" } else { "" }
}

/// Splits a text such as `29/2/2024 10:00` into its three numbers and the remaining text, which is empty or a time of day.
/// `None` if the two separators differ.
fn numbers(text: &str) -> Option<([&str; 3], &str)> {
    let split = |text: &'_ str| text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
    let (first, rest) = text.split_at_checked(split(text))?;
    let separator = rest.chars().next().filter(|char| matches!(char, '/' | '.' | '-'))?;
    let rest = rest.strip_prefix(separator)?;
    let (second, rest) = rest.split_at_checked(split(rest))?;
    let rest = rest.strip_prefix(separator)?;
    let (third, rest) = rest.split_at_checked(split(rest))?;
    let rest = rest.strip_prefix(',').filter(|rest| rest.starts_with(' ')).unwrap_or(rest);
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
            (DayFirst, "31/12/2024T12:30:05.5Z", "2024-12-31 12:30:05.5Z", true),
            (DayFirst, "31.12.2024 17:07:00", "2024-12-31 17:07:00", true),
            (DayFirst, "31.12.2024 7:07", "2024-12-31 07:07", true),
            (MonthFirst, "12/31/2024 5:07 PM", "2024-12-31 17:07", true),
            (MonthFirst, "12/31/2024, 5:07:09\u{202f}PM", "2024-12-31 17:07:09", true),
            (MonthFirst, "12/31/2024 05:07:09.25pm", "2024-12-31 17:07:09.25", true),
            (MonthFirst, "12/31/2024 12:00 a.m.", "2024-12-31 00:00", true),
            (YearFirst, "2024/12/31 12:00 PM", "2024-12-31 12:00", true),
            (YearFirst, "2024-12-31 1:00 AM", "2024-12-31 01:00", true),
            (MonthFirst, "12/31/2024 13:00 PM", "2024-12-31 13:00 PM", false),
            (MonthFirst, "12/31/2024 0:30 AM", "2024-12-31 0:30 AM", false),
            (MonthFirst, "12/31/2024 24:00", "2024-12-31 24:00", false),
            (MonthFirst, "12/31/2024 99:00", "2024-12-31 99:00", false),
            (MonthFirst, "12/31/2024 5 PM", "2024-12-31 5 PM", false),
            (MonthFirst, "12/31/2024 5:7 PM", "2024-12-31 17:7", false),
            (MonthFirst, "12/31/2024 :07 PM", "2024-12-31 :07 PM", false),
            (MonthFirst, "12/31/2024 \u{661}:07 PM", "2024-12-31 \u{661}:07 PM", false),
            (MonthFirst, "12/31/2024 5:07 PMPM", "2024-12-31 17:07 PM", false),
            (MonthFirst, "12/31/2024 PM", "2024-12-31 PM", false),
            (MonthFirst, "12/31/2024 5:PM", "2024-12-31 17:", false),
            (MonthFirst, "12/31/2024,5:07", "12/31/2024,5:07", false),
            (MonthFirst, "12/31/2024,", "12/31/2024,", false),
            (MonthFirst, "12/31/2024 ", "2024-12-31 ", true),
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

    #[test]
    fn dates_that_begin_with_the_year_may_have_any_clock() {
        for order in DateOrder::ALL {
            let iso = |text: &str| order.iso_of_any(text, &mut String::new()).to_owned();
            assert_eq!(iso("2024-01-31 03:04 PM"), "2024-01-31 15:04");
            assert_eq!(iso("2024-01-31"), "2024-01-31");
            assert_eq!(iso("2024/31.1"), "2024/31.1");
        }
        let iso = |text: &str| DateOrder::DayFirst.iso_of_any(text, &mut String::new()).to_owned();
        assert_eq!([iso("12-1-2024"), iso("1-12-2024")], ["2024-01-12", "2024-12-01"]);
        assert_eq!(iso("12.1-2024"), "12.1-2024");
    }

    /// ISO 8601 dates can be read without an order, so [`reads`](DateOrder::reads) is false with each order.
    #[test]
    fn dates_of_iso_8601_have_no_order() {
        let texts =
            ["2024-03-10", "2024-03-10 06:59", "2024-03-10T06:59:00Z", "2024-03-10T06:59:00.25+01:00"];
        for (text, order) in texts.into_iter().flat_map(|text| DateOrder::ALL.map(|order| (text, order))) {
            assert!(!order.reads(text), "{text}");
        }
    }

    /// Each time of day is read as by an obvious reading: a number and a half of the day, in which 12 comes before 1.
    #[test]
    fn each_hour_has_one_reading() {
        for (hours, minutes) in (0..=25).flat_map(|hours| (0..=61).map(move |minutes| (hours, minutes))) {
            for (half, end) in [("", ""), ("am", "AM"), ("pm", " PM"), ("pm", "\u{a0}p.m.")] {
                let naive = match (half, hours) {
                    ("", _) => Some(hours).filter(|hours| *hours < 24),
                    (_, 0 | 13..) => None,
                    ("am", 12) => Some(0),
                    ("pm", 1..=11) => Some(hours + 12),
                    _ => Some(hours),
                };
                for text in [format!("{hours}:{minutes:02}{end}"), format!("{hours:02}:{minutes:02}:59{end}")]
                {
                    let dated = format!("2/1/2024 {text}");
                    let mut buffer = String::new();
                    let iso = DateOrder::DayFirst.iso(&dated, &mut buffer);
                    let expected = if minutes < 60 { naive } else { None };
                    let expected = expected.map(|hours| format!("2024-01-02 {hours:02}:{minutes:02}"));
                    assert_eq!(DateOrder::DayFirst.reads(&dated), expected.is_some(), "{dated}");
                    assert!(expected.is_none_or(|expected| iso.starts_with(&expected)), "{dated} {iso}");
                }
            }
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
