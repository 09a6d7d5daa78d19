//! A difference between two inputs, in one line.

use std::fmt;

use arrow_compute::wider_type;
use arrow_ipc_tools::{
    Difference,
    diff::{MetadataScope, RowLabel},
};
use arrow_schema::{FieldPath, QuotedOrNull, QuotedText};

use crate::value_pair::{CutValue, ValuePair, values};

/// Writes a difference on one line, such as `row 1, field id: 2 in A, 5 in B`. Long values are shortened. Use
/// [`Escaped`](arrow_text::format::Escaped) if names may contain control characters.
#[derive(Debug, Clone, Copy)]
pub struct DifferenceText<'a>(pub &'a Difference);

impl fmt::Display for DifferenceText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Difference::Metadata { of, key, a, b } => {
                write!(f, "metadata of {}, {}: ", ScopeText(of), QuotedOrNull(key.as_deref()))?;
                match (a, b) {
                    (Some(a), Some(b)) => ValuePair::new(values_of(a), values_of(b)).fmt(f),
                    (a, None) => {
                        write!(f, "{}, only in A", CutValue(values_of(a.as_deref().unwrap_or_default())))
                    }
                    (None, Some(b)) => write!(f, "{}, only in B", CutValue(values_of(b))),
                }
            }
            Difference::OnlyIn { side, path, data_type } => {
                write!(f, "field {path}: {}, only in {side}", CutValue(data_type))
            }
            Difference::Order { parent, a, b } => {
                let of = if parent.is_root() {
                    "columns".to_owned()
                } else {
                    format!("children of field {parent}")
                };
                write!(f, "order of {of}: {}", ValuePair::new(path_names(a), path_names(b)))
            }
            Difference::Name { path, a, b } => {
                write!(f, "field {path}: named {}", ValuePair::new(QuotedText(a), QuotedText(b)))
            }
            Difference::Nullability { path, a, b } => write!(f, "field {path}: {}", ValuePair::new(a, b)),
            Difference::Type { path, a, b } => {
                write!(f, "field {path}: {}", ValuePair::new(a, b))?;
                // Children of columns are not compared in other types.
                let wider = if path.positions().count() == 1 { wider_type(a, b) } else { None };
                match wider {
                    _ if a.same_values(b) => f.write_str(", which hold the same values"),
                    Some(wider) => write!(f, ", compared as {wider}"),
                    None => Ok(()),
                }
            }
            Difference::NotCompared { path } => {
                write!(f, "field {path}: values of these types are not compared")
            }
            Difference::Value { row, column, field, difference } => {
                let below = difference.to_string();
                let separator = if below.is_empty() || below.starts_with('[') { "" } else { "." };
                write!(f, "{}, field {column}{separator}{below}: ", RowText(row))?;
                match values(difference, field) {
                    Ok(values) => f.write_str(&values),
                    // The comparison reads values before they differ, so this does not happen.
                    Err(error) => write!(f, "{error}"),
                }
            }
            Difference::MoreColumns { row, n_columns } => {
                write!(f, "{}: {n_columns} more columns differ", RowText(row))
            }
            Difference::OnlyRow { side, row, .. } if row.key.is_some() => {
                write!(f, "{}: row {}, only in {side}", RowText(row), row.number)
            }
            Difference::OnlyRow { side, row, n_rows } => {
                write!(f, "{}: {n_rows} {}, only in {side}", RowText(row), rows(*n_rows))
            }
            Difference::OneMoreRow { row, is_first: true } => write!(f, "row {row} differs"),
            Difference::OneMoreRow { row, is_first: false } => write!(f, "row {row} differs, too"),
            Difference::Rows { n_different, n_compared } => {
                let differ = if *n_different == 1 { "differs" } else { "differ" };
                write!(f, "{n_different} of {n_compared} {} {differ}", rows(*n_compared))
            }
            Difference::OnlyRows { side, n_rows } => write!(f, "{n_rows} {} only in {side}", rows(*n_rows)),
            Difference::MoreRows { side, n_rows } => write!(f, "{side} has {n_rows} more {}", rows(*n_rows)),
        }
    }
}

/// Names a row: `row 5`, `row 5 (6 in B)` or `id 7`.
struct RowText<'a>(&'a RowLabel);

impl fmt::Display for RowText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RowLabel { number, in_b, key } = self.0;
        match (key, in_b) {
            (Some(key), _) => f.write_str(key),
            (None, Some(in_b)) => write!(f, "row {number} ({in_b} in B)"),
            (None, None) => write!(f, "row {number}"),
        }
    }
}

fn rows(n: u64) -> &'static str {
    if n == 1 { "row" } else { "rows" }
}

/// Names the owner of metadata.
struct ScopeText<'a>(&'a MetadataScope);

impl fmt::Display for ScopeText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            MetadataScope::Whole => f.write_str("the whole"),
            MetadataScope::Schema => f.write_str("the schema"),
            MetadataScope::Field(path) => write!(f, "field {path}"),
        }
    }
}

/// Writes the values of a metadata key as text. Values may be null.
fn values_of(values: &[Option<String>]) -> String {
    listed(values.iter().map(|value| QuotedOrNull(value.as_deref())))
}

/// Writes names as text, quoted as in paths.
fn path_names(names: &[String]) -> String {
    listed(names.iter().map(|name| FieldPath::root().child(0, name.as_str())))
}

/// Joins items with commas.
fn listed<T: fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}
