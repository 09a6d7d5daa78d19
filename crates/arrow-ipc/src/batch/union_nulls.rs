//! Converts the nulls of unions in metadata V4, where unions have a validity bitmap. In V5, only the children of a
//! union have nulls. So if a slot of the union is null, the slot of the child that it selects becomes null.

use std::sync::Arc;

use arrow_buffer::{Bitmap, BitmapBuilder, Budget, Buffer};
use arrow_data::{ArrayData, ArrayParts, DataError, DataErrorKind, Nulls};
use arrow_schema::{UnionMode, UnionType};
use arrow_select::{GrowingArray, SelectError, SelectErrorKind};

use crate::error::{FormatErrorKind, IpcError, Result, UnsupportedPart};

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

/// Adds nulls to an array: a slot becomes null if its bit in `keep` is not set. The new nulls are charged to `copied`,
/// since a child may have more slots than the message has bytes.
///
/// # Errors
/// If a null slot and a valid slot select the same slot of a child, and the child is invalid. If a run-end encoded child
/// would get nulls, which is unsupported. If `copied` is exhausted.
pub(super) fn with_nulls(array: ArrayData, keep: &Bitmap, copied: &mut Budget) -> Result<ArrayData> {
    match (array.layout().nulls(), array.data_type().as_union().is_some()) {
        (Nulls::All, _) => Ok(array),
        (Nulls::Bitmap, _) => {
            let mut parts = array.into_parts();
            parts.declared_null_count = None;
            parts.validity = Some(match parts.validity {
                None => keep.clone(),
                Some(validity) => {
                    let both = validity.and(keep);
                    both.map_err(|_| {
                        IpcError::internal("the nulls and the slots of a union differ in length")
                    })?
                }
            });
            Ok(ArrayData::try_new(parts)?)
        }
        (Nulls::InChildren, true) => into_children(array, keep, copied),
        (Nulls::InChildren, false) => {
            let what = UnsupportedPart::Part("runs in a V4 union that has nulls of its own");
            Err(FormatErrorKind::Unsupported { what }.into())
        }
    }
}

fn into_children(array: ArrayData, keep: &Bitmap, copied: &mut Budget) -> Result<ArrayData> {
    let data_type = array.data_type().clone();
    let Some(union) = data_type.as_union() else { return Ok(array) };
    let mut parts = array.into_parts();
    let type_ids = parts.buffers[0].clone();
    let offsets = parts.buffers[1].clone();
    let offsets =
        offsets.view().map_err(|_| IpcError::internal("the offsets of a union are misaligned"))?.to_vec();
    let mut slots = UnionSlots { union, type_ids: &type_ids, offsets, keep, copied };
    let children = parts.children.as_deref().unwrap_or_default();
    let children = children.iter().enumerate().map(|(child_idx, child)| slots.child(child_idx, child));
    parts.children = Some(children.collect::<Result<Arc<[ArrayData]>>>()?);
    if union.mode() == UnionMode::Dense {
        parts.buffers[1] = Buffer::from(slots.offsets);
    }
    Ok(ArrayData::try_new(parts)?)
}

/// How error messages name the charged bytes.
const NULLS: &str = "bytes of nulls that unions hand to their children";

/// The slots of a union. Invalid type ids and offsets are ignored here, since the check of the content reports them.
struct UnionSlots<'a> {
    union: &'a UnionType,
    type_ids: &'a [u8],
    offsets: Vec<i32>,
    keep: &'a Bitmap,
    copied: &'a mut Budget,
}

impl UnionSlots<'_> {
    /// Copies a child, with nulls in the slots that null slots of the union select.
    fn child(&mut self, child_idx: usize, child: &ArrayData) -> Result<ArrayData> {
        let is_of_child = |type_id: &u8| self.union.child_of(type_id.cast_signed()) == Some(child_idx);
        let slots = || self.type_ids.iter().zip(self.keep.iter()).enumerate();
        let of_child = || slots().filter(|(_, (type_id, _))| is_of_child(type_id));
        if child.layout().nulls() == Nulls::All || of_child().all(|(_, (_, keep))| keep) {
            return Ok(child.clone());
        }
        if self.union.mode() == UnionMode::Sparse {
            let keep: Bitmap = slots().map(|(_, (type_id, keep))| keep || !is_of_child(type_id)).collect();
            // The child has as many slots as the union, each with a byte of type id, so `keep` needs no charge here.
            return with_nulls(child.clone(), &keep, self.copied);
        }
        self.copied.spend(NULLS, child.len() as u64)?;
        let mut is_valid = vec![true; child.len()];
        let position = |slot: usize| usize::try_from(*self.offsets.get(slot)?).ok();
        for (slot, _) in of_child().filter(|(_, (_, keep))| !keep) {
            if let Some(bit) = position(slot).and_then(|position| is_valid.get_mut(position)) {
                *bit = false;
            }
        }
        let is_null = |slot: usize| {
            position(slot).and_then(|position| is_valid.get(position)).is_some_and(|is_valid| !is_valid)
        };
        if !of_child().any(|(slot, (_, keep))| keep && is_null(slot)) {
            return with_nulls(child.clone(), &is_valid.into_iter().collect(), self.copied);
        }
        // Null slots and valid slots of the union select the same slot of the child. So the child gets an additional null
        // slot, which the null slots of the union select.
        let own = child.len();
        let null_slots: Vec<usize> =
            of_child().filter(|(_, (_, keep))| !keep).map(|(slot, _)| slot).collect();
        self.copied.spend(NULLS, child.n_bytes())?;
        let longer = [child, &child.slice(0, 1)]
            .into_iter()
            .try_fold(GrowingArray::new(child.data_type()), |longer, slots| longer.append(slots, u64::MAX))?;
        let longer = longer.array();
        let type_id = self.union.type_ids().get(child_idx).copied();
        let type_id = type_id.ok_or_else(|| IpcError::internal("a child of a union has no type id"))?;
        let too_long = |_| SelectError::from(SelectErrorKind::UnionOffsetOverflow { type_id });
        let own_offset = i32::try_from(own).map_err(too_long)?;
        for slot in null_slots {
            if let Some(offset) = self.offsets.get_mut(slot) {
                *offset = own_offset;
            }
        }
        let mut keep = BitmapBuilder::with_capacity(longer.len());
        keep.extend_constant(true, own);
        keep.push(false);
        with_nulls(longer, &keep.finish(), self.copied)
    }
}
