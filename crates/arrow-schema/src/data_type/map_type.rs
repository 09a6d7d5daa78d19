//! The map type: each slot is a list of pairs of a key and a value.

use crate::{DataType, Field, TypeError};

/// A map type: a field of entries, which are structs of a key and a value.
///
/// The format calls the fields `entries`, `key` and `value` and requires entries and keys without nulls. Some producers
/// write other names, or allow nulls, so any names and nullability are accepted. Readers of messages return maps
/// [with required keys](MapType::with_required_keys).
///
/// ```
/// use arrow_schema::{DataType, Field, KeyOrder, MapType};
///
/// let key = Field::new("key", DataType::Utf8).required();
/// let value = Field::new("value", DataType::Int32);
/// let entries = Field::new("entries", DataType::struct_([key, value])).required();
/// let map = MapType::try_new(entries, KeyOrder::Sorted)?;
/// assert_eq!(map.value().data_type(), &DataType::Int32);
/// assert!(map.keys_sorted());
/// # Ok::<(), arrow_schema::TypeError>(())
/// ```
///
/// Specification: `Schema.fbs`, table `Map`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MapType {
    // Always a struct of two fields.
    entries: Field,
    order: KeyOrder,
}

/// Whether the producer states that the keys within each map are sorted. This is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum KeyOrder {
    /// The keys are sorted.
    Sorted,
    /// The keys are in any order.
    #[default]
    Unsorted,
}

impl MapType {
    /// Makes a map with these entries.
    ///
    /// # Errors
    ///
    /// [`TypeError::MapEntries`] when the entries are not a struct of two fields.
    pub fn try_new(entries: Field, order: KeyOrder) -> Result<Self, TypeError> {
        match entries.data_type().as_struct() {
            Some([_key, _value]) => Ok(Self { entries, order }),
            Some(_) | None => Err(TypeError::MapEntries { found: entries.data_type().clone() }),
        }
    }

    /// Makes a map of a key and a value. The entries are called `entries` and are not nullable.
    ///
    /// The key becomes not nullable, as the format requires.
    pub fn from_key_value(key: Field, value: Field, order: KeyOrder) -> Self {
        let entries = Field::new("entries", DataType::struct_([key.required(), value])).required();
        Self { entries, order }
    }

    /// The same map with entries and keys that are not nullable, as the format requires.
    #[must_use]
    pub fn with_required_keys(self) -> Self {
        if self.has_required_keys() {
            return self;
        }
        let pair = DataType::struct_([self.key().clone().required(), self.value().clone()]);
        Self { entries: self.entries.with_data_type(pair).required(), order: self.order }
    }

    /// Whether neither the entries nor the keys are nullable, as the format requires.
    pub fn has_required_keys(&self) -> bool {
        !self.entries.is_nullable() && !self.key().is_nullable()
    }

    /// The only child of a map: a struct of key and value.
    pub fn entries(&self) -> &Field {
        &self.entries
    }

    /// The first field of the entries.
    pub fn key(&self) -> &Field {
        &self.entries.children()[0]
    }

    /// The second field of the entries.
    pub fn value(&self) -> &Field {
        &self.entries.children()[1]
    }

    /// Whether the producer states that the keys within each map are sorted.
    pub fn order(&self) -> KeyOrder {
        self.order
    }

    /// Whether the [`order`](MapType::order) is [`Sorted`](KeyOrder::Sorted).
    pub fn keys_sorted(&self) -> bool {
        self.order == KeyOrder::Sorted
    }
}
