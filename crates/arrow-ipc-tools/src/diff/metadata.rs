//! Compares lists of metadata.

use std::collections::{HashMap, HashSet};

use arrow_schema::Metadata;

use super::{
    difference::{Difference, MetadataScope},
    reporter::{ComparisonEnd, DiffReporter},
};

/// Reports keys that only one list has, and keys with different values. The order of keys is ignored; the order of
/// several values of one key is compared.
///
/// # Errors
/// If the report ends the comparison.
pub(super) fn compare_metadata(
    of: MetadataScope,
    [a, b]: [&Metadata; 2],
    reporter: &mut DiffReporter<'_>,
) -> Result<(), ComparisonEnd> {
    if a == b {
        return Ok(());
    }
    let a_values = by_key(a);
    let b_values = by_key(b);
    let mut report = |key: Option<&str>, a, b| {
        let key = key.map(str::to_owned);
        reporter.difference(Difference::Metadata { of: of.clone(), key, a, b })
    };
    for (key, a) in in_order(a, &a_values) {
        match b_values.get(&key) {
            Some(b) if a == b => {}
            Some(b) => report(key, Some(owned(a)), Some(owned(b)))?,
            None => report(key, Some(owned(a)), None)?,
        }
    }
    for (key, b) in in_order(b, &b_values).filter(|(key, _)| !a_values.contains_key(key)) {
        report(key, None, Some(owned(b)))?;
    }
    Ok(())
}

fn owned(values: &[Option<&str>]) -> Vec<Option<String>> {
    values.iter().map(|value| value.map(str::to_owned)).collect()
}

type ValuesByKey<'a> = HashMap<Option<&'a str>, Vec<Option<&'a str>>>;

fn by_key(metadata: &Metadata) -> ValuesByKey<'_> {
    let mut by_key = ValuesByKey::new();
    for (key, value) in metadata {
        by_key.entry(key).or_default().push(value);
    }
    by_key
}

/// The keys in the order of their first occurrence, each once.
fn in_order<'a, 'v>(
    metadata: &'a Metadata,
    values: &'v ValuesByKey<'a>,
) -> impl Iterator<Item = (Option<&'a str>, &'v Vec<Option<&'a str>>)> {
    let mut seen = HashSet::new();
    metadata.iter().filter_map(move |(key, _)| {
        let is_first = seen.insert(key);
        if is_first { values.get(&key).map(|values| (key, values)) } else { None }
    })
}
