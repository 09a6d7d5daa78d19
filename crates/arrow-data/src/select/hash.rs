//! Which values of an array stand in it more than once.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
};

use arrow_buffer::View;

use crate::{
    array::ArrayData,
    compare::Comparer,
    error::DataError,
    layout::{ChildLen, Content, union_child},
    positions::{Keys, Ranges, RunEnds, TypeIds, bits, numbers},
};

/// Each value once.
pub(super) struct Unique {
    /// Where each value stands first.
    pub(super) slots: Vec<usize>,
    /// For each slot which of those has its value.
    pub(super) of: Vec<usize>,
}

/// Finds the values of an array whose content has been checked. Nulls are one value.
pub(super) fn unique(array: &ArrayData) -> Result<Unique, DataError> {
    let mut comparer = Comparer::try_new(array, array)?;
    let state = RandomState::new();
    let mut unique = Unique { slots: Vec::new(), of: Vec::with_capacity(array.len()) };
    // The last value of each hash, and for each value the one before it of the same hash.
    let mut last: HashMap<u64, usize> = HashMap::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for slot in 0..array.len() {
        let mut hasher = state.build_hasher();
        Walk { hasher: &mut hasher, n_left: MAX_PARTS }.add(array, slot)?;
        let hash = hasher.finish();
        let newest = last.get(&hash).copied();
        let mut candidate = newest;
        while let Some(value) = candidate {
            let known = unique.slots.get(value).copied().unwrap_or(slot);
            if !comparer.differs(slot, known)? {
                break;
            }
            candidate = before.get(value).copied().flatten();
        }
        let value = candidate.unwrap_or(unique.slots.len());
        if candidate.is_none() {
            last.insert(hash, value);
            before.push(newest);
            unique.slots.push(slot);
        }
        unique.of.push(value);
    }
    Ok(unique)
}

/// Parts of a nested value that go into its hash. Values that differ only behind those share one; what is equal
/// is decided by comparing.
const MAX_PARTS: usize = 64;

struct Walk<'a, H: Hasher> {
    hasher: &'a mut H,
    n_left: usize,
}

impl<H: Hasher> Walk<'_, H> {
    /// Adds the value of a slot. Equal values of one array add the same.
    fn add(&mut self, array: &ArrayData, slot: usize) -> Result<(), DataError> {
        let Some(n_left) = self.n_left.checked_sub(1) else { return Ok(()) };
        self.n_left = n_left;
        let layout = array.layout();
        match layout.content() {
            // Nulls of their own and of what they stand for are the same.
            Content::Indices { .. } if array.is_valid(slot) => {
                let key = Keys::of(array)?.get(slot);
                return array.dictionary().map_or(Ok(()), |values| self.add(values, key));
            }
            Content::RunEnds => {
                let run = RunEnds::of(array)?.run_of(slot);
                return array.children().get(1).map_or(Ok(()), |values| self.add(values, run));
            }
            Content::Any
            | Content::Offsets
            | Content::Text
            | Content::MapEntries
            | Content::OffsetsAndSizes
            | Content::Views
            | Content::TextViews
            | Content::Indices { .. }
            | Content::SparseTypeIds
            | Content::DenseTypeIds => {}
        }
        if !array.is_valid(slot) {
            self.hasher.write_u8(0);
            return Ok(());
        }
        self.hasher.write_u8(1);
        match (layout.content(), layout.child_len()) {
            (Content::Any, ChildLen::NoChildren) => self.fixed(array, slot),
            (Content::Any, ChildLen::SameAsParent) => {
                array.children().iter().try_for_each(|child| self.add(child, slot))
            }
            (Content::Offsets | Content::Text, ChildLen::NoChildren) => {
                let bytes = array.buffer(1).get(Ranges::of(array)?.get(slot)).unwrap_or_default();
                self.bytes(bytes);
                Ok(())
            }
            (Content::Views | Content::TextViews, _) => {
                let views = numbers::<View>(array.buffer(0), array.len())?;
                let bytes = views.get(slot).and_then(|view| view.bytes(array.variadic()).ok());
                self.bytes(bytes.unwrap_or_default());
                Ok(())
            }
            (Content::SparseTypeIds | Content::DenseTypeIds, _) => self.union(array, slot),
            _ => {
                let items = Ranges::of(array)?.get(slot);
                self.hasher.write_usize(items.len());
                let n_items = items.len().min(self.n_left);
                let child = array.children().first();
                child.map_or(Ok(()), |child| items.take(n_items).try_for_each(|item| self.add(child, item)))
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.hasher.write_usize(bytes.len());
        self.hasher.write(bytes);
    }

    #[inline(never)]
    fn fixed(&mut self, array: &ArrayData, slot: usize) -> Result<(), DataError> {
        let Some(spec) = array.layout().data_buffers().first().copied() else { return Ok(()) };
        if spec.bits == 1 {
            self.hasher.write_u8(bits(array)?.get(slot).map_or(2, u8::from));
            return Ok(());
        }
        let width = usize::try_from(spec.element_bytes()).unwrap_or(0);
        let start = slot.saturating_mul(width);
        self.hasher.write(array.buffer(0).get(start..start.saturating_add(width)).unwrap_or_default());
        Ok(())
    }

    #[inline(never)]
    fn union(&mut self, array: &ArrayData, slot: usize) -> Result<(), DataError> {
        let (id, at) = TypeIds::of(array)?.get(slot);
        self.hasher.write_i8(id);
        let child = union_child(array.data_type(), id);
        let child = child.and_then(|position| array.children().get(position));
        child.map_or(Ok(()), |child| self.add(child, at))
    }
}
