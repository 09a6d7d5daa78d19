//! Hints about names that do not exist, and about columns that differ.

use arrow_compute::{Digits, cast};
use arrow_data::ArrayData;
use arrow_ipc_report::{option_name, quoted, suggest_names, suggest_no_header};
use arrow_ipc_tools::{ToolError, ToolErrorKind};
use arrow_schema::{
    DataType, LookupError, PathStep, QuotedName, Schema, SchemaDifference, SchemaDifferenceKind,
};

/// A hint for a name that was not found: similar names, or all names.
pub(crate) fn advice(error: &LookupError, schema: &Schema) -> Option<String> {
    match error {
        LookupError::Ambiguous { name, .. } => {
            let name = QuotedName(name).to_string();
            let renamed = |to: &str| format!(" --rename {}", quoted(&format!("{name}={to}")));
            let first = renamed("NEW1");
            let second = renamed("NEW2");
            Some(format!("`convert` renames columns of one name in their order:{first}{second} …"))
        }
        error => suggest_names(error, schema, "`arrow-ipc schema` shows"),
    }
}

/// Like [`advice`], for CSV, whose first row may be taken for names. `None` if the error has another cause.
pub(crate) fn advice_of_csv(error: &ToolError) -> Option<String> {
    let ToolErrorKind::Columns { error, schema } = error.kind() else { return None };
    advice(error, schema).map(|hint| hint + suggest_no_header(error, schema))
}

/// An option that makes a column equal to the column of the first input; `None` if no option does.
pub(crate) fn making_equal(difference: &SchemaDifference) -> Option<String> {
    let [PathStep::Child { name, .. }] = difference.path().steps() else { return None };
    match difference.kind() {
        SchemaDifferenceKind::Type { expected, found } => {
            // The cast of an empty array fails if these types cannot be cast.
            cast(&ArrayData::new_empty(found), expected, Digits::Keep).ok()?;
            Some(format!("--cast {}", to_type(name, expected)))
        }
        SchemaDifferenceKind::Name { expected, found, is_elsewhere: false, is_alone: true } => {
            let old = option_name(found);
            let new = option_name(expected);
            Some(format!("--rename {}", quoted(&format!("{old}={new}"))))
        }
        _ => None,
    }
}

/// A value of `--cast` that gives the column a type for the values of both inputs; `None` if there is no such type.
pub(crate) fn taking_both(difference: &SchemaDifference) -> Option<String> {
    let [PathStep::Child { name, .. }] = difference.path().steps() else { return None };
    let SchemaDifferenceKind::Type { expected, found } = difference.kind() else { return None };
    let is_wider = if !expected.is_integer() {
        found.is_text()
    } else if found.is_integer() {
        found.bit_width() > expected.bit_width()
    } else {
        found.is_floating_point() || found.is_text()
    };
    let wider = if is_wider { found } else { expected };
    cast(&ArrayData::new_empty(if is_wider { expected } else { found }), wider, Digits::Keep).ok()?;
    Some(to_type(name, wider))
}

fn to_type(name: &str, data_type: &DataType) -> String {
    quoted(&format!("{}={data_type}", option_name(name)))
}

/// A hint for columns that have the same names in another order. Renaming a column does not help, because another
/// column already has the new name.
pub(crate) fn reordering(difference: &SchemaDifference) -> Option<String> {
    let is_column = difference.path().steps().len() == 1;
    let is_elsewhere = matches!(difference.kind(), SchemaDifferenceKind::Name { is_elsewhere: true, .. });
    (is_column && is_elsewhere)
        .then(|| "--columns A,B takes columns by their names, in that order, from each input".to_owned())
}

#[cfg(test)]
mod tests {
    use arrow_schema::Field;

    use super::*;

    #[test]
    fn advice_names_similar_columns() {
        let names = ["name", "Name 2", "amount", "x,y", "twice", "twice"];
        let schema: Schema = names.iter().map(|name| Field::new(*name, DataType::Int8)).collect();
        let cases = [
            ("nmae", "did you mean name?"),
            ("NAME", "did you mean name?"),
            ("nam", "did you mean name or \"Name 2\"?"),
            ("amout", "did you mean amount?"),
            ("twice_1", "did you mean twice?"),
            ("zzz", "the columns are: name, \"Name 2\", amount, \"x,y\", twice, twice"),
        ];
        for (name, expected) in cases {
            let error = schema.index_of(name).expect_err(name);
            assert_eq!(advice(&error, &schema).as_deref(), Some(expected), "{name}");
        }
        let schema: Schema =
            ["price", "price.eur"].iter().map(|name| Field::new(*name, DataType::Int8)).collect();
        let cases = [
            ("price.eu", "did you mean \"price.eur\"?"),
            ("price.long", "only whole columns can be named here: price"),
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
            ("address.zip.code", "select the whole field: address.zip"),
            ("adress.zip", "did you mean address?"),
            ("\"x.y\".z", "select the whole field: \"x.y\""),
        ];
        for (path, expected) in cases {
            let error = schema.path(path).expect_err(path);
            assert_eq!(advice(&error, &schema).as_deref(), Some(expected), "{path}");
        }
    }
}
