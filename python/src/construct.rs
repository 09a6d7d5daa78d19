//! Constructs arrays from Python values, and from memory of NumPy.

mod objects;
mod rows;

use arrow_array::{
    BinaryArray, BooleanArray, FixedSizeBinaryArray, Float64Array, Int32Array, Int64Array,
    IntervalMonthDayNanoArray, ListArray, NullArray, StructArray, UInt64Array, Utf8Array,
};
use arrow_buffer::{Bitmap, Buffer, IntervalMonthDayNano, Offsets};
use arrow_compute::Digits;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, Field, FieldPath, IntervalUnit, KeyOrder, MapType, Nullability};
use pyo3::{
    conversion::FromPyObjectOwned,
    exceptions::{PyOverflowError, PyTypeError},
    intern,
    prelude::*,
    pybacked::{PyBackedBytes, PyBackedStr},
    types::{PyList, PyString},
};

use crate::{
    array::Array,
    error::{Failure, Result, arrow_ipc_error, exception, misuse},
    location::Location,
    memory,
    options::Items,
    schema::field_of,
};

pub(crate) use self::{
    objects::{_decimals_of, _times_of},
    rows::{_columns_of, _types_of, _zones_of},
};

/// Makes an array from Python values, which are all of this type or `None`. The values of dates, times, timestamps and durations
/// are the stored integers; those of intervals are tuples. UUIDs become their bytes.
#[pyfunction]
pub(crate) fn _array_of(values: &Bound<'_, PyList>, data_type: &Bound<'_, PyString>) -> Result<Array> {
    let data: ArrayData = match data_type.to_cow()?.as_ref() {
        "bool" => BooleanArray::from_iter(extract::<bool>(values)?).into(),
        "int64" => Int64Array::from_iter(extract::<i64>(values)?).into(),
        "uint64" => UInt64Array::from_iter(extract::<u64>(values)?).into(),
        "float64" => Float64Array::from_iter(extract::<f64>(values)?).into(),
        "utf8" => {
            Utf8Array::try_from_iter(extract::<PyBackedStr>(values)?.iter().map(Option::as_deref))?.into()
        }
        "binary" => {
            BinaryArray::try_from_iter(extract::<PyBackedBytes>(values)?.iter().map(Option::as_deref))?.into()
        }
        "uuid" => {
            let bytes = |value: &Bound<'_, PyAny>| {
                let number: u128 = value.getattr(intern!(values.py(), "int"))?.extract()?;
                Ok(number.to_be_bytes())
            };
            FixedSizeBinaryArray::try_from_iter(16, extract_with(values, bytes)?)?.into()
        }
        "null" => NullArray::new(values.len()).into(),
        "date32" => {
            let days = extract_integers(values, &DataType::Date32, |value| value.extract::<i32>())?;
            with_type(Int32Array::from_iter(days).into(), DataType::Date32)?
        }
        "interval(month_day_nano)" => {
            let interval = |value: &Bound<'_, PyAny>| {
                let (months, days, nanoseconds) = value.extract()?;
                Ok(IntervalMonthDayNano { months, days, nanoseconds })
            };
            let values = extract_integers(values, &DataType::Interval(IntervalUnit::MonthDayNano), interval)?;
            IntervalMonthDayNanoArray::from_iter(values).into()
        }
        other => {
            let data_type = field_of(data_type, "type")?.data_type().clone();
            if !data_type.is_temporal() {
                return Err(misuse("TypeMismatch", format!("a list of values cannot become {other}")).into());
            }
            with_type(Int64Array::from_iter(extract::<i64>(values)?).into(), data_type)?
        }
    };
    Ok(unnamed(data))
}

/// Gives the slots of an array another type of the same layout.
fn with_type(data: ArrayData, data_type: DataType) -> Result<ArrayData> {
    Ok(ArrayData::try_new(ArrayParts { data_type, ..data.into_parts() })?)
}

fn unnamed(data: ArrayData) -> Array {
    Array::new(Field::new("", data.data_type().clone()), data)
}

/// Makes lists from the items of all lists in a row. `values` are these lists, or `None`.
#[pyfunction]
pub(crate) fn _lists_of(values: &Bound<'_, PyList>, items: &Array) -> Result<Array> {
    Ok(unnamed(lists(&sizes(values)?, items.field.clone().with_name("item"), items.inner.clone())?))
}

/// Makes maps from the keys and values of all maps in a row. `values` are lists of pairs, or `None`.
#[pyfunction]
pub(crate) fn _maps_of(values: &Bound<'_, PyList>, keys: &Array, items: &Array) -> Result<Array> {
    let key = keys.field.clone().with_name("key").with_nullability(Nullability::Required);
    let map = MapType::from_key_value(key, items.field.clone().with_name("value"), KeyOrder::Unsorted);
    let entry = map.entries().clone();
    let columns = [keys.inner.clone(), items.inner.clone()];
    let entries = StructArray::try_new(entry.data_type().children(), columns, None)?;
    Ok(unnamed(with_type(lists(&sizes(values)?, entry, entries.into())?, map.into())?))
}

/// The lengths of lists; `None` of a null.
fn sizes(values: &Bound<'_, PyList>) -> PyResult<Vec<Option<usize>>> {
    extract_with(values, |value| value.len())
}

fn lists(sizes: &[Option<usize>], item: Field, items: ArrayData) -> Result<ArrayData> {
    let offsets = Offsets::try_from_sizes(sizes.iter().map(|size| size.unwrap_or(0)));
    let offsets = offsets.map_err(|error| misuse("OffsetOverflow", error.to_string()))?;
    let validity = sizes.iter().map(Option::is_some).collect();
    Ok(ListArray::try_new(item, offsets, items, Some(validity))?.into())
}

/// Makes structs of these fields. A slot is null if its value is `None`.
#[pyfunction]
pub(crate) fn _structs_of(
    values: &Bound<'_, PyList>,
    fields: Items<(String, Bound<'_, Array>)>,
) -> Result<Array> {
    let (fields, columns): (Vec<Field>, Vec<ArrayData>) = fields
        .0
        .into_iter()
        .map(|(name, array)| (array.get().field.clone().with_name(name), array.get().inner.clone()))
        .unzip();
    let validity: Bitmap = values.iter().map(|value| !value.is_none()).collect();
    Ok(unnamed(StructArray::try_new(fields, columns, Some(validity))?.into()))
}

/// Converts the items of a list to Rust values.
fn extract<'py, T: FromPyObjectOwned<'py>>(values: &Bound<'py, PyList>) -> PyResult<Vec<Option<T>>> {
    extract_with(values, |value| value.extract().map_err(Into::into))
}

/// Converts the items of a list with a function. `None` stays `None`.
fn extract_with<'py, T>(
    values: &Bound<'py, PyList>,
    mut convert: impl FnMut(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<Option<T>>> {
    const AT_ONCE: usize = 1 << 16;
    let mut items = Vec::with_capacity(values.len());
    for (k, value) in values.iter().enumerate() {
        if k % AT_ONCE == 0 {
            values.py().check_signals()?;
        }
        items.push(if value.is_none() { None } else { Some(convert(&value)?) });
    }
    Ok(items)
}

/// Like [`extract_with`], for integers of a type.
///
/// # Errors
/// If an integer does not fit the type. The error has the slot.
fn extract_integers<'py, T>(
    values: &Bound<'py, PyList>,
    data_type: &DataType,
    convert: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<Option<T>>> {
    let py = values.py();
    extract_with(values, &convert).map_err(|error| {
        let is_large = |error: PyErr| error.is_instance_of::<PyOverflowError>(py);
        let mut slots = values.iter().enumerate().filter(|(_, value)| !value.is_none());
        match slots.find(|(_, value)| convert(value).is_err_and(is_large)) {
            Some((slot, value)) => {
                let text = format!("the value {value} in slot {slot} does not fit {data_type}");
                let location = Location::at_slot(&FieldPath::root(), slot);
                arrow_ipc_error(py, text, "OutOfRange".to_owned(), "misuse", location)
            }
            None => error,
        }
    })
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
        return Err(exception::<PyTypeError>(format!("expected memory, found {found}")).into());
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
    if values.logical_null_count().is_ok_and(|null_count| null_count == values.len()) {
        return None;
    }
    let found = decoded_type(from.data_type());
    let wanted = decoded_type(to.data_type());
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
    // The members of encoded structs and items of encoded lists are not looked at.
    let children = found.children();
    let others = wanted.children();
    if found != from.data_type() {
        return None;
    }
    children.iter().zip(values.children()).enumerate().find_map(|(k, (child, values))| {
        let other = if found.is_struct() && wanted.is_struct() {
            others.iter().find(|other| other.name() == child.name())
        } else {
            others.get(k)
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
    let cast =
        if array.inner.data_type().same_type(to) { None } else { Some(array.cast_to(py, &field, digits)?) };
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
        null_count => {
            let text = format!("{null_count} of the values are null, which {field} does not allow");
            Err(misuse("Nulls", text))
        }
    }
}
