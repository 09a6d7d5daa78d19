//! Arrays of maps, combined with typed arrays of their keys and values.

use std::{fmt, ops::Range};

use super::{
    Array, Items, MapArray,
    slot_iter::{SlotIter, SlotSource},
};
use crate::error::ArrayError;

/// An array of maps, combined with its keys and values as arrays of types `K` and `V`. The value of each slot is a [`Pairs`].
///
/// [`MapArray::entries_as`] returns this type, and checks the types of keys and values once. Nothing is copied.
///
/// ```
/// use arrow_array::{Int32Array, Int32Builder, MapBuilder, Utf8Array, Utf8Builder};
///
/// let maps = MapBuilder::new(Utf8Builder::new(), Int32Builder::new());
/// let maps = maps.with_values([vec![("a", Some(1)), ("b", None)], vec![("a", Some(3))]]).finish()?;
///
/// let maps = maps.entries_as::<Utf8Array, Int32Array>()?;
/// for (key, value) in maps.value(0) {
///     println!("{key}: {value:?}");
/// }
/// assert_eq!(maps.value(0).iter().collect::<Vec<_>>(), [("a", Some(1)), ("b", None)]);
/// assert_eq!(maps.value(1).find("a"), Some(Some(3)));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Clone)]
pub struct TypedMaps<K, V> {
    maps: MapArray,
    keys: K,
    values: V,
}

/// The entries of one map, borrowed: pairs of a key and a value. The value may be null.
#[derive(Clone)]
pub struct Pairs<'a, K, V> {
    keys: Items<'a, K>,
    values: Items<'a, V>,
}

impl MapArray {
    /// Combines the maps with their keys and values as typed arrays. Iteration over a map then returns pairs.
    ///
    /// # Errors
    /// If the keys are not of the type `K`, or the values not of the type `V`.
    pub fn entries_as<K: Array, V: Array>(&self) -> Result<TypedMaps<K, V>, ArrayError> {
        TypedMaps::try_new(self)
    }
}

impl<K: Array, V: Array> TypedMaps<K, V> {
    pub(super) fn try_new(maps: &MapArray) -> Result<TypedMaps<K, V>, ArrayError> {
        let data_type = maps.data_type();
        let below = |error: ArrayError, position| {
            let entries = data_type.children().first().map(|entries| entries.data_type());
            error.in_child(entries.unwrap_or(data_type), position).in_child(data_type, 0)
        };
        let keys = K::try_from(maps.keys().clone()).map_err(|error| below(error, 0))?;
        let values = V::try_from(maps.values().clone()).map_err(|error| below(error, 1))?;
        Ok(TypedMaps { maps: maps.clone(), keys, values })
    }

    /// The number of slots, null slots included.
    pub fn len(&self) -> usize {
        self.maps.len()
    }

    /// Whether the array has no slots.
    pub fn is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// The number of null slots. The first call counts them.
    pub fn null_count(&self) -> usize {
        self.maps.null_count()
    }

    /// Whether the map in a slot is valid. `false` if out of bounds.
    pub fn is_valid(&self, slot: usize) -> bool {
        self.maps.is_valid(slot)
    }

    /// Whether the map in a slot is null. `false` if out of bounds.
    pub fn is_null(&self, slot: usize) -> bool {
        self.maps.is_null(slot)
    }

    /// The entries of a slot. Empty if the slot is null.
    ///
    /// # Panics
    /// If the slot is out of bounds, as for indexing a slice.
    pub fn value(&self, slot: usize) -> Pairs<'_, K, V> {
        assert!(slot < self.len(), "slot {slot} is outside of an array of {}", self.len());
        self.pairs(self.maps.range(slot))
    }

    /// The entries of a slot; `None` if the slot is null or out of bounds.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<Pairs<'_, K, V>> {
        if self.maps.is_valid(slot) { Some(self.pairs(self.maps.range(slot))) } else { None }
    }

    #[inline]
    fn pairs(&self, slots: Range<usize>) -> Pairs<'_, K, V> {
        Pairs { keys: Items::new(&self.keys, slots.clone()), values: Items::new(&self.values, slots) }
    }

    /// The array of maps without the typed keys and values.
    pub fn maps(&self) -> &MapArray {
        &self.maps
    }

    /// The keys of all maps in one array. It may contain keys that belong to no map.
    pub fn keys(&self) -> &K {
        &self.keys
    }

    /// The values of all maps in one array. The value at a position belongs to the key at the same position.
    pub fn values(&self) -> &V {
        &self.values
    }

    /// The maps in order, `None` for null slots. Can also be read from the end.
    #[inline]
    pub fn iter(&self) -> TypedMapsIter<'_, K, V> {
        SlotIter::new(self, 0..self.len())
    }
}

impl<'a, K: Array, V: Array> SlotSource for &'a TypedMaps<K, V> {
    type Item = Option<Pairs<'a, K, V>>;

    #[inline]
    fn value_at(&self, slot: usize) -> Option<Pairs<'a, K, V>> {
        self.get(slot)
    }
}

impl<'a, K: Array, V: Array> IntoIterator for &'a TypedMaps<K, V> {
    type Item = Option<Pairs<'a, K, V>>;
    type IntoIter = TypedMapsIter<'a, K, V>;

    #[inline]
    fn into_iter(self) -> TypedMapsIter<'a, K, V> {
        self.iter()
    }
}

impl<K, V> PartialEq for TypedMaps<K, V> {
    /// Compares the arrays of maps by values, nulls and type. Ignores metadata.
    fn eq(&self, other: &Self) -> bool {
        self.maps.data() == other.maps.data()
    }
}

impl<K, V> fmt::Debug for TypedMaps<K, V> {
    /// Prints the array of maps.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.maps, f)
    }
}

impl<'a, K: Array, V: Array> Pairs<'a, K, V> {
    /// The number of entries of the map.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys of this map only. They are not null, but may repeat.
    pub fn keys(&self) -> &Items<'a, K> {
        &self.keys
    }

    /// The values of this map only, in the order of the keys.
    pub fn values(&self) -> &Items<'a, V> {
        &self.values
    }

    /// The key and the value of the entry with this index. `None` if the index is out of bounds. The value is `None` if
    /// it is null.
    pub fn get(&self, entry: usize) -> Option<(K::Item<'a>, Option<V::Item<'a>>)> {
        self.iter().nth(entry)
    }

    /// The value of the first entry with this key; `Some(None)` if that value is null. `None` if no entry has the key. Searches
    /// all entries in order.
    ///
    /// ```
    /// use arrow_array::{Int32Array, Int32Builder, MapBuilder, Utf8Array, Utf8Builder};
    ///
    /// let maps = MapBuilder::new(Utf8Builder::new(), Int32Builder::new());
    /// let maps = maps.with_values([[("a", Some(1)), ("b", None)]]).finish()?;
    /// let maps = maps.entries_as::<Utf8Array, Int32Array>()?;
    /// let found = ["a", "b", "c"].map(|key| maps.value(0).find(key));
    /// assert_eq!(found, [Some(Some(1)), Some(None), None]);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn find<Q>(&self, key: Q) -> Option<Option<V::Item<'a>>>
    where
        K::Item<'a>: PartialEq<Q>,
    {
        self.iter().find(|(other, _)| *other == key).map(|(_, value)| value)
    }

    /// The entries in order, with `None` for null values. Can also be read from the end.
    #[inline]
    pub fn iter(&self) -> PairIter<'a, K, V> {
        SlotIter::new(self.clone(), 0..self.len())
    }
}

impl<K: Array, V: Array> PartialEq for Pairs<'_, K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.keys == other.keys && self.values == other.values
    }
}

impl<K: Array, V: Array> fmt::Debug for Pairs<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pairs").field("keys", &self.keys).field("values", &self.values).finish()
    }
}

impl<'a, K: Array, V: Array> IntoIterator for Pairs<'a, K, V> {
    type Item = (K::Item<'a>, Option<V::Item<'a>>);
    type IntoIter = PairIter<'a, K, V>;

    fn into_iter(self) -> PairIter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K: Array, V: Array> IntoIterator for &Pairs<'a, K, V> {
    type Item = (K::Item<'a>, Option<V::Item<'a>>);
    type IntoIter = PairIter<'a, K, V>;

    fn into_iter(self) -> PairIter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K: Array, V: Array> SlotSource for Pairs<'a, K, V> {
    type Item = (K::Item<'a>, Option<V::Item<'a>>);

    #[inline]
    fn value_at(&self, entry: usize) -> (K::Item<'a>, Option<V::Item<'a>>) {
        // Keys are not null, so `value` returns the key of each entry.
        (self.keys.value(entry), self.values.get(entry))
    }
}

/// The entries of a [`Pairs`] in order. Can also be read from the end.
pub type PairIter<'a, K, V> = SlotIter<Pairs<'a, K, V>>;

/// The maps of a [`TypedMaps`] in order, `None` for null slots. Can also be read from the end.
pub type TypedMapsIter<'a, K, V> = SlotIter<&'a TypedMaps<K, V>>;
