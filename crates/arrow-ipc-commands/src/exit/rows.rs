//! Hints for rows of text that do not fit.

use arrow_ipc_tools::{InputName, as_argument};
use arrow_text::{RowError, RowErrorKind};

use super::foreign::piped;

/// A hint for a row that does not fit a schema that was inferred.
pub(super) fn row_advice(error: &RowError, input: &InputName) -> Option<String> {
    let by = |program: &str| {
        format!("{} | arrow-ipc convert --from jsonl - OUT.arrow", piped(&as_argument(input), program))
    };
    let advice = match error.kind() {
        RowErrorKind::Value(_) => {
            "--infer-rows N looks at more rows; `arrow-ipc schema --infer` prints the schema, to be edited and given to \
             `convert --schema`"
        }
        // All rows are values without fields, or some are among objects.
        RowErrorKind::NotAnObject { found } if error.line() == 1 && *found != "null" => {
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
        RowErrorKind::UnknownName { .. } => "--infer-rows N looks at more rows",
        RowErrorKind::NotUtf8 | RowErrorKind::CellNotUtf8 { .. } => {
            "text is read as UTF-8; --encoding windows-1252 reads that of older programs for Windows"
        }
        RowErrorKind::Count { unit: "cells", .. } => {
            "--ragged skip leaves out such rows, and --ragged pad takes missing cells for nulls; --skip N leaves out the first lines"
        }
        RowErrorKind::AfterQuote { .. } | RowErrorKind::OpenQuote { .. } => {
            "quotes inside a cell in quotes are doubled: \"a \"\"b\"\" c\""
        }
        RowErrorKind::ArrayOfRows => return Some(by("jq -c '.[]'")),
        // An object or array that goes on in further lines.
        RowErrorKind::Unfinished if error.line() == 1 => {
            return Some(by("jq -c 'if type == \"array\" then .[] else . end'"));
        }
        _ => return None,
    };
    Some(advice.to_owned())
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
