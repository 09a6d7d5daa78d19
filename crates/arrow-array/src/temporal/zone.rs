//! Parses the time zones of types.

use jiff::tz::{Offset, TimeZone};

use super::TemporalError;

/// Finds the time zone with an offset such as `+05:30`, or with a name in the time zone database.
pub(super) fn find(zone: &str) -> Result<TimeZone, TemporalError> {
    let found = match offset(zone) {
        Some(offset) => Some(TimeZone::fixed(offset)),
        None => TimeZone::get(zone).ok(),
    };
    found.ok_or_else(|| TemporalError::UnknownZone { zone: zone.into() })
}

/// Parses an offset as the format defines it: `+XX:XX` or `-XX:XX`.
fn offset(zone: &str) -> Option<Offset> {
    let (sign, digits) = match zone.as_bytes() {
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let [h1, h2, b':', m1, m2] = digits else { return None };
    let number = |tens: &u8, ones: &u8| {
        let is_number = tens.is_ascii_digit() && ones.is_ascii_digit();
        is_number.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
    };
    let (hours, minutes) = (number(h1, h2)?, number(m1, m2).filter(|minutes| *minutes < 60)?);
    Offset::from_seconds(sign * (hours * 3_600 + minutes * 60)).ok()
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
        for zone in ["", "Nowhere/Atall", "+5:30", "+05:60", "+0530", "+99:00", "05:30", "+05:30 "] {
            assert_eq!(find(zone), Err(TemporalError::UnknownZone { zone: zone.into() }), "{zone}");
        }
    }
}
