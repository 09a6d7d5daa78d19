//! Finds the rules of time zones by name. `jiff` reads them, from the system or from what is built in.

use std::{collections::HashMap, sync::Mutex};

use jiff::{
    Timestamp,
    tz::{TimeZone, TimeZoneDatabase},
};

use super::{CYCLE, OffsetChange, ZoneRules};

/// 2101-01-01. After it, the rules of all zones are the same in each year.
const REPEATS_FROM: i64 = 4_133_980_800;
const YEAR: i64 = 366 * 86_400;

/// More than the length of any name.
const MAX_NAME_BYTES: usize = 64;
/// The number of names that are remembered. Files of strangers may have any number of them.
const MAX_KNOWN: usize = 64;

/// The zones that were found, or not found. Each takes up to 20 KB.
type Known = HashMap<Box<str>, Option<ZoneRules>>;
static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

/// Finds the rules of a time zone by its name in the time zone database.
pub(super) fn find(name: &str) -> Option<ZoneRules> {
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return None;
    }
    // If another thread looks for a zone, both do. So nothing waits, even in a process that was forked meanwhile.
    if let Ok(known) = KNOWN.try_lock()
        && let Some(rules) = known.as_ref().and_then(|known| known.get(name))
    {
        return rules.clone();
    }
    let rules = find_in(jiff::tz::db(), name);
    if let Ok(mut known) = KNOWN.try_lock() {
        let known = known.get_or_insert_default();
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(name.into(), rules.clone());
    }
    rules
}

/// Finds a zone in the database of the system, or else in the one that is built in.
fn find_in(system: &TimeZoneDatabase, name: &str) -> Option<ZoneRules> {
    let found = system.get(name).or_else(|_| TimeZoneDatabase::bundled().get(name));
    found.ok().filter(|zone| !zone.is_unknown()).map(|zone| rules_of(&zone))
}

fn rules_of(zone: &TimeZone) -> ZoneRules {
    let first = zone.to_offset(Timestamp::MIN).seconds();
    let changes = zone
        .following(Timestamp::MIN)
        .map(|change| OffsetChange { at: change.timestamp().as_second(), offset: change.offset().seconds() });
    let changes: Vec<OffsetChange> =
        changes.take_while(|change| change.at < REPEATS_FROM + CYCLE + YEAR).collect();
    let repeats = changes.last().is_some_and(|last| last.at > REPEATS_FROM);
    ZoneRules::new(first, changes, repeats.then_some(REPEATS_FROM))
}

#[cfg(test)]
mod tests {
    use jiff::{
        civil::DateTime,
        tz::{AmbiguousOffset, Offset},
    };

    use super::*;
    use crate::time_zone::{LocalTime, TimeZones};

    /// The offsets are those of `jiff`, around each change of each zone, and in years without listed changes.
    #[test]
    fn all_zones_are_those_of_jiff() {
        let database = TimeZoneDatabase::bundled();
        let names: Vec<String> = database.available().map(|name| name.as_str().to_owned()).collect();
        assert!(names.len() > 400);
        for name in names {
            let zone = database.get(&name).expect("it is listed");
            let rules = rules_of(&zone);
            let mut instants: Vec<i64> = rules.0.changes.iter().map(|change| change.at).step_by(7).collect();
            instants.extend((0..80).map(|step| -300_000_000_000 + step * 6_912_345_678));
            for instant in instants {
                for instant in [instant - 1, instant, instant + 1_800, instant + 86_400 * 90] {
                    let Ok(timestamp) = Timestamp::from_second(instant) else { continue };
                    assert_eq!(
                        rules.offset_at(instant),
                        zone.to_offset(timestamp).seconds(),
                        "{name} at {timestamp}"
                    );
                    let local = instant + i64::from(rules.offset_at(instant));
                    for local in [local, local + 1_800, local - 1_800] {
                        let Ok(shown) = Timestamp::from_second(local) else { continue };
                        let shown: DateTime = Offset::UTC.to_datetime(shown);
                        let expected = match zone.to_ambiguous_timestamp(shown).offset() {
                            AmbiguousOffset::Unambiguous { offset } => [offset.seconds(); 2],
                            AmbiguousOffset::Gap { before, after }
                            | AmbiguousOffset::Fold { before, after } => [before.seconds(), after.seconds()],
                        };
                        let found = match rules.local_time(local) {
                            LocalTime::Once { offset } => [offset; 2],
                            LocalTime::Skipped { before, after, .. } => [before, after],
                            LocalTime::Repeated { first, second } => [first, second],
                        };
                        assert_eq!(found, expected, "{name} at local {shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn zones_are_known_without_a_database_of_the_system() {
        let none = TimeZoneDatabase::none();
        let paris = find_in(&none, "Europe/Paris").expect("it is built in");
        assert_eq!([1_704_067_200, 1_719_792_000].map(|instant| paris.offset_at(instant)), [3_600, 7_200]);
        assert_eq!(find_in(&none, "Mars"), None);
    }

    #[test]
    fn names_of_strangers_are_unknown() {
        let long = "x".repeat(1 << 20);
        for name in ["", "Etc/Unknown", "../../etc/passwd", "/etc/localtime", "Europe/Paris\0", "Mars", &long]
        {
            assert_eq!(find(name), None, "{name:.20}");
        }
        for name in ["localtime", "LocalTime", "posixrules", "Factory", "factory"] {
            assert_eq!(TimeZones::database().find(name), None, "{name}");
        }
        for n in 0..200 {
            assert_eq!(find(&format!("Nowhere/{n}")), None);
        }
        assert!(KNOWN.lock().unwrap().as_ref().is_none_or(|known| known.len() <= MAX_KNOWN));
        assert!(find("Europe/Paris").is_some_and(|rules| rules.as_fixed().is_none()));
    }
}
