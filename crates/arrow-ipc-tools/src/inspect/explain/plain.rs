//! Columns with dictionaries, converted to columns without.

use arrow_schema::{DataType, Field, Schema};

use super::rules::Remedy;
use crate::name::name_of_option;

/// The columns with dictionaries, if some dictionaries are ordered. Appended values would lose their order. So they are
/// only joined if each begins with the previous one. With plain values, the columns can always be written.
pub(super) struct PlainColumns {
    /// `COLUMN=TYPE` for each, as the program takes it after `--cast`; `None` if several columns have one of the names.
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

    /// The conversion that casts all of these columns, and has these options; `None` if it cannot name the columns.
    pub(super) fn remedy(&self, options: &[&str]) -> Option<Remedy> {
        let casts = self.casts.as_ref().filter(|casts| !casts.is_empty())?;
        let casts = casts.iter().flat_map(|cast| ["--cast", cast]);
        let options = options.iter().copied().chain(casts).map(str::to_owned).collect();
        Some(Remedy { command: "convert", options })
    }
}

/// The type with plain values; `None` if it has no dictionary.
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
    // A kind takes as many children as it has.
    data_type.with_children(children.collect()).ok()
}
