//! Reads some rows of a batch. Requests only those bytes of the body that the rows need.
//!
//! Each step walks the columns from the beginning, until bytes are missing. Bits and values of a fixed width are
//! requested directly. Offsets, views, type ids and run ends are requested first, then the values that they refer to.
//! Each of these references is checked before its values are requested, so an invalid reference is an error at every
//! level of validation.

mod bytes;
mod measured_column;
mod references;
mod state;

use std::ops::{Range, RangeInclusive};

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataErrorKind, Physical, RecordBatch, Role};
use arrow_schema::UnionMode;

pub(crate) use self::{
    measured_column::MeasuredColumn,
    state::{RowState, RowTally},
};
use super::{
    account::Account,
    decode::{BatchDecoder, EntryBuffer, HeaderCursor, ValidityBuffer, declared_null_count, to_usize},
    select::{ProjectedSchema, SelectedColumn},
    union_nulls::take_union_nulls,
};
use crate::{
    compression::FrameRest,
    error::{Context, IpcError, IpcErrorKind, Result},
};
use arrow_ipc_format::{FieldNode, columns::Column, length_of};

/// The source of bytes for some rows, and limits on reading them.
pub(crate) struct RowSource<'a> {
    pub(crate) bytes: &'a mut dyn BodyBytes,
    pub(crate) state: &'a mut RowState,
    /// Whether later rows will be read, and whether each started frame is decompressed to its end.
    pub(crate) frame_rest: FrameRest,
    /// The minimum and maximum number of compressed bytes to request at once. Between them, the number grows with the
    /// number of bytes that have been read. A better estimate from earlier bytes of the frame takes precedence.
    pub(crate) piece_bytes: RangeInclusive<u64>,
    /// Whether all dictionaries of the columns are loaded. If not, dictionary-encoded columns wait.
    pub(crate) has_dictionaries: bool,
    /// The greatest number of decompressed bytes that the rows may need.
    pub(crate) max_bytes: Option<u64>,
    pub(crate) slots: ChildSlots,
}

pub(crate) trait BodyBytes {
    /// The bytes of a range of the body. If bytes are missing, requests them and returns `None`.
    fn take(&mut self, range: Range<u64>) -> Option<Buffer>;

    /// Drops the bytes of a range, which will not be requested again.
    fn release(&mut self, range: Range<u64>);
}

/// Which slots of children to read if the rows do not refer to all slots. This affects only items of list views and
/// children of dense unions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ChildSlots {
    /// The range from the first to the last slot that the rows refer to.
    #[default]
    OfRows,
    /// The range of `OfRows`, extended to earlier slots that have not been read. So all slots are read once all rows
    /// are read.
    All,
}

pub(crate) enum BoundedRows {
    Read(Box<DecodedRows>),
    /// The rows need more bytes than allowed. No bytes beyond the limit were read. `is_scattered` means that the rows
    /// refer to bytes so far apart that fewer rows would need almost as many bytes.
    TooMany {
        is_scattered: bool,
    },
}

impl BoundedRows {
    /// Returns the rows, for callers that set no limit on bytes.
    ///
    /// # Errors
    /// An internal error if the rows need more bytes than allowed.
    pub(crate) fn unbounded(self) -> Result<DecodedRows> {
        match self {
            BoundedRows::Read(taken) => Ok(*taken),
            BoundedRows::TooMany { .. } => Err(IpcError::internal("rows were refused without a limit")),
        }
    }
}

pub(crate) struct DecodedRows {
    pub(crate) batch: RecordBatch,
    /// The charges of all rows of the batch so far.
    pub(crate) account: Account,
    /// The number of decompressed bytes of the body that the rows needed.
    pub(crate) n_bytes: u64,
}

/// A result that may have to wait: `None` if bytes are missing.
type PendingResult<T> = Result<Option<T>>;

/// A range of slots of a column.
type SlotWindow = Range<u64>;

/// A column that is being decoded, and the positions of its node and buffers in the lists.
struct TargetColumn<'a> {
    selected: &'a SelectedColumn,
    position: usize,
    column: &'a Column,
    node: FieldNode,
    /// The position of the column's next buffer in the lists.
    cursor: HeaderCursor,
    window: SlotWindow,
}

impl TargetColumn<'_> {
    fn n_slots(&self) -> u64 {
        self.node.n_slots()
    }

    fn reaches_end(&self) -> bool {
        self.window.end == self.n_slots()
    }
}

struct RowsDecoder<'a, 'b> {
    decoder: BatchDecoder<'a>,
    source: RowSource<'b>,
    /// The numbers of slots and nulls in these rows and all earlier rows.
    tally: RowTally,
    /// The number of decompressed bytes of the body that the rows need.
    n_bytes: u64,
    is_refused: bool,
    is_scattered: bool,
    /// Whether the current column lies below a column whose slots may share items, such as a list view.
    is_shared: bool,
}

#[derive(Debug, Clone)]
struct RequestedBuffer {
    buffer: EntryBuffer,
    /// The end of the needed slots, and the number of slots of the column. Their ratio estimates the needed share of
    /// the buffer.
    share: (u64, u64),
}

impl<'b> RowSource<'b> {
    /// Decodes rows of the selected columns. If bytes are missing, requests them and returns `None`.
    ///
    /// # Errors
    /// If the batch does not have these rows. If data that the rows need is invalid, unsupported or over a limit.
    pub(crate) fn rows(
        self,
        decoder: BatchDecoder<'_>,
        selection: &ProjectedSchema,
        rows: Range<u64>,
    ) -> PendingResult<BoundedRows> {
        let n_rows = decoder.message.n_rows();
        if rows.start > rows.end || rows.end > n_rows {
            return Err(IpcErrorKind::NoSuchRows { start: rows.start, end: rows.end, n_rows }.into());
        }
        let n_selected_rows = to_usize(length_of(&rows), "rows")?;
        let mut decoder = RowsDecoder {
            decoder,
            tally: self.state.tally.clone(),
            source: self,
            n_bytes: 0,
            is_refused: false,
            is_scattered: false,
            is_shared: false,
        };
        // Bytes that earlier steps have decompressed are charged to this step, too.
        for (n_bytes, n_unneeded) in decoder.source.state.found.values().filter_map(|found| found.charges()) {
            decoder.decoder.account.decompress(n_bytes)?;
            decoder.decoder.account.charge_unneeded(n_unneeded)?;
        }
        let mut arrays = Vec::with_capacity(selection.roots().len());
        for selected in selection.roots() {
            let found = decoder.node(selected.position())?.n_slots();
            if found != n_rows {
                let kind = DataErrorKind::RowCount { expected: n_rows, found };
                return decoder.decoder.locate(selected, kind.into());
            }
            decoder.column(selected, rows.clone(), &mut arrays)?;
            if decoder.is_refused {
                return Ok(Some(BoundedRows::TooMany { is_scattered: decoder.is_scattered }));
            }
        }
        if arrays.len() < selection.roots().len() {
            return Ok(None);
        }
        decoder.decoder.validate(selection.roots(), &mut arrays)?;
        let batch = selection.record_batch(arrays, n_selected_rows, decoder.decoder.context.level())?;
        let RowsDecoder { decoder: BatchDecoder { account, .. }, source, tally, n_bytes, .. } = decoder;
        source.state.tally = tally;
        Ok(Some(BoundedRows::Read(Box::new(DecodedRows { batch, account, n_bytes }))))
    }
}

impl RowsDecoder<'_, '_> {
    /// Decodes slots of a column, and appends the array to `arrays`.
    fn column(
        &mut self,
        selected: &SelectedColumn,
        window: SlotWindow,
        arrays: &mut Vec<ArrayData>,
    ) -> PendingResult<()> {
        let columns = self.decoder.columns;
        let position = selected.position();
        let path = || columns.path(position);
        let (cursor, node) = self.entries_of(position)?;
        let found = node.n_slots();
        if window.end > found {
            let kind = DataErrorKind::ChildLength { expected: window.end, found };
            return self.decoder.locate(selected, kind.into());
        }
        if window.is_empty() {
            arrays.push(ArrayData::new_empty(selected.data_type(columns)));
            return Ok(Some(()));
        }
        let mut target =
            TargetColumn { selected, position, column: columns.at(position), node, cursor, window };
        let n_slots = to_usize(length_of(&target.window), "slots").in_field(path)?;
        let mut parts = ArrayParts::new(selected.data_type(columns).clone(), n_slots);
        if target.window == (0..target.n_slots()) {
            parts.declared_null_count = declared_null_count(node);
        }
        let mut union_nulls = None;
        let buffer_idx = target.cursor.buffer;
        let validity = match self.decoder.validity_buffer(target.column) {
            ValidityBuffer::Absent => Some(()),
            ValidityBuffer::Bitmap => self.validity(&mut target, &mut parts).in_field(path)?,
            ValidityBuffer::UnionNulls => {
                let found = self.validity(&mut target, &mut parts).in_field(path)?;
                if found.is_some() {
                    let nulls = take_union_nulls(&mut parts);
                    union_nulls = nulls.in_buffer(buffer_idx, Some(Role::Validity)).in_field(path)?;
                }
                found
            }
            ValidityBuffer::Skipped(extra) => {
                target.cursor.buffer += 1;
                Some(self.decoder.skip_extra(extra, buffer_idx).in_field(path)?)
            }
        };
        let filled = self.fill(&target, validity, &mut parts)?;
        let has_dictionary = target.column.dictionary.is_none() || self.source.has_dictionaries;
        if filled.is_none() || validity.is_none() || !has_dictionary {
            return Ok(None);
        }
        if let Some(dictionary) = target.column.dictionary {
            let values = self.decoder.context.dictionaries.values_for(dictionary, &parts);
            parts.dictionary = Some(values.in_field(path)?);
        }
        match ArrayData::try_new(parts) {
            // An array is not returned, since moving it would cost as much as decoding it.
            Ok(array) => arrays.push(array),
            // Decoding the children has succeeded, so the error belongs to this array.
            Err(error) => return self.decoder.locate(selected, error),
        }
        if let Some(array) = arrays.last() {
            self.tally.add(position, &target.window, array);
        }
        if let Some(nulls) = union_nulls {
            self.decoder.move_union_nulls(&nulls, arrays).in_field(path)?;
        }
        Ok(Some(()))
    }

    /// Adds the validity bitmap. Its buffer is the next one, and may be empty.
    fn validity(&mut self, target: &mut TargetColumn<'_>, parts: &mut ArrayParts) -> PendingResult<()> {
        let idx = target.cursor.buffer;
        let n_slots = target.n_slots();
        target.cursor.buffer = idx + 1;
        let buffer = EntryBuffer { idx, role: Role::Validity, n_slots, needed: Some(n_slots.div_ceil(8)) };
        let requested = RequestedBuffer { buffer, share: (target.window.end, n_slots) };
        let Some(found) = self.n_bytes(&requested)? else { return Ok(None) };
        if found == 0 && target.node.null_count().unwrap_or(0) == 0 {
            return Ok(Some(()));
        }
        let n_slots = to_usize(length_of(&target.window), "slots")?;
        let Some((bytes, offset)) = self.bits(&requested, &target.window)? else { return Ok(None) };
        let bitmap = Bitmap::try_new(bytes, offset, n_slots)
            .map_err(|_| IpcError::internal("the bitmap has fewer bytes than its bits need"))?;
        parts.validity = Some(bitmap);
        Ok(Some(()))
    }

    /// Adds the other buffers and the children. `validity` is `None` if bytes of the validity bitmap are missing.
    fn fill(
        &mut self,
        target: &TargetColumn<'_>,
        validity: Option<()>,
        parts: &mut ArrayParts,
    ) -> PendingResult<()> {
        let columns = self.decoder.columns;
        let position = target.position;
        let path = || columns.path(position);
        let SlotWindow { start, end } = target.window;
        Ok(match target.column.layout.physical() {
            Physical::Null => Some(()),
            Physical::Bits => {
                let found = self.bits(&self.requested_buffer(target, 0), &target.window).in_field(path)?;
                found.map(|bits| (parts.buffers[0], parts.offset) = bits)
            }
            Physical::Fixed(_) | Physical::Dictionary(_) => {
                self.elements(target, 0).in_field(path)?.map(|values| parts.buffers[0] = values)
            }
            Physical::Bytes(offset_type) => {
                let found = self.bytes_of_slots(target, offset_type).in_field(path)?;
                found.map(|buffers| parts.buffers = buffers)
            }
            Physical::Views => match validity {
                Some(()) => {
                    let found = self.views(target, parts.validity.as_ref()).in_field(path)?;
                    found.map(|(views, data)| (parts.buffers[0], parts.variadic) = (views, data))
                }
                // Only valid views refer to bytes, so validity is requested in the same step as views.
                None => self.elements(target, 0).in_field(path)?.and(None),
            },
            Physical::List(offset_type) => {
                let found = self.list_offsets(target, offset_type).in_field(path)?;
                let Some((offsets, items)) = found else { return Ok(None) };
                parts.buffers[0] = offsets;
                self.add_children(parts, target, |_| Some(items.clone()))?
            }
            Physical::ListView(offset_type) => {
                let found = self.list_views(target, offset_type).in_field(path)?;
                let Some((buffers, items)) = found else { return Ok(None) };
                parts.buffers = buffers;
                self.add_children(parts, target, |_| Some(items.clone()))?
            }
            Physical::FixedSizeList(size) => {
                let items =
                    start.checked_mul(u64::from(size.get())).zip(end.checked_mul(u64::from(size.get())));
                let Some((start, end)) = items else {
                    let kind = DataErrorKind::SizeOverflow { n_slots: target.n_slots() };
                    return self.decoder.locate(target.selected, kind.into());
                };
                self.add_children(parts, target, |_| Some(start..end))?
            }
            Physical::Struct => {
                self.check_lengths(target)?;
                self.add_children(parts, target, |_| Some(start..end))?
            }
            Physical::Union(UnionMode::Sparse) => {
                self.check_lengths(target)?;
                let type_ids = self.elements(target, 0).in_field(path)?;
                let children = self.add_children(parts, target, |_| Some(start..end))?;
                type_ids.zip(children).map(|(type_ids, ())| parts.buffers[0] = type_ids)
            }
            Physical::Union(UnionMode::Dense) => {
                let found = self.dense_union(target).in_field(path)?;
                let Some((buffers, windows)) = found else { return Ok(None) };
                parts.buffers = buffers;
                self.add_children(parts, target, |child_idx| windows.get(child_idx).cloned())?
            }
            Physical::Runs(run_end_type) => {
                parts.offset = to_usize(start, "slots").in_field(path)?;
                self.runs(target, run_end_type)?.map(|children| parts.children = Some(children))
            }
        })
    }

    fn entries_of(&self, position: usize) -> Result<(HeaderCursor, FieldNode)> {
        let found = self.decoder.position_in_lists(position);
        let found = found.and_then(|cursor| Ok((cursor, self.decoder.message.node(cursor.node)?)));
        found.in_field(|| self.decoder.columns.path(position))
    }

    fn node(&self, position: usize) -> Result<FieldNode> {
        Ok(self.entries_of(position)?.1)
    }

    /// Decodes the children, each with its own range of slots. Walks all children, even if one has to wait, so that
    /// all missing bytes are requested together.
    fn add_children(
        &mut self,
        parts: &mut ArrayParts,
        target: &TargetColumn<'_>,
        window_of: impl Fn(usize) -> Option<SlotWindow>,
    ) -> PendingResult<()> {
        let is_shared = self.is_shared;
        self.is_shared |= !target.column.layout.has_own_items();
        let mut arrays = Vec::new();
        let mut n_children = 0;
        for child in target.selected.children(self.decoder.columns) {
            let window = window_of(n_children);
            let window =
                window.ok_or_else(|| IpcError::internal("a child of a union has no range of rows"))?;
            self.column(&child, window, &mut arrays)?;
            n_children += 1;
        }
        self.is_shared = is_shared;
        if arrays.len() < n_children {
            return Ok(None);
        }
        parts.children = (n_children > 0).then(|| arrays.into());
        Ok(Some(()))
    }

    /// Checks that the nodes of all decoded children have as many slots as the node of the parent.
    fn check_lengths(&self, target: &TargetColumn<'_>) -> Result<()> {
        for child in target.selected.children(self.decoder.columns) {
            let (expected, found) = (target.n_slots(), self.node(child.position())?.n_slots());
            if expected != found {
                let kind = DataErrorKind::ChildLength { expected, found };
                return self.decoder.locate(&child, kind.into());
            }
        }
        Ok(())
    }

    fn requested_buffer(&self, target: &TargetColumn<'_>, data_buffer: usize) -> RequestedBuffer {
        let idx = target.cursor.buffer + data_buffer;
        let n_slots = target.n_slots();
        let buffer = match target.column.layout.data_buffers().get(data_buffer) {
            Some(spec) => EntryBuffer::new(idx, spec, n_slots),
            None => EntryBuffer { idx, role: Role::Values, n_slots, needed: None },
        };
        RequestedBuffer { buffer, share: (target.window.end, n_slots) }
    }

    /// Marks the rows as scattered if `n_from_first_to_last` is much greater than `n_referred`. Both are numbers of
    /// bytes, or of slots.
    pub(super) fn refer(&mut self, n_referred: u64, n_from_first_to_last: u64) {
        const FAR_TIMES: u64 = 4;
        const NEAR: u64 = 4096;
        let n_near = n_referred.saturating_mul(FAR_TIMES).saturating_add(NEAR);
        self.is_scattered |= n_from_first_to_last > n_near;
    }

    /// The slots of a child to read if the rows refer to `referred`. With `ChildSlots::All`, includes slots to which no
    /// row refers, and which have not been read.
    pub(super) fn with_unreferred(
        &self,
        target: &TargetColumn<'_>,
        child: &SelectedColumn,
        referred: SlotWindow,
    ) -> Result<SlotWindow> {
        if self.source.slots == ChildSlots::OfRows {
            return Ok(referred);
        }
        let n_slots = self.node(child.position())?.n_slots();
        let start = self.source.state.tally.end_of(child.position()).min(n_slots);
        let referred = if referred.is_empty() { start..start } else { referred };
        let end = if target.reaches_end() { n_slots } else { referred.end };
        Ok(referred.start.min(start)..end.max(start))
    }
}
