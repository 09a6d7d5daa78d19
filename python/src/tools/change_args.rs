//! Arguments that select rows, and select, rename and cast columns.

use arrow_array::TimeZones;
use arrow_compute::{Digits, Predicate, PredicateError};
use arrow_ipc_tools::{ColumnNames, ConvertOptions, Reshaping, RowQuery, RowWindow, columns::ColumnName};
use arrow_schema::Field;
use pyo3::{
    conversion::FromPyObjectOwned,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyMapping,
};

use super::arguments::ChangeArgs;
use crate::{
    error::{Result, exception},
    options,
    schema::{cast_type, field_of},
};

/// Converts names of columns, paths of nested fields, and patterns.
pub(crate) fn column_names(columns: &Bound<'_, PyAny>) -> PyResult<ColumnNames> {
    column_names_of("columns", columns)
}

/// Like [`column_names`], for an argument that errors call `what`.
pub(crate) fn column_names_of(what: &str, columns: &Bound<'_, PyAny>) -> PyResult<ColumnNames> {
    let named = |name: Bound<'_, PyAny>| {
        let name = options::word(&name)?.to_owned();
        Ok(if name.contains('*') { ColumnName::Pattern(name) } else { ColumnName::NameOrPath(name) })
    };
    options::column_list_as(what, columns)?.into_iter().map(named).collect()
}

/// Converts a range of rows, counted from the start.
pub(crate) fn row_window(rows: &Bound<'_, PyAny>) -> Result<RowWindow> {
    Ok(RowWindow::from_rows(options::range_from_start("rows", rows)?))
}

/// Parses a condition on rows.
pub(crate) fn predicate(text: &str) -> PyResult<Predicate> {
    predicate_of("where", text)
}

/// Like [`predicate`], for an argument or function that errors call `what`.
fn predicate_of(what: &str, text: &str) -> PyResult<Predicate> {
    let parsed = text.parse::<Predicate>().map(|predicate| {
        let predicate = predicate.with_json_values(|data_type, json| {
            arrow_text::read_json_value(data_type, json).map_err(|error| error.kind().to_string())
        });
        predicate.with_time_zones(TimeZones::database())
    });
    parsed.map_err(|error: PredicateError| exception::<PyValueError>(format!("{what}: {error}")))
}

/// Like [`predicate`], for an argument that must be text.
pub(crate) fn given_predicate(given: &Bound<'_, PyAny>) -> PyResult<Predicate> {
    given_predicate_of("where", given)
}

/// Like [`given_predicate`], for an argument or function that errors call `what`.
pub(crate) fn given_predicate_of(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Predicate> {
    let Ok(text) = given.extract::<&str>() else {
        let found = given.get_type();
        return Err(exception::<PyTypeError>(format!(
            "{what}: expected a text such as \"price > 10 and name is not null\", found {found}"
        )));
    };
    predicate_of(what, text)
}

/// Makes a query from the selected columns and the condition. With `trust_statistics`, batches are skipped according to
/// the statistics of files.
pub(crate) fn row_query(
    columns: Option<&Bound<'_, PyAny>>,
    condition: Option<&Bound<'_, PyAny>>,
    trust_statistics: bool,
) -> Result<RowQuery> {
    let names = columns.map(column_names).transpose()?;
    let query = names.into_iter().fold(RowQuery::new(), RowQuery::with_columns);
    let Some(condition) = condition else {
        if trust_statistics {
            return Err(exception::<PyValueError>("trust_statistics needs where").into());
        }
        return Ok(query);
    };
    let query = query.with_condition(given_predicate(condition)?);
    Ok(if trust_statistics { query.with_trusted_statistics() } else { query })
}

/// Makes the change of columns and the selection of rows; `None` if the arguments change nothing.
pub(crate) fn reshaping(args: &ChangeArgs<'_>) -> Result<Option<Reshaping>> {
    let query = row_query(args.columns.as_ref(), args.condition.as_ref(), args.trust_statistics)?;
    let renamed: Vec<(String, String)> = pairs("rename", args.rename.as_ref())?;
    let retyped = retyped("cast", args.cast.as_ref())?;
    let ChangeArgs { lossy, max_cast_bytes, .. } = args;
    if retyped.is_empty() && (*lossy || max_cast_bytes.is_some()) {
        return Err(exception::<PyValueError>("lossy and max_cast_bytes need cast").into());
    }
    if query == RowQuery::new() && renamed.is_empty() && retyped.is_empty() {
        return Ok(None);
    }
    let digits = if *lossy { Digits::Drop } else { Digits::Keep };
    let mut reshaping = Reshaping::new().with_query(query).with_digits(digits);
    if let Some(n_bytes) = max_cast_bytes {
        reshaping = reshaping.with_max_cast_bytes(*n_bytes);
    }
    for (old, new) in renamed {
        reshaping = reshaping.with_rename(old, new);
    }
    for (column, to) in retyped {
        reshaping = reshaping.with_cast_as(column, to);
    }
    Ok(Some(reshaping))
}

/// Adds the change of columns to the options of a conversion.
pub(crate) fn with_changes(options: ConvertOptions, args: &ChangeArgs<'_>) -> Result<ConvertOptions> {
    Ok(ConvertOptions { reshaping: reshaping(args)?, ..options })
}

/// Converts a mapping, or a list of pairs, of columns and types.
pub(super) fn retyped(what: &str, given: Option<&Bound<'_, PyAny>>) -> Result<Vec<(String, Field)>> {
    let retyped = pairs(what, given)?.into_iter().map(|(column, to): (String, Bound<'_, PyAny>)| {
        let argument = format!("{what} of {column:?}");
        Ok((column, if what == "cast" { cast_type(&to, &argument)? } else { field_of(&to, &argument)? }))
    });
    retyped.collect()
}

/// Converts a mapping, or a list of pairs, with text keys.
fn pairs<'py, T: FromPyObjectOwned<'py>>(
    what: &str,
    given: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<(String, T)>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let items = match given.cast::<PyMapping>() {
        Ok(mapping) => mapping.items()?.into_any(),
        Err(_) => given.clone(),
    };
    let failed = |_| {
        exception::<PyTypeError>(format!("{what} is a dict of columns, which are str, or pairs of these"))
    };
    items.try_iter()?.map(|pair| pair?.extract().map_err(failed)).collect()
}
