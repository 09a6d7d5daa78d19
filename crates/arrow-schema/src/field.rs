//! A named type that may allow nulls.

mod extension;

use std::{fmt, sync::Arc};

use crate::{DataType, Metadata, QuotedName};

pub use self::extension::{EXTENSION_METADATA_KEY, EXTENSION_NAME_KEY, Extension};

/// A column, or a child of a nested type: its name, its type, whether it may hold nulls, and its metadata.
///
/// Names may be empty and need not be unique. Equality covers all four parts; [`Field::same_column`] leaves
/// metadata out. A clone touches at most three reference counts.
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
    name: Arc<str>,
    data_type: DataType,
    nullability: Nullability,
    metadata: Metadata,
}

/// Whether a field may hold nulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Nullability {
    /// It may.
    #[default]
    Nullable,
    /// It promises not to.
    Required,
}

impl Field {
    /// A nullable field without metadata.
    pub fn new(name: impl Into<Arc<str>>, data_type: DataType) -> Self {
        Self { name: name.into(), data_type, nullability: Nullability::Nullable, metadata: Metadata::new() }
    }

    /// The same field, not nullable.
    #[must_use]
    pub fn required(self) -> Self {
        self.with_nullability(Nullability::Required)
    }

    /// The same field with another nullability.
    #[must_use]
    pub fn with_nullability(self, nullability: Nullability) -> Self {
        Self { nullability, ..self }
    }

    /// The same field with another name.
    #[must_use]
    pub fn with_name(self, name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The same field with another type.
    #[must_use]
    pub fn with_data_type(self, data_type: DataType) -> Self {
        Self { data_type, ..self }
    }

    /// The same field with this metadata in place of its own.
    #[must_use]
    pub fn with_metadata(self, metadata: Metadata) -> Self {
        Self { metadata, ..self }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name, to be shared.
    pub fn shared_name(&self) -> &Arc<str> {
        &self.name
    }

    /// The type.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// Whether the field may hold nulls.
    pub fn is_nullable(&self) -> bool {
        self.nullability == Nullability::Nullable
    }

    /// Whether the field may hold nulls.
    pub fn nullability(&self) -> Nullability {
        self.nullability
    }

    /// The metadata of this field; that of its children is theirs.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The children of the type; see [`DataType::children`].
    pub fn children(&self) -> &[Field] {
        self.data_type.children()
    }

    /// Whether both fields have the same name, type and nullability; metadata counts at no depth.
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

/// Writes `name: type`, then ` not null` where that is so; see [text form](crate#text-form).
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = if self.is_nullable() { "" } else { " not null" };
        write!(f, "{}: {}{suffix}", QuotedName(&self.name), self.data_type)
    }
}

impl From<bool> for Nullability {
    /// `true` is nullable, as in the format.
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
