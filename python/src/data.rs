//! Data to write: all objects with batches, from this package and from other libraries.

use std::{path::PathBuf, sync::Arc};

use arrow_c_data::ArrayImporter;
use arrow_compute::{Digits, cast};
use arrow_data::Validation;
use arrow_ipc::{Container, IpcError, IpcErrorKind, Projection};
use arrow_schema::{DataType, Field, Schema};
use pyo3::{
    exceptions::{PyStopIteration, PyTypeError},
    prelude::*,
    types::{PyByteArray, PyBytes, PyDict, PyIterator, PyList, PyMapping, PyTuple},
};

use crate::{
    array::Array,
    batch::RecordBatch,
    calls::{self, ObjectRef},
    capsule,
    dataset::Dataset,
    error::{Result, exception, misuse},
    file::{self, File},
    prefetch::BatchPrefetch,
    stream::Stream,
    suggestions,
};

/// An iterator over batches, and their common schema.
pub(crate) struct Batches {
    pub(crate) schema: Arc<Schema>,
    pub(crate) batches: BoxedBatches,
    /// How all batches are read a second time; `None` if they come from an iterator or a stream, which can be read once.
    pub(crate) second_pass: Option<SecondPass>,
}

/// How batches are read a second time.
pub(crate) enum SecondPass {
    /// They are in memory, and the first pass retains them.
    InMemory,
    /// The function reads the columns at these positions of all batches.
    Reading(ReadColumns),
    /// Like `Reading`, of a file, which has one dictionary for all batches.
    File(ReadColumns),
}

pub(crate) type ReadColumns = Box<dyn FnOnce(&[usize]) -> Result<BoxedBatches> + Send>;

/// Types with the same values in different layouts.
const KINDS: [[DataType; 3]; 2] = [
    [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View],
    [DataType::Binary, DataType::LargeBinary, DataType::BinaryView],
];

pub(crate) type BoxedBatches = Box<dyn Iterator<Item = Result<arrow_data::RecordBatch>> + Send>;

impl Batches {
    /// Makes an iterator over the batches of a file. Each batch is read when it is needed.
    pub(crate) fn from_file(
        reader: &file::Reader,
        batches: impl Iterator<Item = Result<arrow_data::RecordBatch>> + Send + 'static,
    ) -> Batches {
        Batches { schema: Arc::clone(reader.schema()), batches: Box::new(batches), second_pass: None }
    }

    pub(crate) fn one(batch: arrow_data::RecordBatch) -> Batches {
        let schema = Arc::clone(batch.schema());
        Batches {
            schema,
            batches: Box::new(std::iter::once(Ok(batch))),
            second_pass: Some(SecondPass::InMemory),
        }
    }

    /// The batches of an object. It can be a batch, file or stream of this package, an object with an Arrow capsule,
    /// or an iterable of such objects.
    pub(crate) fn try_new(object: &Bound<'_, PyAny>) -> Result<Batches> {
        Batches::with_schema(object, None)
    }

    /// Like [`try_new`](Batches::try_new), with a schema. Python values get the types of the schema. Text and bytes
    /// of other libraries get the layout of the schema, with the same values. Their other data keeps its type.
    pub(crate) fn with_schema(object: &Bound<'_, PyAny>, schema: Option<&Arc<Schema>>) -> Result<Batches> {
        let batches = Batches::try_from_object(object, schema)?;
        Ok(match schema {
            Some(schema) => batches.laid_out_as(schema),
            None => batches,
        })
    }

    /// Changes text and bytes to the layouts of `wanted`, if the columns have the same names.
    fn laid_out_as(self, wanted: &Schema) -> Batches {
        let fields = self.schema.fields();
        let is_same = |(field, wanted): (&Field, &Field)| field.name() == wanted.name();
        if fields.len() != wanted.fields().len() || !fields.iter().zip(wanted.fields()).all(is_same) {
            return self;
        }
        let is_relaid = |from: &DataType, to: &DataType| {
            let is_in = |kinds: &[DataType; 3], one: &DataType| kinds.iter().any(|kind| kind.same_type(one));
            !from.same_type(to) && KINDS.iter().any(|kinds| is_in(kinds, from) && is_in(kinds, to))
        };
        let relaid = |(field, wanted): (&Field, &Field)| {
            if is_relaid(field.data_type(), wanted.data_type()) {
                field.clone().with_data_type(wanted.data_type().clone())
            } else {
                field.clone()
            }
        };
        let fields: Vec<Field> = fields.iter().zip(wanted.fields()).map(relaid).collect();
        if fields == self.schema.fields() {
            return self;
        }
        let schema = Arc::new(Schema::new(fields).with_metadata(self.schema.metadata().clone()));
        let to = Arc::clone(&schema);
        let batches = self.batches.map(move |batch| {
            let batch = batch?;
            let columns = batch.columns().iter().zip(to.fields()).map(|(column, field)| {
                if is_relaid(column.data_type(), field.data_type()) {
                    cast(column, field.data_type(), Digits::Keep)
                } else {
                    Ok(column.clone())
                }
            });
            let columns = columns.collect::<std::result::Result<Vec<_>, _>>()?;
            Ok(arrow_data::RecordBatch::try_new_with_rows(Arc::clone(&to), columns, batch.n_rows())?)
        });
        // Only a `Writer` has a schema. It writes each batch at once.
        Batches { schema, batches: Box::new(batches), second_pass: None }
    }

    fn empty(schema: &Arc<Schema>) -> Batches {
        Batches { schema: Arc::clone(schema), batches: Box::new(std::iter::empty()), second_pass: None }
    }

    fn try_from_object(object: &Bound<'_, PyAny>, schema: Option<&Arc<Schema>>) -> Result<Batches> {
        if let Some(batches) = Batches::try_from_one(object, None)? {
            return Ok(batches);
        }
        if let Some(schema) = schema
            && object.cast::<PyList>().is_ok_and(|rows| rows.is_empty())
        {
            return Ok(Batches::empty(schema));
        }
        if let Some(batch) = batch_from_values(object, schema)? {
            return batch.get().rows.batches();
        }
        if object.hasattr("collect")? {
            let found = object.get_type();
            let text = format!("{found} has no rows yet: pass what its `collect()` gives");
            return Err(exception::<PyTypeError>(text).into());
        }
        if object.extract::<PathBuf>().is_ok() {
            let path = object.repr()?;
            let text = format!(
                "expected data, found the path {path}: `open({path})` has the data of a file or stream, and a destination comes first"
            );
            return Err(exception::<PyTypeError>(text).into());
        }
        if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
            let text = "expected data, found bytes: `open(data)` has the data of a file or stream";
            return Err(exception::<PyTypeError>(text).into());
        }
        if object.cast::<PyMapping>().is_ok() {
            let found = object.get_type();
            return Err(exception::<PyTypeError>(format!(
                "expected a dict of columns, found {found}: `dict(data)`"
            ))
            .into());
        }
        let Ok(iterator) = object.try_iter() else {
            let found = object.get_type();
            return Err(exception::<PyTypeError>(format!(
                "expected an object with `__arrow_c_stream__` or `__arrow_c_array__`, an iterable of such, a dict of columns or a list of dicts, found {found}"
            ))
            .into());
        };
        let iterator = ObjectRef::new(&iterator);
        let wanted = schema.cloned();
        let mut pieces = Pieces::new(iterator, wanted.clone(), None);
        let Some(first) = pieces.next_object()? else {
            if let Some(schema) = schema {
                return Ok(Batches::empty(schema));
            }
            return Err(misuse("NoSchema", "there are no batches, so the schema is not known").into());
        };
        let schema = Arc::clone(&first.schema);
        pieces.current = Some(first.batches);
        pieces.fitted = Some(Arc::clone(&schema));
        let second_pass = is_at_hand(object).then(|| {
            let object = ObjectRef::new(object);
            let fitted = Some(Arc::clone(&schema));
            SecondPass::Reading(Box::new(move |columns| {
                let columns = columns.to_vec();
                Python::attach(|py| {
                    let iterator = ObjectRef::new(&object.bind(py).try_iter()?);
                    let pieces = Pieces::new(iterator, wanted, fitted);
                    let batches = pieces.map(move |batch| Ok(batch?.project(&columns)?));
                    Ok(Box::new(batches) as BoxedBatches)
                })
            }))
        });
        Ok(Batches { schema, batches: Box::new(pieces), second_pass })
    }

    /// The batches of a single object; `None` if it is not an object with batches.
    fn try_from_one(object: &Bound<'_, PyAny>, importer: Option<&ArrayImporter>) -> Result<Option<Batches>> {
        // Our own objects are not exported, so that errors keep their location.
        if let Ok(batch) = object.cast::<RecordBatch>() {
            return Ok(Some(batch.get().rows.batches()?));
        }
        if let Ok(array) = object.cast::<Array>() {
            return Ok(Some(Batches::one(array.get().as_batch()?)));
        }
        if let Ok(file) = object.cast::<File>() {
            let reader = file.get().reader()?;
            let n_threads = file.get().n_threads;
            let is_stream = reader.container() == Container::Stream;
            let batches = Batches::from_file(&reader, BatchPrefetch::for_streaming(&reader, n_threads));
            let look: ReadColumns = Box::new(move |columns| {
                let columns = reader.project(&Projection::Positions(columns.to_vec()))?;
                Ok(Box::new(BatchPrefetch::for_streaming(&columns, n_threads)))
            });
            // The dictionaries of a stream may change.
            let second_pass = if is_stream { SecondPass::Reading(look) } else { SecondPass::File(look) };
            return Ok(Some(Batches { second_pass: Some(second_pass), ..batches }));
        }
        if let Ok(stream) = object.cast::<Stream>() {
            return Ok(Some(stream.get().take(object.py())?));
        }
        if let Ok(set) = object.cast::<Dataset>() {
            let set = set.get();
            let batches = object.py().detach(|| set.batches())?;
            let set = set.clone();
            let look: ReadColumns =
                Box::new(move |columns| Ok(set.with_positions(columns)?.batches()?.batches));
            return Ok(Some(Batches { second_pass: Some(SecondPass::Reading(look)), ..batches }));
        }
        capsule::batches_from(object, importer)
    }
}

/// Whether the values of an object are all in memory, or can be read any number of times: a table or array of any library, a file
/// or data set of this package, or a list of these. Other iterables and streams are read once.
fn is_at_hand(object: &Bound<'_, PyAny>) -> bool {
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return object
            .try_iter()
            .is_ok_and(|mut items| items.all(|item| item.is_ok_and(|item| is_one_at_hand(&item))));
    }
    false
}

fn is_one_at_hand(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<File>() || object.is_instance_of::<Dataset>() || is_in_memory(object)
}

/// Whether an object has all its values in memory. It then has one array, or says how much memory it takes. A relation of DuckDB,
/// which is computed when it is read, does not.
pub(crate) fn is_in_memory(object: &Bound<'_, PyAny>) -> bool {
    // Asking the object itself would compute its `nbytes`.
    let class = object.get_type();
    ["__arrow_c_array__", "nbytes", "estimated_size", "memory_usage"]
        .iter()
        .any(|name| class.hasattr(*name).unwrap_or(false))
}

/// Makes a batch of Python values: a dict of columns, or a list of dicts, one per row. `None` for any other object.
fn batch_from_values<'py>(
    object: &Bound<'py, PyAny>,
    schema: Option<&Arc<Schema>>,
) -> Result<Option<Bound<'py, RecordBatch>>> {
    let first = object.cast::<PyList>().ok().and_then(|rows| rows.get_item(0).ok());
    if !object.is_instance_of::<PyDict>() && !first.is_some_and(|first| first.is_instance_of::<PyDict>()) {
        return Ok(None);
    }
    let schema = schema.map(crate::schema::Schema::from);
    let batch = calls::method(&calls::import(object.py(), "arrow_ipc._rows")?, "batch", (object, schema))?;
    Ok(Some(batch.cast_into().map_err(PyErr::from)?))
}

/// Iterates over the batches of all objects that a Python iterator returns.
struct Pieces {
    iterator: ObjectRef<PyIterator>,
    current: Option<BoxedBatches>,
    /// The schema whose layouts of text and bytes all objects get.
    wanted: Option<Arc<Schema>>,
    /// The schema of the last batch, whose columns all have: what reads the batches finds columns by position.
    fitted: Option<Arc<Schema>>,
    /// Imports the batches of other libraries. These are often slices of one table, with one dictionary.
    importer: ArrayImporter,
}

impl Pieces {
    fn new(
        iterator: ObjectRef<PyIterator>,
        wanted: Option<Arc<Schema>>,
        fitted: Option<Arc<Schema>>,
    ) -> Pieces {
        let importer = ArrayImporter::new(Validation::Content);
        Pieces { iterator, current: None, wanted, fitted, importer }
    }

    /// The batches of the iterator's next object; `None` at the end.
    fn next_object(&mut self) -> Result<Option<Batches>> {
        Python::attach(|py| {
            let object = match calls::method(self.iterator.bind(py), "__next__", ()) {
                Err(end) if end.is_instance_of::<PyStopIteration>(py) => return Ok(None),
                next => next?,
            };
            match Batches::try_from_one(&object, Some(&self.importer))? {
                Some(batches) => Ok(Some(match &self.wanted {
                    Some(wanted) => batches.laid_out_as(wanted),
                    None => batches,
                })),
                None => {
                    let found = object.get_type();
                    let advice = suggestions::rows_of(&object)?;
                    let text = format!(
                        "expected an iterable of objects with `__arrow_c_stream__` or `__arrow_c_array__`, found {found} among them{advice}"
                    );
                    Err(exception::<PyTypeError>(text).into())
                }
            }
        })
    }

    /// # Errors
    /// If the batch has other columns than those before it.
    fn fitted(&mut self, batch: arrow_data::RecordBatch) -> Result<arrow_data::RecordBatch> {
        let schema = batch.schema();
        if let Some(fitted) = &self.fitted
            && !Arc::ptr_eq(fitted, schema)
        {
            let compared = fitted.check_same_columns(schema);
            compared.map_err(|difference| IpcError::from(IpcErrorKind::Schema(difference)))?;
            self.fitted = Some(Arc::clone(schema));
        }
        Ok(batch)
    }
}

impl Iterator for Pieces {
    type Item = Result<arrow_data::RecordBatch>;

    fn next(&mut self) -> Option<Result<arrow_data::RecordBatch>> {
        loop {
            if let Some(next) = self.current.as_mut().and_then(Iterator::next) {
                return Some(next.and_then(|batch| self.fitted(batch)));
            }
            self.current = match self.next_object() {
                Ok(batches) => Some(batches?.batches),
                Err(error) => return Some(Err(error)),
            };
        }
    }
}
