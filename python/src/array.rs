//! Arrays: the values of a column as Python objects, and as memory that other libraries can read.

mod blocks;
mod cast;

use std::{
    ffi::c_int,
    ops::Range,
    sync::{Arc, OnceLock},
};

use arrow_buffer::Buffer;
use arrow_compute::Digits;
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema as schema;
use arrow_select::{ReferredBytes, Select};
use arrow_text::format::Counted;
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyBufferError, PyIndexError, PyTypeError, PyValueError},
    ffi,
    prelude::*,
    pyclass::CompareOp,
    types::{PyBytes, PyCapsule, PyDict, PyList, PySlice},
};

use crate::{
    calls, capsule,
    data::Batches,
    dlpack,
    error::{Failure, Result, exception, misuse, with_location},
    joined_rows::JoinedRows,
    location::Location,
    memory,
    numbers::{Numbers, formats},
    options,
    pickle::{self, Reduction},
    rows,
    schema::cast_type,
    show, suggestions,
    values::{ValueFactory, ValuePath, Values, values},
};

/// The values of one column, with its field. An array is a sequence, and its slices share its memory. It can be made
/// from `values`, such as a list of Python's values or a column of another library. Without a `type`, they determine it.
///
/// >>> arrow_ipc.Array([1, None, 3], "int8").to_pylist()
/// [1, None, 3]
///
/// Each value becomes a Python object: `None` for a null, `datetime` in the zone of the type, `Decimal`, `UUID`, a
/// `dict` for a struct, a list of pairs for a map. A value that Python cannot represent, such as nanoseconds, is an
/// error.
///
/// >>> ids = arrow_ipc.open("people.arrow").batch(0)["id"]
/// >>> ids[0], ids[-1], len(ids), 2 in ids
/// (1, 3, 3, True)
/// >>> ids[1:].to_pylist()
/// [2, 3]
/// >>> sum(ids)
/// 6
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Array {
    pub(crate) field: schema::Field,
    pub(crate) inner: ArrayData,
    /// The number of slots, which views of the buffer protocol point to as their shape.
    n_slots: ffi::Py_ssize_t,
    /// Converts the values; set when they are first used.
    values: OnceLock<Values>,
}

impl Array {
    pub(crate) fn new(field: schema::Field, inner: ArrayData) -> Array {
        let n_slots = inner.len().cast_signed();
        Array { field, inner, n_slots, values: OnceLock::new() }
    }

    /// The values of a nested field. A value is null if one of its parents is null.
    pub(crate) fn at_path(py: Python<'_>, rows: &JoinedRows, path: &schema::FieldPath) -> Result<Array> {
        let values = py.detach(|| rows.at_path(path))?;
        let field = rows.schema().field_at(path.positions());
        let name = field.map_or("", schema::Field::name);
        let plain = schema::Field::new(name, values.data_type().clone());
        // Below a list, the values are lists. Their items have the metadata of the field.
        let same_type = field.filter(|field| field.data_type() == values.data_type());
        let metadata = same_type.map(|field| field.metadata().clone()).unwrap_or_default();
        Ok(Array::new(plain.with_metadata(metadata), values))
    }

    /// Makes an array of bytes, as numbers that other libraries can read without a copy.
    pub(crate) fn try_from_bytes(bytes: Buffer) -> Result<Array> {
        let parts = ArrayParts::new(schema::DataType::UInt8, bytes.len());
        let data = ArrayData::try_new(ArrayParts { buffers: [bytes, Buffer::new()], ..parts })?;
        Ok(Array::new(schema::Field::new("", schema::DataType::UInt8), data))
    }

    /// The memory of the numbers. It does not change.
    pub(crate) fn memory(&self) -> &Buffer {
        self.inner.buffer(0)
    }

    /// Makes an array from Python values. If `schema` is set, it has one column, whose type the array gets.
    fn try_from_values(values: &Bound<'_, PyAny>, schema: Option<&Arc<schema::Schema>>) -> Result<Array> {
        let columns = PyDict::new(values.py());
        columns.set_item("values", values)?;
        let made = Batches::with_schema(&columns, schema)?.batches.next().transpose()?;
        let (batch, column) = made
            .as_ref()
            .and_then(|batch| Some((batch, batch.columns().first()?)))
            .ok_or_else(|| misuse("NoColumn", "there are no values"))?;
        let field = batch.schema().fields().first().map(|field| field.clone().with_name(""));
        let field = field.ok_or_else(|| misuse("NoColumn", "there are no values"))?;
        Ok(Array::new(field, column.clone()))
    }

    /// A batch with this array as its only column.
    pub(crate) fn as_batch(&self) -> Result<arrow_data::RecordBatch> {
        let schema = Arc::new(schema::Schema::new([self.field.clone()]));
        Ok(arrow_data::RecordBatch::try_new(schema, [self.inner.clone()])?)
    }

    fn with(&self, inner: ArrayData) -> Array {
        Array::new(self.field.clone(), inner)
    }

    /// The converter of the values. Validates their content before the first use.
    fn values(&self, py: Python<'_>) -> PyResult<&Values> {
        if let Some(values) = self.values.get() {
            return Ok(values);
        }
        // Without the lock: if the process forks while another thread validates, a lock would stay locked in the
        // child process.
        let checked =
            py.detach(|| self.inner.clone().validate(Validation::Content)).map_err(Failure::from)?;
        let path = ValuePath::from_field(Some(&self.field), 0, &schema::FieldPath::root());
        let made = values(py, &checked, &path)?;
        Ok(self.values.get_or_init(|| made))
    }

    /// The values of these slots as a list, if the budget of `making` allows it.
    fn list<'py>(&self, making: &ValueFactory<'py>, slots: Range<usize>) -> PyResult<Bound<'py, PyList>> {
        self.values(making.py)?.list(making, slots)
    }

    /// The numbers of the array, as they are in memory.
    ///
    /// # Errors
    /// If there are nulls. If the values are more than numbers: dates and times would lose their unit, and
    /// `arrow.bool8` would no longer be booleans.
    pub(crate) fn numbers(&self) -> PyResult<Numbers<'_>> {
        let data_type = self.inner.data_type();
        let Some((format, width)) =
            formats(&self.field).and_then(|(format, _)| Some((format?, data_type.byte_width()?)))
        else {
            let text = format!(
                "{data_type} is not stored as numbers: `to_numpy(zero_copy_only=False)` copies the values"
            );
            return Err(misuse("NoBuffer", text));
        };
        self.check_no_nulls()?;
        let width = usize::try_from(width).unwrap_or(usize::MAX);
        let bytes = self.inner.buffer(0).get(..width.saturating_mul(self.inner.len())).unwrap_or_default();
        Ok(Numbers { bytes, n_slots: &self.n_slots, width: width.cast_signed(), format })
    }

    fn check_no_nulls(&self) -> PyResult<()> {
        match (self.inner.null_count(), self.inner.len()) {
            (0, _) => Ok(()),
            (null_count, n_slots) => {
                let text = format!(
                    "{null_count} of {n_slots} slots are null, and shared memory of numbers has no nulls: `to_numpy(zero_copy_only=False)` copies"
                );
                Err(misuse("Nulls", text))
            }
        }
    }
}

#[pymethods]
impl Array {
    #[new]
    #[pyo3(signature = (values, r#type = None))]
    fn __new__(values: &Bound<'_, PyAny>, r#type: Option<&Bound<'_, PyAny>>) -> Result<Array> {
        let Some(to) = r#type else { return Array::from_arrow(values) };
        let field = cast_type(to, "type")?;
        let data_type = field.data_type();
        let has_types = values.hasattr("__arrow_c_array__")? || values.hasattr("__arrow_c_stream__")?;
        // The type "dictionary" alone keeps the type of the values.
        let has_no_type =
            data_type.is_dictionary() && data_type.value_type().same_type(&schema::DataType::Null);
        if has_types || has_no_type || values.is_instance_of::<PyDict>() {
            return Array::from_arrow(values)?.cast_to(values.py(), &field, Digits::Keep);
        }
        // The Python values of an extension type such as `arrow.bool8` differ from those of its storage type.
        Array::try_from_values(values, Some(&Arc::new(schema::Schema::new([field.with_name("values")]))))
    }

    /// Makes an array from an object with `__arrow_c_array__` or `__arrow_c_stream__`, such as a column of another
    /// library, or from a list of Python values. All arrays of a stream are joined.
    ///
    /// >>> import pyarrow
    /// >>> arrow_ipc.Array.from_arrow(pyarrow.chunked_array([[1], [2, None]])).to_pylist()
    /// [1, 2, None]
    #[staticmethod]
    fn from_arrow(data: &Bound<'_, PyAny>) -> Result<Array> {
        if let Ok(array) = data.cast::<Array>() {
            return Ok(array.get().with(array.get().inner.clone()));
        }
        if let Some((field, values)) = capsule::column_from(data)? {
            return Ok(Array::new(field, values));
        }
        if data.is_instance_of::<PyDict>() || !data.hasattr("__iter__")? {
            let found = data.get_type();
            let text = format!(
                "expected an object with `__arrow_c_array__` or `__arrow_c_stream__`, or a list of values, found {found}"
            );
            return Err(exception::<PyTypeError>(text).into());
        }
        Array::try_from_values(data, None)
    }

    /// The type as text.
    ///
    /// >>> arrow_ipc.open("people.arrow")["name"].type
    /// 'utf8'
    #[getter(r#type)]
    fn data_type(&self) -> String {
        self.field.data_type().to_string()
    }

    /// The field: name, type, nullability and metadata.
    ///
    /// >>> arrow_ipc.open("people.arrow")["id"].field
    /// Field("id: int64")
    #[getter]
    fn field(&self) -> crate::schema::Field {
        (&self.field).into()
    }

    /// The number of nulls. Nulls inside a dictionary, or inside the values of runs, do not count.
    ///
    /// >>> arrow_ipc.open("people.arrow")["name"].null_count
    /// 1
    #[getter]
    fn null_count(&self) -> usize {
        self.inner.null_count()
    }

    /// The indices of a dictionary-encoded column, which are positions in `dictionary`. The result shares the memory
    /// of the column.
    ///
    /// >>> arrow_ipc.Array(["red", "blue", None, "red"], "dictionary").indices.to_pylist()
    /// [0, 1, None, 0]
    #[getter]
    fn indices(&self) -> Result<Array> {
        let Some(dictionary) = self.inner.data_type().as_dictionary() else {
            return Err(suggestions::no_dictionary());
        };
        let data_type = schema::DataType::from(dictionary.index());
        let parts =
            ArrayParts { data_type: data_type.clone(), dictionary: None, ..self.inner.clone().into_parts() };
        let field =
            schema::Field::new(self.field.name(), data_type).with_nullability(self.field.nullability());
        Ok(Array::new(field, ArrayData::try_new(parts)?))
    }

    /// The dictionary that `indices` refer to. The result shares the memory of the column.
    ///
    /// >>> arrow_ipc.Array(["red", "blue", None, "red"], "dictionary").dictionary.to_pylist()
    /// ['red', 'blue']
    #[getter]
    fn dictionary(&self) -> Result<Array> {
        let Some(values) = self.inner.dictionary() else { return Err(suggestions::no_dictionary()) };
        let field = self.field.clone().with_data_type(values.data_type().clone());
        Ok(Array::new(field.with_nullability(schema::Nullability::Nullable), (**values).clone()))
    }

    /// The number of bytes to which the slots refer, and that a `compact` copy would have. A dictionary counts as a whole.
    ///
    /// >>> arrow_ipc.open("people.arrow")["id"].nbytes
    /// 24
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> Result<u64> {
        Ok(py.detach(|| self.inner.n_referred_bytes())?)
    }

    /// The number of bytes of memory that stay allocated as long as this array is used: all buffers as a whole, each once,
    /// however few of their bytes the slots refer to.
    ///
    /// >>> ids = arrow_ipc.open("people.arrow")["id"]
    /// >>> ids[:1].get_total_buffer_size() == ids.get_total_buffer_size()
    /// True
    fn get_total_buffer_size(&self) -> u64 {
        self.inner.n_held_bytes()
    }

    /// All values as a list.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0)["name"].to_pylist()
    /// ['ada', None, 'grace']
    fn to_pylist<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyList>> {
        Ok(self.list(&ValueFactory::new(py, self.inner.n_bytes()), 0..self.inner.len())?)
    }

    /// The values as an array of NumPy. Dates and timestamps become `datetime64`, durations and times of day `timedelta64`.
    ///
    /// The result shares the memory, or an error is raised. With `zero_copy_only=False`, values are copied if
    /// necessary: nulls become NaN or NaT, or `None` for types that have neither, and values without a NumPy type
    /// become Python objects. Integers with nulls are still an error if `float64` cannot represent one of them.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0)["id"].to_numpy()
    /// array([1, 2, 3])
    #[pyo3(signature = (*, zero_copy_only = true))]
    fn to_numpy<'py>(
        this: &Bound<'py, Self>,
        #[pyo3(from_py_with = options::flag)] zero_copy_only: bool,
    ) -> Result<Bound<'py, PyAny>> {
        let module = calls::import(this.py(), "arrow_ipc._numpy")?;
        Ok(calls::method(&module, "to_numpy", (this, zero_copy_only))?)
    }

    /// Called by `numpy.asarray` and others. With `copy=False`, raises `ValueError` if the memory cannot be shared.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        this: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = options::flag)] copy: Option<bool>,
    ) -> Result<Bound<'py, PyAny>> {
        let module = calls::import(this.py(), "arrow_ipc._numpy")?;
        Ok(calls::method(&module, "as_array", (this, dtype, copy))?)
    }

    /// Casts the values to another type: another encoding, width, scale or unit. The type is a text, or a type of
    /// another library. "dictionary" alone keeps the type of the values. It is an error if a value does not
    /// fit, or loses digits without `lossy`. Fields of structs are matched by name.
    ///
    /// >>> arrow_ipc.open("people.arrow").batch(0)["id"].cast("uint8").type
    /// 'uint8'
    #[pyo3(signature = (r#type, *, lossy = false))]
    fn cast(
        &self,
        py: Python<'_>,
        r#type: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::flag)] lossy: bool,
    ) -> Result<Array> {
        self.cast_to(py, &cast_type(r#type, "type")?, if lossy { Digits::Drop } else { Digits::Keep })
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        // The methods of these names have raised.
        if matches!(name, "dictionary" | "indices") {
            return Err(suggestions::no_dictionary().into());
        }
        Err(suggestions::no_attribute(this.as_any(), "array", None, name))
    }

    /// Copies these slots. The copy of a small slice does not need the memory of a large array.
    ///
    /// >>> arrow_ipc.open("people.arrow")["id"][:1].compact().to_pylist()
    /// [1]
    fn compact(&self, py: Python<'_>) -> Result<Array> {
        Ok(self.with(py.detach(|| self.inner.compact())?))
    }

    /// The position of the first slot that has `value`, from `start` to before `stop`.
    ///
    /// >>> arrow_ipc.open("people.arrow")["name"].index("grace")
    /// 2
    #[pyo3(signature = (value, start = 0, stop = None))]
    fn index<'py>(
        this: &Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
        start: isize,
        stop: Option<isize>,
    ) -> PyResult<usize> {
        let py = this.py();
        let found = PySlice::new(py, start, stop.unwrap_or(isize::MAX), 1);
        let part = this.get_item(&found)?;
        let operator = py.import("operator")?;
        let slot: usize = operator
            .call_method1("indexOf", (part, value))
            .map_err(|error| {
                if error.is_instance_of::<PyValueError>(py) { suggestions::not_found(value) } else { error }
            })?
            .extract()?;
        Ok(slot + found.indices(this.get().n_slots)?.start.cast_unsigned())
    }

    /// The number of slots that have `value`.
    ///
    /// >>> arrow_ipc.open("people.arrow")["name"].count("ada")
    /// 1
    fn count<'py>(this: &Bound<'py, Self>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("operator")?.call_method1("countOf", (this, value))
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// Returns the value of a slot, or an array of some slots. A slice with a step other than 1 is copied.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        let n_slots = self.inner.len();
        if let Ok(slice) = key.cast::<PySlice>() {
            let part = self.part(py, slice)?;
            return Ok(Bound::new(py, part)?.into_any());
        }
        let Some(slot) = options::number(key)? else {
            let found = key.get_type();
            let text = format!("an array is indexed by a number or a slice, found {found}");
            return Err(
                exception::<PyTypeError>(text + ": `array.to_numpy()` takes a mask or positions").into()
            );
        };
        let from_start = if slot < 0 { slot.saturating_add(self.n_slots as i64) } else { slot };
        let Some(at) = usize::try_from(from_start).ok().filter(|at| *at < n_slots) else {
            let text = format!("slot {key} is out of bounds; the array has {n_slots} slots");
            return Err(with_location(py, exception::<PyIndexError>(text), Location::default()).into());
        };
        Ok(self.values(py)?.value(&ValueFactory::new(py, self.inner.n_bytes()), at)?)
    }

    /// Converts many slots at once, so that a loop is as fast as one over a list.
    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        blocks::iterate(this, false)
    }

    fn __reversed__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        blocks::iterate(this, true)
    }

    /// The values of at most `n` slots: a list, or an iterator if they have many nested values.
    fn _block<'py>(
        this: &Bound<'py, Self>,
        start: usize,
        n: usize,
        backwards: bool,
    ) -> Result<Bound<'py, PyAny>> {
        blocks::block(this, start, n, backwards)
    }

    /// The NumPy type of the values, including a unit; `None` if there is no such type.
    #[getter]
    fn _dtype(&self) -> Option<String> {
        let (_, dtype) = formats(&self.field)?;
        let unit = if matches!(dtype, "M8" | "m8") { self.inner.data_type().unit() } else { None };
        Some(unit.map_or(dtype.to_owned(), |unit| format!("{dtype}[{unit}]")))
    }

    /// A byte for each slot: 1 if the slot is valid, 0 if it is null.
    fn _valid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let n_slots = self.inner.len();
        ValueFactory::new(py, self.inner.n_bytes()).check(n_slots)?;
        let valid: Vec<u8> = py.detach(|| match self.inner.validity() {
            Some(validity) => validity.iter().map(u8::from).collect(),
            None => vec![1; n_slots],
        });
        Ok(PyBytes::new(py, &valid))
    }

    /// The same memory as plain numbers. If nulls are allowed, their numbers have no meaning.
    fn _numbers(&self, allows_nulls: bool) -> Result<Array> {
        if !allows_nulls {
            self.check_no_nulls()?;
        }
        let data_type = match (formats(&self.field), self.inner.data_type().byte_width()) {
            (Some((Some(_), _)), _) => self.inner.data_type().clone(),
            (Some((None, _)), Some(1)) => schema::DataType::Int8,
            (Some((None, _)), Some(4)) => schema::DataType::Int32,
            (Some((None, _)), _) => schema::DataType::Int64,
            (None, _) => {
                let data_type = self.inner.data_type();
                let text = format!(
                    "NumPy has no type for {data_type}: `to_numpy(zero_copy_only=False)` copies to the most similar type"
                );
                return Err(misuse("NoBuffer", text).into());
            }
        };
        let field = schema::Field::new("", data_type.clone());
        let parts = ArrayParts {
            buffers: [self.inner.buffer(0).clone(), Buffer::new()],
            ..ArrayParts::new(data_type, self.inner.len())
        };
        Ok(Array::new(field, ArrayData::try_new(parts)?))
    }

    /// The same values without dictionary and run-end encoding.
    fn _decoded(&self, py: Python<'_>) -> Result<Array> {
        let mut data_type = self.inner.data_type().value_type();
        while let Some(runs) = data_type.as_run_end_encoded() {
            data_type = runs.values().data_type().value_type();
        }
        self.cast_to(py, &self.field.clone().with_data_type(data_type.clone()), Digits::Keep)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        capsule::export_field(py, &self.field)
    }

    /// Values are not cast; a requested type has no effect.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> Result<capsule::Pair<'py>> {
        let _ = requested_schema;
        capsule::export_array(py, &self.field, &self.inner)
    }

    /// Numbers without nulls as a read-only tensor that shares the memory, for `numpy.from_dlpack` and tensor
    /// libraries. Libraries older than DLPack 1 are refused, because they may write to the memory.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        this: &Bound<'py, Self>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Memory of the CPU has no streams.
        let _ = stream;
        let array = this.get();
        let refused = |error: PyErr| exception::<PyBufferError>(error.value(this.py()).to_string());
        let numbers = array.numbers().map_err(refused)?;
        let request = dlpack::Request { max_version, device: dl_device, copy };
        dlpack::capsule(this.py(), &numbers, array.memory(), &request)
    }

    /// The DLPack device: the CPU.
    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::DEVICE
    }

    /// Gives other code read access to the memory of numbers without nulls.
    #[allow(unsafe_code)] // The signature of the protocol.
    unsafe fn __getbuffer__(this: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        // SAFETY: the interpreter calls this with a view that must be filled, as the buffer protocol says.
        unsafe { memory::fill(this, view, flags) }
    }

    /// Whether both arrays have the same type and values. Floating-point numbers are equal if their bits are equal.
    /// With `metadata`, names, nullability and metadata of the fields must also be equal. An array of another library
    /// is never equal: `Array.from_arrow(other)` makes one that can be compared.
    ///
    /// >>> ids = arrow_ipc.open("people.arrow")["id"]
    /// >>> ids == ids[:], ids == ids.cast("int8")
    /// (True, False)
    #[pyo3(signature = (other, *, metadata = false))]
    fn equals(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::flag)] metadata: bool,
    ) -> Result<bool> {
        let array: &Array = suggestions::same_class(other, "Array.from_arrow(other)")?;
        if metadata && self.field != array.field || !self.inner.data_type().same_type(array.inner.data_type())
        {
            return Ok(false);
        }
        self.same_values(py, other)
    }

    /// Whether both arrays have the same values, in any encoding and layout.
    ///
    /// >>> ids = arrow_ipc.open("people.arrow")["id"]
    /// >>> ids.same_values(ids.cast("dictionary<int8, int64>"))
    /// True
    fn same_values(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> Result<bool> {
        let other: &Array = suggestions::same_class(other, "Array.from_arrow(other)")?;
        Ok(py.detach(|| self.inner.same_values(&other.inner))?)
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> Result<Py<PyAny>> {
        if !matches!(op, CompareOp::Eq | CompareOp::Ne) || !other.is_instance_of::<Array>() {
            return Ok(suggestions::not_compared(self.field.name(), other, op)?);
        }
        Ok((self.equals(py, other, false)? == matches!(op, CompareOp::Eq)).into_py_any(py)?)
    }

    fn __reduce_ex__<'py>(&self, py: Python<'py>, protocol: u8) -> Result<Reduction<'py>> {
        pickle::reduce(py, "array", &self.as_batch()?, protocol)
    }

    /// Returns the array itself, because arrays do not change.
    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    /// The first slots, as the program prints them.
    fn __repr__(&self, py: Python<'_>) -> Result<String> {
        let n_slots = self.inner.len();
        let batch = self.as_batch()?;
        let table = py.detach(|| show::table(&batch.into()));
        Ok(format!("<arrow_ipc.Array: {}>\n{table}", Counted(n_slots as u64, "slot")))
    }

    /// The first slots as an HTML table, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> Result<String> {
        let batch = self.as_batch()?;
        Ok(py.detach(|| show::html(&batch.into())))
    }
}

impl Array {
    /// The slots of a slice.
    fn part(&self, py: Python<'_>, slice: &Bound<'_, PySlice>) -> Result<Array> {
        let found = slice.indices(self.n_slots)?;
        if found.step == 1 {
            return Ok(self.with(self.inner.slice(found.start.cast_unsigned(), found.slicelength)));
        }
        let slots = rows::step_slots(&ValueFactory::new(py, self.inner.n_bytes()), &found)?;
        Ok(self.with(py.detach(|| self.inner.take(&slots))?))
    }
}
