//! Executing a plan: for one array, then for its children.
//!
//! What calls itself here takes little stack; the work on buffers is in functions of their own.

use std::sync::Arc;

use arrow_buffer::{Bitmap, BitmapBuilder};

use super::{bytes, dictionary, fixed, lists, plan::Picks, runs, union, views};
use crate::{
    array::{ArrayData, ArrayParts},
    error::DataError,
    layout::{ChildLen, Content, Nulls},
    validate::Level,
};

/// The picked slots of arrays of one type whose content has been checked; there is at least one array.
///
/// Slots that lie in a row are a slice, which shares all memory.
pub(super) fn assemble(sources: &[&ArrayData], picks: &Picks) -> Result<ArrayData, DataError> {
    let Some(first) = sources.first() else { return Ok(ArrayData::default()) };
    if let Some(simple) = simple(sources, picks) {
        return simple;
    }
    let layout = first.layout();
    let mut parts = own_parts(sources, picks);
    match layout.content() {
        Content::Any => match layout.child_len() {
            ChildLen::SameAsParent => children(sources, picks, &mut parts)?,
            ChildLen::Times(size) => {
                let items = picks.times(usize::try_from(size).unwrap_or(usize::MAX))?;
                children(sources, &items, &mut parts)?;
            }
            ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => {
                if layout.nulls() != Nulls::All {
                    fixed::fill(sources, picks, &mut parts)?;
                }
            }
        },
        Content::Offsets | Content::Text | Content::MapEntries => {
            let items = lists::fill_offsets(sources, picks, &mut parts)?;
            match layout.child_len() {
                ChildLen::NoChildren => bytes::fill(sources, &items, &mut parts),
                ChildLen::SameAsParent | ChildLen::Times(_) | ChildLen::FromData | ChildLen::Runs => {
                    children(sources, &items, &mut parts)?;
                }
            }
        }
        Content::OffsetsAndSizes => match lists::fill_views(sources, picks, &mut parts)? {
            Some(all) => children(sources, &all, &mut parts)?,
            None => parts.children = first.children.clone(),
        },
        Content::Views | Content::TextViews => views::fill(sources, picks, &mut parts)?,
        Content::SparseTypeIds => {
            union::fill_ids(sources, picks, &mut parts)?;
            children(sources, picks, &mut parts)?;
        }
        Content::DenseTypeIds => {
            let picks = union::fill_dense(sources, picks, &mut parts)?;
            let made = picks.iter().enumerate().map(|(position, picks)| child(sources, position, picks));
            parts.children = Some(made.collect::<Result<Arc<[ArrayData]>, DataError>>()?);
        }
        Content::RunEnds => {
            let values = runs::plan(sources, picks)?;
            let ends = runs::ends(first, &values)?;
            parts.children = Some(Arc::new([ends, child(sources, 1, &values.picks)?]));
        }
        Content::Indices { .. } => match dictionary::fill(sources, picks, &mut parts)? {
            None => {}
            Some(merge) => {
                let values = assemble(&merge.dictionaries(), merge.picks())?;
                merge.finish(values, picks, &mut parts)?;
            }
        },
    }
    finish(parts)
}

#[inline(never)]
fn finish(parts: ArrayParts) -> Result<ArrayData, DataError> {
    ArrayData::try_new(parts)?.validate(Level::Content)
}

/// What needs no new buffers: nothing, or slots in a row.
#[inline(never)]
fn simple(sources: &[&ArrayData], picks: &Picks) -> Option<Result<ArrayData, DataError>> {
    if picks.n_slots() == 0 {
        let first = sources.first()?;
        return Some(ArrayData::empty(first.data_type()).validate(Level::Content));
    }
    match picks {
        Picks::Ranges { pieces, n_slots: _ } => match pieces.as_slice() {
            [piece] => Some(sources.get(piece.source)?.try_slice(piece.start, piece.n_slots)),
            _ => None,
        },
        Picks::Slots(_) => None,
    }
}

/// The parts with type, length and validity.
#[inline(never)]
fn own_parts(sources: &[&ArrayData], picks: &Picks) -> ArrayParts {
    let data_type =
        sources.first().map_or_else(|| ArrayData::default().data_type, |first| first.data_type.clone());
    let mut parts = ArrayParts::new(data_type, picks.n_slots());
    if sources.iter().any(|source| source.validity().is_some() && source.null_count() > 0) {
        parts.validity = validity(sources, picks);
    }
    parts
}

fn validity(sources: &[&ArrayData], picks: &Picks) -> Option<Bitmap> {
    let mut builder = BitmapBuilder::with_capacity(picks.n_slots());
    match picks {
        Picks::Slots(slots) => {
            let validity = sources.first()?.validity()?;
            builder.extend(slots.iter().map(|slot| validity.get(*slot as usize) == Some(true)));
        }
        Picks::Ranges { pieces, n_slots: _ } => {
            for piece in pieces {
                match sources.get(piece.source).and_then(|source| source.validity()) {
                    Some(validity) if piece.n_slots == 1 => {
                        builder.push(validity.get(piece.start) == Some(true));
                    }
                    Some(validity) => {
                        builder.extend_from_bitmap(&validity.slice(piece.start, piece.n_slots));
                    }
                    None => builder.extend_constant(true, piece.n_slots),
                }
            }
        }
    }
    builder.finish_with_nulls()
}

/// All children, of the same picks.
fn children(sources: &[&ArrayData], picks: &Picks, parts: &mut ArrayParts) -> Result<(), DataError> {
    let n_children = sources.first().map_or(0, |first| first.children().len());
    if n_children > 0 {
        let made = (0..n_children).map(|position| child(sources, position, picks));
        parts.children = Some(made.collect::<Result<Arc<[ArrayData]>, DataError>>()?);
    }
    Ok(())
}

fn child(sources: &[&ArrayData], position: usize, picks: &Picks) -> Result<ArrayData, DataError> {
    let children: Vec<&ArrayData> =
        sources.iter().filter_map(|source| source.children().get(position)).collect();
    assemble(&children, picks).map_err(|error| match sources.first() {
        Some(first) => error.in_child(first.data_type(), position),
        None => error,
    })
}
