//! Makes an array from the selected slots of other arrays. Its children are made in the same way.
//!
//! The recursive functions use little stack, since separate functions do the work on buffers.

use std::sync::Arc;

use arrow_buffer::Bitmap;
use arrow_data::{ArrayData, ArrayParts, DataError, Physical, Validation, layout, positions::inside};
use arrow_schema::UnionMode;

use super::{
    dictionary, fixed, lists,
    plan::{Picks, first_of, source_of},
    runs,
    sources::Sources,
    union,
    used::UsedRanges,
    view_buffers::{fill_items, fill_views},
    views,
};
use crate::error::SelectError;

/// Selects slots of arrays of one type. There is at least one array. The content of all arrays must be checked.
///
/// For a single range of slots, the result is a slice, which shares all memory.
pub(super) fn assemble(sources: &Sources<'_>, picks: &Picks) -> Result<ArrayData, SelectError> {
    if let Some(simple) = simple(sources, picks)? {
        return Ok(simple);
    }
    let mut parts = own_parts(sources, picks)?;
    // Views of checked utf8 are selected without another check.
    if let [only] = &**sources
        && only.layout().is_variadic()
        && !sources.copies()
    {
        return views::from_single_source(sources, only, picks, &parts);
    }
    fill(sources, picks, &mut parts)?;
    finish(parts)
}

/// Fills the buffers and children of the layout.
pub(super) fn fill(sources: &Sources<'_>, picks: &Picks, parts: &mut ArrayParts) -> Result<(), SelectError> {
    match layout(&parts.data_type).physical() {
        Physical::Null => Ok(()),
        Physical::Bits | Physical::Fixed(_) => fixed::fill(sources, picks, parts),
        Physical::Struct => children(sources, picks, parts),
        Physical::FixedSizeList(size) => {
            let items = picks.times(size.as_usize())?;
            children(sources, &items, parts)
        }
        Physical::Bytes(_) => {
            let bytes = lists::fill_offsets(sources, picks, parts)?;
            lists::fill_bytes(sources, &bytes, parts)
        }
        Physical::List(_) => {
            let items = lists::fill_offsets(sources, picks, parts)?;
            children(sources, &items, parts)
        }
        Physical::ListView(_) if sources.copies() => fill_copied_items(sources, picks, parts),
        Physical::ListView(_) => match lists::fill_views(sources, picks, parts)? {
            Some((used, items)) => {
                children(&sources.others(&used.iter().collect::<Vec<&ArrayData>>()), &items, parts)
            }
            None => {
                parts.children = (*first_of(sources)?).clone().into_parts().children;
                Ok(())
            }
        },
        Physical::Views if sources.copies() => fill_copied_views(sources, picks, parts),
        Physical::Views => views::fill(sources, picks, parts),
        Physical::Union(UnionMode::Sparse) => {
            union::fill_ids(sources, picks, parts)?;
            children(sources, picks, parts)
        }
        Physical::Union(UnionMode::Dense) => {
            let picks = union::fill_dense(sources, picks, parts)?;
            children_each(sources, picks.len(), |position| picks.get(position), parts)
        }
        Physical::Runs(_) => {
            let runs = runs::plan(sources, picks)?;
            let values = child(sources, 1, runs.picks())?;
            runs::fill(sources, &runs, values, parts)
        }
        Physical::Dictionary(_) => match dictionary::fill(sources, picks, parts)? {
            Some(merge) => {
                let values = assemble(&sources.others(merge.dictionaries()), merge.picks())?;
                merge.finish(sources, values, picks, parts)
            }
            None => Ok(()),
        },
    }
}

/// Fills buffer 0 and the data buffers of views, in new memory.
#[inline(never)]
fn fill_copied_views(
    sources: &Sources<'_>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<(), SelectError> {
    let picked = assemble(&sources.without_copies(), picks)?;
    fill_views(&picked, None, parts)
}

/// Fills buffers 0 and 1 of list views, and their items, in new memory.
#[inline(never)]
fn fill_copied_items(
    sources: &Sources<'_>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<(), SelectError> {
    let picked = assemble(&sources.without_copies(), picks)?;
    let items = fill_items(&picked, &UsedRanges::from_array(&picked)?, parts)?;
    children(&sources.others(&[&picked]), &items, parts)
}

#[expect(clippy::boxed_local, reason = "so that the caller's frame is small")]
#[inline(never)]
fn finish(parts: Box<ArrayParts>) -> Result<ArrayData, SelectError> {
    Ok(ArrayData::try_new(*parts)?.validate(Validation::Content)?)
}

/// The result of a selection that needs no new buffers: no slots, or one range. `None` for other selections.
#[inline(never)]
fn simple(sources: &Sources<'_>, picks: &Picks) -> Result<Option<ArrayData>, SelectError> {
    if picks.n_slots() == 0 {
        return Ok(ArrayData::new_empty(first_of(sources)?.data_type())
            .validate(Validation::Content)
            .map(Some)?);
    }
    match picks {
        Picks::Ranges { pieces, n_slots: _ } => match pieces.as_slice() {
            [piece] if !sources.copies() => {
                Ok(source_of(sources, *piece)?.try_slice(piece.start, piece.n_slots).map(Some)?)
            }
            _ => Ok(None),
        },
        Picks::Slots(_) => Ok(None),
    }
}

/// The parts of a result with type, length and validity, but without buffers and children.
#[inline(never)]
pub(super) fn own_parts(sources: &Sources<'_>, picks: &Picks) -> Result<Box<ArrayParts>, SelectError> {
    let data_type = first_of(sources)?.data_type().clone();
    let mut parts = Box::new(ArrayParts::new(data_type, picks.n_slots()));
    if sources.iter().any(|source| source.validity().is_some() && source.null_count() > 0) {
        parts.validity = validity(sources, picks)?;
    }
    Ok(parts)
}

fn validity(sources: &Sources<'_>, picks: &Picks) -> Result<Option<Bitmap>, SelectError> {
    let mut builder = sources.bits(picks.n_slots())?;
    match picks {
        Picks::Slots(slots) => {
            let Some(validity) = first_of(sources)?.validity() else { return Ok(None) };
            let mut is_inside = true;
            builder.extend(slots.iter().map(|slot| {
                let bit = validity.get(*slot as usize);
                is_inside &= bit.is_some();
                bit == Some(true)
            }));
            inside(is_inside.then_some(()))?;
        }
        Picks::Ranges { pieces, n_slots: _ } => {
            for piece in pieces {
                match source_of(sources, *piece)?.validity() {
                    Some(validity) if piece.n_slots == 1 => {
                        builder.push(inside(validity.get(piece.start))?);
                    }
                    Some(validity) => {
                        builder.extend_from_bitmap(&validity.slice(piece.start, piece.n_slots));
                    }
                    None => builder.extend_constant(true, piece.n_slots),
                }
            }
        }
    }
    Ok(builder.finish_with_nulls())
}

/// Selects the same slots from all children.
pub(super) fn children(
    sources: &Sources<'_>,
    picks: &Picks,
    parts: &mut ArrayParts,
) -> Result<(), SelectError> {
    let n_children = parts.data_type.children().len();
    children_each(sources, n_children, |_| Some(picks), parts)
}

/// Selects slots from all children; each child has its own selection.
fn children_each<'a>(
    sources: &Sources<'_>,
    n_children: usize,
    picks: impl Fn(usize) -> Option<&'a Picks>,
    parts: &mut ArrayParts,
) -> Result<(), SelectError> {
    let mut children = Vec::with_capacity(n_children);
    for position in 0..n_children {
        children.push(child(sources, position, inside(picks(position))?)?);
    }
    parts.children = (!children.is_empty()).then(|| Arc::from(children));
    Ok(())
}

fn child(sources: &Sources<'_>, position: usize, picks: &Picks) -> Result<ArrayData, SelectError> {
    let children = sources.iter().map(|source| inside(source.children().get(position)));
    let children = children.collect::<Result<Vec<&ArrayData>, DataError>>()?;
    assemble(&sources.others(&children), picks).map_err(|error| match sources.first() {
        Some(first) => error.in_child(first.data_type(), position),
        None => error,
    })
}
