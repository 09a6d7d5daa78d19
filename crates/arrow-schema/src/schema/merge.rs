//! Merges several schemas into one.

mod error;
mod fields;
mod options;

use std::{collections::HashMap, sync::Arc};

use self::{error::MergeErrorKind as Kind, fields::Fields};
use crate::{Metadata, Schema};

pub use self::error::{MergeError, MergeErrorKind};
pub use self::options::{DifferenceRule, MergeOptions, MetadataRule, MissingFieldRule, WiderType};

/// Makes one schema of several: `Schema::try_merge`.
pub(super) fn merge(schemas: &[&Schema], options: &MergeOptions) -> Result<Schema, MergeError> {
    if let [schema] = schemas {
        return Ok((*schema).clone());
    }
    let mut fields = Fields::new(options);
    let mut metadata = Metadata::new();
    for (schema_idx, schema) in schemas.iter().enumerate() {
        let in_schema = |error: MergeError| error.in_schema(schema_idx);
        fields.add(schema.fields()).map_err(in_schema)?;
        metadata =
            join_metadata(&metadata, schema.metadata(), options).map_err(|kind| in_schema(kind.into()))?;
    }
    Ok(Schema::new(fields.finish()).with_metadata(metadata))
}

/// Joins all pairs of `left` with the pairs of `right` whose key is not in `left`.
fn join_metadata(left: &Metadata, right: &Metadata, options: &MergeOptions) -> Result<Metadata, Kind> {
    if right.is_empty() || left == right {
        return Ok(left.clone());
    }
    let (known, found) = (by_key(left), by_key(right));
    if options.metadata() == MetadataRule::Refuse {
        for (key, _) in right {
            if let (Some(preceding), Some(found)) = (known.get(&key), found.get(&key))
                && preceding != found
            {
                let shared =
                    |values: &Vec<Option<&str>>| values.iter().map(|value| value.map(Arc::from)).collect();
                let key = key.map(Arc::from);
                return Err(Kind::Metadata { key, preceding: shared(preceding), found: shared(found) });
            }
        }
    }
    let added = right.iter().filter(|(key, _)| !known.contains_key(key));
    let pairs = left.iter().chain(added).map(|(key, value)| (key.map(Arc::from), value.map(Arc::from)));
    Ok(Metadata::from_pairs(pairs.collect()))
}

/// All values of each key. Keys and values may be absent.
fn by_key(metadata: &Metadata) -> HashMap<Option<&str>, Vec<Option<&str>>> {
    let mut values: HashMap<Option<&str>, Vec<Option<&str>>> = HashMap::new();
    for (key, value) in metadata {
        values.entry(key).or_default().push(value);
    }
    values
}
