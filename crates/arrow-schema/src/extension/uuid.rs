//! The extension type `arrow.uuid`.

use crate::{
    DataType, ExtensionError, ExtensionType, FixedSize,
    extension::{
        error::NameContext,
        storage::{expect, no_metadata},
    },
};

/// UUIDs of 16 bytes. The most significant byte is the first.
///
/// The type is written without metadata: all implementations accept this.
///
/// Specification: canonical extension types, "UUID".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Uuid;

impl Uuid {
    /// The storage: binary of 16 bytes.
    pub fn storage(&self) -> DataType {
        DataType::FixedSizeBinary(FixedSize::from(16))
    }
}

impl ExtensionType for Uuid {
    type Error = ExtensionError;

    const NAME: &'static str = "arrow.uuid";

    fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, ExtensionError> {
        no_metadata(metadata).named(Self::NAME)?;
        Self.check_storage(storage)?;
        Ok(Self)
    }

    fn metadata(&self) -> Option<String> {
        None
    }

    fn check_storage(&self, storage: &DataType) -> Result<(), ExtensionError> {
        expect(storage, "fixed_size_binary(16)", |found| *found == self.storage()).named(Self::NAME)
    }
}
