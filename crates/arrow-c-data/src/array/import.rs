//! Imports arrays and batches. Lengths and pointers are checked; the types come from the caller.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{
    ArrayData, ArrayParts, CheckedArrays, Count, Nulls, OffsetType, Physical, RecordBatch, Repairs, Role,
    Validation,
};
use arrow_schema::{PathStep, Schema};

use super::typed::{TypedSlots, TypedStructure};
use crate::error::{CDataError, CDataErrorKind as Kind};
use crate::stats::CopyStats;

impl TypedStructure {
    pub(super) fn import(
        &self,
        validation: Validation,
        stats: &mut CopyStats,
        known: &mut CheckedArrays,
    ) -> Result<ArrayData, CDataError> {
        let array = self.read(|typed| import(typed, stats))?;
        let mut repairs = Repairs::default();
        let array = array.validate_slots(validation, &mut repairs, known)?;
        stats.add(repairs.n_buffers(), repairs.n_bytes());
        Ok(array)
    }

    pub(super) fn import_batch(
        &self,
        schema: Arc<Schema>,
        validation: Validation,
        stats: &mut CopyStats,
        known: &mut CheckedArrays,
    ) -> Result<RecordBatch, CDataError> {
        let batch = self.read(|rows| import_rows(rows, schema, stats))?;
        let mut repairs = Repairs::default();
        let batch = batch.validate_slots(validation, &mut repairs, known)?;
        stats.add(repairs.n_buffers(), repairs.n_bytes());
        Ok(batch)
    }
}

/// Imports a struct as a batch. The fields of the struct become the columns.
fn import_rows(
    rows: TypedSlots<'_>,
    schema: Arc<Schema>,
    stats: &mut CopyStats,
) -> Result<RecordBatch, CDataError> {
    check_buffer_count(rows, 1)?;
    rows.dictionary()?;
    let null_count = match (rows.array().null_count, rows.has_buffer(0)?) {
        (null_count @ 1.., false) => null_count.unsigned_abs(),
        (-1.., false) => 0,
        (-1.., true) => rows.bits(0, Role::Validity)?.count_unset() as u64,
        (found, _) => return Err(Kind::NullCount { found }.into()),
    };
    if null_count > 0 {
        return Err(Kind::NullRows { null_count }.into());
    }
    let n_rows = rows.n_slots()?;
    let columns = import_children(rows, stats)?;
    Ok(RecordBatch::try_new_with_rows(schema, columns, n_rows)?)
}

/// Imports some slots of a structure as an array.
fn import(typed: TypedSlots<'_>, stats: &mut CopyStats) -> Result<ArrayData, CDataError> {
    let mut parts = ArrayParts::new(typed.data_type().clone(), typed.n_slots()?);
    fill(typed, stats, &mut parts)?;
    ArrayData::try_new(parts).map_err(CDataError::from)
}

/// Fills the parts of an array in place, since moving them takes longer.
fn fill(typed: TypedSlots<'_>, stats: &mut CopyStats, parts: &mut ArrayParts) -> Result<(), CDataError> {
    let layout = typed.layout();
    let n_buffers = layout.buffers().len();
    if layout.is_variadic() {
        // After the views come their data buffers, and then a buffer with the lengths of the data buffers.
        check_least_buffers(typed, n_buffers.saturating_add(1))?;
    } else if layout.nulls() != Nulls::All || typed.array().n_buffers != 1 {
        // Some libraries export a bitmap for the null type. It has no meaning.
        check_buffer_count(typed, n_buffers)?;
    }
    let null_count = typed.array().null_count;
    if null_count < -1 {
        return Err(Kind::NullCount { found: null_count }.into());
    }
    if layout.has_validity() {
        import_validity(typed, parts)?;
    }
    import_buffers(typed, stats, parts)?;
    let children = import_children(typed, stats)?;
    parts.children = (!children.is_empty()).then(|| children.into());
    let in_dictionary = |error: CDataError| error.below(PathStep::Dictionary);
    parts.dictionary = match typed.dictionary()? {
        None => None,
        Some(values) => Some(Arc::new(import(values, stats).map_err(in_dictionary)?)),
    };
    Ok(())
}

fn check_buffer_count(typed: TypedSlots<'_>, expected: usize) -> Result<(), Kind> {
    let found = typed.array().n_buffers;
    if usize::try_from(found) == Ok(expected) { Ok(()) } else { Err(Kind::BufferCount { expected, found }) }
}

fn check_least_buffers(typed: TypedSlots<'_>, least: usize) -> Result<(), Kind> {
    let found = typed.array().n_buffers;
    if usize::try_from(found).is_ok_and(|n_buffers| n_buffers >= least) {
        Ok(())
    } else {
        Err(Kind::TooFewBuffers { least, found })
    }
}

fn import_validity(typed: TypedSlots<'_>, parts: &mut ArrayParts) -> Result<(), Kind> {
    let null_count = typed.array().null_count;
    let window = typed.window();
    // If only some of the slots are imported, the null count of the structure applies to them only if it is 0.
    let is_all = window.n_slots == typed.array().length.unsigned_abs();
    // A null count of −1 means that nulls were not counted.
    parts.declared_null_count =
        usize::try_from(null_count).ok().filter(|null_count| is_all || *null_count == 0);
    if typed.has_buffer(0)? {
        parts.validity = Some(typed.bits(0, Role::Validity)?);
    } else if null_count > 0 && window.n_slots > 0 {
        let n_bytes = window.end().div_ceil(8);
        return Err(Kind::NullBuffer { role: Role::Validity, n_bytes });
    }
    Ok(())
}

fn import_buffers(typed: TypedSlots<'_>, stats: &mut CopyStats, parts: &mut ArrayParts) -> Result<(), Kind> {
    let layout = typed.layout();
    let n_before = layout.buffers().len().saturating_sub(layout.data_buffers().len());
    for ((k, spec), position) in layout.data_buffers().iter().enumerate().zip(n_before..) {
        let buffer = match spec.count {
            Count::PerSlot if spec.bits == 1 => {
                let bits = typed.bits(position, spec.role)?;
                parts.offset = bits.bit_offset();
                bits.buffer().clone()
            }
            Count::PerSlot | Count::PerSlotPlusOne => {
                aligned(typed.elements(position)?, spec.alignment_bytes(), stats)
            }
            Count::FromData => {
                let n_bytes = last_offset(layout.physical(), &parts.buffers[0])?;
                let all = last_offset_of_all(typed)?;
                typed.data(position, spec.role, all.map_or(n_bytes, |all| n_bytes.min(all)))?
            }
        };
        if let Some(slot) = parts.buffers.get_mut(k) {
            *slot = buffer;
        }
    }
    if layout.is_variadic() {
        parts.variadic = Some(import_variadic(typed)?);
    }
    if layout.slices_by_offset() && layout.data_buffers().is_empty() {
        // The children of runs are not sliced, so the offset of the array is imported as an offset.
        parts.offset = usize::try_from(typed.window().start).map_err(|_| typed.overflow())?;
    }
    Ok(())
}

/// Returns the buffer, or an aligned copy if it is not aligned.
fn aligned(buffer: Buffer, n_bytes: usize, stats: &mut CopyStats) -> Buffer {
    if buffer.is_aligned_to(n_bytes) {
        return buffer;
    }
    stats.add(1, buffer.len() as u64);
    buffer.to_aligned(n_bytes)
}

/// The number of bytes of data, which is the last offset of the whole array. `None` if the window ends with the array,
/// so that the last offset of the window is the same.
///
/// Only the last offset gives the length of the data. If the array is invalid, earlier offsets may be larger.
fn last_offset_of_all(typed: TypedSlots<'_>) -> Result<Option<u64>, Kind> {
    let last_slot = typed.last_slot()?;
    if typed.window().end() > last_slot.window().start || typed.window().n_slots == 0 {
        return Ok(None);
    }
    // The offsets are the buffer after validity.
    let layout = typed.layout();
    let position = usize::from(layout.has_validity());
    last_offset(layout.physical(), &last_slot.elements(position)?).map(Some)
}

/// The last of these offsets, which is the number of bytes of data; 0 if there are no offsets.
fn last_offset(physical: Physical, offsets: &Buffer) -> Result<u64, Kind> {
    let last: Option<i64> = match physical.offset_type() {
        Some(OffsetType::Int32) => offsets.last_chunk().map(|offset| i64::from(i32::from_ne_bytes(*offset))),
        Some(OffsetType::Int64) => offsets.last_chunk().map(|offset| i64::from_ne_bytes(*offset)),
        None => None,
    };
    let found = last.unwrap_or(0);
    u64::try_from(found).map_err(|_| Kind::LastOffset { found })
}

/// The data buffers of views, whose lengths are in the last buffer.
fn import_variadic(typed: TypedSlots<'_>) -> Result<Arc<[Buffer]>, Kind> {
    let n_fixed = typed.layout().buffers().len();
    // No overflow: `fill` has checked that there is at least one more buffer than these.
    let n_buffers = usize::try_from(typed.array().n_buffers).unwrap_or(0);
    let lengths_at = n_buffers.saturating_sub(1);
    let n_variadic = lengths_at.saturating_sub(n_fixed);
    let n_bytes = (n_variadic as u64).saturating_mul(size_of::<i64>() as u64);
    let lengths = typed.data(lengths_at, Role::Sizes, n_bytes)?;
    let (lengths, _) = lengths.as_chunks::<8>();
    let data = lengths.iter().enumerate().map(|(position, length)| {
        let found = i64::from_ne_bytes(*length);
        let n_bytes = u64::try_from(found).map_err(|_| Kind::VariadicLength { position, found })?;
        typed.data(n_fixed.saturating_add(position), Role::Variadic, n_bytes)
    });
    data.collect()
}

fn import_children(typed: TypedSlots<'_>, stats: &mut CopyStats) -> Result<Vec<ArrayData>, CDataError> {
    let fields = typed.data_type().children();
    let found = typed.array().n_children;
    let n_children = usize::try_from(found).map_err(|_| Kind::Negative { member: "n_children", found })?;
    if n_children != fields.len() {
        return Err(Kind::ChildCount { expected: fields.len(), found }.into());
    }
    let mut children = Vec::with_capacity(fields.len());
    for (position, field) in fields.iter().enumerate() {
        let in_child = |error: CDataError| error.in_child(position, field.name());
        let child = typed.child(position).map_err(in_child)?;
        let mut parts = ArrayParts::new(
            field.data_type().clone(),
            child.n_slots().map_err(|kind| in_child(kind.into()))?,
        );
        fill(child, stats, &mut parts).map_err(in_child)?;
        match ArrayData::try_new(parts) {
            Ok(child) => children.push(child),
            Err(error) => return Err(in_child(error.into())),
        }
    }
    Ok(children)
}
