//! Names in maps. The format recommends names, which some writers use instead of the names in the schema.

use arrow_schema::{DataType, DictionaryType, Field, Schema, TypeError};

/// The same schema, with the recommended names in all maps: `entries`, `key` and `value`.
pub(super) fn with_usual_names(schema: &Schema) -> Result<Schema, TypeError> {
    let fields: Result<Vec<Field>, TypeError> = schema.fields().iter().map(rename_below).collect();
    Ok(Schema::new(fields?).with_metadata(schema.metadata().clone()))
}

fn rename_below(field: &Field) -> Result<Field, TypeError> {
    Ok(field.clone().with_data_type(renamed(field.data_type())?))
}

fn renamed(data_type: &DataType) -> Result<DataType, TypeError> {
    if let Some(dictionary) = data_type.as_dictionary() {
        let value = renamed(dictionary.value())?;
        return Ok(DictionaryType::try_new(dictionary.index(), value, dictionary.order())?.into());
    }
    let mut children: Vec<Field> = data_type.children().iter().map(rename_below).collect::<Result<_, _>>()?;
    if data_type.as_map().is_some() {
        for entries in &mut children {
            let pair = entries.children().iter().zip(["key", "value"]);
            let pair = pair.map(|(field, name)| field.clone().with_name(name)).collect();
            *entries =
                entries.clone().with_data_type(entries.data_type().with_children(pair)?).with_name("entries");
        }
    }
    data_type.with_children(children)
}
