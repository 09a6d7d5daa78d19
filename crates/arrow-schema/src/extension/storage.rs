//! Checks of the storage of extension types.

use crate::{DataType, Excerpt, ExtensionErrorKind, Field, FieldPath, LookupError, PathStep, field_index};

/// Refuses metadata that is not empty. Some producers write no metadata, other producers write an empty text.
pub(super) fn no_metadata(metadata: Option<&str>) -> Result<(), ExtensionErrorKind> {
    match metadata {
        None | Some("") => Ok(()),
        Some(found) => Err(ExtensionErrorKind::UnexpectedMetadata { found: Excerpt::new(found) }),
    }
}

/// The error for a storage that does not have the expected type.
pub(super) fn other_storage(expected: &'static str, found: &DataType) -> ExtensionErrorKind {
    ExtensionErrorKind::Storage { path: FieldPath::root(), expected, found: found.clone() }
}

/// Refuses a storage that does not have the expected type.
pub(super) fn expect(
    found: &DataType,
    expected: &'static str,
    is_expected: impl FnOnce(&DataType) -> bool,
) -> Result<(), ExtensionErrorKind> {
    if is_expected(found) { Ok(()) } else { Err(other_storage(expected, found)) }
}

pub(super) fn struct_fields<'a>(
    storage: &'a DataType,
    expected: &'static str,
) -> Result<&'a [Field], ExtensionErrorKind> {
    storage.as_struct().ok_or_else(|| other_storage(expected, storage))
}

/// A field that the storage must have exactly once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) field: &'a Field,
    position: usize,
}

impl<'a> Member<'a> {
    pub(super) fn new(fields: &'a [Field], position: usize) -> Option<Self> {
        fields.get(position).map(|field| Self { field, position })
    }

    /// The field with this name, if there is one.
    pub(super) fn find(fields: &'a [Field], name: &str) -> Result<Option<Self>, ExtensionErrorKind> {
        match field_index(fields, name) {
            Ok(position) => Ok(Self::new(fields, position)),
            Err(LookupError::Missing { .. }) => Ok(None),
            Err(error) => Err(ExtensionErrorKind::Lookup { path: FieldPath::root(), error }),
        }
    }

    /// The only field of this name.
    pub(super) fn named(fields: &'a [Field], name: &str) -> Result<Self, ExtensionErrorKind> {
        Self::find(fields, name)?.ok_or_else(|| missing(name))
    }

    /// Returns the result of `check` for the type of this field. Adds this field to the path of an error.
    pub(super) fn check<T>(
        &self,
        check: impl FnOnce(&DataType) -> Result<T, ExtensionErrorKind>,
    ) -> Result<T, ExtensionErrorKind> {
        check(self.field.data_type()).map_err(|kind| self.around(kind))
    }

    pub(super) fn expect_required(&self) -> Result<(), ExtensionErrorKind> {
        if self.field.is_nullable() {
            return Err(self.around(ExtensionErrorKind::Nullable { path: FieldPath::root() }));
        }
        Ok(())
    }

    /// Adds this field to the path of an error.
    fn around(&self, mut kind: ExtensionErrorKind) -> ExtensionErrorKind {
        if let ExtensionErrorKind::Storage { path, .. }
        | ExtensionErrorKind::Lookup { path, .. }
        | ExtensionErrorKind::Nullable { path } = &mut kind
        {
            let position = u32::try_from(self.position).unwrap_or(u32::MAX);
            path.prepend(PathStep::Child { position, name: self.field.to_shared_name() });
        }
        kind
    }
}

pub(super) fn missing(name: &str) -> ExtensionErrorKind {
    let error = LookupError::Missing { name: name.into() };
    ExtensionErrorKind::Lookup { path: FieldPath::root(), error }
}

/// The type of the values of a dictionary or run-end encoded type. Every other type is returned unchanged.
pub(super) fn encoded_values(data_type: &DataType) -> &DataType {
    match data_type.as_run_end_encoded() {
        Some(runs) => runs.values().data_type(),
        None => data_type.value_type(),
    }
}

/// Whether the type is binary with values of any length.
pub(super) fn is_binary(data_type: &DataType) -> bool {
    [DataType::Binary, DataType::LargeBinary, DataType::BinaryView].contains(data_type)
}
