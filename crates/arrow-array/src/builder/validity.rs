//! A validity bitmap that grows slot by slot.

use arrow_buffer::{Bitmap, BitmapBuilder};

/// Allocates the bitmap at the first null, since most columns have no nulls.
#[derive(Debug, Clone, Default)]
pub(super) struct Validity {
    bits: Option<BitmapBuilder>,
}

impl Validity {
    #[inline]
    pub(super) fn append_valid(&mut self) {
        if let Some(bits) = &mut self.bits {
            bits.push(true);
        }
    }

    pub(super) fn append_valids(&mut self, n_slots: usize) {
        if let Some(bits) = &mut self.bits {
            bits.extend_constant(true, n_slots);
        }
    }

    /// Adds a null slot. `n_before` is the number of slots before it, which are valid if there is no bitmap yet.
    #[inline]
    pub(super) fn append_null(&mut self, n_before: usize) {
        self.bits(n_before).push(false);
    }

    /// Adds null slots. `n_before` is the number of slots before them, which are valid if there is no bitmap yet.
    pub(super) fn append_nulls(&mut self, n_before: usize, n_slots: usize) {
        if n_slots > 0 {
            self.bits(n_before).extend_constant(false, n_slots);
        }
    }

    #[inline]
    fn bits(&mut self, n_before: usize) -> &mut BitmapBuilder {
        self.bits.get_or_insert_with(|| all_valid(n_before))
    }

    /// Whether a null was appended. `true` even if `truncate` has removed it.
    pub(super) fn has_nulls(&self) -> bool {
        self.bits.is_some()
    }

    /// Sets the nulls among the first `n_slots` slots, all valid so far. `nulls` are increasing slots.
    #[inline]
    pub(super) fn set_nulls(&mut self, n_slots: usize, nulls: Vec<usize>) {
        if !nulls.is_empty() {
            self.begin_with(n_slots, nulls);
        }
    }

    #[inline(never)]
    fn begin_with(&mut self, n_slots: usize, nulls: Vec<usize>) {
        let mut bits = BitmapBuilder::with_capacity(n_slots);
        for null in nulls {
            bits.extend_constant(true, null - bits.len());
            bits.push(false);
        }
        bits.extend_constant(true, n_slots - bits.len());
        self.bits = Some(bits);
    }

    #[inline]
    pub(super) fn is_valid(&self, slot: usize) -> bool {
        self.bits.as_ref().is_none_or(|bits| bits.get(slot))
    }

    pub(super) fn truncate(&mut self, n_slots: usize) {
        if let Some(bits) = &mut self.bits {
            bits.truncate(n_slots);
        }
    }

    /// Takes the bitmap. `None` if no slot is null.
    pub(super) fn finish(&mut self) -> Option<Bitmap> {
        self.bits.take().and_then(BitmapBuilder::finish_with_nulls)
    }
}

#[cold]
#[inline(never)]
fn all_valid(n_slots: usize) -> BitmapBuilder {
    let mut bits = BitmapBuilder::new();
    bits.extend_constant(true, n_slots);
    bits
}
