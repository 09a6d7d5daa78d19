//! Reads tables and their fields without copies. Every access is checked: damaged bytes cause errors, never panics.
//!
//! There is no check up front, and no limit: several references may lead to the same table, so a small flatbuffer can
//! describe a huge tree. Code that descends through tables has to count the depth and the fields.

use std::borrow::Cow;

use arrow_schema::decode_text;

use super::{FlatbufferCause as Cause, FlatbufferError as Error, Tables, Vector};

/// The result of reading a table or field.
pub type Result<T> = std::result::Result<T, Error>;

/// The result of an access whose table and field the caller knows.
pub(super) type AccessResult<T> = std::result::Result<T, Cause>;

/// A field of a table: the names of both in the flatbuffer schema of the format, and the index of its entry in vtables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The name of the table.
    pub table: &'static str,
    /// The name of the field.
    pub field: &'static str,
    /// The index in the vtable. The tag of a union precedes its value.
    pub index: usize,
    /// The number that an absent field means; 0 if the field is no number.
    pub default: i64,
}

/// A value that is stored in place: a number or a struct.
pub trait InlineValue: Copy {
    /// The length in bytes.
    const N_BYTES: usize;

    /// Reads the value at this position; `None` if it is out of bounds.
    fn read(bytes: &[u8], at: usize) -> Option<Self>;
}

/// An enumeration, stored as a number.
pub trait Enumeration: Copy {
    /// The type of the number.
    type Number: InlineValue + Into<i64>;

    /// The member with this number; `None` if there is none.
    fn from_number(number: Self::Number) -> Option<Self>;
}

/// The tables of one type.
pub trait TypedTable<'a>: Copy {
    /// The name in the flatbuffer schema of the format.
    const TABLE: &'static str;

    /// Makes the typed table. The type is not checked: a flatbuffer does not contain it.
    fn from_table(table: Table<'a>) -> Self;

    /// The table with which a flatbuffer begins.
    ///
    /// # Errors
    /// If the table or its vtable is out of bounds.
    #[inline]
    fn root(bytes: &'a [u8]) -> Result<Self> {
        let table = Table::follow(bytes, 0).map_err(|cause| Error::in_root(Self::TABLE, cause))?;
        Ok(Self::from_table(table))
    }
}

impl<'a> TypedTable<'a> for Table<'a> {
    const TABLE: &'static str = "table";

    #[inline]
    fn from_table(table: Table<'a>) -> Table<'a> {
        table
    }
}

/// A union, whose value is a table of one of several types.
pub trait Union<'a>: Sized {
    /// The type of the tag.
    type Tag: Enumeration<Number = u8>;

    /// Makes the member with this tag.
    fn from_table(tag: Self::Tag, table: Table<'a>) -> Self;
}

/// A table of any type.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    /// The whole flatbuffer.
    bytes: &'a [u8],
    start: usize,
    /// The vtable without its first four bytes: for each field its offset from `start`, in two bytes. The offset is 0 if
    /// the field is absent.
    offsets: &'a [u8],
}

impl<'a> Table<'a> {
    /// The table to which the reference at `position` leads.
    #[inline]
    pub(super) fn follow(bytes: &'a [u8], position: usize) -> AccessResult<Table<'a>> {
        Table::starting_at(bytes, target(bytes, position)?)
    }

    #[inline]
    fn starting_at(bytes: &'a [u8], start: usize) -> AccessResult<Table<'a>> {
        let back = read::<i32>(bytes, start)?;
        let vtable = i64::try_from(start).ok().and_then(|start| start.checked_sub(back.into()));
        let vtable = vtable.and_then(|vtable| usize::try_from(vtable).ok()).ok_or(Cause::Offset)?;
        let n_bytes = read::<u16>(bytes, vtable)?;
        if n_bytes < 4 || n_bytes % 2 != 0 {
            return Err(Cause::Vtable { n_bytes });
        }
        let vtable = bytes.get(vtable..).and_then(|bytes| bytes.get(4..usize::from(n_bytes)));
        Ok(Table { bytes, start, offsets: vtable.ok_or(Cause::Length)? })
    }

    /// The table at a [`position`](Table::position) that was found in a field of the same flatbuffer.
    ///
    /// # Errors
    /// If the table or its vtable is out of bounds.
    #[inline]
    pub fn at(bytes: &'a [u8], position: usize, slot: &'static Slot) -> Result<Table<'a>> {
        Table::starting_at(bytes, position).map_err(|cause| Error::in_field(slot, position, cause))
    }

    /// The position in the flatbuffer.
    pub fn position(&self) -> usize {
        self.start
    }

    /// The position of a field; `None` if the field is absent.
    #[inline]
    pub(crate) fn position_of(&self, index: usize) -> Option<usize> {
        let offset = u16::read(self.offsets, 2 * index)?;
        // No overflow: the start of the table is inside bytes in memory, which are no more than `isize::MAX`.
        (offset > 0).then(|| self.start + usize::from(offset))
    }

    #[cold]
    fn error(&self, slot: &'static Slot, cause: Cause) -> Error {
        Error::in_field(slot, self.start, cause)
    }

    /// Reads a field that is not absent.
    #[inline]
    fn access<T>(
        &self,
        slot: &'static Slot,
        read: impl FnOnce(&'a [u8], usize) -> AccessResult<T>,
    ) -> Result<Option<T>> {
        match self.position_of(slot.index) {
            None => Ok(None),
            Some(position) => read(self.bytes, position).map(Some).map_err(|cause| self.error(slot, cause)),
        }
    }

    /// The value of a required field.
    ///
    /// # Errors
    /// If the field is absent.
    #[inline]
    pub fn required<T>(&self, slot: &'static Slot, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| self.error(slot, Cause::Absent))
    }

    /// A number, or its default.
    ///
    /// # Errors
    /// If the field is out of bounds.
    #[inline]
    pub fn number<T: InlineValue>(&self, slot: &'static Slot, default: T) -> Result<T> {
        Ok(self.inline(slot)?.unwrap_or(default))
    }

    /// A number or struct; `None` if it is absent.
    ///
    /// # Errors
    /// If the field is out of bounds.
    #[inline]
    pub fn inline<T: InlineValue>(&self, slot: &'static Slot) -> Result<Option<T>> {
        self.access(slot, read)
    }

    /// A member of an enumeration, or the default.
    ///
    /// # Errors
    /// If the field is out of bounds, or no member has the number.
    #[inline]
    pub fn enumeration<T: Enumeration>(&self, slot: &'static Slot, default: T) -> Result<T> {
        let Some(number) = self.inline::<T::Number>(slot)? else { return Ok(default) };
        let unknown = || self.error(slot, Cause::Enumeration { found: number.into() });
        T::from_number(number).ok_or_else(unknown)
    }

    /// A string; `None` if it is absent. What is not UTF-8 is [escaped](decode_text).
    ///
    /// # Errors
    /// If the string is out of bounds.
    #[inline]
    pub fn text(&self, slot: &'static Slot) -> Result<Option<Cow<'a, str>>> {
        self.access(slot, |bytes, position| Ok(decode_text(string(bytes, position)?)))
    }

    /// The bytes of a string, which need not be UTF-8; empty if the string is absent.
    ///
    /// # Errors
    /// If the field is out of bounds.
    #[inline]
    pub fn text_bytes(&self, slot: &'static Slot) -> Result<&'a [u8]> {
        Ok(self.access(slot, string)?.unwrap_or_default())
    }

    /// The position of what a field refers to: a table, vector or string; `None` if the field is absent.
    ///
    /// # Errors
    /// If the field is out of bounds. The target is not checked.
    #[inline]
    pub fn target(&self, slot: &'static Slot) -> Result<Option<usize>> {
        self.access(slot, target)
    }

    /// A table; `None` if it is absent.
    ///
    /// # Errors
    /// If the field, the table or its vtable is out of bounds.
    #[inline]
    pub fn table<T: TypedTable<'a>>(&self, slot: &'static Slot) -> Result<Option<T>> {
        Ok(self.access(slot, Table::follow)?.map(T::from_table))
    }

    /// A vector of numbers or structs; `None` if it is absent.
    ///
    /// # Errors
    /// If the vector is out of bounds.
    #[inline]
    pub fn vector<T: InlineValue>(&self, slot: &'static Slot) -> Result<Option<Vector<'a, T>>> {
        self.access(slot, Vector::find)
    }

    /// A vector of tables; `None` if it is absent.
    ///
    /// # Errors
    /// If the vector is out of bounds. Its tables are checked when they are read.
    #[inline]
    pub fn tables<T: TypedTable<'a>>(&self, slot: &'static Slot) -> Result<Option<Tables<'a, T>>> {
        self.access(slot, Tables::find)
    }

    /// The tag of a union; `None` if the union is absent.
    ///
    /// # Errors
    /// If the field is out of bounds, or the union has no such member.
    #[inline]
    pub fn tag<T: Enumeration<Number = u8>>(&self, slot: &'static Slot) -> Result<Option<T>> {
        match self.number(slot, 0)? {
            0 => Ok(None),
            tag => T::from_number(tag).map(Some).ok_or_else(|| self.error(slot, Cause::Union { tag })),
        }
    }

    /// The value of a union; `None` if the union is absent.
    ///
    /// # Errors
    /// If the value is absent although there is a tag. If the value, its table or its vtable is out of bounds.
    #[inline]
    pub fn union<T: Union<'a>>(&self, slot: &'static Slot, tag: Option<T::Tag>) -> Result<Option<T>> {
        let Some(tag) = tag else { return Ok(None) };
        let table = self.access(slot, Table::follow)?;
        let table = table.ok_or_else(|| self.error(slot, Cause::UnionWithoutValue))?;
        Ok(Some(T::from_table(tag, table)))
    }
}

#[inline]
pub(super) fn read<T: InlineValue>(bytes: &[u8], at: usize) -> AccessResult<T> {
    T::read(bytes, at).ok_or(Cause::Offset)
}

/// The position to which the reference at `position` leads.
#[inline]
fn target(bytes: &[u8], position: usize) -> AccessResult<usize> {
    let distance = usize::try_from(read::<u32>(bytes, position)?).map_err(|_| Cause::Offset)?;
    position.checked_add(distance).ok_or(Cause::Offset)
}

/// The number of items of the vector or string to which the reference at `position` leads, and the position of the first
/// one.
#[inline]
pub(super) fn counted_items(bytes: &[u8], position: usize) -> AccessResult<(usize, u32)> {
    let start = target(bytes, position)?;
    let n_items = read::<u32>(bytes, start)?;
    // No overflow: the four bytes of the number have been read.
    Ok((start + 4, n_items))
}

/// The string to which the reference at `position` leads. The zero byte after it is not needed.
#[inline]
fn string(bytes: &[u8], position: usize) -> AccessResult<&[u8]> {
    let (start, n_bytes) = counted_items(bytes, position)?;
    let n_bytes = usize::try_from(n_bytes).map_err(|_| Cause::Length)?;
    let text = bytes.get(start..).and_then(|bytes| bytes.get(..n_bytes));
    text.ok_or(Cause::Length)
}

/// Implements [`TypedTable`] for a struct around a [`Table`].
macro_rules! typed_table {
    ($table:ident, $name:literal) => {
        impl<'a> $crate::flatbuffer::TypedTable<'a> for $table<'a> {
            const TABLE: &'static str = $name;

            #[inline]
            fn from_table(table: Table<'a>) -> $table<'a> {
                $table(table)
            }
        }
    };
}

/// Implements [`Enumeration`] for an enum with numbers.
macro_rules! enumeration {
    ($enum:ident: $number:ident { $($member:ident),* }) => {
        impl $crate::flatbuffer::Enumeration for $enum {
            type Number = $number;

            #[inline]
            fn from_number(number: $number) -> Option<$enum> {
                [$($enum::$member),*].into_iter().find(|member| *member as $number == number)
            }
        }
    };
}

pub(crate) use {enumeration, typed_table};

/// `N` bytes of a struct.
#[inline]
pub(crate) fn part<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or([0; N])
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl InlineValue for $number {
            const N_BYTES: usize = size_of::<$number>();

            #[inline]
            fn read(bytes: &[u8], at: usize) -> Option<$number> {
                Some(<$number>::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
            }
        }
    )*};
}

numbers!(u8, u16, u32, i8, i16, i32, i64);

impl InlineValue for bool {
    const N_BYTES: usize = 1;

    #[inline]
    fn read(bytes: &[u8], at: usize) -> Option<bool> {
        Some(*bytes.get(at)? != 0)
    }
}
