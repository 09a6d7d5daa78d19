//! Differences as JSON.

use std::{fmt, iter};

use arrow_ipc_tools::{
    Difference,
    diff::{DiffSummary, MetadataScope, RowLabel, Side},
};
use serde_json::Value;

use super::{JsonMembers, display, object};
use crate::{diff_summary::DiffSummaryText, difference::DifferenceText};

/// Writes a difference as one JSON object: its kind and text, and for some kinds its field, row and side.
pub fn difference_as_json(difference: &Difference) -> Value {
    let (kind, own) = match difference {
        Difference::Metadata { of: MetadataScope::Field(path), .. } => ("metadata", field(path)),
        Difference::Metadata { of: MetadataScope::Whole | MetadataScope::Schema, .. } => {
            ("metadata", Vec::new())
        }
        Difference::OnlyIn { side, path, .. } => {
            ("only_field", vec![("side", display(side)), ("field", display(path))])
        }
        Difference::Order { .. } => ("order", Vec::new()),
        Difference::Name { path, .. }
        | Difference::Nullability { path, .. }
        | Difference::Type { path, .. }
        | Difference::NotCompared { path } => ("field", field(path)),
        Difference::Value { row, column, .. } => ("value", in_row(row, field(column))),
        Difference::MoreColumns { row, n_columns } => {
            ("more_columns", in_row(row, vec![("n_columns", Value::from(*n_columns))]))
        }
        Difference::OneMoreRow { row, .. } => ("one_more_row", vec![("row", Value::from(*row))]),
        Difference::OnlyRow { side, row, n_rows } => ("only_rows", in_row(row, counted(*side, *n_rows))),
        Difference::OnlyRows { side, n_rows } => ("n_only_rows", counted(*side, *n_rows)),
        Difference::MoreRows { side, n_rows } => ("more_rows", counted(*side, *n_rows)),
        Difference::Rows { n_different, n_compared } => {
            let n_compared = ("n_compared", Value::from(*n_compared));
            ("rows", vec![("n_different", Value::from(*n_different)), n_compared])
        }
    };
    let mut members = vec![("kind", Value::from(kind)), ("text", display(DifferenceText(difference)))];
    members.extend(own);
    object(members)
}

fn field(path: impl fmt::Display) -> JsonMembers {
    vec![("field", display(path))]
}

fn counted(side: Side, n_rows: u64) -> JsonMembers {
    vec![("side", display(side)), ("n_rows", Value::from(n_rows))]
}

/// The members of a difference in a row: the members of the row, then `own`.
fn in_row(label: &RowLabel, own: JsonMembers) -> JsonMembers {
    let in_b = label.in_b.map(|in_b| ("row_in_b", Value::from(in_b)));
    let key = label.key.as_deref().map(|key| ("key", Value::from(key)));
    let row = ("row", Value::from(label.number));
    iter::once(row).chain(in_b).chain(key).chain(own).collect()
}

/// Writes the summary of a comparison as one JSON object.
pub fn diff_summary_as_json(summary: &DiffSummary) -> Value {
    let columns = summary.columns.iter();
    let columns = columns
        .map(|(path, n_rows)| object(vec![("field", display(path)), ("n_different", Value::from(*n_rows))]));
    let more = summary.more_rows.map(|(side, n_rows)| object(counted(side, n_rows)));
    let [only_a, only_b] = summary.n_only;
    object(vec![
        ("kind", Value::from("summary")),
        ("text", display(DiffSummaryText(summary))),
        ("is_equal", Value::from(summary.is_same == Some(true))),
        ("is_cut", Value::from(summary.is_cut)),
        ("n_columns", Value::from(summary.n_columns)),
        ("n_not_compared", Value::from(summary.n_not_compared)),
        ("n_rows", Value::from(summary.n_rows)),
        ("n_different", Value::from(summary.n_different)),
        ("n_only_a", Value::from(only_a)),
        ("n_only_b", Value::from(only_b)),
        ("more_rows", more.unwrap_or(Value::Null)),
        ("n_of_schema", Value::from(summary.n_of_schema)),
        ("n_of_metadata", Value::from(summary.n_of_metadata)),
        ("columns", columns.collect()),
    ])
}
