//! One of the two columns: the way through dictionaries and runs to the array that holds the values.

use arrow_buffer::Bitmap;

use crate::{
    array::ArrayData,
    error::DataError,
    layout::{Content, Nulls},
    positions::{Keys, RunEnds},
};

/// An array, and what remains of it when its encodings are followed.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) array: ArrayData,
    /// The encodings from the outside in.
    pub(super) steps: Vec<Step>,
    /// What is behind them: neither dictionary-encoded nor runs.
    pub(super) leaf: ArrayData,
    /// The validity of the leaf, where it has a null.
    pub(super) validity: Option<Bitmap>,
    pub(super) is_null: bool,
    /// Whether the array is the leaf, and all of its slots hold the same value, since none has any memory.
    is_uniform: bool,
}

#[derive(Debug)]
pub(super) enum Step {
    Dictionary { validity: Option<Bitmap>, keys: Keys },
    Runs(RunEnds),
}

/// Some slots in a row that have the same value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// Where the value is in the leaf; none where it is null.
    pub(super) leaf_slot: Option<usize>,
    /// The slots from the one asked for on, at least one.
    pub(super) n_slots: usize,
}

impl Side {
    pub(super) fn try_new(array: ArrayData) -> Result<Side, DataError> {
        let mut steps = Vec::new();
        let mut leaf = array.clone();
        loop {
            let inner = match leaf.layout().content() {
                Content::Indices { .. } => {
                    steps.push(Step::Dictionary { validity: nulls(&leaf), keys: Keys::of(&leaf)? });
                    leaf.dictionary().map(|values| ArrayData::clone(values))
                }
                Content::RunEnds => {
                    steps.push(Step::Runs(RunEnds::of(&leaf)?));
                    leaf.children().get(1).cloned()
                }
                Content::Any
                | Content::Offsets
                | Content::Text
                | Content::MapEntries
                | Content::OffsetsAndSizes
                | Content::Views
                | Content::TextViews
                | Content::SparseTypeIds
                | Content::DenseTypeIds => None,
            };
            match inner {
                Some(inner) => leaf = inner,
                None => break,
            }
        }
        let is_null = leaf.layout().nulls() == Nulls::All;
        let is_uniform = steps.is_empty() && has_no_memory(&leaf);
        Ok(Side { validity: nulls(&leaf), is_null, is_uniform, array, steps, leaf })
    }

    /// Where the value of a slot is in the leaf, and for how many slots.
    pub(super) fn resolve(&self, slot: usize) -> Span {
        let mut n_slots = if self.is_uniform { usize::MAX } else { 1 };
        let mut at = slot;
        for (depth, step) in self.steps.iter().enumerate() {
            match step {
                Step::Dictionary { validity, keys } => {
                    if validity.as_ref().is_some_and(|validity| validity.get(at) != Some(true)) {
                        return Span { leaf_slot: None, n_slots };
                    }
                    at = keys.get(at);
                }
                Step::Runs(ends) => {
                    let run = ends.run_of(at);
                    if depth == 0 {
                        n_slots = ends.end_of(run).saturating_sub(slot).max(1);
                    }
                    at = run;
                }
            }
        }
        Span { leaf_slot: self.is_valid(at).then_some(at), n_slots }
    }

    /// Whether a slot of the leaf is not null.
    pub(super) fn is_valid(&self, leaf_slot: usize) -> bool {
        !self.is_null && self.validity.as_ref().is_none_or(|validity| validity.get(leaf_slot) == Some(true))
    }

    /// Whether several slots may mean the same slot of the leaf.
    pub(super) fn repeats(&self) -> bool {
        !self.steps.is_empty()
    }
}

/// The validity of an array that has a null.
fn nulls(array: &ArrayData) -> Option<Bitmap> {
    array.validity().filter(|_| array.null_count() > 0).cloned()
}

/// Whether no slot has any memory, as of nulls, of structs without fields, or of values of no bytes: such arrays may be
/// longer than what can be looked at slot by slot.
fn has_no_memory(array: &ArrayData) -> bool {
    if array.is_empty() {
        return true;
    }
    let layout = array.layout();
    match layout.nulls() {
        Nulls::All => true,
        Nulls::InChildren => false,
        Nulls::Bitmap => {
            nulls(array).is_none()
                && layout.content() == Content::Any
                && layout.data_buffers().iter().all(|spec| spec.bits == 0)
                && array.children().iter().all(has_no_memory)
        }
    }
}

/// Whether both are the same arrays in the same memory, so that slots of the same number hold the same value.
pub(crate) fn same_memory(left: &ArrayData, right: &ArrayData) -> bool {
    std::ptr::eq(left, right)
        || same_buffers(left, right)
            && left.children().iter().zip(right.children()).all(|(left, right)| same_memory(left, right))
            && match (left.dictionary(), right.dictionary()) {
                (None, None) => true,
                (Some(left), Some(right)) => same_memory(left, right),
                (Some(_), None) | (None, Some(_)) => false,
            }
}

/// The same without children and dictionaries.
pub(super) fn same_buffers(left: &ArrayData, right: &ArrayData) -> bool {
    let validity = match (left.validity(), right.validity()) {
        (None, None) => true,
        (Some(left), Some(right)) => {
            left.bit_offset() == right.bit_offset() && left.buffer().same_memory(right.buffer())
        }
        (Some(_), None) | (None, Some(_)) => false,
    };
    let (left_data, right_data) = (left.variadic(), right.variadic());
    validity
        && left.offset() == right.offset()
        && left.layout() == right.layout()
        && left.buffer(0).same_memory(right.buffer(0))
        && left.buffer(1).same_memory(right.buffer(1))
        && left_data.len() == right_data.len()
        && left_data.iter().zip(right_data).all(|(left, right)| left.same_memory(right))
        && left.children().len() == right.children().len()
}

/// The same for what is around the leaves: indices and run ends.
pub(super) fn same_encodings(left: &ArrayData, right: &ArrayData) -> bool {
    let (mut left, mut right) = (left, right);
    loop {
        let is_encoded = |array: &ArrayData| {
            matches!(array.layout().content(), Content::Indices { .. } | Content::RunEnds)
        };
        if !is_encoded(left) && !is_encoded(right) {
            return true;
        }
        if !same_buffers(left, right) {
            return false;
        }
        (left, right) = match (left.dictionary(), right.dictionary(), left.children(), right.children()) {
            (Some(left), Some(right), _, _) => (&**left, &**right),
            (_, _, [ends, left], [other_ends, right]) if same_buffers(ends, other_ends) => (left, right),
            _ => return false,
        };
    }
}
