//! Arrays of list views, which have an offset and a size for each list.

use std::ops::Range;

use arrow_buffer::Values;
use arrow_data::ArrayData;
use arrow_schema::DataType;

use super::{
    Width,
    lists::{ItemRanges, ListsArray},
    proven::{numbers, sized_range},
};
use crate::{
    error::ArrayError,
    kind::{Kind, kind},
};

/// Lists, each with an offset and a size of type `O`. The value of a slot is an array of its items. Lists may share
/// items, and the offsets need not increase.
///
/// ```
/// use arrow_array::{Int32Array, Int32Builder, ListViewBuilder};
///
/// let mut lists = ListViewBuilder::new(Int32Builder::new()).with_values([vec![1, 2], vec![3]]);
/// lists.append_repeated(0);
/// let lists = lists.finish()?;
/// assert_eq!((lists.range(1), lists.range(2)), (2..3, 0..2));
/// assert_eq!(Int32Array::try_from(lists.value(2))?, Int32Array::from_iter([1, 2]));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "ListView Layout" of the specification.
pub type GenericListViewArray<O> = ListsArray<ListViewRanges<O>>;
/// List views with offsets and sizes of 32 bits.
pub type ListViewArray = GenericListViewArray<i32>;
/// List views with offsets and sizes of 64 bits.
pub type LargeListViewArray = GenericListViewArray<i64>;

/// Finds the range of a list from its offset and its size.
#[derive(Clone)]
pub struct ListViewRanges<O: Width> {
    offsets: Values<O>,
    sizes: Values<O>,
}

impl<O: Width> GenericListViewArray<O> {
    /// For each list, the offset of its first item in [`items`](GenericListViewArray::items).
    pub fn offsets(&self) -> &[O] {
        &self.ranges.offsets
    }

    /// The number of items of each list.
    pub fn sizes(&self) -> &[O] {
        &self.ranges.sizes
    }
}

impl<O: Width> ItemRanges for ListViewRanges<O> {
    const NAME: &'static str = O::LIST_VIEW;

    fn is_of(data_type: &DataType) -> bool {
        kind(data_type) == if size_of::<O>() == 4 { Kind::ListView } else { Kind::LargeListView }
    }

    fn try_new(data: &ArrayData) -> Result<ListViewRanges<O>, ArrayError> {
        let [offsets, sizes] = [0, 1].map(|buffer| numbers(data.buffer(buffer), data.len()));
        Ok(ListViewRanges { offsets: offsets?, sizes: sizes? })
    }

    #[inline]
    fn range(&self, slot: usize) -> Range<usize> {
        sized_range(&self.offsets, &self.sizes, slot)
    }
}
