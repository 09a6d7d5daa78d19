//! Arrays of maps.

use std::ops::Range;

use arrow_buffer::Values;
use arrow_data::ArrayData;
use arrow_schema::KeyOrder;

use super::{
    IndexedSlots,
    methods::array_methods,
    proven::{offsets, part, proven_as, range},
    sealed::Slots,
};
use crate::{error::ArrayError, kind::Kind};

/// Maps: each slot is a list of entries, which are pairs of a key and a value. Keys are not null, but may repeat.
///
/// ```
/// use arrow_array::{Int32Array, Int32Builder, MapBuilder, Utf8Array, Utf8Builder};
///
/// let maps = MapBuilder::new(Utf8Builder::new(), Int32Builder::new());
/// let maps = maps.with_values([vec![("a", 1), ("b", 2)], vec![("a", 3)]]).finish()?;
/// let first = maps.value(0);
/// assert_eq!(Utf8Array::try_from(first.keys())?.value(1), "b");
/// assert_eq!(Int32Array::try_from(first.values())?.value(1), 2);
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
///
/// Follows "Variable-size List Layout" and the type `Map` of the specification.
#[derive(Clone)]
pub struct MapArray {
    data: ArrayData,
    offsets: Values<i32>,
    keys: ArrayData,
    values: ArrayData,
}

/// The entries of one map: an array of keys, and an array of values of the same length.
#[derive(Debug, Clone)]
pub struct MapEntries {
    keys: ArrayData,
    values: ArrayData,
}

impl MapArray {
    /// The offsets of the maps in [`keys`](MapArray::keys) and [`values`](MapArray::values): one more than there are
    /// slots, or no offset if there are no slots. The first offset need not be 0.
    pub fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// The keys of all maps in one array. It may contain keys that belong to no map.
    pub fn keys(&self) -> &ArrayData {
        &self.keys
    }

    /// The values of all maps in one array. The value at a position belongs to the key at the same position.
    pub fn values(&self) -> &ArrayData {
        &self.values
    }

    /// Whether the type declares that the keys within each map are sorted. This is not checked.
    pub fn key_order(&self) -> KeyOrder {
        self.data.data_type().as_map().expect("an array of maps has their type").order()
    }

    /// The range of the entries of a slot in `keys` and `values`. Empty if the slot is null or out of bounds.
    pub fn range(&self, slot: usize) -> Range<usize> {
        if self.is_valid(slot) { range(&self.offsets, slot) } else { 0..0 }
    }

    fn entries(&self, range: Range<usize>) -> MapEntries {
        MapEntries { keys: part(&self.keys, range.clone()), values: part(&self.values, range) }
    }
}

impl MapEntries {
    /// The number of entries of the map.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys of this map only. They are not null, but may repeat.
    pub fn keys(&self) -> &ArrayData {
        &self.keys
    }

    /// The values of this map only, in the order of the keys.
    pub fn values(&self) -> &ArrayData {
        &self.values
    }
}

impl PartialEq for MapEntries {
    /// Entries are equal if their keys and their values are equal as arrays.
    fn eq(&self, other: &MapEntries) -> bool {
        self.keys == other.keys && self.values == other.values
    }
}

impl Slots for MapArray {
    type Item<'a> = MapEntries;
    type Access<'a> = IndexedSlots<'a, Self>;

    fn make(data: ArrayData) -> Result<MapArray, ArrayError> {
        let data = proven_as(data, Kind::Map, "map")?;
        let [keys, values] = data.children().first().map(ArrayData::children).unwrap_or_default() else {
            return Err(ArrayError::type_mismatch("map", data.data_type()));
        };
        Ok(MapArray { offsets: offsets(&data)?, keys: keys.clone(), values: values.clone(), data })
    }

    #[inline]
    fn access(&self) -> IndexedSlots<'_, Self> {
        IndexedSlots(self)
    }

    #[inline]
    fn at(&self, slot: usize) -> MapEntries {
        self.entries(range(&self.offsets, slot))
    }

    fn zero_value(&self) -> MapEntries {
        self.entries(0..0)
    }
}

array_methods!([] MapArray, MapEntries);
