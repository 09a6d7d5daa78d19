//! Arrays of lists with offsets.

use std::ops::Range;

use arrow_buffer::{Bitmap, Buffer, Offsets, Values};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, Field};

use super::{
    Width,
    lists::{ItemRanges, ListsArray},
    proven::{assemble, offsets, range},
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
    /// Makes an array of lists with items of the field `item`. Each list has the items from its offset to the next
    /// offset. Copies nothing. A list is null if its bit in `validity` is not set; without `validity`, all lists are
    /// valid.
    ///
    /// ```
    /// use arrow_array::{Int32Array, ListArray};
    /// use arrow_buffer::Offsets;
    /// use arrow_schema::{DataType, Field};
    ///
    /// let item = Field::new("item", DataType::Int32);
    /// let sizes = Offsets::try_from_sizes([2, 0, 1])?;
    /// let lists = ListArray::try_new(item, sizes, Int32Array::from_iter([1, 2, 3]), None)?;
    /// assert_eq!(lists.items_as::<Int32Array>()?.value(0).values(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the items do not have the type of `item`, have nulls although `item` is not nullable, or have invalid
    /// content. If the offsets exceed the number of items. If `validity` does not have a bit for each list.
    pub fn try_new(
        item: Field,
        offsets: Offsets<O>,
        items: impl Into<ArrayData>,
        validity: Option<Bitmap>,
    ) -> Result<GenericListArray<O>, ArrayError> {
        let data_type = if size_of::<O>() == 4 { DataType::list(item) } else { DataType::large_list(item) };
        let parts = ArrayParts::new(data_type, offsets.n_slots());
        GenericListArray::try_from(assemble(ArrayParts {
            validity,
            buffers: [offsets.into_values().into_buffer(), Buffer::new()],
            children: Some([items.into()].into()),
            ..parts
        })?)
    }

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
