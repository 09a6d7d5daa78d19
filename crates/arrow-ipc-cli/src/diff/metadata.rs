//! Differences between key-value pairs.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use arrow_schema::{Metadata, Quoted};

use super::{
    report::Report,
    show::{Both, Cut},
};
use crate::exit::Failure;

/// Reports keys that only one list has, and keys with different values. The order of keys does not matter; the order of
/// several values of one key does.
///
/// # Errors
/// If the report cannot be written.
pub(super) fn compare_metadata(
    of: impl fmt::Display,
    [a, b]: [&Metadata; 2],
    report: &mut Report,
) -> Result<(), Failure> {
    if a == b {
        return Ok(());
    }
    let (a_values, b_values) = (by_key(a), by_key(b));
    for (key, a) in in_order(a, &a_values) {
        let shown = OptionalText(key);
        match b_values.get(&key) {
            Some(b) if a == b => {}
            Some(b) => {
                let both = Both::new(Values(a), Values(b));
                report.difference(format_args!("metadata of {of}, {shown}: {both}"))?;
            }
            None => {
                let values = Cut(Values(a));
                report.difference(format_args!("metadata of {of}, {shown}: {values}, only in A"))?;
            }
        }
    }
    for (key, b) in in_order(b, &b_values).filter(|(key, _)| !a_values.contains_key(key)) {
        let (shown, values) = (OptionalText(key), Cut(Values(b)));
        report.difference(format_args!("metadata of {of}, {shown}: {values}, only in B"))?;
    }
    Ok(())
}

type ByKey<'a> = HashMap<Option<&'a str>, Vec<Option<&'a str>>>;

fn by_key(metadata: &Metadata) -> ByKey<'_> {
    let mut by_key = ByKey::new();
    for (key, value) in metadata {
        by_key.entry(key).or_default().push(value);
    }
    by_key
}

/// Each key once, in the order of first occurrence.
fn in_order<'a, 'v>(
    metadata: &'a Metadata,
    values: &'v ByKey<'a>,
) -> impl Iterator<Item = (Option<&'a str>, &'v Vec<Option<&'a str>>)> {
    let mut seen = HashSet::new();
    metadata.iter().filter_map(move |(key, _)| {
        let is_first = seen.insert(key);
        values.get(&key).filter(|_| is_first).map(|values| (key, values))
    })
}

struct Values<'a>(&'a [Option<&'a str>]);

impl fmt::Display for Values<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, value) in self.0.iter().enumerate() {
            write!(f, "{}{}", if position == 0 { "" } else { ", " }, OptionalText(*value))?;
        }
        Ok(())
    }
}

struct OptionalText<'a>(Option<&'a str>);

impl fmt::Display for OptionalText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => fmt::Display::fmt(&Quoted(text), f),
            None => f.write_str("null"),
        }
    }
}
