//! Arrays and batches of given numbers, for tests that check bytes.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field};

/// An array of these buffers and children, not validated and without nulls.
pub fn array(
    data_type: DataType,
    n_slots: usize,
    buffers: [Buffer; 2],
    children: Vec<ArrayData>,
) -> ArrayData {
    let children = (!children.is_empty()).then(|| Arc::from(children));
    let parts = ArrayParts { buffers, children, ..ArrayParts::new(data_type, n_slots) };
    ArrayData::try_new(parts).unwrap_or_else(|error| panic!("{error}"))
}

/// An array of 32-bit integers.
pub fn ints(values: impl IntoIterator<Item = i32>) -> ArrayData {
    let values: Vec<i32> = values.into_iter().collect();
    array(DataType::Int32, values.len(), [Buffer::from(values), Buffer::new()], Vec::new())
}

/// The type of lists of 32-bit integers.
pub fn list_of_ints() -> DataType {
    DataType::list(Field::new("item", DataType::Int32))
}

/// A batch of one column with the name `c`.
pub fn batch_of(column: ArrayData) -> RecordBatch {
    RecordBatch::try_from_columns([("c", column)]).unwrap_or_else(|error| panic!("{error}"))
}
