//! Reads single JSON values.

use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Schema};
use serde_core::de::IgnoredAny;

use super::{
    error::RowError,
    json::{JsonReader, not_json},
};

/// Reads a JSON value of any type, in an array of one slot.
///
/// ```
/// use arrow_text::read_json_value;
///
/// let list = read_json_value(&"list<item: int64>".parse()?, "[1, 2]")?;
/// assert_eq!((list.len(), list.children()[0].len()), (1, 2));
/// assert_eq!(read_json_value(&"utf8".parse()?, "null")?.null_count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not JSON, or not a value of the type.
pub fn read_json_value(data_type: &DataType, json: &str) -> Result<ArrayData, RowError> {
    serde_json::from_str::<IgnoredAny>(json).map_err(|error| RowError::new(0, not_json(json, &error)))?;
    // A line has a whole row. Strings contain no line ends.
    let row = format!("{{\"v\":{}}}", json.replace(['\n', '\r'], " "));
    let batch = JsonReader::read_batch(&row, Schema::new([Field::new("v", data_type.clone())]))?;
    Ok(batch.columns()[0].clone())
}
