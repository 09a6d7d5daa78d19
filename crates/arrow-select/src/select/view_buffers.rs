//! Makes view and list-view arrays without the bytes and items to which no slot refers.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, BufferMut, OffsetWidth, View};
use arrow_data::{
    ArrayData, ArrayParts, OffsetType,
    positions::{Ranges, inside, numbers, offset_type},
};

use super::{
    plan::{Picks, PicksBuilder, with_capacity},
    used::{Finder, UnusedValues, UsedRange, UsedRanges, view_range},
};
use crate::error::{SelectError, SelectErrorKind};

/// The greatest length of a data buffer, since offsets of views have 32 bits.
const MAX_BUFFER_BYTES: usize = i32::MAX as usize;

/// The length below which buffers are copied: copying is fast, and each buffer takes memory besides its bytes.
const MIN_SHARED_BYTES: usize = 4 << 10;

pub(crate) type ViewBuffers = (Buffer, Option<Arc<[Buffer]>>);

/// Makes views of the slots in `keep`, with new data buffers. The new buffers have the bytes of these views, and the
/// unused bytes between them that `unused` allows. If `unused` is `None`, no buffer is shared. Bytes that many views
/// refer to are stored once. Slots that are not in `keep` become empty.
pub(crate) fn compact_views(
    array: &ArrayData,
    keep: Option<&Bitmap>,
    unused: Option<UnusedValues>,
) -> Result<ViewBuffers, SelectError> {
    let views = numbers::<View>(array.buffer(0), array.len())?;
    let mut used = UsedRanges::default();
    match keep {
        None => {
            let mut parts = views.iter().filter(|view| !view.is_inline()).filter_map(view_range);
            parts.try_for_each(|part| used.add(part))?;
        }
        Some(keep) => {
            let selected = views.iter().zip(keep.iter()).filter(|(view, keep)| *keep && !view.is_inline());
            selected.filter_map(|(view, _)| view_range(view)).try_for_each(|part| used.add(part))?;
        }
    }
    let used = used.joined();
    let (positions, data) = data(&used, array.variadic(), unused)?;
    let mut finder = Finder::new(&used);
    let mut moved = |view: &View| {
        if view.is_inline() {
            return Some(*view);
        }
        let part = view_range(view)?;
        let found = finder.find(part)?;
        let joined = used.parts().get(found)?;
        let position = positions.get(found)?;
        let offset = position.offset.checked_add(part.start.checked_sub(joined.start)?)?;
        let buffer_idx = i32::try_from(position.buffer_idx).ok()?;
        let offset = i32::try_from(offset).ok()?;
        Some(View::from_parts(view.n_bytes(), view.prefix(), buffer_idx, offset))
    };
    let mut copy = BufferMut::try_with_capacity_in(array.len().saturating_mul(size_of::<View>()), None)?;
    match keep {
        None => views.iter().try_for_each(|view| inside(moved(view)).map(|view| copy.push(view)))?,
        Some(keep) => views.iter().zip(keep.iter()).try_for_each(|(view, keep)| {
            copy.push(if keep { inside(moved(view))? } else { View::default() });
            Ok::<(), SelectError>(())
        })?,
    }
    Ok((copy.freeze(), (!data.is_empty()).then(|| data.into())))
}

/// Where a used range lies in the new data buffers.
#[derive(Debug, Clone, Copy)]
struct NewPosition {
    buffer_idx: usize,
    offset: usize,
}

/// Whether a data buffer is shared or copied.
enum BufferUse {
    /// The buffer is shared, from the first used byte to the last.
    Shared(Range<usize>),
    Copied,
}

/// The new data buffers, shared ones first, and the position of each used range in them.
fn data(
    used: &UsedRanges,
    data: &[Buffer],
    unused: Option<UnusedValues>,
) -> Result<(Vec<NewPosition>, Vec<Buffer>), SelectError> {
    let mut buffers = Vec::new();
    let mut uses = Vec::new();
    for parts in used.by_source() {
        let buffer_use = buffer_use(parts, unused);
        if let (BufferUse::Shared(range), [part, ..]) = (&buffer_use, parts) {
            let buffer = inside(data.get(part.of).filter(|buffer| range.end <= buffer.len()))?;
            buffers.push(buffer.slice(range.clone()));
        }
        uses.push(buffer_use);
    }
    let mut positions = Vec::with_capacity(used.parts().len());
    let mut n_shared = 0;
    let mut copies = BufferCopies { n_before: buffers.len(), full: Vec::new(), open: BufferMut::new() };
    let n_copied =
        used.by_source().zip(&uses).filter(|(_, buffer_use)| matches!(buffer_use, BufferUse::Copied));
    let n_copied =
        n_copied.flat_map(|(parts, _)| parts).fold(0, |sum: usize, part| sum.saturating_add(part.n()));
    copies.open.try_reserve(n_copied.min(MAX_BUFFER_BYTES))?;
    for (parts, buffer_use) in used.by_source().zip(&uses) {
        match buffer_use {
            BufferUse::Shared(range) => {
                let position = |part: &UsedRange| NewPosition {
                    buffer_idx: n_shared,
                    offset: part.start.saturating_sub(range.start),
                };
                positions.extend(parts.iter().map(position));
                n_shared += 1;
            }
            BufferUse::Copied => {
                for part in parts {
                    let bytes = data.get(part.of).and_then(|buffer| buffer.get(part.range()));
                    positions.push(copies.add(inside(bytes)?));
                }
            }
        }
    }
    buffers.extend(copies.finish());
    Ok((positions, buffers))
}

/// Decides what happens to one data buffer. `parts` are its used ranges, in order.
fn buffer_use(parts: &[UsedRange], unused: Option<UnusedValues>) -> BufferUse {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return BufferUse::Copied };
    let range = first.start..last.end;
    let n_used = parts.iter().fold(0_usize, |sum, part| sum.saturating_add(part.n()));
    if range.len() < MIN_SHARED_BYTES || unused.is_none_or(|unused| unused.leaves_out(n_used, range.len())) {
        return BufferUse::Copied;
    }
    BufferUse::Shared(range)
}

/// BufferCopies of used ranges, one after the other.
struct BufferCopies {
    n_before: usize,
    full: Vec<Buffer>,
    open: BufferMut,
}

impl BufferCopies {
    fn add(&mut self, bytes: &[u8]) -> NewPosition {
        if self.open.len().saturating_add(bytes.len()) > MAX_BUFFER_BYTES && !self.open.is_empty() {
            self.full.push(std::mem::take(&mut self.open).freeze());
        }
        let position = NewPosition { buffer_idx: self.n_before + self.full.len(), offset: self.open.len() };
        self.open.extend_from_slice(bytes);
        position
    }

    fn finish(self) -> impl Iterator<Item = Buffer> {
        let open = (!self.open.is_empty()).then(|| self.open.freeze());
        self.full.into_iter().chain(open)
    }
}

/// Fills buffer 0 and the data buffers of views.
pub(super) fn fill_views(
    array: &ArrayData,
    unused: Option<UnusedValues>,
    parts: &mut ArrayParts,
) -> Result<(), SelectError> {
    let validity = array.validity_with_nulls();
    let (views, data) = compact_views(array, validity, unused)?;
    parts.buffers = [views, Buffer::new()];
    parts.variadic = data;
    Ok(())
}

/// Fills buffers 0 and 1 of list views, which refer to used items only. Returns the selection of these items. Null slots become empty.
pub(super) fn fill_items(
    array: &ArrayData,
    used: &UsedRanges,
    parts: &mut ArrayParts,
) -> Result<Picks, SelectError> {
    parts.buffers = match offset_type(array)? {
        OffsetType::Int32 => items_of::<i32>(array, used)?,
        OffsetType::Int64 => items_of::<i64>(array, used)?,
    };
    let mut items = PicksBuilder::try_with_capacity(used.parts().len())?;
    used.parts().iter().try_for_each(|part| items.push(0, part.range()))?;
    Ok(items.finish())
}

fn items_of<O: OffsetWidth>(array: &ArrayData, used: &UsedRanges) -> Result<[Buffer; 2], SelectError> {
    let mut n_before = 0_usize;
    let starts = used.parts().iter().map(|part| {
        let start = n_before;
        n_before = n_before.saturating_add(part.n());
        start
    });
    let starts = starts.collect::<Vec<usize>>();
    let ranges = Ranges::try_new(array)?;
    let mut finder = Finder::new(used);
    let (mut offsets, mut sizes) = (with_capacity::<O>(array.len())?, with_capacity::<O>(array.len())?);
    let overflow =
        || SelectError::from(SelectErrorKind::OffsetOverflow { data_type: array.data_type().clone() });
    for slot in 0..array.len() {
        let range = if array.is_valid(slot) { inside(ranges.get(slot))? } else { 0..0 };
        let offset = if range.is_empty() {
            0
        } else {
            let found = inside(finder.find(UsedRange { of: 0, start: range.start, end: range.end }))?;
            let (part, start) = inside(used.parts().get(found).zip(starts.get(found)))?;
            start.saturating_add(range.start.saturating_sub(part.start))
        };
        offsets.push(O::from_usize(offset).ok_or_else(overflow)?);
        sizes.push(O::from_usize(range.len()).ok_or_else(overflow)?);
    }
    Ok([Buffer::from(offsets), Buffer::from(sizes)])
}
