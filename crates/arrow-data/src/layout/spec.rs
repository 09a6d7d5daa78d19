//! One buffer of a layout: its role, the number and width of its elements, and how bytes are swapped.

use std::fmt;

use arrow_schema::{FixedSize, IndexType};

use super::OffsetType;

/// One buffer of a [`Layout`](crate::Layout).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferSpec {
    /// What the buffer contains.
    pub role: Role,
    /// How the number of elements follows from the number of slots.
    pub count: Count,
    /// The width of one element in bits; 1 for bitmaps.
    pub bits: u64,
    /// The words of which an element consists. For the other byte order, the bytes of each word are reversed.
    pub swap: Swap,
}

/// What a buffer contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// One bit per slot, set if the slot is not null.
    Validity,
    /// Values of a fixed width, or the indices of a dictionary-encoded array.
    Values,
    /// The offset in the data buffer or in the child at which each slot begins.
    Offsets,
    /// The number of items of each slot of a list view.
    Sizes,
    /// The type id of each slot of a union.
    TypeIds,
    /// Views of 16 bytes, which contain short values.
    Views,
    /// The bytes of variable-size binary values.
    Bytes,
    /// A data buffer to which views refer.
    Variadic,
}

/// How the number of elements in a buffer follows from the number of slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// One element per slot.
    PerSlot,
    /// One element per slot, and one more. Without slots, the buffer may be empty.
    PerSlotPlusOne,
    /// Any number: the last offset determines it.
    FromData,
}

/// The words of an element, which determine how bytes are swapped and how the buffer is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Swap {
    /// Bits or bytes, which are not swapped.
    None,
    /// Words of one byte.
    Word1,
    /// Words of two bytes.
    Word2,
    /// Words of four bytes.
    Word4,
    /// Words of eight bytes.
    Word8,
    /// Words of sixteen bytes.
    Word16,
    /// Words of thirty-two bytes.
    Word32,
    /// Two words of four bytes: days and milliseconds.
    DayTime,
    /// Two words of four bytes and one of eight: months, days and nanoseconds.
    MonthDayNano,
    /// A view: its length is always swapped; the other words only if the value is not inlined.
    View,
}

impl Swap {
    /// The widths in bytes of the words, in order; empty for [`Swap::None`] and [`Swap::View`].
    pub const fn words(self) -> &'static [u8] {
        match self {
            Swap::None | Swap::View => &[],
            Swap::Word1 => &[1],
            Swap::Word2 => &[2],
            Swap::Word4 => &[4],
            Swap::Word8 => &[8],
            Swap::Word16 => &[16],
            Swap::Word32 => &[32],
            Swap::DayTime => &[4, 4],
            Swap::MonthDayNano => &[4, 4, 8],
        }
    }

    /// The number of bytes of one element; 0 for [`Swap::None`].
    pub(crate) const fn n_bytes(self) -> FixedSize {
        let n_bytes = match self {
            Swap::None => 0,
            Swap::Word1 => 1,
            Swap::Word2 => 2,
            Swap::Word4 => 4,
            Swap::Word8 | Swap::DayTime => 8,
            Swap::Word16 | Swap::MonthDayNano | Swap::View => 16,
            Swap::Word32 => 32,
        };
        FixedSize::new(n_bytes).expect("at most 32")
    }

    pub(crate) const fn for_index(index: IndexType) -> Swap {
        match index {
            IndexType::Int8 | IndexType::UInt8 => Swap::Word1,
            IndexType::Int16 | IndexType::UInt16 => Swap::Word2,
            IndexType::Int32 | IndexType::UInt32 => Swap::Word4,
            IndexType::Int64 | IndexType::UInt64 => Swap::Word8,
        }
    }

    const fn for_offsets(offset: OffsetType) -> Swap {
        match offset {
            OffsetType::Int32 => Swap::Word4,
            OffsetType::Int64 => Swap::Word8,
        }
    }
}

impl BufferSpec {
    pub(crate) const VALIDITY: BufferSpec = BufferSpec::slots(Role::Validity, 1, Swap::None);
    pub(crate) const BIT_VALUES: BufferSpec = BufferSpec::slots(Role::Values, 1, Swap::None);
    pub(crate) const VIEWS: BufferSpec = BufferSpec::slots(Role::Views, 128, Swap::View);
    pub(crate) const TYPE_IDS: BufferSpec = BufferSpec::slots(Role::TypeIds, 8, Swap::Word1);
    pub(crate) const BYTES: BufferSpec =
        BufferSpec { role: Role::Bytes, count: Count::FromData, bits: 8, swap: Swap::None };

    pub(crate) const fn slot_offsets(offset: OffsetType) -> BufferSpec {
        BufferSpec::from_words(Role::Offsets, Swap::for_offsets(offset))
    }

    /// The buffer of offsets: one offset per slot, and the end of the last slot.
    pub(crate) const fn offsets(offset: OffsetType) -> BufferSpec {
        BufferSpec { count: Count::PerSlotPlusOne, ..BufferSpec::slot_offsets(offset) }
    }

    pub(crate) const fn sizes(offset: OffsetType) -> BufferSpec {
        BufferSpec::from_words(Role::Sizes, Swap::for_offsets(offset))
    }

    pub(crate) const fn fixed(swap: Swap) -> BufferSpec {
        BufferSpec::from_words(Role::Values, swap)
    }

    pub(crate) const fn bytes_per_slot(n_bytes: FixedSize) -> BufferSpec {
        BufferSpec::slots(Role::Values, n_bytes.get() as u64 * 8, Swap::None)
    }

    const fn from_words(role: Role, swap: Swap) -> BufferSpec {
        BufferSpec::slots(role, swap.n_bytes().get() as u64 * 8, swap)
    }

    const fn slots(role: Role, bits: u64, swap: Swap) -> BufferSpec {
        BufferSpec { role, count: Count::PerSlot, bits, swap }
    }

    /// The minimum length of this buffer in bytes for `n_slots` slots. The result is 0 if the length depends on the
    /// data, and `None` if the product overflows.
    pub fn min_bytes(&self, n_slots: u64) -> Option<u64> {
        let n_elements = match self.count {
            Count::PerSlot => n_slots,
            Count::PerSlotPlusOne if n_slots == 0 => 0,
            Count::PerSlotPlusOne => n_slots.checked_add(1)?,
            Count::FromData => 0,
        };
        Some(n_elements.checked_mul(self.bits)?.div_ceil(8))
    }

    /// The length of this buffer in bytes as writers write it. The result differs from
    /// [`min_bytes`](BufferSpec::min_bytes) without slots: a buffer of offsets still has one offset, 0.
    #[inline]
    pub fn written_bytes(&self, n_slots: u64) -> Option<u64> {
        match (self.count, n_slots) {
            (Count::PerSlotPlusOne, 0) => Some(self.element_bytes()),
            (Count::PerSlot | Count::PerSlotPlusOne | Count::FromData, _) => self.min_bytes(n_slots),
        }
    }

    /// The number of bytes of one element; 0 for bits.
    pub const fn element_bytes(&self) -> u64 {
        self.bits / 8
    }

    /// The alignment in bytes that typed access to this buffer requires: 1, 2, 4 or 8.
    pub const fn alignment_bytes(&self) -> usize {
        match self.swap {
            Swap::None | Swap::Word1 => 1,
            Swap::Word2 => 2,
            Swap::Word4 | Swap::DayTime => 4,
            Swap::Word8 | Swap::Word16 | Swap::Word32 | Swap::MonthDayNano | Swap::View => 8,
        }
    }
}

impl Role {
    /// The name of this role in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Validity => "validity",
            Role::Values => "values",
            Role::Offsets => "offsets",
            Role::Sizes => "sizes",
            Role::TypeIds => "type ids",
            Role::Views => "views",
            Role::Bytes => "bytes",
            Role::Variadic => "variadic data",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
