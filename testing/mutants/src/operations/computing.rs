//! Computes statistics of columns, and encodes columns. The values must not change.

use arrow_compute::{Digits, DistinctCount, Statistics, cast};
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{DataType, IndexType, RunEndType};

pub(super) fn compute(batch: &RecordBatch) -> Result<(), String> {
    batch.columns().iter().try_for_each(|column| {
        count(column)?;
        encode(column)
    })
}

fn count(column: &ArrayData) -> Result<(), String> {
    let mut statistics = Statistics::new(column.data_type().clone());
    statistics.add(column).map_err(|error| error.to_string())?;
    let n_valid = statistics.n_rows().checked_sub(statistics.null_count());
    let n_valid = n_valid.ok_or_else(|| format!("{} nulls", statistics.null_count()))?;
    match statistics.distinct() {
        DistinctCount::Exact(n_distinct) if n_distinct > n_valid => {
            Err(format!("{n_distinct} different values of {n_valid}"))
        }
        _ => Ok(()),
    }
}

/// Encodes a column as runs and as a dictionary. Some types have no such cast, or have nulls that the encoding does not
/// allow.
fn encode(column: &ArrayData) -> Result<(), String> {
    let data_type = column.data_type();
    let runs = DataType::run_end_encoded(RunEndType::Int64, data_type.clone());
    let dictionary = DataType::dictionary(IndexType::Int32, data_type.value_type().clone());
    for to in dictionary.into_iter().chain([runs]) {
        let Ok(encoded) = cast(column, &to, Digits::Keep) else { continue };
        if encoded.len() != column.len() || encoded.same_values(column) != Ok(true) {
            return Err(format!("other values as {to}"));
        }
    }
    Ok(())
}
