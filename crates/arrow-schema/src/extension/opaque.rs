//! The extension type `arrow.opaque`.

use crate::{
    DataType, ExtensionError, ExtensionErrorKind, ExtensionType, QuotedText, extension::error::NameContext,
    parse::read_object,
};

/// A type of another system that has no equivalent in Arrow. The metadata names the type and the system.
///
/// The storage contains as much of each value as the producer can express. It is [`DataType::Null`] if the producer has
/// no data.
///
/// ```
/// use arrow_schema::{DataType, ExtensionType, Field, Opaque};
///
/// let opaque = Opaque::new("geometry", "PostGIS");
/// assert_eq!(opaque.metadata().unwrap(), r#"{"type_name":"geometry","vendor_name":"PostGIS"}"#);
///
/// let field = Field::new("area", DataType::Binary).with_extension_type(&opaque)?;
/// assert_eq!(field.extension_type()?, Some(opaque));
/// # Ok::<(), arrow_schema::ExtensionError>(())
/// ```
///
/// Specification: canonical extension types, "Opaque".
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Opaque {
    type_name: String,
    vendor_name: String,
}

impl Opaque {
    /// The type that is called `type_name` in the system `vendor_name`.
    pub fn new(type_name: impl Into<String>, vendor_name: impl Into<String>) -> Self {
        Self { type_name: type_name.into(), vendor_name: vendor_name.into() }
    }

    /// The name of the type in the other system.
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The name of the other system.
    pub fn vendor_name(&self) -> &str {
        &self.vendor_name
    }

    fn read(text: &str) -> Result<Self, ExtensionErrorKind> {
        let mut type_name = None;
        let mut vendor_name = None;
        read_object(text, |name, cursor| {
            match name {
                "type_name" => type_name = Some(cursor.json_text()?),
                "vendor_name" => vendor_name = Some(cursor.json_text()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let missing = |name| ExtensionErrorKind::MissingMember { name };
        Ok(Self::new(
            type_name.ok_or_else(|| missing("type_name"))?,
            vendor_name.ok_or_else(|| missing("vendor_name"))?,
        ))
    }
}

impl ExtensionType for Opaque {
    type Error = ExtensionError;

    const NAME: &'static str = "arrow.opaque";

    fn parse(metadata: Option<&str>, _storage: &DataType) -> Result<Self, ExtensionError> {
        Self::read(metadata.unwrap_or_default()).named(Self::NAME)
    }

    fn metadata(&self) -> Option<String> {
        let (type_name, vendor_name) = (QuotedText(&self.type_name), QuotedText(&self.vendor_name));
        Some(format!(r#"{{"type_name":{type_name},"vendor_name":{vendor_name}}}"#))
    }

    fn check_storage(&self, _storage: &DataType) -> Result<(), ExtensionError> {
        Ok(())
    }
}
