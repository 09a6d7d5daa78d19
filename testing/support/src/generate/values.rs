//! Values of a fixed width, and indices.

use std::sync::Arc;

use arrow_buffer::{BufferMut, I256};
use arrow_data::{ArrayParts, StrictRule, layout};
use arrow_schema::IndexType;

use super::{Generator, Nulls, Slots};

impl Generator {
    /// The buffer of a layout in which all bytes are values, within its strict rule.
    pub(super) fn fill_values(&mut self, parts: &mut ArrayParts, slots: &Slots) {
        let layout = layout(&parts.data_type);
        let Some(spec) = layout.data_buffers().first() else { return };
        if spec.bits == 1 {
            let bits: Vec<bool> = (0..slots.n_slots).map(|_| self.rng.one_in(2)).collect();
            let bitmap = self.bitmap(&bits);
            parts.offset = bitmap.bit_offset();
            parts.buffers[0] = bitmap.buffer().clone();
            return;
        }
        let n_bytes = spec.element_bytes() as usize;
        let mut values = BufferMut::with_capacity(n_bytes * slots.n_slots);
        for slot in 0..slots.n_slots {
            if slots.is_garbage(slot) {
                values.extend_from_slice(&self.rng.bytes(n_bytes));
                continue;
            }
            match layout.strict() {
                StrictRule::Any | StrictRule::DenseOrder => {
                    let value = self.value(n_bytes);
                    values.extend_from_slice(&value);
                }
                StrictRule::Precision(precision) => {
                    let words = self.decimal(precision).to_words();
                    let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
                    values.extend_from_slice(&native(&bytes[..n_bytes]));
                }
                StrictRule::MultipleOf(unit) => {
                    let n_days = self.rng.within(-40_000..=40_000);
                    values.extend_from_slice(&(n_days * unit).to_ne_bytes());
                }
                StrictRule::Below(limit) => {
                    let value = *self.rng.pick(&[0, limit - 1, limit / 2, limit / 3, 1]);
                    values.extend_from_slice(&native(&value.to_le_bytes()[..n_bytes]));
                }
            }
        }
        parts.buffers[0] = values.freeze();
    }

    /// Makes indices and their dictionary.
    pub(super) fn fill_indices(&mut self, parts: &mut ArrayParts, slots: &Slots, index: IndexType) {
        let value_type = parts.data_type.value_type().clone();
        let n_bytes = index.n_bits() as usize / 8;
        // Where no slot is valid, a dictionary may be empty.
        let is_empty = (0..slots.n_slots).all(|slot| !slots.is_valid(slot)) && self.rng.one_in(2);
        let n_reachable = match index {
            IndexType::Int8 => 128,
            IndexType::UInt8 => 256,
            _ => 300,
        };
        let n_values = if is_empty { 0 } else { *self.rng.pick(&[1, 2, 7, 300]) };
        let nulls = match slots.nulls {
            Nulls::None => Nulls::None,
            Nulls::Some | Nulls::All | Nulls::Garbage => *self.rng.pick(&[Nulls::None, Nulls::Some]),
        };
        let mut indices = BufferMut::with_capacity(n_bytes * slots.n_slots);
        for slot in 0..slots.n_slots {
            let index = if slots.is_garbage(slot) {
                self.rng.bits()
            } else {
                self.rng.below(n_reachable.min(n_values)) as u64
            };
            indices.extend_from_slice(&native(&index.to_le_bytes()[..n_bytes]));
        }
        parts.buffers[0] = indices.freeze();
        parts.dictionary = Some(Arc::new(self.array(&value_type, n_values, nulls)));
    }

    /// The bytes of one value, which is often an extreme value.
    fn value(&mut self, n_bytes: usize) -> Vec<u8> {
        match self.rng.below(6) {
            0 => vec![0; n_bytes],
            1 => vec![0xFF; n_bytes],
            // The least signed number, and the greatest.
            2 => native(&most_significant(0x80, 0x00, n_bytes)),
            3 => native(&most_significant(0x7F, 0xFF, n_bytes)),
            _ => self.rng.bytes(n_bytes),
        }
    }

    /// A number with at most `precision` digits, often the greatest or the least.
    fn decimal(&mut self, precision: u8) -> I256 {
        let n_digits = match self.rng.below(4) {
            0 => return I256::from(0_i64),
            1 => usize::from(precision),
            _ => 1 + self.rng.below(precision.into()),
        };
        let nines = self.rng.one_in(3);
        let digits: String = (0..n_digits)
            .map(|_| if nines { '9' } else { char::from(b'0' + self.rng.below(10) as u8) })
            .collect();
        let sign = if self.rng.one_in(2) { "-" } else { "" };
        format!("{sign}{digits}").parse().expect("up to 76 digits fit")
    }
}

fn most_significant(byte: u8, others: u8, n_bytes: usize) -> Vec<u8> {
    let mut bytes = vec![others; n_bytes];
    if let Some(last) = bytes.last_mut() {
        *last = byte;
    }
    bytes
}

/// Converts little-endian bytes to the byte order of this machine.
fn native(little_endian: &[u8]) -> Vec<u8> {
    let mut bytes = little_endian.to_vec();
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
    bytes
}
