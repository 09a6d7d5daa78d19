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

mod tables;

use self::tables::{
    ARRAY_MEMBERS, FIELD_MEMBERS, KEYWORDS, MEMBERS, SCHEMA_MEMBERS, TASK_MEMBERS, WRITER_MEMBERS,
};
use crate::{
    calls,
    error::{Failure, exception},
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
        exception::<PyTypeError>(format!(
            "expected an `arrow_ipc.{class}`, found {found}: `arrow_ipc.{made}` makes one"
        ))
    })
}

/// The error for an array without a dictionary.
pub(crate) fn no_dictionary() -> Failure {
    exception::<PyAttributeError>("the column is not dictionary-encoded").into()
}

/// The error for a value that an array does not have.
pub(crate) fn not_found(value: &Bound<'_, PyAny>) -> PyErr {
    let text = value.repr().map_or_else(|_| "the value".to_owned(), |text| text.to_string());
    exception::<PyValueError>(format!("{text} is not in the array"))
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
    Err(exception::<PyTypeError>(format!(
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
    const OTHER_CLASSES: [&str; 4] = ["isoformat", "total_seconds", "as_tuple", "urn"];
    // A class has the methods of its objects.
    if !is_plain && other.is_instance_of::<PyType>() {
        return Ok(false);
    }
    for name in OTHER_CLASSES {
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
    exception::<PyTypeError>(format!(
        "{what} is no array, since its columns have their own types: `{batch}[\"id\"].to_numpy()` is a column, \
         `numpy.column_stack({batch}.columns)` all columns in one type; pandas takes `{batch}.to_pandas()`"
    ))
}

/// A hint on how to convert objects that are not rows. `item` is one of them.
pub(crate) fn rows_of(item: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    const ATTRIBUTES: [(&str, &str); 4] = [
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
    for (name, advice) in ATTRIBUTES {
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
    let error = exception::<PyAttributeError>(text);
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
        (of.is_empty() || of.split_whitespace().any(|of| of == what))
            && names.split_whitespace().any(|other| other == name)
    };
    let meant = match what {
        "array" => ARRAY_MEMBERS,
        "schema" => SCHEMA_MEMBERS,
        "field" => FIELD_MEMBERS,
        "writer" => WRITER_MEMBERS,
        "task" => TASK_MEMBERS,
        _ => MEMBERS,
    };
    let (_, _, advice) = meant.iter().find(is_meant)?;
    Some(advice.replace("{}", what))
}

/// What is meant by a keyword argument that a function does not have.
pub(crate) fn keyword(function: &str, name: &str) -> Option<&'static str> {
    let is_meant = |(of, names, _): &&(&str, &str, &str)| {
        of.split_whitespace().any(|of| of == function) && names.split_whitespace().any(|other| other == name)
    };
    Some(KEYWORDS.iter().find(is_meant)?.2)
}
