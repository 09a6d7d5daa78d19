//! Walks columns and makes their arrays. The buffers of a column come from the whole body, or from requested ranges.

use std::{ops::Range, sync::Arc};

use arrow_buffer::Bitmap;
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind, RecordBatch, Role, Validation};
use arrow_schema::FieldPath;

use super::{
    decode::{BatchDecoder, HeaderCursor, to_usize},
    select::{ProjectedSchema, SelectedColumn},
    union_nulls::with_nulls,
};
use crate::error::{Context, CopyCause, Result};
use arrow_ipc_format::{
    FieldNode,
    columns::{Column, ExtraBuffer},
    length_of,
};

/// A result that may have to wait: `None` if bytes are missing.
pub(super) type PendingResult<T> = Result<Option<T>>;

/// A range of slots of a column.
pub(super) type SlotWindow = Range<u64>;

/// A column that is being decoded, and the positions of its node and buffers in the lists.
pub(super) struct WalkColumn<'a> {
    pub(super) selected: &'a SelectedColumn,
    pub(super) position: usize,
    pub(super) column: &'a Column,
    pub(super) node: FieldNode,
    /// The position of the column's next buffer in the lists.
    pub(super) cursor: HeaderCursor,
    pub(super) window: SlotWindow,
}

impl WalkColumn<'_> {
    pub(super) fn n_slots(&self) -> u64 {
        self.node.n_slots()
    }

    #[cfg(feature = "file")]
    pub(super) fn reaches_end(&self) -> bool {
        self.window.end == self.n_slots()
    }
}

pub(super) trait ColumnWalk<'a> {
    fn decoder(&mut self) -> &mut BatchDecoder<'a>;

    fn has_dictionaries(&self) -> bool {
        true
    }

    /// Finds the node and buffers of a column. Without a window, all slots are decoded. Returns `None` if no slot is
    /// needed.
    fn enter<'s>(
        &mut self,
        selected: &'s SelectedColumn,
        window: Option<SlotWindow>,
    ) -> Result<Option<WalkColumn<'s>>>
    where
        'a: 's;

    /// Adds the validity bitmap. Its buffer is the next one, and may be empty.
    fn validity(&mut self, target: &mut WalkColumn<'_>, parts: &mut ArrayParts) -> PendingResult<()>;

    /// Advances past an extra validity buffer that is no bitmap.
    fn skip_extra(&mut self, extra: ExtraBuffer, target: &mut WalkColumn<'_>) -> Result<()>;

    /// Adds the other buffers and the children. `validity` is `None` if bytes of the validity bitmap are missing.
    fn fill(
        &mut self,
        target: &WalkColumn<'_>,
        validity: Option<()>,
        parts: &mut ArrayParts,
    ) -> PendingResult<()>;

    /// Called with each array that has been made.
    fn leave(&mut self, _: &WalkColumn<'_>, _: &ArrayData) {}

    /// Decodes slots of a column and appends the array to `arrays`. An array is not returned, since moving it would cost
    /// as much as decoding it.
    fn column(
        &mut self,
        selected: &SelectedColumn,
        window: Option<SlotWindow>,
        arrays: &mut Vec<ArrayData>,
    ) -> PendingResult<()> {
        let BatchDecoder { columns, extra, .. } = *self.decoder();
        let position = selected.position();
        let column = columns.at(position);
        let path = || columns.path(position);
        let data_type = selected.data_type(columns);
        let Some(mut target) = self.enter(selected, window)? else {
            arrays.push(ArrayData::new_empty(data_type));
            return Ok(Some(()));
        };
        let n_slots = to_usize(length_of(&target.window), "slots").in_field(path)?;
        let mut parts = ArrayParts::new(data_type.clone(), n_slots);
        if target.window == (0..target.n_slots()) {
            let null_count = target.node.null_count();
            parts.declared_null_count = null_count.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        }
        let extra = column.extra_buffer(extra);
        let buffer_idx = target.cursor.buffer;
        let validity = match (extra, column.layout.has_validity()) {
            (Some(ExtraBuffer::Bitmap), _) | (None, true) => {
                self.validity(&mut target, &mut parts).in_field(path)?
            }
            (Some(extra @ (ExtraBuffer::Empty | ExtraBuffer::Ignored)), _) => {
                Some(self.skip_extra(extra, &mut target).in_field(path)?)
            }
            (None, false) => Some(()),
        };
        let mut keep = None;
        if extra == Some(ExtraBuffer::Bitmap) && validity.is_some() {
            let nulls = nulls_of_union(parts.validity.take(), parts.declared_null_count);
            keep = nulls.in_buffer(buffer_idx, Some(Role::Validity)).in_field(path)?;
        }
        let filled = self.fill(&target, validity, &mut parts)?;
        let (Some(()), Some(())) = (filled, validity) else { return Ok(None) };
        if let Some(dictionary) = column.dictionary {
            if !self.has_dictionaries() {
                return Ok(None);
            }
            let dictionaries = self.decoder().context.dictionaries;
            parts.dictionary = Some(dictionaries.values_for(dictionary, &parts).in_field(path)?);
        }
        match ArrayData::try_new(parts) {
            Ok(array) => arrays.push(array),
            // Decoding the children has succeeded, so the error belongs to this array.
            Err(error) => return self.decoder().locate(selected, error),
        }
        if let Some(array) = arrays.last() {
            self.leave(&target, array);
        }
        if let Some(keep) = keep
            && let Some(array) = arrays.pop()
        {
            let BatchDecoder { account, context, .. } = self.decoder();
            let n_bytes = keep.len().div_ceil(8) as u64;
            let allowed = context.options.allow_copy(CopyCause::UnionNulls, n_bytes);
            let made = allowed.and_then(|()| with_nulls(array, &keep, &mut account.copied));
            arrays.push(made.in_field(path)?);
        }
        Ok(Some(()))
    }
}

/// The validity bitmap of a union in V4; `None` if no slot is null.
fn nulls_of_union(bitmap: Option<Bitmap>, declared: Option<usize>) -> Result<Option<Bitmap>> {
    let found = bitmap.as_ref().map_or(0, Bitmap::count_unset);
    match declared {
        Some(declared) if declared != found => {
            let declared = declared as u64;
            let found = found as u64;
            Err(DataError::from(DataErrorKind::NullCount { declared, found }).into())
        }
        _ => Ok(if found > 0 { bitmap } else { None }),
    }
}

/// Makes a batch of checked columns.
pub(super) fn batch_of(
    selection: &ProjectedSchema,
    arrays: Vec<ArrayData>,
    n_rows: usize,
    level: Validation,
) -> Result<RecordBatch> {
    let batch = RecordBatch::try_new_with_rows(Arc::clone(selection.schema()), arrays, n_rows);
    let batch = batch.in_field(FieldPath::root)?;
    if level == Validation::Strict {
        batch.check_required_columns().in_field(FieldPath::root)?;
    }
    Ok(batch)
}
