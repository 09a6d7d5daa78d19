//! Reads some rows of a batch, with only the bytes of its body that they need.
//!
//! Each step walks the columns from the beginning, as far as the bytes allow. Bits and values of a fixed width are
//! requested directly. Offsets, views, type ids and run ends come first, then what they point at. The targets of a number
//! are checked before they are requested. So a wrong number is an error at every level of validation.

mod bounds;
mod bytes;
mod compressed;
mod frames;
mod offsets;
mod runs;
mod sizes;
mod tally;
mod unions;
mod views;

use std::{
    ops::{Range, RangeInclusive},
    sync::Arc,
};

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataErrorKind, Level, Physical, RecordBatch};
use arrow_schema::{FieldPath, UnionMode};

use self::bytes::WantedBuffer;
pub(crate) use self::{
    bounds::{ChildSlots, RowsFound, TakenRows},
    frames::RowState,
    sizes::ColumnSize,
    tally::RowTally,
};
use super::{
    decode::{BatchDecoder, DecodeContext, HeaderCursor, n_needed, to_usize},
    select::{ProjectedSchema, SelectedColumn},
    union_nulls::with_nulls,
};
use crate::{
    alignment::length_of,
    compression::Then,
    error::{Context, IpcError, IpcErrorKind, Result},
    message::Node,
};

/// The source of the bytes of rows.
pub(crate) struct RowSource<'a> {
    pub(crate) bytes: &'a mut dyn BodyBytes,
    pub(crate) state: &'a mut RowState,
    /// Whether the rows after these are read later.
    pub(crate) then: Then,
    /// How many bytes of a frame are taken at once; the range grows with what came before.
    pub(crate) piece_bytes: RangeInclusive<u64>,
    /// Whether all dictionaries that the columns need are loaded. Without them, columns wait.
    pub(crate) has_dictionaries: bool,
    /// The rows may take this many bytes of the body, decompressed.
    pub(crate) max_bytes: Option<u64>,
    pub(crate) slots: ChildSlots,
}

/// The bytes of a body.
pub(crate) trait BodyBytes {
    /// The bytes of a range; `None` if they are missing, which requests them.
    fn take(&mut self, range: Range<u64>) -> Option<Buffer>;

    /// Says that a range will not be taken again.
    fn release(&mut self, range: Range<u64>);
}

/// Slots of a column.
type Window = Range<u64>;

struct RowsDecoder<'a, 'b> {
    decoder: BatchDecoder<'a>,
    context: DecodeContext<'b>,
    source: RowSource<'b>,
    /// The counts of these rows and those before them.
    tally: RowTally,
    /// How many bytes of the body the rows take, decompressed.
    n_bytes: u64,
    is_refused: bool,
    is_scattered: bool,
    /// Whether the column is below one whose rows may share slots.
    is_shared: bool,
}

/// A column, and its entries in the lists.
struct WindowColumn<'a> {
    selected: &'a SelectedColumn,
    position: usize,
    node: Node,
    cursor: HeaderCursor,
    window: Window,
}

impl WindowColumn<'_> {
    fn n_slots(&self) -> u64 {
        self.node.n_slots()
    }

    fn is_whole(&self) -> bool {
        self.window == (0..self.n_slots())
    }

    fn reaches_end(&self) -> bool {
        self.window.end == self.n_slots()
    }
}

/// A result that may have to wait for bytes.
type Waiting<T> = Result<Option<T>>;

impl<'a> BatchDecoder<'a> {
    /// Decodes rows of the selected columns; `None` if bytes are missing, which have been requested.
    ///
    /// # Errors
    /// If these rows do not exist. If what they need is malformed, unsupported or over a limit.
    pub(crate) fn rows<'b>(
        self,
        selection: &ProjectedSchema,
        rows: Range<u64>,
        source: RowSource<'b>,
        context: DecodeContext<'b>,
    ) -> Waiting<RowsFound> {
        let n_rows = self.lists.n_rows();
        if rows.start > rows.end || rows.end > n_rows {
            return Err(IpcErrorKind::NoSuchRows { start: rows.start, end: rows.end, n_rows }.into());
        }
        let n_selected_rows = to_usize(length_of(&rows), "rows")?;
        let mut decoder = RowsDecoder {
            decoder: self,
            context,
            tally: source.state.tally.clone(),
            source,
            n_bytes: 0,
            is_refused: false,
            is_scattered: false,
            is_shared: false,
        };
        // What earlier steps have decompressed counts as what this one does.
        for (n_bytes, n_unneeded) in decoder.source.state.found.values().filter_map(|found| found.charges()) {
            decoder.decoder.account.decompress(n_bytes)?;
            decoder.decoder.account.leave_unneeded(n_unneeded)?;
        }
        let mut arrays = Vec::with_capacity(selection.roots().len());
        for selected in selection.roots() {
            let found = decoder.node(selected.position())?.n_slots();
            if found != n_rows {
                let kind = DataErrorKind::RowCount { expected: n_rows, found };
                return decoder.decoder.locate(selected, kind.into());
            }
            arrays.extend(decoder.column(selected, rows.clone())?);
            if let Some(refused) = decoder.refused() {
                return Ok(Some(refused));
            }
        }
        if arrays.len() < selection.roots().len() {
            return Ok(None);
        }
        for (selected, array) in selection.roots().iter().zip(&mut arrays) {
            decoder.decoder.validate(selected, array, context)?;
        }
        let batch = RecordBatch::try_new_with_rows(Arc::clone(selection.schema()), arrays, n_selected_rows);
        let batch = batch.in_field(FieldPath::root)?;
        if context.level == Level::Strict {
            batch.check_required_columns().in_field(FieldPath::root)?;
        }
        let RowsDecoder { decoder: BatchDecoder { account, .. }, source, tally, n_bytes, .. } = decoder;
        source.state.tally = tally;
        Ok(Some(RowsFound::Read(Box::new(TakenRows { batch, account, n_bytes }))))
    }
}

impl<'a> RowsDecoder<'a, '_> {
    fn node(&self, position: usize) -> Result<Node> {
        let columns = self.decoder.columns;
        self.decoder.lists.node(self.decoder.node_in_lists(position)).in_field(|| columns.path(position))
    }

    /// Decodes slots of a column, without its unselected children.
    fn column(&mut self, selected: &SelectedColumn, window: Window) -> Waiting<ArrayData> {
        let position = selected.position();
        let columns = self.decoder.columns;
        let column = columns.at(position);
        let path = || columns.path(position);
        let node = self.node(position)?;
        if window.end > node.n_slots() {
            let kind = DataErrorKind::ChildLength { expected: window.end, found: node.n_slots() };
            return self.decoder.locate(selected, kind.into());
        }
        let data_type = match selected {
            SelectedColumn::Whole(_) => &column.data_type,
            SelectedColumn::Pruned(pruned) => &pruned.data_type,
        };
        if window.is_empty() {
            return Ok(Some(ArrayData::new_empty(data_type)));
        }
        let cursor = self.decoder.position_in_lists(position).in_field(path)?;
        let mut target = WindowColumn { selected, position, node, cursor, window };
        let legacy_validity = match column.has_legacy_validity(self.decoder.version) {
            true => self.validity(&mut target).in_field(path)?,
            false => Some(None),
        };
        let validity = match column.layout.has_validity() {
            true => self.validity(&mut target).in_field(path)?,
            false => Some(None),
        };
        let parts = self.parts(&target, data_type.clone(), &validity)?;
        let (Some(mut parts), Some(validity), Some(legacy_validity)) = (parts, validity, legacy_validity)
        else {
            return Ok(None);
        };
        parts.validity = validity;
        if target.is_whole() {
            parts.declared_null_count = node.n_nulls().map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        }
        if let Some(dictionary) = column.dictionary {
            if !self.source.has_dictionaries {
                return Ok(None);
            }
            let values = self.context.dictionaries.values_for(dictionary, &parts).in_field(path)?;
            parts.dictionary = Some(values);
        }
        let array = match ArrayData::try_new(parts) {
            Ok(array) => array,
            // No child has been found to be unsound here.
            Err(error) => return self.decoder.locate(selected, error),
        };
        self.tally.add(position, &target.window, &array);
        match legacy_validity.filter(|bitmap| bitmap.count_unset() > 0) {
            None => Ok(Some(array)),
            Some(keep) => with_nulls(array, &keep, &mut self.decoder.account.copied).in_field(path).map(Some),
        }
    }

    /// The parts of an array except validity and dictionary.
    fn parts(
        &mut self,
        target: &WindowColumn<'_>,
        data_type: arrow_schema::DataType,
        validity: &Option<Option<Bitmap>>,
    ) -> Waiting<ArrayParts> {
        let columns = self.decoder.columns;
        let layout = &columns.at(target.position).layout;
        let path = || columns.path(target.position);
        let Window { start, end } = target.window;
        let n_slots = to_usize(end.saturating_sub(start), "slots").in_field(path)?;
        let mut parts = ArrayParts::new(data_type, n_slots);
        match layout.physical() {
            Physical::Null => {}
            Physical::Bits => {
                let Some(bits) = self.bits(self.place(target, 0)).in_field(path)? else { return Ok(None) };
                (parts.buffers[0], parts.offset) = bits;
            }
            Physical::Fixed(_) | Physical::Dictionary(_) => {
                let Some(values) = self.elements(target, 0).in_field(path)? else { return Ok(None) };
                parts.buffers[0] = values;
            }
            Physical::Bytes(offset_type) => {
                let found = self.bytes_of_slots(target, offset_type).in_field(path)?;
                let Some(buffers) = found else { return Ok(None) };
                parts.buffers = buffers;
            }
            Physical::Views => {
                let Some(validity) = validity else {
                    // Only valid views name bytes; views and validity are requested together.
                    self.elements(target, 0).in_field(path)?;
                    return Ok(None);
                };
                let found = self.views(target, validity.as_ref()).in_field(path)?;
                let Some((views, data)) = found else { return Ok(None) };
                (parts.buffers[0], parts.variadic) = (views, data);
            }
            Physical::List(offset_type) => {
                let found = self.list_offsets(target, offset_type).in_field(path)?;
                let Some((offsets, items)) = found else { return Ok(None) };
                parts.buffers[0] = offsets;
                return self.with_children(parts, target, |_| Some(items.clone()));
            }
            Physical::ListView(offset_type) => {
                let found = self.list_views(target, offset_type).in_field(path)?;
                let Some((buffers, items)) = found else { return Ok(None) };
                parts.buffers = buffers;
                return self.with_children(parts, target, |_| Some(items.clone()));
            }
            Physical::FixedSizeList(size) => {
                let items =
                    start.checked_mul(u64::from(size.get())).zip(end.checked_mul(u64::from(size.get())));
                let Some((start, end)) = items else {
                    let kind = DataErrorKind::SizeOverflow { n_slots: target.n_slots() };
                    return self.decoder.locate(target.selected, kind.into());
                };
                return self.with_children(parts, target, |_| Some(start..end));
            }
            Physical::Struct => {
                self.check_lengths(target)?;
                return self.with_children(parts, target, |_| Some(start..end));
            }
            Physical::Union(UnionMode::Sparse) => {
                self.check_lengths(target)?;
                let type_ids = self.elements(target, 0).in_field(path)?;
                let parts_of = self.with_children(parts, target, |_| Some(start..end))?;
                let (Some(mut parts), Some(type_ids)) = (parts_of, type_ids) else { return Ok(None) };
                parts.buffers[0] = type_ids;
                return Ok(Some(parts));
            }
            Physical::Union(UnionMode::Dense) => {
                let Some((buffers, windows)) = self.dense_union(target).in_field(path)? else {
                    return Ok(None);
                };
                parts.buffers = buffers;
                let window_of = |child_idx: usize| windows.get(child_idx).cloned();
                return self.with_children(parts, target, window_of);
            }
            Physical::Runs(run_end_type) => {
                let Some(children) = self.runs(target, run_end_type)? else { return Ok(None) };
                parts.children = Some(children);
                parts.offset = to_usize(start, "slots").in_field(path)?;
            }
        }
        Ok(Some(parts))
    }

    /// Adds the children, each with its own window. All of them are walked, so that all missing bytes are requested
    /// together.
    fn with_children(
        &mut self,
        mut parts: ArrayParts,
        target: &WindowColumn<'_>,
        window_of: impl Fn(usize) -> Option<Window>,
    ) -> Waiting<ArrayParts> {
        let children = self.children(target.selected);
        let is_shared = self.is_shared;
        self.is_shared |= !self.decoder.columns.at(target.position).layout.has_own_items();
        let mut arrays = Vec::with_capacity(children.len());
        for (child_idx, child) in children.iter().enumerate() {
            let window = window_of(child_idx);
            let window = window.ok_or_else(|| IpcError::internal("a child of a union has no window"))?;
            arrays.extend(self.column(child, window)?);
        }
        self.is_shared = is_shared;
        if arrays.len() < children.len() {
            return Ok(None);
        }
        if !arrays.is_empty() {
            parts.children = Some(arrays.into());
        }
        Ok(Some(parts))
    }

    /// The decoded children of a column.
    fn children(&self, selected: &SelectedColumn) -> Vec<SelectedColumn> {
        match selected {
            SelectedColumn::Whole(position) => {
                self.decoder.columns.children(*position).map(SelectedColumn::Whole).collect()
            }
            SelectedColumn::Pruned(pruned) => pruned.children.clone(),
        }
    }

    /// Checks that all decoded children have the length of their parent.
    fn check_lengths(&self, target: &WindowColumn<'_>) -> Result<()> {
        for child in self.children(target.selected) {
            let (expected, found) = (target.n_slots(), self.node(child.position())?.n_slots());
            if expected != found {
                let kind = DataErrorKind::ChildLength { expected, found };
                return self.decoder.locate(&child, kind.into());
            }
        }
        Ok(())
    }

    fn place(&self, target: &WindowColumn<'_>, data_buffer: usize) -> WantedBuffer {
        let specs = self.decoder.columns.at(target.position).layout.data_buffers();
        let spec = specs.get(data_buffer);
        WantedBuffer {
            buffer_idx: target.cursor.buffer.saturating_add(data_buffer),
            role: spec.map_or(arrow_data::Role::Values, |spec| spec.role),
            window: target.window.clone(),
            n_slots: target.n_slots(),
            needed: spec.and_then(|spec| n_needed(spec, target.n_slots())),
            share: (target.window.end, target.n_slots()),
        }
    }
}
