//! The extension type `arrow.json`.

use crate::{
    DataType, ExtensionError, ExtensionErrorKind, ExtensionType,
    extension::{error::NameContext, storage::expect},
    parse::{Cursor, read_object},
};

/// Utf8 values that are JSON documents.
///
/// The metadata may be absent, empty or any JSON object. Its members are ignored, since reading the values needs none.
///
/// Specification: canonical extension types, "JSON".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Json;

impl Json {
    /// Whether a text is one JSON value, without white space around it. Strings must not have unpaired surrogates.
    ///
    /// ```
    /// use arrow_schema::Json;
    ///
    /// assert!(Json::is_value(r#"{"id": [1, 2]}"#) && Json::is_value("null"));
    /// assert!(!Json::is_value("{id: 1}") && !Json::is_value(" 1") && !Json::is_value(""));
    /// ```
    pub fn is_value(text: &str) -> bool {
        let mut cursor = Cursor::new(text);
        !text.starts_with(char::is_whitespace) && cursor.skip_json().is_ok() && cursor.end().is_ok()
    }
}

impl ExtensionType for Json {
    type Error = ExtensionError;

    const NAME: &'static str = "arrow.json";

    fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, ExtensionError> {
        let text = metadata.unwrap_or_default();
        if !text.is_empty() {
            let read = read_object(text, |_, _| Ok(false));
            read.map_err(ExtensionErrorKind::from).named(Self::NAME)?;
        }
        Self.check_storage(storage)?;
        Ok(Self)
    }

    fn metadata(&self) -> Option<String> {
        Some(String::new())
    }

    fn check_storage(&self, storage: &DataType) -> Result<(), ExtensionError> {
        expect(storage, "utf8, large_utf8 or utf8_view", DataType::is_text).named(Self::NAME)
    }
}
