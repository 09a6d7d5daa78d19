//! A named type that may allow nulls, and that may be an extension type.

use std::{fmt, sync::Arc};

use crate::{DataType, ExtensionType, Metadata, Name, QuotedName};

/// A column, or a child of a nested type: its name, its type, its nullability, and its metadata.
///
/// Names may be empty and need not be unique. Fields are equal if all four properties are equal; [`Field::same_column`]
/// ignores metadata. A clone increments at most three reference counts.
///
/// ```
/// use arrow_schema::{DataType, Field};
///
/// let field = Field::new("id", DataType::Int64).required();
/// assert!(!field.is_nullable());
/// assert_eq!(field.to_string(), "id: int64 not null");
/// ```
///
/// Specification: `Schema.fbs`, table `Field`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    name: Name,
    data_type: DataType,
    nullability: Nullability,
    metadata: Metadata,
}

/// Whether a field may have nulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Nullability {
    /// The field may have nulls.
    #[default]
    Nullable,
    /// The schema states that the field has no nulls.
    Required,
}

impl Field {
    /// Makes a nullable field without metadata.
    pub fn new(name: impl Into<Arc<str>>, data_type: DataType) -> Self {
        let name: Arc<str> = name.into();
        Self::from_parts(name.into(), data_type, Nullability::Nullable, Metadata::new())
    }

    /// Makes a field from its name, type, nullability and metadata.
    #[inline]
    pub fn from_parts(name: Name, data_type: DataType, nullability: Nullability, metadata: Metadata) -> Self {
        Self { name, data_type, nullability, metadata }
    }

    /// Makes the field not nullable, and keeps all other properties.
    #[must_use]
    pub fn required(self) -> Self {
        self.with_nullability(Nullability::Required)
    }

    /// Sets whether the field may have nulls.
    #[must_use]
    pub fn with_nullability(self, nullability: Nullability) -> Self {
        Self { nullability, ..self }
    }

    /// Replaces the name, and keeps all other properties.
    #[must_use]
    pub fn with_name(self, name: impl Into<Arc<str>>) -> Self {
        let name: Arc<str> = name.into();
        Self { name: name.into(), ..self }
    }

    /// Replaces the type, and keeps all other properties.
    #[must_use]
    pub fn with_data_type(self, data_type: DataType) -> Self {
        Self { data_type, ..self }
    }

    /// Replaces all metadata of the field, including the extension type.
    #[must_use]
    pub fn with_metadata(self, metadata: Metadata) -> Self {
        Self { metadata, ..self }
    }

    /// The name, which may be empty.
    #[inline]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name as a shared string. If the schema was read from a message, its names share one text, and this method
    /// copies the name.
    #[doc(hidden)] // For paths in errors, which outlive the schema.
    pub fn to_shared_name(&self) -> Arc<str> {
        self.name.to_shared()
    }

    /// Copies the name to its own memory, so that the field does not keep the other names of its schema in memory.
    #[must_use]
    pub fn with_own_name(self) -> Self {
        let name = self.name.to_shared().into();
        Self { name, ..self }
    }

    /// The type; for an extension type, the type of its storage.
    #[inline]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// Whether the field may have nulls.
    pub fn is_nullable(&self) -> bool {
        self.nullability == Nullability::Nullable
    }

    /// Whether the field may have nulls.
    pub fn nullability(&self) -> Nullability {
        self.nullability
    }

    /// The metadata of this field. The children have metadata of their own.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The children of the type; see [`DataType::children`].
    pub fn children(&self) -> &[Field] {
        self.data_type.children()
    }

    /// Whether both fields have the same name, type and nullability. Metadata is ignored at every depth.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Metadata};
    ///
    /// let plain = Field::new("a", DataType::Int32);
    /// let noted = plain.clone().with_metadata(Metadata::from_iter([("unit", "mm")]));
    /// assert_ne!(plain, noted);
    /// assert!(plain.same_column(&noted));
    /// ```
    pub fn same_column(&self, other: &Field) -> bool {
        self.nullability == other.nullability
            && self.name == other.name
            && self.data_type.same_type(&other.data_type)
    }
}

/// Writes `name: type`, followed by ` not null` if the field is not nullable. See [text form](crate#text-form).
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = if self.is_nullable() { "" } else { " not null" };
        write!(f, "{}: {}{suffix}", QuotedName(&self.name), self.data_type)
    }
}

impl From<bool> for Nullability {
    /// `true` means nullable, as in the format.
    fn from(nullable: bool) -> Self {
        if nullable { Self::Nullable } else { Self::Required }
    }
}

impl fmt::Display for Nullability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nullable => "nullable",
            Self::Required => "not null",
        })
    }
}

/// The metadata key of the name of an extension type.
pub const EXTENSION_NAME_KEY: &str = "ARROW:extension:name";

/// The metadata key of the parameters of an extension type.
pub const EXTENSION_METADATA_KEY: &str = "ARROW:extension:metadata";

/// The extension type of a field, as the metadata of the field states it.
///
/// Name and parameters are borrowed from the field's metadata and are not interpreted. Arrays of the field have the
/// field's own type, which is the storage type of the extension. [`Field::canonical_extension`] and
/// [`Field::extension_type`] interpret the parameters.
///
/// Specification: columnar format, "Extension Types".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extension<'a> {
    /// The name that identifies the extension type.
    pub name: &'a str,
    /// The parameters, in a form that the extension defines. Absent metadata differs from empty metadata.
    pub metadata: Option<&'a str>,
}

impl Field {
    /// The extension type of this field, if its metadata names one.
    ///
    /// ```
    /// use arrow_schema::{DataType, Extension, Field};
    ///
    /// let uuid = Extension { name: "arrow.uuid", metadata: None };
    /// let field = Field::new("id", DataType::FixedSizeBinary(16.into())).with_extension(uuid);
    /// assert_eq!(field.extension(), Some(uuid));
    /// ```
    pub fn extension(&self) -> Option<Extension<'_>> {
        let name = self.metadata().get(EXTENSION_NAME_KEY)?;
        Some(Extension { name, metadata: self.metadata().get(EXTENSION_METADATA_KEY) })
    }

    /// Replaces the extension type of the field.
    #[must_use]
    pub fn with_extension(self, extension: Extension<'_>) -> Self {
        let plain = self.without_extension();
        let named = plain.metadata().with(EXTENSION_NAME_KEY, extension.name);
        let metadata: Metadata = match extension.metadata {
            Some(parameters) => named.with(EXTENSION_METADATA_KEY, parameters),
            None => named,
        };
        plain.with_metadata(metadata)
    }

    /// Removes the extension type of the field. The field keeps its type, which is the storage of the extension, and all other metadata.
    #[must_use]
    pub fn without_extension(self) -> Self {
        let others = self.metadata().without(EXTENSION_NAME_KEY).without(EXTENSION_METADATA_KEY);
        self.with_metadata(others)
    }

    /// Reads the extension type from the metadata; `None` if the field's extension name is not `E::NAME`.
    ///
    /// # Errors
    ///
    /// The errors of [`ExtensionType::parse`].
    pub fn extension_type<E: ExtensionType>(&self) -> Result<Option<E>, E::Error> {
        match self.extension() {
            Some(Extension { name, metadata }) if name == E::NAME => {
                E::parse(metadata, self.data_type()).map(Some)
            }
            Some(_) | None => Ok(None),
        }
    }

    /// Replaces the extension type of the field. All other metadata keeps its order and precedes the metadata of the
    /// extension.
    ///
    /// # Errors
    ///
    /// The errors of [`ExtensionType::check_storage`] for the field's type.
    pub fn with_extension_type<E: ExtensionType>(self, extension: &E) -> Result<Self, E::Error> {
        extension.check_storage(self.data_type())?;
        let metadata = extension.metadata();
        Ok(self.with_extension(Extension { name: E::NAME, metadata: metadata.as_deref() }))
    }
}
