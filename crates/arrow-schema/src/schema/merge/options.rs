//! Options for merging schemas that differ.

/// How [`Schema::try_merge`](crate::Schema::try_merge) reconciles schemas that differ.
///
/// By default, a merged field can hold the data of all schemas: a field that is missing or nullable in one schema becomes
/// nullable, and any type replaces the null type. Metadata with different values for one key is refused.
///
/// ```
/// use arrow_schema::{MergeOptions, OnDifference, Schema};
///
/// let (old, new): (Schema, Schema) = ("id: int64 not null".parse()?, "id: int64".parse()?);
/// let strict = MergeOptions::new().with_nullability(OnDifference::Refuse);
/// let error = Schema::try_merge([&old, &new], &strict).unwrap_err();
/// assert_eq!(error.to_string(), "field id, schema 1: the field is nullable; preceding schemas say not null");
/// # Ok::<(), arrow_schema::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeOptions {
    missing: OnMissing,
    nullability: OnDifference,
    null_type: OnDifference,
    metadata: OnMetadata,
}

/// What becomes of a field that only some of the schemas or structs have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnMissing {
    /// It becomes nullable.
    #[default]
    MakeNullable,
    /// It stays as it is.
    Keep,
    /// It is an error.
    Refuse,
}

/// What becomes of a difference that a wider field can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnDifference {
    /// The field becomes one that can hold both.
    #[default]
    Widen,
    /// It is an error.
    Refuse,
}

/// What becomes of metadata that has different values for one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnMetadata {
    /// It is an error.
    #[default]
    Refuse,
    /// The values of the first schema that has the key are kept.
    KeepFirst,
}

impl MergeOptions {
    /// The defaults.
    pub const fn new() -> MergeOptions {
        MergeOptions {
            missing: OnMissing::MakeNullable,
            nullability: OnDifference::Widen,
            null_type: OnDifference::Widen,
            metadata: OnMetadata::Refuse,
        }
    }

    /// Sets what becomes of fields that only some of the schemas or structs have. Default: they become nullable.
    #[must_use]
    pub const fn with_missing(self, missing: OnMissing) -> MergeOptions {
        MergeOptions { missing, ..self }
    }

    /// Sets what becomes of fields that are nullable in one schema and not in another. Default: they become nullable.
    #[must_use]
    pub const fn with_nullability(self, nullability: OnDifference) -> MergeOptions {
        MergeOptions { nullability, ..self }
    }

    /// Sets what becomes of fields that are of the null type in one schema and of another type in another. Default: they get
    /// the other type and become nullable.
    #[must_use]
    pub const fn with_null_type(self, null_type: OnDifference) -> MergeOptions {
        MergeOptions { null_type, ..self }
    }

    /// Sets what becomes of metadata, of schemas and of fields, that has different values for one key. Default: it is refused.
    #[must_use]
    pub const fn with_metadata(self, metadata: OnMetadata) -> MergeOptions {
        MergeOptions { metadata, ..self }
    }

    /// See [`with_missing`](MergeOptions::with_missing).
    pub const fn missing(&self) -> OnMissing {
        self.missing
    }

    /// See [`with_nullability`](MergeOptions::with_nullability).
    pub const fn nullability(&self) -> OnDifference {
        self.nullability
    }

    /// See [`with_null_type`](MergeOptions::with_null_type).
    pub const fn null_type(&self) -> OnDifference {
        self.null_type
    }

    /// See [`with_metadata`](MergeOptions::with_metadata).
    pub const fn metadata(&self) -> OnMetadata {
        self.metadata
    }
}

impl Default for MergeOptions {
    fn default() -> MergeOptions {
        MergeOptions::new()
    }
}
