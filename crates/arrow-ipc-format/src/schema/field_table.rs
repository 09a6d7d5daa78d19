//! Reads the tables of fields without the generated accessors. Tables often share a vtable, so it is read once.
//!
//! The generated accessors follow several references for each field of a table, which is slow for wide schemas. This
//! code returns the same errors for invalid data: a test compares both.

use crate::flatbuf as fb;
use planus::{
    Error, SliceWithStartOffset, TableRead, TableReadUnion, Vector, errors::ErrorKind, table_reader::Table,
};

use crate::flatbuffer::{TableResult, located, root_table};

/// The table of a schema. Its list of fields is read without the generated accessors.
#[derive(Clone, Copy)]
pub struct SchemaTable<'a> {
    generated: fb::SchemaRef<'a>,
    table: Table<'a>,
}

impl<'a> SchemaTable<'a> {
    /// The schema in a footer.
    pub fn of_footer(footer: &'a [u8]) -> planus::Result<Option<SchemaTable<'a>>> {
        root_table(footer, "[FooterRef]")?.access(1, "Footer", "schema")
    }

    /// The generated accessors, for everything except the list of fields.
    pub(super) fn generated(&self) -> fb::SchemaRef<'a> {
        self.generated
    }

    pub(super) fn fields(&self) -> planus::Result<Option<FieldList<'a>>> {
        self.table.access(1, "Schema", "fields")
    }
}

impl<'a> TableRead<'a> for SchemaTable<'a> {
    fn from_buffer(bytes: SliceWithStartOffset<'a>, offset: usize) -> TableResult<SchemaTable<'a>> {
        let generated = fb::SchemaRef::from_buffer(bytes, offset)?;
        Ok(SchemaTable { generated, table: Table::from_buffer(bytes, offset)? })
    }
}

/// The fields of a schema, or the children of a field.
#[derive(Clone, Copy)]
pub(super) struct FieldList<'a> {
    /// The bytes of the metadata, from some position before the list to the end of the metadata. `start` counts from
    /// this position.
    bytes: SliceWithStartOffset<'a>,
    start: usize,
    n_fields: usize,
}

impl<'a> TableRead<'a> for FieldList<'a> {
    fn from_buffer(bytes: SliceWithStartOffset<'a>, offset: usize) -> TableResult<FieldList<'a>> {
        FieldList::find(bytes, offset)
    }
}

impl<'a> FieldList<'a> {
    const ENTRY_BYTES: usize = 4;

    #[inline]
    fn find(bytes: SliceWithStartOffset<'a>, place: usize) -> TableResult<FieldList<'a>> {
        let (start, n_fields) = counted(bytes.buffer, place)?;
        let n_bytes = n_fields.checked_mul(FieldList::ENTRY_BYTES);
        let end = n_bytes.and_then(|n_bytes| start.checked_add(n_bytes)).ok_or(ErrorKind::InvalidLength)?;
        if end > bytes.buffer.len() {
            return Err(ErrorKind::InvalidLength);
        }
        Ok(FieldList { bytes, start, n_fields })
    }

    pub(super) fn len(&self) -> usize {
        self.n_fields
    }

    /// Reads a field. `idx` must be less than [`len`](FieldList::len).
    #[inline]
    pub(super) fn field(&self, idx: usize, known: &mut KnownVtable) -> planus::Result<FieldTable<'a>> {
        // No overflow: all entries of the list are in memory.
        let entry = self.start + idx * FieldList::ENTRY_BYTES;
        FieldTable::find(self.bytes, entry, known)
            .map_err(|kind| located(kind, "[FieldRef]", "get", self.bytes.offset_from_start + entry))
    }
}

/// The vtable that was read last. Consecutive tables with the same fields share it.
#[derive(Debug, Default)]
pub(super) struct KnownVtable {
    /// The vtable and its position in the metadata.
    last: Option<(usize, Vtable)>,
}

/// The offsets of the fields in a table; 0 if the field is absent.
#[derive(Debug, Clone, Copy)]
struct Vtable {
    n_bytes: u16,
    name: u16,
    nullable: u16,
    type_tag: u16,
    type_: u16,
    dictionary: u16,
    children: u16,
    custom_metadata: u16,
}

impl Vtable {
    fn read(bytes: &[u8], place: usize) -> TableResult<Vtable> {
        let n_bytes = u16::from_le_bytes(array(bytes, place)?);
        if n_bytes < 4 || n_bytes % 2 != 0 {
            return Err(ErrorKind::InvalidVtableLength { length: n_bytes });
        }
        let vtable = bytes.get(place..).and_then(|bytes| bytes.get(..usize::from(n_bytes)));
        let vtable = vtable.ok_or(ErrorKind::InvalidLength)?;
        // The vtable begins with its own length and the length of the table, two bytes each.
        let part = |idx: usize| array(vtable, 4 + 2 * idx).map_or(0, u16::from_le_bytes);
        Ok(Vtable {
            n_bytes,
            name: part(0),
            nullable: part(1),
            type_tag: part(2),
            type_: part(3),
            dictionary: part(4),
            children: part(5),
            custom_metadata: part(6),
        })
    }
}

#[derive(Clone, Copy)]
pub(super) struct FieldTable<'a> {
    bytes: SliceWithStartOffset<'a>,
    start: usize,
    vtable: Vtable,
}

/// The tag of a type, and where its table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TypePlace {
    pub(super) tag: u8,
    /// The position of the type's table in the metadata.
    pub(super) table: usize,
    /// The position of the field's table in the metadata.
    pub(super) field: usize,
}

/// The type of a field. `bytes` is the flatbuffer of the field.
pub(super) fn type_of_root(bytes: &[u8]) -> planus::Result<Option<TypePlace>> {
    let bytes = SliceWithStartOffset { buffer: bytes, offset_from_start: 0 };
    let field = FieldTable::find(bytes, 0, &mut KnownVtable::default());
    field.map_err(|kind| located(kind, "[FieldRef]", "read_as_root", 0))?.type_place()
}

impl<'a> FieldTable<'a> {
    #[inline]
    fn find(
        bytes: SliceWithStartOffset<'a>,
        entry: usize,
        known: &mut KnownVtable,
    ) -> TableResult<FieldTable<'a>> {
        let start = follow(bytes.buffer, entry)?;
        let back = i32::from_le_bytes(array(bytes.buffer, start)?);
        let vtable = i64::try_from(start).ok().and_then(|start| start.checked_sub(back.into()));
        let vtable = vtable.and_then(|vtable| usize::try_from(vtable).ok());
        // The generated accessors refuse a vtable before the entry, so this code does, too.
        let place = vtable.filter(|vtable| *vtable >= entry).ok_or(ErrorKind::InvalidOffset)?;
        let key = bytes.offset_from_start + place;
        let vtable = match &known.last {
            Some((last, vtable)) if *last == key => *vtable,
            _ => {
                let vtable = Vtable::read(bytes.buffer, place)?;
                known.last = Some((key, vtable));
                vtable
            }
        };
        Ok(FieldTable { bytes, start, vtable })
    }

    fn error(&self, kind: ErrorKind, method: &'static str) -> Error {
        located(kind, "Field", method, self.bytes.offset_from_start + self.start)
    }

    /// The name; empty if absent.
    pub(super) fn name(&self) -> planus::Result<&'a str> {
        let name = std::str::from_utf8(self.name_bytes()?);
        name.map_err(|source| self.error(ErrorKind::InvalidUtf8 { source }, "name"))
    }

    /// The bytes of the name, which need not be UTF-8.
    #[inline]
    pub(super) fn name_bytes(&self) -> planus::Result<&'a [u8]> {
        match self.vtable.name {
            0 => Ok(&[]),
            place => self.text(place).map_err(|kind| self.error(kind, "name")),
        }
    }

    #[inline]
    fn text(&self, place: u16) -> TableResult<&'a [u8]> {
        let bytes = self.bytes.buffer;
        let (start, n_bytes) = counted(bytes, self.start + usize::from(place))?;
        let text = bytes.get(start..).and_then(|bytes| bytes.get(..n_bytes));
        text.ok_or(ErrorKind::InvalidLength)
    }

    #[inline]
    pub(super) fn is_nullable(&self) -> planus::Result<bool> {
        match self.vtable.nullable {
            0 => Ok(false),
            place => self.byte(place).map(|byte| byte != 0).map_err(|kind| self.error(kind, "nullable")),
        }
    }

    #[inline]
    fn byte(&self, place: u16) -> TableResult<u8> {
        let [byte] = array(self.bytes.buffer, self.start + usize::from(place))?;
        Ok(byte)
    }

    /// Where the type is; `None` if the field has no type.
    #[inline]
    pub(super) fn type_place(&self) -> planus::Result<Option<TypePlace>> {
        /// The length of a vtable that ends with the offset of the type's tag.
        const UP_TO_TAG: u16 = 4 + 3 * 2;
        let Vtable { n_bytes, type_tag, type_, .. } = self.vtable;
        if n_bytes < UP_TO_TAG {
            return Ok(None);
        }
        if n_bytes == UP_TO_TAG {
            return Err(self.error(ErrorKind::InvalidVtableLength { length: n_bytes }, "type_"));
        }
        let tag = self.byte(type_tag).map_err(|kind| self.error(kind, "type_"))?;
        if type_tag == 0 || type_ == 0 || tag == 0 {
            return Ok(None);
        }
        // An unknown type is reported before an error in its table.
        let table = follow(self.bytes.buffer, self.start + usize::from(type_)).unwrap_or(usize::MAX);
        let base = self.bytes.offset_from_start;
        Ok(Some(TypePlace { tag, table: base.saturating_add(table), field: base + self.start }))
    }

    pub(super) fn type_at(&self, place: TypePlace) -> planus::Result<fb::TypeRef<'a>> {
        let offset = usize::from(self.vtable.type_);
        let found = self.object().and_then(|object| fb::TypeRef::from_buffer(object, place.tag, offset));
        found.map_err(|kind| self.error(kind, "type_"))
    }

    /// The last position of a field that may refer to this type: before the table and the vtable of the type, since
    /// references lead forward.
    pub(super) fn last_that_sees(&self, place: TypePlace) -> usize {
        let vtable = || {
            let table = place.table.checked_sub(self.bytes.offset_from_start)?;
            let back = i32::from_le_bytes(array(self.bytes.buffer, table).ok()?);
            let vtable = i64::try_from(place.table).ok()?.checked_sub(back.into())?;
            usize::try_from(vtable).ok()
        };
        vtable().map_or(place.field, |vtable| place.field.max(vtable.min(place.table)))
    }

    pub(super) fn dictionary(&self) -> planus::Result<Option<fb::DictionaryEncodingRef<'a>>> {
        self.generated(self.vtable.dictionary, "dictionary")
    }

    #[inline]
    pub(super) fn children(&self) -> planus::Result<Option<FieldList<'a>>> {
        match self.vtable.children {
            0 => Ok(None),
            place => FieldList::find(self.bytes, self.start + usize::from(place))
                .map(Some)
                .map_err(|kind| self.error(kind, "children")),
        }
    }

    pub(super) fn custom_metadata(
        &self,
    ) -> planus::Result<Option<Vector<'a, planus::Result<fb::KeyValueRef<'a>>>>> {
        self.generated(self.vtable.custom_metadata, "custom_metadata")
    }

    /// Reads a field with the generated accessors; `None` if it is absent.
    #[inline]
    fn generated<T: TableRead<'a>>(&self, place: u16, method: &'static str) -> planus::Result<Option<T>> {
        if place == 0 {
            return Ok(None);
        }
        let found = self.object().and_then(|object| T::from_buffer(object, usize::from(place)));
        found.map(Some).map_err(|kind| self.error(kind, method))
    }

    /// The metadata from the start of this table.
    fn object(&self) -> TableResult<SliceWithStartOffset<'a>> {
        self.bytes.advance(self.start)
    }
}

/// The target of the reference at `place`.
#[inline]
fn follow(bytes: &[u8], place: usize) -> TableResult<usize> {
    let distance = u32::from_le_bytes(array(bytes, place)?);
    let distance = usize::try_from(distance).map_err(|_| ErrorKind::InvalidOffset)?;
    let found = place.checked_add(distance).filter(|found| *found <= bytes.len());
    found.ok_or(ErrorKind::InvalidOffset)
}

/// The target of the reference at `place`, a vector or text: the position after its length field, and its length.
#[inline]
fn counted(bytes: &[u8], place: usize) -> TableResult<(usize, usize)> {
    let found = follow(bytes, place)?;
    let n = u32::from_le_bytes(array(bytes, found)?);
    // No overflow: the four bytes of the length have been read.
    Ok((found + 4, usize::try_from(n).map_err(|_| ErrorKind::InvalidLength)?))
}

#[inline]
fn array<const N: usize>(bytes: &[u8], place: usize) -> TableResult<[u8; N]> {
    let found = bytes.get(place..).and_then(|bytes| bytes.first_chunk::<N>());
    found.copied().ok_or(ErrorKind::InvalidOffset)
}
