//! Where a value is that DuckDB does not have: its column, and its row.

use std::ops::Range;

use arrow_schema::QuotedText;

/// The first row with which a check fails, and its error. `check` fails for all rows together; `None` if it does so for no single row.
pub(crate) fn first_failing<T, E>(
    n_rows: usize,
    mut check: impl FnMut(Range<usize>) -> Result<T, E>,
) -> Option<(usize, E)> {
    // The check succeeds for the rows before `good`, and fails for those before `bad`.
    let (mut good, mut bad) = (0usize, n_rows);
    while good.saturating_add(1) < bad {
        let middle = usize::midpoint(good, bad);
        if check(0..middle).is_ok() { good = middle } else { bad = middle }
    }
    check(good..bad).err().map(|error| (good, error))
}

/// The start of an error about a column: its name, and the row if it is known, counted from 0.
pub(crate) fn prefix(column: &str, row: Option<u64>) -> String {
    let row = row.map_or_else(String::new, |row| format!(", row {row}"));
    format!("column {}{row}: ", QuotedText(column))
}
