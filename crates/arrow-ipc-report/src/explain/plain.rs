//! Converts columns with dictionaries to columns without dictionaries.

use arrow_schema::{DataType, Field, Schema};

use super::finding::Change;

/// Casts of all columns with dictionaries to plain columns. An ordered dictionary cannot get new values without breaking
/// its order. Ordered dictionaries of several batches can therefore only be joined if each begins with the values of the
/// previous one. Plain columns can always be joined. `None` if there is no such column, or if several columns have one
/// of these names.
pub(super) fn plain_columns(schema: &Schema) -> Option<Vec<Change>> {
    let fields = schema.fields().iter().filter_map(|field| Some((field, plain(field.data_type())?)));
    let cast = |(field, data_type): (&Field, DataType)| {
        let is_one = schema.index_of(field.name()).is_ok();
        is_one.then(|| Change::Cast { column: field.name().to_owned(), data_type })
    };
    let casts: Vec<Change> = fields.map(cast).collect::<Option<_>>()?;
    if casts.is_empty() { None } else { Some(casts) }
}

/// The type with the values of dictionaries instead of dictionaries; `None` if it contains no dictionary.
fn plain(data_type: &DataType) -> Option<DataType> {
    if let Some(dictionary) = data_type.as_dictionary() {
        return Some(plain(dictionary.value()).unwrap_or_else(|| dictionary.value().clone()));
    }
    let children: Vec<_> = data_type.children().iter().map(|child| plain(child.data_type())).collect();
    if children.iter().all(Option::is_none) {
        return None;
    }
    let children = data_type.children().iter().zip(children).map(|(child, plain)| match plain {
        Some(data_type) => child.clone().with_data_type(data_type),
        None => child.clone(),
    });
    // The number of children is the same, so this does not fail.
    data_type.with_children(children.collect()).ok()
}
