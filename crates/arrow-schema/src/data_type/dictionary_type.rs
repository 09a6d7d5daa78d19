//! The dictionary-encoded type: indices in place of values.

use std::fmt;

use crate::{DataType, TypeError};

/// A dictionary-encoded type: the type of its indices and the type of its values.
///
/// The values may have any type except a dictionary type. Nested values may contain dictionaries.
///
/// ```
/// use arrow_schema::{DataType, DictionaryOrder, DictionaryType, IndexType};
///
/// let colors = DictionaryType::try_new(IndexType::Int8, DataType::Utf8, DictionaryOrder::Unordered)?;
/// assert_eq!(colors.index_type(), DataType::Int8);
/// assert_eq!(colors.value(), &DataType::Utf8);
/// # Ok::<(), arrow_schema::TypeError>(())
/// ```
///
/// Specification: columnar format, "Dictionary-encoded Layout"; `Schema.fbs`, table `DictionaryEncoding`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DictionaryType {
    // Never a dictionary type.
    value: DataType,
    index: IndexType,
    order: DictionaryOrder,
}

/// Whether the order of the dictionary's values has a meaning to the application, like the order of grades or sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DictionaryOrder {
    /// The order of the values has a meaning.
    Ordered,
    /// The order of the values has no meaning.
    #[default]
    Unordered,
}

/// The integer type of the indices into a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexType {
    /// Signed, 8 bits.
    Int8,
    /// Signed, 16 bits.
    Int16,
    /// Signed, 32 bits.
    Int32,
    /// Signed, 64 bits.
    Int64,
    /// Unsigned, 8 bits.
    UInt8,
    /// Unsigned, 16 bits.
    UInt16,
    /// Unsigned, 32 bits.
    UInt32,
    /// Unsigned, 64 bits.
    UInt64,
}

impl DictionaryType {
    /// Makes a dictionary-encoded type from the types of its indices and its values.
    ///
    /// # Errors
    ///
    /// [`TypeError::DictionaryOfDictionary`] when the value type is a dictionary itself, which the format cannot express.
    pub fn try_new(index: IndexType, value: DataType, order: DictionaryOrder) -> Result<Self, TypeError> {
        if value.is_dictionary() {
            return Err(TypeError::DictionaryOfDictionary { found: value });
        }
        Ok(Self { value, index, order })
    }

    /// The type of the indices.
    pub fn index(&self) -> IndexType {
        self.index
    }

    /// The type of the indices, as a [`DataType`].
    pub fn index_type(&self) -> DataType {
        self.index.into()
    }

    /// The type of the values; never a dictionary.
    pub fn value(&self) -> &DataType {
        &self.value
    }

    /// Whether the order of the values has a meaning.
    pub fn order(&self) -> DictionaryOrder {
        self.order
    }

    /// Whether the [`order`](DictionaryType::order) is [`Ordered`](DictionaryOrder::Ordered).
    pub fn is_ordered(&self) -> bool {
        self.order == DictionaryOrder::Ordered
    }
}

impl IndexType {
    /// All index types.
    pub const ALL: [Self; 8] = [
        Self::Int8,
        Self::Int16,
        Self::Int32,
        Self::Int64,
        Self::UInt8,
        Self::UInt16,
        Self::UInt32,
        Self::UInt64,
    ];

    /// The bit width of an index.
    pub const fn n_bits(self) -> u32 {
        match self {
            Self::Int8 | Self::UInt8 => 8,
            Self::Int16 | Self::UInt16 => 16,
            Self::Int32 | Self::UInt32 => 32,
            Self::Int64 | Self::UInt64 => 64,
        }
    }

    /// Whether the indices are signed integers.
    pub const fn is_signed(self) -> bool {
        match self {
            Self::Int8 | Self::Int16 | Self::Int32 | Self::Int64 => true,
            Self::UInt8 | Self::UInt16 | Self::UInt32 | Self::UInt64 => false,
        }
    }
}

impl From<IndexType> for DataType {
    fn from(index: IndexType) -> Self {
        match index {
            IndexType::Int8 => Self::Int8,
            IndexType::Int16 => Self::Int16,
            IndexType::Int32 => Self::Int32,
            IndexType::Int64 => Self::Int64,
            IndexType::UInt8 => Self::UInt8,
            IndexType::UInt16 => Self::UInt16,
            IndexType::UInt32 => Self::UInt32,
            IndexType::UInt64 => Self::UInt64,
        }
    }
}

impl TryFrom<&DataType> for IndexType {
    type Error = TypeError;

    fn try_from(data_type: &DataType) -> Result<Self, TypeError> {
        Self::ALL
            .into_iter()
            .find(|&index| DataType::from(index) == *data_type)
            .ok_or_else(|| TypeError::DictionaryIndex { found: data_type.clone() })
    }
}

impl fmt::Display for IndexType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(DataType::from(*self).name())
    }
}
