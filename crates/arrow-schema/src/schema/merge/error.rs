//! The reasons why schemas cannot be merged.

use std::{fmt, sync::Arc};

use crate::{DataType, Field, FieldPath, Nullability, PathStep, QuotedOrNull, QuotedText};

/// The first conflict between schemas that cannot be merged: which schema, which field, and both values.
/// [`Schema::try_merge`](crate::Schema::try_merge) returns it.
#[derive(Clone, PartialEq, Eq)]
pub struct MergeError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    path: FieldPath,
    schema_idx: usize,
    kind: MergeErrorKind,
    /// The types of the column that has the field.
    column_types: Option<[DataType; 2]>,
}

/// The kind of a contradiction between a schema and the earlier schemas.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeErrorKind {
    /// The type differs from the merged type, and the options allow no type for both.
    Type {
        /// The merged type of the earlier schemas.
        preceding: DataType,
        /// The type in this schema.
        found: DataType,
    },
    /// The nullability differs, and the options do not allow this.
    Nullability {
        /// The nullability in the earlier schemas.
        preceding: Nullability,
        /// The nullability in this schema.
        found: Nullability,
    },
    /// This schema has other values for a key of the metadata than the earlier schemas. The key may be that of the
    /// parameters of an extension type, even if only one schema has parameters.
    Metadata {
        /// The key; `None` for pairs without a key.
        key: Option<Arc<str>>,
        /// The values in the earlier schemas.
        preceding: Vec<Option<Arc<str>>>,
        /// The values in this schema.
        found: Vec<Option<Arc<str>>>,
    },
    /// The extension type differs, or is missing.
    Extension {
        /// The name in the earlier schemas; `None` if they have no extension type.
        preceding: Option<Arc<str>>,
        /// The name in this schema; `None` if it has no extension type.
        found: Option<Arc<str>>,
    },
    /// Several fields have this name, in a schema or struct whose fields are merged by name.
    Repeated,
    /// The earlier schemas lack this field, and the options do not allow this.
    Additional,
    /// This schema lacks the field, and the options do not allow this.
    Missing,
}

impl MergeError {
    /// The path to the field in the merged schema. The path is empty for the schema as a whole.
    pub fn path(&self) -> &FieldPath {
        &self.0.path
    }

    /// The position of the schema that contradicts the earlier schemas, counted from 0.
    pub fn schema_idx(&self) -> usize {
        self.0.schema_idx
    }

    /// The conflict, with both values.
    pub fn kind(&self) -> &MergeErrorKind {
        &self.0.kind
    }

    /// The types of the whole column that has the field: merged from the earlier schemas, and in this schema. `None` if the
    /// conflict is between no two columns, such as one of metadata.
    pub fn column_types(&self) -> Option<&[DataType; 2]> {
        self.0.column_types.as_ref()
    }

    pub(super) fn with_types(mut self, preceding: &Field, found: &Field) -> MergeError {
        self.0.column_types = Some([preceding, found].map(|field| field.data_type().clone()));
        self
    }

    pub(super) fn in_schema(mut self, schema_idx: usize) -> MergeError {
        self.0.schema_idx = schema_idx;
        self
    }

    pub(super) fn below(mut self, step: PathStep) -> MergeError {
        self.0.path.prepend(step);
        self
    }
}

impl From<MergeErrorKind> for MergeError {
    fn from(kind: MergeErrorKind) -> MergeError {
        MergeError(Box::new(Inner { path: FieldPath::root(), schema_idx: 0, kind, column_types: None }))
    }
}

arrow_error::debug_as_display!(MergeError);

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { path, schema_idx, kind, .. } = &*self.0;
        if !path.is_root() {
            write!(f, "field {path}, ")?;
        }
        write!(f, "schema {schema_idx}: {kind}")
    }
}

impl fmt::Display for MergeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { preceding, found } => {
                write!(f, "the type is {found}; preceding schemas say {preceding}")
            }
            Self::Nullability { preceding, found } => {
                write!(f, "the field is {found}; preceding schemas say {preceding}")
            }
            Self::Metadata { key, preceding, found } => {
                let [key, found, preceding] =
                    [TextList(std::slice::from_ref(key)), TextList(found), TextList(preceding)];
                write!(f, "the metadata {key} is {found}; preceding schemas say {preceding}")
            }
            Self::Extension { preceding, found } => {
                let [preceding, found] =
                    [ExtensionName(preceding.as_deref()), ExtensionName(found.as_deref())];
                write!(f, "the extension type is {found}; preceding schemas say {preceding}")
            }
            Self::Repeated => {
                f.write_str("the name repeats; fields that are merged by name need different names")
            }
            Self::Additional => f.write_str("preceding schemas have no such field"),
            Self::Missing => f.write_str("there is no such field; preceding schemas have it"),
        }
    }
}

/// Prints texts with commas between them. An absent text is `null`.
struct TextList<'a>(&'a [Option<Arc<str>>]);

impl fmt::Display for TextList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, text) in self.0.iter().enumerate() {
            f.write_str(if position == 0 { "" } else { ", " })?;
            QuotedOrNull(text.as_deref()).fmt(f)?;
        }
        Ok(())
    }
}

/// Prints the name of an extension type, or says that there is none.
struct ExtensionName<'a>(Option<&'a str>);

impl fmt::Display for ExtensionName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "{}", QuotedText(name)),
            None => f.write_str("none"),
        }
    }
}

impl std::error::Error for MergeError {}
