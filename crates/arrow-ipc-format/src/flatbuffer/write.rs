//! Writes flatbuffers front to back: a table follows its vtable, and what a table refers to follows it.

use arrow_schema::encode_text;

use super::Slot;

/// The length of the reference to the root table, with which a flatbuffer begins.
pub const ROOT_BYTES: usize = 4;

/// Writes bytes at a position. They must fit.
#[inline]
pub fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&value);
}

/// Writes a vtable: its length, the length of its table, and the offset of each field in the table.
#[inline]
pub(crate) fn put_vtable<const N: usize>(bytes: &mut [u8], at: usize, entries: [u16; N]) {
    for (entry_idx, entry) in entries.into_iter().enumerate() {
        put(bytes, at + 2 * entry_idx, entry.to_le_bytes());
    }
}

/// Writes a reference from `at` to the later position `to`. Writes nothing if `to` is `None`, for an absent field.
pub fn put_reference(bytes: &mut [u8], at: usize, to: Option<usize>) {
    if let Some(to) = to {
        put(bytes, at, distance(at, to));
    }
}

/// Encodes a reference as the distance to a later position.
#[inline]
pub fn distance(from: usize, to: usize) -> [u8; 4] {
    word(to - from)
}

/// Encodes the first bytes of a table: the signed distance back to its vtable. The distance is negative if the vtable
/// comes later.
#[inline]
pub fn back(table: usize, vtable: usize) -> [u8; 4] {
    // Modulo 2³², this is the signed distance. The caller checks that the metadata is not too long.
    (table as u32).wrapping_sub(vtable as u32).to_le_bytes()
}

/// Encodes a position in metadata as 32 bits. The caller checks afterwards that the metadata is not too long.
#[inline]
pub fn word(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

/// The length of a string in a flatbuffer: its length field, its bytes and a zero, padded to a multiple of four.
pub fn n_text_bytes(text: &[u8]) -> usize {
    4 + (text.len() + 1).next_multiple_of(4)
}

/// The offsets of the fields in a table. Fields may be absent. A field has eight, four, two or one byte; a struct of
/// sixteen bytes is aligned to eight. A table with a field of eight bytes or more begins four bytes after a multiple of
/// eight.
#[derive(Debug, Clone, Copy)]
pub struct TableLayout<const N: usize> {
    /// The offset of each field from the start of the table; 0 if the field is absent.
    offsets: [u16; N],
    n_bytes: u16,
}

impl<const N: usize> TableLayout<N> {
    /// Computes the layout. `n_part_bytes` are the lengths of the fields in bytes, in the order of the format; 0 if a
    /// field is absent.
    pub fn new(n_part_bytes: [u16; N]) -> TableLayout<N> {
        // A table begins with four bytes, the distance to its vtable.
        let mut offsets = [0; N];
        let mut end = 4;
        for width in [16, 8, 4, 2, 1] {
            for (offset, _) in offsets.iter_mut().zip(n_part_bytes).filter(|(_, n_bytes)| *n_bytes == width) {
                *offset = end;
                end += width;
            }
        }
        TableLayout { offsets, n_bytes: end }
    }

    /// The offset of a field, which must not be absent.
    #[inline]
    pub fn offset_of(&self, part: usize) -> usize {
        usize::from(self.offsets[part])
    }

    /// The length of the table in bytes, with padding.
    pub fn n_table_bytes(&self) -> usize {
        usize::from(self.n_bytes).next_multiple_of(4)
    }

    /// The length of the vtable in bytes, with padding. Absent fields at the end have no entries.
    pub fn n_vtable_bytes(&self) -> usize {
        (4 + 2 * self.n_entries()).next_multiple_of(4)
    }

    fn n_entries(&self) -> usize {
        self.offsets.iter().rposition(|offset| *offset > 0).map_or(0, |last| last + 1)
    }

    /// Writes the vtable.
    pub fn put_vtable(&self, bytes: &mut [u8], at: usize) {
        let n_entries = self.n_entries();
        // A table has few fields, so its length fits in 16 bits.
        put_vtable(bytes, at, [(4 + 2 * n_entries) as u16, self.n_bytes]);
        for (part, offset) in self.offsets[..n_entries].iter().enumerate() {
            put(bytes, at + 4 + 2 * part, offset.to_le_bytes());
        }
    }

    /// Writes a vtable and the first four bytes of its table. Returns the position of the table.
    pub fn put_table(&self, bytes: &mut [u8], at: usize) -> usize {
        self.put_vtable(bytes, at);
        let table = at + self.n_vtable_bytes();
        put(bytes, table, back(table, at));
        table
    }

    /// The length of the vtable and the table in bytes.
    pub fn n_bytes(&self) -> usize {
        self.n_vtable_bytes() + self.n_table_bytes()
    }
}

/// The value of a field of a table.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// A number of one byte.
    I8(i8),
    /// A number of two bytes.
    I16(i16),
    /// A number of four bytes.
    I32(i32),
    /// A number of eight bytes.
    I64(i64),
    /// A truth value.
    Bool(bool),
    /// The tag of a union, whose value is written later: [`FlatbufferWriter::refer_to_union`] fills both in.
    Tag,
    /// A struct of two numbers of eight bytes.
    Struct([u8; 16]),
    /// A table, vector or string, which is written later: [`FlatbufferWriter::refer_from`] fills it in.
    Reference,
}

impl Value {
    /// The number; `None` if this is no number.
    fn number(self) -> Option<i64> {
        Some(match self {
            Value::I8(number) => number.into(),
            Value::I16(number) => number.into(),
            Value::I32(number) => number.into(),
            Value::I64(number) => number,
            Value::Bool(value) => value.into(),
            Value::Tag | Value::Struct(_) | Value::Reference => return None,
        })
    }

    fn n_bytes(self) -> u16 {
        match self {
            Value::I8(_) | Value::Bool(_) | Value::Tag => 1,
            Value::I16(_) => 2,
            Value::I32(_) | Value::Reference => 4,
            Value::I64(_) => 8,
            Value::Struct(_) => 16,
        }
    }
}

/// The most fields that a table of the format has.
const MAX_FIELDS: usize = 8;

/// A table that was written.
#[derive(Debug, Clone, Copy)]
pub struct TableHandle {
    layout: TableLayout<MAX_FIELDS>,
    /// The position of the table.
    pub position: usize,
}

impl TableHandle {
    /// The position of a field, which must not be absent.
    pub fn position_of(&self, slot: &Slot) -> usize {
        self.position + self.layout.offset_of(slot.index)
    }
}

/// The end of a flatbuffer, to which bytes are appended. It begins at the position `start`.
#[derive(Debug)]
pub struct FlatbufferWriter {
    start: usize,
    bytes: Vec<u8>,
}

impl FlatbufferWriter {
    /// `start` is a multiple of four.
    pub fn new_at(start: usize) -> FlatbufferWriter {
        FlatbufferWriter { start, bytes: Vec::new() }
    }

    /// The position of the first byte.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The position after the last byte.
    pub fn end(&self) -> usize {
        self.start + self.bytes.len()
    }

    /// The bytes that were appended.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes that were appended from this position on.
    pub fn bytes_from(&self, position: usize) -> &[u8] {
        self.bytes.get(position - self.start..).unwrap_or_default()
    }

    /// Reserves this number of bytes.
    pub fn reserve(&mut self, n_bytes: usize) {
        self.bytes.reserve(n_bytes);
    }

    /// Removes the bytes from this position on.
    pub fn truncate(&mut self, position: usize) {
        self.bytes.truncate(position - self.start);
    }

    /// Adds zeros up to a multiple of `alignment` plus `after`, then `n_bytes` zeros. Returns the position of the
    /// `n_bytes` zeros.
    pub fn zeros(&mut self, n_bytes: usize, after: usize, alignment: usize) -> usize {
        while self.end() % alignment != after {
            self.bytes.push(0);
        }
        let at = self.end();
        self.bytes.resize(self.bytes.len() + n_bytes, 0);
        at
    }

    /// Writes bytes at a position that was appended before.
    #[inline]
    pub fn put<const N: usize>(&mut self, at: usize, value: [u8; N]) {
        put(&mut self.bytes, at - self.start, value);
    }

    /// Appends bytes.
    pub fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Fills in the reference at a position.
    pub fn refer(&mut self, at: usize, to: usize) {
        self.put(at, distance(at, to));
    }

    /// Fills in the reference in a field of a table.
    pub fn refer_from(&mut self, table: &TableHandle, slot: &Slot, to: usize) {
        self.refer(table.position_of(slot), to);
    }

    /// Fills in a union: the field of its tag with the tag, and the field of its value with the position of its table.
    pub fn refer_to_union(
        &mut self,
        table: &TableHandle,
        (tag_slot, tag): (&Slot, u8),
        (slot, to): (&Slot, usize),
    ) {
        self.put(table.position_of(tag_slot), [tag]);
        self.refer_from(table, slot, to);
    }

    /// Appends a vtable. Returns its position.
    pub fn vtable<const N: usize>(&mut self, layout: &TableLayout<N>) -> usize {
        let at = self.zeros(layout.n_vtable_bytes(), 0, 4);
        layout.put_vtable(&mut self.bytes, at - self.start);
        at
    }

    /// Appends a vtable and a table with these fields. Numbers that are defaults are left out.
    pub fn table(&mut self, fields: &[(Slot, Value)]) -> TableHandle {
        let is_written = |(slot, value): &&(Slot, Value)| value.number() != Some(slot.default);
        let mut n_part_bytes = [0; MAX_FIELDS];
        for (slot, value) in fields.iter().filter(is_written) {
            n_part_bytes[slot.index] = value.n_bytes();
        }
        let layout = TableLayout::new(n_part_bytes);
        let (after, alignment) = if n_part_bytes.iter().any(|n_bytes| *n_bytes >= 8) {
            // The table begins four bytes after a multiple of eight.
            ((layout.n_vtable_bytes() + 4) % 8, 8)
        } else {
            (0, 4)
        };
        let at = self.zeros(layout.n_bytes(), after, alignment);
        let position = layout.put_table(&mut self.bytes, at - self.start) + self.start;
        for (slot, value) in fields.iter().filter(is_written) {
            let at = position + layout.offset_of(slot.index);
            match *value {
                Value::I8(number) => self.put(at, number.to_le_bytes()),
                Value::I16(number) => self.put(at, number.to_le_bytes()),
                Value::I32(number) => self.put(at, number.to_le_bytes()),
                Value::I64(number) => self.put(at, number.to_le_bytes()),
                Value::Bool(value) => self.put(at, [value.into()]),
                Value::Struct(bytes) => self.put(at, bytes),
                Value::Tag | Value::Reference => {}
            }
        }
        TableHandle { layout, position }
    }

    /// Appends a string, [escaped](encode_text) text as the bytes for which it stands. Returns its position.
    pub fn text(&mut self, text: &str) -> usize {
        let text = encode_text(text);
        let at = self.zeros(n_text_bytes(&text), 0, 4);
        self.put(at, word(text.len()));
        let start = at + 4 - self.start;
        self.bytes[start..start + text.len()].copy_from_slice(&text);
        at
    }

    /// Appends a vector of numbers or structs of `N` bytes, which are aligned to eight bytes if that divides `N`. Returns
    /// its position.
    pub fn vector<const N: usize>(&mut self, items: &[[u8; N]]) -> usize {
        let bytes = items.as_flattened();
        self.bytes.reserve(8 + bytes.len());
        // The items follow the length of four bytes.
        let list = if N.is_multiple_of(8) { self.zeros(4, 4, 8) } else { self.zeros(4, 0, 4) };
        self.put(list, word(items.len()));
        self.bytes.extend_from_slice(bytes);
        list
    }

    /// Appends a vector of references, which [`refer`](FlatbufferWriter::refer) fills in. Returns its position; the
    /// references follow its length of four bytes.
    pub fn references(&mut self, n_items: usize) -> usize {
        let list = self.zeros(4 + 4 * n_items, 0, 4);
        self.put(list, word(n_items));
        list
    }

    /// The finished bytes, padded to a multiple of eight.
    pub fn finish(mut self) -> Vec<u8> {
        self.zeros(0, 0, 8);
        self.bytes
    }
}
