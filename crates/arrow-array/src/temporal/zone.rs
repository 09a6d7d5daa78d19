//! Finds the time zones of types as those of `jiff`.

use jiff::tz::{Offset, TimeZone};

use super::TemporalError;
use crate::time_zone;

/// Finds the time zone with an offset such as `+05:30`, or with a name in the time zone database.
pub(super) fn find(zone: &str) -> Result<TimeZone, TemporalError> {
    let found = match time_zone::parse_offset(zone) {
        Some(offset) => Offset::from_seconds(offset).ok().map(TimeZone::fixed),
        None if time_zone::is_portable(zone) => TimeZone::get(zone).ok().filter(|zone| !zone.is_unknown()),
        None => None,
    };
    found.ok_or_else(|| TemporalError::UnknownZone { zone: zone.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones() {
        let cases = [
            ("+05:30", Some(19_800)),
            ("-00:45", Some(-2_700)),
            ("+00:00", Some(0)),
            ("UTC", None),
            ("Europe/Berlin", None),
        ];
        for (zone, seconds) in cases {
            let found = find(zone).expect(zone);
            assert_eq!(
                found.to_fixed_offset().ok().map(Offset::seconds),
                seconds.or((zone == "UTC").then_some(0))
            );
        }
        for zone in [
            "",
            "Etc/Unknown",
            "localtime",
            "Factory",
            "Nowhere/Atall",
            "+5:30",
            "+05:60",
            "+0530",
            "+99:00",
            "05:30",
            "+05:30 ",
        ] {
            assert_eq!(find(zone), Err(TemporalError::UnknownZone { zone: zone.into() }), "{zone}");
        }
    }
}
