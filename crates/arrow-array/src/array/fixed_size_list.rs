//! Arrays of lists that all have the same number of items.

use std::ops::Range;

use arrow_data::ArrayData;
use arrow_schema::DataType;

use super::lists::{ItemRanges, ListsArray};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Lists that all have the same number of items. The value of a slot is an array of its items. The value of a null slot
/// is an empty array.
///
/// ```
/// use arrow_array::{FixedSizeListBuilder, Int32Array, Int32Builder};
///
/// let pairs = FixedSizeListBuilder::try_new(Int32Builder::new(), 2)?.with_values([[1, 2], [3, 4]]).finish()?;
/// assert_eq!(pairs.range(1), 2..4);
/// assert_eq!(Int32Array::try_from(pairs.value(1))?, Int32Array::from_iter([3, 4]));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Fixed-Size List Layout" of the specification.
pub type FixedSizeListArray = ListsArray<FixedSizeListRanges>;

/// The ranges of consecutive lists that all have the same length.
#[derive(Clone)]
pub struct FixedSizeListRanges {
    n_items: usize,
}

impl FixedSizeListArray {
    /// The number of items of each list; may be 0.
    pub fn n_items(&self) -> usize {
        self.ranges.n_items
    }
}

impl ItemRanges for FixedSizeListRanges {
    const NAME: &'static str = "fixed_size_list";

    fn is_of(data_type: &DataType) -> bool {
        matches!(kind(data_type), Kind::FixedSizeList(_))
    }

    fn try_new(data: &ArrayData) -> Result<FixedSizeListRanges, ArrayError> {
        let Kind::FixedSizeList(n_items) = kind(data.data_type()) else {
            return Err(ArrayError::type_mismatch(FixedSizeListRanges::NAME, data.data_type()));
        };
        Ok(FixedSizeListRanges { n_items })
    }

    #[inline]
    fn range(&self, slot: usize) -> Range<usize> {
        let start = slot.saturating_mul(self.n_items);
        start..start.saturating_add(self.n_items)
    }
}
