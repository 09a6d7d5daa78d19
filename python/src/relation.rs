//! What batches, files, streams and data sets have in common: columns by name and pattern, rows by condition, and frames of other
//! libraries.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use arrow_array::BooleanArray;
use arrow_buffer::Bitmap;
use arrow_compute::{BoundPredicate, PredicateError, PredicateErrorKind};
use arrow_data::RecordBatch;
use arrow_ipc::IpcSchema;
use arrow_ipc_tools::{ColumnNames, ToolError, ToolErrorKind, columns::ColumnName};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::Select;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyString, PyTuple},
};

use crate::{
    array::Array,
    calls,
    data::Batches,
    error::{Failure, Result, exception, missing_name_error},
    joined_rows::JoinedRows,
    options,
    tools::change_args::given_predicate_of,
    write::check_signals,
};

/// The columns, with the names that match instead of each pattern. A name with `*` is no pattern if a column has exactly this name. A
/// pattern leaves out columns that are chosen before it.
///
/// # Errors
/// If a pattern matches no column.
pub(crate) fn without_patterns<'py>(
    columns: &Bound<'py, PyAny>,
    schema: &Schema,
) -> Result<Bound<'py, PyTuple>> {
    let py = columns.py();
    let mut chosen: Vec<Bound<'py, PyAny>> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for column in options::column_list(columns)? {
        let name = column.extract::<&str>().unwrap_or_default();
        if !name.contains('*') {
            names.push(name.to_owned());
            chosen.push(column);
            continue;
        }
        for name in matching(name, schema)? {
            if !names.contains(&name) {
                chosen.push(PyString::new(py, &name).into_any());
                names.push(name);
            }
        }
    }
    Ok(PyTuple::new(py, chosen)?)
}

/// The names of the columns that a pattern matches. Fields inside columns are not searched.
fn matching(pattern: &str, schema: &Schema) -> Result<Vec<String>> {
    // Columns without children, so that the pattern matches no child.
    let columns = schema.fields().iter().map(|field| Field::new(field.name(), DataType::Null));
    let columns = Schema::new(columns.collect::<Vec<_>>());
    let names = ColumnNames::from_iter([ColumnName::Pattern(pattern.to_owned())]);
    let found = names.positions_in(&IpcSchema::from(&columns)).map_err(|kind| match kind {
        ToolErrorKind::Columns { error, .. } => options::not_found(&error, schema),
        other => ToolError::new("the columns", other).into(),
    })?;
    let fields = found.into_iter().filter_map(|position| schema.field(position));
    Ok(fields.map(|field| field.name().to_owned()).collect())
}

/// The positions of columns, which are names, patterns or positions.
pub(crate) fn positions(columns: &Bound<'_, PyAny>, schema: &Schema) -> Result<Vec<usize>> {
    let columns = without_patterns(columns, schema)?;
    let mut by_name: HashMap<&str, Option<usize>> = HashMap::new();
    if columns.len() > 1 {
        for (position, field) in schema.fields().iter().enumerate() {
            // A name that is repeated is an error, which the search finds.
            by_name.entry(field.name()).and_modify(|known| *known = None).or_insert(Some(position));
        }
    }
    let position = |column: Bound<'_, PyAny>| {
        let known = column.extract::<&str>().ok().and_then(|name| by_name.get(name).copied().flatten());
        known.map_or_else(|| options::position(&column, schema), Ok)
    };
    columns.iter().map(position).collect()
}

/// The positions of all columns except these, whose order does not matter.
pub(crate) fn positions_without(columns: &Bound<'_, PyAny>, schema: &Schema) -> Result<Vec<usize>> {
    let listed = if columns.is_instance_of::<PyString>() {
        columns.clone()
    } else {
        PyTuple::new(columns.py(), columns.try_iter()?.collect::<PyResult<Vec<_>>>()?)?.into_any()
    };
    let dropped: HashSet<usize> = positions(&listed, schema)?.into_iter().collect();
    Ok((0..schema.fields().len()).filter(|position| !dropped.contains(position)).collect())
}

/// The names of the columns.
pub(crate) fn names(schema: &Schema) -> Vec<&str> {
    schema.fields().iter().map(Field::name).collect()
}

/// The batches with the columns at these positions.
pub(crate) fn project_batches(batches: Batches, positions: Vec<usize>) -> Result<Batches> {
    let schema = Arc::new(batches.schema.project(&positions)?);
    let projected = batches.batches.map(move |batch| Ok(batch?.project(&positions)?));
    Ok(Batches { schema, batches: Box::new(projected), second_pass: None })
}

/// A condition on rows with these columns.
pub(crate) fn condition(given: &Bound<'_, PyAny>, schema: &Schema) -> Result<BoundPredicate> {
    let failed = |error: PredicateError| match error.kind() {
        PredicateErrorKind::Lookup(lookup) => {
            Python::attach(|py| missing_name_error(py, lookup, lookup.to_string(), schema)).into()
        }
        _ => condition_failure(error),
    };
    given_predicate_of("filter", given)?.bind(schema).map_err(failed)
}

fn condition_failure(error: PredicateError) -> Failure {
    ToolError::new("the condition", ToolErrorKind::Condition(error)).into()
}

/// The rows of batches for which a condition is true. Batches without such rows are left out.
pub(crate) fn filter_batches(batches: Batches, condition: BoundPredicate) -> Batches {
    let Batches { schema, batches, .. } = batches;
    let filtered = batches.filter_map(move |batch| {
        let rows = batch.and_then(|batch| filter_batch(&batch, &condition));
        if rows.as_ref().is_ok_and(|rows| rows.n_rows() == 0) { None } else { Some(rows) }
    });
    Batches { schema, batches: Box::new(filtered), second_pass: None }
}

/// The rows of a batch for which a condition is true.
pub(crate) fn filter_batch(batch: &RecordBatch, condition: &BoundPredicate) -> Result<RecordBatch> {
    let rows = condition.matches(batch).map_err(condition_failure)?;
    if rows.all_set() { Ok(batch.clone()) } else { Ok(batch.filter(&rows)?) }
}

/// The slots of a mask, which are true, or false or null, one for each of `n_rows` rows; `None` if the object is none, such as a text.
pub(crate) fn mask(given: &Bound<'_, PyAny>, n_rows: usize) -> Result<Option<Bitmap>> {
    let is_array = given.hasattr("__array__")? || given.hasattr("__arrow_c_array__")?;
    if given.is_instance_of::<PyString>() || !is_array && !given.hasattr("__len__")? {
        return Ok(None);
    }
    let array = given.py().get_type::<Array>().call1((given,))?;
    let array = &array.cast::<Array>().map_err(PyErr::from)?.get().inner;
    if array.len() != n_rows {
        let n_slots = array.len();
        let text = format!("the mask has {n_slots} slots, and the batch {n_rows} rows");
        return Err(exception::<PyValueError>(text).into());
    }
    if n_rows == 0 {
        return Ok(Some(Bitmap::default()));
    }
    let Ok(slots) = BooleanArray::try_from(array.clone()) else {
        let data_type = array.data_type();
        let text = format!(
            "a mask has bools, found {data_type}: `batch.filter(\"price > 10\")` takes the rows of a condition"
        );
        return Err(exception::<PyTypeError>(text).into());
    };
    Ok(Some(slots.to_mask()))
}

/// All rows.
pub(crate) fn join_batches(py: Python<'_>, batches: Batches) -> Result<JoinedRows> {
    first(py, batches, usize::MAX)
}

/// The first rows, at most `n_rows` of them. Reads no batch after these.
pub(crate) fn first(py: Python<'_>, batches: Batches, n_rows: usize) -> Result<JoinedRows> {
    let Batches { schema, mut batches, .. } = batches;
    py.detach(|| {
        let mut read = Vec::new();
        let mut n_left = n_rows;
        while n_left > 0
            && let Some(batch) = batches.next()
        {
            check_signals()?;
            let batch = batch?;
            let n_taken = batch.n_rows().min(n_left);
            n_left -= n_taken;
            read.push(if n_taken < batch.n_rows() { batch.slice(0, n_taken) } else { batch });
        }
        JoinedRows::try_new(&schema, read)
    })
}

/// Converts an object with `__arrow_c_stream__` to a frame of polars.
pub(crate) fn to_polars<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    calls::method(&calls::import(data.py(), "arrow_ipc.polars")?, "frame", (data,))
}
