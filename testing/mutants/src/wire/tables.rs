//! The tables of the format with their numbers: those of `format/*.fbs`, with fields in the same order.

/// The fields of a table.
pub(super) type Table = fn() -> &'static [Slot];

/// A field of a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    /// A number of this many bytes.
    Number(usize),
    /// The length of the body of a message.
    BodyLength,
    Text,
    Table(Table),
    Tables(Table),
    /// A list of numbers of this many bytes.
    Numbers(usize),
    /// A struct of these numbers, each at a multiple of its size.
    Struct(&'static [usize]),
    Structs(&'static [usize]),
    /// The buffers of a batch.
    Buffers,
    /// How the body is compressed.
    Compression(Table),
    /// Two fields: the number of the member, counted from 1, and its table.
    Union(&'static [Table]),
}

use Slot::{BodyLength, Buffers, Number, Numbers, Struct, Structs, Tables, Text, Union};

/// Position and length.
pub(super) const BUFFER: &[usize] = &[8, 8];
const NODE: &[usize] = &[8, 8];
const BLOCK: &[usize] = &[8, 4, 8];

pub(super) fn message() -> &'static [Slot] {
    const HEADERS: &[Table] = &[schema, dictionary_batch, record_batch, tensor, sparse_tensor];
    const SLOTS: &[Slot] = &[Number(2), Union(HEADERS), BodyLength, Tables(key_value)];
    SLOTS
}

pub(super) fn footer() -> &'static [Slot] {
    const SLOTS: &[Slot] =
        &[Number(2), Slot::Table(schema), Structs(BLOCK), Structs(BLOCK), Tables(key_value)];
    SLOTS
}

fn schema() -> &'static [Slot] {
    const SLOTS: &[Slot] = &[Number(2), Tables(field), Tables(key_value), Numbers(8)];
    SLOTS
}

fn field() -> &'static [Slot] {
    const SLOTS: &[Slot] =
        &[Text, Number(1), Union(TYPES), Slot::Table(dictionary_encoding), Tables(field), Tables(key_value)];
    SLOTS
}

fn key_value() -> &'static [Slot] {
    &[Text, Text]
}

fn dictionary_encoding() -> &'static [Slot] {
    const SLOTS: &[Slot] = &[Number(8), Slot::Table(int), Number(1), Number(2)];
    SLOTS
}

fn record_batch() -> &'static [Slot] {
    const SLOTS: &[Slot] = &[Number(8), Structs(NODE), Buffers, Slot::Compression(compression), Numbers(8)];
    SLOTS
}

fn compression() -> &'static [Slot] {
    &[Number(1), Number(1)]
}

fn dictionary_batch() -> &'static [Slot] {
    const SLOTS: &[Slot] = &[Number(8), Slot::Table(record_batch), Number(1)];
    SLOTS
}

fn tensor() -> &'static [Slot] {
    const SLOTS: &[Slot] = &[Union(TYPES), Tables(dim), Numbers(8), Struct(BUFFER)];
    SLOTS
}

fn dim() -> &'static [Slot] {
    &[Number(8), Text]
}

fn sparse_tensor() -> &'static [Slot] {
    const INDICES: &[Table] = &[coo, csx, csf];
    const SLOTS: &[Slot] = &[Union(TYPES), Tables(dim), Number(8), Union(INDICES), Struct(BUFFER)];
    SLOTS
}

fn coo() -> &'static [Slot] {
    const SLOTS: &[Slot] = &[Slot::Table(int), Numbers(8), Struct(BUFFER), Number(1)];
    SLOTS
}

fn csx() -> &'static [Slot] {
    const SLOTS: &[Slot] = &[Number(2), Slot::Table(int), Struct(BUFFER), Slot::Table(int), Struct(BUFFER)];
    SLOTS
}

fn csf() -> &'static [Slot] {
    const SLOTS: &[Slot] =
        &[Slot::Table(int), Structs(BUFFER), Slot::Table(int), Structs(BUFFER), Numbers(4)];
    SLOTS
}

/// The members of the union of types, in order.
const TYPES: &[Table] = &[
    nothing,   // Null
    int,       // Int
    short,     // FloatingPoint
    nothing,   // Binary
    nothing,   // Utf8
    nothing,   // Bool
    decimal,   // Decimal
    short,     // Date
    time,      // Time
    timestamp, // Timestamp
    short,     // Interval
    nothing,   // List
    nothing,   // Struct_
    union_,    // Union
    width,     // FixedSizeBinary
    width,     // FixedSizeList
    flag,      // Map
    short,     // Duration
    nothing,   // LargeBinary
    nothing,   // LargeUtf8
    nothing,   // LargeList
    nothing,   // RunEndEncoded
    nothing,   // BinaryView
    nothing,   // Utf8View
    nothing,   // ListView
    nothing,   // LargeListView
];

fn nothing() -> &'static [Slot] {
    &[]
}

fn int() -> &'static [Slot] {
    &[Number(4), Number(1)]
}

fn short() -> &'static [Slot] {
    &[Number(2)]
}

fn decimal() -> &'static [Slot] {
    &[Number(4), Number(4), Number(4)]
}

fn time() -> &'static [Slot] {
    &[Number(2), Number(4)]
}

fn timestamp() -> &'static [Slot] {
    &[Number(2), Text]
}

fn union_() -> &'static [Slot] {
    &[Number(2), Numbers(4)]
}

fn width() -> &'static [Slot] {
    &[Number(4)]
}

fn flag() -> &'static [Slot] {
    &[Number(1)]
}
