//! Appends buffers whose content does not change: bits, elements of a fixed width, utf8 and views.

use arrow_buffer::{Bitmap, Budget, Buffer, GrowingBitmap, GrowingTextSlots, OffsetWidth, TextSlots, View};
use arrow_data::{
    ArrayData, DataError, DataErrorKind as Kind, Role,
    positions::{Ranges, bits, inside, numbers},
};

use super::node::{GrowingNode, GrowingStorage, charge_copy, layout_mismatch, too_many};
use crate::error::{SelectError, SelectErrorKind};

/// Appends the validity of an array. If the bitmap is the first one, adds bits for the earlier slots, too.
#[inline(never)]
pub(super) fn append_validity(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<(), SelectError> {
    let nulls = part.validity_with_nulls();
    if nulls.is_none() && node.validity.is_none() {
        return Ok(());
    }
    let n_before = if node.validity.is_some() { 0 } else { node.n_slots };
    charge_copy(budget, n_before.saturating_add(part.len()).div_ceil(8))?;
    let n_slots = node.n_slots;
    let validity = node.validity.get_or_insert_with(|| {
        let mut validity = GrowingBitmap::new();
        validity.extend_constant(true, n_slots);
        validity
    });
    let n_copied = match nulls {
        Some(nulls) => validity.extend_from_bitmap(nulls),
        None => validity.extend_constant(true, part.len()),
    };
    charge_copy(budget, n_copied)
}

/// Appends buffer 0, of elements or bits.
#[inline(never)]
pub(super) fn append_fixed(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<(), SelectError> {
    if let GrowingStorage::Bits(bits_so_far) = &mut node.storage {
        let bits: Bitmap = bits(part)?;
        charge_copy(budget, bits.len().div_ceil(8))?;
        return charge_copy(budget, bits_so_far.extend_from_bitmap(&bits));
    }
    append_elements(node, part, 0, budget)
}

/// Appends the elements of the `k`-th buffer, which has one element per slot.
pub(super) fn append_elements(
    node: &mut GrowingNode,
    part: &ArrayData,
    k: usize,
    budget: &mut Budget,
) -> Result<(), SelectError> {
    let spec = part.layout().data_buffers().get(k).copied().ok_or_else(layout_mismatch)?;
    let width = usize::try_from(spec.element_bytes()).ok();
    let n_bytes = width.and_then(|width| part.len().checked_mul(width)).ok_or_else(|| too_many(part))?;
    charge_copy(budget, n_bytes)?;
    // The bytes exist, since the structure of the array is valid.
    let bytes = part.buffer(k).get(..n_bytes).ok_or_else(layout_mismatch)?;
    node.storage.buffer(k)?.extend_from_slice(bytes);
    Ok(())
}

/// Appends utf8 with offsets. Null slots whose offsets lie inside characters become empty.
#[inline(never)]
pub(super) fn append_text(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<(), SelectError> {
    let overflow = || SelectErrorKind::OffsetOverflow { data_type: part.data_type().clone() };
    let n_offset_bytes = part.len().saturating_mul(8);
    let appended = match (&mut node.storage, part.text_slots(), part.large_text_slots()) {
        (GrowingStorage::Text32(texts), Some(slots), _) => {
            charge_copy(budget, n_offset_bytes.saturating_add(n_text_bytes(slots)?))?;
            texts.extend_from_slots(slots)
        }
        (GrowingStorage::Text64(texts), _, Some(slots)) => {
            charge_copy(budget, n_offset_bytes.saturating_add(n_text_bytes(slots)?))?;
            texts.extend_from_slots(slots)
        }
        (GrowingStorage::Text32(texts), ..) => {
            charge_copy(budget, n_offset_bytes.saturating_add(part.buffer(1).len()))?;
            each_text(part, |text| push(texts, text))?
        }
        (GrowingStorage::Text64(texts), ..) => {
            charge_copy(budget, n_offset_bytes.saturating_add(part.buffer(1).len()))?;
            each_text(part, |text| push(texts, text))?
        }
        (
            GrowingStorage::Buffers(_)
            | GrowingStorage::Bits(_)
            | GrowingStorage::Views(_)
            | GrowingStorage::TextViews(_),
            ..,
        ) => {
            return Err(layout_mismatch());
        }
    };
    appended.map_err(|_| overflow().into())
}

type PushResult = Result<(), arrow_buffer::OffsetOverflow>;

fn push<O: OffsetWidth>(texts: &mut GrowingTextSlots<O>, text: &str) -> PushResult {
    texts.push(text)
}

/// The number of bytes between the offsets of an array with slots.
fn n_text_bytes<O: OffsetWidth>(slots: &TextSlots<O>) -> Result<usize, SelectError> {
    let position = |offset: Option<&O>| offset.and_then(|offset| offset.to_usize());
    let ends = position(slots.offsets().first()).zip(position(slots.offsets().last()));
    Ok(inside(ends.and_then(|(first, last)| last.checked_sub(first)))?)
}

/// Calls `push` with the checked text of each slot, and with an empty text for a null.
fn each_text(part: &ArrayData, mut push: impl FnMut(&str) -> PushResult) -> Result<PushResult, SelectError> {
    let ranges = Ranges::try_new(part)?;
    for slot in 0..part.len() {
        let bytes = if part.is_valid(slot) {
            inside(ranges.get(slot).and_then(|range| part.buffer(1).get(range)))?
        } else {
            &[]
        };
        let text = std::str::from_utf8(bytes).map_err(|error| {
            DataError::from(Kind::NotUtf8 { valid_up_to: error.valid_up_to() as u64 }).at_slot(slot)
        })?;
        if let Err(overflow) = push(text) {
            return Ok(Err(overflow));
        }
    }
    Ok(Ok(()))
}

/// Appends views with all their data buffers. Views of null slots may have any bytes, so they are replaced by empty
/// views.
#[inline(never)]
pub(super) fn append_views(
    node: &mut GrowingNode,
    part: &ArrayData,
    budget: &mut Budget,
) -> Result<(), SelectError> {
    let n_data_bytes = part.variadic().iter().map(Buffer::len).fold(0, usize::saturating_add);
    let n_view_bytes = part.len().saturating_mul(size_of::<View>());
    // Empty data buffers are appended, too: the views' buffer indices count them.
    let n_buffer_bytes = part.variadic().len().saturating_mul(size_of::<View>());
    charge_copy(budget, n_data_bytes.saturating_add(n_view_bytes).saturating_add(n_buffer_bytes))?;
    let malformed = |(slot, kind)| DataError::from(Kind::View(kind)).in_role(Role::Views).at_slot(slot);
    match (&mut node.storage, part.text_views()) {
        (GrowingStorage::TextViews(texts), Some(part)) => texts.extend_from_views(part).map_err(malformed)?,
        (GrowingStorage::Views(views), _) => {
            let own = numbers::<View>(part.buffer(0), part.len())?;
            let has_nulls = part.null_count() > 0;
            let is_there = |slot: usize| !has_nulls || part.is_valid(slot);
            let moved = own.iter().enumerate();
            let moved = moved.map(|(slot, view)| if is_there(slot) { *view } else { View::default() });
            views.extend(moved, part.variadic()).map_err(malformed)?;
        }
        // A utf8_view array whose content was checked contains the proof that its text is valid.
        (
            GrowingStorage::TextViews(_)
            | GrowingStorage::Buffers(_)
            | GrowingStorage::Bits(_)
            | GrowingStorage::Text32(_)
            | GrowingStorage::Text64(_),
            _,
        ) => return Err(layout_mismatch()),
    }
    Ok(())
}
