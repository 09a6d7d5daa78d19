//! Writes data sets: many tasks write parts, and one process commits them.

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use arrow_ipc::RowCounts;
use arrow_ipc_dataset::{DatasetErrorKind, DatasetWriter as Writer, WriteMode, WrittenPart};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};

use crate::{
    data::Batches,
    dataset::failed,
    error::{Result, misuse, raised, unsupported_call},
    hints::OF_COLUMNS,
    options::{self, Dictionaries},
    pickle::Reduced,
    ranges::is_url,
    schema::Schema,
    unify::unified,
    write::{Wanted, check_signals},
};

/// Writes a data set in the folder `dest` in parts. Each task writes one part, in any process that can access the
/// folder. One process then commits all parts.
///
/// Readers see the old data set until `commit`, and all parts after it. If a task runs twice, it still writes a
/// single part. Files of a killed process are not read. The footers have statistics of each batch. A writer can
/// commit once. After that, its `write` fails. In copies of the writer in other processes, `write` fails for tasks
/// whose parts were committed.
///
/// `mode` is "create", which refuses a folder with Arrow files, "append", or "replace". `schema` is the schema of
/// each part, without the columns of folders. `compression` and `dictionaries` are as for `write_file`, but the
/// default of `dictionaries` is "unify": all batches of a part are in memory if they have dictionaries.
///
/// >>> writer = arrow_ipc.DatasetWriter("people", arrow_ipc.open("people.arrow").schema)
/// >>> parts = [writer.write(task, arrow_ipc.open("people.arrow")) for task in range(2)]
/// >>> writer.commit(parts), arrow_ipc.dataset("people").count()
/// (1, 6)
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct DatasetWriter {
    writer: Writer,
    compression: Option<String>,
    dictionaries: String,
    is_committed: AtomicBool,
}

const MODES: [(&str, WriteMode); 3] =
    [("create", WriteMode::Create), ("append", WriteMode::Append), ("replace", WriteMode::Replace)];

fn mode_of(name: &str) -> PyResult<WriteMode> {
    let found = MODES.iter().find(|(known, _)| *known == name);
    let unknown = || raised::<PyValueError>(format!("unknown mode '{name}': 'create', 'append', 'replace'"));
    found.map(|(_, mode)| *mode).ok_or_else(unknown)
}

#[pymethods]
impl DatasetWriter {
    #[new]
    #[pyo3(signature = (dest, schema, *, mode = "create", compression = None, dictionaries = "unify"))]
    fn new(
        py: Python<'_>,
        dest: PathBuf,
        schema: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::word)] mode: &str,
        #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
        #[pyo3(from_py_with = options::word)] dictionaries: &str,
    ) -> Result<DatasetWriter> {
        if dest.to_str().is_some_and(is_url) {
            let text = "data sets are written to folders, and not to URLs";
            return Err(unsupported_call(text).into());
        }
        let (mode, schema) = (mode_of(mode)?, Schema::of(schema)?);
        Wanted::parse(compression.as_deref(), dictionaries, None)?;
        let root = std::path::absolute(dest)?;
        let writer = py.detach(|| Writer::begin(root, schema, mode)).map_err(failed)?;
        let dictionaries = dictionaries.to_owned();
        Ok(DatasetWriter { writer, compression, dictionaries, is_committed: AtomicBool::new(false) })
    }

    /// The schema of each part, without the columns of folders.
    ///
    /// >>> arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema).schema.names
    /// ['id', 'name']
    #[getter]
    fn schema(&self) -> Schema {
        (&self.writer.schema).into()
    }

    /// Writes all batches of `data` as the part of a task. Returns the part, to be passed to `commit`. `task` is the
    /// number of the task, from 0. `folder` is a folder inside the data set, such as "day=2024-02-29". If the task
    /// has already written its part, returns that part.
    ///
    /// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
    /// >>> writer.write(0, arrow_ipc.open("people.arrow"), folder="day=2024-02-29").num_rows
    /// 3
    #[pyo3(signature = (task, data, *, folder = ""))]
    fn write(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = options::number_from_0)] task: u64,
        data: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::word)] folder: &str,
    ) -> Result<Part> {
        if self.is_committed.load(Ordering::Relaxed) {
            let text = "the writer has committed, and is for one commit: another DatasetWriter writes more";
            return Err(misuse("Committed", text).into());
        }
        let wanted = Wanted::parse(self.compression.as_deref(), &self.dictionaries, None)?;
        let mut writing = wanted.options.with_row_counts(RowCounts::Written);
        let mut batches = Batches::with_schema(data, Some(&self.writer.schema))?.batches;
        py.detach(|| {
            if wanted.dictionaries == Dictionaries::Unify {
                (batches, writing) = unified(&self.writer.schema, batches, writing)?;
            }
            let mut attempt = self.writer.part(task, folder, writing).map_err(failed)?;
            batches.try_for_each(|batch| {
                check_signals()?;
                attempt.write(&batch?).map_err(|error| match error.kind() {
                    DatasetErrorKind::PartSchema(_) => failed(error).advised(OF_COLUMNS),
                    _ => failed(error),
                })
            })?;
            Ok(Part { part: attempt.finish().map_err(failed)? })
        })
    }

    /// Commits these parts, in this order: they become the data set, or are added to it. Returns the number of the
    /// version.
    ///
    /// In all modes except "append", this fails if another writer has committed since this writer was created. Parts
    /// that are not in `parts` do not belong to the data set, but their files stay.
    ///
    /// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
    /// >>> writer.commit([]), arrow_ipc.DatasetWriter("new", writer.schema, mode="append").commit([])
    /// (1, 2)
    fn commit(&self, py: Python<'_>, parts: &Bound<'_, PyAny>) -> Result<u64> {
        let parts = parts.try_iter()?.map(|part| {
            let part = part?;
            let found = part.get_type();
            let known = part.cast::<Part>().map(|part| part.get().part.clone());
            known.map_err(|_| raised::<PyTypeError>(format!("parts are what `write` gives, found {found}")))
        });
        let parts = parts.collect::<PyResult<Vec<WrittenPart>>>()?;
        let manifest = py.detach(|| self.writer.commit(parts)).map_err(failed)?;
        self.is_committed.store(true, Ordering::Relaxed);
        Ok(manifest.version())
    }

    /// Removes the written parts, and ignores errors. The data set does not change. No process may write or commit
    /// parts of this writer at the same time.
    ///
    /// >>> arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema).abort()
    fn abort(&self, py: Python<'_>) {
        py.detach(|| self.writer.abort());
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<Reduced<'py>> {
        let Writer { root, schema, id, mode, base } = &self.writer;
        let mode = MODES.iter().find(|(_, known)| known == mode).map_or("create", |(name, _)| name);
        let whole = (root.clone().into_os_string(), Schema::from(schema), *id, mode, *base);
        let is_committed = self.is_committed.load(Ordering::Relaxed);
        let parts = (whole, self.compression.clone(), &self.dictionaries, is_committed).into_pyobject(py)?;
        Ok((py.import("arrow_ipc._arrow_ipc")?.getattr("_dataset_writer")?, parts))
    }

    fn __repr__(&self) -> String {
        format!("<arrow_ipc.DatasetWriter of {}>", self.writer.root.display())
    }
}

/// A written part of a data set, to be passed to `commit`. Its pickle has only a few bytes.
///
/// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
/// >>> writer.write(0, arrow_ipc.open("people.arrow"))
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
    /// >>> writer.write(0, arrow_ipc.open("people.arrow")).num_rows
    /// 3
    #[getter]
    fn num_rows(&self) -> u64 {
        self.part.n_rows
    }

    /// The length of the file of the part, in bytes.
    ///
    /// >>> writer = arrow_ipc.DatasetWriter("new", arrow_ipc.open("people.arrow").schema)
    /// >>> writer.write(0, arrow_ipc.open("people.arrow")).num_bytes > 500
    /// True
    #[getter]
    fn num_bytes(&self) -> u64 {
        self.part.n_bytes
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<Reduced<'py>> {
        let WrittenPart { path, id, n_bytes, n_rows } = &self.part;
        let parts = (path, *id, *n_bytes, *n_rows).into_pyobject(py)?;
        Ok((py.import("arrow_ipc._arrow_ipc")?.getattr("_part")?, parts))
    }

    fn __repr__(&self) -> String {
        format!("<arrow_ipc.Part: {} rows>", self.part.n_rows)
    }
}

/// The folder, the schema, the id of the writer, the mode, and the version that the data set had.
type PickledWriter = (OsString, Py<Schema>, u64, String, u64);

#[pyfunction]
pub(crate) fn _dataset_writer(
    whole: PickledWriter,
    compression: Option<String>,
    dictionaries: String,
    is_committed: bool,
) -> Result<DatasetWriter> {
    let (root, schema, id, mode, base) = whole;
    let schema = Arc::clone(&schema.get().inner);
    let writer = Writer { root: root.into(), schema, id, mode: mode_of(&mode)?, base };
    Ok(DatasetWriter { writer, compression, dictionaries, is_committed: AtomicBool::new(is_committed) })
}

#[pyfunction]
pub(crate) fn _part(path: String, id: u64, n_bytes: u64, n_rows: u64) -> Part {
    Part { part: WrittenPart { path, id, n_bytes, n_rows } }
}
