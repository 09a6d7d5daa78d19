//! Options for merging schemas that differ.

use crate::DataType;

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
#[derive(Debug, Clone, Copy)]
pub struct MergeOptions {
    missing: MissingFieldRule,
    nullability: DifferenceRule,
    null_type: DifferenceRule,
    metadata: MetadataRule,
    wider_type: Option<WiderType>,
}

/// Finds the type that has the values of two types, which are neither nested nor encoded; `None` if there is no such type.
pub type WiderType = fn(&DataType, &DataType) -> Option<DataType>;

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
            wider_type: None,
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

    /// Merges fields of different types to a field of a type that has the values of both. Default: different types are refused.
    ///
    /// - Of types with the same values in another layout, the first stays: utf8 and utf8_view, list and list_view. Large types
    ///   replace small ones, and lists and binary values of any size replace those of a fixed size.
    /// - Dictionaries stay dictionaries, with the index type of more values; the order of their values then has no meaning. Together with
    ///   any other encoding, dictionaries and runs become plain values.
    /// - Maps whose keys are sorted become maps of unsorted keys, if the others are.
    /// - `wider_type` finds the type of all others, such as numbers of different widths and times of different units.
    ///
    /// An extension type stays if both fields have it, and the type has the same values as before. If metadata is
    /// [kept](MetadataRule::KeepFirst), any other extension type is left out; otherwise it is refused.
    #[must_use]
    pub const fn with_wider_types(self, wider_type: WiderType) -> MergeOptions {
        MergeOptions { wider_type: Some(wider_type), ..self }
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

    /// How types that differ are merged; `None` if they are refused. See [`with_wider_types`](MergeOptions::with_wider_types).
    pub const fn wider_type(&self) -> Option<WiderType> {
        self.wider_type
    }
}

impl Default for MergeOptions {
    fn default() -> MergeOptions {
        MergeOptions::new()
    }
}
