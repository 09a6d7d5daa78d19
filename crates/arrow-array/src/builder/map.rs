//! Builders of maps.

use arrow_buffer::{Buffer, OffsetWidth};
use arrow_data::{ArrayData, ArrayParts, DataError, ValueWriter};
use arrow_schema::{DataType, Field};

use super::{
    Append, Builder, ListSlot,
    append::SlotsOf,
    children::retyped,
    failure::FirstFailure,
    methods::builder_methods,
    offsets::{SlotOffsets, wrong_items},
    sealed::Slots,
    slots::assemble,
    validity::Validity,
};
use crate::{
    array::MapArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of maps, whose keys are built by `K` and whose values by `V`.
///
/// Keys may repeat and come in any order. A key that is null, or without a value, is reported by `finish`.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use arrow_array::{Int64Builder, MapBuilder, Utf8Builder};
///
/// let mut maps = MapBuilder::new(Utf8Builder::new(), Int64Builder::new());
/// maps.append(vec![("b", Some(1)), ("a", None)]);
/// maps.append(BTreeMap::from([("c", 3)]));
/// maps.append_null();
/// let maps = maps.finish()?;
/// let entries = "entries: struct<key: utf8 not null, value: int64> not null";
/// assert_eq!(format!("{maps:?}"), format!(r#"map<{entries}> [[["b",1],["a",null]], [["c",3]], null]"#));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Debug, Clone)]
pub struct MapBuilder<K, V> {
    data_type: DataType,
    offsets: SlotOffsets<i32>,
    keys: K,
    values: V,
    validity: Validity,
    failure: FirstFailure,
}

impl<K: Builder, V: Builder> MapBuilder<K, V> {
    /// A builder without slots; the fields have the names of the format: `entries`, `key` and `value`. Values that are in
    /// `keys` and `values` already are forgotten.
    pub fn new(mut keys: K, mut values: V) -> Self {
        keys.truncate(0);
        values.truncate(0);
        let field = |name, builder: &dyn Builder| Field::new(name, builder.data_type().clone());
        let data_type = DataType::map(field("key", &keys), field("value", &values));
        let (validity, failure) = (Validity::default(), FirstFailure::default());
        MapBuilder { data_type, offsets: SlotOffsets::new(), keys, values, validity, failure }
    }

    /// The same builder with other names, nullability or metadata of its fields, or another order of keys, which
    /// nothing checks.
    ///
    /// # Errors
    /// If the type differs in anything else.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        if let Some(map) = data_type.as_map() {
            let found = [self.keys.data_type(), self.values.data_type()];
            let entries = map.entries();
            retyped(entries.data_type(), entries.data_type().clone(), &found)
                .map_err(|error| error.in_field(0, entries.name()))?;
            return Ok(MapBuilder { data_type, ..self });
        }
        Err(ArrayError::type_mismatch("map", &data_type))
    }

    /// The builder of the keys of all maps so far.
    pub fn keys(&self) -> &K {
        &self.keys
    }

    /// The builder of the values of all maps so far.
    pub fn values(&self) -> &V {
        &self.values
    }

    /// Appends a map of all keys and values that `append` appends, as many of the one as of the other.
    pub fn append_with(&mut self, append: impl FnOnce(&mut K, &mut V)) {
        let n_before = self.begin();
        append(&mut self.keys, &mut self.values);
        self.close_after(n_before);
    }

    /// The builders of keys and of values, to append those of the next map one by one; [`close`](MapBuilder::close) makes
    /// a map of them. Without it the next map that is appended, `truncate` and `finish` forget them.
    #[inline]
    pub fn entries_mut(&mut self) -> (&mut K, &mut V) {
        (&mut self.keys, &mut self.values)
    }

    /// Appends a map of all keys and values that were appended to [`entries_mut`](MapBuilder::entries_mut) since the last
    /// map, as many of the one as of the other.
    pub fn close(&mut self) {
        self.close_after(self.n_entries_in_maps());
    }

    fn n_entries_in_maps(&self) -> usize {
        self.offsets.end().to_usize().expect("offsets are made of lengths")
    }

    fn close_after(&mut self, n_before: usize) {
        let (n_keys, n_values) = (self.keys.len(), self.values.len());
        match i32::try_from(n_keys) {
            Ok(end) if n_keys == n_values && n_keys >= n_before => {
                self.offsets.push(end);
                self.validity.append_valid();
            }
            _ => self.fail(n_before),
        }
    }

    /// Where the next map begins. Forgets entries of one that was not finished, since what appended them panicked.
    #[inline]
    fn begin(&mut self) -> usize {
        let end = self.n_entries_in_maps();
        if self.keys.len() > end || self.values.len() > end {
            self.keys.truncate(end);
            self.values.truncate(end);
        }
        end
    }

    #[cold]
    fn fail(&mut self, n_before: usize) {
        let (n_keys, n_values) = (self.keys.len(), self.values.len());
        let kind = if n_keys == n_values {
            wrong_items::<i32>(n_before, n_keys, "entries")
        } else {
            let [n_keys, n_values] = [n_keys, n_values].map(|n| n.saturating_sub(n_before) as u64);
            ArrayErrorKind::MapEntries { n_keys, n_values }
        };
        self.failure.remember(self.offsets.n_slots_within(n_keys.min(n_values)), kind);
        self.keys.truncate(n_before);
        self.values.truncate(n_before);
        self.append_nulls(1);
    }

    /// Appends a map of the pairs of an iterator.
    pub fn append_iter<VK, VV>(&mut self, entries: impl IntoIterator<Item = (VK, VV)>)
    where
        K: Append<VK>,
        V: Append<VV>,
    {
        self.append_with(|keys, values| {
            for (key, value) in entries {
                keys.append(key);
                values.append(value);
            }
        });
    }
}

impl<K: Builder, V: Builder> Builder for MapBuilder<K, V> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.offsets.n_slots()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.validity.append_nulls(self.offsets.n_slots(), n_slots);
        self.offsets.push_empty(n_slots);
    }

    fn reserve(&mut self, n_slots: usize) {
        self.offsets.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        // Also entries of a map that was not finished.
        let n_entries = self.offsets.truncate(n_slots);
        self.keys.truncate(n_entries);
        self.values.truncate(n_entries);
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        let children = || [self.keys.error(), self.values.error()];
        self.failure.error().or_else(|| {
            children().into_iter().enumerate().find_map(|(position, error)| {
                let entries = self.data_type.children().first()?;
                Some(in_entries(entries, position, error?).in_field(0, entries.name()))
            })
        })
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        self.begin();
        let parts = ArrayParts::new(self.data_type.clone(), self.offsets.n_slots());
        let (validity, buffers) = (self.validity.finish(), [self.offsets.finish(), Buffer::new()]);
        let children = [self.keys.finish_data(), self.values.finish_data()];
        self.failure.take()?;
        let entries = parts.data_type.as_map().map(|map| map.entries().clone());
        let entries = entries.ok_or_else(|| ArrayError::type_mismatch("map", &parts.data_type))?;
        let entries =
            finish_entries(&entries, children).map_err(|error| error.in_field(0, entries.name()))?;
        assemble(ArrayParts { validity, buffers, children: Some([entries].into()), ..parts })
    }
}

fn in_entries(entries: &Field, position: usize, error: ArrayError) -> ArrayError {
    error.in_field(position, entries.children().get(position).map_or("", Field::name))
}

fn finish_entries(
    entries: &Field,
    [keys, values]: [Result<ArrayData, ArrayError>; 2],
) -> Result<ArrayData, ArrayError> {
    let keys = keys.map_err(|error| in_entries(entries, 0, error))?;
    let values = values.map_err(|error| in_entries(entries, 1, error))?;
    let parts = ArrayParts::new(entries.data_type().clone(), keys.len());
    assemble(ArrayParts { children: Some([keys, values].into()), ..parts })
}

impl<K: Builder, V: Builder> Slots for MapBuilder<K, V> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
        if !self.validity.is_valid(slot) {
            return to.null();
        }
        let mut entries = self.offsets.range(slot);
        to.items(entries.len())?;
        entries.try_for_each(|entry| {
            to.fields()?;
            self.keys.write_value(entry, to)?;
            self.values.write_value(entry, to)
        })
    }
}

impl<K, V, VK, VV, M> Append<M> for MapBuilder<K, V>
where
    K: Append<VK>,
    V: Append<VV>,
    M: ListSlot<Item = (VK, VV)>,
{
    fn append(&mut self, value: M) {
        match value.into_items() {
            Some(entries) => self.append_iter(entries),
            None => self.append_nulls(1),
        }
    }
}

impl<K, V, VK, VV, M> SlotsOf<M> for MapBuilder<K, V>
where
    K: Append<VK>,
    V: Append<VV>,
    M: ListSlot<Item = (VK, VV)>,
{
}

builder_methods!([K: Builder, V: Builder,] MapBuilder<K, V> => MapArray);
