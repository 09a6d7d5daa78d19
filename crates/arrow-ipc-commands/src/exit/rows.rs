//! Hints for rows of text that do not fit.

use arrow_ipc_tools::{InputName, as_argument, quoted};
use arrow_text::{Expected, RowError, RowErrorKind, ValueError};

use super::foreign::piped;

/// A hint for a row that does not fit a schema that was inferred.
pub(super) fn row_advice(row: &RowError, input: &InputName) -> Option<String> {
    let by = |program: &str| {
        format!("{} | arrow-ipc convert --from jsonl - OUT.arrow", piped(&as_argument(input), program))
    };
    let advice = match row.kind() {
        RowErrorKind::Value(error) => return Some(value_advice(error, row)),
        // All rows are values without fields, or some are among objects.
        RowErrorKind::NotAnObject { found } if row.line() == 1 && *found != "null" => {
            return Some(by("jq -c '{value: .}'"));
        }
        RowErrorKind::NotAnObject { .. } => {
            return Some(format!("without the rows that are no objects: {}", by("jq -c objects")));
        }
        RowErrorKind::Mixed { .. } => {
            "no type takes both: `jq -c '.FIELD |= tostring'` makes text of all values of a field"
        }
        RowErrorKind::TooLarge { .. } | RowErrorKind::TooManyNulls { .. } => {
            "--max-null-bytes BYTES allows more; a schema that is given to `convert --schema` may have fewer columns"
        }
        RowErrorKind::TooManyDigits { .. } => {
            "a schema that is given to `convert --schema` may have float64, which rounds them"
        }
        RowErrorKind::UnknownName { .. } => "--infer-rows all looks at all rows",
        RowErrorKind::NotUtf8 | RowErrorKind::CellNotUtf8 { .. } => {
            "text is read as UTF-8; --encoding windows-1252 reads that of older programs for Windows"
        }
        RowErrorKind::Count { unit: "cells", .. } => {
            "--ragged skip leaves out such rows, and --ragged pad takes missing cells for nulls; --skip N leaves out the first lines"
        }
        RowErrorKind::AfterQuote { .. } | RowErrorKind::OpenQuote { .. } => {
            "quotes inside a cell in quotes are doubled: \"a \"\"b\"\" c\""
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

/// The option by which a value is read that came after the rows that were looked at.
fn value_advice(error: &ValueError, row: &RowError) -> String {
    let name = row.path().to_string();
    // A cell of CSV has no position in its line.
    if row.byte().is_some() || name.is_empty() {
        return "--infer-rows all looks at all rows".to_owned();
    }
    let is_integer = matches!(error.expected(), Expected::Integer { .. });
    let is_float = is_integer && error.found().parse::<f64>().is_ok();
    let data_type = if is_float { "float64" } else { "utf8" };
    format!(
        "--type {} reads the column as {data_type}; --infer-rows all looks at all rows",
        quoted(&format!("{name}={data_type}"))
    )
}

/// A hint for a row that does not fit the schema that `--schema` gives: more rows do not change it.
pub(crate) fn row_advice_by_schema(kind: &RowErrorKind) -> Option<&'static str> {
    match kind {
        RowErrorKind::Value(_) => Some("the file of --schema gives the field its type"),
        RowErrorKind::UnknownName { .. } => Some("the schema in the file of --schema needs all fields"),
        RowErrorKind::NotAnObject { .. } => Some("`jq -c objects` leaves out the rows that are no objects"),
        _ => None,
    }
}
