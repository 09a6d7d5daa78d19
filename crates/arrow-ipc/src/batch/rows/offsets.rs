//! Reads offsets, which tell where the bytes or items of a window are. They are rebased to begin at 0, since the bytes or items
//! before the window are not read.

use arrow_buffer::{Buffer, Native, OffsetWidth};
use arrow_data::{DataError, DataErrorKind, OffsetType};

use super::{RowsDecoder, Waiting, WalkColumn, Window};
use crate::{
    alignment::length_of,
    error::{Context, IpcError, Result},
};

impl RowsDecoder<'_, '_> {
    /// Offsets, and the bytes between them.
    pub(super) fn bytes_of_slots(
        &mut self,
        target: &WalkColumn<'_>,
        offset_type: OffsetType,
    ) -> Waiting<[Buffer; 2]> {
        let place = self.place(target, 1);
        let offsets = self.elements(target, 0)?;
        let n_bytes = self.n_bytes(&place)?;
        let (Some(offsets), Some(n_bytes)) = (offsets, n_bytes) else { return Ok(None) };
        let range = self.range_of(target, &offsets, offset_type, n_bytes)?;
        let Some(bytes) = self.bytes(&place, 0, range.clone())? else { return Ok(None) };
        Ok(Some([self.begun_at_zero(offsets, range, offset_type)?, bytes]))
    }

    /// Offsets, and the items between them.
    pub(super) fn list_offsets(
        &mut self,
        target: &WalkColumn<'_>,
        offset_type: OffsetType,
    ) -> Waiting<(Buffer, Window)> {
        let n_items = self.n_items(target)?;
        let Some(offsets) = self.elements(target, 0)? else { return Ok(None) };
        let range = self.range_of(target, &offsets, offset_type, n_items)?;
        Ok(Some((self.begun_at_zero(offsets, range.clone(), offset_type)?, range)))
    }

    /// Offsets and sizes, and the items that they refer to.
    pub(super) fn list_views(
        &mut self,
        target: &WalkColumn<'_>,
        offset_type: OffsetType,
    ) -> Waiting<([Buffer; 2], Window)> {
        let end = self.n_items(target)?;
        let child = target.selected.children(self.decoder.columns).next();
        let (offsets, sizes) = (self.elements(target, 0)?, self.elements(target, 1)?);
        let (Some(offsets), Some(sizes)) = (offsets, sizes) else { return Ok(None) };
        let place = self.place(target, 0);
        let found = match offset_type {
            OffsetType::Int32 => items_of::<i32>((&offsets, &sizes), end),
            OffsetType::Int64 => items_of::<i64>((&offsets, &sizes), end),
        };
        let found = found.in_buffer(place.buffer.idx, Some(place.buffer.role))?;
        let ReferredItems { first_to_last: mut items, n_items, last_offset } = found;
        if let Some(child) = child {
            items = self.with_unreferred(target, &child, items)?;
        }
        self.refer(n_items, length_of(&items));
        let first = i64::try_from(items.start).unwrap_or(i64::MAX);
        if first == 0 && last_offset <= items.end {
            return Ok(Some(([offsets, sizes], items)));
        }
        let n_items = i64::try_from(length_of(&items)).unwrap_or(i64::MAX);
        let numbers = read(&offsets, offset_type)?;
        let moved = numbers.iter().map(|offset| offset.saturating_sub(first).clamp(0, n_items));
        let offsets = self.write(moved, offset_type)?;
        Ok(Some(([offsets, sizes], items)))
    }

    /// The number of slots of the only child.
    fn n_items(&self, target: &WalkColumn<'_>) -> Result<u64> {
        match target.selected.children(self.decoder.columns).next() {
            Some(child) => Ok(self.node(child.position())?.n_slots()),
            None => Ok(0),
        }
    }

    /// The range from the first offset to the last.
    fn range_of(
        &self,
        target: &WalkColumn<'_>,
        offsets: &Buffer,
        offset_type: OffsetType,
        end: u64,
    ) -> Result<Window> {
        let ends = match offset_type {
            OffsetType::Int32 => ends::<i32>(offsets),
            OffsetType::Int64 => ends::<i64>(offsets),
        };
        let Some((first, last)) = ends? else { return Err(IpcError::internal("slots have no offsets")) };
        let range = u64::try_from(first).ok().zip(u64::try_from(last).ok());
        let kind = match range {
            _ if first < 0 => DataErrorKind::NegativeOffset { offset: first },
            Some((start, last)) if start <= last && last <= end => return Ok(start..last),
            Some((start, next)) if start <= next => DataErrorKind::OffsetOutOfRange { offset: last, end },
            Some(_) | None => DataErrorKind::OffsetsDecrease { offset: first, next: last },
        };
        let place = self.place(target, 0);
        Err(DataError::from(kind)).in_buffer(place.buffer.idx, Some(place.buffer.role))
    }

    /// Rebases offsets to begin at 0. An invalid offset stays invalid: it becomes negative, or greater than the last.
    fn begun_at_zero(&mut self, offsets: Buffer, range: Window, offset_type: OffsetType) -> Result<Buffer> {
        if range.start == 0 {
            return Ok(offsets);
        }
        self.decoder.account.copied.spend("bytes of offsets that are moved", offsets.len() as u64)?;
        self.charged(match offset_type {
            OffsetType::Int32 => moved::<i32>(&offsets)?,
            OffsetType::Int64 => moved::<i64>(&offsets)?,
        })
    }

    /// A buffer of new offsets, which is charged to the budget.
    pub(super) fn write(
        &mut self,
        numbers: impl ExactSizeIterator<Item = i64>,
        offset_type: OffsetType,
    ) -> Result<Buffer> {
        let n_bytes = (numbers.len() as u64).saturating_mul(8);
        self.decoder.account.copied.spend("bytes of offsets that are moved", n_bytes)?;
        self.charged(match offset_type {
            // An offset that does not fit was out of bounds before rebasing, and stays so.
            OffsetType::Int32 => {
                Buffer::from(numbers.map(|number| i32::try_from(number).unwrap_or(-1)).collect::<Vec<i32>>())
            }
            OffsetType::Int64 => Buffer::from(numbers.collect::<Vec<i64>>()),
        })
    }
}

/// The items that list views refer to.
#[derive(Default)]
struct ReferredItems {
    first_to_last: Window,
    /// How many items there are.
    n_items: u64,
    /// The greatest offset of all slots; slots without items may point anywhere.
    last_offset: u64,
}

/// The items that list views refer to.
///
/// # Errors
/// If they do not lie before `end`.
fn items_of<T: Native + Into<i64>>((offsets, sizes): (&Buffer, &Buffer), end: u64) -> Result<ReferredItems> {
    let mut items = ReferredItems::default();
    for (offset, size) in numbers::<T>(offsets)?.iter().zip(numbers::<T>(sizes)?) {
        let (offset, size) = ((*offset).into(), (*size).into());
        let range = u64::try_from(offset).ok().zip(u64::try_from(size).ok());
        let range = range.and_then(|(start, n_items)| Some(start..start.checked_add(n_items)?));
        let Some(range) = range.filter(|range| range.end <= end) else {
            return Err(DataError::from(DataErrorKind::ListViewOutOfRange { offset, size, end }).into());
        };
        items.last_offset = items.last_offset.max(range.start);
        let n_items = length_of(&range);
        if n_items > 0 {
            let Window { start, end } = items.first_to_last;
            let start = if items.n_items == 0 { range.start } else { start.min(range.start) };
            items.first_to_last = start..end.max(range.end);
            items.n_items = items.n_items.saturating_add(n_items);
        }
    }
    Ok(items)
}

/// The first and the last number.
fn ends<T: Native + Into<i64>>(buffer: &Buffer) -> Result<Option<(i64, i64)>> {
    let numbers = numbers::<T>(buffer)?;
    Ok(numbers.first().zip(numbers.last()).map(|(first, last)| ((*first).into(), (*last).into())))
}

/// The numbers, minus the first of them.
fn moved<O: OffsetWidth>(buffer: &Buffer) -> Result<Buffer> {
    let numbers = numbers::<O>(buffer)?;
    let Some(first) = numbers.first().copied() else { return Ok(Buffer::new()) };
    Ok(Buffer::from(O::minus(numbers, first)))
}

/// Numbers in the byte order of this machine.
pub(super) fn read(buffer: &Buffer, offset_type: OffsetType) -> Result<Vec<i64>> {
    match offset_type {
        OffsetType::Int32 => widened::<i32>(buffer),
        OffsetType::Int64 => widened::<i64>(buffer),
    }
}

fn widened<T: Native + Into<i64>>(buffer: &Buffer) -> Result<Vec<i64>> {
    Ok(numbers::<T>(buffer)?.iter().map(|number| (*number).into()).collect())
}

/// The buffers must be aligned for their elements.
pub(super) fn numbers<T: Native>(buffer: &Buffer) -> Result<&[T]> {
    buffer.view::<T>().map_err(|_| IpcError::internal("numbers are not aligned for their type"))
}
