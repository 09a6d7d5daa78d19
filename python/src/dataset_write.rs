//! Writes data sets: many tasks write parts, and one process commits them.

use std::{collections::HashSet, ffi::OsString, path::PathBuf, sync::Arc};

use arrow_ipc::{DictionaryMode, RowCounts};
use arrow_ipc_dataset::{DatasetErrorKind, DatasetWriter as Writer, WrittenPart};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::{
    data::{Batches, BoxedBatches},
    dataset::failed,
    error::{Result, exception},
    hints::COLUMNS_HINT,
    options,
    pickle::Reduction,
    ranges::{is_url, without_secrets},
    schema::Schema,
    store_folder::{self, TemporaryFolder},
    unify::unify,
    write::{WriteRequest, check_signals},
};

/// Writes the files of the new folder `dest`, called parts. Each task writes a part, in any process that finds the
/// folder at this path. One process then commits the parts.
///
/// Readers find no part before `commit`, and all parts after it, except that polars also reads hidden folders: if `dest` is inside a data set
/// whose files are all in folders with other names than `name=value`, its scan of that data set finds parts before. Before it, they are in a hidden folder beside `dest`, or
/// above the data set that `dest` is in, which stays if the process that commits is killed. If a task runs twice, `commit` gets the part of one attempt, and
/// removes the other. The footers have statistics of each batch.
///
/// `dest` may be a folder in a store, such as `s3://bucket/sales/`. Each part is then written to a temporary local file first, and
/// `commit` copies the parts in the store. While it does, the folder has a file `arrow-ipc-incomplete.arrow`, which no reader of Arrow
/// files can read.
///
/// `dest` must be new or empty. It may be inside another folder, to add its files to the data set there. `schema` is the
/// schema of each part, without the columns of folders. `compression` and `dictionaries` are as for `write_file`, but the
/// default of `dictionaries` is "unify": all batches of a part are in memory if they have dictionaries.
///
/// >>> writer = arrow_ipc.DatasetWriter("people", arrow_ipc.open("people.arrow").schema)
/// >>> writer.commit([writer.write(arrow_ipc.open("people.arrow")) for task in range(2)])
/// >>> arrow_ipc.dataset("people").count()
/// 6
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct DatasetWriter {
    writer: Writer,
    compression: Option<String>,
    dictionaries: String,
}

#[pymethods]
impl DatasetWriter {
    #[new]
    #[pyo3(signature = (dest, schema, *, compression = None, dictionaries = "unify"))]
    fn new(
        py: Python<'_>,
        dest: PathBuf,
        schema: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
        #[pyo3(from_py_with = options::word)] dictionaries: &str,
    ) -> Result<DatasetWriter> {
        let schema = Schema::from_object(schema)?;
        WriteRequest::parse(compression.as_deref(), dictionaries)?;
        let writer = if dest.to_str().is_some_and(is_url) {
            let (root, staging) = store_folder::create(py, &dest)?;
            Writer { root, staging, schema }
        } else {
            py.detach(|| Writer::create(&dest, schema)).map_err(failed)?
        };
        Ok(DatasetWriter { writer, compression, dictionaries: dictionaries.to_owned() })
    }

    /// The schema of each part, without the columns of folders.
    ///
    /// >>> arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema).schema.names
    /// ['id', 'name']
    #[getter]
    fn schema(&self) -> Schema {
        (&self.writer.schema).into()
    }

    /// Writes all batches of `data` as a part. Returns the part, to be passed to `commit`. `folder` is a folder inside the
    /// data set, such as "day=2024-02-29".
    ///
    /// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
    /// >>> writer.write(arrow_ipc.open("people.arrow"), folder="day=2024-02-29").num_rows
    /// 3
    #[pyo3(signature = (data, *, folder = ""))]
    fn write(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::word)] folder: &str,
    ) -> Result<Part> {
        let request = WriteRequest::parse(self.compression.as_deref(), &self.dictionaries)?;
        let batches = Batches::with_schema(data, Some(&self.writer.schema))?.batches;
        if !self.is_in_store() {
            let part = py.detach(|| write_part(&self.writer, batches, request, folder))?;
            return Ok(Part { part });
        }
        let local = TemporaryFolder::create(py)?;
        let (writer, part) = py.detach(|| {
            let schema = Arc::clone(&self.writer.schema);
            let writer = Writer::create(&local.path().join("part"), schema).map_err(failed)?;
            let part = write_part(&writer, batches, request, folder)?;
            Result::Ok((writer, part))
        })?;
        store_folder::put(py, &self.writer, &writer.staging.join(&part.path), &part)?;
        Ok(Part { part })
    }

    /// Publishes these parts, and removes all others. In each folder, rows are read in the order of the parts.
    ///
    /// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
    /// >>> writer.commit([writer.write(arrow_ipc.open("people.arrow"))])
    fn commit(&self, py: Python<'_>, parts: &Bound<'_, PyAny>) -> Result<()> {
        let parts = parts.try_iter()?.map(|part| {
            let part = part?;
            let found = part.get_type();
            let known = part.cast::<Part>().map(|part| part.get().part.clone());
            known
                .map_err(|_| exception::<PyTypeError>(format!("parts are what `write` gives, found {found}")))
        });
        let parts = parts.collect::<PyResult<Vec<WrittenPart>>>()?;
        if self.is_in_store() {
            let mut paths = HashSet::new();
            let parts: Vec<WrittenPart> =
                parts.into_iter().filter(|part| paths.insert(part.path.clone())).collect();
            return store_folder::commit(py, &self.writer, &parts);
        }
        py.detach(|| self.writer.commit(parts)).map_err(failed)
    }

    /// Removes the written parts, and ignores errors.
    ///
    /// >>> arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema).abort()
    fn abort(&self, py: Python<'_>) {
        if self.is_in_store() {
            store_folder::abort(py, &self.writer);
        } else {
            py.detach(|| self.writer.abort());
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<Reduction<'py>> {
        let Writer { root, staging, schema } = &self.writer;
        let folders = (root.clone().into_os_string(), staging.clone().into_os_string());
        let parts = (folders, Schema::from(schema), self.compression.clone(), &self.dictionaries);
        Ok((py.import("arrow_ipc._arrow_ipc")?.getattr("_dataset_writer")?, parts.into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<arrow_ipc.DatasetWriter of {}>", without_secrets(&self.writer.root).display())
    }
}

impl DatasetWriter {
    fn is_in_store(&self) -> bool {
        self.writer.root.to_str().is_some_and(is_url)
    }
}

/// Writes all batches as a part.
fn write_part(
    writer: &Writer,
    mut batches: BoxedBatches,
    request: WriteRequest,
    folder: &str,
) -> Result<WrittenPart> {
    let mut writing = request.options.with_row_counts(RowCounts::Written);
    if request.dictionaries == DictionaryMode::Unify {
        (batches, writing) = unify(&writer.schema, batches, writing)?;
    }
    let mut part = writer.part(folder, writing).map_err(failed)?;
    batches.try_for_each(|batch| {
        check_signals()?;
        part.write(&batch?).map_err(|error| match error.kind() {
            DatasetErrorKind::PartSchema(_) => failed(error).with_hint(COLUMNS_HINT),
            _ => failed(error),
        })
    })?;
    part.finish().map_err(failed)
}

/// A written part of a data set, to be passed to `commit`. Its pickle has only a few bytes.
///
/// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
/// >>> writer.write(arrow_ipc.open("people.arrow"))
/// <arrow_ipc.Part: 3 rows>
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Part {
    part: WrittenPart,
}

#[pymethods]
impl Part {
    /// The number of rows of the part.
    ///
    /// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
    /// >>> writer.write(arrow_ipc.open("people.arrow")).num_rows
    /// 3
    #[getter]
    fn num_rows(&self) -> u64 {
        self.part.n_rows
    }

    /// The length of the file of the part, in bytes.
    ///
    /// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
    /// >>> writer.write(arrow_ipc.open("people.arrow")).num_bytes > 500
    /// True
    #[getter]
    fn num_bytes(&self) -> u64 {
        self.part.n_bytes
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<Reduction<'py>> {
        let WrittenPart { path, n_bytes, n_rows } = &self.part;
        let parts = (path, *n_bytes, *n_rows).into_pyobject(py)?;
        Ok((py.import("arrow_ipc._arrow_ipc")?.getattr("_part")?, parts))
    }

    fn __repr__(&self) -> String {
        format!("<arrow_ipc.Part: {} rows>", self.part.n_rows)
    }
}

#[pyfunction]
pub(crate) fn _dataset_writer(
    folders: (OsString, OsString),
    schema: Py<Schema>,
    compression: Option<String>,
    dictionaries: String,
) -> DatasetWriter {
    let (root, staging) = folders;
    let schema = Arc::clone(&schema.get().inner);
    let writer = Writer { root: root.into(), staging: staging.into(), schema };
    DatasetWriter { writer, compression, dictionaries }
}

#[pyfunction]
pub(crate) fn _part(path: String, n_bytes: u64, n_rows: u64) -> Part {
    Part { part: WrittenPart { path, n_bytes, n_rows } }
}
