//! Writing: all batches of an object at once, or one after the other.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_ipc::{DictionaryPolicy, DictionaryUnifier, FileWriter, StreamWriter, WriteOptions};
use arrow_schema as schema;
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{
    data::Batches,
    error::{Result, misuse},
    options::{self, Dictionaries},
    schema::Schema,
    sink::Sink,
};

/// Streams or files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Stream,
    File,
}

/// Writes batches as an Arrow file, which can be read from any place.
///
/// `dest` is a path or a file-like object with `write`. A file at a path gets its name when it is complete; after an error
/// there is none, or the one that was there before.
///
/// `data` is anything with `__arrow_c_stream__` or `__arrow_c_array__`, or an iterable of such objects with the same schema.
///
/// `compression` is "lz4", "zstd", or "zstd:3" with a level. `dictionaries` says what is done when a dictionary changes from
/// batch to batch: "delta" adds the new values, "unify" looks at all batches first, which it keeps in memory, and writes one
/// dictionary, "replace" and "error" refuse. `metadata` is that of the footer.
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
#[pyfunction]
#[pyo3(signature = (dest, data, *, compression = None, dictionaries = "delta", metadata = None))]
pub(crate) fn write_file(
    py: Python<'_>,
    dest: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    compression: Option<&str>,
    dictionaries: &str,
    metadata: Option<&Bound<'_, PyAny>>,
) -> Result<()> {
    let wanted = Wanted::parse("file", compression, Some(dictionaries), metadata)?;
    wanted.write_all(py, dest, data)
}

/// Writes batches as an Arrow stream, which is read from front to back.
///
/// As `write_file`; "replace", the default for `dictionaries`, writes a dictionary again when it changes. `metadata` is that of
/// the schema message.
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
#[pyfunction]
#[pyo3(signature = (dest, data, *, compression = None, dictionaries = "replace", metadata = None))]
pub(crate) fn write_stream(
    py: Python<'_>,
    dest: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    compression: Option<&str>,
    dictionaries: &str,
    metadata: Option<&Bound<'_, PyAny>>,
) -> Result<()> {
    let wanted = Wanted::parse("stream", compression, Some(dictionaries), metadata)?;
    wanted.write_all(py, dest, data)
}

/// What the caller asks for.
pub(crate) struct Wanted {
    container: Container,
    options: WriteOptions,
    dictionaries: Dictionaries,
}

impl Wanted {
    /// `dictionaries` has a default for each container.
    pub(crate) fn parse(
        container: &str,
        compression: Option<&str>,
        dictionaries: Option<&str>,
        metadata: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Wanted> {
        let (container, default) = match container {
            "file" => (Container::File, "delta"),
            "stream" => (Container::Stream, "replace"),
            other => return Err(options::unknown("container", other, "'file' or 'stream'")),
        };
        let mut options = WriteOptions::new();
        if let Some(compression) = compression {
            options = options.with_compression(options::compression(compression)?);
        }
        if let Some(metadata) = metadata {
            options = options.with_file_metadata(options::metadata(metadata)?);
        }
        let dictionaries = Dictionaries::parse(dictionaries.unwrap_or(default))?;
        let options = match dictionaries {
            Dictionaries::Replace => options.with_dictionaries(DictionaryPolicy::Replace),
            Dictionaries::Delta => options.with_dictionaries(DictionaryPolicy::Delta),
            Dictionaries::Error => options.with_dictionaries(DictionaryPolicy::Error),
            // When all batches have been looked at.
            Dictionaries::Unify => options,
        };
        Ok(Wanted { container, options, dictionaries })
    }

    pub(crate) fn is_file(&self) -> bool {
        self.container == Container::File
    }

    pub(crate) fn unifies(&self) -> bool {
        self.dictionaries == Dictionaries::Unify
    }

    /// Without the dictionaries of all batches, where these are unified.
    pub(crate) fn options(&self) -> &WriteOptions {
        &self.options
    }

    fn write_all(self, py: Python<'_>, dest: &Bound<'_, PyAny>, data: &Bound<'_, PyAny>) -> Result<()> {
        // The data first: if it cannot be written, nothing is left at the destination.
        let data = Batches::try_new(data)?;
        let sink = Sink::try_new(dest)?;
        py.detach(|| self.write(data, sink))
    }

    fn write(self, data: Batches, sink: Sink) -> Result<()> {
        let Wanted { container, mut options, dictionaries } = self;
        let Batches { schema, mut batches } = data;
        if dictionaries == Dictionaries::Unify {
            let kept: Vec<arrow_data::RecordBatch> = batches.by_ref().collect::<Result<_>>()?;
            let mut unifier = DictionaryUnifier::try_new(&schema)?;
            kept.iter().try_for_each(|batch| unifier.look_at(batch))?;
            options = options.with_dictionaries(DictionaryPolicy::Unify(unifier.finish()?));
            batches = Box::new(kept.into_iter().map(Ok));
        }
        let mut writer = AnyWriter::try_new(container, sink, &schema, options)?;
        for batch in batches {
            check_signals()?;
            writer.write(&batch?)?;
        }
        writer.finish()
    }
}

/// Lets Ctrl-C end a long loop.
fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// A writer of either container.
enum AnyWriter {
    Stream(Box<StreamWriter<Sink>>),
    File(Box<FileWriter<Sink>>),
}

impl AnyWriter {
    fn try_new(
        container: Container,
        sink: Sink,
        schema: &Arc<schema::Schema>,
        options: WriteOptions,
    ) -> Result<AnyWriter> {
        Ok(match container {
            Container::Stream => AnyWriter::Stream(Box::new(StreamWriter::try_new(sink, schema, options)?)),
            Container::File => AnyWriter::File(Box::new(FileWriter::try_new(sink, schema, options)?)),
        })
    }

    fn write(&mut self, batch: &arrow_data::RecordBatch) -> Result<()> {
        match self {
            AnyWriter::Stream(writer) => writer.write(batch)?,
            AnyWriter::File(writer) => writer.write(batch)?,
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        let sink = match self {
            AnyWriter::Stream(writer) => writer.finish()?,
            AnyWriter::File(writer) => writer.finish()?,
        };
        Ok(sink.finish()?)
    }
}

/// Writes batches one after the other; a context manager.
///
/// `container` is "file" or "stream"; `schema` is one of ours, or anything with `__arrow_c_schema__`. For the rest see
/// `write_file`; "unify" needs all batches at once and is refused.
///
/// When the `with` block ends, what was written is completed; if it ends with an exception, a file at a path is given up.
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Writer {
    schema: Arc<schema::Schema>,
    /// `None` once it is closed.
    writer: Mutex<Option<AnyWriter>>,
}

#[pymethods]
impl Writer {
    #[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
    #[new]
    #[pyo3(signature = (dest, schema, *, container = "file", compression = None, dictionaries = None, metadata = None))]
    fn new(
        py: Python<'_>,
        dest: &Bound<'_, PyAny>,
        schema: &Bound<'_, PyAny>,
        container: &str,
        compression: Option<&str>,
        dictionaries: Option<&str>,
        metadata: Option<&Bound<'_, PyAny>>,
    ) -> Result<Writer> {
        let wanted = Wanted::parse(container, compression, dictionaries, metadata)?;
        if wanted.unifies() {
            return Err(PyValueError::new_err(
                "dictionaries are unified before the first batch is written; use write_file or write_stream",
            )
            .into());
        }
        let schema = Schema::of(schema)?;
        let sink = Sink::try_new(dest)?;
        let writer = py.detach(|| AnyWriter::try_new(wanted.container, sink, &schema, wanted.options))?;
        Ok(Writer { schema, writer: Mutex::new(Some(writer)) })
    }

    /// The schema of the batches.
    #[getter]
    fn schema(&self) -> Schema {
        (&self.schema).into()
    }

    /// Writes all batches of an object.
    fn write(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> Result<()> {
        let data = Batches::try_new(data)?;
        py.detach(|| {
            let mut guard = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            let writer = guard.as_mut().ok_or_else(closed)?;
            for batch in data.batches {
                check_signals()?;
                writer.write(&batch?)?;
            }
            Ok(())
        })
    }

    /// Completes what was written. Does nothing the second time.
    fn close(&self, py: Python<'_>) -> Result<()> {
        py.detach(|| match self.take() {
            Some(writer) => writer.finish(),
            None => Ok(()),
        })
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (error = None, *_args))]
    fn __exit__(
        &self,
        py: Python<'_>,
        error: Option<&Bound<'_, PyAny>>,
        _args: &Bound<'_, PyAny>,
    ) -> Result<()> {
        if error.is_some() {
            py.detach(|| drop(self.take()));
            return Ok(());
        }
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<arrow_ipc.Writer>\n{}", self.schema)
    }
}

impl Writer {
    fn take(&self) -> Option<AnyWriter> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn closed() -> PyErr {
    misuse("Closed", "the writer is closed")
}
