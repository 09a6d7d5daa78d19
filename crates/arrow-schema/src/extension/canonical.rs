//! The extension types that the Arrow project describes.

use crate::{
    Bool8, DataType, Extension, ExtensionError, ExtensionType, Field, FixedShapeTensor, Json, Opaque,
    ParquetVariant, TimestampWithOffset, Uuid, VariableShapeTensor,
};

/// One of the canonical extension types: those that the Arrow project describes, and that any producer may write.
///
/// ```
/// use arrow_schema::{CanonicalExtension, DataType, Extension, Field, Opaque};
///
/// let metadata = r#"{"type_name": "varray", "vendor_name": "Oracle"}"#;
/// let extension = Extension { name: "arrow.opaque", metadata: Some(metadata) };
/// let field = Field::new("v", DataType::Null).with_extension(extension);
/// let expected = CanonicalExtension::Opaque(Opaque::new("varray", "Oracle"));
/// assert_eq!(field.canonical_extension()?, Some(expected));
///
/// let shape = Extension { name: "geoarrow.point", metadata: Some("no business of ours") };
/// let field = Field::new("p", DataType::Null).with_extension(shape);
/// assert_eq!(field.canonical_extension()?, None);
/// # Ok::<(), arrow_schema::ExtensionError>(())
/// ```
///
/// Specification: "Canonical Extension Types".
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CanonicalExtension {
    /// `arrow.bool8`: booleans of one byte.
    Bool8(Bool8),
    /// `arrow.fixed_shape_tensor`: tensors of one shape.
    FixedShapeTensor(FixedShapeTensor),
    /// `arrow.json`: utf8 values that are JSON documents.
    Json(Json),
    /// `arrow.opaque`: values of a type of another system.
    Opaque(Opaque),
    /// `arrow.parquet.variant`: values of any type.
    ParquetVariant(ParquetVariant),
    /// `arrow.timestamp_with_offset`: timestamps with an offset from UTC.
    TimestampWithOffset(TimestampWithOffset),
    /// `arrow.uuid`: UUIDs of 16 bytes.
    Uuid(Uuid),
    /// `arrow.variable_shape_tensor`: tensors of different shapes.
    VariableShapeTensor(VariableShapeTensor),
}

/// Generates the code that is the same for all canonical types.
macro_rules! each {
    ($($name:ident),+) => {
        impl CanonicalExtension {
            /// The names of all canonical extension types.
            pub const NAMES: &[&str] = &[$($name::NAME),+];

            /// Reads the metadata of a field with this extension and this storage. `None` if the name is not canonical.
            ///
            /// # Errors
            ///
            /// If the metadata is malformed, or the storage has another type.
            pub fn parse(
                extension: Extension<'_>,
                storage: &DataType,
            ) -> Result<Option<Self>, ExtensionError> {
                match extension.name {
                    $($name::NAME => {
                        $name::parse(extension.metadata, storage).map(|it| Some(Self::$name(it)))
                    })+
                    _ => Ok(None),
                }
            }

            /// The extension name, such as `arrow.uuid`.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $name::NAME,)+
                }
            }

            /// The metadata of this type: see [`ExtensionType::metadata`].
            pub fn metadata(&self) -> Option<String> {
                match self {
                    $(Self::$name(it) => it.metadata(),)+
                }
            }

            /// Checks that the extension allows this storage type.
            ///
            /// # Errors
            ///
            /// If the extension does not allow this storage type.
            pub fn check_storage(&self, storage: &DataType) -> Result<(), ExtensionError> {
                match self {
                    $(Self::$name(it) => it.check_storage(storage),)+
                }
            }
        }

        $(impl From<$name> for CanonicalExtension {
            fn from(it: $name) -> Self {
                Self::$name(it)
            }
        })+
    };
}

each!(Bool8, FixedShapeTensor, Json, Opaque, ParquetVariant, TimestampWithOffset, Uuid, VariableShapeTensor);

impl Field {
    /// The canonical extension type of this field. `None` if it has no canonical extension type.
    ///
    /// # Errors
    ///
    /// If the metadata is malformed, or the extension does not allow the type of the field as its storage.
    pub fn canonical_extension(&self) -> Result<Option<CanonicalExtension>, ExtensionError> {
        match self.extension() {
            Some(extension) => CanonicalExtension::parse(extension, self.data_type()),
            None => Ok(None),
        }
    }

    /// Replaces the extension type of the field, like [`Field::with_extension_type`].
    ///
    /// # Errors
    ///
    /// If the extension does not allow the type of the field as its storage.
    pub fn with_canonical_extension(self, extension: &CanonicalExtension) -> Result<Self, ExtensionError> {
        extension.check_storage(self.data_type())?;
        let metadata = extension.metadata();
        Ok(self.with_extension(Extension { name: extension.name(), metadata: metadata.as_deref() }))
    }
}
