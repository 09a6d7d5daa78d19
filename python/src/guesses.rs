//! Errors about objects of the wrong kind, which say how to make one of the right kind.

use std::sync::Arc;

use arrow_compute::Predicate;
use arrow_schema::Schema;
use pyo3::{
    PyClass,
    exceptions::{PyAttributeError, PyTypeError, PyValueError},
    prelude::*,
    pyclass::{CompareOp, boolean_struct::True},
    types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType},
};

use crate::{
    calls,
    error::{Failure, raised},
    show,
};

/// The other object of a comparison, which must be of the same class. `made` is an expression that converts it, for
/// the error.
pub(crate) fn same_class<'a, T: PyClass<Frozen = True> + Sync>(
    other: &'a Bound<'_, PyAny>,
    made: &str,
) -> PyResult<&'a T> {
    let same = other.cast::<T>().map(Bound::get);
    same.map_err(|_| {
        let class = T::NAME;
        let found = other.get_type();
        raised::<PyTypeError>(format!(
            "expected an `arrow_ipc.{class}`, found {found}: `arrow_ipc.{made}` makes one"
        ))
    })
}

/// The error for an array without a dictionary.
pub(crate) fn no_dictionary() -> Failure {
    raised::<PyAttributeError>("the column is not dictionary-encoded").into()
}

/// The error for a value that an array does not have.
pub(crate) fn not_found(value: &Bound<'_, PyAny>) -> PyErr {
    let text = value.repr().map_or_else(|_| "the value".to_owned(), |text| text.to_string());
    raised::<PyValueError>(format!("{text} is not in the array"))
}

/// The result of comparing an array, of a column with this name, with something else. Arrays of other libraries may know how to
/// compare.
///
/// # Errors
/// If the values of an array should be compared with a constant, which gives a mask in other libraries.
pub(crate) fn not_compared(name: &str, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
    let is_of_library = other.hasattr("__array__")? || other.hasattr("__arrow_c_array__")?;
    let is_meant = if matches!(op, CompareOp::Eq | CompareOp::Ne) { is_constant(other)? } else { true };
    if is_of_library || !is_meant {
        return Ok(other.py().NotImplemented());
    }
    let (sign, python) = match op {
        CompareOp::Eq => ("=", "=="),
        CompareOp::Ne => ("!=", "!="),
        CompareOp::Lt => ("<", "<"),
        CompareOp::Le => ("<=", "<="),
        CompareOp::Gt => (">", ">"),
        CompareOp::Ge => (">=", ">="),
    };
    // As conditions write it.
    let name = Predicate::is_null(if name.is_empty() { "id" } else { name }).to_string();
    let name = name.trim_end_matches(" is null");
    let value = match constant(other)? {
        Some(value) => value,
        None => "…".to_owned(),
    };
    let condition = show::literal(&format!("{name} {sign} {value}"));
    let shown = other.repr()?;
    Err(raised::<PyTypeError>(format!(
        "the values of an array are not compared: `filter({condition})` of a file, batch, stream or data set has the rows for which \
         this is true, and `[value {python} {shown} for value in array]` is a mask, which `filter` of a batch takes, too"
    )))
}

/// Whether values of an array can be equal to the object: text, bytes, a number, a date or time, a duration or a UUID.
fn is_constant(other: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_plain = other.is_instance_of::<PyString>()
        || other.is_instance_of::<PyBytes>()
        || other.is_instance_of::<PyInt>()
        || other.is_instance_of::<PyFloat>();
    const OF_OTHERS: [&str; 4] = ["isoformat", "total_seconds", "as_tuple", "urn"];
    // A class has the methods of its objects.
    if !is_plain && other.is_instance_of::<PyType>() {
        return Ok(false);
    }
    for name in OF_OTHERS {
        if is_plain || other.hasattr(name)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The constant as conditions write it; `None` if they do not, or it is long.
fn constant(other: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    const MAX_CHARS: usize = 40;
    let text = if let Ok(text) = other.extract::<String>() {
        text
    } else if other.is_instance_of::<PyBool>() {
        return Ok(Some(other.str()?.to_string().to_lowercase()));
    } else if other.is_instance_of::<PyInt>()
        || other.is_instance_of::<PyFloat>()
        || other.hasattr("as_tuple")?
    {
        return Ok(Some(other.str()?.to_string()));
    } else if other.hasattr("isoformat")? {
        calls::method(other, "isoformat", ())?.extract()?
    } else {
        return Ok(None);
    };
    Ok((text.chars().count() <= MAX_CHARS).then(|| format!("'{}'", text.replace('\'', "''"))))
}

/// The error if an object should become a NumPy array. `batch` is an expression that reads its rows as a batch.
pub(crate) fn no_array(what: &str, batch: &str) -> PyErr {
    raised::<PyTypeError>(format!(
        "{what} is no array, since its columns have their own types: `{batch}[\"id\"].to_numpy()` is a column, \
         `numpy.column_stack({batch}.columns)` all columns in one type; pandas takes `{batch}.to_pandas()`"
    ))
}

/// A hint on how to convert objects that are not rows. `item` is one of them.
pub(crate) fn rows_of(item: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    const OF_ATTRIBUTES: [(&str, &str); 4] = [
        ("_asdict", ": rows are dicts: `[row._asdict() for row in rows]`"),
        ("__dataclass_fields__", ": rows are dicts: `[dataclasses.asdict(row) for row in rows]`"),
        ("model_dump", ": rows are dicts: `[row.model_dump() for row in rows]`"),
        ("keys", ": rows are dicts: `[dict(row) for row in rows]`"),
    ];
    if item.is_instance_of::<PyDict>() {
        return Ok(
            ": pass rows as a `list` of dicts, `list(rows)`; rows that do not fit in memory are written in batches, as the recipe \
             \"Rows of a generator\" does with `Writer(dest, schema)` and `list(itertools.islice(rows, 10_000))`",
        );
    }
    if let Ok(rows) = item.cast::<PyList>()
        && rows.iter().next().is_some_and(|row| row.is_instance_of::<PyDict>())
    {
        return Ok(
            ": lists of rows are written one after the other by `Writer(dest, schema)`, as in the recipe \"Rows of a generator\"",
        );
    }
    for (name, advice) in OF_ATTRIBUTES {
        if item.hasattr(name)? {
            return Ok(advice);
        }
    }
    if item.is_instance_of::<PyString>() || item.hasattr("__fspath__")? {
        return Ok(": `open(path)` reads a file, and `concat_files(paths, dest)` several");
    }
    Ok(if item.is_instance_of::<PyTuple>() || item.is_instance_of::<PyList>() {
        ": rows are dicts: `[dict(zip(names, row)) for row in rows]`"
    } else {
        ": a column alone needs a name: `{\"name\": values}`"
    })
}

/// The error for an attribute that an object does not have: with the one that was meant, if it is known. `what` is how the documentation
/// calls such an object.
pub(crate) fn no_attribute(
    object: &Bound<'_, PyAny>,
    what: &str,
    schema: Option<&Arc<Schema>>,
    name: &str,
) -> PyErr {
    let class = object.get_type();
    let class = class.name().map_or_else(|_| what.to_owned(), |name| name.to_string());
    let mut text = format!("'arrow_ipc.{class}' object has no attribute '{name}'");
    if let Some(advice) = advice(what, schema, name) {
        text.push_str(": ");
        text.push_str(&advice);
    }
    let error = raised::<PyAttributeError>(text);
    // Python adds the most similar name to a traceback.
    let value = error.value(object.py());
    let _ = value.setattr("name", name).and_then(|()| value.setattr("obj", object));
    error
}

/// What is meant by an attribute that other libraries have.
fn advice(what: &str, schema: Option<&Arc<Schema>>, name: &str) -> Option<String> {
    if name.starts_with('_') {
        return None;
    }
    if schema.is_some_and(|schema| schema.fields().iter().any(|field| field.name() == name)) {
        let name = show::literal(name);
        return Some(match what {
            "file" | "batch" => format!("`{what}[{name}]` is the column"),
            _ => format!("`{what}.select([{name}])` has the column"),
        });
    }
    let is_meant = |(names, of, _): &&(&str, &str, &str)| {
        (of.is_empty() || of.split(' ').any(|of| of == what)) && names.split(' ').any(|other| other == name)
    };
    let meant = if what == "array" { OF_ARRAYS } else { MEANT };
    let (_, _, advice) = meant.iter().find(is_meant)?;
    Some(advice.replace("{}", what))
}

/// Like [`MEANT`], for arrays.
const OF_ARRAYS: &[(&str, &str, &str)] = &[
    ("name", "", "`{}.field.name`"),
    ("dtype", "", "`{}.type`"),
    ("size length shape nrows num_rows", "", "`len({})`"),
    ("to_list tolist as_py", "", "`{}.to_pylist()`"),
    ("astype", "", "`{}.cast(type)`"),
    ("to_arrow to_pyarrow", "", "`pyarrow.array({})`"),
    ("to_pandas to_series", "", "`pyarrow.array({}).to_pandas()`"),
    ("to_polars", "", "`polars.Series({})`"),
    ("head slice", "", "`{}[:5]`"),
    (
        "sum mean min max std unique n_unique nunique value_counts sort sort_values argsort is_null isna isnull is_in isin fill_null fillna drop_null dropna \
         filter take apply map str dt",
        "",
        "functions of `pyarrow.compute` take `pyarrow.array({})`, and those of NumPy `{}.to_numpy()`",
    ),
];

/// Names that other libraries have, the objects here for which they are meant, or all, and what does the same. `{}` is the object.
const MEANT: &[(&str, &str, &str)] = &[
    ("columns names", "", "`{}.column_names` has the names of the columns, `{}.schema` their types"),
    ("dtypes types dtype", "", "`{}.schema` has the types, `{}.schema[name].type` that of a column"),
    ("width ncols n_columns", "", "`{}.num_columns`"),
    ("height nrows n_rows count_rows", "file batch", "`{}.num_rows`"),
    ("height nrows n_rows num_rows count_rows len", "dataset", "`{}.count()`"),
    (
        "shape height nrows n_rows num_rows count_rows count",
        "stream",
        "rows are counted when they are read: `concat({}).shape`",
    ),
    ("where query filter_rows", "", "`{}.filter(\"price > 10\")`"),
    ("limit first fetch", "", "`{}.head(5)`"),
    (
        "iloc loc take slice",
        "file batch",
        "`{}[2:5]` has some rows, `{}.filter(\"price > 10\")` those of a condition",
    ),
    (
        "iloc loc take slice tail sample rows",
        "stream dataset",
        "`{}.head(5)` has the first rows, `{}.filter(\"price > 10\")` those of a condition",
    ),
    (
        "column get_column",
        "stream dataset",
        "`{}.select([name])` has columns, `concat({}).column(name)` is one",
    ),
    ("remove_column drop_columns without", "", "`{}.drop([name])`"),
    (
        "num_batches num_record_batches get_batch get_record_batch iter_batches to_batches read_next_batch",
        "file stream dataset",
        "`for batch in {}` reads the batches",
    ),
    (
        "collect compute read read_all read_table read_pandas to_table to_arrow to_reader scanner fetchall combine_chunks arrow",
        "",
        "`pyarrow.table({})` is a table, `concat({})` one batch, and `{}.to_polars()` and `{}.to_pandas()` are frames",
    ),
    (
        "to_dict as_py to_dicts as_dict dict",
        "",
        "`{}.to_pydict()` is a dict of lists, `{}.to_pylist()` a list of dicts",
    ),
    (
        "iterrows itertuples iter_rows to_records row",
        "stream dataset",
        "`for batch in {}` reads batches, and `batch.iter_rows()` has their rows",
    ),
    (
        "iterrows itertuples to_records row rows",
        "file batch",
        "`{}.iter_rows()` has the rows as dicts, `{}.to_pylist()` a list of them",
    ),
    ("to_numpy values", "", "columns have their own types: `concat({})[name].to_numpy()` is one column"),
    ("to_csv write_csv", "", "`write_csv(dest, {})`"),
    ("to_json write_json write_ndjson", "", "`write_json(dest, {})`"),
    ("to_feather write_feather write_ipc write_file save to_file write", "", "`write_file(dest, {})`"),
    ("write_stream write_ipc_stream to_stream", "", "`write_stream(dest, {})`"),
    ("to_parquet write_parquet", "", "`pyarrow.parquet.write_table(pyarrow.table({}), dest)`"),
    (
        "rename rename_columns cast astype",
        "",
        "`convert(source, dest, rename={old: new}, cast={name: type})` writes a file with these columns",
    ),
    ("explain", "", "`explain(source)`"),
    (
        "describe info nunique max min mean sum std value_counts",
        "",
        "`stats(source)` has the least and greatest values and counts; frames have more: `{}.to_polars()`, `{}.to_pandas()`",
    ),
    (
        "sort sort_values sort_by order_by orderby group_by groupby join merge agg pivot melt unique distinct drop_duplicates with_columns with_column assign apply map fillna fill_null dropna drop_nulls drop_null isnull isna is_null append_column add_column set_column concat union explode",
        "",
        "frames have this: `{}.to_polars()`, `{}.to_pandas()`, `pyarrow.table({})`",
    ),
];
