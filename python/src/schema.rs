//! Schemas and fields.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use arrow_schema as ours;
use pyo3::{
    IntoPyObjectExt, PyClass,
    exceptions::PyTypeError,
    prelude::*,
    pyclass::{CompareOp, boolean_struct::True},
    types::{PyCapsule, PyDict, PyList, PyMapping, PyString, PyTuple},
};

use crate::{
    batch::same_columns,
    calls, capsule,
    error::{Result, exception, misuse},
    options,
    pickle::{self, Reduction},
    show, suggestions,
};

/// The columns of a table: names, types and metadata. A schema can be made from a dict of names and types, or from a
/// list of fields, or of pairs of name and type. A type is a text, or a type of Python or another library, such as
/// `int` or `numpy.int8`.
///
/// >>> arrow_ipc.Schema({"id": "int64", "tags": "list<item: utf8>"}).names
/// ['id', 'tags']
/// >>> schema = arrow_ipc.open("people.arrow").schema
/// >>> schema["id"].type, len(schema), "name" in schema
/// ('int64', 2, True)
#[pyclass(frozen, module = "arrow_ipc")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Schema {
    pub(crate) inner: Arc<ours::Schema>,
}

impl From<&Arc<ours::Schema>> for Schema {
    fn from(inner: &Arc<ours::Schema>) -> Schema {
        Schema { inner: Arc::clone(inner) }
    }
}

impl Schema {
    /// Converts an object to a schema: a schema of this package, an object with `__arrow_c_schema__`, a dict of names
    /// and types, or a list of fields, or of pairs of name and type.
    pub(crate) fn from_object(object: &Bound<'_, PyAny>) -> Result<Arc<ours::Schema>> {
        if let Ok(schema) = object.cast::<Schema>() {
            return Ok(Arc::clone(&schema.get().inner));
        }
        let named = |(name, given): (String, Bound<'_, PyAny>)| {
            Ok(column_of(&given, &format!("type of {name:?}"))?.with_name(name))
        };
        let each = |field: Bound<'_, PyAny>| match field.cast::<PyTuple>() {
            Ok(pair) => named(pair.extract()?),
            Err(_) if field.is_instance_of::<PyString>() => column_of(&field, "a field").map_err(|_| {
                let found = field.repr().map_or_else(|_| "text".to_owned(), |text| text.to_string());
                let text = format!(
                    "a field: expected a pair of name and type, such as (\"id\", \"int64\"), found {found}"
                );
                exception::<PyTypeError>(text).into()
            }),
            Err(_) => column_of(&field, "a field"),
        };
        // A schema of polars is also a dict.
        let has_schema = object.hasattr("__arrow_c_schema__")?;
        let fields: Vec<ours::Field> = if let Ok(types) = object.cast::<PyMapping>()
            && !has_schema
        {
            types.items()?.iter().map(each).collect::<Result<_>>()?
        } else if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            object.try_iter()?.map(|field| each(field?)).collect::<Result<_>>()?
        } else if object.is_instance_of::<PyString>() {
            let text =
                format!("expected a schema, found {}: `Schema.parse(text)` reads text", object.repr()?);
            return Err(exception::<PyTypeError>(text).into());
        } else {
            return Ok(Arc::new(capsule::schema_from(object)?));
        };
        Ok(Arc::new(ours::Schema::new(fields)))
    }
}

/// Like [`field_of`], but the text may end with `not null`.
fn column_of(given: &Bound<'_, PyAny>, what: &str) -> Result<ours::Field> {
    let text = given.extract::<&str>().ok();
    match text.and_then(|text| text.strip_suffix(" not null")) {
        Some(text) => Ok(field_of(PyString::new(given.py(), text).as_any(), what)?.required()),
        None => field_of(given, what),
    }
}

/// Makes a field without name from its type: a text, an object with `__arrow_c_schema__` (such as a type or field of
/// another library), or a type of Python, NumPy, pandas or polars.
pub(crate) fn field_of(given: &Bound<'_, PyAny>, what: &str) -> Result<ours::Field> {
    if let Ok(text) = given.extract::<&str>() {
        let parsed = ours::TextParser::new().with_familiar_names().data_type(text);
        let extension = match text {
            "uuid" => Some((ours::Uuid.storage(), ours::Uuid.into())),
            "json" => Some((ours::DataType::Utf8, ours::Json.into())),
            "bool8" => Some((ours::Bool8.storage(), ours::Bool8.into())),
            _ => None,
        };
        if let Some((storage, extension)) = extension {
            let field = ours::Field::new("", storage).with_canonical_extension(&extension);
            return field.map_err(|error| misuse("ParseError", format!("{what}: {error}")).into());
        }
        let advice = match text {
            "int" => ", or \"int64\", which holds what `int` does in NumPy and pandas",
            "float" => ", or \"float64\", which is `float` of Python",
            "datetime64" | "datetime64[ns]" | "datetime" | "timestamp" => {
                ": write the unit, as `timestamp(us)`"
            }
            "timedelta64[ns]" | "timedelta" | "duration" => ": write the unit, as `duration(us)`",
            "category" | "dictionary" => {
                ": write the types of its indices and values, as `dictionary<int32, utf8>`"
            }
            _ => "",
        };
        let failed = |error| misuse("ParseError", format!("{what}: {error}{advice}"));
        return Ok(ours::Field::new("", parsed.map_err(failed)?));
    }
    if let Ok(field) = given.cast::<Field>() {
        return Ok(field.get().inner.clone());
    }
    if !given.hasattr("__arrow_c_schema__")? {
        let module = calls::import(given.py(), "arrow_ipc._types")?;
        let values = calls::method(&module, "values_of", (given,))?;
        if !values.is_none() {
            return capsule::field_from(&values, what);
        }
    }
    capsule::field_from(given, what)
}

/// Converts the type of a cast. "dictionary" alone keeps the type of the values.
pub(crate) fn cast_type(given: &Bound<'_, PyAny>, what: &str) -> Result<ours::Field> {
    if given.extract::<&str>().is_ok_and(|text| text == "dictionary") {
        let to = ours::DataType::dictionary(ours::IndexType::Int32, ours::DataType::Null);
        let to = to.map_err(|error| misuse("ParseError", format!("{what}: {error}")))?;
        return Ok(ours::Field::new("", to));
    }
    field_of(given, what)
}

#[pymethods]
impl Schema {
    #[new]
    fn __new__(fields: &Bound<'_, PyAny>) -> Result<Schema> {
        Schema::from_arrow(fields)
    }

    /// Makes a schema from an object with `__arrow_c_schema__`, or from any argument of `Schema`. All functions with
    /// a `schema` accept these objects, too.
    ///
    /// >>> import pyarrow
    /// >>> arrow_ipc.Schema.from_arrow(pyarrow.schema([("id", pyarrow.int8())]))
    /// Schema("id: int8")
    #[staticmethod]
    fn from_arrow(schema: &Bound<'_, PyAny>) -> Result<Schema> {
        Ok(Schema { inner: Schema::from_object(schema)? })
    }

    /// Parses the text that `str` returns: one field on each line, such as `id: int64 not null`.
    ///
    /// >>> arrow_ipc.Schema.parse("id: int64 not null\nname: utf8").names
    /// ['id', 'name']
    #[staticmethod]
    fn parse(#[pyo3(from_py_with = options::word)] text: &str) -> PyResult<Schema> {
        let schema: ours::Schema =
            text.parse().map_err(|error: ours::ParseError| misuse("ParseError", error.to_string()))?;
        Ok(Schema { inner: Arc::new(schema) })
    }

    /// The names of the columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").schema.names
    /// ['id', 'name']
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.inner.fields().iter().map(ours::Field::name).collect()
    }

    /// The fields, in the order of the columns.
    ///
    /// >>> arrow_ipc.open("people.arrow").schema.fields
    /// [Field("id: int64"), Field("name: utf8")]
    #[getter]
    fn fields(&self) -> Vec<Field> {
        self.inner.fields().iter().map(Field::from).collect()
    }

    /// The metadata as a dict. Of a repeated key, it has the first value. Pairs without a key are left out.
    ///
    /// >>> arrow_ipc.open("people.arrow").schema.metadata
    /// {}
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        as_dict(py, self.inner.metadata())
    }

    /// All pairs of the metadata, in order.
    ///
    /// >>> schema = arrow_ipc.Schema.parse("id: int8")
    /// >>> schema.with_metadata([("k", "1"), ("k", "2")]).metadata_pairs
    /// [('k', '1'), ('k', '2')]
    #[getter]
    fn metadata_pairs(&self) -> Vec<(Option<&str>, Option<&str>)> {
        options::pairs(self.inner.metadata())
    }

    /// Returns the schema with this metadata instead of its own.
    ///
    /// >>> arrow_ipc.Schema.parse("id: int8").with_metadata({"made by": "hand"}).metadata
    /// {'made by': 'hand'}
    fn with_metadata(&self, metadata: &Bound<'_, PyAny>) -> PyResult<Schema> {
        let schema = self.inner.as_ref().clone().with_metadata(options::metadata(metadata)?);
        Ok(Schema { inner: Arc::new(schema) })
    }

    /// The field with this name, or at this position.
    ///
    /// >>> arrow_ipc.open("people.arrow").schema.field("name")
    /// Field("name: utf8")
    fn field(&self, key: &Bound<'_, PyAny>) -> Result<Field> {
        Ok((&self.inner.fields()[options::position(key, &self.inner)?]).into())
    }

    /// The names of the fields. Because of this method, `dict(schema)` has the fields by name.
    ///
    /// >>> dict(arrow_ipc.open("people.arrow").schema)["id"].type
    /// 'int64'
    fn keys(&self) -> Vec<&str> {
        self.names()
    }

    /// Whether there is a field with this name.
    fn __contains__(&self, #[pyo3(from_py_with = options::word)] name: &str) -> bool {
        self.inner.fields().iter().any(|field| field.name() == name)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.fields())?.try_iter()?.into_any())
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> Result<Field> {
        self.field(key)
    }

    fn __len__(&self) -> usize {
        self.inner.fields().len()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.inner)
    }

    /// Whether both schemas are equal. Without `metadata`, compares only names, types and nullability. `==` also
    /// compares metadata, and with a schema of another library. `equals` takes a schema of this package: `Schema(other)` makes one.
    ///
    /// >>> schema = arrow_ipc.open("people.arrow").schema
    /// >>> schema.equals(schema.with_metadata({"a": "b"}), metadata=False)
    /// True
    /// >>> import pyarrow
    /// >>> schema == pyarrow.schema(schema), schema == arrow_ipc.Schema(pyarrow.schema(schema))
    /// (True, True)
    #[pyo3(signature = (other, *, metadata = true))]
    fn equals(
        &self,
        other: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::flag)] metadata: bool,
    ) -> PyResult<bool> {
        let other: &Schema = suggestions::same_class(other, "Schema(other)")?;
        Ok(if metadata { self == other } else { same_columns(&self.inner, &other.inner) })
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(suggestions::no_attribute(this.as_any(), "schema", None, name))
    }

    fn __hash__(&self) -> u64 {
        hash_of(self)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        compare(self, other, op, |other| {
            // Batches and types have a schema, too, and are none.
            let is_schema = other.hasattr("names")? && other.hasattr("metadata")? && !has_rows(other)?;
            Ok(if is_schema { Schema::from_object(other).ok().map(|inner| Schema { inner }) } else { None })
        })
    }

    fn __reduce_ex__<'py>(&self, py: Python<'py>, protocol: u8) -> Result<Reduction<'py>> {
        pickle::reduce(py, "schema", &pickle::batch_with_schema(&self.inner)?, protocol)
    }

    /// Returns the schema itself, because schemas do not change.
    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    fn __str__(&self) -> String {
        format!("{:#}", self.inner)
    }

    fn __repr__(&self) -> String {
        format!("Schema({})", show::literal(&self.inner.to_string()))
    }
}

/// A column of a schema, or a child of a column: name, type, nullability and metadata.
///
/// >>> arrow_ipc.Schema([arrow_ipc.Field("id", "int64", nullable=False), ("name", "utf8")])
/// Schema("id: int64 not null\nname: utf8")
/// >>> field = arrow_ipc.open("people.arrow").schema["name"]
/// >>> field.name, field.type, field.nullable
/// ('name', 'utf8', True)
#[pyclass(frozen, module = "arrow_ipc")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Field {
    pub(crate) inner: ours::Field,
}

impl From<&ours::Field> for Field {
    fn from(inner: &ours::Field) -> Field {
        Field { inner: inner.clone() }
    }
}

#[pymethods]
impl Field {
    #[new]
    #[pyo3(signature = (name, r#type, *, nullable = true, metadata = None))]
    fn __new__(
        #[pyo3(from_py_with = options::word)] name: &str,
        r#type: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::flag)] nullable: bool,
        metadata: Option<&Bound<'_, PyAny>>,
    ) -> Result<Field> {
        let field = column_of(r#type, "type")?.with_name(name);
        let field = Field { inner: if nullable { field } else { field.required() } };
        Ok(match metadata {
            Some(metadata) => field.with_metadata(metadata)?,
            None => field,
        })
    }

    /// Returns the field with this metadata instead of its own. It keeps its extension type, unless `metadata` has one.
    ///
    /// >>> field = arrow_ipc.Field("weight", "float64").with_metadata({"unit": "kg"})
    /// >>> field.metadata, arrow_ipc.Field("weight", "float64", metadata={"unit": "kg"}) == field
    /// ({'unit': 'kg'}, True)
    fn with_metadata(&self, metadata: &Bound<'_, PyAny>) -> PyResult<Field> {
        let given = options::metadata(metadata)?;
        let has = |key: &str| given.iter().any(|(other, _)| other == Some(key));
        let is_inherited = |key: &str| match key {
            "ARROW:extension:name" => !has(key),
            // The metadata of the extension type stays together with its name.
            "ARROW:extension:metadata" => !has(key) && !has("ARROW:extension:name"),
            _ => false,
        };
        let inherited = self.inner.metadata().iter().filter(|(key, _)| key.is_some_and(is_inherited));
        let all = given.iter().chain(inherited);
        let all = all.map(|(key, value)| (key.map(Into::into), value.map(Into::into)));
        let metadata = ours::Metadata::from_pairs(all.collect());
        Ok(Field { inner: self.inner.clone().with_metadata(metadata) })
    }

    /// The name of the column or child.
    ///
    /// >>> arrow_ipc.open("people.arrow").schema[0].name
    /// 'id'
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// The type as text: `list<item: utf8>`.
    ///
    /// >>> arrow_ipc.open("people.arrow").schema[0].type
    /// 'int64'
    #[getter(r#type)]
    fn data_type(&self) -> String {
        self.inner.data_type().to_string()
    }

    /// Whether values may be null.
    ///
    /// >>> arrow_ipc.Schema.parse("id: int64 not null")["id"].nullable
    /// False
    #[getter]
    fn nullable(&self) -> bool {
        self.inner.is_nullable()
    }

    /// The fields inside the type, such as those of a struct; empty for other types.
    ///
    /// >>> arrow_ipc.Schema.parse("at: struct<x: int8, y: int8>")["at"].children
    /// [Field("x: int8"), Field("y: int8")]
    #[getter]
    fn children(&self) -> Vec<Field> {
        self.inner.children().iter().map(Field::from).collect()
    }

    /// The metadata as a dict. Of a repeated key, it has the first value. Pairs without a key are left out.
    ///
    /// >>> arrow_ipc.open("people.arrow").schema["id"].metadata
    /// {}
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        as_dict(py, self.inner.metadata())
    }

    /// All pairs of the metadata, in order.
    ///
    /// >>> arrow_ipc.Field("id", "int64", metadata=[("k", "1"), ("k", "2")]).metadata_pairs
    /// [('k', '1'), ('k', '2')]
    #[getter]
    fn metadata_pairs(&self) -> Vec<(Option<&str>, Option<&str>)> {
        options::pairs(self.inner.metadata())
    }

    /// The name of the extension type; `None` if there is none.
    ///
    /// >>> arrow_ipc.open("people.arrow").schema["id"].extension_name is None
    /// True
    #[getter]
    fn extension_name(&self) -> Option<&str> {
        self.inner.extension().map(|extension| extension.name)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyCapsule>> {
        capsule::export_field(py, &self.inner)
    }

    /// Whether both fields are equal. Without `metadata`, compares only names, types and nullability. `==` also
    /// compares metadata, and with a field of another library, as for schemas.
    ///
    /// >>> schema = arrow_ipc.open("people.arrow").schema
    /// >>> schema["id"].equals(schema["name"])
    /// False
    #[pyo3(signature = (other, *, metadata = true))]
    fn equals(
        &self,
        other: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::flag)] metadata: bool,
    ) -> PyResult<bool> {
        let other: &Field = suggestions::same_class(other, "Schema(other)[name]")?;
        Ok(if metadata { self == other } else { self.inner.same_column(&other.inner) })
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(suggestions::no_attribute(this.as_any(), "field", None, name))
    }

    fn __hash__(&self) -> u64 {
        hash_of(self)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        compare(self, other, op, |other| {
            let is_field = other.hasattr("nullable")? && other.hasattr("name")? && !has_rows(other)?;
            let found = if is_field { capsule::field_from(other, "the field").ok() } else { None };
            Ok(found.map(|inner| Field { inner }))
        })
    }

    fn __reduce_ex__<'py>(&self, py: Python<'py>, protocol: u8) -> Result<Reduction<'py>> {
        pickle::reduce(py, "field", &pickle::batch_with_field(&self.inner)?, protocol)
    }

    /// Returns the field itself, because fields do not change.
    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Field({})", show::literal(&self.inner.to_string()))
    }
}

/// A dict with the first value of each key.
pub(crate) fn as_dict<'py>(py: Python<'py>, metadata: &ours::Metadata) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in metadata {
        if let Some(key) = key
            && !dict.contains(key)?
        {
            dict.set_item(key, value)?;
        }
    }
    Ok(dict)
}

/// Compares an object with one of the same class, or with one of another library, which `converted` converts.
fn compare<T: PyClass<Frozen = True> + Sync + PartialEq>(
    left: &T,
    other: &Bound<'_, PyAny>,
    op: CompareOp,
    converted: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<Option<T>>,
) -> PyResult<Py<PyAny>> {
    let is_wanted = match op {
        CompareOp::Eq => true,
        CompareOp::Ne => false,
        CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => {
            return Ok(other.py().NotImplemented());
        }
    };
    let is_equal = match other.cast::<T>() {
        Ok(right) => left == right.get(),
        Err(_) if other.hasattr("__arrow_c_schema__")? => match converted(other)? {
            Some(right) => *left == right,
            None => return Ok(other.py().NotImplemented()),
        },
        Err(_) => return Ok(other.py().NotImplemented()),
    };
    (is_equal == is_wanted).into_py_any(other.py())
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn has_rows(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
}
