//! Hints for rows of text that do not fit.

use arrow_ipc_tools::{InputName, as_argument, quoted};
use arrow_text::{Expected, RowError, RowErrorKind, ValueError};

use super::foreign::piped;

/// A hint for a row that does not fit a schema that was inferred.
pub(super) fn row_advice(row: &RowError, input: &InputName) -> Option<String> {
    let by = |program: &str| {
        let program = format!("jq -c '{}{program}'", rows_of(row));
        format!("{} | arrow-ipc convert --from jsonl - OUT.arrow", piped(&as_argument(input), &program))
    };
    let advice = match row.kind() {
        RowErrorKind::Value(error) => return Some(value_advice(error, row)),
        // All rows are values without fields, or some are among objects.
        RowErrorKind::NotAnObject { found } if row.line() == 1 && *found != "null" => {
            return Some(by("{value: .}"));
        }
        RowErrorKind::NotAnObject { .. } => {
            return Some(format!("without the rows that are no objects: {}", by("objects")));
        }
        RowErrorKind::Mixed { .. } => {
            let rows = rows_of(row);
            return Some(format!(
                "no type takes both: `jq -c '{rows}.FIELD |= tostring'` makes text of all values of a field"
            ));
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
        RowErrorKind::Count { unit: "cells", expected, found, .. } if found < expected => {
            "--ragged pad takes missing cells for nulls, and --ragged skip leaves out such rows; --skip N leaves out the first lines"
        }
        RowErrorKind::Count { unit: "cells", .. } => {
            "--ragged skip leaves out such rows, and --ragged pad further cells without text; --skip N leaves out the first lines"
        }
        RowErrorKind::AfterQuote { .. } | RowErrorKind::OpenQuote { .. } => {
            "quotes inside a cell in quotes are doubled: \"a \"\"b\"\" c\"; --quote '' takes them for text"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

/// What jq takes rows of, which may be items of an array.
fn rows_of(row: &RowError) -> &'static str {
    if row.counts_rows() { "if type == \"array\" then .[] else . end | " } else { "" }
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
pub(crate) fn row_advice_by_schema(row: &RowError) -> Option<String> {
    let advice = match row.kind() {
        RowErrorKind::Value(_) => "the file of --schema gives the field its type",
        RowErrorKind::UnknownName { .. } => "the schema in the file of --schema needs all fields",
        RowErrorKind::NotAnObject { .. } => {
            return Some(format!(
                "`jq -c '{}objects'` leaves out the rows that are no objects",
                rows_of(row)
            ));
        }
        _ => return None,
    };
    Some(advice.to_owned())
}
