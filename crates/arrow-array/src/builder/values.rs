//! The builder of utf8 and binary values, generic over the type that stores the values.

use std::fmt;

use arrow_buffer::Bitmap;
use arrow_data::ArrayData;
use arrow_schema::DataType;
use arrow_select::{SelectError, ValueWriter};

use super::{
    Append, Builder, BytesSlot, FirstFailure, TextSlot,
    append::{LookupKey, SlotLookup},
    methods::builder_methods,
    sealed::{SlotHasher, Slots},
    validity::Validity,
};
use crate::error::{ArrayError, ArrayErrorKind};

/// Builds arrays of utf8 or binary values. `S` stores the values in one of the layouts: with offsets, with views, or with a
/// fixed size.
///
/// [`Utf8Builder`](crate::Utf8Builder), [`BinaryBuilder`](crate::BinaryBuilder), [`Utf8ViewBuilder`](crate::Utf8ViewBuilder),
/// [`FixedSizeBinaryBuilder`](crate::FixedSizeBinaryBuilder) and others are aliases of this type with a certain `S`.
#[derive(Debug, Clone)]
pub struct ValuesBuilder<S> {
    data_type: DataType,
    pub(super) store: S,
    validity: Validity,
    failure: FirstFailure,
}

/// Stores the values of a [`ValuesBuilder`] in one of the layouts.
pub trait ValueStore: fmt::Debug + Send + Sync {
    /// The type of the appended values: `str` or `[u8]`.
    type Value: ?Sized + AsRef<[u8]>;
    /// The array type that `finish` of the builder returns.
    type Array: TryFrom<ArrayData, Error = ArrayError>;
    /// Whether each value has the same number of bytes.
    const HAS_ONE_LENGTH: bool = false;

    fn len(&self) -> usize;

    /// Whether this value can be stored, as far as this is known without storing it: `push` may still refuse the value.
    fn takes(&self, _value: &Self::Value) -> bool {
        true
    }

    /// Appends a value. Returns `false` if it cannot be stored.
    fn push(&mut self, value: &Self::Value) -> bool;

    /// The error for a value that `push` has refused.
    fn refusal(&self, value: &Self::Value) -> ArrayErrorKind;

    /// Appends empty values, or zeros where values have one length.
    fn push_zeros(&mut self, n_slots: usize);

    /// Reserves memory for more slots.
    fn reserve(&mut self, n_slots: usize);

    /// Removes all slots after the first `n_slots`, and their bytes.
    fn truncate(&mut self, n_slots: usize);

    /// The bytes of a slot. `None` if out of bounds.
    fn get(&self, slot: usize) -> Option<&[u8]>;

    /// Takes all values as an array. The store is then empty.
    fn finish(&mut self, data_type: &DataType, validity: Option<Bitmap>) -> Result<ArrayData, ArrayError>;
}

/// A [`ValueStore`] for a type without parameters.
pub trait PlainStore: ValueStore + Default {
    const TYPE: DataType;

    /// Reserves memory for the bytes of values.
    fn reserve_bytes(&mut self, n_bytes: usize);
}

impl<S: PlainStore> ValuesBuilder<S> {
    /// Makes an empty builder. Allocates no memory.
    pub fn new() -> Self {
        ValuesBuilder::from_data_type(S::TYPE, S::default())
    }

    /// Makes an empty builder with memory for `n_slots` slots and `n_bytes` bytes of values. For views, `n_bytes` counts only
    /// values that do not fit into a view, and at most one block is reserved.
    pub fn with_capacity(n_slots: usize, n_bytes: usize) -> Self {
        let mut builder = Self::new();
        builder.store.reserve(n_slots);
        builder.store.reserve_bytes(n_bytes);
        builder
    }
}

impl<S: PlainStore> Default for ValuesBuilder<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: ValueStore> ValuesBuilder<S> {
    pub(super) fn from_data_type(data_type: DataType, store: S) -> Self {
        ValuesBuilder { data_type, store, validity: Validity::default(), failure: FirstFailure::default() }
    }

    #[cold]
    fn refuse(&mut self, value: &S::Value) {
        self.failure.remember(self.store.len(), self.store.refusal(value));
        self.append_nulls(1);
    }

    /// The bytes of a slot. `None` if the slot is null.
    #[inline]
    fn value(&self, slot: usize) -> Option<&[u8]> {
        if self.validity.is_valid(slot) { self.store.get(slot) } else { None }
    }
}

impl<S: ValueStore> Builder for ValuesBuilder<S> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.store.len()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.store.len(), n_slots);
        self.store.push_zeros(n_slots);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.store.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        self.store.truncate(n_slots);
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error()
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        let array = self.store.finish(&self.data_type, self.validity.finish());
        self.failure.take()?;
        array
    }
}

impl<S: ValueStore> Slots for ValuesBuilder<S> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        match self.value(slot) {
            Some(value) if S::HAS_ONE_LENGTH => to.fixed(value),
            Some(value) => to.sized(value),
            None => to.null(),
        }
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.store.push_zeros(n_slots);
        self.validity.append_valids(n_slots);
    }
}

impl<S: ValueStore, V: ValueSlot<S::Value>> Append<V> for ValuesBuilder<S> {
    #[inline]
    fn append(&mut self, value: V) {
        let Some(value) = value.as_value() else { return self.append_nulls(1) };
        if self.store.push(value) {
            self.validity.append_valid();
        } else {
            self.refuse(value);
        }
    }
}

impl<S: ValueStore, V: ValueSlot<S::Value>> SlotLookup<V> for ValuesBuilder<S> {
    #[inline]
    fn look(&self, value: &V, hasher: &SlotHasher) -> LookupKey {
        match value.as_value() {
            Some(value) if !self.store.takes(value) => LookupKey::Append,
            Some(value) if S::HAS_ONE_LENGTH => LookupKey::Hash(hasher.fixed(value.as_ref())),
            Some(value) => LookupKey::Hash(hasher.sized(value.as_ref())),
            None => LookupKey::Null,
        }
    }

    #[inline]
    fn holds(&self, slot: usize, value: &V) -> bool {
        value.as_value().is_some_and(|value| self.value(slot) == Some(value.as_ref()))
    }
}

/// A value for a slot of an array of `T`: a [`TextSlot`] for `str`, a [`BytesSlot`] for `[u8]`.
pub trait ValueSlot<T: ?Sized> {
    /// Returns the value, or `None` for null.
    fn as_value(&self) -> Option<&T>;
}

impl<V: TextSlot> ValueSlot<str> for V {
    #[inline]
    fn as_value(&self) -> Option<&str> {
        self.as_text()
    }
}

impl<V: BytesSlot> ValueSlot<[u8]> for V {
    #[inline]
    fn as_value(&self) -> Option<&[u8]> {
        self.as_bytes()
    }
}

builder_methods!([S: ValueStore,] ValuesBuilder<S> => S::Array);
