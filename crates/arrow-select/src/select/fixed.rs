//! Selects elements of a fixed width, and bits.

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{
    ArrayParts, DataError, DataErrorKind as Kind, Physical, layout,
    positions::{bits, inside},
};

use super::{
    plan::{Picks, first_of, source_of},
    sources::Sources,
};
use crate::error::SelectError;

/// Fills buffer 0, of values or bits.
#[inline(never)]
pub(super) fn fill(sources: &Sources<'_>, picks: &Picks, parts: &mut ArrayParts) -> Result<(), SelectError> {
    let is_bits = layout(&parts.data_type).physical() == Physical::Bits;
    let [values, _] = &mut parts.buffers;
    *values = if is_bits { select_bits(sources, picks)? } else { elements(sources, 0, picks)? };
    Ok(())
}

/// The selected elements of the `k`-th buffers, which have one element per slot.
pub(super) fn elements(sources: &Sources<'_>, k: usize, picks: &Picks) -> Result<Buffer, SelectError> {
    elements_or_zeros(sources, k, picks, &[])
}

/// Like [`elements`], with zeros for the elements of sources of which `is_null` is true.
pub(super) fn elements_or_zeros(
    sources: &Sources<'_>,
    k: usize,
    picks: &Picks,
    is_null: &[bool],
) -> Result<Buffer, SelectError> {
    let first = first_of(sources)?;
    let width = first.layout().data_buffers().get(k).map(|spec| spec.element_bytes());
    let width = inside(width.and_then(|width| usize::try_from(width).ok()))?;
    let n_slots = picks.n_slots();
    let n_bytes = n_slots.checked_mul(width).ok_or(Kind::SizeOverflow { n_slots: n_slots as u64 })?;
    let mut copy = sources.memory(n_bytes)?;
    match picks {
        Picks::Slots(slots) => {
            copy.extend_zeros(n_bytes);
            inside(gather(first.buffer(k), slots, width, copy.as_mut_slice()))?;
        }
        Picks::Ranges { pieces, n_slots: _ } => {
            for piece in pieces {
                // No overflow: the structure check has computed the product for the whole array.
                let range = piece.start * width..(piece.start + piece.n_slots) * width;
                if is_null.get(piece.source) == Some(&true) {
                    copy.extend_zeros(range.len());
                } else {
                    copy.extend_from_slice(inside(source_of(sources, *piece)?.buffer(k).get(range))?);
                }
            }
        }
    }
    Ok(copy.freeze())
}

/// Copies values of `width` bytes; `None` where a slot is out of bounds.
fn gather(bytes: &[u8], slots: &[u32], width: usize, copy: &mut [u8]) -> Option<()> {
    match width {
        0 => Some(()),
        1 => gather_chunks::<1>(bytes, slots, copy),
        2 => gather_chunks::<2>(bytes, slots, copy),
        4 => gather_chunks::<4>(bytes, slots, copy),
        8 => gather_chunks::<8>(bytes, slots, copy),
        16 => gather_chunks::<16>(bytes, slots, copy),
        32 => gather_chunks::<32>(bytes, slots, copy),
        _ => {
            for (target, slot) in copy.chunks_exact_mut(width).zip(slots) {
                let start = *slot as usize * width;
                target.copy_from_slice(bytes.get(start..start + width)?);
            }
            Some(())
        }
    }
}

fn gather_chunks<const N: usize>(bytes: &[u8], slots: &[u32], copy: &mut [u8]) -> Option<()> {
    let (values, _) = bytes.as_chunks::<N>();
    let (targets, _) = copy.as_chunks_mut::<N>();
    for (target, slot) in targets.iter_mut().zip(slots) {
        *target = *values.get(*slot as usize)?;
    }
    Some(())
}

fn select_bits(sources: &Sources<'_>, picks: &Picks) -> Result<Buffer, SelectError> {
    let mut builder = sources.bits(picks.n_slots())?;
    let sources = sources.iter().map(|source| bits(source)).collect::<Result<Vec<Bitmap>, DataError>>()?;
    match picks {
        Picks::Slots(slots) => {
            let bits = first_of(&sources)?;
            let mut is_inside = true;
            builder.extend(slots.iter().map(|slot| {
                let bit = bits.get(*slot as usize);
                is_inside &= bit.is_some();
                bit == Some(true)
            }));
            inside(is_inside.then_some(()))?;
        }
        Picks::Ranges { pieces, n_slots: _ } => {
            for piece in pieces {
                let bits = source_of(&sources, *piece)?;
                builder.extend_from_bitmap(&bits.slice(piece.start, piece.n_slots));
            }
        }
    }
    Ok(builder.finish().to_packed())
}
