//! Makes arrays from Python values, and from memory of NumPy.

use arrow_array::{BinaryArray, BooleanArray, Float64Array, Int64Array, UInt64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_compute::Digits;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, Field};
use pyo3::{
    conversion::FromPyObjectOwned,
    exceptions::PyTypeError,
    prelude::*,
    pybacked::{PyBackedBytes, PyBackedStr},
    types::PyList,
};

use crate::{
    array::Array,
    error::{Failure, Result, misuse},
    memory,
    schema::field_of,
};

/// Makes an array from Python values, which are all of this type or `None`.
#[pyfunction]
pub(crate) fn _array_of(values: &Bound<'_, PyList>, data_type: &str) -> Result<Array> {
    let data: ArrayData = match data_type {
        "bool" => BooleanArray::from_iter(taken::<bool>(values)?).into(),
        "int64" => Int64Array::from_iter(taken::<i64>(values)?).into(),
        "uint64" => UInt64Array::from_iter(taken::<u64>(values)?).into(),
        "float64" => Float64Array::from_iter(taken::<f64>(values)?).into(),
        "utf8" => {
            Utf8Array::try_from_iter(taken::<PyBackedStr>(values)?.iter().map(Option::as_deref))?.into()
        }
        "binary" => {
            BinaryArray::try_from_iter(taken::<PyBackedBytes>(values)?.iter().map(Option::as_deref))?.into()
        }
        other => return Err(misuse("TypeMismatch", format!("no list becomes {other}")).into()),
    };
    Ok(Array::new(Field::new("", data.data_type().clone()), data))
}

/// Converts the items of a list to Rust values.
fn taken<'py, T: FromPyObjectOwned<'py>>(values: &Bound<'py, PyList>) -> PyResult<Vec<Option<T>>> {
    const AT_ONCE: usize = 1 << 16;
    let mut items = Vec::new();
    for (k, value) in values.iter().enumerate() {
        if k % AT_ONCE == 0 {
            values.py().check_signals()?;
        }
        items.push(if value.is_none() { None } else { Some(value.extract().map_err(Into::into)?) });
    }
    Ok(items)
}

/// Makes an array of the numbers in this memory. Booleans are bits.
#[pyfunction]
pub(crate) fn _array_of_memory(
    memory: &Bound<'_, PyAny>,
    data_type: &Bound<'_, PyAny>,
    n_slots: usize,
) -> Result<Array> {
    let Some(bytes) = memory::lend(memory)? else {
        let found = memory.get_type();
        return Err(PyTypeError::new_err(format!("expected memory, found {found}")).into());
    };
    let field = field_of(data_type, "type")?;
    let parts = ArrayParts {
        buffers: [bytes.to_aligned(8), Buffer::new()],
        ..ArrayParts::new(field.data_type().clone(), n_slots)
    };
    Ok(Array::new(field, ArrayData::try_new(parts)?))
}

/// Finds values whose meaning would change in a column of a schema, such as text that would become numbers. Returns
/// the path of the first such field, and the type of its values.
#[pyfunction]
pub(crate) fn _reinterpreted(
    array: &Array,
    name: &str,
    field: &crate::schema::Field,
) -> Option<(String, String)> {
    reinterpreted(name.to_owned(), (&array.field, &array.inner), &field.inner)
}

/// Like `_reinterpreted`, for one field and its values.
fn reinterpreted(path: String, (from, values): (&Field, &ArrayData), to: &Field) -> Option<(String, String)> {
    if values.null_count() == values.len() {
        return None;
    }
    let (found, wanted) = (from.data_type(), decoded_type(to.data_type()));
    let is_in_bytes = found.is_text() || (found.is_binary_like() && from.extension().is_none());
    let is_bool = |data_type: &DataType| data_type.same_type(&DataType::Boolean);
    // The type "dictionary" alone keeps the type of the values.
    let is_other = if wanted.same_type(&DataType::Null) {
        false
    } else if is_bool(found) {
        !is_bool(wanted) && to.extension().is_none_or(|extension| extension.name != "arrow.bool8")
    } else if wanted.is_text() {
        !found.is_nested() && !is_in_bytes
    } else if found.is_text() {
        wanted.is_numeric() || wanted.is_temporal() || is_bool(wanted)
    } else {
        found.is_temporal() && found.unit().is_some() && wanted.is_integer()
    };
    if is_other {
        return Some((path, wanted.to_string()));
    }
    let (children, others) = (found.children(), wanted.children());
    children.iter().zip(values.children()).enumerate().find_map(|(k, (child, values))| {
        let other = match found.is_struct() && wanted.is_struct() {
            true => others.iter().find(|other| other.name() == child.name()),
            false => others.get(k),
        };
        reinterpreted(format!("{path}.{}", child.name()), (child, values), other?)
    })
}

/// The type of the values after decoding dictionaries and runs at any depth. Other types are unchanged.
fn decoded_type(data_type: &DataType) -> &DataType {
    match data_type.children() {
        [_, values] if data_type.is_run_end_encoded() => decoded_type(values.data_type()),
        _ if data_type.is_dictionary() => decoded_type(data_type.value_type()),
        _ => data_type,
    }
}

/// Casts an array to the type of a field, and gives it the field. With `rounds_floats`, floating-point numbers are
/// rounded to a shorter type.
/// # Errors
/// If there are nulls that the field does not allow, or if the values cannot be cast to its type.
#[pyfunction]
pub(crate) fn _in_field(
    py: Python<'_>,
    array: &Array,
    field: &crate::schema::Field,
    rounds_floats: bool,
) -> Result<Array> {
    let field = field.inner.clone();
    let to = field.data_type();
    let digits = if rounds_floats { Digits::RoundFloats } else { Digits::Keep };
    let cast = match array.inner.data_type().same_type(to) {
        true => None,
        false => Some(array.cast_to(py, &field, digits)?),
    };
    let array = cast.as_ref().unwrap_or(array);
    check_nulls(py, &array.inner, &field)?;
    // Children keep their metadata.
    let data_type = array.inner.data_type().clone();
    Ok(Array::new(field.with_data_type(data_type), array.inner.clone()))
}

/// Returns an error if there are nulls, but the field does not allow them.
pub(crate) fn check_nulls(py: Python<'_>, values: &ArrayData, field: &Field) -> PyResult<()> {
    if field.is_nullable() {
        return Ok(());
    }
    // Dictionaries, runs and unions may have nulls in their values.
    match py.detach(|| values.logical_null_count()).map_err(Failure::from)? {
        0 => Ok(()),
        n_nulls => {
            let text = format!("{n_nulls} of the values are null, which {field} does not allow");
            Err(misuse("Nulls", text))
        }
    }
}
