//! Finds the columns with dictionaries.

use arrow_schema::{Field, Schema};

/// The positions of the columns that are dictionaries, or have some inside.
pub fn dictionary_columns(schema: &Schema) -> Vec<usize> {
    let has_dictionaries = |field: &Field| {
        let column = Schema::new([field.clone()]);
        column.fields_in_pre_order().any(|field| field.data_type().is_dictionary())
    };
    let fields = schema.fields().iter().enumerate().filter(|(_, field)| has_dictionaries(field));
    fields.map(|(position, _)| position).collect()
}
