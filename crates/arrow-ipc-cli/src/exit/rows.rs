//! Hints about rows of text that do not fit the schema.

use arrow_array::parse::{Expectation, timestamp, timestamp_with_zone};
use arrow_ipc_report::{
    OptionSuggestion, may_infer_with, option_name, quoted, shell_argument, suggest_json_syntax,
    suggest_options, suggest_type, suggest_type_of_large_number, suggest_type_of_mixed,
};
use arrow_ipc_tools::{InputName, import::TextFormat};
use arrow_schema::{PathStep, TimeUnit};
use arrow_text::{RowError, RowErrorKind, ValueError};

use super::foreign::piped;
use crate::context::Context;

/// A hint for a row that does not fit an inferred schema.
pub(super) fn row_advice(context: &Context, row: &RowError, input: &InputName) -> Option<String> {
    let by = |program: &str| {
        let program = format!("jq -c '{}{program}'", rows_of(row));
        format!("{} | arrow-ipc convert --from jsonl - OUT.arrow", piped(input, &program))
    };
    let advice = match row.kind() {
        RowErrorKind::Value(error) => return Some(value_advice(context, error, row, input)),
        // If the first row is not an object, the other rows are probably no objects either.
        RowErrorKind::NotAnObject { found } if row.line() == 1 && *found != "null" => {
            return Some(by("{value: .}"));
        }
        RowErrorKind::NotAnObject { .. } => {
            return Some(format!("without the rows that are not objects: {}", by("objects")));
        }
        RowErrorKind::Pairs => {
            return Some(format!(
                "`arrow-ipc convert {} OUT.arrow --schema COLUMNS.txt` reads them, if each line of COLUMNS.txt is a column, such as id: int64",
                shell_argument(input)
            ));
        }
        RowErrorKind::Repeated if row.path().steps().len() == 1 && row.byte().is_some() => {
            return Some(format!("with the last value of each name: {}", by(".")));
        }
        RowErrorKind::Mixed { .. } | RowErrorKind::Repeated => {
            let (name, data_type) = suggest_type_of_mixed(row)?;
            let given = quoted(&format!("{}={data_type}", option_name(name)));
            return Some(match data_type {
                "utf8" => format!("--type {given} reads both as text"),
                _ => format!("--type {given} keeps the values of the column as JSON text"),
            });
        }
        RowErrorKind::TooLarge { .. } | RowErrorKind::TooManyNulls { .. } => {
            "--max-null-bytes BYTES allows more; a schema that is given to `convert --schema` may have fewer columns"
        }
        RowErrorKind::TooLong { .. }
            if TextFormat::name_of_extension(&input.to_string()) != Some("jsonl") =>
        {
            "a row of text has at most 16 MiB; a quote that is not closed makes one row of many lines: --quote '' reads quotes as text"
        }
        RowErrorKind::TooLong { .. } => "a row of text has at most 16 MiB",
        RowErrorKind::TooManyDigits { .. } => {
            "a schema that is given to `convert --schema` may have float64, which rounds them"
        }
        RowErrorKind::UnknownName { .. } if context.is_given(row.path()) => {
            "the column has the type that --type or --partial-schema gives it: add the field to that type"
        }
        RowErrorKind::UnknownName { .. } => INFER_ALL,
        RowErrorKind::NotUtf8 | RowErrorKind::CellNotUtf8 { .. } => {
            "text is read as UTF-8; --encoding windows-1252 reads text of older programs for Windows"
        }
        // The first line has one cell.
        RowErrorKind::Count { unit: "cells", expected: 1, .. } => {
            "--skip N leaves out N lines of a title; with another --from-delimiter, each line is one cell"
        }
        RowErrorKind::Count { unit: "cells", found: 1, .. } if row.line() == 2 => {
            "--skip N leaves out N lines of a title; --ragged pad reads missing cells as nulls, and --ragged skip leaves out such rows"
        }
        RowErrorKind::Count { unit: "cells", expected, found, .. } if found < expected => {
            "--ragged pad reads missing cells as nulls, and --ragged skip leaves out such rows; --skip N leaves out the first lines"
        }
        RowErrorKind::Count { unit: "cells", .. } => {
            "--ragged skip leaves out such rows; --skip N leaves out the first lines"
        }
        RowErrorKind::EmptyCells { .. } => "--ragged pad leaves out further cells without text",
        RowErrorKind::HashLine { .. } => "--comment '#' skips the lines that begin with #",
        RowErrorKind::TooFewLines { .. } => "--skip N must leave a line of names or a row",
        RowErrorKind::AfterQuote { .. } | RowErrorKind::OpenQuote { .. } => {
            "quotes inside a cell in quotes are doubled: \"a \"\"b\"\" c\"; --quote '' reads quotes as text"
        }
        RowErrorKind::NotJson { .. } => suggest_json_syntax(row)?,
        _ => return None,
    };
    Some(advice.to_owned())
}

/// The start of a jq expression that returns rows, or the items of an array of rows.
fn rows_of(row: &RowError) -> &'static str {
    if row.counts_rows() { "if type == \"array\" then .[] else . end | " } else { "" }
}

/// An option for reading this value, which comes after the rows from which the schema was inferred.
fn value_advice(context: &Context, error: &ValueError, row: &RowError, input: &InputName) -> String {
    if let Some(OptionSuggestion { options, what, needs_float }) = suggest_options(row, error) {
        let typed = quoted(&format!("{}=float64", row.path()));
        let typed = if needs_float { format!(" --type {typed}") } else { String::new() };
        return format!("{options}{typed} reads such {what}");
    }
    let is_given = context.is_given(row.path());
    if let Some([column, data_type]) = suggest_type_of_large_number(row, error)
        && !is_given
    {
        let typed = quoted(&format!("{}={data_type}", option_name(column)));
        return format!("--type {typed} reads the column of such a number as text");
    }
    let is_column = row.path().steps().len() == 1;
    let data_type = suggest_type(row, error);
    if is_given {
        if is_column
            && *error.expected() == Expectation::ZonedTimestamp
            && timestamp(error.found(), TimeUnit::Nanosecond).is_ok()
        {
            let local = quoted(&format!("{}=timestamp(us)", row.path()));
            return format!("--type {local} reads local times, which --cast gives a zone");
        }
        if is_column
            && *error.expected() == Expectation::Date
            && let Some(options) = cast_to_date(row, error)
        {
            let input = shell_argument(input);
            return format!(
                "without the type, `arrow-ipc convert {input} OUT.arrow {options}` makes dates of timestamps"
            );
        }
        let (what, whose) = if is_column { ("column", "it") } else { ("field", "its column") };
        return format!(
            "the {what} has the type that --type or --partial-schema gives {whose}: {data_type} takes this value"
        );
    }
    let may_infer = may_infer_with(row, error);
    // Options can only set the types of columns.
    match row.path().steps() {
        [_] => {
            let typed = quoted(&format!("{}={data_type}", row.path()));
            let infer = if may_infer { format!("; {INFER_ALL}") } else { String::new() };
            format!("--type {typed} reads the column as {data_type}{infer}")
        }
        [PathStep::Child { name, .. }, ..] if !may_infer => {
            let typed = quoted(&format!("{}=json", option_name(name)));
            format!("--type {typed} keeps the values of the column as JSON text")
        }
        _ => INFER_ALL.to_owned(),
    }
}

/// Options that cast the timestamps of a column to dates; `None` if the value is no timestamp.
fn cast_to_date(row: &RowError, error: &ValueError) -> Option<String> {
    const DAY: i64 = 86_400_000_000;
    let local = timestamp(error.found(), TimeUnit::Microsecond);
    let zoned = || timestamp_with_zone(error.found(), TimeUnit::Microsecond).is_ok();
    // A cast leaves out the time of day and the zone only if it may.
    let is_exact = match local {
        Ok(value) => value % DAY == 0,
        Err(_) if zoned() => false,
        Err(_) => return None,
    };
    let typed = quoted(&format!("{}=date32", row.path()));
    Some(format!("--cast {typed}{}", if is_exact { "" } else { " --lossy" }))
}

const INFER_ALL: &str = "--infer-rows all infers types from all rows";

/// A hint for a row that does not fit the schema of `--schema`. No types are inferred, so reading more rows does not
/// help.
pub(crate) fn row_advice_by_schema(row: &RowError) -> Option<String> {
    let advice = match row.kind() {
        RowErrorKind::Value(_) => "the file of --schema gives the field its type",
        RowErrorKind::OtherNames { .. } => "the file of --schema must have the names of the header",
        RowErrorKind::UnknownName { .. } => "add the field to the schema in the file of --schema",
        RowErrorKind::NotAnObject { .. } => {
            let rows = rows_of(row);
            return Some(format!("`jq -c '{rows}objects'` leaves out the rows that are not objects"));
        }
        _ => return None,
    };
    Some(advice.to_owned())
}
