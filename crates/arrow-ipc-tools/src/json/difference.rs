//! Differences as JSON.

use serde_json::Value;

use super::{JsonMembers, display, object};
use crate::diff::{DiffSummary, Difference, MetadataOf, RowLabel, Side};

/// Writes a difference as one JSON object: its kind and text, and for some kinds its field, row and side.
pub fn difference_as_json(difference: &Difference) -> Value {
    let mut members: JsonMembers = vec![("kind", Value::Null), ("text", display(difference))];
    let kind = match difference {
        Difference::Metadata { of, .. } => {
            if let MetadataOf::Field(path) = of {
                members.push(("field", display(path)));
            }
            "metadata"
        }
        Difference::OnlyIn { side, path, .. } => {
            members.extend([("side", display(side)), ("field", display(path))]);
            "only_field"
        }
        Difference::Order { .. } => "order",
        Difference::Name { path, .. }
        | Difference::Nullability { path, .. }
        | Difference::Type { path, .. }
        | Difference::NotCompared { path } => {
            members.push(("field", display(path)));
            "field"
        }
        Difference::Value(value) => {
            row(&mut members, value.row());
            members.push(("field", display(value.column())));
            "value"
        }
        Difference::MoreColumns { row: label, n_columns } => {
            row(&mut members, label);
            members.push(("n_columns", Value::from(*n_columns)));
            "more_columns"
        }
        Difference::OneMoreRow { row, .. } => {
            members.push(("row", Value::from(*row)));
            "one_more_row"
        }
        Difference::OnlyRow { side, row: label, n_rows } => {
            row(&mut members, label);
            members.extend([("side", display(side)), ("n_rows", Value::from(*n_rows))]);
            "only_rows"
        }
        Difference::OnlyRows { side, n_rows } => counted(&mut members, side, *n_rows, "n_only_rows"),
        Difference::MoreRows { side, n_rows } => counted(&mut members, side, *n_rows, "more_rows"),
        Difference::Rows { n_different, n_compared } => {
            members.extend([
                ("n_different", Value::from(*n_different)),
                ("n_compared", Value::from(*n_compared)),
            ]);
            "rows"
        }
    };
    if let Some(first) = members.first_mut() {
        first.1 = Value::from(kind);
    }
    object(members)
}

fn counted(members: &mut JsonMembers, side: &Side, n_rows: u64, kind: &'static str) -> &'static str {
    members.extend([("side", display(side)), ("n_rows", Value::from(n_rows))]);
    kind
}

fn row(members: &mut JsonMembers, label: &RowLabel) {
    members.push(("row", Value::from(label.number)));
    let key = label.key.as_deref().map(|key| ("key", Value::from(key)));
    members.extend(label.in_b.map(|in_b| ("row_in_b", Value::from(in_b))).into_iter().chain(key));
}

/// Writes the summary of a comparison as one JSON object.
pub fn diff_summary_as_json(summary: &DiffSummary) -> Value {
    let columns = summary.columns.iter();
    let columns = columns
        .map(|(path, n_rows)| object(vec![("field", display(path)), ("n_different", Value::from(*n_rows))]));
    let more = summary
        .more_rows
        .map(|(side, n_rows)| object(vec![("side", display(side)), ("n_rows", Value::from(n_rows))]));
    let [only_a, only_b] = summary.n_only;
    object(vec![
        ("kind", Value::from("summary")),
        ("text", display(summary)),
        ("is_equal", Value::from(summary.is_equal())),
        ("is_cut", Value::from(summary.is_cut)),
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
