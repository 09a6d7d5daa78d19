//! Converts columns with dictionaries to columns without dictionaries.

use arrow_schema::{DataType, Field, Schema};

use super::finding::Remedy;
use crate::name::name_of_option;

/// The columns with dictionaries. Values cannot be appended to an ordered dictionary without breaking its order, so
/// ordered dictionaries of several batches can only be joined if each begins with the values of the previous one. After
/// a cast to plain values, batches can always be joined.
pub(super) struct PlainColumns {
    /// The argument of `--cast` for each column, `COLUMN=TYPE`; `None` if one of the names belongs to several columns.
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

    /// The conversion with these options that casts all of these columns; `None` if several columns have one name.
    pub(super) fn remedy(&self, options: &[&str]) -> Option<Remedy> {
        let casts = self.casts.as_ref().filter(|casts| !casts.is_empty())?;
        let casts = casts.iter().flat_map(|cast| ["--cast", cast]);
        let options = options.iter().copied().chain(casts).map(str::to_owned).collect();
        Some(Remedy { command: "convert", options })
    }
}

/// The type without its dictionaries; `None` if it contains no dictionary.
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
    // The number of children is unchanged, so this does not fail.
    data_type.with_children(children.collect()).ok()
}
