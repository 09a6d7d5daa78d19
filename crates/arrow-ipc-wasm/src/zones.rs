//! The rules of time zones, which JavaScript finds: a browser has a database that its updates keep current.
//!
//! A condition is bound with the zones that are known. JavaScript gives those that were asked for in vain, and tries again.

use std::cell::RefCell;

use arrow_array::{OffsetChange, TimeZones, ZoneRules};

use crate::failure::{Failure, Result};

/// The zones that are known. Files of strangers may have any number of names; a condition needs few.
const MAX_ZONES: usize = 64;

#[derive(Default)]
struct Zones {
    known: Vec<(String, ZoneRules)>,
    /// The last zone that was asked for and is not known.
    wanted: String,
}

thread_local! {
    static ZONES: RefCell<Zones> = RefCell::default();
}

/// The zones that JavaScript has given.
pub(crate) fn given_zones() -> TimeZones {
    TimeZones::new(find)
}

fn find(name: &str) -> Option<ZoneRules> {
    ZONES.with_borrow_mut(|Zones { known, wanted }| {
        let found = known.iter().find(|(of, _)| of == name).map(|(_, rules)| rules.clone());
        if found.is_none() {
            name.clone_into(wanted);
        }
        found
    })
}

/// Forgets which zone was asked for in vain, and returns its name. It is empty if there is none.
pub(crate) fn take_wanted() -> String {
    ZONES.with_borrow_mut(|zones| std::mem::take(&mut zones.wanted))
}

/// Adds a zone. The numbers are the first offset, the instant from which the changes of 400 years repeat (−∞ if they do not), and the
/// instant and the offset of each change. All are seconds.
pub(crate) fn add(name: String, bytes: &[u8]) -> Result<()> {
    let numbers: Vec<f64> =
        bytes.as_chunks::<8>().0.iter().map(|number| f64::from_le_bytes(*number)).collect();
    let [first, repeats_from, changes @ ..] = numbers.as_slice() else {
        return Err(Failure::misuse("the rules of a time zone have at least two numbers"));
    };
    let changes = changes.as_chunks::<2>().0.iter();
    // Whole numbers of seconds, which are far from the ends of the types; others become the nearest ones.
    let changes = changes.map(|[at, offset]| OffsetChange { at: *at as i64, offset: *offset as i32 });
    let repeats_from = repeats_from.is_finite().then_some(*repeats_from as i64);
    let rules = ZoneRules::new(*first as i32, changes.collect(), repeats_from);
    ZONES.with_borrow_mut(|Zones { known, .. }| {
        known.retain(|(of, _)| *of != name);
        if known.len() >= MAX_ZONES {
            known.remove(0);
        }
        known.push((name, rules));
    });
    Ok(())
}
