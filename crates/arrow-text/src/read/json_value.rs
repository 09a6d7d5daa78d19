//! Reads single JSON values.

use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Schema};

use super::{csv::CsvReader, error::RowError};

/// Reads a JSON value of any type, in an array of one slot.
///
/// ```
/// use arrow_text::read_json_value;
///
/// let list = read_json_value(&"list<item: int64>".parse()?, "[1, 2]")?;
/// assert_eq!((list.len(), list.children()[0].len()), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not JSON, or not a value of the type.
pub fn read_json_value(data_type: &DataType, json: &str) -> Result<ArrayData, RowError> {
    // The cells of nested columns are JSON.
    let cell = format!("v\n\"{}\"\n", json.replace('"', "\"\""));
    let batch = CsvReader::read_batch(&cell, Schema::new([Field::new("v", data_type.clone())]))?;
    Ok(batch.columns()[0].clone())
}
