//! What decoding a column has in common, whether its buffers come from a whole body or from requested ranges.

use std::sync::Arc;

use arrow_buffer::Bitmap;
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind, RecordBatch, Validation};
use arrow_schema::FieldPath;

use super::{decode::BatchDecoder, select::ProjectedSchema, union_nulls::with_nulls};
use crate::error::{Context, CopyCause, Result};
use arrow_ipc_format::{
    FieldNode,
    columns::{Column, ExtraBuffer},
};

/// The number of nulls that a node declares, for an array of all its slots.
#[inline]
pub(super) fn declared_null_count(node: FieldNode) -> Option<usize> {
    Some(usize::try_from(node.null_count()?).unwrap_or(usize::MAX))
}

/// What stands before the data buffers of a column.
pub(super) enum ValidityBuffer {
    Absent,
    Bitmap,
    /// The bitmap of a union in V4, whose nulls move to its children.
    UnionNulls,
    /// An extra buffer that is no bitmap.
    Skipped(ExtraBuffer),
}

impl<'a> BatchDecoder<'a> {
    /// Which validity buffer the column has.
    #[inline]
    pub(super) fn validity_buffer(&self, column: &Column) -> ValidityBuffer {
        match column.extra_buffer(self.extra) {
            Some(ExtraBuffer::Bitmap) => ValidityBuffer::UnionNulls,
            Some(extra @ (ExtraBuffer::Empty | ExtraBuffer::Ignored)) => ValidityBuffer::Skipped(extra),
            None if column.layout.has_validity() => ValidityBuffer::Bitmap,
            None => ValidityBuffer::Absent,
        }
    }

    /// Moves the nulls of a union in V4, whose array was appended last, to its children.
    #[cold]
    pub(super) fn move_union_nulls(&mut self, nulls: &Bitmap, arrays: &mut Vec<ArrayData>) -> Result<()> {
        let Some(array) = arrays.pop() else { return Ok(()) };
        let n_bytes = nulls.len().div_ceil(8) as u64;
        self.context.options.allow_copy(CopyCause::UnionNulls, n_bytes)?;
        arrays.push(with_nulls(array, nulls, &mut self.account.copied)?);
        Ok(())
    }
}

/// Takes the nulls of a union in V4 from its parts. `None` if no slot is null.
pub(super) fn take_union_nulls(parts: &mut ArrayParts) -> Result<Option<Bitmap>> {
    let bitmap = parts.validity.take();
    let found = bitmap.as_ref().map_or(0, Bitmap::count_unset);
    match parts.declared_null_count {
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
