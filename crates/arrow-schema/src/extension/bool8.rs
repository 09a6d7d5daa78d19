//! The extension type `arrow.bool8`.

use crate::{
    DataType, ExtensionError, ExtensionType,
    extension::{
        error::NameContext,
        storage::{expect, no_metadata},
    },
};

/// Booleans of one byte each: 0 is false, all other values are true. Writers should use 1.
///
/// Specification: canonical extension types, "8-bit Boolean".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bool8;

impl Bool8 {
    /// The storage: integers of 8 bits.
    pub fn storage(&self) -> DataType {
        DataType::Int8
    }
}

impl ExtensionType for Bool8 {
    type Error = ExtensionError;

    const NAME: &'static str = "arrow.bool8";

    fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, ExtensionError> {
        no_metadata(metadata).named(Self::NAME)?;
        Self.check_storage(storage)?;
        Ok(Self)
    }

    fn metadata(&self) -> Option<String> {
        Some(String::new())
    }

    fn check_storage(&self, storage: &DataType) -> Result<(), ExtensionError> {
        expect(storage, "int8", |found| *found == self.storage()).named(Self::NAME)
    }
}
