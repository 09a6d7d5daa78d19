//! Errors about objects of the wrong kind, which say how to make one of the right kind.

use pyo3::{
    PyClass,
    exceptions::{PyAttributeError, PyTypeError, PyValueError},
    prelude::*,
    pyclass::{CompareOp, boolean_struct::True},
    types::{PyDict, PyList, PyString, PyTuple},
};

use crate::error::{Failure, raised};

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

/// The result of comparing an array with something else. Arrays of other libraries may know how to compare.
///
/// # Errors
/// If the values of an array should be compared with a constant, which gives a mask in other libraries.
pub(crate) fn not_compared(other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
    let is_order = !matches!(op, CompareOp::Eq | CompareOp::Ne);
    if is_order && !other.hasattr("__array__")? && !other.hasattr("__arrow_c_array__")? {
        return Err(raised::<PyTypeError>(
            "the values of an array are not compared: `dataset(path, where=\"id > 2\")` reads the rows of a condition, and \
             `array.to_numpy() > 2` is an array of NumPy",
        ));
    }
    Ok(other.py().NotImplemented())
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
