//! How columns are named in a predicate.

use arrow_schema::{FieldPath, LookupError, Quoted, Schema};

use super::text;

/// The name or path as it can be written in a predicate: quoted if it would be read as something else.
pub(super) fn quoted_if_needed(name: String) -> String {
    if text::is_column(&name) { name } else { Quoted(&name).to_string() }
}

/// The column of this name; if there is none, the field at this path.
pub(super) fn find(schema: &Schema, text: &str) -> Result<FieldPath, LookupError> {
    let missing = match schema.index_of(text) {
        Ok(idx) => {
            let position = u32::try_from(idx);
            let out_of_range = LookupError::OutOfRange { position: idx, n_fields: schema.fields().len() };
            return Ok(FieldPath::root().child(position.map_err(|_| out_of_range)?, text));
        }
        Err(missing @ LookupError::Missing { .. }) => missing,
        Err(error) => return Err(error),
    };
    match schema.path(text) {
        Err(LookupError::NoPath(_)) => Err(missing),
        Ok(path) if path.is_root() => Err(missing),
        found => found,
    }
}
