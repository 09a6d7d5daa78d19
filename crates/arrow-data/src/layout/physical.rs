//! The physical layouts: how slots are kept in memory, whatever they mean.

use arrow_schema::{FixedSize, IndexType, RunEndType, UnionMode};

/// The physical layout of an array, with the widths that its buffers have.
///
/// What reads or writes arrays matches on this, not on types: `int32` and `date32` are the same here, and so are
/// `utf8` and `binary`, `list` and `map`. What the slots mean is told by the type.
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
    /// One bit a slot.
    Bits,
    /// One value a slot, of this many bytes; values of zero bytes are legal.
    Fixed(FixedSize),
    /// Offsets into one buffer of bytes.
    Bytes(OffsetType),
    /// Views of 16 bytes, and any number of buffers that they refer to.
    Views,
    /// Offsets into the child.
    List(OffsetType),
    /// An offset and a size a slot, in any order.
    ListView(OffsetType),
    /// As many slots of the child for each slot.
    FixedSizeList(FixedSize),
    /// Children as long as the array.
    Struct,
    /// Type ids, and with dense unions offsets into the children.
    Union(UnionMode),
    /// Two children: where runs end, and their values.
    Runs(RunEndType),
    /// Indices into a dictionary.
    Dictionary(IndexType),
}

impl Physical {
    /// What offsets are made of, where there are any with a type of their own: of bytes, lists and list views.
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

/// The integer that offsets and sizes are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OffsetType {
    /// 32 bits.
    Int32,
    /// 64 bits.
    Int64,
}
