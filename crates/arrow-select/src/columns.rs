//! Applies functions to the columns of a schema.

use arrow_schema::{Field, Schema};

use crate::error::SelectError;

/// Applies `of` to each column and its field. Errors name the field.
pub(crate) fn each<C, T>(
    schema: &Schema,
    columns: impl IntoIterator<Item = C>,
    mut of: impl FnMut(&Field, C) -> Result<T, SelectError>,
) -> impl Iterator<Item = Result<T, SelectError>> {
    schema.fields().iter().zip(columns).enumerate().map(move |(position, (field, column))| {
        of(field, column).map_err(|error| error.in_field(position, field.name()))
    })
}
