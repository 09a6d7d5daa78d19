//! The parts of an array, before its structure has been checked.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_schema::DataType;

use super::ArrayData;

/// The parts of an array, for [`ArrayData::try_new`]. Leave parts that the type does not have as [`new`](ArrayParts::new)
/// sets them.
///
/// ```
/// use arrow_buffer::{Bitmap, Buffer};
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_schema::DataType;
///
/// let array = ArrayData::try_new(ArrayParts {
///     validity: Some(Bitmap::from_iter([true, false, true])),
///     buffers: [Buffer::from(vec![1i32, 0, 3]), Buffer::new()],
///     ..ArrayParts::new(DataType::Int32, 3)
/// })?;
/// assert_eq!((array.len(), array.null_count()), (3, 1));
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ArrayParts {
    /// The type of the slots.
    pub data_type: DataType,
    /// The number of slots.
    pub n_slots: usize,
    /// The number of nulls that the source of the data declares. It is checked when content is validated. Ignored for
    /// types without a validity bitmap.
    pub declared_null_count: Option<usize>,
    /// One bit per slot; `None` if no slot is null.
    pub validity: Option<Bitmap>,
    /// The buffers after validity, in the order of the layout table.
    pub buffers: [Buffer; 2],
    /// The data buffers that views refer to.
    pub variadic: Option<Arc<[Buffer]>>,
    /// The children, in the order of the type's fields.
    pub children: Option<Arc<[ArrayData]>>,
    /// The values of a dictionary-encoded array.
    pub dictionary: Option<Arc<ArrayData>>,
    /// Where the array begins: a bit for boolean values, a slot for runs, 0 for all other types.
    pub offset: usize,
}

impl ArrayParts {
    /// Parts without buffers, children or nulls.
    pub fn new(data_type: DataType, n_slots: usize) -> ArrayParts {
        ArrayParts {
            data_type,
            n_slots,
            declared_null_count: None,
            validity: None,
            buffers: [Buffer::new(), Buffer::new()],
            variadic: None,
            children: None,
            dictionary: None,
            offset: 0,
        }
    }
}
