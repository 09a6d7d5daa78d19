//! The first difference between two schemas.

use std::{fmt, sync::Arc};

use crate::{DataType, Field, FieldPath, Nullability, PathStep, QuotedText};

/// The first difference between two schemas, apart from metadata; made by [`Schema::check_same_columns`](crate::Schema::check_same_columns).
#[derive(Clone, PartialEq, Eq)]
pub struct SchemaDifference {
    path: FieldPath,
    kind: SchemaDifferenceKind,
}

/// The kind of a difference between two schemas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaDifferenceKind {
    /// The schemas have different numbers of columns, or the fields at [`path`](SchemaDifference::path) have different
    /// numbers of children. At all positions that both have, the columns or children are equal.
    FieldCount {
        /// The number of columns or children in the expected schema.
        expected: usize,
        /// The number of columns or children in the schema that was found.
        found: usize,
    },
    /// The fields have different names.
    Name {
        /// The name in the expected schema.
        expected: Arc<str>,
        /// The name in the schema that was found.
        found: Arc<str>,
        /// Whether the schema that was found has the expected name at another position. Its fields may then be in
        /// another order.
        is_elsewhere: bool,
        /// Whether this name is the only difference between the columns of the schemas, or between the children of the
        /// parent.
        is_alone: bool,
    },
    /// The fields differ in their type, or in a parameter of the type.
    Type {
        /// The type in the expected schema.
        expected: DataType,
        /// The type in the schema that was found.
        found: DataType,
    },
    /// One field is nullable, and the other is not.
    Nullability {
        /// The nullability in the expected schema.
        expected: Nullability,
        /// The nullability in the schema that was found.
        found: Nullability,
    },
}

impl SchemaDifference {
    /// The path to the field that differs, with the names of the expected schema. The path is empty for the schema as a whole.
    pub fn path(&self) -> &FieldPath {
        &self.path
    }

    /// How the schemas differ, with both values.
    pub fn kind(&self) -> &SchemaDifferenceKind {
        &self.kind
    }

    fn within(mut self, step: PathStep) -> Self {
        self.path.prepend(step);
        self
    }
}

/// The first difference between these fields, apart from metadata: `Schema::check_same_columns`.
pub(super) fn compare_all(expected: &[Field], found: &[Field]) -> Result<(), SchemaDifference> {
    if std::ptr::eq(expected, found) {
        return Ok(());
    }
    for (position, (one, other)) in expected.iter().zip(found).enumerate() {
        let compared = if one.name() == other.name() {
            compare(one, other)
        } else {
            let rest = expected.iter().zip(found).skip(position + 1);
            let fits = |one, other| compare(one, other).is_ok();
            Err(SchemaDifferenceKind::Name {
                expected: one.to_shared_name(),
                found: other.to_shared_name(),
                is_elsewhere: found.iter().any(|other| other.name() == one.name()),
                is_alone: expected.len() == found.len()
                    && fits(one, other)
                    && rest.into_iter().all(|(one, other)| one.name() == other.name() && fits(one, other)),
            }
            .into())
        };
        compared.map_err(|difference| {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            difference.within(PathStep::Child { position, name: one.to_shared_name() })
        })?;
    }
    if expected.len() == found.len() {
        return Ok(());
    }
    Err(SchemaDifferenceKind::FieldCount { expected: expected.len(), found: found.len() }.into())
}

/// Compares everything except the names.
fn compare(expected: &Field, found: &Field) -> Result<(), SchemaDifference> {
    if !expected.data_type().same_kind(found.data_type()) {
        return Err(different_type(expected.data_type(), found.data_type()));
    }
    if expected.nullability() != found.nullability() {
        return Err(SchemaDifferenceKind::Nullability {
            expected: expected.nullability(),
            found: found.nullability(),
        }
        .into());
    }
    compare_inside(expected.data_type(), found.data_type())
}

/// Compares the children of two types of the same kind.
fn compare_inside(expected: &DataType, found: &DataType) -> Result<(), SchemaDifference> {
    let (Some(expected_values), Some(found_values)) = (expected.as_dictionary(), found.as_dictionary())
    else {
        return compare_all(expected.children(), found.children());
    };
    let (expected, found) = (expected_values.value(), found_values.value());
    let compared = if expected.same_kind(found) {
        compare_inside(expected, found)
    } else {
        Err(different_type(expected, found))
    };
    compared.map_err(|difference| difference.within(PathStep::Dictionary))
}

fn different_type(expected: &DataType, found: &DataType) -> SchemaDifference {
    SchemaDifferenceKind::Type { expected: expected.clone(), found: found.clone() }.into()
}

impl From<SchemaDifferenceKind> for SchemaDifference {
    fn from(kind: SchemaDifferenceKind) -> Self {
        Self { path: FieldPath::root(), kind }
    }
}

arrow_error::debug_as_display!(SchemaDifference);

impl fmt::Display for SchemaDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_root() {
            write!(f, "field {}: ", self.path)?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for SchemaDifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FieldCount { expected: 1, found } => write!(f, "expected 1 field, found {found}"),
            Self::FieldCount { expected, found } => write!(f, "expected {expected} fields, found {found}"),
            Self::Name { expected, found, .. } => {
                write!(f, "expected the name {}, found {}", QuotedText(expected), QuotedText(found))
            }
            Self::Type { expected, found } => write!(f, "expected type {expected}, found {found}"),
            Self::Nullability { expected, found } => write!(f, "expected {expected}, found {found}"),
        }
    }
}

impl std::error::Error for SchemaDifference {}
