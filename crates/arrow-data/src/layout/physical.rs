//! The physical layouts: how slots are stored, without the meaning of their values.

use arrow_schema::{FixedSize, IndexType, RunEndType, UnionMode};

/// The physical layout of an array, with the widths of its buffers.
///
/// Code that reads or writes arrays matches on this enum, not on types. `int32` and `date32` have the same physical
/// layout; so do `utf8` and `binary`, and `list` and `map`. Only the meaning of the slots depends on the type.
///
/// ```
/// use arrow_data::{OffsetType, Physical, layout};
/// use arrow_schema::DataType;
///
/// assert_eq!(layout(&DataType::Date32).physical(), layout(&DataType::Float32).physical());
/// assert_eq!(layout(&DataType::LargeUtf8).physical(), Physical::Bytes(OffsetType::Int64));
/// ```
///
/// Specification: columnar format, "Physical Memory Layout".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Physical {
    /// No buffers: every slot is null.
    Null,
    /// One bit per slot.
    Bits,
    /// One value per slot with this number of bytes, which may be 0.
    Fixed(FixedSize),
    /// Offsets into one buffer of bytes.
    Bytes(OffsetType),
    /// Views of 16 bytes, and any number of buffers that they refer to.
    Views,
    /// Offsets into the child.
    List(OffsetType),
    /// An offset and a size per slot, in any order.
    ListView(OffsetType),
    /// Each slot has this number of slots of the child.
    FixedSizeList(FixedSize),
    /// One child for each field, with the length of the array.
    Struct,
    /// Type ids, and for dense unions offsets into the children.
    Union(UnionMode),
    /// Two children: run ends and values.
    Runs(RunEndType),
    /// Indices into a dictionary.
    Dictionary(IndexType),
}

impl Physical {
    /// The type of the offsets of bytes, lists and list views; `None` for other layouts.
    pub const fn offset_type(self) -> Option<OffsetType> {
        match self {
            Physical::Bytes(offset) | Physical::List(offset) | Physical::ListView(offset) => Some(offset),
            Physical::Null
            | Physical::Bits
            | Physical::Fixed(_)
            | Physical::Views
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Runs(_)
            | Physical::Dictionary(_) => None,
        }
    }
}

/// The integer type of offsets and sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OffsetType {
    /// 32 bits.
    Int32,
    /// 64 bits.
    Int64,
}
