//! The columns of a table.

mod difference;
mod lookup;
mod merge;
mod walk;

use std::sync::Arc;

use crate::{Field, LookupError, Metadata, work::visit};

pub use self::difference::{SchemaDifference, SchemaDifferenceKind};
pub use self::merge::{
    DifferenceRule, MergeError, MergeErrorKind, MergeOptions, MetadataRule, MissingFieldRule, WiderType,
};
pub use self::walk::PreOrder;

/// The fields of a table in order, and the metadata of the table.
///
/// Names may repeat and may be empty. Schemas are equal if all fields and all metadata are equal;
/// [`Schema::check_same_columns`] ignores metadata. A clone increments at most two reference counts.
///
/// ```
/// use arrow_schema::{DataType, Field, LookupError, Schema};
///
/// let schema = Schema::new([Field::new("a", DataType::Int32), Field::new("b", DataType::Utf8)]);
/// assert_eq!(schema.index_of("b"), Ok(1));
/// assert_eq!(schema.index_of("c"), Err(LookupError::Missing { name: "c".into() }));
/// assert_eq!(schema.project(&[1])?.to_string(), "b: utf8");
/// # Ok::<(), LookupError>(())
/// ```
///
/// Specification: `Schema.fbs`, table `Schema`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Schema {
    fields: Arc<[Field]>,
    metadata: Metadata,
}

impl Schema {
    /// Makes a schema of these fields without metadata.
    pub fn new(fields: impl Into<Arc<[Field]>>) -> Self {
        Self { fields: fields.into(), metadata: Metadata::new() }
    }

    /// Replaces the metadata of the schema. The metadata of fields stays the same.
    #[must_use]
    pub fn with_metadata(self, metadata: Metadata) -> Self {
        Self { metadata, ..self }
    }

    /// The fields in order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The fields, as a shared value that can be cloned without a copy.
    pub fn shared_fields(&self) -> &Arc<[Field]> {
        &self.fields
    }

    /// The field at a position counted from 0; `None` if out of bounds.
    pub fn field(&self, idx: usize) -> Option<&Field> {
        self.fields.get(idx)
    }

    /// The metadata of the schema. The fields have metadata of their own.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The position of the only field with this name. Takes time in proportion to the number of fields.
    ///
    /// # Errors
    ///
    /// [`LookupError::Missing`] when no field has the name, [`LookupError::Ambiguous`] when several have it.
    pub fn index_of(&self, name: &str) -> Result<usize, LookupError> {
        field_index(&self.fields, name)
    }

    /// Makes a schema of the fields at these positions, in this order, with the same metadata. A position may occur several times.
    ///
    /// # Errors
    ///
    /// [`LookupError::OutOfRange`] when there is no field at a position.
    pub fn project(&self, positions: &[usize]) -> Result<Schema, LookupError> {
        let field_at = |&position: &usize| {
            let n_fields = self.fields.len();
            self.field(position).cloned().ok_or(LookupError::OutOfRange { position, n_fields })
        };
        let fields = positions.iter().map(field_at).collect::<Result<Arc<[Field]>, LookupError>>()?;
        Ok(Self { fields, metadata: self.metadata.clone() })
    }
}

/// The position of the only field with this name among the fields of a schema or struct. Takes time in proportion to
/// the number of fields.
///
/// # Errors
///
/// [`LookupError::Missing`] when no field has the name, [`LookupError::Ambiguous`] when several have it.
///
/// ```
/// use arrow_schema::{DataType, Field, field_index};
///
/// let point = DataType::struct_([Field::new("x", DataType::Float64), Field::new("y", DataType::Float64)]);
/// assert_eq!(field_index(point.children(), "y"), Ok(1));
/// ```
pub fn field_index(fields: &[Field], name: &str) -> Result<usize, LookupError> {
    visit(fields.len());
    let mut matches = (0..).zip(fields).filter(|(_, field)| field.name() == name);
    match (matches.next(), matches.count()) {
        (Some((idx, _)), 0) => Ok(idx),
        (Some(_), n_others) => {
            Err(LookupError::Ambiguous { name: name.into(), n_matches: n_others.saturating_add(1) })
        }
        (None, _) => Err(LookupError::Missing { name: name.into() }),
    }
}

impl From<Vec<Field>> for Schema {
    /// Makes a schema of these fields without metadata.
    fn from(fields: Vec<Field>) -> Self {
        Self::new(fields)
    }
}

impl<const N: usize> From<[Field; N]> for Schema {
    /// Makes a schema of these fields without metadata.
    fn from(fields: [Field; N]) -> Self {
        Self::new(fields)
    }
}

impl From<Arc<[Field]>> for Schema {
    /// Makes a schema that shares these fields, without metadata.
    fn from(fields: Arc<[Field]>) -> Self {
        Self::new(fields)
    }
}

impl<'a> IntoIterator for &'a Schema {
    type Item = &'a Field;
    type IntoIter = std::slice::Iter<'a, Field>;

    fn into_iter(self) -> Self::IntoIter {
        self.fields.iter()
    }
}

impl FromIterator<Field> for Schema {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Self {
        Self::new(fields.into_iter().collect::<Arc<[Field]>>())
    }
}
