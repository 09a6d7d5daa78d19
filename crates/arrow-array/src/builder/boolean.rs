//! Builders of booleans.

use arrow_buffer::{BitmapBuilder, Buffer};
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;
use arrow_select::{SelectError, ValueWriter};

use super::{
    Append, BoolSlot, Builder,
    append::{LookupKey, SlotLookup},
    assemble,
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
    validity::Validity,
};
use crate::{array::BooleanArray, error::ArrayError};

/// Builds arrays of booleans.
///
/// ```
/// use arrow_array::BooleanBuilder;
///
/// let mut flags = BooleanBuilder::new();
/// flags.extend([Some(true), None]);
/// flags.append(false);
/// assert_eq!(flags.finish()?.iter().collect::<Vec<_>>(), [Some(true), None, Some(false)]);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct BooleanBuilder {
    values: BitmapBuilder,
    validity: Validity,
}

impl BooleanBuilder {
    /// Makes an empty builder. Allocates no memory.
    pub fn new() -> BooleanBuilder {
        BooleanBuilder::default()
    }

    /// Makes an empty builder with memory for `n_slots` slots.
    pub fn with_capacity(n_slots: usize) -> BooleanBuilder {
        BooleanBuilder { values: BitmapBuilder::with_capacity(n_slots), validity: Validity::default() }
    }

    /// Appends each of `values` as a valid slot.
    pub fn append_slice(&mut self, values: &[bool]) {
        self.values.extend(values.iter().copied());
        self.validity.append_valids(values.len());
    }

    fn value(&self, slot: usize) -> Option<bool> {
        self.validity.is_valid(slot).then(|| self.values.get(slot))
    }
}

impl Builder for BooleanBuilder {
    fn data_type(&self) -> &DataType {
        &DataType::Boolean
    }

    fn len(&self) -> usize {
        self.values.len()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.values.len(), n_slots);
        self.values.extend_constant(false, n_slots);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.values.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        self.values.truncate(n_slots);
        self.validity.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        None
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        let values = std::mem::take(&mut self.values);
        let parts = ArrayParts::new(DataType::Boolean, values.len());
        let validity = self.validity.finish();
        let buffers = [values.finish().to_packed(), Buffer::new()];
        assemble(ArrayParts { validity, buffers, ..parts })
    }
}

impl Slots for BooleanBuilder {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        match self.value(slot) {
            Some(value) => to.fixed(&[value.into()]),
            None => to.null(),
        }
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.values.extend_constant(false, n_slots);
        self.validity.append_valids(n_slots);
    }
}

impl<V: BoolSlot> Append<V> for BooleanBuilder {
    #[inline]
    fn append(&mut self, value: V) {
        match value.as_bool() {
            Some(value) => {
                self.values.push(value);
                self.validity.append_valid();
            }
            None => self.append_nulls(1),
        }
    }
}

impl<V: BoolSlot> SlotLookup<V> for BooleanBuilder {
    fn look(&self, value: &V, hasher: &SlotHasher) -> LookupKey {
        value.as_bool().map_or(LookupKey::Null, |value| LookupKey::Hash(hasher.fixed(&[value.into()])))
    }

    fn holds(&self, slot: usize, value: &V) -> bool {
        value.as_bool().is_some_and(|value| self.value(slot) == Some(value))
    }
}

builder_methods!([] BooleanBuilder => BooleanArray);
