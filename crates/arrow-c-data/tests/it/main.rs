//! Tests of the C interfaces through the public API. The producer in `foreign` counts which structures are released.

mod consumer;
mod cost_laws;
mod device;
mod foreign;
mod hostile;
mod mutated;
mod offsets;
mod round_trip;
mod schemas;
mod streams;

use arrow_schema::DataType;
use testing_support::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// All types, except timestamps with an empty time zone: the interface has the same form for an empty and for no time
/// zone.
fn types() -> Vec<(String, DataType)> {
    let mut types = testing_support::all_types();
    let is_empty =
        |data_type: &DataType| matches!(data_type, DataType::Timestamp(_, Some(zone)) if zone.is_empty());
    types.retain(|(_, data_type)| !is_empty(data_type));
    types
}

/// A schema with a field for each of [`types`].
fn schema_of_types() -> arrow_schema::Schema {
    types().into_iter().map(|(name, data_type)| arrow_schema::Field::new(name, data_type)).collect()
}
