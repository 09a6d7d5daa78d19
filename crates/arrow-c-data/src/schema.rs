//! `ArrowSchema`: a type, a field or a schema.

mod export;
mod import;

pub(crate) use self::import::MAX_FIELDS;

use self::export::{Label, try_export};
use self::import::SchemaWalk;

use std::ffi::{CStr, c_char, c_void};

use arrow_schema::{DataType, Field, Metadata, Schema};

use crate::error::{CDataError, CDataErrorKind as Kind, Structure};
use crate::metadata;
use crate::raw::{CStructure, Pointer, ReleaseCallback, movable, released, tree};

/// A type with its name, flags and metadata, as the C data interface describes it. A schema is a struct of its fields.
///
/// Every value follows [the contract](crate#the-contract): this crate has made the value, or the caller of
/// [`from_raw`](ArrowSchema::from_raw) has promised this. A value is released when it is dropped.
///
/// ```
/// use arrow_c_data::ArrowSchema;
/// use arrow_schema::{DataType, Field};
///
/// let field = Field::new("tags", DataType::list(Field::new("item", DataType::Utf8))).required();
/// let exported = ArrowSchema::try_from_field(&field)?;
/// assert_eq!(exported.to_field()?, field);
/// # Ok::<(), arrow_c_data::CDataError>(())
/// ```
///
/// Specification: "The ArrowSchema structure".
#[repr(C)]
pub struct ArrowSchema {
    format: Pointer<c_char>,
    name: Pointer<c_char>,
    metadata: Pointer<c_char>,
    flags: i64,
    n_children: i64,
    children: Pointer<Pointer<ArrowSchema>>,
    dictionary: Pointer<ArrowSchema>,
    release: Option<ReleaseCallback<ArrowSchema>>,
    private_data: Pointer<c_void>,
}

const FLAG_DICTIONARY_ORDERED: i64 = 1;
const FLAG_NULLABLE: i64 = 2;
const FLAG_MAP_KEYS_SORTED: i64 = 4;

movable!(
    ArrowSchema,
    ArrowSchema {
        format: Pointer::null(),
        name: Pointer::null(),
        metadata: Pointer::null(),
        flags: 0,
        n_children: 0,
        children: Pointer::null(),
        dictionary: Pointer::null(),
        release: None,
        private_data: Pointer::null(),
    }
);

released!({} ArrowSchema, Structure::ArrowSchema);
tree!(ArrowSchema);

/// The members of the structure that are C strings.
#[derive(Debug, Clone, Copy)]
enum StringMember {
    Format,
    Name,
}

impl ArrowSchema {
    /// Describes a type, as a nullable field without a name.
    ///
    /// # Errors
    /// If a name or a time zone contains a NUL, or if metadata has more than 2³¹ − 1 bytes.
    pub fn try_from_data_type(data_type: &DataType) -> Result<ArrowSchema, CDataError> {
        try_export(data_type, &Label { name: "", flags: FLAG_NULLABLE, metadata: &Metadata::new() })
    }

    /// Describes a field, with its metadata.
    ///
    /// # Errors
    /// The errors of [`try_from_data_type`](ArrowSchema::try_from_data_type).
    pub fn try_from_field(field: &Field) -> Result<ArrowSchema, CDataError> {
        let flags = if field.is_nullable() { FLAG_NULLABLE } else { 0 };
        try_export(field.data_type(), &Label { name: field.name(), flags, metadata: field.metadata() })
    }

    /// Describes a schema: a struct of its fields, with its metadata.
    ///
    /// # Errors
    /// The errors of [`try_from_data_type`](ArrowSchema::try_from_data_type).
    pub fn try_from_schema(schema: &Schema) -> Result<ArrowSchema, CDataError> {
        let struct_ = DataType::Struct(schema.shared_fields().clone());
        try_export(&struct_, &Label { name: "", flags: 0, metadata: schema.metadata() })
    }

    /// The type that the structure describes.
    ///
    /// # Errors
    /// If the structure is released, or has a value that the interface does not allow.
    pub fn to_data_type(&self) -> Result<DataType, CDataError> {
        SchemaWalk::new(MAX_FIELDS).data_type(self, 1)
    }

    /// The field: name, type, nullability and metadata. The metadata contains the extension type, if there is one. Bytes that are
    /// not UTF-8 in names and metadata are [escaped](arrow_schema::decode_text); exports keep the escaped text.
    ///
    /// # Errors
    /// The errors of [`to_data_type`](ArrowSchema::to_data_type).
    pub fn to_field(&self) -> Result<Field, CDataError> {
        self.to_field_with(MAX_FIELDS)
    }

    /// Like [`to_field`](ArrowSchema::to_field), with at most `max_fields` fields, nested ones included, in place of one million.
    ///
    /// # Errors
    /// The errors of [`to_field`](ArrowSchema::to_field).
    pub fn to_field_with(&self, max_fields: u64) -> Result<Field, CDataError> {
        SchemaWalk::new(max_fields).field(self, 1)
    }

    /// The schema: the children of a struct, with the metadata of the struct.
    ///
    /// # Errors
    /// The errors of [`to_field`](ArrowSchema::to_field). If the structure is not a struct.
    pub fn to_schema(&self) -> Result<Schema, CDataError> {
        self.to_schema_with(MAX_FIELDS)
    }

    /// Like [`to_schema`](ArrowSchema::to_schema), with at most `max_fields` fields, nested ones included, in place of one million.
    ///
    /// # Errors
    /// The errors of [`to_schema`](ArrowSchema::to_schema).
    pub fn to_schema_with(&self, max_fields: u64) -> Result<Schema, CDataError> {
        import::to_schema(self, max_fields)
    }

    /// The bytes of a string of the structure. `None` if the pointer is null.
    fn text(&self, text: StringMember) -> Result<Option<&[u8]>, Kind> {
        self.check_not_released()?;
        let start = match text {
            StringMember::Format => self.format,
            StringMember::Name => self.name,
        };
        if start.is_null() {
            return Ok(None);
        }
        // SAFETY: the contract says that a string that is not null ends with a NUL, and lives until the structure is
        // released. The code above has checked that the string is not null and the structure not released. `self` is
        // borrowed until the text is dropped.
        let text = unsafe { CStr::from_ptr(start.get()) };
        Ok(Some(text.to_bytes()))
    }

    /// The metadata. Adds its length to `n_bytes`, which counts all bytes of names, formats and metadata that were read
    /// so far.
    fn metadata(&self, n_bytes: &mut u64) -> Result<Metadata, Kind> {
        self.check_not_released()?;
        if self.metadata.is_null() {
            return Ok(Metadata::new());
        }
        let mut at = self.metadata.get().cast::<u8>();
        metadata::decode(|n| {
            metadata::charge(n_bytes, n)?;
            let start = at;
            at = start.wrapping_add(n);
            // SAFETY: the contract says that metadata that is not null has the length that its numbers state, until the
            // structure is released. The code above has checked that the metadata is not null and the structure not
            // released. `decode` requests only the numbers, and as many bytes as they state; a test of `decode` checks
            // this.
            Ok(unsafe { std::slice::from_raw_parts(start, n) })
        })
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::DataType;

    use super::{ArrowSchema, StringMember};

    /// A structure that is out of bounds or released gives an error, and is not read.
    #[test]
    fn nothing_is_read_that_the_counts_do_not_have() {
        let data_type: DataType = "struct<a: int32, b: utf8>".parse().expect("a type");
        let mut schema = ArrowSchema::try_from_data_type(&data_type).expect("no NUL");
        assert!(schema.child(1).is_ok());
        for position in [2, 3, usize::MAX] {
            let text = format!("expected {} children, found 2", position.saturating_add(1));
            assert_eq!(schema.child(position).unwrap_err().to_string(), text);
        }
        for n_children in [0, -1, i64::MIN] {
            schema.n_children = n_children;
            assert!(schema.child(0).is_err());
        }
        let released = ArrowSchema::empty();
        assert!(released.child(0).is_err() && released.dictionary().is_err());
        assert!(released.metadata(&mut 0).is_err() && released.text(StringMember::Name).is_err());
    }
}
