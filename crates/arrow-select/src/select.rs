//! Makes arrays from slots of other arrays: concatenation, selection by index or range, and filters.
//!
//! All selections share one mechanism: [`Picks`] lists the slots in order. Each buffer of the layout table is made from
//! these slots. The children are selected in the same way, by the slots to which the picked slots refer.
//!
//! **Invariant:** new arrays pass [`ArrayData::try_new`] and [`ArrayData::validate`], like data from outside; only slices
//! and views of one array do not. Slots that several values share stay shared, so a small input makes no large output.

use std::ops::Range;

use arrow_buffer::{Bitmap, MemoryBudget};
use arrow_data::{ArrayData, DataErrorKind as Kind, Validation};

mod assemble;
mod batch;
mod compact;
mod dictionary;
mod fixed;
mod hidden;
mod lists;
mod plan;
mod references;
mod referred;
mod runs;
mod selector;
mod sources;
mod union;
mod used;
mod view_buffers;
mod views;

pub use self::plan::SlotIndex;
pub use self::selector::Selector;
pub use self::used::{UnusedValues, UsedRanges};
pub use self::{
    batch::{combine_chunks, combine_table, concat_batches},
    references::refers_to_at_least,
    referred::ReferredBytes,
};

pub(crate) use self::dictionary::{ValueNumbers, check_reachable};
pub(crate) use self::view_buffers::compact_views;
use self::{
    hidden::{Replacement, replace_hidden},
    plan::{Picks, PicksBuilder},
    sources::Sources,
};

use crate::error::{SelectError, SelectErrorKind};

/// Concatenates arrays: the slots of the first, then those of the second, and so on.
///
/// Data buffers of views are shared. Items of list views are shared if all arrays have the same items, for example
/// slices of one array. The result keeps shared buffers in memory as a whole: see [`compact`](Select::compact).
/// Dictionary-encoded arrays keep their dictionary if all have the same one. Otherwise the values that indices refer to
/// are merged, each once. The result's content is checked.
///
/// # Errors
/// If there are no arrays, if types differ, if an array is invalid, or if the result does not fit its type: offsets of
/// 32 bits, indices of a dictionary, run ends. If dictionaries are merged, and their values written out in full take
/// more than 64 times their bytes plus 16 MiB.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_select::concat;
/// use arrow_schema::DataType;
///
/// let ints = |values: Vec<i32>| {
///     let parts = ArrayParts::new(DataType::Int32, values.len());
///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(values), Buffer::new()], ..parts })
/// };
/// let all = concat(&[ints(vec![1, 2])?, ints(vec![3])?])?;
/// assert_eq!(all.buffer(0).view::<i32>(), Ok(&[1, 2, 3][..]));
/// # Ok::<(), arrow_select::SelectError>(())
/// ```
pub fn concat(arrays: &[ArrayData]) -> Result<ArrayData, SelectError> {
    concat_in(arrays, None)
}

/// Like [`concat()`]. Copies are charged to the budget, if there is one.
fn concat_in(arrays: &[ArrayData], budget: Option<&MemoryBudget>) -> Result<ArrayData, SelectError> {
    let Some((first, others)) = arrays.split_first() else {
        return Err(Kind::NothingToConcat.into());
    };
    if let Some(other) = others.iter().find(|other| !first.data_type().same_type(other.data_type())) {
        let (expected, found) = (first.data_type().clone(), other.data_type().clone());
        return Err(Kind::TypeMismatch { expected, found }.into());
    }
    if others.is_empty() {
        return checked(first);
    }
    let sources = arrays.iter().map(checked).collect::<Result<Vec<ArrayData>, SelectError>>()?;
    let picks = Picks::all(sources.iter().map(ArrayData::len))?;
    let sources = sources.iter().collect::<Vec<&ArrayData>>();
    assemble::assemble(&Sources::new(&sources, budget), &picks)
}

/// Selects slots of arrays, and rows of record batches, whose columns must all succeed. Errors of batches name the column.
pub trait Select: Sized {
    /// The slots that `indices` select, in the order of `indices`; a slot may be selected many times.
    ///
    /// Data buffers of views, items of list views and dictionaries are shared, and kept in memory as a whole, even for a
    /// single slot: [`compact`](Select::compact) releases them. The result's content is checked.
    ///
    /// # Errors
    /// If an index is negative or out of bounds, if the array is invalid, or if the result does not fit the offsets or
    /// run ends of its type.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    /// use arrow_select::Select;
    ///
    /// let names = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0i32, 3, 8]), Buffer::copy_from(b"adagrace")],
    ///     ..ArrayParts::new(DataType::Utf8, 2)
    /// })?;
    /// let taken = names.take(&[1, 0, 1])?;
    /// assert_eq!(taken.text().map(|text| &**text), Some("graceadagrace"));
    /// let error = names.take(&[0, -1]).unwrap_err();
    /// assert_eq!(error.to_string(), "index -1 at position 1 is out of bounds; there are 2 slots");
    /// # Ok::<(), arrow_select::SelectError>(())
    /// ```
    fn take<I: SlotIndex>(&self, indices: &[I]) -> Result<Self, SelectError>;

    /// The slots for which `mask` has a set bit.
    ///
    /// The result shares memory with this array where [`take`](Select::take) does. The result's content is checked.
    ///
    /// # Errors
    /// If the mask does not have the length of the array, or the array is invalid.
    ///
    /// ```
    /// use arrow_buffer::{Bitmap, Buffer};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    /// use arrow_select::Select;
    ///
    /// let parts = ArrayParts::new(DataType::Int64, 3);
    /// let numbers = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![5i64, 6, 7]), Buffer::new()],
    ///     ..parts
    /// })?;
    /// let kept = numbers.filter(&Bitmap::from_iter([true, false, true]))?;
    /// assert_eq!(kept.buffer(0).view::<i64>(), Ok(&[5, 7][..]));
    /// # Ok::<(), arrow_select::SelectError>(())
    /// ```
    fn filter(&self, mask: &Bitmap) -> Result<Self, SelectError>;

    /// The slots of these ranges, one range after the other. Time and memory grow with the number of ranges and the
    /// copied bytes, not with the length of the array.
    ///
    /// The result shares memory with this array where [`take`](Select::take) does. The result's content is checked.
    ///
    /// # Errors
    /// If a range begins after its end or ends past the end of the array, or the array is invalid.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    /// use arrow_select::Select;
    ///
    /// let numbers = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![5i64, 6, 7, 8]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int64, 4)
    /// })?;
    /// let picked = numbers.take_ranges(&[2..4, 0..1])?;
    /// assert_eq!(picked.buffer(0).view::<i64>(), Ok(&[7, 8, 5][..]));
    /// # Ok::<(), arrow_select::SelectError>(())
    /// ```
    fn take_ranges(&self, ranges: &[Range<usize>]) -> Result<Self, SelectError>;

    /// Removes data to which no valid slot refers: bytes of data buffers, items of list views, and values of children
    /// of dense unions. The values of the array stay the same. `unused` decides what is removed. Items are removed at
    /// all levels, but not inside dictionaries. Slots that share items still share them. Lists and runs use only what is
    /// between their first and their last slot, also in a slice, and the result may lack items and runs before and after it.
    /// If nothing is removed, the result is the array itself.
    ///
    /// # Errors
    /// If offsets, views or other numbers that refer to values are unchecked and invalid. If items are removed and
    /// other content is invalid.
    ///
    /// ```
    /// use arrow_buffer::{Buffer, View};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_select::{Select, UnusedValues};
    /// use arrow_schema::DataType;
    ///
    /// let text = b"a text that no slot refers to, and one that some refer to";
    /// let view = View::long(&text[31..], 0, 31).expect("more than 12 bytes");
    /// let array = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![view; 3]), Buffer::new()],
    ///     variadic: Some([Buffer::copy_from(text)].into()),
    ///     ..ArrayParts::new(DataType::Utf8View, 3)
    /// })?;
    /// let used = array.with_used_items(UnusedValues::Remove)?;
    /// assert_eq!(&*used.variadic()[0], &text[31..]);
    /// assert!(used.same_values(&array)?);
    /// # Ok::<(), arrow_select::SelectError>(())
    /// ```
    fn with_used_items(&self, unused: UnusedValues) -> Result<Self, SelectError>;

    /// Removes the values of dictionaries to which no valid index refers. The remaining values keep their order. The
    /// values of the array stay the same. `unused` decides what is removed, also of the data of removed values. Values are
    /// removed at all levels, except from ordered dictionaries inside the values of dictionaries. Indices of children count
    /// only from the first one that a slot reaches to the last, also in a slice, and the result may lack the others. If
    /// nothing is removed, the result is the array itself.
    ///
    /// # Errors
    /// If an array with a dictionary is invalid.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_select::{Select, UnusedValues};
    /// use arrow_schema::{DataType, IndexType};
    ///
    /// let values = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![10, 20, 30, 40]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int32, 4)
    /// })?;
    /// let array = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![3i8, 1, 3]), Buffer::new()],
    ///     dictionary: Some(Arc::new(values)),
    ///     ..ArrayParts::new(DataType::dictionary(IndexType::Int8, DataType::Int32)?, 3)
    /// })?;
    /// let used = array.with_used_values(UnusedValues::Remove)?;
    /// assert_eq!(used.buffer(0).view::<i8>(), Ok(&[1, 0, 1][..]));
    /// assert_eq!(used.dictionary().map(|values| values.len()), Some(2));
    /// assert!(used.same_values(&array)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn with_used_values(&self, unused: UnusedValues) -> Result<Self, SelectError>;

    /// Writes zeros over all data of null slots: their values, bytes, views and list views. Slots of children to which
    /// only null parents refer are overwritten, too. Valid values and the validity stay the same. Buffers without
    /// changes are shared. Dictionaries, and bytes to which no slot refers, stay unchanged. The result may
    /// lack bytes, items and values before the first or after the last one to which a slot refers, as in a slice. If nothing
    /// changes, the result is the array itself.
    ///
    /// # Errors
    /// If offsets, views or other numbers that refer to values are unchecked and invalid.
    ///
    /// ```
    /// use arrow_buffer::{Bitmap, Buffer};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    /// use arrow_select::Select;
    ///
    /// let numbers = ArrayData::try_new(ArrayParts {
    ///     validity: Some(Bitmap::from_iter([true, false, true])),
    ///     buffers: [Buffer::from(vec![1i32, 1234, 3]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int32, 3)
    /// })?;
    /// assert_eq!(numbers.with_zeroed_nulls()?.buffer(0).view::<i32>(), Ok(&[1, 0, 3][..]));
    /// # Ok::<(), arrow_select::SelectError>(())
    /// ```
    fn with_zeroed_nulls(&self) -> Result<Self, SelectError>;

    /// Makes null the slots of children to which no valid slot refers, even if their field is not nullable. Such slots are below
    /// null structs, between the items of lists, or not selected by a union. The values of the array stay the same, and all
    /// buffers but bitmaps are shared. Layouts without a bitmap, such as unions, get no nulls of their own; their children do.
    ///
    /// # Errors
    /// If offsets or other numbers that refer to values are unchecked and invalid.
    ///
    /// ```
    /// use arrow_buffer::{Bitmap, Buffer};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::{DataType, Field};
    /// use arrow_select::Select;
    ///
    /// let parts = ArrayParts::new(DataType::Int32, 2);
    /// let numbers =
    ///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(vec![1, 2]), Buffer::new()], ..parts })?;
    /// let parts = ArrayParts::new(DataType::struct_([Field::new("a", DataType::Int32)]), 2);
    /// let validity = Some(Bitmap::from_iter([true, false]));
    /// let pairs = ArrayData::try_new(ArrayParts { validity, children: Some([numbers].into()), ..parts })?;
    /// assert_eq!(pairs.children()[0].null_count(), 0);
    /// assert_eq!(pairs.with_unused_nulls()?.children()[0].null_count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn with_unused_nulls(&self) -> Result<Self, SelectError>;

    /// Copies the data to which slots refer to new memory. Use it to keep a few slots of a large array. Slices and the
    /// results of [`take`](Select::take) and [`filter`](Select::filter) share memory with the large array, and
    /// arrays from a reader share the memory that was read. That memory is freed only when nothing refers to it any
    /// more.
    ///
    /// [`ReferredBytes`] says beforehand how long the copy will be. Dictionaries stay shared, since many arrays may refer to the same dictionary;
    /// [`with_used_values`](Select::with_used_values) makes a new dictionary. The result's content is checked.
    ///
    /// # Errors
    /// If the array is invalid.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    /// use arrow_select::Select;
    ///
    /// let many = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::zeroed(8_000_000), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int64, 1_000_000)
    /// })?;
    /// let few = many.slice(500, 3);
    /// assert_eq!(few.buffer(0).as_ptr().addr() - many.buffer(0).as_ptr().addr(), 4_000);
    /// let few = few.compact()?;
    /// drop(many); // frees eight million bytes
    /// assert_eq!(few.buffer(0).view::<i64>(), Ok(&[0, 0, 0][..]));
    /// # Ok::<(), arrow_select::SelectError>(())
    /// ```
    fn compact(&self) -> Result<Self, SelectError>;
}

impl Select for ArrayData {
    fn take<I: SlotIndex>(&self, indices: &[I]) -> Result<ArrayData, SelectError> {
        pick(self, &slots(indices, self.len())?, None)
    }

    fn filter(&self, mask: &Bitmap) -> Result<ArrayData, SelectError> {
        filter_in(self, mask, None)
    }

    fn take_ranges(&self, ranges: &[Range<usize>]) -> Result<ArrayData, SelectError> {
        pick(self, &ranged(ranges, self.len())?, None)
    }

    fn with_used_items(&self, unused: UnusedValues) -> Result<ArrayData, SelectError> {
        compact::with_used_items(self, unused)
    }

    fn with_used_values(&self, unused: UnusedValues) -> Result<ArrayData, SelectError> {
        compact::with_used_values(self, unused)
    }

    fn with_zeroed_nulls(&self) -> Result<ArrayData, SelectError> {
        replace_hidden(self, Replacement::Zeros)
    }

    fn with_unused_nulls(&self) -> Result<ArrayData, SelectError> {
        replace_hidden(self, Replacement::Nulls)
    }

    fn compact(&self) -> Result<ArrayData, SelectError> {
        compact::copy(self)
    }
}

/// Changes an array whose content may be unchecked. If that fails, the content is checked first: slots below a null of a parent
/// may be invalid, and validation makes such slots null.
fn change_unchecked(
    array: &ArrayData,
    change: impl Fn(&ArrayData) -> Result<ArrayData, SelectError>,
) -> Result<ArrayData, SelectError> {
    let changed = change(array);
    if changed.is_err() && array.checked() < Validation::Content { change(&checked(array)?) } else { changed }
}

fn checked(array: &ArrayData) -> Result<ArrayData, SelectError> {
    Ok(array.clone().validate(Validation::Content)?)
}

/// Makes an array of the slots that `picks` lists. Copies are charged to the budget, if there is one.
fn pick(array: &ArrayData, picks: &Picks, budget: Option<&MemoryBudget>) -> Result<ArrayData, SelectError> {
    let source = checked(array)?;
    let sources = [&source];
    assemble::assemble(&Sources::new(&sources, budget), picks)
}

/// Does the work of [`filter`](Select::filter). Copies are charged to the budget, if there is one.
fn filter_in(
    array: &ArrayData,
    mask: &Bitmap,
    budget: Option<&MemoryBudget>,
) -> Result<ArrayData, SelectError> {
    let picks = masked(mask, array.len())?;
    if mask.all_set() { checked(array) } else { pick(array, &picks, budget) }
}

fn masked(mask: &Bitmap, n_slots: usize) -> Result<Picks, SelectError> {
    check_mask(mask, n_slots)?;
    Ok(Picks::set_bits(mask))
}

/// Selects the slots in these ranges from an array of `n_slots` slots.
fn ranged(ranges: &[Range<usize>], n_slots: usize) -> Result<Picks, SelectError> {
    let mut picks = PicksBuilder::try_with_capacity(ranges.len())?;
    for (position, range) in ranges.iter().enumerate() {
        let (position, start, end) = (position as u64, range.start as u64, range.end as u64);
        if start > end {
            return Err(SelectErrorKind::ReversedRange { position, start, end }.into());
        }
        if range.end > n_slots {
            let index = end.into();
            let n_slots = n_slots as u64;
            return Err(SelectErrorKind::TakeOutOfRange { position, index, n_slots }.into());
        }
        picks.push(0, range.clone())?;
    }
    Ok(picks.finish())
}

/// Converts indices to slots of an array of `n_slots`; an error if an index is out of bounds.
fn slots<I: SlotIndex>(indices: &[I], n_slots: usize) -> Result<Picks, SelectError> {
    let is_inside = |index: &I| index.to_slot().is_some_and(|slot| slot < n_slots);
    // Checking all indices without a branch is faster than stopping at the first index that is out of bounds.
    if !indices.iter().fold(true, |all, index| all & is_inside(index))
        && let Some((position, index)) = indices.iter().enumerate().find(|(_, index)| !is_inside(index))
    {
        let position = position as u64;
        let index = index.to_number();
        let n_slots = n_slots as u64;
        return Err(SelectErrorKind::TakeOutOfRange { position, index, n_slots }.into());
    }
    // The conversions cannot fail: all indices were just checked.
    Picks::slots(indices.iter().map(|index| index.to_slot().unwrap_or(n_slots)), n_slots)
}

fn check_mask(mask: &Bitmap, n_slots: usize) -> Result<(), SelectError> {
    if mask.len() == n_slots {
        return Ok(());
    }
    Err(SelectErrorKind::MaskLength { expected: n_slots as u64, found: mask.len() as u64 }.into())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_buffer::{Buffer, View};
    use arrow_schema::{DataType, Field, IndexType, RunEndType, UnionMode};

    use super::*;
    use arrow_data::{ArrayParts, DataError};

    /// Arrays of two slots, of each layout that selection copies.
    fn arrays() -> Vec<ArrayData> {
        let of = |buffers: [Buffer; 2], data_type: DataType, children: Vec<ArrayData>| {
            let children = (!children.is_empty()).then(|| children.into());
            let dictionary = data_type.as_dictionary().map(|_| Arc::new(ints()));
            let parts = ArrayParts { buffers, children, dictionary, ..ArrayParts::new(data_type, 2) };
            ArrayData::try_new(parts).and_then(|array| array.validate(Validation::Content)).unwrap()
        };
        let item = || Field::new("item", DataType::Int32);
        let offsets = || Buffer::from(vec![0_i32, 1, 2]);
        let union = |mode| DataType::union(mode, [(0, item())]).unwrap();
        let pair = || Buffer::from(vec![0_i32, 1]);
        vec![
            ints(),
            of([Buffer::from(vec![1_u8]), Buffer::new()], DataType::Boolean, vec![]),
            of([offsets(), Buffer::copy_from(b"ab")], DataType::Utf8, vec![]),
            of([offsets(), Buffer::new()], DataType::list(item()), vec![ints()]),
            of([pair(), Buffer::from(vec![1_i32; 2])], DataType::list_view(item()), vec![ints()]),
            of([Buffer::new(), Buffer::new()], DataType::struct_([item()]), vec![ints()]),
            of([Buffer::from(vec![0_i8; 2]), pair()], union(UnionMode::Dense), vec![ints()]),
            of([Buffer::from(vec![0_i8; 2]), Buffer::new()], union(UnionMode::Sparse), vec![ints()]),
            of(
                [pair(), Buffer::new()],
                DataType::dictionary(IndexType::Int32, DataType::Int32).unwrap(),
                vec![],
            ),
            of([Buffer::from(vec![View::default(); 2]), Buffer::new()], DataType::BinaryView, vec![]),
            of(
                [Buffer::new(), Buffer::new()],
                DataType::run_end_encoded(RunEndType::Int32, DataType::Int32),
                vec![run_ends(), ints()],
            ),
        ]
    }

    fn ints() -> ArrayData {
        int32([7, 8])
    }

    fn run_ends() -> ArrayData {
        int32([1, 2])
    }

    fn int32(numbers: [i32; 2]) -> ArrayData {
        let buffers = [Buffer::from(numbers.to_vec()), Buffer::new()];
        let array = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Int32, 2) });
        array.and_then(|array| array.validate(Validation::Content)).unwrap()
    }

    /// A selection of slots that do not exist returns an error, not values.
    #[test]
    fn impossible_plans_give_no_data() {
        for array in arrays() {
            let name = array.data_type().to_string();
            let elsewhere = [0, 1].map(|source| plan::SlotRange { source, start: 0, n_slots: 1 });
            let elsewhere = Picks::Ranges { pieces: elsewhere.to_vec(), n_slots: 2 };
            for (sources, picks) in [(vec![&array], elsewhere), (vec![], Picks::Slots(vec![0, 1]))] {
                let sources = Sources::new(&sources, None);
                let error = assemble::assemble(&sources, &picks).expect_err(&name);
                assert!(
                    matches!(error.data().map(DataError::kind), Some(Kind::Internal { .. })),
                    "{name}: {error}"
                );
            }
            let error = pick(&array, &Picks::Slots(vec![0, 9]), None).expect_err(&name);
            assert!(
                matches!(error.data().map(DataError::kind), Some(Kind::Internal { .. })),
                "{name}: {error}"
            );
        }
    }
}
