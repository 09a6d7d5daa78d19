//! Builders of arrays that have only nulls.

use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::DataType;
use arrow_select::{SelectError, ValueWriter};

use super::{
    Append, Builder,
    append::{LookupKey, SlotLookup},
    assemble,
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
};
use crate::{array::NullArray, error::ArrayError};

/// Builds arrays that have only nulls. A value is `()`.
#[derive(Debug, Clone, Default)]
pub struct NullBuilder {
    n_slots: usize,
}

impl NullBuilder {
    /// Makes an empty builder. Allocates no memory.
    pub const fn new() -> NullBuilder {
        NullBuilder { n_slots: 0 }
    }
}

impl Builder for NullBuilder {
    fn data_type(&self) -> &DataType {
        &DataType::Null
    }

    fn len(&self) -> usize {
        self.n_slots
    }

    fn append_nulls(&mut self, n_slots: usize) {
        // `usize::MAX` is the maximum length of an array.
        self.n_slots = self.n_slots.saturating_add(n_slots);
    }

    fn reserve(&mut self, _n_slots: usize) {}

    fn truncate(&mut self, n_slots: usize) {
        self.n_slots = self.n_slots.min(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        None
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        assemble(ArrayParts::new(DataType::Null, std::mem::take(&mut self.n_slots)))
    }
}

impl Slots for NullBuilder {
    fn is_null_slot(&self, _slot: usize) -> bool {
        true
    }

    fn write_value(&self, _slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        to.null()
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.append_nulls(n_slots);
    }
}

impl Append<()> for NullBuilder {
    fn append(&mut self, (): ()) {
        self.append_nulls(1);
    }
}

impl SlotLookup<()> for NullBuilder {
    fn look(&self, (): &(), _hasher: &SlotHasher) -> LookupKey {
        LookupKey::Null
    }
}

builder_methods!([] NullBuilder => NullArray);
