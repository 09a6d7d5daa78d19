//! One of the two columns, with the path through dictionaries and runs to the array of its values.

use crate::{
    ArrayData, ChildLen, Nulls,
    array::positions::{DictionaryIndices, RunEnds, inside},
};
use arrow_buffer::Bitmap;

use crate::error::DataError;

/// An array and its leaf. The leaf is the array of values at the end of all its dictionaries and runs.
#[derive(Debug)]
pub(super) struct ComparedSide {
    pub(super) array: ArrayData,
    /// The encodings, the outermost first.
    pub(super) steps: Vec<EncodingStep>,
    /// The array of values inside all dictionaries and runs. The leaf is neither
    /// dictionary-encoded nor run-end encoded.
    pub(super) leaf: ArrayData,
    /// The validity of the leaf; `None` if the leaf has no nulls.
    pub(super) validity: Option<Bitmap>,
    pub(super) is_null: bool,
    /// Whether the array is the leaf and its slots take no memory, so that all have the same value.
    is_uniform: bool,
    /// Whether the array is the leaf and there may be too many slots to visit one by one, as in structs of runs.
    has_runs_inside: bool,
}

#[derive(Debug)]
pub(super) enum EncodingStep {
    Dictionary { validity: Option<Bitmap>, indices: DictionaryIndices },
    Runs(RunEnds),
}

/// Consecutive slots that have the same value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// The slot of the value in the leaf; `None` if null.
    pub(super) leaf_slot: Option<usize>,
    /// The number of consecutive slots with this value, from the resolved slot on; at least one.
    pub(super) n_slots: usize,
}

impl ComparedSide {
    pub(super) fn try_new(array: ArrayData) -> Result<ComparedSide, DataError> {
        let mut steps = Vec::new();
        let mut leaf = array.clone();
        loop {
            let inner = if let Some(values) = leaf.dictionary() {
                let indices = DictionaryIndices::try_new(&leaf)?;
                steps.push(EncodingStep::Dictionary { validity: nulls(&leaf), indices });
                ArrayData::clone(values)
            } else if leaf.layout().child_len() == ChildLen::Runs {
                steps.push(EncodingStep::Runs(RunEnds::try_new(&leaf)?));
                inside(leaf.children().get(1))?.clone()
            } else {
                break;
            };
            leaf = inner;
        }
        let is_null = leaf.layout().nulls() == Nulls::All;
        let is_uniform = steps.is_empty() && (leaf.is_empty() || leaf.is_uniform());
        let has_runs_inside = steps.is_empty() && !is_uniform && !leaf.is_backed();
        Ok(ComparedSide { validity: nulls(&leaf), is_null, is_uniform, has_runs_inside, array, steps, leaf })
    }

    /// The leaf slot with the value of `slot`, and the number of slots from `slot` on that have the same value. `None`
    /// if `slot`, or the value that it selects, is out of bounds.
    pub(super) fn resolve(&self, slot: usize) -> Option<Span> {
        let mut n_slots = match (self.is_uniform, self.has_runs_inside) {
            (true, _) => usize::MAX,
            (false, true) => n_alike(&self.leaf, slot),
            (false, false) => 1,
        };
        let mut at = slot;
        for (depth, step) in self.steps.iter().enumerate() {
            match step {
                EncodingStep::Dictionary { validity, indices } => {
                    if let Some(validity) = validity
                        && !validity.get(at)?
                    {
                        return Some(Span { leaf_slot: None, n_slots });
                    }
                    at = indices.get(at)?;
                }
                EncodingStep::Runs(ends) => {
                    let run = ends.run_of(at)?;
                    if depth == 0 {
                        n_slots = ends.end_of(run)?.checked_sub(slot).filter(|n_slots| *n_slots > 0)?;
                    }
                    at = run;
                }
            }
        }
        (at < self.leaf.len()).then(|| Span { leaf_slot: self.is_valid(at).then_some(at), n_slots })
    }

    /// Whether a slot of the leaf is not null.
    pub(super) fn is_valid(&self, leaf_slot: usize) -> bool {
        !self.is_null && self.validity.as_ref().is_none_or(|validity| validity.get(leaf_slot) == Some(true))
    }

    /// Whether each slot has memory, so that there are no more slots than bytes and bits.
    pub(super) fn has_memory(&self) -> bool {
        !self.array.is_empty() && self.array.is_backed()
    }

    pub(super) fn is_uniform(&self) -> bool {
        self.is_uniform
    }

    /// Whether several slots may select the same slot of the leaf.
    pub(super) fn repeats(&self) -> bool {
        !self.steps.is_empty()
    }
}

/// The number of slots from `slot` on that lie in the same runs as `slot`, and so have the same value; at least one.
fn n_alike(array: &ArrayData, slot: usize) -> usize {
    let layout = array.layout();
    let children = |slot| array.children().iter().map(move |child| n_alike(child, slot)).min();
    let n_slots = match layout.child_len() {
        _ if array.is_uniform() => array.len().checked_sub(slot),
        _ if array.validity().is_some() => None,
        ChildLen::Runs => RunEnds::try_new(array).ok().and_then(|ends| {
            let run = ends.run_of(slot)?;
            ends.end_of(run)?.checked_sub(slot)
        }),
        ChildLen::SameAsParent if layout.data_buffers().is_empty() => children(slot),
        ChildLen::Times(size) => usize::try_from(size).ok().and_then(|size| {
            let n_items = slot.checked_mul(size).and_then(children)?;
            n_items.checked_div(size)
        }),
        ChildLen::SameAsParent | ChildLen::FromData | ChildLen::NoChildren => None,
    };
    n_slots.unwrap_or(1).max(1)
}

/// The validity of an array; `None` if no slot is null.
fn nulls(array: &ArrayData) -> Option<Bitmap> {
    array.validity_with_nulls().cloned()
}
