//! The machine and the date of the measurement.

use std::time::SystemTime;

/// The name of the processor, and the number of its cores.
pub fn name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(": "));
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {n_cores} cores", model.map_or(std::env::consts::ARCH, |(_, model)| model.trim()))
}

/// Today, in UTC.
pub fn date() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    show(now.as_secs() / 86_400)
}

/// The date that is this number of days after 1970-01-01, in the Gregorian calendar.
fn show(n_days: u64) -> String {
    // Years that begin in March end with the day that leap years have more; 400 of them have 146,097 days.
    let days = n_days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (n_days, date) in
            [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_778, "2026-11-21")]
        {
            assert_eq!(show(n_days), date);
        }
    }
}
