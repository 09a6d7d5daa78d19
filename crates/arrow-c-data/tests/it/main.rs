//! Tests of the C interfaces through the public API. The producer in `foreign` counts which structures are released.

mod consumer;
mod device;
mod foreign;
mod hostile;
mod mutated;
mod offsets;
mod round_trip;
mod schemas;
mod streams;

/// All types, except timestamps with an empty time zone: the interface has the same form for an empty and for no time
/// zone.
fn types() -> Vec<(String, arrow_schema::DataType)> {
    let mut types = testing_support::all_types();
    types.retain(|(_, data_type)| data_type.as_timestamp().is_none_or(|(_, zone)| zone != Some("")));
    types
}

/// A schema with a field for each of [`types`].
fn schema_of_types() -> arrow_schema::Schema {
    types().into_iter().map(|(name, data_type)| arrow_schema::Field::new(name, data_type)).collect()
}
