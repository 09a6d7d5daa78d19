//! Reads columns whose slots refer to bytes, items or slots elsewhere. First reads the references: offsets, list views,
//! views, type ids and run ends. Then reads from the first to the last byte, item or slot that they refer to. Offsets are
//! rebased to begin at 0, since earlier data is not read.

use std::{ops::Range, sync::Arc};

use arrow_buffer::{Bitmap, Buffer, MAX_INLINE_BYTES, NativeType, OffsetWidth, View};
use arrow_data::{ArrayData, DataError, DataErrorKind, OffsetType, Role};
use arrow_schema::RunEndType;

use super::{ChildSlots, PendingResult, RequestedBuffer, RowsDecoder, SlotWindow, TargetColumn};
use crate::{
    batch::{decode::EntryBuffer, select::SelectedColumn},
    compression::FrameRest,
    error::{Context, IpcError, Result},
};
use arrow_ipc_format::{length_of, share_of};

impl RowsDecoder<'_, '_> {
    /// Reads the offsets of the window, and the bytes between the first and the last offset.
    pub(super) fn bytes_of_slots(
        &mut self,
        target: &TargetColumn<'_>,
        offset_type: OffsetType,
    ) -> PendingResult<[Buffer; 2]> {
        let requested = self.requested_buffer(target, 1);
        let offsets = self.elements(target, 0)?;
        let n_bytes = self.n_bytes(&requested)?;
        let (Some(offsets), Some(n_bytes)) = (offsets, n_bytes) else { return Ok(None) };
        let range = self.range_of(target, &offsets, offset_type, n_bytes)?;
        let Some(bytes) = self.bytes(&requested, 0, range.clone())? else { return Ok(None) };
        Ok(Some([self.rebase_to_zero(offsets, range, offset_type)?, bytes]))
    }

    /// Reads the offsets of the window, and returns the range of items between the first and the last offset.
    pub(super) fn list_offsets(
        &mut self,
        target: &TargetColumn<'_>,
        offset_type: OffsetType,
    ) -> PendingResult<(Buffer, SlotWindow)> {
        let n_items = self.n_items(target)?;
        let Some(offsets) = self.elements(target, 0)? else { return Ok(None) };
        let range = self.range_of(target, &offsets, offset_type, n_items)?;
        Ok(Some((self.rebase_to_zero(offsets, range.clone(), offset_type)?, range)))
    }

    /// Reads the offsets and sizes of the window, and returns the range of items that they refer to.
    pub(super) fn list_views(
        &mut self,
        target: &TargetColumn<'_>,
        offset_type: OffsetType,
    ) -> PendingResult<([Buffer; 2], SlotWindow)> {
        let end = self.n_items(target)?;
        let child = target.selected.children(self.decoder.columns).next();
        let offsets = self.elements(target, 0)?;
        let sizes = self.elements(target, 1)?;
        let (Some(offsets), Some(sizes)) = (offsets, sizes) else { return Ok(None) };
        let requested = self.requested_buffer(target, 0);
        let found = match offset_type {
            OffsetType::Int32 => items_of::<i32>((&offsets, &sizes), end),
            OffsetType::Int64 => items_of::<i64>((&offsets, &sizes), end),
        };
        let found = found.in_buffer(requested.buffer.idx, Some(requested.buffer.role))?;
        let ReferencedItems { first_to_last: mut items, n_items, last_offset } = found;
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
        let moved = numbers.iter().map(|offset| (offset - first).clamp(0, n_items));
        let offsets = self.write(moved, offset_type)?;
        Ok(Some(([offsets, sizes], items)))
    }

    /// The number of slots of the column's child; 0 without a child.
    fn n_items(&self, target: &TargetColumn<'_>) -> Result<u64> {
        match target.selected.children(self.decoder.columns).next() {
            Some(child) => Ok(self.node(child.position())?.n_slots()),
            None => Ok(0),
        }
    }

    fn range_of(
        &self,
        target: &TargetColumn<'_>,
        offsets: &Buffer,
        offset_type: OffsetType,
        end: u64,
    ) -> Result<SlotWindow> {
        let ends = match offset_type {
            OffsetType::Int32 => ends::<i32>(offsets),
            OffsetType::Int64 => ends::<i64>(offsets),
        };
        let Some((first, last)) = ends? else {
            return Err(IpcError::internal("a column with offsets has no offsets buffer"));
        };
        let range = u64::try_from(first).ok().zip(u64::try_from(last).ok());
        let kind = match range {
            _ if first < 0 => DataErrorKind::NegativeOffset { offset: first },
            Some((start, last)) if start <= last && last <= end => return Ok(start..last),
            Some((start, next)) if start <= next => DataErrorKind::OffsetOutOfRange { offset: last, end },
            Some(_) | None => DataErrorKind::OffsetsDecrease { offset: first, next: last },
        };
        let requested = self.requested_buffer(target, 0);
        Err(DataError::from(kind)).in_buffer(requested.buffer.idx, Some(requested.buffer.role))
    }

    /// Rebases offsets to begin at 0. An invalid offset stays invalid: it becomes negative, or greater than the last
    /// offset.
    fn rebase_to_zero(
        &mut self,
        offsets: Buffer,
        range: SlotWindow,
        offset_type: OffsetType,
    ) -> Result<Buffer> {
        if range.start == 0 {
            return Ok(offsets);
        }
        self.decoder.account.copied.spend("bytes of offsets that are moved", offsets.len() as u64)?;
        self.charged(match offset_type {
            OffsetType::Int32 => moved::<i32>(&offsets)?,
            OffsetType::Int64 => moved::<i64>(&offsets)?,
        })
    }

    /// Makes a buffer of new offsets, and charges it to the budget.
    fn write(
        &mut self,
        numbers: impl ExactSizeIterator<Item = i64>,
        offset_type: OffsetType,
    ) -> Result<Buffer> {
        let n_bytes = numbers.len() as u64 * 8;
        self.decoder.account.copied.spend("bytes of offsets that are moved", n_bytes)?;
        self.charged(match offset_type {
            // An offset that does not fit was out of bounds before rebasing. -1 is also out of bounds.
            OffsetType::Int32 => {
                Buffer::from(numbers.map(|number| i32::try_from(number).unwrap_or(-1)).collect::<Vec<i32>>())
            }
            OffsetType::Int64 => Buffer::from(numbers.collect::<Vec<i64>>()),
        })
    }
}

#[derive(Default)]
struct ReferencedItems {
    first_to_last: SlotWindow,
    n_items: u64,
    /// The greatest offset of all slots. Empty slots may have any offset.
    last_offset: u64,
}

/// Finds the items that list views refer to.
///
/// # Errors
/// If an item is at or after `end`.
fn items_of<T: NativeType + Into<i64>>(
    (offsets, sizes): (&Buffer, &Buffer),
    end: u64,
) -> Result<ReferencedItems> {
    let mut items = ReferencedItems::default();
    for (offset, size) in numbers::<T>(offsets)?.iter().zip(numbers::<T>(sizes)?) {
        let offset = (*offset).into();
        let size = (*size).into();
        let range = u64::try_from(offset).ok().zip(u64::try_from(size).ok());
        let range = range.and_then(|(start, n_items)| Some(start..start.checked_add(n_items)?));
        let Some(range) = range.filter(|range| range.end <= end) else {
            return Err(DataError::from(DataErrorKind::ListViewOutOfRange { offset, size, end }).into());
        };
        items.last_offset = items.last_offset.max(range.start);
        let n_items = length_of(&range);
        if n_items > 0 {
            let SlotWindow { start, end } = items.first_to_last;
            let start = if items.n_items == 0 { range.start } else { start.min(range.start) };
            items.first_to_last = start..end.max(range.end);
            items.n_items = items.n_items.saturating_add(n_items);
        }
    }
    Ok(items)
}

/// The first and the last number; `None` if the buffer is empty.
fn ends<T: NativeType + Into<i64>>(buffer: &Buffer) -> Result<Option<(i64, i64)>> {
    let numbers = numbers::<T>(buffer)?;
    Ok(numbers.first().zip(numbers.last()).map(|(first, last)| ((*first).into(), (*last).into())))
}

/// Subtracts the first offset from each offset.
fn moved<O: OffsetWidth>(buffer: &Buffer) -> Result<Buffer> {
    let numbers = numbers::<O>(buffer)?;
    let Some(first) = numbers.first().copied() else { return Ok(Buffer::new()) };
    Ok(Buffer::from(O::minus(numbers, first)))
}

/// Reads offsets of either width as numbers of 64 bits.
fn read(buffer: &Buffer, offset_type: OffsetType) -> Result<Vec<i64>> {
    match offset_type {
        OffsetType::Int32 => widened::<i32>(buffer),
        OffsetType::Int64 => widened::<i64>(buffer),
    }
}

fn widened<T: NativeType + Into<i64>>(buffer: &Buffer) -> Result<Vec<i64>> {
    Ok(numbers::<T>(buffer)?.iter().map(|number| (*number).into()).collect())
}

/// Reads numbers from a buffer, which must be aligned for their type.
fn numbers<T: NativeType>(buffer: &Buffer) -> Result<&[T]> {
    buffer.view::<T>().map_err(|_| IpcError::internal("the numbers are misaligned"))
}

type Views = (Buffer, Option<Arc<[Buffer]>>);

impl RowsDecoder<'_, '_> {
    /// Reads the views of a window, and the range of each data buffer that they refer to. An invalid view stays invalid:
    /// it refers to bytes past the end of a data buffer.
    pub(super) fn views(
        &mut self,
        target: &TargetColumn<'_>,
        validity: Option<&Bitmap>,
    ) -> PendingResult<Views> {
        let n_data = self.decoder.message.variadic_count(target.cursor.variadic)?;
        let Some(buffer) = self.elements(target, 0)? else { return Ok(None) };
        let views: &[View] = buffer.view().map_err(|_| IpcError::internal("the views are misaligned"))?;
        // Data buffers follow the views.
        let first = target.cursor.buffer + 1;
        let requested = |data_idx: usize| {
            let idx = first + data_idx;
            let buffer = EntryBuffer { idx, role: Role::Variadic, n_slots: 0, needed: None };
            RequestedBuffer { buffer, share: (0, 0) }
        };
        let mut named: Vec<Option<Range<u64>>> = vec![None; n_data];
        // For each data buffer, its length. Outer `None`: no view refers to the buffer. Inner `None`: the length has not
        // arrived.
        let mut lengths: Vec<Option<Option<u64>>> = vec![None; n_data];
        let mut n_named_bytes: u64 = 0;
        for (slot, view) in views.iter().enumerate() {
            let is_valid = validity.is_none_or(|validity| validity.get(slot) == Some(true));
            let range = if is_valid { named_by(view) } else { None };
            let Some((data_idx, range)) = range else {
                continue;
            };
            let Some((named, length)) = named.get_mut(data_idx).zip(lengths.get_mut(data_idx)) else {
                continue;
            };
            let known = match length {
                Some(known) => *known,
                None => *length.insert(self.n_bytes(&requested(data_idx))?),
            };
            let Some(n_bytes) = known else { continue };
            if range.end <= n_bytes {
                n_named_bytes = n_named_bytes.saturating_add(length_of(&range));
                *named = Some(match named.take() {
                    Some(named) => named.start.min(range.start)..named.end.max(range.end),
                    None => range,
                });
            }
        }
        let ranges = named.iter().flatten().map(length_of);
        self.refer(n_named_bytes, ranges.fold(0, u64::saturating_add));
        let Some(data) = self.named_data(&named, requested)? else { return Ok(None) };
        if lengths.contains(&Some(None)) {
            return Ok(None);
        }
        let start_of = |data_idx: usize| named.get(data_idx)?.as_ref().map(|range| range.start);
        let data = (n_data > 0).then(|| Arc::from(data));
        if (0..n_data).all(|data_idx| start_of(data_idx).unwrap_or(0) == 0) {
            return Ok(Some((buffer, data)));
        }
        self.decoder.account.copied.spend("bytes of views that are moved", buffer.len() as u64)?;
        let moved = |view: &View| {
            let (data_idx, _) = named_by(view)?;
            let start = i32::try_from(start_of(data_idx)?).ok()?;
            let offset = view.offset().checked_sub(start).filter(|offset| *offset >= 0)?;
            Some(View::from_parts(view.n_bytes(), view.prefix(), view.buffer_idx(), offset))
        };
        let views: Vec<View> = views.iter().map(|view| moved(view).unwrap_or(*view)).collect();
        Ok(Some((self.charged(Buffer::from(views))?, data)))
    }
}

impl RowsDecoder<'_, '_> {
    /// Reads the ranges `named` of the data buffers. A buffer without a range becomes empty.
    fn named_data(
        &mut self,
        named: &[Option<Range<u64>>],
        requested: impl Fn(usize) -> RequestedBuffer,
    ) -> PendingResult<Vec<Buffer>> {
        let is_shared = std::mem::replace(&mut self.is_shared, true);
        let last_named = named.iter().rposition(Option::is_some).unwrap_or(0);
        let mut data = Vec::with_capacity(named.len());
        for (data_idx, range) in named.iter().enumerate() {
            let requested = requested(data_idx);
            match range {
                Some(range) => data.extend(self.bytes(&requested, 0, range.clone())?),
                // If views are in order, later rows refer to this buffer, so the buffer is not skipped.
                None if data_idx > last_named && self.source.frame_rest != FrameRest::Checked => {
                    data.push(Buffer::new())
                }
                None => data.extend(self.skip_buffer(&requested)?.map(|()| Buffer::new())),
            }
        }
        self.is_shared = is_shared;
        Ok(Some(data).filter(|data| data.len() == named.len()))
    }
}

/// The index of the data buffer that a view refers to, and the range of its bytes; `None` for an inline view.
fn named_by(view: &View) -> Option<(usize, Range<u64>)> {
    let n_bytes = usize::try_from(view.n_bytes()).ok().filter(|n_bytes| *n_bytes > MAX_INLINE_BYTES)?;
    let data_idx = usize::try_from(view.buffer_idx()).ok()?;
    let start = u64::try_from(view.offset()).ok()?;
    Some((data_idx, start..start.checked_add(n_bytes as u64)?))
}

impl RowsDecoder<'_, '_> {
    /// Reads the type ids and offsets of the window, and computes the range of slots to read from each child. A slot with
    /// an unknown type id selects no child.
    pub(super) fn dense_union(
        &mut self,
        target: &TargetColumn<'_>,
    ) -> PendingResult<([Buffer; 2], Vec<SlotWindow>)> {
        let type_ids = self.elements(target, 0)?;
        let offsets = self.elements(target, 1)?;
        let (Some(type_ids), Some(offsets)) = (type_ids, offsets) else { return Ok(None) };
        let mut children_of = [None; 256];
        for (type_id, child) in (0..=u8::MAX).zip(&mut children_of) {
            *child =
                target.column.data_type.as_union().and_then(|union| union.child_of(type_id.cast_signed()));
        }
        let child_of = |type_id: u8| children_of.get(usize::from(type_id)).copied().flatten();
        let requested = self.requested_buffer(target, 1);
        let selected: Vec<SelectedColumn> = target.selected.children(self.decoder.columns).collect();
        // For each child: its number of slots, the window, and how many slots of the union select it.
        let mut children: Vec<(u64, SlotWindow, u64)> = Vec::new();
        for child in &selected {
            children.push((self.node(child.position())?.n_slots(), 0..0, 0));
        }
        let numbers = numbers::<i32>(&offsets)?;
        for (type_id, offset) in type_ids.iter().zip(numbers) {
            let child = child_of(*type_id).and_then(|child_idx| children.get_mut(child_idx));
            let Some((n_slots, window, n_selected)) = child else { continue };
            let Some(slot) = u64::try_from(*offset).ok().filter(|slot| slot < n_slots) else {
                let kind =
                    DataErrorKind::UnionOffsetOutOfRange { offset: (*offset).into(), n_slots: *n_slots };
                return Err(DataError::from(kind))
                    .in_buffer(requested.buffer.idx, Some(requested.buffer.role));
            };
            // No overflow: `slot` is less than the number of slots of the child.
            *window = if window.is_empty() {
                slot..slot + 1
            } else {
                window.start.min(slot)..window.end.max(slot + 1)
            };
            *n_selected += 1;
        }
        let mut windows: Vec<SlotWindow> = Vec::with_capacity(children.len());
        for (child, (_, window, n_selected)) in selected.iter().zip(children) {
            let window = self.with_unreferred(target, child, window)?;
            self.refer(n_selected, length_of(&window));
            windows.push(window);
        }
        if windows.iter().all(|window| window.start == 0) {
            return Ok(Some(([type_ids, offsets], windows)));
        }
        // No overflow: each start is an offset, which has 32 bits.
        let starts = children_of.map(|child| {
            let window = child.and_then(|child_idx| windows.get(child_idx));
            window.map_or(0, |window| i64::try_from(window.start).unwrap_or(i64::MAX))
        });
        let start_of = |type_id: u8| starts.get(usize::from(type_id)).copied().unwrap_or_default();
        let moved = type_ids
            .iter()
            .zip(numbers)
            .map(|(type_id, offset)| i64::from(*offset).saturating_sub(start_of(*type_id)));
        let offsets = self.write(moved, OffsetType::Int32)?;
        Ok(Some(([type_ids, offsets], windows)))
    }
}

impl RowsDecoder<'_, '_> {
    /// Reads the run ends and values of the runs in the window. The run ends are not rebased, so the array gets an
    /// offset. Invalid run ends stay out of order, or do not reach the end of the window.
    pub(super) fn runs(
        &mut self,
        target: &TargetColumn<'_>,
        run_end_type: RunEndType,
    ) -> PendingResult<Arc<[ArrayData]>> {
        let children: Vec<SelectedColumn> = target.selected.children(self.decoder.columns).collect();
        let [ends, values] = &*children else {
            return Err(IpcError::internal(
                "a run-end encoded array has other children than run ends and values",
            ));
        };
        let (n_runs, n_values) =
            (self.node(ends.position())?.n_slots(), self.node(values.position())?.n_slots());
        if n_values < n_runs {
            let kind = DataErrorKind::RunCount { n_runs, n_values };
            return self.decoder.locate(target.selected, kind.into());
        }
        let is_shared = std::mem::replace(&mut self.is_shared, true);
        let columns = self.decoder.columns;
        let runs = self.runs_of(target, ends, run_end_type, n_runs);
        let Some(runs) = runs.in_field(|| columns.path(ends.position()))? else {
            self.is_shared = is_shared;
            return Ok(None);
        };
        // If the column has more values than runs, the last step reads the remaining values, too.
        let is_to_end = runs.end == n_runs && self.source.slots == ChildSlots::All;
        let values_end = if is_to_end { n_values } else { runs.end };
        let mut arrays = Vec::with_capacity(2);
        self.column(ends, runs.clone(), &mut arrays)?;
        self.column(values, runs.start..values_end, &mut arrays)?;
        self.is_shared = is_shared;
        Ok((arrays.len() == 2).then(|| arrays.into()))
    }

    /// Finds the runs in a window. Begins at a run at or shortly before the window, and reads as many run ends as the
    /// window probably has. Reads more if these do not reach the end of the window.
    fn runs_of(
        &mut self,
        target: &TargetColumn<'_>,
        ends: &SelectedColumn,
        run_end_type: RunEndType,
        n_runs: u64,
    ) -> PendingResult<Range<u64>> {
        let before = &self.source.state.tally;
        let start = target.window.start;
        let last = target.window.end - 1;
        let is_after = before.end_of(target.position) > 0 && start >= before.end_of(target.position);
        let (first, few) = if is_after {
            (before.end_of(ends.position()).saturating_sub(1).min(n_runs), FEW)
        } else {
            // A run has at least one slot.

            let until = (start + 1).min(n_runs);
            let Some(first) = self.first_run(ends, run_end_type, until, start)? else {
                return Ok(None);
            };
            (first, self.n_ends_at_once())
        };
        let n_slots = length_of(&target.window);
        let n_likely = share_of(n_runs - first, n_slots, target.n_slots() - start);
        let mut n_looked_at = n_likely.saturating_add(n_likely / 4).saturating_add(few);
        loop {
            let window = first..first.saturating_add(n_looked_at).min(n_runs);
            let Some(bytes) = self.run_ends(ends, window.clone())? else { return Ok(None) };
            let (n_before, n_to_last) = count_ends(run_end_type, &bytes, (start, last))?;
            let is_last = window.end == n_runs;
            if !is_last && first + n_to_last >= window.end {
                n_looked_at = n_looked_at.saturating_mul(2);
                continue;
            }
            let is_to_end = target.reaches_end() && self.source.slots == ChildSlots::All;
            let end = if is_to_end { n_runs } else { (first + n_to_last + 1).min(n_runs) };
            return Ok(Some((first + n_before).min(end)..end));
        }
    }

    /// Finds the run that contains a slot, or an earlier run close to it. Compressed run ends are read from the start or
    /// from a known run. Uncompressed run ends are found by binary search.
    fn first_run(
        &mut self,
        ends: &SelectedColumn,
        run_end_type: RunEndType,
        mut until: u64,
        slot: u64,
    ) -> PendingResult<u64> {
        let is_compressed = self.decoder.message.compression().is_some();
        let mut first = self.source.state.run_before(ends.position(), slot).min(until);
        while until - first > self.n_ends_at_once() {
            let window = if is_compressed {
                first..first + self.n_ends_at_once()
            } else {
                let middle = first.midpoint(until);
                middle..middle + 1
            };
            let Some(bytes) = self.run_ends(ends, window.clone())? else { return Ok(None) };
            let (n_before, _) = count_ends(run_end_type, &bytes, (slot, slot))?;
            if n_before == length_of(&window) {
                first = window.end;
                self.source.state.skip_runs(ends.position(), (slot, first));
            } else if is_compressed {
                break;
            } else {
                until = window.end;
            }
        }
        Ok(Some(first))
    }

    /// The number of run ends to read at once during a search.
    fn n_ends_at_once(&self) -> u64 {
        const DECOMPRESSED: u64 = 1 << 16;
        if self.decoder.message.compression().is_some() { DECOMPRESSED } else { FEW }
    }

    /// Reads some run ends. Their bytes do not count towards `max_bytes`, and not as copies of the batch, since the run
    /// ends that the search finds are read and counted again. So each step of a batch in parts may search.
    fn run_ends(&mut self, ends: &SelectedColumn, window: Range<u64>) -> PendingResult<Buffer> {
        if window.is_empty() {
            return Ok(Some(Buffer::new()));
        }
        let position = ends.position();
        let (mut cursor, node) = self.entries_of(position)?;
        cursor.buffer += 1;
        let column = self.decoder.columns.at(position);
        let target = TargetColumn { selected: ends, position, column, node, cursor, window };
        let n_bytes = self.n_bytes;
        let max_bytes = self.source.max_bytes.take();
        let n_copied = self.decoder.account.copied.n_spent();
        // The search reads later run ends next, so the frame stays open.
        let frame_rest = std::mem::replace(&mut self.source.frame_rest, FrameRest::Needed);
        let found = self.elements(&target, 0);
        self.source.frame_rest = frame_rest;
        self.n_bytes = n_bytes;
        self.source.max_bytes = max_bytes;
        let n_searched = self.decoder.account.copied.n_spent().saturating_sub(n_copied);
        self.decoder.account.copied.refund(n_searched);
        found
    }
}

/// The number of run ends to read in addition to the expected number.
const FEW: u64 = 1024;

/// For each of two slots, the number of run ends that are at most this slot. The run ends must be in order.
fn count_ends(run_end_type: RunEndType, bytes: &Buffer, slots: (u64, u64)) -> Result<(u64, u64)> {
    match run_end_type {
        RunEndType::Int16 => count_ends_of::<i16>(bytes, slots),
        RunEndType::Int32 => count_ends_of::<i32>(bytes, slots),
        RunEndType::Int64 => count_ends_of::<i64>(bytes, slots),
    }
}

fn count_ends_of<T: NativeType + Into<i64>>(bytes: &Buffer, (start, last): (u64, u64)) -> Result<(u64, u64)> {
    let numbers = numbers::<T>(bytes)?;
    let ends_before = |slot: u64| {
        numbers.partition_point(|end| u64::try_from((*end).into()).is_ok_and(|end: u64| end <= slot)) as u64
    };
    Ok((ends_before(start), ends_before(last)))
}
