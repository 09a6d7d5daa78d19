//! Selects offsets of lists, offsets and bytes of utf8 and binary values, and offsets and sizes of list views.

use std::collections::HashMap;

use arrow_buffer::{Buffer, OffsetWidth, Values};
use arrow_data::{
    ArrayData, ArrayParts, DataError, OffsetType,
    positions::{inside, numbers, offset_type},
};

use super::{
    Select, fixed,
    plan::{Picks, PicksBuilder, SlotRange, first_of, source_of},
    sources::Sources,
    used::UnusedValues,
};
use crate::error::{SelectError, SelectErrorKind};

/// Fills buffer 0 with the offsets of the selected slots. They begin at 0. Returns the ranges of their items; null slots have none.
#[inline(never)]
pub(super) fn fill_offsets(
    sources: &Sources<'_>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<Picks, SelectError> {
    match offset_type_of(sources)? {
        OffsetType::Int32 => offsets::<i32>(sources, picks, parts),
        OffsetType::Int64 => offsets::<i64>(sources, picks, parts),
    }
}

fn offset_type_of(sources: &Sources<'_>) -> Result<OffsetType, SelectError> {
    Ok(offset_type(first_of(sources)?)?)
}

/// The offsets of one source, and whether any of its slots is null.
struct OffsetsSource<'a, O: OffsetWidth> {
    array: &'a ArrayData,
    offsets: Values<O>,
    has_nulls: bool,
}

fn offsets<O: OffsetWidth>(
    sources: &Sources<'_>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<Picks, SelectError> {
    let (mut offsets, capacity) = sources.numbers::<O>(picks.n_slots().saturating_add(1))?;
    let sources = sources.iter().map(|array| {
        let n_offsets = if array.is_empty() { 0 } else { array.len() + 1 };
        let offsets = numbers(array.buffer(0), n_offsets)?;
        Ok(OffsetsSource { array, offsets, has_nulls: array.null_count() > 0 })
    });
    let sources = sources.collect::<Result<Vec<OffsetsSource<'_, O>>, SelectError>>()?;
    let mut items = PicksBuilder::try_with_capacity(picks.n_pieces())?;
    offsets.push(O::ZERO);
    picks.for_each_in(&sources, |source, piece| source.select(piece, &mut items, &mut offsets, parts))?;
    let [buffer, _] = &mut parts.buffers;
    *buffer = capacity.hold(offsets);
    Ok(items.finish())
}

impl<O: OffsetWidth> OffsetsSource<'_, O> {
    #[inline]
    fn select(
        &self,
        piece: SlotRange,
        items: &mut PicksBuilder,
        offsets: &mut Vec<O>,
        parts: &ArrayParts,
    ) -> Result<(), SelectError> {
        let own = inside(self.offsets.get(piece.start..=piece.range().end))?;
        let overflow =
            || SelectError::from(SelectErrorKind::OffsetOverflow { data_type: parts.data_type.clone() });
        let at = |offset: &O| inside(offset.to_usize());
        if self.has_nulls {
            for (slot, pair) in piece.range().zip(own.windows(2)) {
                if let [start, end] = pair
                    && self.array.is_valid(slot)
                {
                    items.push(piece.source, at(start)?..at(end)?)?;
                }
                offsets.push(O::from_usize(items.n_slots()).ok_or_else(overflow)?);
            }
            return Ok(());
        }
        let (first, last) = inside(own.first().zip(own.last()))?;
        let start = at(first)?;
        let n_before = items.n_slots();
        items.push(piece.source, start..at(last)?)?;
        // The last offset is the greatest: if it fits, all offsets do.
        O::from_usize(items.n_slots()).ok_or_else(overflow)?;
        let mut is_inside = true;
        offsets.extend(own.iter().skip(1).map(|end| {
            let end = end.to_usize().and_then(|end| O::from_usize(n_before + end.checked_sub(start)?));
            is_inside &= end.is_some();
            end.unwrap_or_default()
        }));
        Ok(inside(is_inside.then_some(()))?)
    }
}

/// Fills buffer 1 with the selected ranges of bytes.
pub(super) fn fill_bytes(
    sources: &Sources<'_>,
    bytes: &Picks,
    parts: &mut ArrayParts,
) -> Result<(), SelectError> {
    let mut copy = sources.memory(bytes.n_slots())?;
    bytes.for_each_in(sources, |source, piece| {
        copy.extend_from_slice(inside(source.buffer(1).get(piece.range()))?);
        Ok(())
    })?;
    let [_, buffer] = &mut parts.buffers;
    *buffer = copy.freeze();
    Ok(())
}

/// Fills buffers 0 and 1 of list views. If all sources have the same items, as slices of one array do, these items are
/// shared, and the result is `None`. Otherwise returns sources without most of their unused items, and a selection of
/// the items of these sources, each array of items once.
#[inline(never)]
pub(super) fn fill_views(
    sources: &Sources<'_>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<Option<(Vec<ArrayData>, Picks)>, SelectError> {
    let first = inside(first_of(sources)?.children().first())?;
    let is_common =
        |source: &&ArrayData| source.children().first().is_some_and(|items| same_items(items, first));
    if sources.iter().all(is_common) {
        parts.buffers = [fixed::elements(sources, 0, picks)?, fixed::elements(sources, 1, picks)?];
        return Ok(None);
    }
    let used = sources.iter().map(|source| source.with_used_items(UnusedValues::Bounded));
    let used = used.collect::<Result<Vec<ArrayData>, SelectError>>()?;
    let refs = used.iter().collect::<Vec<&ArrayData>>();
    let sources = sources.others(&refs);
    let mut known: HashMap<Option<*const ArrayData>, usize> = HashMap::new();
    let mut starts = Vec::with_capacity(sources.len());
    let mut items = PicksBuilder::default();
    for (position, source) in sources.iter().enumerate() {
        let start = *known.entry(items_address(source)).or_insert(items.n_slots());
        if start == items.n_slots() {
            items.push(position, 0..inside(source.children().first())?.len())?;
        }
        starts.push(start);
    }
    parts.buffers[1] = fixed::elements(&sources, 1, picks)?;
    parts.buffers[0] = match offset_type_of(&sources)? {
        OffsetType::Int32 => shifted::<i32>(&sources, &starts, picks, parts)?,
        OffsetType::Int64 => shifted::<i64>(&sources, &starts, picks, parts)?,
    };
    Ok(Some((used, items.finish())))
}

fn same_items(items: &ArrayData, first: &ArrayData) -> bool {
    std::ptr::eq(items, first) || items.same_memory(first)
}

/// The address of the items of a checked array. Two arrays with the same address have the same items, as slices of one
/// array do.
fn items_address(array: &ArrayData) -> Option<*const ArrayData> {
    array.children().first().map(std::ptr::from_ref)
}

/// The offsets of list views, increased so that they refer to the joined items of all sources. Offsets of null slots must
/// be in bounds, too.
fn shifted<O: OffsetWidth>(
    sources: &Sources<'_>,
    starts: &[usize],
    picks: &Picks,
    parts: &ArrayParts,
) -> Result<Buffer, SelectError> {
    let (mut shifted, capacity) = sources.numbers::<O>(picks.n_slots())?;
    let offsets = sources.iter().map(|source| numbers(source.buffer(0), source.len()));
    let offsets = offsets.collect::<Result<Vec<Values<O>>, DataError>>()?;
    picks.for_each(|piece| {
        let start = *source_of(starts, piece)?;
        for offset in inside(source_of(&offsets, piece)?.get(piece.range()))? {
            let offset = offset.to_usize().and_then(|offset| O::from_usize(offset.checked_add(start)?));
            let overflow =
                || SelectError::from(SelectErrorKind::OffsetOverflow { data_type: parts.data_type.clone() });
            shifted.push(offset.ok_or_else(overflow)?);
        }
        Ok(())
    })?;
    Ok(capacity.hold(shifted))
}
