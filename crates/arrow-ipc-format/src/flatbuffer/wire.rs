//! Reads and writes parts of flatbuffers without the generated accessors.

use std::ops::Range;

use planus::{
    Error, SliceWithStartOffset, TableRead,
    errors::{ErrorKind, ErrorLocation},
    table_reader::Table,
};

use crate::error::{FormatErrorKind, Result};

/// The result of reading a value from a table. The error has no position.
pub type TableResult<T> = std::result::Result<T, ErrorKind>;

/// The length of the reference to the root table, with which a flatbuffer begins.
pub const ROOT_BYTES: usize = 4;

/// Writes the bytes of a value at an offset.
pub fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&value);
}

/// Writes a vtable: its length, the length of its table, and the offset of each field in the table.
pub fn put_vtable<const N: usize>(bytes: &mut [u8], at: usize, entries: [u16; N]) {
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
pub fn distance(from: usize, to: usize) -> [u8; 4] {
    word(to - from)
}

/// Encodes the first bytes of a table: the signed distance back to its vtable. The distance is negative if the vtable
/// comes later.
pub fn back(table: usize, vtable: usize) -> [u8; 4] {
    // Modulo 2³², this is the signed distance. The caller checks that the metadata is not too long.
    (table as u32).wrapping_sub(vtable as u32).to_le_bytes()
}

/// Encodes a position in metadata as 32 bits. The caller checks afterwards that the metadata is not too long.
pub fn word(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

/// The length of a string in a flatbuffer: its length field, its bytes and a zero, padded to a multiple of four.
pub fn n_text_bytes(text: &str) -> usize {
    4 + (text.len() + 1).next_multiple_of(4)
}

/// The offsets of the fields in a table. Fields may be absent. A field has eight, four, two or one byte. A table with a
/// field of eight bytes begins four bytes after a multiple of eight.
#[derive(Debug, Clone, Copy)]
pub struct TableLayout<const N: usize> {
    /// The offset of each field from the start of the table; 0 if the field is absent.
    places: [u16; N],
    n_bytes: u16,
}

impl<const N: usize> TableLayout<N> {
    /// Computes the layout. `n_part_bytes` are the lengths of the fields in bytes, in the order of the format; 0 if a
    /// field is absent.
    pub fn of(n_part_bytes: [u16; N]) -> TableLayout<N> {
        // A table begins with four bytes, the distance to its vtable.
        let (mut places, mut end) = ([0; N], 4);
        for width in [8, 4, 2, 1] {
            for (place, _) in places.iter_mut().zip(n_part_bytes).filter(|(_, n_bytes)| *n_bytes == width) {
                *place = end;
                end += width;
            }
        }
        TableLayout { places, n_bytes: end }
    }

    /// The offset of a field, which must not be absent.
    pub fn place(&self, part: usize) -> usize {
        usize::from(self.places[part])
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
        self.places.iter().rposition(|place| *place > 0).map_or(0, |last| last + 1)
    }

    /// Writes the vtable.
    pub fn put_vtable(&self, bytes: &mut [u8], at: usize) {
        let n_entries = self.n_entries();
        // A table has few fields, so its length fits in 16 bits.
        put_vtable(bytes, at, [(4 + 2 * n_entries) as u16, self.n_bytes]);
        for (part, place) in self.places[..n_entries].iter().enumerate() {
            put(bytes, at + 4 + 2 * part, place.to_le_bytes());
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

/// Returns the value of a field, or an error if the field is absent.
pub fn required<T>(value: Option<T>, what: &'static str) -> Result<T> {
    value.ok_or_else(|| FormatErrorKind::Missing { what }.into())
}

/// Converts a length or count, which the format stores as a signed number. A negative number is an error.
pub fn not_negative(found: i64, what: &'static str) -> Result<u64> {
    u64::try_from(found).map_err(|_| FormatErrorKind::Negative { what, found }.into())
}

/// Finds the root table of metadata without the generated accessors. `type_` is the name of the table type in the
/// generated accessors, for errors.
pub fn root_table<'a>(bytes: &'a [u8], type_: &'static str) -> planus::Result<Table<'a>> {
    let bytes = SliceWithStartOffset { buffer: bytes, offset_from_start: 0 };
    Table::from_buffer(bytes, 0).map_err(|error_kind| located(error_kind, type_, "read_as_root", 0))
}

/// Makes the error that the generated accessors return for a table of this type at `byte_offset`.
#[cold]
pub fn located(
    error_kind: ErrorKind,
    type_: &'static str,
    method: &'static str,
    byte_offset: usize,
) -> Error {
    Error { source_location: ErrorLocation { type_, method, byte_offset }, error_kind }
}

/// The position of a field, whose value is read later.
#[derive(Debug, Clone, Copy)]
pub struct ValuePlace {
    /// The position of the table that has the field.
    table: u32,
    /// The offset of the value from the start of the table.
    offset: u32,
}

impl ValuePlace {
    /// Reads the value. `bytes` must be the bytes in which the field was found. `type_` is the name of the table type,
    /// and `method` the name of the field, for errors.
    pub fn read<'a, T: TableRead<'a>>(
        self,
        bytes: &'a [u8],
        type_: &'static str,
        method: &'static str,
    ) -> planus::Result<T> {
        let (table, offset) = (self.table as usize, self.offset as usize);
        let object = SliceWithStartOffset { buffer: bytes, offset_from_start: 0 }.advance(table);
        let value = object.and_then(|object| T::from_buffer(object, offset));
        value.map_err(|error_kind| located(error_kind, type_, method, table))
    }
}

impl TableRead<'_> for ValuePlace {
    fn from_buffer(bytes: SliceWithStartOffset<'_>, offset: usize) -> TableResult<ValuePlace> {
        let number = |place: usize| u32::try_from(place).map_err(|_| ErrorKind::InvalidOffset);
        Ok(ValuePlace { table: number(bytes.offset_from_start)?, offset: number(offset)? })
    }
}

/// A table that is read without the generated accessors.
#[derive(Debug, Clone, Copy)]
pub struct WireTable<'a>(pub Table<'a>);

impl<'a> TableRead<'a> for WireTable<'a> {
    #[inline]
    fn from_buffer(bytes: SliceWithStartOffset<'a>, offset: usize) -> TableResult<WireTable<'a>> {
        Table::from_buffer(bytes, offset).map(WireTable)
    }
}

/// The position of a vector of numbers or structs of `N` bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListPlace<const N: usize> {
    /// The position of the first item.
    start: u32,
    n_items: u32,
}

impl<const N: usize> ListPlace<N> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.n_items as usize
    }

    /// The range of all items, in the bytes in which the list was found.
    pub fn range(&self) -> Range<usize> {
        // No overflow: all items lie in these bytes, which are in memory.
        self.start as usize..self.start as usize + self.len() * N
    }

    /// Returns one item, or `None` if out of bounds. `bytes` must be the bytes in which the list was found.
    #[inline]
    pub fn get<'a>(&self, bytes: &'a [u8], idx: usize) -> Option<&'a [u8; N]> {
        if idx >= self.len() {
            return None;
        }
        // No overflow: all items lie in these bytes, which are in memory.
        bytes.get(self.start as usize + idx * N..)?.first_chunk()
    }
}

impl<const N: usize> TableRead<'_> for ListPlace<N> {
    #[inline]
    fn from_buffer(bytes: SliceWithStartOffset<'_>, offset: usize) -> TableResult<ListPlace<N>> {
        let distance = u32::from_buffer(bytes, offset)? as usize;
        let list = bytes.advance(offset.checked_add(distance).ok_or(ErrorKind::InvalidOffset)?)?;
        let n_items = u32::from_buffer(list, 0)?;
        // A vector begins with the number of its items.
        let first = list.advance(size_of::<u32>())?;
        if n_items as usize > first.as_slice().len() / N {
            return Err(ErrorKind::InvalidLength);
        }
        let start = u32::try_from(first.offset_from_start).map_err(|_| ErrorKind::InvalidOffset)?;
        Ok(ListPlace { start, n_items })
    }
}

impl ListPlace<4> {
    /// The positions of the tables in a vector of references.
    pub fn tables(self) -> impl Iterator<Item = ValuePlace> {
        // No overflow: all items lie in metadata, whose length is a number of 32 bits.
        (0..self.n_items).map(move |idx| ValuePlace { table: self.start, offset: 4 * idx })
    }
}

#[inline]
/// The two numbers of a struct of 16 bytes.
pub fn two_numbers(item: &[u8; 16]) -> (i64, i64) {
    let (numbers, _) = item.as_chunks();
    let number = |idx: usize| i64::from_le_bytes(numbers.get(idx).copied().unwrap_or_default());
    (number(0), number(1))
}
