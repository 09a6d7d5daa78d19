//! Dates of the proleptic Gregorian calendar, for each day that `i64` seconds can express.

use std::fmt;

use crate::digits::{AsciiText, two_digits};

/// A date. Year 0 precedes year 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: i64,
    pub(super) month: u64,
    pub(super) day: u64,
}

/// The number of days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;
const DAYS_PER_400_YEARS: i64 = 146_097;

impl Date {
    /// The date `days` days after 1970-01-01. `days` comes from `i64` seconds, so the calculation does not overflow.
    #[inline]
    pub(super) fn from_days(days: i64) -> Date {
        // Years begin in March here, so the leap day is the last day of a year. A linear function then gives the number of days
        // before each month.
        let since_march = days.saturating_add(EPOCH);
        let cycle = since_march.div_euclid(DAYS_PER_400_YEARS);
        let day_of_cycle = since_march.rem_euclid(DAYS_PER_400_YEARS).unsigned_abs();
        // Subtracts the preceding leap days: one every 4 years, none every 100, and again one every 400.
        let leap_days = day_of_cycle / 1_460 + day_of_cycle / 146_096;
        let year_of_cycle = (day_of_cycle + day_of_cycle / 36_524 - leap_days) / 365;
        let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
        let month_of_year = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_of_year + 2) / 5 + 1;
        let (month, next_year) =
            if month_of_year < 10 { (month_of_year + 3, 0) } else { (month_of_year - 9, 1) };
        Date { year: cycle * 400 + year_of_cycle.cast_signed() + next_year, month, day }
    }

    /// Appends `YYYY-MM-DD`. Years outside 0 to 9999 have a sign and at least six digits.
    #[inline]
    pub(super) fn push(self, text: &mut AsciiText) -> fmt::Result {
        let [month_tens, month_ones] = two_digits(self.month);
        let [day_tens, day_ones] = two_digits(self.day);
        if let Ok(year) = u64::try_from(self.year)
            && year <= 9999
        {
            let [y1, y2] = two_digits(year / 100);
            let [y3, y4] = two_digits(year % 100);
            let date = [y1, y2, y3, y4, b'-', month_tens, month_ones, b'-', day_tens, day_ones];
            return text.push_bytes(&date);
        }
        text.push(if self.year < 0 { "-" } else { "+" })?;
        text.push_padded(self.year.unsigned_abs(), 6)?;
        text.push_bytes(&[b'-', month_tens, month_ones, b'-', day_tens, day_ones])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(days: i64) -> String {
        let mut text = AsciiText::new();
        Date::from_days(days).push(&mut text).unwrap();
        text.as_str().to_owned()
    }

    #[test]
    fn dates_by_hand() {
        let cases = [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_782, "2024-02-29"),
            (-25_508, "1900-03-01"),
            (-25_509, "1900-02-28"),
            (2_932_896, "9999-12-31"),
            (2_932_897, "+010000-01-01"),
            (-719_528, "0000-01-01"),
            (-719_529, "-000001-12-31"),
            (i64::from(i32::MAX), "+5881580-07-11"),
            (i64::from(i32::MIN), "-5877641-06-23"),
            // The last and the first day that `i64` seconds can express.
            (106_751_991_167_300, "+292277026596-12-04"),
            (-106_751_991_167_301, "-292277022657-01-27"),
        ];
        for (days, date) in cases {
            assert_eq!(text(days), date, "{days} days");
        }
    }

    /// The next date, found without a formula.
    fn next_day(Date { year, month, day }: Date) -> Date {
        let is_leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
        let days_of_month = match month {
            2 => 28 + u64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        match (day < days_of_month, month) {
            (true, _) => Date { year, month, day: day + 1 },
            (false, 12) => Date { year: year + 1, month: 1, day: 1 },
            (false, _) => Date { year, month: month + 1, day: 1 },
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        // The days from before year 0 to after 9999 include every kind of century.
        let mut date = Date { year: -801, month: 1, day: 1 };
        let mut days = -719_528 - 2 * 146_097 - 365;
        assert_eq!(Date::from_days(days), date);
        while date.year < 10_010 {
            days += 1;
            date = next_day(date);
            assert_eq!(Date::from_days(days), date, "{days} days");
        }
    }
}
