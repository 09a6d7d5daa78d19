// Written by `cargo xtask codegen` from format/*.fbs. Do not edit.
// CRC-32 of the schemas and the generator: 1aec0907, of the code below: 3166edbf.

//! The tables, structs, enumerations and unions of `format/*.fbs`, with checked accessors.

use std::borrow::Cow;

use crate::flatbuffer::{
    InlineValue, Result, Slot, Table, Tables, Union as UnionValue, Vector, enumeration, part, typed_table,
};

/// The version of the metadata that a message was written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum MetadataVersion {
    /// Arrow 0.1.
    V1 = 0,
    /// Arrow 0.2.
    V2 = 1,
    /// Arrow 0.3 to 0.7.
    V3 = 2,
    /// Arrow 0.8 to 0.17: unions carry a validity bitmap.
    V4 = 3,
    /// Arrow 1.0 and later: unions carry none.
    V5 = 4,
}

enumeration!(MetadataVersion: i16 { V1, V2, V3, V4, V5 });

/// What a reader must be able to do beyond the basics. A writer may list what it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i64)]
pub enum Feature {
    /// Needed because zero is the default; never written.
    Unused = 0,
    /// A dictionary may be sent again, in full, under the same id.
    DictionaryReplacement = 1,
    /// Bodies may be compressed.
    CompressedBody = 2,
}

enumeration!(Feature: i64 { Unused, DictionaryReplacement, CompressedBody });

/// Lists of the same number of values each; one child.
#[derive(Debug, Clone, Copy)]
pub struct FixedSizeList<'a>(pub Table<'a>);

typed_table!(FixedSizeList, "FixedSizeList");

impl FixedSizeList<'_> {
    pub const LIST_SIZE: Slot = Slot { table: "FixedSizeList", field: "listSize", index: 0, default: 0 };

    /// Values in each list.
    #[inline]
    pub fn list_size(self) -> Result<i32> {
        self.0.number(&Self::LIST_SIZE, 0)
    }
}

/// Lists of key and value pairs. The one child is a non-nullable struct of two members.
#[derive(Debug, Clone, Copy)]
pub struct Map<'a>(pub Table<'a>);

typed_table!(Map, "Map");

impl Map<'_> {
    pub const KEYS_SORTED: Slot = Slot { table: "Map", field: "keysSorted", index: 0, default: 0 };

    /// Whether the keys of each map are sorted.
    #[inline]
    pub fn keys_sorted(self) -> Result<bool> {
        self.0.number(&Self::KEYS_SORTED, false)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum UnionMode {
    Sparse = 0,
    Dense = 1,
}

enumeration!(UnionMode: i16 { Sparse, Dense });

/// One of several children per slot, chosen by a type id.
#[derive(Debug, Clone, Copy)]
pub struct Union<'a>(pub Table<'a>);

typed_table!(Union, "Union");

impl<'a> Union<'a> {
    pub const MODE: Slot = Slot { table: "Union", field: "mode", index: 0, default: 0 };
    pub const TYPE_IDS: Slot = Slot { table: "Union", field: "typeIds", index: 1, default: 0 };

    #[inline]
    pub fn mode(self) -> Result<UnionMode> {
        self.0.enumeration(&Self::MODE, UnionMode::Sparse)
    }

    /// The type id of each child; without it, ids are the positions of the children.
    #[inline]
    pub fn type_ids(self) -> Result<Option<Vector<'a, i32>>> {
        self.0.vector(&Self::TYPE_IDS)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Int<'a>(pub Table<'a>);

typed_table!(Int, "Int");

impl Int<'_> {
    pub const BIT_WIDTH: Slot = Slot { table: "Int", field: "bitWidth", index: 0, default: 0 };
    pub const IS_SIGNED: Slot = Slot { table: "Int", field: "is_signed", index: 1, default: 0 };

    /// 8, 16, 32 or 64.
    #[inline]
    pub fn bit_width(self) -> Result<i32> {
        self.0.number(&Self::BIT_WIDTH, 0)
    }

    #[inline]
    pub fn is_signed(self) -> Result<bool> {
        self.0.number(&Self::IS_SIGNED, false)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum Precision {
    Half = 0,
    Single = 1,
    Double = 2,
}

enumeration!(Precision: i16 { Half, Single, Double });

/// IEEE 754 numbers of 16, 32 or 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct FloatingPoint<'a>(pub Table<'a>);

typed_table!(FloatingPoint, "FloatingPoint");

impl FloatingPoint<'_> {
    pub const PRECISION: Slot = Slot { table: "FloatingPoint", field: "precision", index: 0, default: 0 };

    #[inline]
    pub fn precision(self) -> Result<Precision> {
        self.0.enumeration(&Self::PRECISION, Precision::Half)
    }
}

/// Values of the same number of bytes each.
#[derive(Debug, Clone, Copy)]
pub struct FixedSizeBinary<'a>(pub Table<'a>);

typed_table!(FixedSizeBinary, "FixedSizeBinary");

impl FixedSizeBinary<'_> {
    pub const BYTE_WIDTH: Slot = Slot { table: "FixedSizeBinary", field: "byteWidth", index: 0, default: 0 };

    /// Bytes in each value.
    #[inline]
    pub fn byte_width(self) -> Result<i32> {
        self.0.number(&Self::BYTE_WIDTH, 0)
    }
}

/// Decimal numbers as scaled integers.
#[derive(Debug, Clone, Copy)]
pub struct Decimal<'a>(pub Table<'a>);

typed_table!(Decimal, "Decimal");

impl Decimal<'_> {
    pub const PRECISION: Slot = Slot { table: "Decimal", field: "precision", index: 0, default: 0 };
    pub const SCALE: Slot = Slot { table: "Decimal", field: "scale", index: 1, default: 0 };
    pub const BIT_WIDTH: Slot = Slot { table: "Decimal", field: "bitWidth", index: 2, default: 128 };

    /// Decimal digits in total.
    #[inline]
    pub fn precision(self) -> Result<i32> {
        self.0.number(&Self::PRECISION, 0)
    }

    /// Digits after the decimal point; negative means zeros before it.
    #[inline]
    pub fn scale(self) -> Result<i32> {
        self.0.number(&Self::SCALE, 0)
    }

    /// 32, 64, 128 or 256.
    #[inline]
    pub fn bit_width(self) -> Result<i32> {
        self.0.number(&Self::BIT_WIDTH, 128)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum DateUnit {
    Day = 0,
    Millisecond = 1,
}

enumeration!(DateUnit: i16 { Day, Millisecond });

/// Days, in 32 bits, or milliseconds, in 64 bits, since 1970-01-01.
#[derive(Debug, Clone, Copy)]
pub struct Date<'a>(pub Table<'a>);

typed_table!(Date, "Date");

impl Date<'_> {
    pub const UNIT: Slot = Slot { table: "Date", field: "unit", index: 0, default: 1 };

    #[inline]
    pub fn unit(self) -> Result<DateUnit> {
        self.0.enumeration(&Self::UNIT, DateUnit::Millisecond)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum TimeUnit {
    Second = 0,
    Millisecond = 1,
    Microsecond = 2,
    Nanosecond = 3,
}

enumeration!(TimeUnit: i16 { Second, Millisecond, Microsecond, Nanosecond });

/// Time since midnight: seconds or milliseconds in 32 bits, finer units in 64.
#[derive(Debug, Clone, Copy)]
pub struct Time<'a>(pub Table<'a>);

typed_table!(Time, "Time");

impl Time<'_> {
    pub const UNIT: Slot = Slot { table: "Time", field: "unit", index: 0, default: 1 };
    pub const BIT_WIDTH: Slot = Slot { table: "Time", field: "bitWidth", index: 1, default: 32 };

    #[inline]
    pub fn unit(self) -> Result<TimeUnit> {
        self.0.enumeration(&Self::UNIT, TimeUnit::Millisecond)
    }

    #[inline]
    pub fn bit_width(self) -> Result<i32> {
        self.0.number(&Self::BIT_WIDTH, 32)
    }
}

/// 64-bit time since 1970-01-01T00:00:00: UTC where a time zone is given, otherwise of no zone.
#[derive(Debug, Clone, Copy)]
pub struct Timestamp<'a>(pub Table<'a>);

typed_table!(Timestamp, "Timestamp");

impl<'a> Timestamp<'a> {
    pub const UNIT: Slot = Slot { table: "Timestamp", field: "unit", index: 0, default: 0 };
    pub const TIMEZONE: Slot = Slot { table: "Timestamp", field: "timezone", index: 1, default: 0 };

    #[inline]
    pub fn unit(self) -> Result<TimeUnit> {
        self.0.enumeration(&Self::UNIT, TimeUnit::Second)
    }

    /// The name of a zone, or an offset such as "+02:00".
    #[inline]
    pub fn timezone(self) -> Result<Option<Cow<'a, str>>> {
        self.0.text(&Self::TIMEZONE)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum IntervalUnit {
    YearMonth = 0,
    DayTime = 1,
    MonthDayNano = 2,
}

enumeration!(IntervalUnit: i16 { YearMonth, DayTime, MonthDayNano });

/// An amount of calendar time.
#[derive(Debug, Clone, Copy)]
pub struct Interval<'a>(pub Table<'a>);

typed_table!(Interval, "Interval");

impl Interval<'_> {
    pub const UNIT: Slot = Slot { table: "Interval", field: "unit", index: 0, default: 0 };

    #[inline]
    pub fn unit(self) -> Result<IntervalUnit> {
        self.0.enumeration(&Self::UNIT, IntervalUnit::YearMonth)
    }
}

/// A 64-bit amount of time, apart from any calendar.
#[derive(Debug, Clone, Copy)]
pub struct Duration<'a>(pub Table<'a>);

typed_table!(Duration, "Duration");

impl Duration<'_> {
    pub const UNIT: Slot = Slot { table: "Duration", field: "unit", index: 0, default: 1 };

    #[inline]
    pub fn unit(self) -> Result<TimeUnit> {
        self.0.enumeration(&Self::UNIT, TimeUnit::Millisecond)
    }
}

/// The type of a field. The numbers are part of the format: new members go to the end.
#[derive(Debug, Clone, Copy)]
pub enum Type<'a> {
    Null(Table<'a>),
    Int(Int<'a>),
    FloatingPoint(FloatingPoint<'a>),
    Binary(Table<'a>),
    Utf8(Table<'a>),
    Bool(Table<'a>),
    Decimal(Decimal<'a>),
    Date(Date<'a>),
    Time(Time<'a>),
    Timestamp(Timestamp<'a>),
    Interval(Interval<'a>),
    List(Table<'a>),
    Struct(Table<'a>),
    Union(Union<'a>),
    FixedSizeBinary(FixedSizeBinary<'a>),
    FixedSizeList(FixedSizeList<'a>),
    Map(Map<'a>),
    Duration(Duration<'a>),
    LargeBinary(Table<'a>),
    LargeUtf8(Table<'a>),
    LargeList(Table<'a>),
    RunEndEncoded(Table<'a>),
    BinaryView(Table<'a>),
    Utf8View(Table<'a>),
    ListView(Table<'a>),
    LargeListView(Table<'a>),
}

/// The tags of the members of [`Type`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum TypeTag {
    Null = 1,
    Int = 2,
    FloatingPoint = 3,
    Binary = 4,
    Utf8 = 5,
    Bool = 6,
    Decimal = 7,
    Date = 8,
    Time = 9,
    Timestamp = 10,
    Interval = 11,
    List = 12,
    Struct = 13,
    Union = 14,
    FixedSizeBinary = 15,
    FixedSizeList = 16,
    Map = 17,
    Duration = 18,
    LargeBinary = 19,
    LargeUtf8 = 20,
    LargeList = 21,
    RunEndEncoded = 22,
    BinaryView = 23,
    Utf8View = 24,
    ListView = 25,
    LargeListView = 26,
}

enumeration!(TypeTag: u8 { Null, Int, FloatingPoint, Binary, Utf8, Bool, Decimal, Date, Time, Timestamp, Interval, List, Struct, Union, FixedSizeBinary, FixedSizeList, Map, Duration, LargeBinary, LargeUtf8, LargeList, RunEndEncoded, BinaryView, Utf8View, ListView, LargeListView });

impl<'a> UnionValue<'a> for Type<'a> {
    type Tag = TypeTag;

    #[inline]
    fn from_table(tag: TypeTag, table: Table<'a>) -> Type<'a> {
        match tag {
            TypeTag::Null => Type::Null(table),
            TypeTag::Int => Type::Int(Int(table)),
            TypeTag::FloatingPoint => Type::FloatingPoint(FloatingPoint(table)),
            TypeTag::Binary => Type::Binary(table),
            TypeTag::Utf8 => Type::Utf8(table),
            TypeTag::Bool => Type::Bool(table),
            TypeTag::Decimal => Type::Decimal(Decimal(table)),
            TypeTag::Date => Type::Date(Date(table)),
            TypeTag::Time => Type::Time(Time(table)),
            TypeTag::Timestamp => Type::Timestamp(Timestamp(table)),
            TypeTag::Interval => Type::Interval(Interval(table)),
            TypeTag::List => Type::List(table),
            TypeTag::Struct => Type::Struct(table),
            TypeTag::Union => Type::Union(Union(table)),
            TypeTag::FixedSizeBinary => Type::FixedSizeBinary(FixedSizeBinary(table)),
            TypeTag::FixedSizeList => Type::FixedSizeList(FixedSizeList(table)),
            TypeTag::Map => Type::Map(Map(table)),
            TypeTag::Duration => Type::Duration(Duration(table)),
            TypeTag::LargeBinary => Type::LargeBinary(table),
            TypeTag::LargeUtf8 => Type::LargeUtf8(table),
            TypeTag::LargeList => Type::LargeList(table),
            TypeTag::RunEndEncoded => Type::RunEndEncoded(table),
            TypeTag::BinaryView => Type::BinaryView(table),
            TypeTag::Utf8View => Type::Utf8View(table),
            TypeTag::ListView => Type::ListView(table),
            TypeTag::LargeListView => Type::LargeListView(table),
        }
    }
}

/// One entry of custom metadata. Keys may repeat.
#[derive(Debug, Clone, Copy)]
pub struct KeyValue<'a>(pub Table<'a>);

typed_table!(KeyValue, "KeyValue");

impl<'a> KeyValue<'a> {
    pub const KEY: Slot = Slot { table: "KeyValue", field: "key", index: 0, default: 0 };
    pub const VALUE: Slot = Slot { table: "KeyValue", field: "value", index: 1, default: 0 };

    #[inline]
    pub fn key(self) -> Result<Option<Cow<'a, str>>> {
        self.0.text(&Self::KEY)
    }

    #[inline]
    pub fn value(self) -> Result<Option<Cow<'a, str>>> {
        self.0.text(&Self::VALUE)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum DictionaryKind {
    DenseArray = 0,
}

enumeration!(DictionaryKind: i16 { DenseArray });

/// Says that a field holds indices into a dictionary.
#[derive(Debug, Clone, Copy)]
pub struct DictionaryEncoding<'a>(pub Table<'a>);

typed_table!(DictionaryEncoding, "DictionaryEncoding");

impl<'a> DictionaryEncoding<'a> {
    pub const ID: Slot = Slot { table: "DictionaryEncoding", field: "id", index: 0, default: 0 };
    pub const INDEX_TYPE: Slot =
        Slot { table: "DictionaryEncoding", field: "indexType", index: 1, default: 0 };
    pub const IS_ORDERED: Slot =
        Slot { table: "DictionaryEncoding", field: "isOrdered", index: 2, default: 0 };
    pub const DICTIONARY_KIND: Slot =
        Slot { table: "DictionaryEncoding", field: "dictionaryKind", index: 3, default: 0 };

    /// Names the dictionary within its stream or file. Fields may share one.
    #[inline]
    pub fn id(self) -> Result<i64> {
        self.0.number(&Self::ID, 0)
    }

    /// The type of the indices; without it, signed 32-bit.
    #[inline]
    pub fn index_type(self) -> Result<Option<Int<'a>>> {
        self.0.table(&Self::INDEX_TYPE)
    }

    /// Whether the order of the values has a meaning.
    #[inline]
    pub fn is_ordered(self) -> Result<bool> {
        self.0.number(&Self::IS_ORDERED, false)
    }

    #[inline]
    pub fn dictionary_kind(self) -> Result<DictionaryKind> {
        self.0.enumeration(&Self::DICTIONARY_KIND, DictionaryKind::DenseArray)
    }
}

/// A named column or child.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a>(pub Table<'a>);

typed_table!(Field, "Field");

impl<'a> Field<'a> {
    pub const NAME: Slot = Slot { table: "Field", field: "name", index: 0, default: 0 };
    pub const NULLABLE: Slot = Slot { table: "Field", field: "nullable", index: 1, default: 0 };
    pub const TYPE_TAG: Slot = Slot { table: "Field", field: "type", index: 2, default: 0 };
    pub const TYPE: Slot = Slot { table: "Field", field: "type", index: 3, default: 0 };
    pub const DICTIONARY: Slot = Slot { table: "Field", field: "dictionary", index: 4, default: 0 };
    pub const CHILDREN: Slot = Slot { table: "Field", field: "children", index: 5, default: 0 };
    pub const CUSTOM_METADATA: Slot = Slot { table: "Field", field: "custom_metadata", index: 6, default: 0 };

    #[inline]
    pub fn name(self) -> Result<Option<Cow<'a, str>>> {
        self.0.text(&Self::NAME)
    }

    #[inline]
    pub fn nullable(self) -> Result<bool> {
        self.0.number(&Self::NULLABLE, false)
    }

    #[inline]
    pub fn type_tag(self) -> Result<Option<TypeTag>> {
        self.0.tag(&Self::TYPE_TAG)
    }

    /// The logical type; of a dictionary-encoded field, the type of the values.
    #[inline]
    pub fn type_(self) -> Result<Option<Type<'a>>> {
        self.0.union(&Self::TYPE, self.type_tag()?)
    }

    #[inline]
    pub fn dictionary(self) -> Result<Option<DictionaryEncoding<'a>>> {
        self.0.table(&Self::DICTIONARY)
    }

    /// The children that the type asks for, in order.
    #[inline]
    pub fn children(self) -> Result<Option<Tables<'a, Field<'a>>>> {
        self.0.tables(&Self::CHILDREN)
    }

    #[inline]
    pub fn custom_metadata(self) -> Result<Option<Tables<'a, KeyValue<'a>>>> {
        self.0.tables(&Self::CUSTOM_METADATA)
    }
}

/// The byte order of the numbers in bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum Endianness {
    Little = 0,
    Big = 1,
}

enumeration!(Endianness: i16 { Little, Big });

/// A range of bytes in the body of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffer {
    /// From the start of the body.
    pub offset: i64,
    /// In bytes, without padding.
    pub length: i64,
}

impl Buffer {
    /// Reads the struct.
    #[inline]
    pub fn from_bytes(bytes: &[u8; 16]) -> Buffer {
        Buffer { offset: i64::from_le_bytes(part(bytes, 0)), length: i64::from_le_bytes(part(bytes, 8)) }
    }

    /// The struct as it is stored.
    #[inline]
    pub fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[0..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }
}

impl InlineValue for Buffer {
    const N_BYTES: usize = 16;

    #[inline]
    fn read(bytes: &[u8], at: usize) -> Option<Buffer> {
        bytes.get(at..)?.first_chunk().map(Buffer::from_bytes)
    }
}

/// The columns of a stream or file.
#[derive(Debug, Clone, Copy)]
pub struct Schema<'a>(pub Table<'a>);

typed_table!(Schema, "Schema");

impl<'a> Schema<'a> {
    pub const ENDIANNESS: Slot = Slot { table: "Schema", field: "endianness", index: 0, default: 0 };
    pub const FIELDS: Slot = Slot { table: "Schema", field: "fields", index: 1, default: 0 };
    pub const CUSTOM_METADATA: Slot =
        Slot { table: "Schema", field: "custom_metadata", index: 2, default: 0 };
    pub const FEATURES: Slot = Slot { table: "Schema", field: "features", index: 3, default: 0 };

    #[inline]
    pub fn endianness(self) -> Result<Endianness> {
        self.0.enumeration(&Self::ENDIANNESS, Endianness::Little)
    }

    #[inline]
    pub fn fields(self) -> Result<Option<Tables<'a, Field<'a>>>> {
        self.0.tables(&Self::FIELDS)
    }

    #[inline]
    pub fn custom_metadata(self) -> Result<Option<Tables<'a, KeyValue<'a>>>> {
        self.0.tables(&Self::CUSTOM_METADATA)
    }

    #[inline]
    pub fn features(self) -> Result<Option<Vector<'a, i64>>> {
        self.0.vector(&Self::FEATURES)
    }
}

/// One dimension.
#[derive(Debug, Clone, Copy)]
pub struct TensorDim<'a>(pub Table<'a>);

typed_table!(TensorDim, "TensorDim");

impl<'a> TensorDim<'a> {
    pub const SIZE: Slot = Slot { table: "TensorDim", field: "size", index: 0, default: 0 };
    pub const NAME: Slot = Slot { table: "TensorDim", field: "name", index: 1, default: 0 };

    /// The number of positions.
    #[inline]
    pub fn size(self) -> Result<i64> {
        self.0.number(&Self::SIZE, 0)
    }

    /// An optional label.
    #[inline]
    pub fn name(self) -> Result<Option<Cow<'a, str>>> {
        self.0.text(&Self::NAME)
    }
}

/// The message header of a dense tensor. Its values are the message's body.
#[derive(Debug, Clone, Copy)]
pub struct Tensor<'a>(pub Table<'a>);

typed_table!(Tensor, "Tensor");

impl<'a> Tensor<'a> {
    pub const TYPE_TAG: Slot = Slot { table: "Tensor", field: "type", index: 0, default: 0 };
    pub const TYPE: Slot = Slot { table: "Tensor", field: "type", index: 1, default: 0 };
    pub const SHAPE: Slot = Slot { table: "Tensor", field: "shape", index: 2, default: 0 };
    pub const STRIDES: Slot = Slot { table: "Tensor", field: "strides", index: 3, default: 0 };
    pub const DATA: Slot = Slot { table: "Tensor", field: "data", index: 4, default: 0 };

    #[inline]
    pub fn type_tag(self) -> Result<Option<TypeTag>> {
        self.0.tag(&Self::TYPE_TAG)
    }

    /// The type of the values: of fixed width, without nulls.
    #[inline]
    pub fn type_(self) -> Result<Type<'a>> {
        let found = self.0.union(&Self::TYPE, self.type_tag()?)?;
        self.0.required(&Self::TYPE, found)
    }

    /// The dimensions, outermost first.
    #[inline]
    pub fn shape(self) -> Result<Tables<'a, TensorDim<'a>>> {
        let found = self.0.tables(&Self::SHAPE)?;
        self.0.required(&Self::SHAPE, found)
    }

    /// The bytes from one position to the next, per dimension; without it, row-major.
    #[inline]
    pub fn strides(self) -> Result<Option<Vector<'a, i64>>> {
        self.0.vector(&Self::STRIDES)
    }

    /// Where the values are in the body.
    #[inline]
    pub fn data(self) -> Result<Buffer> {
        let found = self.0.inline(&Self::DATA)?;
        self.0.required(&Self::DATA, found)
    }
}

/// Coordinates: a matrix with one row per value and one column per dimension.
#[derive(Debug, Clone, Copy)]
pub struct SparseTensorIndexCoo<'a>(pub Table<'a>);

typed_table!(SparseTensorIndexCoo, "SparseTensorIndexCOO");

impl<'a> SparseTensorIndexCoo<'a> {
    pub const INDICES_TYPE: Slot =
        Slot { table: "SparseTensorIndexCOO", field: "indicesType", index: 0, default: 0 };
    pub const INDICES_STRIDES: Slot =
        Slot { table: "SparseTensorIndexCOO", field: "indicesStrides", index: 1, default: 0 };
    pub const INDICES_BUFFER: Slot =
        Slot { table: "SparseTensorIndexCOO", field: "indicesBuffer", index: 2, default: 0 };
    pub const IS_CANONICAL: Slot =
        Slot { table: "SparseTensorIndexCOO", field: "isCanonical", index: 3, default: 0 };

    /// The type of the coordinates.
    #[inline]
    pub fn indices_type(self) -> Result<Int<'a>> {
        let found = self.0.table(&Self::INDICES_TYPE)?;
        self.0.required(&Self::INDICES_TYPE, found)
    }

    /// The bytes from one row and column of the matrix to the next; without it, row-major.
    #[inline]
    pub fn indices_strides(self) -> Result<Option<Vector<'a, i64>>> {
        self.0.vector(&Self::INDICES_STRIDES)
    }

    #[inline]
    pub fn indices_buffer(self) -> Result<Buffer> {
        let found = self.0.inline(&Self::INDICES_BUFFER)?;
        self.0.required(&Self::INDICES_BUFFER, found)
    }

    /// Whether the coordinates are sorted and without repetition.
    #[inline]
    pub fn is_canonical(self) -> Result<bool> {
        self.0.number(&Self::IS_CANONICAL, false)
    }
}

/// The axis that a compressed matrix is compressed along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub enum SparseMatrixCompressedAxis {
    Row = 0,
    Column = 1,
}

enumeration!(SparseMatrixCompressedAxis: i16 { Row, Column });

/// Compressed rows (CSR) or columns (CSC) of a matrix.
#[derive(Debug, Clone, Copy)]
pub struct SparseMatrixIndexCsx<'a>(pub Table<'a>);

typed_table!(SparseMatrixIndexCsx, "SparseMatrixIndexCSX");

impl<'a> SparseMatrixIndexCsx<'a> {
    pub const COMPRESSED_AXIS: Slot =
        Slot { table: "SparseMatrixIndexCSX", field: "compressedAxis", index: 0, default: 0 };
    pub const INDPTR_TYPE: Slot =
        Slot { table: "SparseMatrixIndexCSX", field: "indptrType", index: 1, default: 0 };
    pub const INDPTR_BUFFER: Slot =
        Slot { table: "SparseMatrixIndexCSX", field: "indptrBuffer", index: 2, default: 0 };
    pub const INDICES_TYPE: Slot =
        Slot { table: "SparseMatrixIndexCSX", field: "indicesType", index: 3, default: 0 };
    pub const INDICES_BUFFER: Slot =
        Slot { table: "SparseMatrixIndexCSX", field: "indicesBuffer", index: 4, default: 0 };

    #[inline]
    pub fn compressed_axis(self) -> Result<SparseMatrixCompressedAxis> {
        self.0.enumeration(&Self::COMPRESSED_AXIS, SparseMatrixCompressedAxis::Row)
    }

    /// The type of the numbers in `indptrBuffer`.
    #[inline]
    pub fn indptr_type(self) -> Result<Int<'a>> {
        let found = self.0.table(&Self::INDPTR_TYPE)?;
        self.0.required(&Self::INDPTR_TYPE, found)
    }

    /// Where each row (or column) starts among the values; one entry more than there are rows.
    #[inline]
    pub fn indptr_buffer(self) -> Result<Buffer> {
        let found = self.0.inline(&Self::INDPTR_BUFFER)?;
        self.0.required(&Self::INDPTR_BUFFER, found)
    }

    /// The type of the numbers in `indicesBuffer`.
    #[inline]
    pub fn indices_type(self) -> Result<Int<'a>> {
        let found = self.0.table(&Self::INDICES_TYPE)?;
        self.0.required(&Self::INDICES_TYPE, found)
    }

    /// The column (or row) of each value.
    #[inline]
    pub fn indices_buffer(self) -> Result<Buffer> {
        let found = self.0.inline(&Self::INDICES_BUFFER)?;
        self.0.required(&Self::INDICES_BUFFER, found)
    }
}

/// Compressed fibres: a tree with one level per dimension.
#[derive(Debug, Clone, Copy)]
pub struct SparseTensorIndexCsf<'a>(pub Table<'a>);

typed_table!(SparseTensorIndexCsf, "SparseTensorIndexCSF");

impl<'a> SparseTensorIndexCsf<'a> {
    pub const INDPTR_TYPE: Slot =
        Slot { table: "SparseTensorIndexCSF", field: "indptrType", index: 0, default: 0 };
    pub const INDPTR_BUFFERS: Slot =
        Slot { table: "SparseTensorIndexCSF", field: "indptrBuffers", index: 1, default: 0 };
    pub const INDICES_TYPE: Slot =
        Slot { table: "SparseTensorIndexCSF", field: "indicesType", index: 2, default: 0 };
    pub const INDICES_BUFFERS: Slot =
        Slot { table: "SparseTensorIndexCSF", field: "indicesBuffers", index: 3, default: 0 };
    pub const AXIS_ORDER: Slot =
        Slot { table: "SparseTensorIndexCSF", field: "axisOrder", index: 4, default: 0 };

    /// The type of the numbers in `indptrBuffers`.
    #[inline]
    pub fn indptr_type(self) -> Result<Int<'a>> {
        let found = self.0.table(&Self::INDPTR_TYPE)?;
        self.0.required(&Self::INDPTR_TYPE, found)
    }

    /// Per level but the last, where the children of each node start.
    #[inline]
    pub fn indptr_buffers(self) -> Result<Vector<'a, Buffer>> {
        let found = self.0.vector(&Self::INDPTR_BUFFERS)?;
        self.0.required(&Self::INDPTR_BUFFERS, found)
    }

    /// The type of the numbers in `indicesBuffers`.
    #[inline]
    pub fn indices_type(self) -> Result<Int<'a>> {
        let found = self.0.table(&Self::INDICES_TYPE)?;
        self.0.required(&Self::INDICES_TYPE, found)
    }

    /// Per level, the coordinate of each node.
    #[inline]
    pub fn indices_buffers(self) -> Result<Vector<'a, Buffer>> {
        let found = self.0.vector(&Self::INDICES_BUFFERS)?;
        self.0.required(&Self::INDICES_BUFFERS, found)
    }

    /// The dimension that each level stands for.
    #[inline]
    pub fn axis_order(self) -> Result<Vector<'a, i32>> {
        let found = self.0.vector(&Self::AXIS_ORDER)?;
        self.0.required(&Self::AXIS_ORDER, found)
    }
}

#[derive(Debug, Clone, Copy)]
pub enum SparseTensorIndex<'a> {
    SparseTensorIndexCoo(SparseTensorIndexCoo<'a>),
    SparseMatrixIndexCsx(SparseMatrixIndexCsx<'a>),
    SparseTensorIndexCsf(SparseTensorIndexCsf<'a>),
}

/// The tags of the members of [`SparseTensorIndex`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum SparseTensorIndexTag {
    SparseTensorIndexCoo = 1,
    SparseMatrixIndexCsx = 2,
    SparseTensorIndexCsf = 3,
}

enumeration!(SparseTensorIndexTag: u8 { SparseTensorIndexCoo, SparseMatrixIndexCsx, SparseTensorIndexCsf });

impl<'a> UnionValue<'a> for SparseTensorIndex<'a> {
    type Tag = SparseTensorIndexTag;

    #[inline]
    fn from_table(tag: SparseTensorIndexTag, table: Table<'a>) -> SparseTensorIndex<'a> {
        match tag {
            SparseTensorIndexTag::SparseTensorIndexCoo => {
                SparseTensorIndex::SparseTensorIndexCoo(SparseTensorIndexCoo(table))
            }
            SparseTensorIndexTag::SparseMatrixIndexCsx => {
                SparseTensorIndex::SparseMatrixIndexCsx(SparseMatrixIndexCsx(table))
            }
            SparseTensorIndexTag::SparseTensorIndexCsf => {
                SparseTensorIndex::SparseTensorIndexCsf(SparseTensorIndexCsf(table))
            }
        }
    }
}

/// The message header of a sparse tensor. Its values and index are the message's body.
#[derive(Debug, Clone, Copy)]
pub struct SparseTensor<'a>(pub Table<'a>);

typed_table!(SparseTensor, "SparseTensor");

impl<'a> SparseTensor<'a> {
    pub const TYPE_TAG: Slot = Slot { table: "SparseTensor", field: "type", index: 0, default: 0 };
    pub const TYPE: Slot = Slot { table: "SparseTensor", field: "type", index: 1, default: 0 };
    pub const SHAPE: Slot = Slot { table: "SparseTensor", field: "shape", index: 2, default: 0 };
    pub const NON_ZERO_LENGTH: Slot =
        Slot { table: "SparseTensor", field: "non_zero_length", index: 3, default: 0 };
    pub const SPARSE_INDEX_TAG: Slot =
        Slot { table: "SparseTensor", field: "sparseIndex", index: 4, default: 0 };
    pub const SPARSE_INDEX: Slot = Slot { table: "SparseTensor", field: "sparseIndex", index: 5, default: 0 };
    pub const DATA: Slot = Slot { table: "SparseTensor", field: "data", index: 6, default: 0 };

    #[inline]
    pub fn type_tag(self) -> Result<Option<TypeTag>> {
        self.0.tag(&Self::TYPE_TAG)
    }

    /// The type of the values: of fixed width, without nulls.
    #[inline]
    pub fn type_(self) -> Result<Type<'a>> {
        let found = self.0.union(&Self::TYPE, self.type_tag()?)?;
        self.0.required(&Self::TYPE, found)
    }

    /// The dimensions, outermost first.
    #[inline]
    pub fn shape(self) -> Result<Tables<'a, TensorDim<'a>>> {
        let found = self.0.tables(&Self::SHAPE)?;
        self.0.required(&Self::SHAPE, found)
    }

    /// The number of values that are stored.
    #[inline]
    pub fn non_zero_length(self) -> Result<i64> {
        self.0.number(&Self::NON_ZERO_LENGTH, 0)
    }

    #[inline]
    pub fn sparse_index_tag(self) -> Result<Option<SparseTensorIndexTag>> {
        self.0.tag(&Self::SPARSE_INDEX_TAG)
    }

    #[inline]
    pub fn sparse_index(self) -> Result<SparseTensorIndex<'a>> {
        let found = self.0.union(&Self::SPARSE_INDEX, self.sparse_index_tag()?)?;
        self.0.required(&Self::SPARSE_INDEX, found)
    }

    /// Where the values are in the body.
    #[inline]
    pub fn data(self) -> Result<Buffer> {
        let found = self.0.inline(&Self::DATA)?;
        self.0.required(&Self::DATA, found)
    }
}

/// The sizes of one field of a batch. Fields are listed in pre-order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldNode {
    /// The number of slots.
    pub length: i64,
    /// The number of slots that are null.
    pub null_count: i64,
}

impl FieldNode {
    /// Reads the struct.
    #[inline]
    pub fn from_bytes(bytes: &[u8; 16]) -> FieldNode {
        FieldNode {
            length: i64::from_le_bytes(part(bytes, 0)),
            null_count: i64::from_le_bytes(part(bytes, 8)),
        }
    }

    /// The struct as it is stored.
    #[inline]
    pub fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[0..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.null_count.to_le_bytes());
        bytes
    }
}

impl InlineValue for FieldNode {
    const N_BYTES: usize = 16;

    #[inline]
    fn read(bytes: &[u8], at: usize) -> Option<FieldNode> {
        bytes.get(at..)?.first_chunk().map(FieldNode::from_bytes)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i8)]
pub enum CompressionType {
    /// LZ4 frames; not the raw block format.
    Lz4Frame = 0,
    /// Zstandard frames.
    Zstd = 1,
}

enumeration!(CompressionType: i8 { Lz4Frame, Zstd });

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i8)]
pub enum BodyCompressionMethod {
    /// Each buffer is compressed alone, behind its uncompressed size in 8 bytes; a size of -1 says
    /// that it is stored as it is.
    Buffer = 0,
}

enumeration!(BodyCompressionMethod: i8 { Buffer });

/// How the buffers of a body are compressed.
#[derive(Debug, Clone, Copy)]
pub struct BodyCompression<'a>(pub Table<'a>);

typed_table!(BodyCompression, "BodyCompression");

impl BodyCompression<'_> {
    pub const CODEC: Slot = Slot { table: "BodyCompression", field: "codec", index: 0, default: 0 };
    pub const METHOD: Slot = Slot { table: "BodyCompression", field: "method", index: 1, default: 0 };

    #[inline]
    pub fn codec(self) -> Result<CompressionType> {
        self.0.enumeration(&Self::CODEC, CompressionType::Lz4Frame)
    }

    #[inline]
    pub fn method(self) -> Result<BodyCompressionMethod> {
        self.0.enumeration(&Self::METHOD, BodyCompressionMethod::Buffer)
    }
}

/// A batch of rows.
#[derive(Debug, Clone, Copy)]
pub struct RecordBatch<'a>(pub Table<'a>);

typed_table!(RecordBatch, "RecordBatch");

impl<'a> RecordBatch<'a> {
    pub const LENGTH: Slot = Slot { table: "RecordBatch", field: "length", index: 0, default: 0 };
    pub const NODES: Slot = Slot { table: "RecordBatch", field: "nodes", index: 1, default: 0 };
    pub const BUFFERS: Slot = Slot { table: "RecordBatch", field: "buffers", index: 2, default: 0 };
    pub const COMPRESSION: Slot = Slot { table: "RecordBatch", field: "compression", index: 3, default: 0 };
    pub const VARIADIC_BUFFER_COUNTS: Slot =
        Slot { table: "RecordBatch", field: "variadicBufferCounts", index: 4, default: 0 };

    /// The number of rows.
    #[inline]
    pub fn length(self) -> Result<i64> {
        self.0.number(&Self::LENGTH, 0)
    }

    /// One entry per field, children after their parent.
    #[inline]
    pub fn nodes(self) -> Result<Option<Vector<'a, FieldNode>>> {
        self.0.vector(&Self::NODES)
    }

    /// The buffers of all fields, in the same order.
    #[inline]
    pub fn buffers(self) -> Result<Option<Vector<'a, Buffer>>> {
        self.0.vector(&Self::BUFFERS)
    }

    /// Absent: the buffers are stored as they are.
    #[inline]
    pub fn compression(self) -> Result<Option<BodyCompression<'a>>> {
        self.0.table(&Self::COMPRESSION)
    }

    /// The number of variadic buffers of each view column, in pre-order.
    #[inline]
    pub fn variadic_buffer_counts(self) -> Result<Option<Vector<'a, i64>>> {
        self.0.vector(&Self::VARIADIC_BUFFER_COUNTS)
    }
}

/// The values of a dictionary, as a batch of one column.
#[derive(Debug, Clone, Copy)]
pub struct DictionaryBatch<'a>(pub Table<'a>);

typed_table!(DictionaryBatch, "DictionaryBatch");

impl<'a> DictionaryBatch<'a> {
    pub const ID: Slot = Slot { table: "DictionaryBatch", field: "id", index: 0, default: 0 };
    pub const DATA: Slot = Slot { table: "DictionaryBatch", field: "data", index: 1, default: 0 };
    pub const IS_DELTA: Slot = Slot { table: "DictionaryBatch", field: "isDelta", index: 2, default: 0 };

    #[inline]
    pub fn id(self) -> Result<i64> {
        self.0.number(&Self::ID, 0)
    }

    #[inline]
    pub fn data(self) -> Result<Option<RecordBatch<'a>>> {
        self.0.table(&Self::DATA)
    }

    /// Whether the values are appended to those already known, instead of replacing them.
    #[inline]
    pub fn is_delta(self) -> Result<bool> {
        self.0.number(&Self::IS_DELTA, false)
    }
}

/// What a message is about. The numbers are part of the format: new members go to the end.
#[derive(Debug, Clone, Copy)]
pub enum MessageHeader<'a> {
    Schema(Schema<'a>),
    DictionaryBatch(DictionaryBatch<'a>),
    RecordBatch(RecordBatch<'a>),
    Tensor(Tensor<'a>),
    SparseTensor(SparseTensor<'a>),
}

/// The tags of the members of [`MessageHeader`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum MessageHeaderTag {
    Schema = 1,
    DictionaryBatch = 2,
    RecordBatch = 3,
    Tensor = 4,
    SparseTensor = 5,
}

enumeration!(MessageHeaderTag: u8 { Schema, DictionaryBatch, RecordBatch, Tensor, SparseTensor });

impl<'a> UnionValue<'a> for MessageHeader<'a> {
    type Tag = MessageHeaderTag;

    #[inline]
    fn from_table(tag: MessageHeaderTag, table: Table<'a>) -> MessageHeader<'a> {
        match tag {
            MessageHeaderTag::Schema => MessageHeader::Schema(Schema(table)),
            MessageHeaderTag::DictionaryBatch => MessageHeader::DictionaryBatch(DictionaryBatch(table)),
            MessageHeaderTag::RecordBatch => MessageHeader::RecordBatch(RecordBatch(table)),
            MessageHeaderTag::Tensor => MessageHeader::Tensor(Tensor(table)),
            MessageHeaderTag::SparseTensor => MessageHeader::SparseTensor(SparseTensor(table)),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Message<'a>(pub Table<'a>);

typed_table!(Message, "Message");

impl<'a> Message<'a> {
    pub const VERSION: Slot = Slot { table: "Message", field: "version", index: 0, default: 0 };
    pub const HEADER_TAG: Slot = Slot { table: "Message", field: "header", index: 1, default: 0 };
    pub const HEADER: Slot = Slot { table: "Message", field: "header", index: 2, default: 0 };
    pub const BODY_LENGTH: Slot = Slot { table: "Message", field: "bodyLength", index: 3, default: 0 };
    pub const CUSTOM_METADATA: Slot =
        Slot { table: "Message", field: "custom_metadata", index: 4, default: 0 };

    #[inline]
    pub fn version(self) -> Result<MetadataVersion> {
        self.0.enumeration(&Self::VERSION, MetadataVersion::V1)
    }

    #[inline]
    pub fn header_tag(self) -> Result<Option<MessageHeaderTag>> {
        self.0.tag(&Self::HEADER_TAG)
    }

    #[inline]
    pub fn header(self) -> Result<Option<MessageHeader<'a>>> {
        self.0.union(&Self::HEADER, self.header_tag()?)
    }

    /// The bytes of the body, padding included.
    #[inline]
    pub fn body_length(self) -> Result<i64> {
        self.0.number(&Self::BODY_LENGTH, 0)
    }

    #[inline]
    pub fn custom_metadata(self) -> Result<Option<Tables<'a, KeyValue<'a>>>> {
        self.0.tables(&Self::CUSTOM_METADATA)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Footer<'a>(pub Table<'a>);

typed_table!(Footer, "Footer");

impl<'a> Footer<'a> {
    pub const VERSION: Slot = Slot { table: "Footer", field: "version", index: 0, default: 0 };
    pub const SCHEMA: Slot = Slot { table: "Footer", field: "schema", index: 1, default: 0 };
    pub const DICTIONARIES: Slot = Slot { table: "Footer", field: "dictionaries", index: 2, default: 0 };
    pub const RECORD_BATCHES: Slot = Slot { table: "Footer", field: "recordBatches", index: 3, default: 0 };
    pub const CUSTOM_METADATA: Slot =
        Slot { table: "Footer", field: "custom_metadata", index: 4, default: 0 };

    #[inline]
    pub fn version(self) -> Result<MetadataVersion> {
        self.0.enumeration(&Self::VERSION, MetadataVersion::V1)
    }

    #[inline]
    pub fn schema(self) -> Result<Option<Schema<'a>>> {
        self.0.table(&Self::SCHEMA)
    }

    /// The dictionary messages, in the order in which they were written.
    #[inline]
    pub fn dictionaries(self) -> Result<Option<Vector<'a, Block>>> {
        self.0.vector(&Self::DICTIONARIES)
    }

    /// The record batch messages, in the order of their rows.
    #[inline]
    pub fn record_batches(self) -> Result<Option<Vector<'a, Block>>> {
        self.0.vector(&Self::RECORD_BATCHES)
    }

    #[inline]
    pub fn custom_metadata(self) -> Result<Option<Tables<'a, KeyValue<'a>>>> {
        self.0.tables(&Self::CUSTOM_METADATA)
    }
}

/// Where a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// From the start of the file.
    pub offset: i64,
    /// The bytes of the metadata, with the length prefix and padding.
    pub meta_data_length: i32,
    /// The bytes of the body, which follows the metadata.
    pub body_length: i64,
}

impl Block {
    /// Reads the struct.
    #[inline]
    pub fn from_bytes(bytes: &[u8; 24]) -> Block {
        Block {
            offset: i64::from_le_bytes(part(bytes, 0)),
            meta_data_length: i32::from_le_bytes(part(bytes, 8)),
            body_length: i64::from_le_bytes(part(bytes, 16)),
        }
    }

    /// The struct as it is stored.
    #[inline]
    pub fn to_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[0..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.meta_data_length.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.body_length.to_le_bytes());
        bytes
    }
}

impl InlineValue for Block {
    const N_BYTES: usize = 24;

    #[inline]
    fn read(bytes: &[u8], at: usize) -> Option<Block> {
        bytes.get(at..)?.first_chunk().map(Block::from_bytes)
    }
}
