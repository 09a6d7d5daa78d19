//! Converts columns with dictionaries to columns without dictionaries.

use arrow_schema::{DataType, Field, Schema};

use super::finding::Remedy;
use crate::name::name_of_option;

/// The columns with dictionaries, as plain columns. An ordered dictionary cannot get new values without breaking its
/// order. Ordered dictionaries of several batches can therefore only be joined if each begins with the values of the
/// previous one. Plain columns can always be joined.
pub(super) struct PlainColumns {
    /// For each column, `COLUMN=TYPE`, the argument of `--cast`. `None` if several columns have one of these names.
    casts: Option<Vec<String>>,
}

impl PlainColumns {
    pub(super) fn of(schema: &Schema) -> PlainColumns {
        let fields = schema.fields().iter().filter_map(|field| Some((field, plain(field.data_type())?)));
        let cast = |(field, data_type): (&Field, DataType)| {
            let name = name_of_option(field.name());
            schema.index_of(field.name()).is_ok().then(|| format!("{name}={data_type}"))
        };
        PlainColumns { casts: fields.map(cast).collect() }
    }

    /// The conversion that casts all of these columns and has these options; `None` if several columns have one name.
    pub(super) fn remedy(&self, options: &[&str]) -> Option<Remedy> {
        let casts = self.casts.as_ref().filter(|casts| !casts.is_empty())?;
        let casts = casts.iter().flat_map(|cast| ["--cast", cast]);
        let options = options.iter().copied().chain(casts).map(str::to_owned).collect();
        Some(Remedy { command: "convert", options })
    }
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
