//! Selects views, which share the data buffers of their sources.

use std::{collections::HashMap, sync::Arc};

use arrow_buffer::{BudgetError, Buffer, MemoryBudget, TextViews, Values, View};
use arrow_data::{
    ArrayData, ArrayParts, DataError, DataErrorKind as Kind, Validation,
    positions::{inside, numbers},
};

use super::{
    fixed,
    plan::{Picks, SlotRange, source_of},
    sources::Sources,
};
use crate::error::SelectError;

/// The selected views of one array, with all of its data buffers. The views have been checked.
#[inline(never)]
pub(super) fn from_single_source(
    sources: &Sources<'_>,
    source: &ArrayData,
    picks: &Picks,
    parts: &ArrayParts,
) -> Result<ArrayData, SelectError> {
    let array = match source.text_views() {
        Some(texts) => match select_text(texts, picks, sources.budget())? {
            Some(selected) => ArrayData::try_from_text(selected, parts.validity.clone())?,
            None => return Err(Kind::SizeOverflow { n_slots: picks.n_slots() as u64 }.into()),
        },
        None => ArrayData::try_new(ArrayParts {
            buffers: [fixed::elements(sources, 0, picks)?, Buffer::new()],
            variadic: source.shared_variadic().cloned(),
            validity: parts.validity.clone(),
            ..ArrayParts::new(parts.data_type.clone(), picks.n_slots())
        })?,
    };
    // Each view was checked with the same data buffers.
    Ok(array.assume_checked(Validation::Content, None))
}

fn select_text(
    texts: &TextViews,
    picks: &Picks,
    budget: Option<&MemoryBudget>,
) -> Result<Option<TextViews>, BudgetError> {
    match picks {
        Picks::Ranges { pieces, n_slots: _ } => texts.select(pieces.iter().map(SlotRange::range), budget),
        Picks::Slots(slots) => {
            texts.select(slots.iter().map(|slot| *slot as usize..*slot as usize + 1), budget)
        }
    }
}

/// Fills buffer 0, and joins the data buffers of several arrays, one list after the other.
#[inline(never)]
pub(super) fn fill(sources: &Sources<'_>, picks: &Picks, parts: &mut ArrayParts) -> Result<(), SelectError> {
    let mut data: Vec<Buffer> = Vec::new();
    let mut lists: HashMap<*const Buffer, usize> = HashMap::new();
    let mut shifts = Vec::with_capacity(sources.len());
    for source in sources.iter() {
        let list = source.variadic();
        let shift = *lists.entry(list.as_ptr()).or_insert(data.len());
        if shift == data.len() {
            data.extend_from_slice(list);
        }
        shifts
            .push(i32::try_from(shift).map_err(|_| Kind::SizeOverflow { n_slots: picks.n_slots() as u64 })?);
    }
    parts.variadic = (!data.is_empty()).then(|| Arc::from(data));
    parts.buffers[0] = select(sources, &shifts, picks)?;
    Ok(())
}

/// The views, with the data buffer index increased by the shift of each source. Nulls become empty views.
fn select(sources: &Sources<'_>, shifts: &[i32], picks: &Picks) -> Result<Buffer, SelectError> {
    let (mut selected, capacity) = sources.numbers::<View>(picks.n_slots())?;
    let views = sources.iter().map(|source| numbers(source.buffer(0), source.len()));
    let views = views.collect::<Result<Vec<Values<View>>, DataError>>()?;
    picks.for_each(|piece| {
        let source = source_of(sources, piece)?;
        let shift = *source_of(shifts, piece)?;
        let own = inside(source_of(&views, piece)?.get(piece.range()))?;
        for (slot, view) in piece.range().zip(own) {
            selected.push(if !source.is_valid(slot) {
                View::default()
            } else if view.is_inline() || shift == 0 {
                *view
            } else {
                inside(moved(view, shift))?
            });
        }
        Ok(())
    })?;
    Ok(capacity.hold(selected))
}

/// Adds `shift` to the buffer index of a view; `None` if the view refers to a buffer that its array does not have.
fn moved(view: &View, shift: i32) -> Option<View> {
    let buffer_idx = view.buffer_idx().checked_add(shift)?;
    Some(View::from_parts(view.n_bytes(), view.prefix(), buffer_idx, view.offset()))
}
