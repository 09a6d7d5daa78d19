//! Schemas, with their metadata.

use arrow_schema::{Field, Metadata, Schema};

use super::{maps::with_usual_names, mismatch::MismatchKind};

/// Compares names, types, nullability and metadata at every level.
pub(super) fn check(expected: &Schema, found: &Schema) -> Result<(), MismatchKind> {
    expected.check_same_columns(found).or_else(|difference| {
        let usual = with_usual_names(expected).ok().filter(|usual| usual.check_same_columns(found).is_ok());
        usual.map_or(Err(MismatchKind::Schema(difference)), |_| Ok(()))
    })?;
    check_metadata(|| "the schema".to_owned(), expected.metadata(), found.metadata())?;
    // Both have the same fields.
    for (expected, found) in expected.fields_in_pre_order().zip(found.fields_in_pre_order()) {
        check_metadata(|| name(expected), expected.metadata(), found.metadata())?;
    }
    Ok(())
}

fn name(field: &Field) -> String {
    format!("the field {field}")
}

fn check_metadata(
    location: impl Fn() -> String,
    expected: &Metadata,
    found: &Metadata,
) -> Result<(), MismatchKind> {
    if sorted(expected) == sorted(found) {
        return Ok(());
    }
    let (expected, found) = (expected.to_string(), found.to_string());
    Err(MismatchKind::Metadata { location: location(), expected, found })
}

/// Pairs in sorted order. An absent key or value becomes an empty one, since documents cannot represent the difference.
fn sorted(metadata: &Metadata) -> Vec<(&str, &str)> {
    let mut pairs: Vec<(&str, &str)> =
        metadata.iter().map(|(key, value)| (key.unwrap_or(""), value.unwrap_or(""))).collect();
    pairs.sort_unstable();
    pairs
}
