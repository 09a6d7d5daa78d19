//! Extension types: a meaning that an application gives to a type of the format.

use crate::{Field, Metadata};

/// The metadata key of the name of an extension type.
pub const EXTENSION_NAME_KEY: &str = "ARROW:extension:name";

/// The metadata key of the parameters of an extension type.
pub const EXTENSION_METADATA_KEY: &str = "ARROW:extension:metadata";

/// The extension type of a field, as its metadata states it.
///
/// This is a view of the field's metadata. The crate gives no meaning to it: arrays are those of the field's
/// own type, the storage of the extension.
///
/// Specification: columnar format, "Extension Types".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Extension<'a> {
    /// The name, by which applications know the type.
    pub name: &'a str,
    /// The parameters in a form of the extension's own; absent is not the same as empty.
    pub metadata: Option<&'a str>,
}

impl Field {
    /// The extension type of this field, if its metadata names one.
    ///
    /// ```
    /// use arrow_schema::{DataType, Extension, Field};
    ///
    /// let uuid = Extension { name: "arrow.uuid", metadata: None };
    /// let field = Field::new("id", DataType::FixedSizeBinary(16.into())).with_extension(uuid);
    /// assert_eq!(field.extension(), Some(uuid));
    /// ```
    pub fn extension(&self) -> Option<Extension<'_>> {
        let name = self.metadata().get(EXTENSION_NAME_KEY)?;
        Some(Extension { name, metadata: self.metadata().get(EXTENSION_METADATA_KEY) })
    }

    /// The same field with this extension type in place of any that it had.
    #[must_use]
    pub fn with_extension(self, extension: Extension<'_>) -> Self {
        let others: Metadata = self.metadata().without(EXTENSION_NAME_KEY).without(EXTENSION_METADATA_KEY);
        let named = others.with(EXTENSION_NAME_KEY, extension.name);
        let metadata = match extension.metadata {
            Some(parameters) => named.with(EXTENSION_METADATA_KEY, parameters),
            None => named,
        };
        self.with_metadata(metadata)
    }
}
