//! The extension type `arrow.timestamp_with_offset`.

use crate::{
    DataType, ExtensionError, ExtensionErrorKind, ExtensionType, Field, TimeUnit,
    extension::{
        error::NameContext,
        storage::{Member, encoded_values, expect, missing, no_metadata, other_storage, struct_fields},
    },
};

/// Timestamps, each with its own offset from UTC in minutes.
///
/// The storage is a struct of `timestamp` and `offset_minutes`, in this order. The timestamp is in UTC. The offset may
/// be dictionary-encoded or run-end encoded. Both may be nullable: a null timestamp makes the slot null, and a null
/// offset means 0.
///
/// ```
/// use arrow_schema::{ExtensionType, Field, TimeUnit, TimestampWithOffset};
///
/// let timestamps = TimestampWithOffset::new(TimeUnit::Microsecond);
/// assert_eq!(
///     timestamps.storage().to_string(),
///     r#"struct<timestamp: timestamp(us, "UTC") not null, offset_minutes: int16 not null>"#
/// );
/// let field = Field::new("seen", timestamps.storage()).with_extension_type(&timestamps)?;
/// assert_eq!(field.extension_type()?, Some(timestamps));
/// # Ok::<(), arrow_schema::ExtensionError>(())
/// ```
///
/// Specification: canonical extension types, "Timestamp With Offset".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TimestampWithOffset {
    unit: TimeUnit,
}

const STORAGE: &str = "a struct of \"timestamp\" and \"offset_minutes\"";

impl TimestampWithOffset {
    /// An extension type of timestamps in this unit.
    pub fn new(unit: TimeUnit) -> Self {
        Self { unit }
    }

    /// The unit of the timestamps.
    pub fn unit(&self) -> TimeUnit {
        self.unit
    }

    /// The preferred storage: its fields are not nullable, and the offset is not encoded.
    pub fn storage(&self) -> DataType {
        DataType::struct_([
            Field::new("timestamp", DataType::timestamp_with_zone(self.unit, "UTC")).required(),
            Field::new("offset_minutes", DataType::Int16).required(),
        ])
    }
}

/// The field of the timestamps of a storage.
fn timestamps_of(storage: &DataType) -> Result<Member<'_>, ExtensionErrorKind> {
    let fields = struct_fields(storage, STORAGE)?;
    let timestamps = field_at(fields, 0, "timestamp")?;
    let offset = field_at(fields, 1, "offset_minutes")?;
    expect(storage, STORAGE, |_| fields.len() == 2)?;
    offset.check(|offset| {
        let expected = "int16, or dictionary-encoded or run-end encoded int16";
        expect(offset, expected, |offset| *encoded_values(offset) == DataType::Int16)
    })?;
    Ok(timestamps)
}

/// The unit of timestamps in UTC.
fn unit_of(timestamps: &DataType) -> Result<TimeUnit, ExtensionErrorKind> {
    match timestamps.as_timestamp() {
        Some((unit, Some("UTC"))) => Ok(unit),
        Some(_) | None => Err(other_storage("a timestamp of the zone \"UTC\"", timestamps)),
    }
}

fn field_at<'a>(fields: &'a [Field], position: usize, name: &str) -> Result<Member<'a>, ExtensionErrorKind> {
    Member::new(fields, position).filter(|member| member.field.name() == name).ok_or_else(|| missing(name))
}

impl ExtensionType for TimestampWithOffset {
    type Error = ExtensionError;

    const NAME: &'static str = "arrow.timestamp_with_offset";

    fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, ExtensionError> {
        no_metadata(metadata).named(Self::NAME)?;
        let unit = timestamps_of(storage).and_then(|timestamps| timestamps.check(unit_of));
        unit.named(Self::NAME).map(Self::new)
    }

    fn metadata(&self) -> Option<String> {
        Some(String::new())
    }

    fn check_storage(&self, storage: &DataType) -> Result<(), ExtensionError> {
        let check = |timestamps: &DataType| {
            let unit = unit_of(timestamps)?;
            expect(timestamps, "in the unit of the description", |_| unit == self.unit)
        };
        timestamps_of(storage).and_then(|timestamps| timestamps.check(check)).named(Self::NAME)
    }
}
