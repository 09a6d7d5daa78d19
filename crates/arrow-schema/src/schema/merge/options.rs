//! Options for merging schemas that differ.

/// Options for [`Schema::try_merge_with`](crate::Schema::try_merge_with): which differences between schemas are allowed, and how
/// the merged field is then made.
///
/// By default, a merged field allows the data of all schemas. A field that is missing or nullable in one schema becomes
/// nullable, and any type replaces the null type. Metadata with different values for one key is refused.
///
/// ```
/// use arrow_schema::{DifferenceRule, MergeOptions, Schema};
///
/// let (old, new): (Schema, Schema) = ("id: int64 not null".parse()?, "id: int64".parse()?);
/// let strict = MergeOptions::new().with_nullability(DifferenceRule::Refuse);
/// let error = Schema::try_merge_with([&old, &new], strict).unwrap_err();
/// assert_eq!(error.to_string(), "field id, schema 1: the field is nullable; preceding schemas say not null");
/// # Ok::<(), arrow_schema::ParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergeOptions {
    missing: MissingFieldRule,
    nullability: DifferenceRule,
    null_type: DifferenceRule,
    metadata: MetadataRule,
}

/// The treatment of a field that only some of the schemas or structs have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingFieldRule {
    /// The field becomes nullable in the merged schema.
    #[default]
    MakeNullable,
    /// The nullability of the field stays the same.
    Keep,
    /// The merge fails.
    Refuse,
}

/// The treatment of fields that differ, if one field can have the values of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DifferenceRule {
    /// The merged field allows the values of both fields.
    #[default]
    Widen,
    /// The merge fails.
    Refuse,
}

/// The treatment of metadata that has different values for one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MetadataRule {
    /// The merge fails.
    #[default]
    Refuse,
    /// The merged schema has the values of the first schema with the key.
    KeepFirst,
}

impl MergeOptions {
    /// The default options; see [`MergeOptions`].
    pub const fn new() -> MergeOptions {
        MergeOptions {
            missing: MissingFieldRule::MakeNullable,
            nullability: DifferenceRule::Widen,
            null_type: DifferenceRule::Widen,
            metadata: MetadataRule::Refuse,
        }
    }

    /// Sets the treatment of fields that only some of the schemas or structs have. Default: they become nullable.
    #[must_use]
    pub const fn with_missing(self, missing: MissingFieldRule) -> MergeOptions {
        MergeOptions { missing, ..self }
    }

    /// Sets the treatment of fields that are nullable in one schema and not in another. Default: they become nullable.
    #[must_use]
    pub const fn with_nullability(self, nullability: DifferenceRule) -> MergeOptions {
        MergeOptions { nullability, ..self }
    }

    /// Sets the treatment of fields that have the null type in one schema and another type in another schema. Default:
    /// the merged field has the other type and is nullable.
    #[must_use]
    pub const fn with_null_type(self, null_type: DifferenceRule) -> MergeOptions {
        MergeOptions { null_type, ..self }
    }

    /// Sets the treatment of metadata of schemas and fields, if it has different values for one key. Default: it is
    /// refused.
    #[must_use]
    pub const fn with_metadata(self, metadata: MetadataRule) -> MergeOptions {
        MergeOptions { metadata, ..self }
    }

    /// What happens to fields that only some of the schemas have. See [`with_missing`](MergeOptions::with_missing).
    pub const fn missing(&self) -> MissingFieldRule {
        self.missing
    }

    /// What happens to fields that are nullable in only some of the schemas. See [`with_nullability`](MergeOptions::with_nullability).
    pub const fn nullability(&self) -> DifferenceRule {
        self.nullability
    }

    /// What happens to fields that have the null type in only some of the schemas. See [`with_null_type`](MergeOptions::with_null_type).
    pub const fn null_type(&self) -> DifferenceRule {
        self.null_type
    }

    /// What happens to metadata with different values for one key. See [`with_metadata`](MergeOptions::with_metadata).
    pub const fn metadata(&self) -> MetadataRule {
        self.metadata
    }
}

impl Default for MergeOptions {
    fn default() -> MergeOptions {
        MergeOptions::new()
    }
}
