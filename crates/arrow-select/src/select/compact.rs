//! Removes data to which no slot refers, and copies arrays to new memory.

use std::sync::Arc;

use arrow_data::{ArrayData, ArrayParts, References, Validation, positions::inside, trimmed};

use super::{
    assemble,
    dictionary::Merge,
    plan::Picks,
    references::refers_to_at_least,
    sources::Sources,
    used::{UnusedValues, UsedRanges, lengths},
    view_buffers::{fill_items, fill_views},
};
use crate::error::SelectError;

/// Removes items to which no slot refers, in the array and its children.
pub(super) fn with_used_items(array: &ArrayData, unused: UnusedValues) -> Result<ArrayData, SelectError> {
    match unused {
        UnusedValues::Keep => Ok(array.clone()),
        UnusedValues::Bounded | UnusedValues::Remove => {
            change_levels(array, ChangeScope::Children, &|array| used_items(array, unused))
        }
    }
}

/// Removes values of dictionaries to which no index refers, at all levels.
pub(super) fn with_used_values(array: &ArrayData, unused: UnusedValues) -> Result<ArrayData, SelectError> {
    match unused {
        UnusedValues::Keep => Ok(array.clone()),
        UnusedValues::Bounded | UnusedValues::Remove => {
            change_levels(array, ChangeScope::Dictionaries, &|array| used_values(array, unused))
        }
    }
}

/// Does the work of [`compact`](super::Select::compact).
pub(super) fn copy(array: &ArrayData) -> Result<ArrayData, SelectError> {
    let source = super::checked(array)?;
    let picks = Picks::all([source.len()])?;
    let sources = [&source];
    assemble::assemble(&Sources::new(&sources, None).with_copies(), &picks)
}

/// Changes the array and its children. Returns the array itself if nothing changes. If the content was checked, the
/// changed content is checked again.
fn change_levels(
    array: &ArrayData,
    scope: ChangeScope,
    change: Change<'_>,
) -> Result<ArrayData, SelectError> {
    super::change_unchecked(array, |array| match each_level(array, scope, change)? {
        None => Ok(array.clone()),
        Some(changed) => Ok(changed.validate(array.checked().min(Validation::Content))?),
    })
}

/// Whether the change also applies to dictionaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChangeScope {
    Children,
    /// The change also applies to dictionaries whose values have children or dictionaries. Other dictionaries are not
    /// copied, so that they can be recognised by their memory.
    Dictionaries,
    /// As `Dictionaries`, inside the values of a dictionary. Ordered dictionaries keep all values, since the values of several
    /// batches can be joined only if their ordered dictionaries begin alike.
    InsideDictionary,
}

/// Changes one array. `None` if nothing changes.
type Change<'a> = &'a dyn Fn(&ArrayData) -> Result<Option<Box<ArrayParts>>, SelectError>;

/// Changes the array, then its children; `None` if nothing changes. Recurses once for each level of the type, and uses little
/// stack.
fn each_level(
    array: &ArrayData,
    scope: ChangeScope,
    change: Change<'_>,
) -> Result<Option<ArrayData>, SelectError> {
    // A slice keeps children whole. Slots of them that it does not reach must not count as used.
    let trimmed = trimmed_for(array, scope)?;
    let array = trimmed.as_deref().unwrap_or(array);
    let mut changed = if keeps_values(array, scope) { None } else { change(array)? };
    let mut position = 0;
    while let Some(child) = child_at(array, &changed, position) {
        if let Some(child) = each_level(&child, scope, change)? {
            replace_child(array, &mut changed, position, child);
        }
        position += 1;
    }
    if scope != ChangeScope::Children
        && let Some(values) = dictionary_of(array, &changed)
        && let Some(values) = each_level(&values, ChangeScope::InsideDictionary, change)?
    {
        let parts = changed.get_or_insert_with(|| Box::new(array.clone().into_parts()));
        parts.dictionary = Some(Arc::new(values));
    }
    changed.map(finish).transpose()
}

/// The array with the part of its children that it reaches; `None` if that is all of them, or if no child can change, which
/// makes this free for lists of plain values.
#[inline(never)]
fn trimmed_for(array: &ArrayData, scope: ChangeScope) -> Result<Option<Box<ArrayData>>, SelectError> {
    let is_exact = scope == ChangeScope::Children
        && matches!(array.layout().references(), References::Items | References::Values);
    // Items and values that are removed one by one need no trim.
    if is_exact || !array.children().iter().any(|child| may_change(child, scope)) {
        return Ok(None);
    }
    array.check_positions()?;
    Ok(trimmed(array, None, |n_part, n_all| UnusedValues::Remove.leaves_out(n_part, n_all))?)
}

/// Whether the layout of the array, or of one of its children, has what the changes remove.
fn may_change(array: &ArrayData, scope: ChangeScope) -> bool {
    let has_own = match array.layout().references() {
        References::Data | References::Items | References::Values => scope == ChangeScope::Children,
        References::Dictionary => scope != ChangeScope::Children && !keeps_values(array, scope),
        References::None | References::InOrder => false,
    };
    has_own || array.children().iter().any(|child| may_change(child, scope))
}

/// Whether the array is an ordered dictionary inside the values of a dictionary.
fn keeps_values(array: &ArrayData, scope: ChangeScope) -> bool {
    let dictionary = array.data_type().as_dictionary();
    scope == ChangeScope::InsideDictionary && dictionary.is_some_and(|dictionary| dictionary.is_ordered())
}

#[expect(clippy::boxed_local, reason = "so that the caller's frame is small")]
#[inline(never)]
pub(super) fn finish(parts: Box<ArrayParts>) -> Result<ArrayData, SelectError> {
    Ok(ArrayData::try_new(*parts)?)
}

#[inline(never)]
fn child_at(array: &ArrayData, changed: &Option<Box<ArrayParts>>, position: usize) -> Option<Box<ArrayData>> {
    let children = match changed {
        Some(parts) => parts.children.as_deref()?,
        None => array.children(),
    };
    children.get(position).cloned().map(Box::new)
}

#[inline(never)]
fn dictionary_of(array: &ArrayData, changed: &Option<Box<ArrayParts>>) -> Option<Arc<ArrayData>> {
    let values = match changed {
        Some(parts) => parts.dictionary.as_ref(),
        None => array.dictionary(),
    };
    values.filter(|values| !values.children().is_empty() || values.dictionary().is_some()).cloned()
}

#[inline(never)]
pub(super) fn replace_child(
    array: &ArrayData,
    changed: &mut Option<Box<ArrayParts>>,
    position: usize,
    child: ArrayData,
) {
    let parts = changed.get_or_insert_with(|| Box::new(array.clone().into_parts()));
    if let Some(children) = &mut parts.children
        && let Some(old) = Arc::make_mut(children).get_mut(position)
    {
        *old = child;
    }
}

/// The parts of an array without unused items; `None` if nothing is removed.
#[inline(never)]
fn used_items(array: &ArrayData, unused: UnusedValues) -> Result<Option<Box<ArrayParts>>, SelectError> {
    let n_all = lengths(array).iter().fold(0_usize, |sum, n| sum.saturating_add(*n));
    if n_all == 0 {
        return Ok(None);
    }
    array.check_positions()?;
    if unused == UnusedValues::Bounded && refers_to_at_least(array, n_all.div_ceil(2))? {
        return Ok(None);
    }
    let used = UsedRanges::from_array(array)?;
    if !unused.leaves_out(used.n(), n_all) {
        return Ok(None);
    }
    let mut parts = Box::new(array.clone().into_parts());
    let sources = [array];
    let sources = Sources::new(&sources, None);
    match array.layout().references() {
        References::Data => fill_views(array, Some(unused), &mut parts)?,
        References::Items => {
            let items = fill_items(array, &used, &mut parts)?;
            assemble::children(&sources, &items, &mut parts)?;
        }
        References::Values => {
            let picks = Picks::all([array.len()])?;
            assemble::fill(&sources, &picks, &mut parts)?;
        }
        References::None | References::InOrder | References::Dictionary => return Ok(None),
    }
    Ok(Some(parts))
}

/// The parts of an array whose dictionary only has the values that valid indices refer to, in the old order; `None` if
/// nothing is removed.
#[inline(never)]
fn used_values(array: &ArrayData, unused: UnusedValues) -> Result<Option<Box<ArrayParts>>, SelectError> {
    if array.dictionary().is_none() {
        return Ok(None);
    }
    let source = super::checked(array)?;
    let dictionary = inside(source.dictionary())?;
    let picks = Picks::all([source.len()])?;
    let sources = [&source];
    let sources = Sources::new(&sources, None);
    let merge = Merge::plan(&sources, &[dictionary], &picks, None)?;
    if !unused.leaves_out(merge.picks().n_slots(), dictionary.len()) {
        return Ok(None);
    }
    let mut parts = Box::new(source.clone().into_parts());
    let values = assemble::assemble(&sources.others(merge.dictionaries()), merge.picks())?;
    // The values may be a slice, whose views and lists still share the data of the removed values.
    let values = with_used_items(&values, unused)?;
    merge.finish(&sources, values, &picks, &mut parts)?;
    Ok(Some(parts))
}
