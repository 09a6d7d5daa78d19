//! Errors of fields that name an extension type, but do not follow its rules.

use std::fmt;

use crate::{DataType, Excerpt, FieldPath, FixedSize, LookupError, ParseError, parse::write_bounded};

/// The reason why a field does not follow the rules of its extension type, or why the parameters of an extension type
/// are invalid.
///
/// The message is short, even if metadata and types are long.
///
/// ```
/// use arrow_schema::{DataType, Extension, ExtensionErrorKind, Field};
///
/// let uuid = Extension { name: "arrow.uuid", metadata: None };
/// let error = Field::new("id", DataType::Utf8).with_extension(uuid).canonical_extension().unwrap_err();
/// assert_eq!(error.to_string(), "arrow.uuid: the storage must be fixed_size_binary(16), found utf8");
/// assert!(matches!(error.kind(), ExtensionErrorKind::Storage { .. }));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ExtensionError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    name: &'static str,
    kind: ExtensionErrorKind,
}

/// The cause of an [`ExtensionError`]. Paths start at the storage.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtensionErrorKind {
    /// The metadata is not the JSON that the type requires.
    Metadata(ParseError),
    /// There is metadata, but the type has none.
    UnexpectedMetadata {
        /// The beginning of the metadata.
        found: Excerpt,
    },
    /// The metadata lacks a member.
    MissingMember {
        /// The name of the required member.
        name: &'static str,
    },
    /// A list in the metadata does not have one entry for each dimension.
    DimensionCount {
        /// The name of the list.
        name: &'static str,
        /// The number of entries of the list.
        found: usize,
        /// The number of dimensions.
        n_dims: usize,
    },
    /// A permutation does not name each dimension once.
    PermutationIndex {
        /// The index that is repeated or too large.
        found: usize,
        /// The number of dimensions.
        n_dims: usize,
    },
    /// A size in a shape is above the allowed maximum.
    DimensionSize {
        /// The size that was found.
        found: u64,
        /// The largest size allowed.
        max: u64,
    },
    /// A shape has more elements than a fixed-size list allows.
    TooManyElements,
    /// The number of items in the lists of the storage is not the number of elements of the shape.
    ElementCount {
        /// The number of elements of the shape.
        expected: FixedSize,
        /// The number of items of each list.
        found: FixedSize,
    },
    /// The storage, or a field inside it, has a wrong type.
    Storage {
        /// The path from the storage to the field.
        path: FieldPath,
        /// The type that the field must have.
        expected: &'static str,
        /// The type that the field has.
        found: DataType,
    },
    /// The storage lacks a required field, or has it twice.
    Lookup {
        /// The path from the storage to the parent of the field.
        path: FieldPath,
        /// The field that is missing or ambiguous.
        error: LookupError,
    },
    /// A field of the storage is nullable, but must not be.
    Nullable {
        /// The path from the storage to the field.
        path: FieldPath,
    },
}

impl fmt::Display for ExtensionErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExtensionErrorKind::Metadata(error) => write!(f, "metadata: {error}"),
            ExtensionErrorKind::UnexpectedMetadata { found } => {
                write!(f, "this type takes no metadata, found {found}")
            }
            ExtensionErrorKind::MissingMember { name } => {
                write!(f, "metadata: the member \"{name}\" is missing")
            }
            ExtensionErrorKind::DimensionCount { name, found, n_dims } => {
                write!(f, "\"{name}\" has {found} entries for {n_dims} dimensions")
            }
            ExtensionErrorKind::PermutationIndex { found, n_dims } => {
                write!(f, "{found} is repeated or out of bounds in a permutation of {n_dims} dimensions")
            }
            ExtensionErrorKind::DimensionSize { found, max } => {
                write!(f, "the size of a dimension is {found}; allowed: 0 to {max}")
            }
            ExtensionErrorKind::TooManyElements => {
                write!(f, "the shape has more than {} elements", FixedSize::MAX)
            }
            ExtensionErrorKind::ElementCount { expected, found } => {
                write!(f, "the shape has {expected} elements; the lists of the storage have {found}")
            }
            ExtensionErrorKind::Storage { path, expected, found } => {
                write!(f, "{} must be {expected}, found {found}", StoragePath(path))
            }
            ExtensionErrorKind::Lookup { path, error } => write!(f, "{}: {error}", StoragePath(path)),
            ExtensionErrorKind::Nullable { path } => write!(f, "{} must not be nullable", StoragePath(path)),
        }
    }
}

impl std::error::Error for ExtensionErrorKind {}

impl ExtensionError {
    pub(super) fn new(name: &'static str, kind: ExtensionErrorKind) -> Self {
        Self(Box::new(Inner { name, kind }))
    }

    /// The name of the extension type.
    pub fn extension_name(&self) -> &'static str {
        self.0.name
    }

    /// The cause, with the value that was found and the value that is required.
    pub fn kind(&self) -> &ExtensionErrorKind {
        &self.0.kind
    }
}

arrow_error::debug_as_display!(ExtensionError);

impl fmt::Display for ExtensionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.0.name)?;
        write_bounded(f, &self.0.kind)
    }
}

impl std::error::Error for ExtensionError {}

impl From<ParseError> for ExtensionErrorKind {
    fn from(error: ParseError) -> Self {
        Self::Metadata(error)
    }
}

/// Adds the name of the extension type to an error.
pub(super) trait NameContext<T> {
    fn named(self, name: &'static str) -> Result<T, ExtensionError>;
}

impl<T> NameContext<T> for Result<T, ExtensionErrorKind> {
    fn named(self, name: &'static str) -> Result<T, ExtensionError> {
        self.map_err(|kind| ExtensionError::new(name, kind))
    }
}

/// The path of a field inside the storage.
struct StoragePath<'a>(&'a FieldPath);

impl fmt::Display for StoragePath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the storage")?;
        if self.0.is_root() { Ok(()) } else { write!(f, " at `{}`", self.0) }
    }
}
