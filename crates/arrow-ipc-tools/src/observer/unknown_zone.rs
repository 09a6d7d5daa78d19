//! Finds time zones that nothing knows.

use arrow_ipc::IpcSchema;
use arrow_schema::FieldPath;

/// A time zone that is no offset such as `+05:30` and no name of the time zone database, and the first field that has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownZone {
    /// The path to the field.
    pub field: FieldPath,
    /// The time zone of the type.
    pub zone: String,
}

impl UnknownZone {
    /// Finds the first timestamp whose time zone is unknown. An empty zone is as none. Without the feature `time-zones`, no
    /// names are known, and nothing is found.
    #[cfg_attr(not(feature = "time-zones"), expect(unused_variables, reason = "nothing is found"))]
    pub fn find(schema: &IpcSchema) -> Option<UnknownZone> {
        #[cfg(not(feature = "time-zones"))]
        return None;
        #[cfg(feature = "time-zones")]
        {
            let zones = arrow_array::TimeZones::database();
            let mut unknown = None;
            let field = schema.schema().path_of_first(|field| {
                let zone = field.data_type().value_type().as_timestamp().and_then(|(_, zone)| zone);
                unknown =
                    zone.filter(|zone| !zone.is_empty() && zones.find(zone).is_none()).map(str::to_owned);
                unknown.is_some()
            })?;
            Some(UnknownZone { field, zone: unknown? })
        }
    }
}
