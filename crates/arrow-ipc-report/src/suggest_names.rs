//! Suggests names for a column or field that does not exist.

use arrow_schema::{
    DataType, Field, FieldPath, LookupError, PathStep, QuotedName, Schema, did_you_mean, is_similar_name,
};

/// Suggests names that are similar to a name that was not found, or lists all names. If there are too many, lists the
/// first ones, and adds `has_all`, a text that says how to list all. `None` if the error is not about a missing name.
pub fn suggest_names(error: &LookupError, schema: &Schema, has_all: &str) -> Option<String> {
    match error {
        LookupError::Missing { name } => Some(match whole_column_of(name, schema) {
            Some(outer) => format!("only whole columns can be named here: {}", QuotedName(outer)),
            None => names_in(schema.fields(), name, "columns", has_all),
        }),
        LookupError::Within { path, error } => {
            let field = schema.field_by_path(path)?;
            let whole = || Some(format!("select the whole field: {}", option_of_path(path)));
            match &**error {
                LookupError::Missing { .. } if field.children().is_empty() => whole(),
                LookupError::Missing { name } => {
                    Some(names_in(field.children(), name, "fields there", has_all))
                }
                LookupError::Ambiguous { .. }
                | LookupError::OutOfRange { .. }
                | LookupError::NoPath(_)
                | LookupError::NoDictionary
                | LookupError::Within { .. } => whole(),
            }
        }
        LookupError::Ambiguous { .. }
        | LookupError::OutOfRange { .. }
        | LookupError::NoPath(_)
        | LookupError::NoDictionary => None,
    }
}

/// The end of a hint about a name of CSV that was not found: if all columns are text and no name is similar, the line of
/// names may be a row. Otherwise empty.
pub fn suggest_no_header(error: &LookupError, schema: &Schema) -> &'static str {
    let may_be_value = |field: &Field| *field.data_type() == DataType::Utf8 && field.name() != "c0";
    if !has_similar_names(error, schema) && schema.fields().iter().all(may_be_value) {
        "; if these are values of the first row, --from-no-header reads it as c0, c1 and so on"
    } else {
        ""
    }
}

/// Whether [`suggest_names`] suggests similar names.
fn has_similar_names(error: &LookupError, schema: &Schema) -> bool {
    let is_similar =
        |fields: &[Field], name: &str| did_you_mean(name, fields.iter().map(Field::name)).is_some();
    match error {
        LookupError::Missing { name } => {
            whole_column_of(name, schema).is_none() && is_similar(schema.fields(), name)
        }
        LookupError::Within { path, error } => match (&**error, schema.field_by_path(path)) {
            (LookupError::Missing { name }, Some(field)) => is_similar(field.children(), name),
            _ => false,
        },
        LookupError::Ambiguous { .. }
        | LookupError::OutOfRange { .. }
        | LookupError::NoPath(_)
        | LookupError::NoDictionary => false,
    }
}

/// The column of a path, if only whole columns have names, and no other column has a similar name.
fn whole_column_of<'a>(name: &'a str, schema: &Schema) -> Option<&'a str> {
    let (outer, inner) = name.split_once('.')?;
    let is_meant = |field: &Field| outer != field.name() && is_similar_name(name, field.name());
    let is_path = !inner.is_empty() && schema.index_of(outer).is_ok();
    (is_path && !schema.fields().iter().any(is_meant)).then_some(outer)
}

/// A sentence with the names that are similar to `name`, or with all names if none are similar.
fn names_in(fields: &[Field], name: &str, what: &str, has_all: &str) -> String {
    if let Some(question) = did_you_mean(name, fields.iter().map(Field::name)) {
        return question;
    }
    let all: Vec<&str> = fields.iter().map(|field| field.name()).collect();
    match all.get(..MAX_LISTED) {
        None if all.is_empty() => format!("there are no {what}"),
        None => format!("the {what} are: {}", list(&all)),
        Some(first) => {
            let n_more = all.len().saturating_sub(first.len());
            format!("the {what} are: {} and {n_more} more, which {has_all}", list(first))
        }
    }
}

const MAX_LISTED: usize = 20;

/// Lists names with commas, quoted as `--columns` accepts them.
fn list(names: &[&str]) -> String {
    names.iter().map(|name| QuotedName(name).to_string()).collect::<Vec<_>>().join(", ")
}

/// Writes a path, quoted as `--columns` accepts it.
fn option_of_path(path: &FieldPath) -> String {
    let names = path.steps().iter().filter_map(|step| match step {
        PathStep::Child { name, .. } => Some(QuotedName(name).to_string()),
        // Only paths that are not written with names have dictionary steps.
        PathStep::Dictionary => None,
    });
    names.collect::<Vec<_>>().join(".")
}
