//! Finds names, time zones and custom metadata that are not UTF-8. Readers accept them, since no value needs them.

use arrow_schema::{DataType, Field, FieldPath, Metadata, is_not_utf8};

use super::IpcSchema;
use crate::error::{FormatError, FormatErrorKind, Result};

impl IpcSchema {
    /// Checks that all names, time zones and custom metadata are UTF-8. The format requires it, but readers
    /// [escape](arrow_schema::decode_text) what is not, unless they are strict.
    ///
    /// # Errors
    /// For the first text that is not UTF-8.
    pub fn check_utf8(&self) -> Result<()> {
        let schema = self.schema();
        let Some(what) = schema.fields_in_pre_order().find_map(part_not_utf8) else {
            return check_metadata_utf8(schema.metadata());
        };
        let path =
            || schema.path_of_first(|field| part_not_utf8(field).is_some()).unwrap_or_else(FieldPath::root);
        Err(FormatError::from(FormatErrorKind::NotUtf8 { what }).in_field(&path))
    }
}

/// Checks that all keys and values are UTF-8.
///
/// # Errors
/// If one is not.
pub fn check_metadata_utf8(metadata: &Metadata) -> Result<()> {
    if metadata.is_utf8() { Ok(()) } else { Err(FormatErrorKind::NotUtf8 { what: METADATA }.into()) }
}

const METADATA: &str = "custom metadata";

fn part_not_utf8(field: &Field) -> Option<&'static str> {
    if is_not_utf8(field.name()) {
        return Some("the name");
    }
    if let DataType::Timestamp(_, Some(zone)) = field.data_type().value_type()
        && is_not_utf8(zone)
    {
        return Some("the time zone");
    }
    (!field.metadata().is_utf8()).then_some(METADATA)
}
