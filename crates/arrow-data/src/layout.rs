//! The physical layout of every Arrow type, as data.
//!
//! This is the only place in the workspace that knows which buffers a type has. Readers, writers, validation,
//! slicing and test generators walk the [`Layout`] that [`layout`] returns; none of them matches on [`DataType`].

use arrow_schema::{DataType, IndexType, IntervalUnit, Time32Unit, Time64Unit, UnionMode};

mod spec;

pub use self::spec::{BufferSpec, Count, Role, Swap};

/// What one array of some type is made of.
///
/// Follows "Buffer Listing for Each Layout" of the columnar specification; buffers come in IPC order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    specs: [BufferSpec; 3],
    n_buffers: u8,
    variadic: bool,
    nulls: Nulls,
    child_len: ChildLen,
    content: Content,
    strict: Strict,
}

/// Where an array keeps its nulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// In a validity bitmap, which is buffer 0 of the layout.
    Bitmap,
    /// Every slot is null; there is no bitmap.
    All,
    /// The array itself has none: nulls live in its children.
    InChildren,
}

/// How long the children of an array are, given its own number of slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildLen {
    /// The type has no children.
    NoChildren,
    /// Exactly as long as the parent.
    SameAsParent,
    /// At least this many times the parent's slots.
    Times(u32),
    /// Offsets tell; any length is structurally possible.
    FromData,
    /// Children are run ends and values, counted in runs instead of slots.
    Runs,
}

/// The content rule of a layout: what must hold for access to be meaningful, beyond sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Any bit pattern is a value.
    Any,
    /// Offsets do not decrease and stay inside the data buffer or the child.
    Offsets,
    /// As [`Content::Offsets`], and every valid slot is UTF-8.
    Text,
    /// As [`Content::Offsets`], and neither the entries nor their keys are null.
    MapEntries,
    /// Every offset and size pair stays inside the child, null slots included.
    OffsetsAndSizes,
    /// Views of valid slots are inside their buffers, with right prefix and zero padding.
    Views,
    /// As [`Content::Views`], and every valid slot is UTF-8.
    TextViews,
    /// Run ends are positive, strictly increase, hold no nulls and reach the end of the array.
    RunEnds,
    /// Indices of valid slots are inside the dictionary.
    Indices {
        /// Whether the index type is signed.
        signed: bool,
    },
    /// Every type id is one of the union's.
    SparseTypeIds,
    /// Every type id is one of the union's, and every offset is inside the child that it selects.
    DenseTypeIds,
}

/// The strict rule of a layout: what the format asks of values, but real producers are known to violate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strict {
    /// Nothing beyond content.
    Any,
    /// Absolute values are below 10 to the power of this precision.
    Precision(u8),
    /// Values are multiples of this many units (date64: milliseconds of a day).
    MultipleOf(i64),
    /// Values are at least zero and below this many units (time of day).
    Below(i64),
    /// The offsets of a dense union do not decrease for each of its children.
    DenseOrder,
}

impl Layout {
    /// The buffers of one array, in IPC order, variadic ones apart. Validity, where there is any, is first.
    pub fn buffers(&self) -> &[BufferSpec] {
        self.specs.get(..usize::from(self.n_buffers)).unwrap_or(&self.specs)
    }

    /// The buffers without validity: the `k`-th of them is [`ArrayData::buffer`](crate::ArrayData::buffer)`(k)`.
    pub fn data_buffers(&self) -> &[BufferSpec] {
        match (self.has_validity(), self.buffers()) {
            (true, [_, rest @ ..]) => rest,
            (_, all) => all,
        }
    }

    /// Whether a number of data buffers follows that differs from array to array (views).
    pub const fn is_variadic(&self) -> bool {
        self.variadic
    }

    /// Where nulls are kept.
    pub const fn nulls(&self) -> Nulls {
        self.nulls
    }

    /// Whether the first buffer is a validity bitmap.
    pub const fn has_validity(&self) -> bool {
        matches!(self.nulls, Nulls::Bitmap)
    }

    /// How long the children are.
    pub const fn child_len(&self) -> ChildLen {
        self.child_len
    }

    /// What a content check looks for.
    pub const fn content(&self) -> Content {
        self.content
    }

    /// What a strict check looks for.
    pub const fn strict(&self) -> Strict {
        self.strict
    }

    /// Whether a slice moves the array's `offset` instead of narrowing its buffers: bit-packed values and runs.
    pub fn slices_by_offset(&self) -> bool {
        self.child_len == ChildLen::Runs || self.data_buffers().iter().any(|spec| spec.bits == 1)
    }

    const fn new(specs: [BufferSpec; 3], n_buffers: u8, nulls: Nulls) -> Layout {
        Layout {
            specs,
            n_buffers,
            variadic: false,
            nulls,
            child_len: ChildLen::NoChildren,
            content: Content::Any,
            strict: Strict::Any,
        }
    }

    const fn without_buffers(nulls: Nulls) -> Layout {
        Layout::new([BufferSpec::VALIDITY; 3], 0, nulls)
    }

    const fn validity_only() -> Layout {
        Layout::new([BufferSpec::VALIDITY; 3], 1, Nulls::Bitmap)
    }

    const fn with(second: BufferSpec) -> Layout {
        Layout::new([BufferSpec::VALIDITY, second, BufferSpec::VALIDITY], 2, Nulls::Bitmap)
    }

    const fn with_two(second: BufferSpec, third: BufferSpec) -> Layout {
        Layout::new([BufferSpec::VALIDITY, second, third], 3, Nulls::Bitmap)
    }

    const fn fixed(swap: Swap) -> Layout {
        Layout::with(BufferSpec::fixed(swap))
    }

    const fn child(self, child_len: ChildLen) -> Layout {
        Layout { child_len, ..self }
    }

    const fn check(self, content: Content) -> Layout {
        Layout { content, ..self }
    }

    const fn strictly(self, strict: Strict) -> Layout {
        Layout { strict, ..self }
    }

    const fn variadic(self) -> Layout {
        Layout { variadic: true, ..self }
    }
}

const SECONDS_PER_DAY: i64 = 86_400;

/// The layout of `data_type`. Total: every type has exactly one row here.
pub fn layout(data_type: &DataType) -> Layout {
    use BufferSpec as B;
    use DataType::*;
    match data_type {
        Null => Layout::without_buffers(Nulls::All),
        Boolean => Layout::with(B::BIT_VALUES),
        Int8 | UInt8 => Layout::fixed(Swap::Word1),
        Int16 | UInt16 | Float16 => Layout::fixed(Swap::Word2),
        Int32 | UInt32 | Float32 | Date32 => Layout::fixed(Swap::Word4),
        Int64 | UInt64 | Float64 | Timestamp(..) | Duration(_) => Layout::fixed(Swap::Word8),
        Decimal32(precision, _) => Layout::fixed(Swap::Word4).strictly(Strict::Precision(precision.get())),
        Decimal64(precision, _) => Layout::fixed(Swap::Word8).strictly(Strict::Precision(precision.get())),
        Decimal128(precision, _) => Layout::fixed(Swap::Word16).strictly(Strict::Precision(precision.get())),
        Decimal256(precision, _) => Layout::fixed(Swap::Word32).strictly(Strict::Precision(precision.get())),
        Date64 => Layout::fixed(Swap::Word8).strictly(Strict::MultipleOf(SECONDS_PER_DAY * 1_000)),
        Time32(unit) => Layout::fixed(Swap::Word4).strictly(Strict::Below(match unit {
            Time32Unit::Second => SECONDS_PER_DAY,
            Time32Unit::Millisecond => SECONDS_PER_DAY * 1_000,
        })),
        Time64(unit) => Layout::fixed(Swap::Word8).strictly(Strict::Below(match unit {
            Time64Unit::Microsecond => SECONDS_PER_DAY * 1_000_000,
            Time64Unit::Nanosecond => SECONDS_PER_DAY * 1_000_000_000,
        })),
        Interval(IntervalUnit::YearMonth) => Layout::fixed(Swap::Word4),
        Interval(IntervalUnit::DayTime) => Layout::fixed(Swap::DayTime),
        Interval(IntervalUnit::MonthDayNano) => Layout::fixed(Swap::MonthDayNano),
        FixedSizeBinary(width) => Layout::with(B::bytes_per_slot(width.get())),
        Binary => Layout::with_two(B::OFFSETS_32, B::BYTES).check(Content::Offsets),
        LargeBinary => Layout::with_two(B::OFFSETS_64, B::BYTES).check(Content::Offsets),
        Utf8 => Layout::with_two(B::OFFSETS_32, B::BYTES).check(Content::Text),
        LargeUtf8 => Layout::with_two(B::OFFSETS_64, B::BYTES).check(Content::Text),
        BinaryView => Layout::with(B::VIEWS).variadic().check(Content::Views),
        Utf8View => Layout::with(B::VIEWS).variadic().check(Content::TextViews),
        List(_) => Layout::with(B::OFFSETS_32).child(ChildLen::FromData).check(Content::Offsets),
        LargeList(_) => Layout::with(B::OFFSETS_64).child(ChildLen::FromData).check(Content::Offsets),
        Map(_) => Layout::with(B::OFFSETS_32).child(ChildLen::FromData).check(Content::MapEntries),
        ListView(_) => Layout::with_two(B::SLOT_OFFSETS_32, B::SIZES_32)
            .child(ChildLen::FromData)
            .check(Content::OffsetsAndSizes),
        LargeListView(_) => Layout::with_two(B::SLOT_OFFSETS_64, B::SIZES_64)
            .child(ChildLen::FromData)
            .check(Content::OffsetsAndSizes),
        FixedSizeList(_, size) => Layout::validity_only().child(ChildLen::Times(size.get())),
        Struct(_) => Layout::validity_only().child(ChildLen::SameAsParent),
        Union(union) => match union.mode() {
            UnionMode::Sparse => Layout::new([B::TYPE_IDS, B::VALIDITY, B::VALIDITY], 1, Nulls::InChildren)
                .child(ChildLen::SameAsParent)
                .check(Content::SparseTypeIds),
            UnionMode::Dense => {
                Layout::new([B::TYPE_IDS, B::SLOT_OFFSETS_32, B::VALIDITY], 2, Nulls::InChildren)
                    .child(ChildLen::FromData)
                    .check(Content::DenseTypeIds)
                    .strictly(Strict::DenseOrder)
            }
        },
        RunEndEncoded(_) => {
            Layout::without_buffers(Nulls::InChildren).child(ChildLen::Runs).check(Content::RunEnds)
        }
        Dictionary(dictionary) => index_layout(dictionary.index()),
    }
}

/// The layout of dictionary indices, which is that of the integer type they have.
fn index_layout(index: IndexType) -> Layout {
    let (swap, signed) = match index {
        IndexType::Int8 => (Swap::Word1, true),
        IndexType::Int16 => (Swap::Word2, true),
        IndexType::Int32 => (Swap::Word4, true),
        IndexType::Int64 => (Swap::Word8, true),
        IndexType::UInt8 => (Swap::Word1, false),
        IndexType::UInt16 => (Swap::Word2, false),
        IndexType::UInt32 => (Swap::Word4, false),
        IndexType::UInt64 => (Swap::Word8, false),
    };
    Layout::fixed(swap).check(Content::Indices { signed })
}

/// What else of a type the structure of an array is checked against, beyond its buffers.
///
/// A part of the table, so that only this file looks at types.
pub(crate) fn dictionary_value(data_type: &DataType) -> Option<&DataType> {
    data_type.as_dictionary().map(|dictionary| dictionary.value())
}

/// The child that a type id of a union selects; `None` for other types and unknown ids.
pub(crate) fn union_child(data_type: &DataType, type_id: i8) -> Option<usize> {
    data_type.as_union().and_then(|union| union.child_of(type_id))
}
