//! Arrays of lists with offsets.

use std::ops::Range;

use arrow_buffer::Values;
use arrow_data::ArrayData;
use arrow_schema::DataType;

use super::{
    Width,
    lists::{ItemRanges, ListsArray},
    proven::{offsets, range},
};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Lists with offsets of type `O`. The value of a slot is an array of its items.
///
/// ```
/// use arrow_array::{Int32Array, Int32Builder, ListBuilder};
///
/// let lists = ListBuilder::new(Int32Builder::new()).with_values([vec![1, 2], vec![], vec![3]]).finish()?;
/// assert_eq!((lists.range(0), lists.range(1)), (0..2, 2..2));
/// assert_eq!(Int32Array::try_from(lists.value(2))?, Int32Array::from_iter([3]));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Variable-size List Layout" of the specification.
pub type GenericListArray<O> = ListsArray<ListRanges<O>>;
/// Lists with offsets of 32 bits.
pub type ListArray = GenericListArray<i32>;
/// Lists with offsets of 64 bits.
pub type LargeListArray = GenericListArray<i64>;

/// Finds the range of a list between two consecutive offsets.
#[derive(Clone)]
pub struct ListRanges<O: Width>(Values<O>);

impl<O: Width> GenericListArray<O> {
    /// The offsets of the lists in [`items`](GenericListArray::items): one more than there are slots, or no offset if there
    /// are no slots. The first offset need not be 0.
    pub fn offsets(&self) -> &[O] {
        &self.ranges.0
    }
}

impl<O: Width> ItemRanges for ListRanges<O> {
    const NAME: &'static str = O::LIST;

    fn is_of(data_type: &DataType) -> bool {
        kind(data_type) == if size_of::<O>() == 4 { Kind::List } else { Kind::LargeList }
    }

    fn try_new(data: &ArrayData) -> Result<ListRanges<O>, ArrayError> {
        offsets(data).map(ListRanges)
    }

    #[inline]
    fn range(&self, slot: usize) -> Range<usize> {
        range(&self.0, slot)
    }
}
