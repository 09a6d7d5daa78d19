//! Random arrays and batches of any type, driven by the layout table.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, Physical, RecordBatch, layout};
use arrow_schema::{DataType, Field, Schema, UnionMode};

use crate::rng::Rng;

mod nested;
mod text;
mod values;

/// Which slots of an array are null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// No slots, at any depth, if the type allows this.
    None,
    /// Some slots, and some slots of children.
    Some,
    /// All slots.
    All,
    /// Some slots. Null slots contain garbage if the format allows this.
    Garbage,
}

impl Nulls {
    /// All four variants.
    pub const ALL: [Nulls; 4] = [Nulls::None, Nulls::Some, Nulls::All, Nulls::Garbage];

    fn below(self, field: &Field) -> Nulls {
        match self {
            // What is below nulls is not all null itself.
            Nulls::All if field.is_nullable() => Nulls::Some,
            Nulls::None | Nulls::Some | Nulls::Garbage if field.is_nullable() => self,
            _ => Nulls::None,
        }
    }
}

/// Makes random arrays; the same seed and calls give the same arrays.
///
/// All arrays are valid at the strict level. They use rare but valid forms: bitmaps that start inside a byte, offsets
/// that do not start at zero, bytes and child slots that nothing refers to, overlapping list views, and known and unknown
/// null counts.
#[derive(Debug, Clone)]
pub struct Generator {
    rng: Rng,
}

impl Generator {
    /// Makes a generator from a seed.
    pub const fn new(seed: u64) -> Generator {
        Generator { rng: Rng::new(seed) }
    }

    /// The random number generator, for tests that need more random numbers.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// An array of `n_slots` slots. It is not validated.
    pub fn array(&mut self, data_type: &DataType, n_slots: usize, nulls: Nulls) -> ArrayData {
        let validity = self.validity(data_type, n_slots, nulls);
        let parts = self.parts(data_type, n_slots, validity, nulls);
        ArrayData::try_new(parts).unwrap_or_else(|error| panic!("a generated {data_type}: {error}"))
    }

    /// Like [`array`](Generator::array), but a slice of a longer array.
    pub fn sliced_array(&mut self, data_type: &DataType, n_slots: usize, nulls: Nulls) -> ArrayData {
        let (n_before, n_after) = (self.rng.below(70), self.rng.below(9));
        self.array(data_type, n_before + n_slots + n_after, nulls).slice(n_before, n_slots)
    }

    /// A batch of `n_rows` rows. Columns that are not nullable have no nulls. Some columns are slices.
    pub fn batch(&mut self, schema: &Schema, n_rows: usize, nulls: Nulls) -> RecordBatch {
        let columns: Vec<ArrayData> = schema
            .fields()
            .iter()
            .map(|field| {
                let nulls = if field.is_nullable() { nulls } else { Nulls::None };
                if self.rng.one_in(3) {
                    self.sliced_array(field.data_type(), n_rows, nulls)
                } else {
                    self.array(field.data_type(), n_rows, nulls)
                }
            })
            .collect();
        RecordBatch::try_new_with_rows(schema.clone(), columns, n_rows)
            .unwrap_or_else(|error| panic!("a generated batch: {error}"))
    }

    /// Batches of one schema with these numbers of rows. The nulls differ from batch to batch.
    pub fn batches(&mut self, schema: &Schema, n_rows: &[usize]) -> Vec<RecordBatch> {
        let nulls = Nulls::ALL.into_iter().cycle();
        n_rows.iter().zip(nulls).map(|(n_rows, nulls)| self.batch(schema, *n_rows, nulls)).collect()
    }

    /// The bitmap of an array, if its type has a bitmap and `nulls` requires one.
    fn validity(&mut self, data_type: &DataType, n_slots: usize, nulls: Nulls) -> Option<Bitmap> {
        if !layout(data_type).has_validity() {
            return None;
        }
        let one_in = match nulls {
            // A bitmap without nulls is legal.
            Nulls::None if self.rng.one_in(4) => usize::MAX,
            Nulls::None => return None,
            Nulls::Some | Nulls::Garbage => *self.rng.pick(&[2, 5]),
            Nulls::All => 1,
        };
        let bits: Vec<bool> =
            (0..n_slots).map(|_| one_in == usize::MAX || !self.rng.one_in(one_in)).collect();
        Some(self.bitmap(&bits))
    }

    /// A bitmap of these bits. Some bitmaps start inside a byte; the bits around them are garbage.
    fn bitmap(&mut self, bits: &[bool]) -> Bitmap {
        let bit_offset = if self.rng.one_in(2) { 0 } else { self.rng.below(20) };
        let mut bytes = self.rng.bytes((bit_offset + bits.len()).div_ceil(8));
        for (idx, bit) in bits.iter().enumerate() {
            let (byte, mask) = ((bit_offset + idx) / 8, 1 << ((bit_offset + idx) % 8));
            bytes[byte] = if *bit { bytes[byte] | mask } else { bytes[byte] & !mask };
        }
        Bitmap::try_new(Buffer::from(bytes), bit_offset, bits.len()).expect("there are so many bits")
    }

    fn parts(
        &mut self,
        data_type: &DataType,
        n_slots: usize,
        validity: Option<Bitmap>,
        nulls: Nulls,
    ) -> ArrayParts {
        let slots = Slots { n_slots, validity: validity.clone(), nulls };
        let mut parts = ArrayParts::new(data_type.clone(), n_slots);
        if let Some(validity) = &validity
            && self.rng.one_in(2)
        {
            parts.declared_null_count = Some(validity.count_unset());
        }
        parts.validity = validity;
        match layout(data_type).physical() {
            Physical::Null | Physical::Bits | Physical::Fixed(_) => self.fill_values(&mut parts, &slots),
            Physical::Struct => self.fill_children(&mut parts, n_slots, &slots),
            Physical::FixedSizeList(size) => {
                let n_slack = self.rng.below(3);
                self.fill_children(&mut parts, n_slots * size.as_usize() + n_slack, &slots);
            }
            Physical::Bytes(_) if data_type.is_text() => self.fill_text(&mut parts, &slots),
            Physical::Bytes(_) => self.fill_binary(&mut parts, &slots),
            Physical::List(_) if data_type.as_map().is_some() => self.fill_map(&mut parts, &slots),
            Physical::List(_) => self.fill_list(&mut parts, &slots),
            Physical::ListView(_) => self.fill_list_view(&mut parts, &slots),
            Physical::Views if data_type.is_text() => self.fill_views(&mut parts, &slots, text::Bytes::Utf8),
            Physical::Views => self.fill_views(&mut parts, &slots, text::Bytes::Any),
            Physical::Runs(_) => self.fill_runs(&mut parts, &slots),
            Physical::Dictionary(index) => self.fill_indices(&mut parts, &slots, index),
            Physical::Union(UnionMode::Sparse) => self.fill_sparse_union(&mut parts, &slots),
            Physical::Union(UnionMode::Dense) => self.fill_dense_union(&mut parts, &slots),
        }
        parts
    }

    /// Makes all children with `n_slots` slots.
    fn fill_children(&mut self, parts: &mut ArrayParts, n_slots: usize, slots: &Slots) {
        let fields = parts.data_type.children().to_vec();
        let children: Vec<ArrayData> = fields.iter().map(|field| self.child(field, n_slots, slots)).collect();
        parts.children = (!children.is_empty()).then(|| Arc::from(children));
    }

    fn child(&mut self, field: &Field, n_slots: usize, slots: &Slots) -> ArrayData {
        let nulls = slots.nulls.below(field);
        if self.rng.one_in(4) {
            self.sliced_array(field.data_type(), n_slots, nulls)
        } else {
            self.array(field.data_type(), n_slots, nulls)
        }
    }
}

/// The slots of the array that is being made.
struct Slots {
    n_slots: usize,
    validity: Option<Bitmap>,
    nulls: Nulls,
}

impl Slots {
    fn is_valid(&self, slot: usize) -> bool {
        self.validity.as_ref().is_none_or(|validity| validity.get(slot) == Some(true))
    }

    /// Whether the slot is null and contains garbage.
    fn is_garbage(&self, slot: usize) -> bool {
        self.nulls == Nulls::Garbage && !self.is_valid(slot)
    }
}

#[cfg(test)]
mod tests {
    use arrow_data::Validation;

    use super::*;
    use crate::{all_types, schema_of_all_types, values};

    #[test]
    fn every_array_holds_the_strict_level() {
        for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
            let mut generator = Generator::new(seed as u64);
            for nulls in Nulls::ALL {
                for n_slots in [0, 1, 7, 64, 200] {
                    for array in [
                        generator.array(&data_type, n_slots, nulls),
                        generator.sliced_array(&data_type, n_slots, nulls),
                    ] {
                        assert_eq!((array.len(), array.data_type()), (n_slots, &data_type));
                        let checked = array
                            .validate(Validation::Strict)
                            .unwrap_or_else(|error| panic!("{name}, {n_slots} slots, {nulls:?}: {error}"));
                        assert_eq!(values(&checked).len(), n_slots);
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_arrays() {
        for (name, data_type) in all_types() {
            let make = || Generator::new(7).array(&data_type, 50, Nulls::Garbage).dump().to_string();
            assert_eq!(make(), make(), "{name}");
        }
    }

    #[test]
    fn nulls_are_as_requested() {
        let mut generator = Generator::new(1);
        for (name, data_type) in all_types() {
            if !layout(&data_type).has_validity() {
                continue;
            }
            let null_count = Nulls::ALL.map(|nulls| generator.array(&data_type, 100, nulls).null_count());
            assert!(matches!(null_count, [0, 1..100, 100, 1..100]), "{name}: {null_count:?}");
        }
    }

    #[test]
    fn batches_hold_the_strict_level() {
        let schema = schema_of_all_types();
        for batch in Generator::new(5).batches(&schema, &[0, 1, 33, 100, 3]) {
            assert_eq!(
                batch.validate(Validation::Strict).map(|batch| batch.n_columns()),
                Ok(schema.fields().len())
            );
        }
    }
}
