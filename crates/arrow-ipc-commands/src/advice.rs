//! Hints for names that do not exist.

use arrow_compute::{Digits, cast};
use arrow_data::ArrayData;
use arrow_ipc_tools::{name_of_option, quoted};
use arrow_schema::{
    Field, FieldPath, LookupError, PathStep, QuotedName, Schema, SchemaDifference, SchemaDifferenceKind,
};

/// A hint for a name that was not found: names like it, or all names.
pub(crate) fn advice(error: &LookupError, schema: &Schema) -> Option<String> {
    match error {
        LookupError::Missing { name } => Some(other_names(name, schema.fields(), "columns")),
        LookupError::Ambiguous { name, .. } => {
            let name = QuotedName(name).to_string();
            let renamed = |to: &str| format!(" --rename {}", quoted(&format!("{name}={to}")));
            let (first, second) = (renamed("NEW1"), renamed("NEW2"));
            Some(format!("columns of the same name get others by `convert`: once for each{first}{second} …"))
        }
        LookupError::Within { path, error } => {
            let field = schema.field_by_path(path)?;
            let whole = || Some(format!("select all of it: {}", as_argument(path)));
            match &**error {
                LookupError::Missing { .. } if field.children().is_empty() => whole(),
                LookupError::Missing { name } => Some(other_names(name, field.children(), "fields there")),
                _ => whole(),
            }
        }
        LookupError::OutOfRange { .. } | LookupError::NoPath(_) | LookupError::NoDictionary => None,
    }
}

/// The option with which a column becomes what it is in the first input; `None` if there is no such option.
pub(crate) fn making_equal(difference: &SchemaDifference) -> Option<String> {
    let [PathStep::Child { name, .. }] = difference.path().steps() else { return None };
    match difference.kind() {
        SchemaDifferenceKind::Type { expected, found } => {
            // Types tell whether any value can be cast.
            cast(&ArrayData::new_empty(found), expected, Digits::Keep).ok()?;
            Some(format!("--cast {}", quoted(&format!("{}={expected}", name_of_option(name)))))
        }
        SchemaDifferenceKind::Name { expected, found, is_elsewhere: false } => {
            let (old, new) = (name_of_option(found), name_of_option(expected));
            Some(format!("--rename {}", quoted(&format!("{old}={new}"))))
        }
        _ => None,
    }
}

/// The hint if columns of the same names are in another order. Renaming does not help: it would take the name of
/// another column.
pub(crate) fn reordering(difference: &SchemaDifference) -> Option<String> {
    let is_column = difference.path().steps().len() == 1;
    let is_elsewhere = matches!(difference.kind(), SchemaDifferenceKind::Name { is_elsewhere: true, .. });
    (is_column && is_elsewhere)
        .then(|| "--columns A,B takes columns by their names, in that order, from each input".to_owned())
}

fn other_names(name: &str, fields: &[Field], what: &str) -> String {
    let names = || fields.iter().map(|field| field.name());
    let in_other_case = names().filter(|other| other.to_lowercase() == name.to_lowercase());
    let mut meant: Vec<&str> = in_other_case.take(MAX_SIMILAR).collect();
    if meant.is_empty() {
        meant = names().filter(|other| is_similar(name, other)).take(MAX_SIMILAR).collect();
    }
    match meant.split_last() {
        None => {}
        Some((only, [])) => return format!("did you mean {}?", QuotedName(only)),
        Some((last, first)) => return format!("did you mean {} or {}?", list(first), QuotedName(last)),
    }
    let all: Vec<&str> = names().collect();
    match all.get(..MAX_LISTED) {
        None if all.is_empty() => format!("there are no {what}"),
        None => format!("the {what} are: {}", list(&all)),
        Some(first) => {
            let n_more = all.len().saturating_sub(first.len());
            format!("the {what} are: {} and {n_more} more, which `arrow-ipc schema` shows", list(first))
        }
    }
}

const MAX_SIMILAR: usize = 5;
const MAX_LISTED: usize = 20;

/// Names as `--columns` takes them.
fn list(names: &[&str]) -> String {
    names.iter().map(|name| QuotedName(name).to_string()).collect::<Vec<_>>().join(", ")
}

/// A path as `--columns` takes it.
fn as_argument(path: &FieldPath) -> String {
    let names = path.steps().iter().filter_map(|step| match step {
        PathStep::Child { name, .. } => Some(QuotedName(name).to_string()),
        // A path cannot go into a dictionary.
        PathStep::Dictionary => None,
    });
    names.collect::<Vec<_>>().join(".")
}

/// Whether one name may be a misspelling of the other.
fn is_similar(wanted: &str, other: &str) -> bool {
    let (wanted, other) = (wanted.to_lowercase(), other.to_lowercase());
    if wanted == other || (!wanted.is_empty() && other.starts_with(&wanted)) {
        return true;
    }
    let (wanted, other): (Vec<char>, Vec<char>) = (wanted.chars().collect(), other.chars().collect());
    const MAX_CHARS: usize = 64;
    if wanted.len().max(other.len()) > MAX_CHARS || wanted.len().abs_diff(other.len()) > 2 {
        return false;
    }
    n_edits(&wanted, &other) <= wanted.len().max(other.len()).div_ceil(3).min(2)
}

/// The number of characters to insert, remove or replace to get from one to the other.
fn n_edits(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (n_before, a) in from.iter().enumerate() {
        let mut diagonal = n_before;
        let mut left = n_before + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (b, cell) in to.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use arrow_schema::DataType;

    use super::*;

    #[test]
    fn advice_names_similar_columns() {
        let names = ["name", "Name 2", "amount", "x,y"];
        let schema: Schema = names.iter().map(|name| Field::new(*name, DataType::Int8)).collect();
        let cases = [
            ("nmae", "did you mean name?"),
            ("NAME", "did you mean name?"),
            ("nam", "did you mean name or \"Name 2\"?"),
            ("amout", "did you mean amount?"),
            ("zzz", "the columns are: name, \"Name 2\", amount, \"x,y\""),
        ];
        for (name, expected) in cases {
            let error = schema.index_of(name).expect_err(name);
            assert_eq!(advice(&error, &schema).as_deref(), Some(expected), "{name}");
        }
        let error = Schema::default().index_of("a").expect_err("no columns");
        assert_eq!(advice(&error, &Schema::default()).as_deref(), Some("there are no columns"));
    }

    #[test]
    fn advice_looks_where_a_path_ends() {
        let address =
            DataType::struct_([Field::new("zip", DataType::Int8), Field::new("a b", DataType::Int8)]);
        let schema = Schema::new([Field::new("address", address), Field::new("x.y", DataType::Int8)]);
        let cases = [
            ("address.zap", "did you mean zip?"),
            ("address.none", "the fields there are: zip, \"a b\""),
            ("address.zip.code", "select all of it: address.zip"),
            ("adress.zip", "did you mean address?"),
            ("\"x.y\".z", "select all of it: \"x.y\""),
        ];
        for (path, expected) in cases {
            let error = schema.path(path).expect_err(path);
            assert_eq!(advice(&error, &schema).as_deref(), Some(expected), "{path}");
        }
    }
}
