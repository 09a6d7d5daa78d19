//! Values of variable size: binary and text, with offsets and with views.

use std::sync::Arc;

use arrow_buffer::{Buffer, BufferMut, View};
use arrow_data::{ArrayParts, layout};

use super::{Generator, Slots};

/// The content of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bytes {
    Any,
    Ascii,
    Utf8,
}

/// Characters of one to four bytes.
const CHARACTERS: [char; 10] = ['a', 'Z', ' ', '"', '\0', 'é', 'ß', '€', '한', '🦀'];

impl Generator {
    /// Makes offsets and random bytes.
    pub(super) fn fill_binary(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        self.fill_bytes(parts, slots, Bytes::Any);
    }

    /// Makes offsets and text.
    pub(super) fn fill_text(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        self.fill_bytes(parts, slots, Bytes::Utf8);
    }

    fn fill_bytes(&mut self, parts: &mut ArrayParts, slots: &Slots, kind: Bytes) {
        let kind = self.maybe_ascii(kind);
        // Bytes before the first slot and after the last belong to no slot.
        let mut data = if self.rng.one_in(3) { self.rng.bytes(5) } else { Vec::new() };
        let mut offsets = vec![data.len()];
        for slot in 0..slots.n_slots {
            if slots.is_garbage(slot) {
                let n_bytes = self.rng.below(6);
                data.extend(self.rng.bytes(n_bytes));
            } else if slots.is_valid(slot) {
                data.extend(self.bytes_of(kind, 20));
            }
            offsets.push(data.len());
        }
        let n_slack = self.rng.below(4);
        data.extend(self.rng.bytes(n_slack));
        parts.buffers = [self.offsets(parts, slots, &offsets), Buffer::from(data)];
    }

    /// The offsets buffer. If there are no slots, it may be empty.
    pub(super) fn offsets(&mut self, parts: &ArrayParts, slots: &Slots, offsets: &[usize]) -> Buffer {
        if slots.n_slots == 0 && self.rng.one_in(2) {
            return Buffer::new();
        }
        numbers(layout(&parts.data_type).data_buffers()[0].bits, offsets)
    }

    /// Makes views and their data buffers.
    pub(super) fn fill_views(&mut self, parts: &mut ArrayParts, slots: &Slots, kind: Bytes) {
        let kind = self.maybe_ascii(kind);
        let n_buffers = self.rng.below(4);
        let mut data: Vec<Vec<u8>> = vec![Vec::new(); n_buffers];
        let mut views = BufferMut::with_capacity(16 * slots.n_slots);
        for slot in 0..slots.n_slots {
            if slots.is_garbage(slot) {
                views.extend_from_slice(&self.rng.bytes(16));
                continue;
            }
            if !slots.is_valid(slot) {
                views.push(View::default());
                continue;
            }
            let bytes = self.bytes_of(kind, if n_buffers == 0 { 12 } else { 30 });
            let view = View::inline(&bytes).unwrap_or_else(|| {
                let buffer_idx = self.rng.below(n_buffers);
                let buffer = &mut data[buffer_idx];
                let offset = buffer.len();
                buffer.extend_from_slice(&bytes);
                View::long(&bytes, buffer_idx as i32, offset as i32).expect("it is long")
            });
            views.push(view);
        }
        parts.buffers[0] = views.freeze();
        parts.variadic =
            (n_buffers > 0).then(|| data.into_iter().map(Buffer::from).collect::<Arc<[Buffer]>>());
    }

    /// Makes the text of some arrays ASCII.
    fn maybe_ascii(&mut self, kind: Bytes) -> Bytes {
        if kind == Bytes::Utf8 && self.rng.one_in(3) { Bytes::Ascii } else { kind }
    }

    fn bytes_of(&mut self, kind: Bytes, n_max_bytes: usize) -> Vec<u8> {
        let n_bytes = *self.rng.pick(&[0, 1, 4, 12, 13, n_max_bytes]).min(&n_max_bytes);
        if kind == Bytes::Any {
            return self.rng.bytes(n_bytes);
        }
        let mut text = String::new();
        loop {
            let character = if kind == Bytes::Ascii { 'x' } else { *self.rng.pick(&CHARACTERS) };
            if text.len() + character.len_utf8() > n_bytes {
                return text.into_bytes();
            }
            text.push(character);
        }
    }
}

/// Offsets as 32- or 64-bit numbers.
pub(super) fn numbers(bits: u64, positions: &[usize]) -> Buffer {
    match bits {
        16 => {
            Buffer::from(positions.iter().map(|n| i16::try_from(*n).expect("it fits")).collect::<Vec<i16>>())
        }
        32 => {
            Buffer::from(positions.iter().map(|n| i32::try_from(*n).expect("it fits")).collect::<Vec<i32>>())
        }
        _ => {
            Buffer::from(positions.iter().map(|n| i64::try_from(*n).expect("it fits")).collect::<Vec<i64>>())
        }
    }
}
