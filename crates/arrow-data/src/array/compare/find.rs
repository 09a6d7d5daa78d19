//! Finds how many slots are equal before the first difference.
//!
//! Recursive functions call themselves once per level of the type, and use little stack.

use crate::array::positions::Ranges;
use arrow_buffer::Bitmap;
use arrow_schema::visit;

use super::{
    node::{LeafPair, NodePair, Unions},
    raw::differing_bit,
    side::{ComparedSide, EncodingStep, Span},
};

/// The number of slots whose validity is compared at once.
const BLOCK_SLOTS: usize = 4096;

impl NodePair {
    /// Like [`find`](NodePair::find), but visits few slots after the difference: structs, lists and unions compare all
    /// slots of one child before the next. So this compares one slot first, and then longer and longer ranges.
    pub(super) fn find_near(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        let (mut done, mut n_next) = (0, 1);
        while done < n {
            let n_range = (n - done).min(n_next);
            if let Some(k) = self.find(i + done, j + done, n_range) {
                return Some(done + k);
            }
            done += n_range;
            n_next = n_next.saturating_mul(4);
        }
        None
    }

    /// Compares `n` slots from `i` on the left and from `j` on the right. Returns the number of equal slots before the
    /// first difference; `None` if all are equal.
    pub(super) fn find(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        if n == 0 || (self.is_same && i == j) {
            return None;
        }
        visit(1);
        // A slot that is out of bounds does not equal any slot.
        if !self.has_slots(i, j, n) {
            return Some(0);
        }
        if n > 1
            && let Some(mut runs) = self.runs.take()
        {
            let found = runs.find(self, [i, j, n]);
            self.runs = Some(runs);
            return found;
        }
        let Some(mut memo) = self.slots.take() else { return self.find_directly(i, j, n) };
        let found = memo.find(i, j, n, |k, n| self.find_directly(i + k, j + k, n));
        self.slots = Some(memo);
        found
    }

    fn find_directly(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        if self.left.repeats() || self.right.repeats() {
            return if self.keys.is_some() { self.find_by_keys(i, j, n) } else { self.find_encoded(i, j, n) };
        }
        match (&self.left.validity, &self.right.validity) {
            (None, None) => self.find_valid(i, j, n),
            _ => self.find_between_nulls(i, j, n),
        }
    }

    /// Whether both columns have `n` slots from `i` and `j` on.
    pub(super) fn has_slots(&self, i: usize, j: usize, n: usize) -> bool {
        let has = |side: &ComparedSide, start: usize| {
            start.checked_add(n).is_some_and(|end| end <= side.array.len())
        };
        has(&self.left, i) && has(&self.right, j)
    }

    /// Compares `n` valid slots of the leaves.
    fn find_valid(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        if self.is_same_leaf && i == j {
            return None;
        }
        match &mut self.values {
            Some(memo) => memo.find(i, j, n, |k, n| self.body.find(i + k, j + k, n)),
            None => self.body.find(i, j, n),
        }
    }

    fn find_between_nulls(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        let mut done = 0;
        while done < n {
            let n_block = (n - done).min(BLOCK_SLOTS);
            let (from, to) = (i + done, j + done);
            let differing = differing_validity(&self.left, &self.right, [from, to, n_block]);
            let n_alike = differing.unwrap_or(n_block);
            if let Some(k) = self.find_where_alike(from, to, n_alike) {
                return Some(done + k);
            }
            if differing.is_some() {
                return Some(done + n_alike);
            }
            done += n_block;
        }
        None
    }

    /// The first `k` below `n` for which slot `i + k` on the left differs from slot `j + k` on the right. Both slots of
    /// a pair must be valid, or both must be null.
    fn find_where_alike(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        visit(n);
        let mut k = 0;
        if self.body.is_total() {
            // Null slots are compared too, since their bytes are mostly equal.
            let at = self.body.find(i, j, n)?;
            if self.left.is_valid(i + at) {
                return Some(at);
            }
            k = at + 1;
        }
        while k < n {
            if !self.left.is_valid(i + k) {
                k += 1;
                continue;
            }
            let n_valid = (k..n).take_while(|k| self.left.is_valid(i + k)).count();
            if let Some(at) = self.find_valid(i + k, j + k, n_valid) {
                return Some(k + at);
            }
            k += n_valid;
        }
        None
    }

    /// Compares indices into a dictionary that both sides share. Equal indices select equal values.
    fn find_by_keys(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        let mut k = 0;
        while k < n {
            // Slots are compared in blocks, since there may be many differences, and each difference restarts the search.
            let n_block = (n - k).min(BLOCK_SLOTS);
            let differing = self.keys.as_ref().and_then(|keys| keys.find(i + k, j + k, n_block));
            let n_alike = differing.unwrap_or(n_block);
            // The indices are equal, but one of the slots may be null.
            let differing = self.differing_index_validity(i + k, j + k, n_alike).or(differing);
            k += differing.unwrap_or(n_block);
            if differing.is_some() {
                if self.find_encoded(i + k, j + k, 1).is_some() {
                    return Some(k);
                }
                k += 1;
            }
        }
        None
    }

    fn differing_index_validity(&self, i: usize, j: usize, n: usize) -> Option<usize> {
        differing_bits(self.left.array.validity(), self.right.array.validity(), [i, j, n])
    }

    /// Compares through dictionaries and runs.
    pub(super) fn find_encoded(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        let mut known = LastEqual::new(&self.left, n);
        let (mut left, mut right) = (Span::EMPTY, Span::EMPTY);
        let mut k = 0;
        while k < n {
            visit(1);
            if known.equal_indices(&self.left, &self.right, i + k, j + k) {
                k += 1;
                continue;
            }
            if left.n_slots == 0 {
                let Some(span) = self.left.resolve(i + k) else { return Some(k) };
                left = span;
            }
            if right.n_slots == 0 {
                let Some(span) = self.right.resolve(j + k) else { return Some(k) };
                right = span;
            }
            match (left.leaf_slot, right.leaf_slot) {
                (None, None) => {}
                (Some(left), Some(right)) => {
                    if !known.equal(left, right) {
                        if self.find_valid(left, right, 1).is_some() {
                            return Some(k);
                        }
                        known.insert(left, right);
                    }
                }
                (Some(_), None) | (None, Some(_)) => return Some(k),
            }
            let n_both = left.n_slots.min(right.n_slots).min(n - k);
            left.n_slots -= n_both;
            right.n_slots -= n_both;
            k += n_both;
        }
        None
    }
}

impl Span {
    const EMPTY: Span = Span { leaf_slot: None, n_slots: 0 };
}

/// For each slot of the left leaf, the slot of the right leaf that was last found equal.
struct LastEqual {
    right: Vec<usize>,
    last: (usize, usize),
}

const NONE: usize = usize::MAX;

impl LastEqual {
    /// Reserves an entry for each value of the dictionary, but only if there are at most as many values as indices.
    /// Values that are nulls or runs take no memory, so there may be more of them than entries fit in memory.
    fn new(left: &ComparedSide, n_slots: usize) -> LastEqual {
        let n_values = left.leaf.len();
        let is_worth_it = matches!(left.steps.as_slice(), [EncodingStep::Dictionary { .. }]);
        let is_worth_it = is_worth_it && n_slots > 1 && n_values <= n_slots;
        let right = if is_worth_it { vec![NONE; n_values] } else { Vec::new() };
        LastEqual { right, last: (NONE, NONE) }
    }

    #[inline]
    fn equal(&self, left: usize, right: usize) -> bool {
        self.last == (left, right) || self.right.get(left) == Some(&right)
    }

    /// Whether both slots have valid indices, and the selected values were found equal.
    #[inline]
    fn equal_indices(&self, left: &ComparedSide, right: &ComparedSide, i: usize, j: usize) -> bool {
        if let (
            [EncodingStep::Dictionary { validity: None, indices: left }],
            [EncodingStep::Dictionary { validity: None, indices: right }],
        ) = (left.steps.as_slice(), right.steps.as_slice())
        {
            let known = left.get(i).and_then(|left| self.right.get(left));
            return known.is_some_and(|known| right.get(j) == Some(*known));
        }
        false
    }

    fn insert(&mut self, left: usize, right: usize) {
        self.last = (left, right);
        if let Some(known) = self.right.get_mut(left) {
            *known = right;
        }
    }
}

impl LeafPair {
    /// Whether null slots may be compared like values: they have bytes, and no children.
    fn is_total(&self) -> bool {
        match self {
            LeafPair::Nulls | LeafPair::Bits(_) | LeafPair::Fixed(_) => true,
            LeafPair::Bytes(bytes) => bytes.is_total(),
            LeafPair::Structs(_) | LeafPair::Lists { .. } | LeafPair::Unions(_) => false,
        }
    }

    /// Compares slots that are all valid.
    fn find(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        match self {
            LeafPair::Nulls => None,
            LeafPair::Bits(bits) => bits.find(i, j, n),
            LeafPair::Fixed(values) => values.find(i, j, n),
            LeafPair::Bytes(bytes) => bytes.find(i, j, n),
            LeafPair::Structs(fields) => {
                // Each field is compared only up to the first difference in the fields before it.
                let first = fields.iter_mut().fold(n, |n, field| field.find(i, j, n).unwrap_or(n));
                (first < n).then_some(first)
            }
            LeafPair::Lists { left, right, items } => find_in_lists((left, i), (right, j), n, items),
            LeafPair::Unions(unions) => unions.find(i, j, n),
        }
    }
}

/// Compares lists. Where the items of consecutive lists are adjacent on both sides, these lists are compared in one
/// call.
fn find_in_lists(
    (left, i): (&Ranges, usize),
    (right, j): (&Ranges, usize),
    n: usize,
    items: &mut NodePair,
) -> Option<usize> {
    if let (Ranges::Times(size), Ranges::Times(other)) = (left, right)
        && size == other
    {
        // The slots may take no memory, so there may be very many of them.
        let (Some(from), Some(to)) = (left.get(i), right.get(j)) else { return Some(0) };
        let first = items.find(from.start, to.start, n.saturating_mul(*size));
        return first.and_then(|item| item.checked_div(*size));
    }
    let mut k = 0;
    while k < n {
        let (Some(mut from), Some(mut to)) = (left.get(i + k), right.get(j + k)) else { return Some(k) };
        visit(1);
        let mut n_row = 0;
        let mut differs = from.len() != to.len();
        while !differs {
            n_row += 1;
            if k + n_row == n {
                break;
            }
            let (next_left, next_right) = (left.get(i + k + n_row), right.get(j + k + n_row));
            let (Some(next_left), Some(next_right)) = (next_left, next_right) else { break };
            visit(1);
            let follows = next_left.start == from.end && next_right.start == to.end;
            if !follows {
                break;
            }
            differs = next_left.len() != next_right.len();
            if !differs {
                (from.end, to.end) = (next_left.end, next_right.end);
            }
        }
        if n_row > 0
            && let Some(item) = items.find(from.start, to.start, from.len())
        {
            let at = from.start + item;
            let is_after = |k: &usize| left.get(i + k).is_none_or(|range| range.end > at);
            return (k..k + n_row).find(is_after);
        }
        k += n_row;
        if differs {
            return Some(k);
        }
    }
    None
}

impl Unions {
    /// The number of equal values before the first that differs; `None` if all are equal.
    pub(super) fn find(&mut self, i: usize, j: usize, n: usize) -> Option<usize> {
        let mut k = 0;
        while k < n {
            let (Some((id, left)), Some((right_id, right))) = (self.left.get(i + k), self.right.get(j + k))
            else {
                return Some(k);
            };
            if id != right_id {
                return Some(k);
            }
            // If consecutive slots select consecutive slots of a child, they are compared at once.
            let follows = |m: &usize| {
                self.left.get(i + k + m) == Some((id, left + m))
                    && self.right.get(j + k + m) == Some((id, right + m))
            };
            let n_row = (1..n - k).take_while(follows).count() + 1;
            visit(n_row);
            let Some(child) = self.child(id) else { return Some(k) };
            if let Some(m) = child.find(left, right, n_row) {
                return Some(k + m);
            }
            k += n_row;
        }
        None
    }

    pub(super) fn child(&mut self, id: i8) -> Option<&mut NodePair> {
        self.children.iter_mut().find(|(type_id, _)| *type_id == id).map(|(_, child)| &mut **child)
    }
}

/// The first slot that is null on one side only. Neither leaf has the null type.
fn differing_validity(left: &ComparedSide, right: &ComparedSide, slots: [usize; 3]) -> Option<usize> {
    differing_bits(left.validity.as_ref(), right.validity.as_ref(), slots)
}

fn differing_bits(left: Option<&Bitmap>, right: Option<&Bitmap>, [i, j, n]: [usize; 3]) -> Option<usize> {
    match (left, right) {
        (None, None) => None,
        (Some(left), Some(right)) => differing_bit((left, i), (right, j), n),
        (Some(only), None) => first_unset(only, i, n),
        (None, Some(only)) => first_unset(only, j, n),
    }
}

fn first_unset(bits: &Bitmap, start: usize, n: usize) -> Option<usize> {
    if n == 1 {
        return (bits.get(start) != Some(true)).then_some(0);
    }
    let Ok(bits) = bits.try_slice(start, n) else { return Some(0) };
    let (word_idx, word) = bits.words().enumerate().find(|(_, word)| *word != u64::MAX)?;
    let at = word_idx * 64 + word.trailing_ones() as usize;
    (at < n).then_some(at)
}
