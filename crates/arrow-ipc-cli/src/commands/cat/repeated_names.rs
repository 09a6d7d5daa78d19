//! Renames columns whose names repeat, because a JSON object can have each name only once.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use arrow_schema::{QuotedName, Schema};

use crate::context::Context;

/// How JSON shows columns whose names repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands::cat) enum RepeatedNames {
    /// Rows are objects. If a name repeats, all columns except the first get a number: `id`, `id_1`.
    Numbered,
    /// Rows are arrays of pairs of name and value.
    Pairs,
}

/// Makes the names of columns distinct, and writes a note about the new names; `None` if no name repeats.
pub(in crate::commands::cat) fn distinct(context: &Context, schema: &Schema) -> Option<Arc<Schema>> {
    let names: HashSet<&str> = schema.fields().iter().map(|field| field.name()).collect();
    if names.len() == schema.fields().len() {
        return None;
    }
    let mut n_before: HashMap<&str, u64> = HashMap::new();
    let mut added: Vec<String> = Vec::new();
    let mut fields = schema.fields().to_vec();
    let mut taken: HashSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    for (field, old) in fields.iter_mut().zip(schema.fields()) {
        match n_before.get_mut(old.name()) {
            None => drop(n_before.insert(old.name(), 0)),
            Some(number) => loop {
                *number = number.saturating_add(1);
                let name = format!("{}_{number}", old.name());
                if taken.insert(name.clone()) {
                    *field = old.clone().with_name(name.as_str());
                    added.push(QuotedName(&name).to_string());
                    break;
                }
            },
        }
    }
    let n_more = added.len().saturating_sub(MAX_REPORTED);
    added.truncate(MAX_REPORTED);
    let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
    context.note(&format!(
        "several columns have the same name; in JSON, the later ones are called {}{more}; `cat --json-pairs` writes names as they are",
        added.join(", ")
    ));
    Some(Arc::new(Schema::new(fields).with_metadata(schema.metadata().clone())))
}

/// The maximal number of new names that the note lists.
const MAX_REPORTED: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_has_a_name() {
        let cases = [
            ("a: int8\nb: int8", None),
            ("a: int8\na: utf8\na: int8", Some("a: int8\na_1: utf8\na_2: int8")),
            ("a: int8\na_1: utf8\na: int8\na: int8", Some("a: int8\na_1: utf8\na_2: int8\na_3: int8")),
            ("\"\": int8\n\"\": utf8", Some("\"\": int8\n_1: utf8")),
            ("a: int8\na: int8\na_1: int8\na_1: int8", Some("a: int8\na_2: int8\na_1: int8\na_1_1: int8")),
        ];
        for (schema, expected) in cases {
            let found =
                distinct(&Context::default(), &schema.parse().unwrap()).map(|schema| schema.to_string());
            assert_eq!(found.as_deref(), expected, "{schema}");
        }
        // With this many columns, an algorithm with quadratic time would be slow.
        let many: Schema =
            (0..50_000).map(|_| arrow_schema::Field::new("a", arrow_schema::DataType::Int8)).collect();
        let names: HashSet<String> = distinct(&Context::default(), &many)
            .unwrap()
            .fields()
            .iter()
            .map(|field| field.name().to_owned())
            .collect();
        assert_eq!(names.len(), 50_000);
    }
}
