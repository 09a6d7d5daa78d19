//! Builders of maps.

use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, Field};
use arrow_select::{SelectError, ValueWriter};

use super::{
    Append, Builder, assemble,
    children::{append_unused, retyped},
    lists::{ItemBuilders, ListsBuilder, TakeItems, in_item},
    methods::builder_methods,
    offsets::SlotOffsets,
};
use crate::{
    array::MapArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of maps. `K` builds the keys, and `V` builds the values.
///
/// Keys may repeat and may have any order. If a key is null or has no value, `finish` returns an error.
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
pub type MapBuilder<K, V> = ListsBuilder<SlotOffsets<i32, MapMarker>, MapItems<K, V>>;

/// Marks offsets as those of maps, whose items are entries.
#[derive(Debug, Clone)]
pub enum MapMarker {}

/// The builders of the keys and the values of maps.
#[derive(Debug, Clone)]
pub struct MapItems<K, V> {
    keys: K,
    values: V,
}

impl<K: Builder, V: Builder> MapBuilder<K, V> {
    /// Makes an empty builder. The fields have the names of the format: `entries`, `key` and `value`. Removes values that are
    /// already in `keys` and `values`.
    pub fn new(keys: K, values: V) -> Self {
        let field = |name, builder: &dyn Builder| Field::new(name, builder.data_type().clone());
        let data_type = DataType::map(field("key", &keys), field("value", &values));
        ListsBuilder::from_data_type(data_type, SlotOffsets::new(), MapItems { keys, values })
    }

    /// The builder of the keys, with the keys of all maps so far.
    pub fn keys(&self) -> &K {
        &self.items.keys
    }

    /// The builder of the values, with the values of all maps so far.
    pub fn values(&self) -> &V {
        &self.items.values
    }

    /// Appends one map, which contains all entries that `append` appends. It must append as many keys as values.
    pub fn append_with(&mut self, append: impl FnOnce(&mut K, &mut V)) {
        let n_before = self.begin();
        append(&mut self.items.keys, &mut self.items.values);
        self.close_after(n_before);
    }

    /// The builders of keys and values, for appending the entries of the next map one by one. After the entries, call
    /// [`close`](MapBuilder::close), which makes a map of them. Otherwise the next append, `truncate` or `finish` removes the
    /// entries.
    #[inline]
    pub fn entries_mut(&mut self) -> (&mut K, &mut V) {
        (&mut self.items.keys, &mut self.items.values)
    }
}

impl<K: Builder, V: Builder> ItemBuilders for MapItems<K, V> {
    const UNIT: &'static str = "entries";

    fn lens(&self) -> [usize; 2] {
        let (n_keys, n_values) = (self.keys.len(), self.values.len());
        [n_keys.min(n_values), n_keys.max(n_values)]
    }

    fn mismatch(&self, n_before: usize) -> Option<ArrayErrorKind> {
        let n_after = |len: usize| len.saturating_sub(n_before) as u64;
        let (n_keys, n_values) = (n_after(self.keys.len()), n_after(self.values.len()));
        (self.keys.len() != self.values.len()).then_some(ArrayErrorKind::MapEntries { n_keys, n_values })
    }

    fn are_unfinished(&self) -> bool {
        self.keys.is_unfinished() || self.values.is_unfinished()
    }

    fn truncate_items(&mut self, n_items: usize) {
        self.keys.truncate(n_items);
        self.values.truncate(n_items);
    }

    fn append_unused_items(&mut self, n_items: usize) {
        append_unused(&mut self.keys, n_items);
        append_unused(&mut self.values, n_items);
    }

    fn append_zero_items(&mut self, n_items: usize) {
        self.keys.append_zeros(n_items);
        self.values.append_zeros(n_items);
    }

    fn reserve_items(&mut self, n_items: usize) {
        self.keys.reserve(n_items);
        self.values.reserve(n_items);
    }

    fn max_null_items(&self) -> usize {
        self.keys.max_nulls().min(self.values.max_nulls())
    }

    fn retyped(&self, _: &DataType, new: DataType) -> Result<DataType, ArrayError> {
        let Some(map) = new.as_map() else { return Err(ArrayError::type_mismatch("map", &new)) };
        let entries = map.entries().data_type();
        retyped(entries, entries.clone(), &[self.keys.data_type(), self.values.data_type()])
            .map_err(|error| in_item(&new, error))?;
        Ok(new)
    }

    fn error_of_items(&self, maps: &DataType) -> Option<ArrayError> {
        let entries = maps.children().first()?;
        let errors = [self.keys.error(), self.values.error()].into_iter().enumerate();
        let first = errors.filter_map(|(position, error)| Some(in_entries(entries, position, error?))).next();
        first.map(|error| in_item(maps, error))
    }

    fn finish_items(&mut self, maps: &DataType) -> Result<ArrayData, ArrayError> {
        let arrays = [self.keys.finish_data(), self.values.finish_data()];
        let entries = maps.children().first();
        let entries = entries.ok_or_else(|| ArrayError::type_mismatch("map", maps))?;
        finish_entries(entries, arrays).map_err(|error| in_item(maps, error))
    }

    fn write_item(&self, entry: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        to.fields()?;
        self.keys.write_value(entry, to)?;
        self.values.write_value(entry, to)
    }
}

impl<K: Append<VK>, V: Append<VV>, VK, VV> TakeItems<(VK, VV)> for MapItems<K, V> {
    fn take_items(&mut self, entries: impl IntoIterator<Item = (VK, VV)>) {
        for (key, value) in entries {
            self.keys.append(key);
            self.values.append(value);
        }
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

builder_methods!([K: Builder, V: Builder,] MapBuilder<K, V> => MapArray);
