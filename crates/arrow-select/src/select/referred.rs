//! Counts the bytes to which slots refer, which a compact copy would have.

use arrow_data::{
    ArrayData, ArrayParts, ChunkedArray, Physical, RecordBatch, Table,
    positions::{Ranges, inside},
};
use arrow_schema::UnionMode;

use super::{
    assemble,
    batch::each_column,
    plan::{Picks, PicksBuilder},
    runs,
    sources::Sources,
    union,
    used::UsedRanges,
};
use crate::error::SelectError;

/// Counts the bytes to which the slots of arrays, batches and tables refer.
pub trait ReferredBytes {
    /// The number of bytes to which slots refer: what the buffers of a [compact](super::Select::compact) copy would have.
    /// Nothing is copied but offsets and views.
    ///
    /// Each array counts apart: memory that two columns share counts twice. Bytes, items and values to which several slots of
    /// an array refer count once, and those of null slots do not count, nor does the validity of an array without nulls. A
    /// dictionary counts as a whole, with the bytes to which its values refer.
    ///
    /// [`ArrayData::n_held_bytes`] is the memory that stays allocated, and `arrow_ipc::EncodedBytes` the length of the message
    /// that a writer writes.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    /// use arrow_select::{ReferredBytes, Select};
    ///
    /// let names = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0i32, 3, 8]), Buffer::copy_from(b"adagrace")],
    ///     ..ArrayParts::new(DataType::Utf8, 2)
    /// })?;
    /// let last = names.slice(1, 1);
    /// // Two offsets, and five bytes of text.
    /// assert_eq!(last.n_referred_bytes()?, 13);
    /// assert_eq!(last.compact()?.n_bytes(), 13);
    /// # Ok::<(), arrow_select::SelectError>(())
    /// ```
    ///
    /// # Errors
    /// If an array is invalid. Content that has been checked is not checked again.
    fn n_referred_bytes(&self) -> Result<u64, SelectError>;
}

impl ReferredBytes for ArrayData {
    fn n_referred_bytes(&self) -> Result<u64, SelectError> {
        let array = super::checked(self)?;
        n_bytes_of(&array, &Picks::all([array.len()])?)
    }
}

impl ReferredBytes for ChunkedArray {
    fn n_referred_bytes(&self) -> Result<u64, SelectError> {
        sum(self.chunks().iter().map(ArrayData::n_referred_bytes))
    }
}

impl ReferredBytes for RecordBatch {
    fn n_referred_bytes(&self) -> Result<u64, SelectError> {
        sum(each_column(self.schema(), self.columns(), |_, column| column.n_referred_bytes()))
    }
}

impl ReferredBytes for Table {
    fn n_referred_bytes(&self) -> Result<u64, SelectError> {
        sum(each_column(self.schema(), self.columns(), |_, column| column.n_referred_bytes()))
    }
}

fn sum(counts: impl IntoIterator<Item = Result<u64, SelectError>>) -> Result<u64, SelectError> {
    counts.into_iter().try_fold(0_u64, |sum, n_bytes| Ok(sum.saturating_add(n_bytes?)))
}

/// The bytes to which some slots of a checked array refer. Recurses once for each level of the type, and uses little stack.
fn n_bytes_of(array: &ArrayData, picks: &Picks) -> Result<u64, SelectError> {
    if picks.n_slots() == 0 {
        return Ok(ArrayData::new_empty(array.data_type()).n_bytes());
    }
    let below = match array.layout().physical() {
        Physical::Null | Physical::Bits | Physical::Fixed(_) => 0,
        Physical::Bytes(_) => in_order(array, picks)?.n_slots() as u64,
        Physical::Views => used(array, picks)?.n() as u64,
        Physical::Dictionary(_) => inside(array.dictionary())?.n_referred_bytes()?,
        Physical::Struct | Physical::Union(UnionMode::Sparse) => child_bytes(array, picks)?,
        Physical::List(_) => child_bytes(array, &in_order(array, picks)?)?,
        Physical::ListView(_) => child_bytes(array, &used_items(array, picks)?)?,
        Physical::FixedSizeList(size) => child_bytes(array, &picks.times(size.as_usize())?)?,
        Physical::Union(UnionMode::Dense) => {
            let picks = values_of_union(array, picks)?;
            sum(array.children().iter().zip(&picks).map(|(child, picks)| n_bytes_of(child, picks)))?
        }
        Physical::Runs(_) => {
            let runs = runs::plan(&Sources::new(&[array], None), picks)?;
            let ends = n_own_bytes(inside(array.children().first())?, runs.picks())?;
            ends.saturating_add(n_bytes_of(inside(array.children().get(1))?, runs.picks())?)
        }
    };
    Ok(n_own_bytes(array, picks)?.saturating_add(below))
}

/// The bytes that slots have in the validity and in buffers with an element for each slot.
#[inline(never)]
fn n_own_bytes(array: &ArrayData, picks: &Picks) -> Result<u64, SelectError> {
    let n_slots = picks.n_slots() as u64;
    let validity = if has_null(array, picks)? { n_slots.div_ceil(8) } else { 0 };
    let layout = array.layout();
    layout
        .data_buffers()
        .iter()
        .try_fold(validity, |sum, spec| Ok(sum.saturating_add(inside(spec.written_bytes(n_slots))?)))
}

fn has_null(array: &ArrayData, picks: &Picks) -> Result<bool, SelectError> {
    let Some(validity) = array.validity_with_nulls() else { return Ok(false) };
    let mut has_null = false;
    picks.for_each(|piece| {
        has_null = has_null || !validity.slice(piece.start, piece.n_slots).all_set();
        Ok(())
    })?;
    Ok(has_null)
}

/// The bytes to which the same slots of all children refer.
fn child_bytes(array: &ArrayData, picks: &Picks) -> Result<u64, SelectError> {
    sum(array.children().iter().map(|child| n_bytes_of(child, picks)))
}

/// The bytes or items of valid slots whose offsets are in order.
#[inline(never)]
fn in_order(array: &ArrayData, picks: &Picks) -> Result<Picks, SelectError> {
    let ranges = Ranges::try_new(array)?;
    let validity = array.validity_with_nulls();
    let mut items = PicksBuilder::default();
    picks.for_each(|piece| {
        let slots = piece.range();
        if validity.is_none() {
            let last = inside(ranges.get(slots.end.saturating_sub(1)))?;
            return Ok(items.push(0, inside(ranges.get(slots.start))?.start..last.end)?);
        }
        for slot in slots.filter(|slot| array.is_valid(*slot)) {
            items.push(0, inside(ranges.get(slot))?)?;
        }
        Ok(())
    })?;
    Ok(items.finish())
}

/// The bytes or items to which valid slots refer, in any order.
#[inline(never)]
fn used(array: &ArrayData, picks: &Picks) -> Result<UsedRanges, SelectError> {
    UsedRanges::from_array(&assemble::assemble(&Sources::new(&[array], None), picks)?)
}

#[inline(never)]
fn used_items(array: &ArrayData, picks: &Picks) -> Result<Picks, SelectError> {
    let mut items = PicksBuilder::default();
    used(array, picks)?.parts().iter().try_for_each(|part| items.push(0, part.range()))?;
    Ok(items.finish())
}

/// The slots of each child of a dense union.
#[inline(never)]
fn values_of_union(array: &ArrayData, picks: &Picks) -> Result<Vec<Picks>, SelectError> {
    let mut parts = ArrayParts::new(array.data_type().clone(), picks.n_slots());
    union::fill_dense(&Sources::new(&[array], None), picks, &mut parts)
}
