//! Advises to use a dictionary for a column whose values repeat often.

use arrow_compute::DistinctCount;
use arrow_ipc_tools::{InputName, RowQuery, RowWindow, Summary, SummaryOptions, summary::ColumnSummary};
use arrow_schema::{DataType, IndexType, QuotedName};
use arrow_text::format::Counted;

use crate::shell::{option_name, quoted, shell_argument};

/// The minimal ratio of the bytes of a column to its bytes with a dictionary.
const LEAST_RATIO: u64 = 5;
/// Columns with fewer bytes get no advice, because a dictionary needs an additional message.
const LEAST_BYTES: u64 = 64 << 10;

/// Returns a line for each column of text or numbers that a dictionary would shorten to at most a fifth of its stored
/// bytes. The line has the command that makes the dictionary. Empty unless the input is a file and `options` select
/// all columns and rows.
pub fn suggest_dictionaries(name: &InputName, summary: &Summary, options: &SummaryOptions) -> Vec<String> {
    let is_file = matches!(name, InputName::Path(_));
    if !is_file || options.query != RowQuery::new() || options.rows != RowWindow::ALL {
        return Vec::new();
    }
    let advice = summary.columns.iter().filter_map(|column| {
        let field = &column.field;
        let (data_type, n_values, ratio) = with_dictionary(column, summary.n_rows)?;
        let has_same_name = |other: &&ColumnSummary| other.field.name() == field.name();
        if summary.columns.iter().filter(has_same_name).count() > 1 {
            return None;
        }
        let cast = quoted(&format!("{}={data_type}", option_name(field.name())));
        let values = Counted(n_values, "different value");
        let input = shell_argument(name);
        Some(format!(
            "{} has {values}: a dictionary would take about 1/{ratio} of its bytes: \
             `arrow-ipc convert {input} OUT.arrow --cast {cast}`",
            QuotedName(field.name())
        ))
    });
    advice.collect()
}

/// The type with a dictionary, the number of values in the dictionary, and how many times shorter the column becomes;
/// `None` if there is no advice.
fn with_dictionary(column: &ColumnSummary, n_rows: u64) -> Option<(DataType, u64, u64)> {
    let data_type = column.field.data_type();
    let n_stored_bytes = column.n_bytes?;
    let DistinctCount::Exact(n_values) = column.statistics.distinct() else { return None };
    if !(data_type.is_text() || data_type.is_numeric()) || n_stored_bytes < LEAST_BYTES {
        return None;
    }
    let (index, n_index_bytes) = match n_values {
        0..=0x7f => (IndexType::Int8, 1),
        0x80..=0x7fff => (IndexType::Int16, 2),
        _ => (IndexType::Int32, 4),
    };
    let n_value_bytes = column.n_decompressed_bytes?.checked_div(n_rows)?.saturating_add(1);
    let n_bytes = n_rows.saturating_mul(n_index_bytes).saturating_add(n_rows / 8);
    let n_bytes = n_bytes.saturating_add(n_values.saturating_mul(n_value_bytes));
    let ratio = n_stored_bytes.checked_div(n_bytes)?;
    let data_type = DataType::dictionary(index, data_type.clone()).ok()?;
    (ratio >= LEAST_RATIO).then_some((data_type, n_values, ratio))
}
