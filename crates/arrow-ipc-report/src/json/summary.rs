//! A summary as JSON.

use arrow_array::{ColumnText, TextStyle};
use arrow_compute::{DistinctCount, Extreme};
use arrow_ipc_tools::{InputName, Summary, summary::ColumnSummary};
use serde_json::{Number, Value};

use super::{display, object};

/// The number of bins of a histogram.
const N_BINS: usize = 16;

/// Writes a summary of an input as JSON. The least and the greatest value of a column are written like values in JSON
/// rows.
pub fn summary_as_json(input: &InputName, summary: &Summary) -> Value {
    let columns = summary.columns.iter().map(|column| column_as_json(column, summary.n_bytes));
    object(vec![
        ("input", display(input)),
        ("n_rows", Value::from(summary.n_rows)),
        ("n_batches", Value::from(summary.n_batches)),
        ("n_bytes", Value::from(summary.n_bytes)),
        ("columns", columns.collect()),
    ])
}

fn column_as_json(column: &ColumnSummary, n_bytes: Option<u64>) -> Value {
    let statistics = &column.statistics;
    let (distinct, is_exact) = match statistics.distinct() {
        DistinctCount::Exact(n) => (Value::from(n), Value::from(true)),
        DistinctCount::Estimate(n) => (Value::from(n), Value::from(false)),
        DistinctCount::Unknown => (Value::Null, Value::from(false)),
    };
    let mut members = vec![
        ("name", Value::from(column.field.name())),
        ("type", display(column.field.data_type())),
        ("null_count", Value::from(statistics.null_count())),
        ("n_distinct", distinct),
        ("distinct_is_exact", is_exact),
    ];
    for (name, cut, extreme) in
        [("min", "min_is_cut", statistics.min()), ("max", "max_is_cut", statistics.max())]
    {
        members.push((name, extreme.as_ref().map_or(Value::Null, |extreme| value_as_json(extreme, column))));
        if extreme.is_some_and(|extreme| extreme.is_cut()) {
            members.push((cut, Value::from(true)));
        }
    }
    members.push(("mean", Value::from(statistics.mean())));
    members.push(("n_nan", Value::from(statistics.n_nans())));
    members.push(("mean_length", Value::from(statistics.mean_len())));
    members.push(("n_bytes", Value::from(column.n_bytes)));
    members.push(("n_decompressed_bytes", Value::from(column.n_decompressed_bytes)));
    let share =
        column.n_bytes.zip(n_bytes).map(|(of_column, n_bytes)| of_column as f64 / n_bytes.max(1) as f64);
    members.push(("share", Value::from(share)));
    members.push(("histogram", statistics.histogram(N_BINS).map_or(Value::Null, Value::from)));
    object(members)
}

fn value_as_json(extreme: &Extreme, column: &ColumnSummary) -> Value {
    let array = extreme.value().as_array().data();
    let text = ColumnText::try_with_field(array, &column.field, TextStyle::Json)
        .ok()
        .map(|text| text.value(0).to_string());
    text.and_then(|text| read(&text)).unwrap_or_else(|| display(extreme.value()))
}

/// Parses a value. Floating-point numbers are parsed by the standard library, because `serde_json` may round to a
/// neighboring number.
fn read(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    if value.is_f64() { Number::from_f64(text.parse().ok()?).map(Value::Number) } else { Some(value) }
}
