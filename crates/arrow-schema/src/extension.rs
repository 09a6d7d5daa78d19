//! Rust types that describe extension types, and that check their metadata and their storage.
//!
//! [`Field::extension`](crate::Field::extension) returns the name and the metadata of any extension type, even if no
//! Rust type describes it.

mod bool8;
mod canonical;
mod dimensions;
mod error;
mod fixed_shape_tensor;
mod json;
mod opaque;
mod parquet_variant;
mod storage;
mod timestamp_with_offset;
mod uuid;
mod variable_shape_tensor;

use crate::DataType;

pub use self::{
    bool8::Bool8,
    canonical::CanonicalExtension,
    error::{ExtensionError, ExtensionErrorKind},
    fixed_shape_tensor::FixedShapeTensor,
    json::Json,
    opaque::Opaque,
    parquet_variant::ParquetVariant,
    timestamp_with_offset::TimestampWithOffset,
    uuid::Uuid,
    variable_shape_tensor::VariableShapeTensor,
};

/// A Rust type that describes one extension type: it reads, checks and writes the metadata, and checks the storage.
///
/// [`CanonicalExtension`] describes the types of the Arrow project. An application implements this trait for its own
/// types. [`Field::extension_type`](crate::Field::extension_type) reads the description of a field, and
/// [`Field::with_extension_type`](crate::Field::with_extension_type) writes it.
///
/// ```
/// use arrow_schema::{DataType, ExtensionType, Field};
///
/// /// Lengths, in some unit.
/// #[derive(Debug, PartialEq)]
/// struct Length {
///     unit: String,
/// }
///
/// impl ExtensionType for Length {
///     type Error = &'static str;
///
///     const NAME: &'static str = "example.length";
///
///     fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, Self::Error> {
///         let length = Self { unit: metadata.unwrap_or("m").to_owned() };
///         length.check_storage(storage)?;
///         Ok(length)
///     }
///
///     fn metadata(&self) -> Option<String> {
///         Some(self.unit.clone())
///     }
///
///     fn check_storage(&self, storage: &DataType) -> Result<(), Self::Error> {
///         if storage.is_floating_point() { Ok(()) } else { Err("lengths are floating-point numbers") }
///     }
/// }
///
/// let length = Length { unit: "mm".to_owned() };
/// let field = Field::new("width", DataType::Float64).with_extension_type(&length)?;
/// assert_eq!(field.extension_type(), Ok(Some(length)));
/// assert_eq!(Field::new("width", DataType::Float64).extension_type::<Length>(), Ok(None));
/// # Ok::<(), &'static str>(())
/// ```
pub trait ExtensionType: Sized {
    /// The reason why a field with the name of the extension is not of this type.
    type Error;

    /// The name of the extension type in the metadata of fields.
    const NAME: &'static str;

    /// Makes the extension type from the metadata and the storage type of a field whose extension name is [`NAME`](Self::NAME).
    ///
    /// # Errors
    ///
    /// If the metadata is malformed, or the storage has another type.
    fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, Self::Error>;

    /// The metadata to write for this extension type. `None` writes no metadata, which is not the same as an empty
    /// text. Equal values return equal text.
    fn metadata(&self) -> Option<String>;

    /// Checks that the extension allows this storage type.
    ///
    /// # Errors
    ///
    /// If the extension does not allow this storage type.
    fn check_storage(&self, storage: &DataType) -> Result<(), Self::Error>;
}
