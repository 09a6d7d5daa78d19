//! Lists, maps, unions and runs.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, layout};

use super::{Generator, Nulls, Slots, text::numbers};

impl Generator {
    /// Makes offsets and the child.
    pub(super) fn fill_list(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        let offsets = self.list_offsets(slots);
        let n_child_slots = offsets.last().map_or(0, |last| *last) + self.rng.below(3);
        parts.buffers[0] = self.offsets(parts, slots, &offsets);
        self.fill_children(parts, n_child_slots, slots);
    }

    /// Makes offsets, and entries that are not null and have no null keys.
    pub(super) fn fill_map(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        let offsets = self.list_offsets(slots);
        let n_entries = offsets.last().map_or(0, |last| *last) + self.rng.below(3);
        parts.buffers[0] = self.offsets(parts, slots, &offsets);
        let entries_type = parts.data_type.children()[0].data_type().clone();
        let [key, value] = entries_type.children() else { unreachable!("entries are pairs") };
        let keys = self.array(key.data_type(), n_entries, Nulls::None);
        let values = self.child(value, n_entries, slots);
        let mut entries = ArrayParts::new(entries_type.clone(), n_entries);
        entries.children = Some(Arc::new([keys, values]));
        let entries = ArrayData::try_new(entries).expect("entries are a struct of two");
        parts.children = Some(Arc::new([entries]));
    }

    fn list_offsets(&mut self, slots: &Slots) -> Vec<usize> {
        let mut offsets = vec![if self.rng.one_in(3) { self.rng.below(4) } else { 0 }];
        for slot in 0..slots.n_slots {
            let n_items = if slots.is_valid(slot) || slots.is_garbage(slot) { self.rng.below(4) } else { 0 };
            offsets.push(offsets[slot] + n_items);
        }
        offsets
    }

    /// Makes offsets and sizes in any order, which may overlap, and the child.
    pub(super) fn fill_list_view(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        let bits = layout(&parts.data_type).data_buffers()[0].bits;
        let n_child_slots = self.rng.below(slots.n_slots * 2 + 2);
        let (mut offsets, mut sizes) = (Vec::new(), Vec::new());
        for _ in 0..slots.n_slots {
            let offset = self.rng.below(n_child_slots + 1);
            offsets.push(offset);
            sizes.push(self.rng.below((n_child_slots - offset).min(4) + 1));
        }
        parts.buffers = [numbers(bits, &offsets), numbers(bits, &sizes)];
        self.fill_children(parts, n_child_slots, slots);
    }

    /// Makes type ids, and children as long as the union.
    pub(super) fn fill_sparse_union(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        self.fill_type_ids(parts, slots);
        self.fill_children(parts, parts.n_slots, slots);
    }

    /// Makes type ids, ordered offsets for each child, and children with enough slots.
    pub(super) fn fill_dense_union(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        let ids = self.fill_type_ids(parts, slots);
        let fields = parts.data_type.children().to_vec();
        let union = parts.data_type.as_union().expect("it is a union").clone();
        let mut next = vec![0_usize; fields.len()];
        let mut offsets = Vec::new();
        for id in ids {
            let child = union.child_of(id).expect("it is one of the ids");
            // Two slots may share a value, and values may be skipped.
            let offset = match self.rng.below(6) {
                0 => next[child].saturating_sub(1),
                1 => next[child] + 1,
                _ => next[child],
            };
            next[child] = offset + 1;
            offsets.push(offset);
        }
        parts.buffers[1] = numbers(32, &offsets);
        let children: Vec<ArrayData> =
            fields.iter().zip(next).map(|(field, n_slots)| self.child(field, n_slots, slots)).collect();
        parts.children = (!children.is_empty()).then(|| Arc::from(children));
    }

    fn fill_type_ids(&mut self, parts: &mut ArrayParts, slots: &Slots) -> Vec<i8> {
        let known = parts.data_type.as_union().expect("it is a union").type_ids().to_vec();
        assert!(!known.is_empty() || slots.n_slots == 0, "a union without children has no values");
        let ids: Vec<i8> = (0..slots.n_slots).map(|_| *self.rng.pick(&known)).collect();
        parts.buffers[0] = Buffer::from(ids.clone());
        ids
    }

    /// Makes run ends and values. Some arrays start inside a run.
    pub(super) fn fill_runs(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        parts.offset = if self.rng.one_in(2) { 0 } else { self.rng.below(5) };
        let end = parts.offset + slots.n_slots;
        let mut run_ends = Vec::new();
        let mut run_end = 0;
        while run_end < end {
            run_end += 1 + self.rng.below(5);
            run_ends.push(run_end);
        }
        let [ends_field, values_field] = parts.data_type.children() else {
            unreachable!("runs have two children")
        };
        let bits = layout(ends_field.data_type()).data_buffers()[0].bits;
        let ends = ArrayParts {
            buffers: [numbers(bits, &run_ends), Buffer::new()],
            ..ArrayParts::new(ends_field.data_type().clone(), run_ends.len())
        };
        let ends = ArrayData::try_new(ends).expect("there are so many run ends");
        let values_field = values_field.clone();
        // More values than runs are legal.
        let n_values = run_ends.len() + if self.rng.one_in(4) { 2 } else { 0 };
        let values = self.child(&values_field, n_values, slots);
        parts.children = Some(Arc::new([ends, values]));
    }
}
