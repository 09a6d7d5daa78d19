//! The Arrow PyCapsule interface. Imports and exports structures of the C data and C stream interfaces in capsules.

use std::ffi::CStr;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_c_data::{ArrayImporter, ArrowArray, ArrowArrayStream, ArrowSchema};
use arrow_data::{ArrayData, Validation};
use arrow_schema::{Field, Schema};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    sync::critical_section::with_critical_section,
    types::{PyCapsule, PyTuple, PyType},
};

use crate::{
    calls,
    data::{Batches, BoxedBatches, SecondPass, is_in_memory},
    error::{Failure, Result, exception, misuse},
    options,
    widen::concat_wider,
};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A schema and an array in capsules, as `__arrow_c_array__` returns them.
pub(crate) type Pair<'py> = (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>);

pub(crate) fn export_schema<'py>(py: Python<'py>, schema: &Schema) -> Result<Bound<'py, PyCapsule>> {
    let schema = ArrowSchema::try_from_schema(schema)?;
    Ok(PyCapsule::new_with_value(py, schema, SCHEMA)?)
}

pub(crate) fn export_field<'py>(py: Python<'py>, field: &Field) -> Result<Bound<'py, PyCapsule>> {
    let schema = ArrowSchema::try_from_field(field)?;
    Ok(PyCapsule::new_with_value(py, schema, SCHEMA)?)
}

pub(crate) fn export_batch<'py>(py: Python<'py>, batch: &arrow_data::RecordBatch) -> Result<Pair<'py>> {
    let schema = export_schema(py, batch.schema())?;
    // The export may check all values.
    let array = py.detach(|| ArrowArray::try_from_batch(batch))?;
    Ok((schema, PyCapsule::new_with_value(py, array, ARRAY)?))
}

pub(crate) fn export_array<'py>(py: Python<'py>, field: &Field, array: &ArrayData) -> Result<Pair<'py>> {
    let schema = export_field(py, field)?;
    let array = py.detach(|| ArrowArray::try_from_array(array))?;
    Ok((schema, PyCapsule::new_with_value(py, array, ARRAY)?))
}

pub(crate) fn export_stream<'py>(py: Python<'py>, batches: Batches) -> Result<Bound<'py, PyCapsule>> {
    let stream = ArrowArrayStream::new(batches.schema, ExportedBatches(Some(batches.batches)));
    Ok(PyCapsule::new_with_value(py, stream, STREAM)?)
}

/// Batches for another library. Its threads may or may not have the interpreter's lock.
struct ExportedBatches(Option<BoxedBatches>);

impl Iterator for ExportedBatches {
    /// The error as text with its hint, because the original may contain a Python object.
    type Item = std::result::Result<arrow_data::RecordBatch, String>;

    fn next(&mut self) -> Option<Self::Item> {
        calls::outside(|| Some(self.0.as_mut()?.next()?.map_err(text_of)))
    }
}

impl Drop for ExportedBatches {
    fn drop(&mut self) {
        calls::outside(|| drop(self.0.take()));
    }
}

/// The text of the exception with its hint, which is all that other libraries report of a stream.
fn text_of(failure: Failure) -> String {
    let text = failure.to_string();
    let with_hint = Python::try_attach(|py| {
        let exception = PyErr::from(failure);
        let value = exception.value(py);
        // Only exceptions of this package have a hint, and their text needs no class before it.
        let hint = value.getattr("hint").ok()?;
        Some(if hint.is_none() { value.to_string() } else { format!("{value}\nhint: {hint}") })
    });
    with_hint.flatten().unwrap_or(text)
}

/// Refuses a requested schema with other columns. If only types differ, ignores the request: the interface allows a
/// producer to return its own types.
pub(crate) fn check_request(schema: &Schema, requested: Option<&Bound<'_, PyAny>>) -> Result<()> {
    let Some(requested) = requested else { return Ok(()) };
    let requested = schema_in(requested, "requested_schema")?.to_schema_with(options::max_fields())?;
    let names =
        |schema: &Schema| schema.fields().iter().map(|field| field.name().to_owned()).collect::<Vec<_>>();
    let found = names(&requested);
    let expected = names(schema);
    if found == expected {
        return Ok(());
    }
    let text = format!("the requested schema has the columns {found:?}; the data has {expected:?}");
    Err(misuse("RequestedSchema", text).into())
}

/// Reads the schema of an object with `__arrow_c_schema__`.
pub(crate) fn schema_from(object: &Bound<'_, PyAny>) -> Result<Schema> {
    Ok(exported(object, "expected an object with `__arrow_c_schema__`")?
        .to_schema_with(options::max_fields())?)
}

/// Reads the type or field of an object with `__arrow_c_schema__`.
pub(crate) fn field_from(object: &Bound<'_, PyAny>, what: &str) -> Result<Field> {
    let expected = format!(
        "{what}: expected a text such as \"int64\", or a type of Python, NumPy, pandas, polars or pyarrow"
    );
    Ok(exported(object, &expected)?.to_field_with(options::max_fields())?)
}

fn exported(object: &Bound<'_, PyAny>, expected: &str) -> Result<ArrowSchema> {
    match object.getattr_opt("__arrow_c_schema__")? {
        Some(method) => schema_in(&calls::call(&method, ())?, "__arrow_c_schema__"),
        None => {
            let found = if object.is_instance_of::<PyType>() {
                object.repr()?.into_any()
            } else {
                object.get_type().into_any()
            };
            let advice = match found.to_string().as_str() {
                "<class 'decimal.Decimal'>" => {
                    ": a decimal needs its digits and scale, such as \"decimal128(10, 2)\""
                }
                "<class 'list'>" => ": a list needs the type of its items, such as \"list<item: int64>\"",
                "<class 'dict'>" => ": a struct needs its fields, such as \"struct<x: int64, y: utf8>\"",
                _ if object.hasattr("__arrow_c_stream__")? => {
                    ": this is data, and `RecordBatch(data).schema` is its schema"
                }
                _ => "",
            };
            Err(exception::<PyTypeError>(format!("{expected}, found {found}{advice}")).into())
        }
    }
}

/// The batches of an object with `__arrow_c_stream__` or `__arrow_c_array__`; `None` if it has neither method. Objects of one
/// iterable share what was checked by the importer of all of them.
pub(crate) fn batches_from(
    object: &Bound<'_, PyAny>,
    importer: Option<&ArrayImporter>,
) -> Result<Option<Batches>> {
    let py = object.py();
    let importer =
        importer.map_or_else(|| ArrayImporter::new(Validation::Content), ArrayImporter::sharing_checks);
    if let Some(method) = object.getattr_opt("__arrow_c_stream__")? {
        let stream = stream_in(&calls::call(&method, ())?, "__arrow_c_stream__")?;
        // The stream may run Python code, which takes the interpreter's lock itself.
        let reader = py.detach(|| stream.into_batches_with(Validation::Content, options::max_fields()))?;
        let schema = Arc::clone(reader.schema());
        refuse_objects(object, schema.fields())?;
        let batches = reader.with_importer(importer).map(|batch| batch.map_err(Failure::from));
        let second_pass = is_in_memory(object).then_some(SecondPass::InMemory);
        return Ok(Some(Batches { schema, batches: Box::new(batches), second_pass }));
    }
    Ok(imported_array(object, importer)?.map(Batches::one))
}

/// Refuses columns of Python objects. polars, which has no bytes of a fixed length, gives their addresses in memory.
fn refuse_objects(object: &Bound<'_, PyAny>, fields: &[Field]) -> Result<()> {
    let are_addresses =
        |field: &&Field| field.data_type().is_binary() && field.data_type().byte_width() == Some(8);
    let Some(column) = fields.iter().find(are_addresses) else { return Ok(()) };
    for class in object.get_type().mro() {
        if class.getattr("__module__")?.to_string().starts_with("polars.") {
            let name = column.name();
            let text = format!(
                "column {name:?} has Python objects: pass their texts, as `str(value)`, or values of one type"
            );
            return Err(exception::<PyTypeError>(text).into());
        }
    }
    Ok(())
}

/// The batch of an object with `__arrow_c_array__`; `None` if it has no such method.
pub(crate) fn array_from(object: &Bound<'_, PyAny>) -> Result<Option<arrow_data::RecordBatch>> {
    imported_array(object, ArrayImporter::new(Validation::Content))
}

fn imported_array(
    object: &Bound<'_, PyAny>,
    mut importer: ArrayImporter,
) -> Result<Option<arrow_data::RecordBatch>> {
    let Some((schema, array)) = pair_from(object)? else { return Ok(None) };
    let schema = schema.to_schema_with(options::max_fields())?;
    // SAFETY: the PyCapsule interface says that the schema of the pair is that of the array: the promise of the code that made both.
    Ok(Some(object.py().detach(|| unsafe { importer.import_batch(array, schema) })?))
}

/// All values of an object with `__arrow_c_array__` or `__arrow_c_stream__`, as one array; `None` if it has neither
/// method.
pub(crate) fn column_from(object: &Bound<'_, PyAny>) -> Result<Option<(Field, ArrayData)>> {
    let py = object.py();
    if let Some((schema, array)) = pair_from(object)? {
        let field = schema.to_field_with(options::max_fields())?;
        // SAFETY: as in `imported_array`.
        let array = py.detach(|| unsafe { array.import(field.data_type(), Validation::Content) })?;
        return Ok(Some((field, array)));
    }
    let Some(method) = object.getattr_opt("__arrow_c_stream__")? else { return Ok(None) };
    let stream = stream_in(&calls::call(&method, ())?, "__arrow_c_stream__")?;
    let reader = py.detach(|| stream.into_arrays_with(Validation::Content, options::max_fields()))?;
    refuse_objects(object, std::slice::from_ref(reader.field()))?;
    py.detach(|| {
        let field = reader.field().clone();
        let none = ArrayData::new_empty(field.data_type());
        let arrays = std::iter::once(Ok(none)).chain(reader).collect::<std::result::Result<Vec<_>, _>>()?;
        let joined = concat_wider(&arrays)?;
        Ok(Some((field.with_data_type(joined.data_type().clone()), joined)))
    })
}

/// Calls `__arrow_c_array__`. Returns the schema and the array; `None` if the object has no such method.
fn pair_from(object: &Bound<'_, PyAny>) -> Result<Option<(ArrowSchema, ArrowArray)>> {
    let Some(method) = object.getattr_opt("__arrow_c_array__")? else {
        return Ok(None);
    };
    let pair = calls::call(&method, ())?;
    let not_a_pair = |_| {
        let found = pair.get_type();
        exception::<PyTypeError>(format!("`__arrow_c_array__` gave {found} and not a pair of capsules"))
    };
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
        pair.cast::<PyTuple>().map_err(PyErr::from).and_then(|pair| pair.extract()).map_err(not_a_pair)?;
    Ok(Some((schema_in(&schema, "__arrow_c_array__")?, array_in(&array, "__arrow_c_array__")?)))
}

fn schema_in(object: &Bound<'_, PyAny>, giver: &str) -> Result<ArrowSchema> {
    let pointer = pointer(object, SCHEMA, giver)?;
    Ok(with_critical_section(object, || {
        // SAFETY: a capsule of this name has a pointer to an `ArrowSchema` that keeps the contract of the C data interface:
        // that is what the PyCapsule interface says of it, and the promise of the code that made the capsule. Of our threads
        // one at a time takes from a capsule: the thread is attached, and without the interpreter's lock the critical section
        // keeps others out, as moving the structure calls nothing that could interrupt it. So the next one finds it released.
        unsafe { ArrowSchema::from_raw(pointer.cast().as_ptr()) }
    }))
}

fn array_in(object: &Bound<'_, PyAny>, giver: &str) -> Result<ArrowArray> {
    let pointer = pointer(object, ARRAY, giver)?;
    Ok(with_critical_section(object, || {
        // SAFETY: as in `schema_in`, for an `ArrowArray`.
        unsafe { ArrowArray::from_raw(pointer.cast().as_ptr()) }
    }))
}

fn stream_in(object: &Bound<'_, PyAny>, giver: &str) -> Result<ArrowArrayStream> {
    let pointer = pointer(object, STREAM, giver)?;
    Ok(with_critical_section(object, || {
        // SAFETY: as in `schema_in`, for an `ArrowArrayStream`.
        unsafe { ArrowArrayStream::from_raw(pointer.cast().as_ptr()) }
    }))
}

/// The pointer in a capsule, which must have this name.
fn pointer(object: &Bound<'_, PyAny>, name: &CStr, giver: &str) -> Result<NonNull<std::ffi::c_void>> {
    let Ok(capsule) = object.cast::<PyCapsule>() else {
        let found = object.get_type();
        return Err(exception::<PyTypeError>(format!("`{giver}` gave {found} and not a capsule")).into());
    };
    if !capsule.is_valid_checked(Some(name)) {
        let expected = name.to_string_lossy();
        // The `repr` of a capsule contains its name.
        let text = format!("`{giver}` gave {}; expected a capsule named \"{expected}\"", capsule.repr()?);
        return Err(misuse("CapsuleName", text).into());
    }
    Ok(capsule.pointer_checked(Some(name))?)
}
