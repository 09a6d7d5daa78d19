//! The extension type `arrow.parquet.variant`.

use crate::{
    DataType, ExtensionError, ExtensionErrorKind, ExtensionType, Field, TimeUnit, Uuid,
    extension::{
        error::NameContext,
        storage::{Member, encoded_values, expect, is_binary, missing, no_metadata, struct_fields},
    },
};

/// Values of any type, in the variant encoding of Parquet, possibly shredded.
///
/// The storage is a struct of `metadata`, and of `value`, `typed_value` or both, in any order. `metadata` may be
/// dictionary-encoded or run-end encoded. Other fields are ignored.
///
/// ```
/// use arrow_schema::{ExtensionType, Field, ParquetVariant};
///
/// let field = Field::new("event", ParquetVariant.storage()).with_extension_type(&ParquetVariant)?;
/// assert_eq!(field.extension_type()?, Some(ParquetVariant));
/// assert_eq!(field.to_string(), "event: struct<metadata: binary not null, value: binary>");
/// # Ok::<(), arrow_schema::ExtensionError>(())
/// ```
///
/// Specification: canonical extension types, "Parquet Variant".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ParquetVariant;

const STORAGE: &str = "a struct of \"metadata\" and \"value\" or \"typed_value\"";
const GROUP: &str = "a struct of \"value\" or \"typed_value\"";
const BINARY: &str = "binary, large_binary or binary_view";

impl ParquetVariant {
    /// The storage of values that are not shredded.
    pub fn storage(&self) -> DataType {
        DataType::struct_([
            Field::new("metadata", DataType::Binary).required(),
            Field::new("value", DataType::Binary),
        ])
    }
}

fn check(storage: &DataType) -> Result<(), ExtensionErrorKind> {
    let fields = struct_fields(storage, STORAGE)?;
    let metadata = Member::named(fields, "metadata")?;
    metadata.check(|metadata| {
        let expected = "binary, large_binary or binary_view, dictionary-encoded or run-end encoded or not";
        expect(metadata, expected, |metadata| is_binary(encoded_values(metadata)))
    })?;
    metadata.expect_required()?;
    check_group(fields)
}

/// Checks `value` and `typed_value`. Recurses twice per level of shredding.
fn check_group(fields: &[Field]) -> Result<(), ExtensionErrorKind> {
    let value = Member::find(fields, "value")?;
    let typed_value = Member::find(fields, "typed_value")?;
    if let Some(value) = value {
        value.check(|value| expect(value, BINARY, is_binary))?;
    }
    match typed_value {
        Some(typed_value) => typed_value.check(|_| check_typed_value(typed_value.field)),
        None if value.is_some() => Ok(()),
        None => Err(missing("value")),
    }
}

fn check_typed_value(field: &Field) -> Result<(), ExtensionErrorKind> {
    let data_type = field.data_type();
    let is_group = data_type.as_struct().is_some() || LISTS.contains(&data_type.name());
    if !is_group {
        return expect(data_type, "a type that variants have", |_| is_primitive(field));
    }
    for position in 0..data_type.children().len() {
        let Some(child) = Member::new(data_type.children(), position) else { continue };
        child.check(|child| check_group(struct_fields(child, GROUP)?))?;
        child.expect_required()?;
    }
    Ok(())
}

/// The types of lists whose items may be shredded.
const LISTS: [&str; 3] = ["list", "large_list", "list_view"];

/// The types of the primitive values of variants, with any parameters.
const PRIMITIVES: [&str; 22] = [
    "null",
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "float32",
    "float64",
    "decimal32",
    "decimal64",
    "decimal128",
    "date32",
    "time64",
    "binary",
    "large_binary",
    "binary_view",
    "utf8",
    "large_utf8",
    "utf8_view",
];

fn is_primitive(field: &Field) -> bool {
    let data_type = field.data_type();
    match data_type.as_timestamp() {
        Some((unit, zone)) => {
            [TimeUnit::Microsecond, TimeUnit::Nanosecond].contains(&unit)
                && matches!(zone, None | Some("UTC"))
        }
        None => {
            PRIMITIVES.contains(&data_type.name()) || matches!(field.extension_type::<Uuid>(), Ok(Some(Uuid)))
        }
    }
}

impl ExtensionType for ParquetVariant {
    type Error = ExtensionError;

    const NAME: &'static str = "arrow.parquet.variant";

    fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, ExtensionError> {
        no_metadata(metadata).named(Self::NAME)?;
        Self.check_storage(storage)?;
        Ok(Self)
    }

    fn metadata(&self) -> Option<String> {
        Some(String::new())
    }

    fn check_storage(&self, storage: &DataType) -> Result<(), ExtensionError> {
        check(storage).named(Self::NAME)
    }
}
