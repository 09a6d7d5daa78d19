//! Extension types: a meaning that an application gives to a type of the format.

use crate::{ExtensionType, Field, Metadata};

/// The metadata key of the name of an extension type.
pub const EXTENSION_NAME_KEY: &str = "ARROW:extension:name";

/// The metadata key of the parameters of an extension type.
pub const EXTENSION_METADATA_KEY: &str = "ARROW:extension:metadata";

/// The extension type of a field, as its metadata states it.
///
/// This is a view of the field's metadata. It gives no meaning to it: arrays are those of the field's own type, the
/// storage of the extension. [`Field::canonical_extension`] and [`Field::extension_type`] read what it says.
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
        let plain = self.without_extension();
        let named = plain.metadata().with(EXTENSION_NAME_KEY, extension.name);
        let metadata: Metadata = match extension.metadata {
            Some(parameters) => named.with(EXTENSION_METADATA_KEY, parameters),
            None => named,
        };
        plain.with_metadata(metadata)
    }

    /// The same field without an extension type: a field of the storage, with all other metadata.
    #[must_use]
    pub fn without_extension(self) -> Self {
        let others = self.metadata().without(EXTENSION_NAME_KEY).without(EXTENSION_METADATA_KEY);
        self.with_metadata(others)
    }

    /// The parameters of this extension type; `None` if the field has another one or none.
    ///
    /// # Errors
    ///
    /// Those of [`ExtensionType::parse`].
    pub fn extension_type<E: ExtensionType>(&self) -> Result<Option<E>, E::Error> {
        match self.extension() {
            Some(Extension { name, metadata }) if name == E::NAME => {
                E::parse(metadata, self.data_type()).map(Some)
            }
            Some(_) | None => Ok(None),
        }
    }

    /// The same field with this extension type in place of any that it had. Other metadata stays as it is, in its
    /// order, before it.
    ///
    /// # Errors
    ///
    /// Those of [`ExtensionType::check_storage`], for the type of the field.
    pub fn with_extension_type<E: ExtensionType>(self, extension: &E) -> Result<Self, E::Error> {
        extension.check_storage(self.data_type())?;
        let metadata = extension.metadata();
        Ok(self.with_extension(Extension { name: E::NAME, metadata: metadata.as_deref() }))
    }
}
