//! Computes days of the proleptic Gregorian calendar.

/// The number of days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;

/// The days before each month in a year that begins in March, since the leap day is then its last day. The first entry is
/// unused.
const DAYS_BEFORE_MONTH: [i64; 13] = [0, 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];

/// The number of days from 1970-01-01 to a date. `None` if the date does not exist. The year has at most twelve digits.
pub(super) fn days_of(year: i64, month: u64, day: u64) -> Option<i64> {
    let days_before = *DAYS_BEFORE_MONTH.get(usize::try_from(month).ok()?)?;
    if month == 0 || day == 0 || day > 28 && day > days_of_month(year, month)? {
        return None;
    }
    let year = year.checked_sub(i64::from(month < 3))?;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = year.checked_mul(365)?.checked_add(leap_days)?;
    days.checked_add(days_before)?.checked_add_unsigned(day)?.checked_sub(EPOCH + 1)
}

fn days_of_month(year: i64, month: u64) -> Option<u64> {
    match month {
        2 => {
            let is_leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
            Some(28 + u64::from(is_leap))
        }
        4 | 6 | 9 | 11 => Some(30),
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_by_hand() {
        let cases = [
            ((1970, 1, 1), 0),
            ((1969, 12, 31), -1),
            ((1970, 3, 1), 59),
            ((2000, 2, 29), 11_016),
            ((2000, 3, 1), 11_017),
            ((2024, 2, 29), 19_782),
            ((1900, 3, 1), -25_508),
            ((9999, 12, 31), 2_932_896),
            ((0, 1, 1), -719_528),
            ((-1, 12, 31), -719_529),
            ((5_881_580, 7, 11), i64::from(i32::MAX)),
            // The first and the last day that `i64` seconds can express.
            ((292_277_026_596, 12, 4), 106_751_991_167_300),
            ((-292_277_022_657, 1, 27), -106_751_991_167_301),
        ];
        for ((year, month, day), days) in cases {
            assert_eq!(days_of(year, month, day), Some(days), "{year}-{month}-{day}");
        }
    }

    #[test]
    fn every_day_follows_the_one_before() {
        // The days from before year 0 to after 9999 include every kind of century.
        let mut expected = -719_528 - 2 * 146_097 - 365;
        for year in -801..10_010 {
            for month in 1..=12 {
                let n_days = days_of_month(year, month).expect("a month");
                for day in 1..=n_days {
                    assert_eq!(days_of(year, month, day), Some(expected), "{year}-{month}-{day}");
                    expected += 1;
                }
                assert_eq!(days_of(year, month, n_days + 1), None);
            }
        }
        for (month, day) in [(0, 1), (13, 1), (1, 0), (1, 32), (u64::MAX, 1), (12, 32), (2, 30)] {
            assert_eq!(days_of(2024, month, day), None);
        }
        assert_eq!((days_of(1900, 2, 29), days_of(2000, 2, 29)), (None, Some(11_016)));
    }
}
