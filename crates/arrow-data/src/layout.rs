//! The physical layout of every Arrow type, as data.
//!
//! Only this module knows which buffers a type has. Readers, writers, validation, slicing and test generators walk the
//! [`Layout`] that [`layout`] returns; none of them matches on [`DataType`].

use arrow_schema::{DataType, IntervalUnit, Precision, Time32Unit, Time64Unit, UnionMode};

mod physical;
mod spec;

pub use self::{
    physical::{OffsetType, Physical},
    spec::{BufferSpec, Count, Role, Swap},
};

/// The buffers and children that the arrays of a type have, and their rules.
///
/// Follows "Buffer Listing for Each Layout" of the columnar specification; buffers come in IPC order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    specs: [BufferSpec; 3],
    n_buffers: u8,
    has_validity: bool,
    physical: Physical,
    content: Content,
    strict: StrictRule,
}

/// Where an array records its nulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// In a validity bitmap, which is buffer 0 of the layout.
    Bitmap,
    /// Every slot is null, without a bitmap.
    All,
    /// The array itself has no nulls, but its children may have some.
    InChildren,
}

/// How the length of the children follows from the number of slots of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildLen {
    /// The type has no children.
    NoChildren,
    /// The child is exactly as long as the parent.
    SameAsParent,
    /// The child has at least this number of slots for each slot of the parent.
    Times(u32),
    /// Offsets refer to slots of the child. The structure is valid for any length of the child.
    FromData,
    /// The children are the run ends and the values, with one slot for each run.
    Runs,
}

/// The content rule of a layout: the conditions on values, besides lengths. Validation uses this rule. Other code that
/// depends on the layout uses [`Physical`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Any bit pattern is a value.
    Any,
    /// Offsets do not decrease and stay inside the data buffer or the child.
    Offsets,
    /// The rules of [`Content::Offsets`], and every valid slot is UTF-8.
    Text,
    /// The rules of [`Content::Offsets`], and neither the entries nor their keys are null.
    MapEntries,
    /// Every range of an offset and a size lies inside the child, also in null slots.
    OffsetsAndSizes,
    /// Views of valid slots refer to bytes inside their data buffers and repeat the first four of them; padding of
    /// short values is zero.
    Views,
    /// The rules of [`Content::Views`], and every valid slot is UTF-8.
    TextViews,
    /// Run ends are positive, increase strictly and are not null. The last run ends at or after the end of the array.
    RunEnds,
    /// Indices of valid slots are inside the dictionary.
    Indices,
    /// Every type id belongs to a child of the union.
    SparseTypeIds,
    /// Every type id belongs to a child of the union, and every offset lies inside that child.
    DenseTypeIds,
}

/// The strict rule of a layout: a condition on values that the format requires but some producers violate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrictRule {
    /// No rule besides the content rule.
    Any,
    /// Absolute values are below 10 to the power of this precision.
    Precision(u8),
    /// Values are multiples of this number (date64: milliseconds of a day).
    MultipleOf(i64),
    /// Values are not negative, and less than this number (time of day).
    Below(i64),
    /// The offsets of a dense union do not decrease for any child.
    DenseOrder,
}

/// The kind of data to which the slots of a layout refer by numbers in the buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    /// Slots refer to nothing.
    None,
    /// Slots refer to bytes of a buffer or items of a child. Each range starts where the range of the slot before it
    /// ends.
    InOrder,
    /// Slots refer to values of a dictionary, by index.
    Dictionary,
    /// Slots refer to bytes of data buffers, in any order and any number of times.
    Data,
    /// Slots refer to items of a child, in any order and any number of times.
    Items,
    /// Slots refer to values of the children, in any order and any number of times.
    Values,
}

impl Layout {
    /// The buffers of an array in IPC order, without the data buffers of views. Validity comes first, if there is any.
    pub fn buffers(&self) -> &[BufferSpec] {
        self.specs.get(..usize::from(self.n_buffers)).unwrap_or(&self.specs)
    }

    /// The buffers without validity: the `k`-th is [`ArrayData::buffer`](crate::ArrayData::buffer)`(k)`.
    pub fn data_buffers(&self) -> &[BufferSpec] {
        self.specs.get(usize::from(self.has_validity)..usize::from(self.n_buffers)).unwrap_or_default()
    }

    /// The way in which slots are stored in memory.
    pub const fn physical(&self) -> Physical {
        self.physical
    }

    /// Whether any number of data buffers follows the buffers of the table. This is true for views.
    pub const fn is_variadic(&self) -> bool {
        matches!(self.physical, Physical::Views)
    }

    /// Where the array records its nulls.
    pub const fn nulls(&self) -> Nulls {
        match self.physical {
            Physical::Null => Nulls::All,
            Physical::Union(_) | Physical::Runs(_) => Nulls::InChildren,
            Physical::Bits
            | Physical::Fixed(_)
            | Physical::Bytes(_)
            | Physical::Views
            | Physical::List(_)
            | Physical::ListView(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Dictionary(_) => Nulls::Bitmap,
        }
    }

    /// Whether the first buffer is a validity bitmap.
    pub const fn has_validity(&self) -> bool {
        self.has_validity
    }

    /// How the length of the children follows from the number of slots.
    pub const fn child_len(&self) -> ChildLen {
        match self.physical {
            Physical::Null
            | Physical::Bits
            | Physical::Fixed(_)
            | Physical::Bytes(_)
            | Physical::Views
            | Physical::Dictionary(_) => ChildLen::NoChildren,
            Physical::Struct | Physical::Union(UnionMode::Sparse) => ChildLen::SameAsParent,
            Physical::FixedSizeList(size) => ChildLen::Times(size.get()),
            Physical::List(_) | Physical::ListView(_) | Physical::Union(UnionMode::Dense) => {
                ChildLen::FromData
            }
            Physical::Runs(_) => ChildLen::Runs,
        }
    }

    /// The rule that content validation checks.
    pub const fn content(&self) -> Content {
        self.content
    }

    /// The rule that only strict validation checks.
    pub const fn strict(&self) -> StrictRule {
        self.strict
    }

    /// Whether no two slots refer to the same items or bytes.
    pub const fn has_own_items(&self) -> bool {
        !self.may_share() && !matches!(self.physical, Physical::Runs(_))
    }

    /// Whether slots refer to bytes, items or values in any order and any number of times. A few slots may then refer
    /// to all of them.
    pub const fn may_share(&self) -> bool {
        matches!(self.references(), References::Data | References::Items | References::Values)
    }

    /// Whether slots refer to data buffers, children or a dictionary by numbers in the buffers of the array.
    pub const fn has_references(&self) -> bool {
        !matches!(self.references(), References::None)
    }

    /// The kind of data to which slots refer.
    pub const fn references(&self) -> References {
        match self.physical {
            Physical::Bytes(_) | Physical::List(_) => References::InOrder,
            Physical::Dictionary(_) => References::Dictionary,
            Physical::Views => References::Data,
            Physical::ListView(_) => References::Items,
            Physical::Union(UnionMode::Dense) => References::Values,
            Physical::Null
            | Physical::Bits
            | Physical::Fixed(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(UnionMode::Sparse)
            | Physical::Runs(_) => References::None,
        }
    }

    /// Whether slicing an array changes its `offset` and leaves its buffers whole. True for bit-packed values and runs.
    pub const fn slices_by_offset(&self) -> bool {
        matches!(self.physical, Physical::Bits | Physical::Runs(_))
    }

    const fn new(physical: Physical) -> Layout {
        use BufferSpec as B;
        const V: BufferSpec = BufferSpec::VALIDITY;
        let (specs, n_buffers, content) = match physical {
            Physical::Null => ([V; 3], 0, Content::Any),
            Physical::Bits => ([V, B::BIT_VALUES, V], 2, Content::Any),
            Physical::Fixed(n_bytes) => ([V, B::bytes_per_slot(n_bytes), V], 2, Content::Any),
            Physical::Bytes(offset) => ([V, B::offsets(offset), B::BYTES], 3, Content::Offsets),
            Physical::Views => ([V, B::VIEWS, V], 2, Content::Views),
            Physical::List(offset) => ([V, B::offsets(offset), V], 2, Content::Offsets),
            Physical::ListView(offset) => {
                ([V, B::slot_offsets(offset), B::sizes(offset)], 3, Content::OffsetsAndSizes)
            }
            Physical::FixedSizeList(_) | Physical::Struct => ([V; 3], 1, Content::Any),
            Physical::Union(UnionMode::Sparse) => ([B::TYPE_IDS, V, V], 1, Content::SparseTypeIds),
            Physical::Union(UnionMode::Dense) => {
                ([B::TYPE_IDS, B::slot_offsets(OffsetType::Int32), V], 2, Content::DenseTypeIds)
            }
            Physical::Runs(_) => ([V; 3], 0, Content::RunEnds),
            Physical::Dictionary(index) => ([V, B::fixed(Swap::for_index(index)), V], 2, Content::Indices),
        };
        let layout =
            Layout { specs, n_buffers, has_validity: false, physical, content, strict: StrictRule::Any };
        Layout { has_validity: matches!(layout.nulls(), Nulls::Bitmap), ..layout }
    }

    /// The layout of fixed-width values that consist of these words.
    const fn words(swap: Swap) -> Layout {
        let physical = Physical::Fixed(swap.n_bytes());
        let specs = [BufferSpec::VALIDITY, BufferSpec::fixed(swap), BufferSpec::VALIDITY];
        Layout { specs, ..Layout::new(physical) }
    }

    const fn check(self, content: Content) -> Layout {
        Layout { content, ..self }
    }

    const fn strictly(self, strict: StrictRule) -> Layout {
        Layout { strict, ..self }
    }

    const fn digits<const MAX: u8>(self, precision: Precision<MAX>) -> Layout {
        self.strictly(StrictRule::Precision(precision.get()))
    }

    /// Sets the strict rule of times of a day, with `units_per_second` units per second.
    const fn time_of_day(self, units_per_second: i64) -> Layout {
        self.strictly(StrictRule::Below(SECONDS_PER_DAY * units_per_second))
    }
}

const SECONDS_PER_DAY: i64 = 86_400;

/// The layout of `data_type`. Every type has exactly one row.
pub fn layout(data_type: &DataType) -> Layout {
    use DataType::*;
    use OffsetType as O;
    use Physical as P;
    // The layouts of types without parameters are constants, since readers call `layout` several times per array.
    match data_type {
        Null => const { Layout::new(P::Null) },
        Boolean => const { Layout::new(P::Bits) },
        Int8 | UInt8 => const { Layout::words(Swap::Word1) },
        Int16 | UInt16 | Float16 => const { Layout::words(Swap::Word2) },
        Int32 | UInt32 | Float32 | Date32 => const { Layout::words(Swap::Word4) },
        Int64 | UInt64 | Float64 | Timestamp(..) | Duration(_) => const { Layout::words(Swap::Word8) },
        Decimal32(precision, _) => const { Layout::words(Swap::Word4) }.digits(*precision),
        Decimal64(precision, _) => const { Layout::words(Swap::Word8) }.digits(*precision),
        Decimal128(precision, _) => const { Layout::words(Swap::Word16) }.digits(*precision),
        Decimal256(precision, _) => const { Layout::words(Swap::Word32) }.digits(*precision),
        Date64 => {
            const { Layout::words(Swap::Word8).strictly(StrictRule::MultipleOf(SECONDS_PER_DAY * 1_000)) }
        }
        Time32(Time32Unit::Second) => const { Layout::words(Swap::Word4).time_of_day(1) },
        Time32(Time32Unit::Millisecond) => const { Layout::words(Swap::Word4).time_of_day(1_000) },
        Time64(Time64Unit::Microsecond) => const { Layout::words(Swap::Word8).time_of_day(1_000_000) },
        Time64(Time64Unit::Nanosecond) => const { Layout::words(Swap::Word8).time_of_day(1_000_000_000) },
        Interval(IntervalUnit::YearMonth) => const { Layout::words(Swap::Word4) },
        Interval(IntervalUnit::DayTime) => const { Layout::words(Swap::DayTime) },
        Interval(IntervalUnit::MonthDayNano) => const { Layout::words(Swap::MonthDayNano) },
        FixedSizeBinary(n_bytes) => Layout::new(P::Fixed(*n_bytes)),
        Binary => const { Layout::new(P::Bytes(O::Int32)) },
        LargeBinary => const { Layout::new(P::Bytes(O::Int64)) },
        BinaryView => const { Layout::new(P::Views) },
        Utf8 => const { Layout::new(P::Bytes(O::Int32)).check(Content::Text) },
        LargeUtf8 => const { Layout::new(P::Bytes(O::Int64)).check(Content::Text) },
        Utf8View => const { Layout::new(P::Views).check(Content::TextViews) },
        List(_) => const { Layout::new(P::List(O::Int32)) },
        LargeList(_) => const { Layout::new(P::List(O::Int64)) },
        ListView(_) => const { Layout::new(P::ListView(O::Int32)) },
        LargeListView(_) => const { Layout::new(P::ListView(O::Int64)) },
        FixedSizeList(_, size) => Layout::new(P::FixedSizeList(*size)),
        Struct(_) => const { Layout::new(P::Struct) },
        Map(_) => const { Layout::new(P::List(O::Int32)).check(Content::MapEntries) },
        Union(union) => match union.mode() {
            UnionMode::Sparse => const { Layout::new(P::Union(UnionMode::Sparse)) },
            UnionMode::Dense => {
                const { Layout::new(P::Union(UnionMode::Dense)).strictly(StrictRule::DenseOrder) }
            }
        },
        Dictionary(dictionary) => Layout::new(P::Dictionary(dictionary.index())),
        RunEndEncoded(runs) => Layout::new(P::Runs(runs.run_end_type())),
    }
}

/// The type of a dictionary's values; `None` for other types.
///
/// This function is part of the table, so that only this file matches on types.
pub(crate) fn dictionary_value(data_type: &DataType) -> Option<&DataType> {
    data_type.as_dictionary().map(|dictionary| dictionary.value())
}

/// Whether all slots of the type are null.
pub(crate) fn is_null_type(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Null)
}
