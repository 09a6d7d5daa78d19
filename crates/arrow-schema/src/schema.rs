//! The columns of a table.

mod difference;
mod lookup;
mod merge;
mod walk;

use std::sync::Arc;

use crate::{Field, FieldPath, LookupError, Metadata, work::visit};

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

    /// Parses the text form of a path: names with dots between them. Names may be in quotes, and must be where
    /// [`FieldPath`] requires quotes. The step into the values of a dictionary is `<dictionary>`.
    ///
    /// Every child field needs its own step: the item of a list; the entries of a map, and the key or value below them;
    /// the child of a union; the values of runs. The step after a dictionary-encoded field is `<dictionary>`; the
    /// children of its value type follow. The empty text is the path without steps; a column whose name is empty is
    /// `""`.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let address = DataType::struct_([Field::new("street", DataType::Utf8), Field::new("zip.code", DataType::Utf8)]);
    /// let schema = Schema::new([Field::new("id", DataType::Int64), Field::new("address", address)]);
    /// let path = schema.path(r#"address."zip.code""#)?;
    /// assert_eq!(path.positions().collect::<Vec<_>>(), [1, 1]);
    ///
    /// let error = schema.path("address.city").unwrap_err();
    /// assert_eq!(error.to_string(), r#"in address: no field is named "city""#);
    /// # Ok::<(), arrow_schema::LookupError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LookupError::NoPath`] if the text does not have this form. [`LookupError::Missing`] if no field has the name
    /// of a step, and [`LookupError::Ambiguous`] if several fields have it. [`LookupError::NoDictionary`] if the step
    /// is `<dictionary>` and the field before it is not dictionary-encoded. For fields below a column,
    /// [`LookupError::Within`] wraps these errors and has the path up to the last field that was found.
    pub fn path(&self, text: &str) -> Result<FieldPath, LookupError> {
        lookup::path(&self.fields, text)
    }

    /// The path to the column with this name. If no column has the name, parses the text as a [`path`](Schema::path).
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let zip = DataType::struct_([Field::new("zip", DataType::Utf8)]);
    /// let schema = Schema::new([Field::new("town", zip), Field::new("town.name", DataType::Utf8)]);
    /// assert_eq!(schema.column_or_path("town.zip")?.steps().len(), 2);
    /// assert_eq!(schema.column_or_path("town.name")?.steps().len(), 1);
    /// # Ok::<(), arrow_schema::LookupError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`index_of`](Schema::index_of) if the text is not the text form of a path; otherwise the errors of
    /// [`path`](Schema::path).
    pub fn column_or_path(&self, text: &str) -> Result<FieldPath, LookupError> {
        let missing = match self.index_of(text) {
            Ok(idx) => {
                let out_of_range = LookupError::OutOfRange { position: idx, n_fields: self.fields().len() };
                return Ok(FieldPath::root().child(u32::try_from(idx).map_err(|_| out_of_range)?, text));
            }
            Err(missing @ LookupError::Missing { .. }) => missing,
            Err(error) => return Err(error),
        };
        match self.path(text) {
            Err(LookupError::NoPath(_)) => Err(missing),
            // The empty text is the path without steps.
            Ok(path) if path.is_root() => Err(missing),
            found => found,
        }
    }

    /// The field at the end of a path, by its positions. `None` if no field has these positions, or if the path has no positions.
    ///
    /// Names are ignored. If a path ends with the step into a dictionary, the result is the dictionary-encoded field.
    pub fn field_by_path(&self, path: &FieldPath) -> Option<&Field> {
        self.field_at(path.positions())
    }

    /// The field at the end of a path of positions, such as [`FieldPath::positions`]. `None` if a position is out of
    /// bounds, or if there are no positions.
    pub fn field_at(&self, positions: impl IntoIterator<Item = u32>) -> Option<&Field> {
        let mut siblings = self.fields();
        let mut found = None;
        for position in positions {
            let field = siblings.get(usize::try_from(position).ok()?)?;
            siblings = field.data_type().value_children();
            found = Some(field);
        }
        found
    }

    /// All fields, including nested ones, each before its children. A dictionary-encoded field is followed by the children
    /// of its value type.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let schema = Schema::new([
    ///     Field::new("a", DataType::list(Field::new("item", DataType::Int8))),
    ///     Field::new("b", DataType::Int8),
    /// ]);
    /// let names: Vec<&str> = schema.fields_in_pre_order().map(Field::name).collect();
    /// assert_eq!(names, ["a", "item", "b"]);
    /// ```
    pub fn fields_in_pre_order(&self) -> PreOrder<'_> {
        PreOrder::new(self.fields())
    }

    /// Calls `visit` for every field with its path, in the order of [`Schema::fields_in_pre_order`].
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let schema = Schema::new([Field::new("a", DataType::list(Field::new("item", DataType::Int8)))]);
    /// let mut paths = Vec::new();
    /// schema.walk(|path, _field| paths.push(path.to_string()));
    /// assert_eq!(paths, ["a", "a.item"]);
    /// ```
    pub fn walk(&self, visit: impl FnMut(&FieldPath, &Field)) {
        walk::walk(&self.fields, visit);
    }

    /// The path to the first field that `is_wanted` accepts, in the order of [`Schema::fields_in_pre_order`].
    pub fn path_of_first(&self, mut is_wanted: impl FnMut(&Field) -> bool) -> Option<FieldPath> {
        let mut found = None;
        self.walk(|path, field| {
            if found.is_none() && is_wanted(field) {
                found = Some(path.clone());
            }
        });
        found
    }

    /// Whether the other schema has the same columns: names, types and nullability at every depth, in the same order.
    /// Metadata is ignored.
    ///
    /// `self` is the expected schema, `other` the schema that was found. Schemas that share their fields are compared
    /// in constant time.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    ///
    /// let ours = Schema::new([Field::new("a", DataType::list(Field::new("item", DataType::Int8)))]);
    /// let theirs = Schema::new([Field::new("a", DataType::list(Field::new("item", DataType::Int16)))]);
    /// let difference = ours.check_same_columns(&theirs).unwrap_err();
    /// assert_eq!(difference.to_string(), "field a.item: expected type int8, found int16");
    /// ```
    ///
    /// # Errors
    ///
    /// The first difference. A difference of a parent is found before the differences of its children.
    pub fn check_same_columns(&self, other: &Schema) -> Result<(), SchemaDifference> {
        difference::compare_all(&self.fields, &other.fields)
    }

    /// Makes a schema with the columns of all these schemas. Columns are matched by name, and come in the order in which
    /// they first appear.
    ///
    /// - Columns with the same name need the same type, unless the options allow a difference. The fields of structs,
    ///   at any depth, are merged by name, like columns. Items of lists, keys and values of maps, children of unions,
    ///   and values of dictionaries and of runs are merged by position. They get the names of the first schema.
    ///   Children of unions need the same names. No field is added to a struct inside an extension type.
    /// - Metadata of schemas and of fields is joined key by key, in the order in which keys first appear. If several
    ///   schemas have a key, its values must be the same, including duplicates, unless the options say otherwise.
    /// - A single schema is returned unchanged. Without schemas, the result is a schema without columns.
    ///
    /// Takes time in proportion to the number of all fields, plus the number of schemas times the size of the merged
    /// metadata and structs.
    ///
    /// ```
    /// use arrow_schema::Schema;
    ///
    /// let old: Schema = "id: int64 not null\naddress: struct<city: utf8>\nnote: null".parse()?;
    /// let new: Schema = "id: int64 not null\nnote: utf8\naddress: struct<zip: int32, city: utf8>".parse()?;
    /// let merged = Schema::try_merge([&old, &new])?;
    /// assert_eq!(
    ///     merged.to_string(),
    ///     "id: int64 not null\naddress: struct<city: utf8, zip: int32>\nnote: utf8"
    /// );
    /// let other: Schema = "address: struct<city: binary>".parse()?;
    /// let error = Schema::try_merge([&merged, &other]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "field address.city, schema 1: the type is binary; preceding schemas say utf8"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first conflict: the field, the position of the schema that contradicts the preceding schemas, and both
    /// values. A name that occurs twice in a schema or struct is a conflict if the schema or struct is merged with
    /// another one.
    pub fn try_merge<'a>(schemas: impl IntoIterator<Item = &'a Schema>) -> Result<Schema, MergeError> {
        Schema::try_merge_with(schemas, MergeOptions::new())
    }

    /// Like [`try_merge`](Schema::try_merge), with options.
    ///
    /// # Errors
    /// The errors of [`try_merge`](Schema::try_merge).
    pub fn try_merge_with<'a>(
        schemas: impl IntoIterator<Item = &'a Schema>,
        options: MergeOptions,
    ) -> Result<Schema, MergeError> {
        merge::merge(&schemas.into_iter().collect::<Vec<&Schema>>(), &options)
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
