//! The offsets of time zones from UTC, and the instants at which clocks of a zone show a time.

#[cfg(feature = "time-zones")]
mod database;

use std::{fmt, sync::Arc};

/// Finds the rules of a time zone by its name, such as `Europe/Paris`. `None` if there is no such zone.
pub type ZoneFinder = fn(&str) -> Option<ZoneRules>;

/// The time zones that are known. All know `UTC`, and offsets from UTC such as `+05:30`. With the feature `time-zones`,
/// [`database`](TimeZones::database) also knows names; [`new`](TimeZones::new) takes any source of names.
///
/// ```
/// use arrow_array::{LocalTime, TimeZones};
///
/// let zone = TimeZones::default().find("+05:30").expect("offsets are known");
/// assert_eq!(zone.offset_at(0), 19_800);
/// assert_eq!(zone.local_time(19_800), LocalTime::Once { offset: 19_800 });
/// assert!(TimeZones::default().find("Europe/Paris").is_none());
/// ```
#[derive(Clone, Copy, Default)]
pub struct TimeZones(Option<ZoneFinder>);

impl TimeZones {
    /// The offsets from UTC, and the zones that `find` knows. `find` is called once for each column, so it should remember what
    /// takes long. Names may come from strangers.
    pub const fn new(find: ZoneFinder) -> TimeZones {
        TimeZones(Some(find))
    }

    /// The zones of the time zone database of the system, and those that are built in, for systems without one.
    #[cfg(feature = "time-zones")]
    pub const fn database() -> TimeZones {
        TimeZones::new(database::find)
    }

    /// Finds a time zone by its name or offset, as types have them. `None` if it is unknown: what the specification has no form
    /// for, such as `+0530`, is no offset.
    pub fn find(self, zone: &str) -> Option<ZoneRules> {
        if zone == "UTC" {
            return Some(ZoneRules::fixed(0));
        }
        if !is_portable(zone) {
            return None;
        }
        parse_offset(zone).map(ZoneRules::fixed).or_else(|| self.0.and_then(|find| find(zone)))
    }
}

/// Zones are the same if the same function finds them.
impl PartialEq for TimeZones {
    fn eq(&self, other: &TimeZones) -> bool {
        match (self.0, other.0) {
            (Some(find), Some(other)) => std::ptr::fn_addr_eq(find, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl Eq for TimeZones {}

impl fmt::Debug for TimeZones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "TimeZones(names)" } else { "TimeZones(offsets)" })
    }
}

/// Whether a name means the same on all computers. Databases have files of other names that are no zones: such as the zone of the
/// computer.
pub(crate) fn is_portable(name: &str) -> bool {
    ["localtime", "posixrules", "Factory"].iter().all(|file| !name.eq_ignore_ascii_case(file))
}

/// Parses an offset as the format defines it, `+XX:XX` or `-XX:XX`. Returns seconds.
pub(crate) fn parse_offset(zone: &str) -> Option<i32> {
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
    let hours = number(h1, h2).filter(|hours| *hours <= MAX_OFFSET_HOURS)?;
    let minutes = number(m1, m2).filter(|minutes| *minutes < 60)?;
    Some(sign * (hours * 3_600 + minutes * 60))
}

/// The greatest offset is `23:59`, as in other libraries of Arrow.
const MAX_OFFSET_HOURS: i32 = 23;

/// The offsets of a time zone from UTC at all instants. A clone shares the memory.
///
/// Instants and local times are seconds since 1970-01-01T00:00:00, in UTC and in the zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneRules(Arc<Rules>);

#[derive(Debug, PartialEq, Eq)]
struct Rules {
    /// The offset before the first change.
    first: i32,
    /// **Invariant:** The instants ascend.
    changes: Vec<OffsetChange>,
    /// From this instant on, the changes of 400 years repeat.
    repeats_from: Option<i64>,
}

/// An instant at which the clocks of a zone are changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OffsetChange {
    /// The first instant with the new offset.
    pub at: i64,
    /// The new offset from UTC in seconds, positive to the east.
    pub offset: i32,
}

/// How often the clocks of a zone show a local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocalTime {
    /// Once, with this offset.
    Once {
        /// The offset from UTC in seconds.
        offset: i32,
    },
    /// Never: clocks are changed from an earlier time to a later one.
    Skipped {
        /// The instant of the change.
        at: i64,
        /// The offset before it.
        before: i32,
        /// The offset from it on.
        after: i32,
    },
    /// Twice: clocks are set back.
    Repeated {
        /// The offset at the first of the two instants.
        first: i32,
        /// The offset at the second of them.
        second: i32,
    },
}

/// The seconds of 400 years of the Gregorian calendar, which are whole weeks.
const CYCLE: i64 = 146_097 * 86_400;
/// More than any offset from UTC.
const MAX_OFFSET: i64 = 2 * 86_400;

impl ZoneRules {
    /// A zone with one offset from UTC, in seconds.
    pub fn fixed(offset: i32) -> ZoneRules {
        ZoneRules::new(offset, Vec::new(), None)
    }

    /// A zone whose offset is `first` until the first of the changes.
    ///
    /// If the rules of a zone go on for ever, give the instant from which they are the same in each year, and the changes of 401
    /// years after it.
    pub fn new(first: i32, mut changes: Vec<OffsetChange>, repeats_from: Option<i64>) -> ZoneRules {
        changes.sort_by_key(|change| change.at);
        let mut last = first;
        changes.retain(|change| std::mem::replace(&mut last, change.offset) != change.offset);
        ZoneRules(Arc::new(Rules { first, changes, repeats_from }))
    }

    /// The offset of this zone, if it never changes.
    pub fn as_fixed(&self) -> Option<i32> {
        self.0.changes.is_empty().then_some(self.0.first)
    }

    /// The offset from UTC at an instant, in seconds.
    #[inline]
    pub fn offset_at(&self, instant: i64) -> i32 {
        let instant = instant - self.repeated(instant, 0);
        self.offset_after(self.n_changes_until(instant))
    }

    /// The instants at which clocks show a local time.
    pub fn local_time(&self, local: i64) -> LocalTime {
        let repeated = self.repeated(local, MAX_OFFSET);
        let local = local - repeated;
        let first = self.n_changes_until(local.saturating_sub(MAX_OFFSET));
        let last = self.n_changes_until(local.saturating_add(MAX_OFFSET));
        let mut found: Option<i32> = None;
        let mut skipped = None;
        for n_before in first..=last {
            let offset = self.offset_after(n_before);
            let instant = i128::from(local) - i128::from(offset);
            let change = |n: usize| self.0.changes.get(n).map(|change| i128::from(change.at));
            let start = n_before.checked_sub(1).and_then(change);
            let is_after = start.is_none_or(|start| instant >= start);
            if is_after && change(n_before).is_none_or(|end| instant < end) {
                match found {
                    None => found = Some(offset),
                    Some(first) => return LocalTime::Repeated { first, second: offset },
                }
            } else if !is_after && skipped.is_none() && found.is_none() {
                let before = self.offset_after(n_before.saturating_sub(1));
                let at = start.and_then(|start| i64::try_from(start).ok()).unwrap_or(local);
                skipped = Some(LocalTime::Skipped { at: at.saturating_add(repeated), before, after: offset });
            }
        }
        match (found, skipped) {
            (None, Some(skipped)) => skipped,
            (found, _) => LocalTime::Once { offset: found.unwrap_or(self.0.first) },
        }
    }

    /// The seconds of the whole cycles to subtract from a time for the same time in the years that the changes cover. They begin
    /// `delay` after the rules repeat.
    #[inline]
    fn repeated(&self, time: i64, delay: i64) -> i64 {
        let Some(since) = self.0.repeats_from.map(|start| time.saturating_sub(start).saturating_sub(delay))
        else {
            return 0;
        };
        if since < CYCLE { 0 } else { since - since % CYCLE }
    }

    #[inline]
    fn n_changes_until(&self, instant: i64) -> usize {
        self.0.changes.partition_point(|change| change.at <= instant)
    }

    fn offset_after(&self, n_changes: usize) -> i32 {
        let last = n_changes.checked_sub(1).and_then(|last| self.0.changes.get(last));
        last.map_or(self.0.first, |change| change.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600;

    /// Clocks are set forward by an hour at 10:00 UTC, and back at 20:00.
    fn rules() -> ZoneRules {
        let changes = [(10, 7_200), (20, 3_600)];
        let changes = changes.map(|(hour, offset)| OffsetChange { at: hour * HOUR, offset });
        ZoneRules::new(3_600, changes.to_vec(), None)
    }

    #[test]
    fn offsets_as_types_have_them() {
        let cases = [("+05:30", 19_800), ("-00:45", -2_700), ("+00:00", 0), ("-23:59", -86_340)];
        for (zone, offset) in cases {
            assert_eq!(TimeZones::default().find(zone), Some(ZoneRules::fixed(offset)), "{zone}");
        }
        for zone in [
            "",
            "Nowhere/Atall",
            "+5:30",
            "+05:60",
            "+0530",
            "+05",
            "+24:00",
            "05:30",
            "+05:30 ",
            "é+05:30",
            "fixed",
            "-",
        ] {
            assert_eq!(TimeZones::default().find(zone), None, "{zone}");
        }
    }

    #[test]
    fn local_times_by_hand() {
        let rules = rules();
        let once = |offset| LocalTime::Once { offset };
        let cases = [
            (0, once(3_600)),
            (11 * HOUR - 1, once(3_600)),
            (11 * HOUR, LocalTime::Skipped { at: 10 * HOUR, before: 3_600, after: 7_200 }),
            (12 * HOUR - 1, LocalTime::Skipped { at: 10 * HOUR, before: 3_600, after: 7_200 }),
            (12 * HOUR, once(7_200)),
            (21 * HOUR - 1, once(7_200)),
            (21 * HOUR, LocalTime::Repeated { first: 7_200, second: 3_600 }),
            (22 * HOUR - 1, LocalTime::Repeated { first: 7_200, second: 3_600 }),
            (22 * HOUR, once(3_600)),
            (i64::MAX, once(3_600)),
            (i64::MIN, once(3_600)),
        ];
        for (local, expected) in cases {
            assert_eq!(rules.local_time(local), expected, "{local}");
        }
        for (instant, offset) in
            [(i64::MIN, 3_600), (10 * HOUR - 1, 3_600), (10 * HOUR, 7_200), (i64::MAX, 3_600)]
        {
            assert_eq!(rules.offset_at(instant), offset, "{instant}");
        }
    }

    /// Each local time is compared with a search in all instants.
    #[test]
    fn local_times_are_those_of_a_search() {
        let changes = [(0, 3_600), (1, 7_200), (3, -3_600), (4, 0), (30, -80_000), (60, 80_000), (90, 10)];
        let changes = changes.map(|(hour, offset)| OffsetChange { at: hour * HOUR, offset });
        for rules in [rules(), ZoneRules::new(-HOUR as i32, changes.to_vec(), None)] {
            for local in (-50 * HOUR..150 * HOUR).step_by(600) {
                let mut found: Vec<i32> = Vec::new();
                for offset in [3_600, 7_200, -3_600, 0, -80_000, 80_000, 10] {
                    if rules.offset_at(local - i64::from(offset)) == offset {
                        found.push(offset);
                    }
                }
                found.sort_unstable_by_key(|offset| -offset);
                match rules.local_time(local) {
                    LocalTime::Once { offset } => assert_eq!(found, [offset], "{local}"),
                    LocalTime::Repeated { first, second } => {
                        assert_eq!(found.get(..2), Some(&[first, second][..]), "{local}");
                    }
                    LocalTime::Skipped { at, before, after } => {
                        assert_eq!(found, [0; 0], "{local}");
                        assert_eq!(
                            (rules.offset_at(at - 1), rules.offset_at(at)),
                            (before, after),
                            "{local}"
                        );
                        assert!((at + i64::from(before)..at + i64::from(after)).contains(&local), "{local}");
                    }
                }
            }
        }
    }
}
