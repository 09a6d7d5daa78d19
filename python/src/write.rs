//! Writes batches: all of an object at once, or one after the other.

use std::{ffi::CStr, io::Write, process, sync::Arc};

use arrow_ipc::{DictionaryMode, FileEncoder, StreamEncoder, WriteOptions, WrittenContainer};
use arrow_ipc_report::statistics_note;
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_ipc_tools::StatisticsLoss;
use arrow_schema as schema;
use pyo3::{
    exceptions::{PyResourceWarning, PyValueError},
    prelude::*,
    types::PyDict,
};

use crate::{
    data::Batches,
    error::{Failure, Result, exception, misuse, warn},
    options::{self, dictionary_mode},
    pickle::not_picklable,
    schema::Schema,
    sink::Sink,
    suggestions,
    tools::arguments::Keywords,
    turn_lock::{TurnGuard, TurnLock},
    unify::{unify, unify_in_memory},
};

/// Writes batches as an Arrow file, which can be read by position. The extension of `dest` does not change the format.
///
/// `dest` is a path, the URL of a file in a store, such as `s3://bucket/sales.arrow`, or a file-like object whose `write` takes `bytes` and
/// `memoryview`. A file gets its name when it is complete. After an error,
/// there is no new file, and an old file is unchanged.
///
/// `data` is an object with `__arrow_c_stream__` or `__arrow_c_array__`, or an iterable of such objects with the same
/// schema. It can also be Python values: a dict of columns, or a list of dicts, one per row.
///
/// `compression` is "lz4", "zstd", "zstd:3" with a level, or "none", the default. `dictionaries` says what to do if a
/// dictionary changes from batch to batch. A file has one dictionary for all batches. With "replace", the default, this is a
/// dictionary with all values where `data` can be read twice: a table, file or data set, or a list of these. A data set, or a
/// list with files, is then read twice. A stream or another iterable is read once: new values at the end of a dictionary are
/// written as a delta, and any other change is refused. "unify" collects all batches in memory, and then writes one dictionary
/// with all values. "delta" writes all new values as deltas, which not all readers support. "error" refuses any change.
///
/// `metadata` is added to the metadata of the schema, which all readers show. `footer_metadata` is that of the footer, which few do.
///
/// `unused` says what to do with bytes of views, items of list views and values of unions that no row refers to, for
/// example in slices. "bounded", the default, writes at most as much unused data as used data. "keep" writes all data
/// between the first and the last used value, without a copy. "remove" writes no unused data, and no unused values
/// of dictionaries, but all of ordered dictionaries inside values of dictionaries. `null_slots` is "keep", the default, or "zeros", which writes zeros instead of other bytes below nulls. Of
/// data from others, such bytes may hold old contents of memory.
///
/// `row_counts` is "none" or "written". "written" stores the number of rows of each batch in the footer, so that
/// readers need not read messages for it. `alignment` is the alignment of bodies and large buffers. With `statistics`, the footer has the least and
/// greatest values of each batch, so that readers with a condition can skip batches, and row counts. A footer gets no statistics if they
/// would be more than 2 % of the file, or it would be longer than 256 MiB; a warning says so if there are several batches: write larger ones then. Functions
/// that rewrite files, such as `concat_files`, drop statistics, except `append` and `convert(source, dest, statistics=True)`. With
/// `same_metadata`, the schema message and the footer have the same metadata, as the specification requires since May 2026:
/// no `row_counts` and no `statistics`.
///
/// >>> arrow_ipc.write_file("few.arrow", [{"id": 1, "tags": ["a"]}, {"id": 2}], row_counts="written")
/// >>> arrow_ipc.open("few.arrow").to_pydict()
/// {'id': [1, 2], 'tags': [['a'], None]}
/// >>> people = arrow_ipc.open("people.arrow")
/// >>> arrow_ipc.write_file("small.arrow", people[["id"]], compression="zstd")
/// >>> arrow_ipc.open("small.arrow").to_pydict()
/// {'id': [1, 2, 3]}
#[pyfunction]
#[pyo3(signature = (dest, data, *, compression = None, dictionaries = "replace", metadata = None, footer_metadata = None, unused = "bounded", null_slots = "keep", row_counts = "none", alignment = 64, statistics = false, same_metadata = false, **keywords), text_signature = "(dest, data, *, compression=None, dictionaries='replace', metadata=None, footer_metadata=None, unused='bounded', null_slots='keep', row_counts='none', alignment=64, statistics=False, same_metadata=False)")]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn write_file(
    py: Python<'_>,
    dest: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
    #[pyo3(from_py_with = options::word)] dictionaries: &str,
    metadata: Option<&Bound<'_, PyAny>>,
    footer_metadata: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::word)] unused: &str,
    #[pyo3(from_py_with = options::word)] null_slots: &str,
    #[pyo3(from_py_with = options::word)] row_counts: &str,
    #[pyo3(from_py_with = options::number_from_0)] alignment: usize,
    #[pyo3(from_py_with = options::flag)] statistics: bool,
    #[pyo3(from_py_with = options::flag)] same_metadata: bool,
    keywords: Option<Bound<'_, PyDict>>,
) -> Result<()> {
    Keywords::new("write_file", keywords).finish()?;
    let wanted = WriteRequest::parse(compression.as_deref(), dictionaries)?
        .with_metadata(metadata, footer_metadata)?
        .with_unused(unused, null_slots)?;
    let options = options::with_named(wanted.options, "row_counts", row_counts)?.with_alignment(alignment);
    let options = options::with_metadata_of_footer(options, same_metadata, statistics)?;
    WriteRequest { options, statistics, ..wanted }.write_all(py, (WrittenContainer::File, dest), data)
}

/// Writes batches as an Arrow stream, which is read from start to end. The extension of `dest` does not change the
/// format.
///
/// The arguments are as for `write_file`, but "replace" writes a changed dictionary again. A stream has no footer, so it has no
/// `footer_metadata` and no `row_counts`; `message_metadata` is that of the schema message. `max_message_bytes` limits the length of the
/// messages of batches: longer ones are split into the fewest that fit, and a row that does not fit alone is an error.
///
/// >>> arrow_ipc.write_stream("copy.arrows", arrow_ipc.open("people.arrow"))
/// >>> next(arrow_ipc.read_stream("copy.arrows")).num_rows
/// 3
#[pyfunction]
#[pyo3(signature = (dest, data, *, compression = None, dictionaries = "replace", metadata = None, message_metadata = None, unused = "bounded", null_slots = "keep", alignment = 64, max_message_bytes = None, **keywords), text_signature = "(dest, data, *, compression=None, dictionaries='replace', metadata=None, message_metadata=None, unused='bounded', null_slots='keep', alignment=64, max_message_bytes=None)")]
#[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
pub(crate) fn write_stream(
    py: Python<'_>,
    dest: &Bound<'_, PyAny>,
    data: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
    #[pyo3(from_py_with = options::word)] dictionaries: &str,
    metadata: Option<&Bound<'_, PyAny>>,
    message_metadata: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = options::word)] unused: &str,
    #[pyo3(from_py_with = options::word)] null_slots: &str,
    #[pyo3(from_py_with = options::number_from_0)] alignment: usize,
    #[pyo3(from_py_with = options::number_from_0)] max_message_bytes: Option<u64>,
    keywords: Option<Bound<'_, PyDict>>,
) -> Result<()> {
    Keywords::new("write_stream", keywords).finish()?;
    let wanted = WriteRequest::parse(compression.as_deref(), dictionaries)?
        .with_metadata(metadata, message_metadata)?
        .with_unused(unused, null_slots)?;
    let options =
        options::with_max_message_bytes(wanted.options.with_alignment(alignment), max_message_bytes);
    WriteRequest { options, ..wanted }.write_all(py, (WrittenContainer::Stream, dest), data)
}

/// The options of a call that writes batches.
pub(crate) struct WriteRequest {
    /// The options for the writer. If dictionaries are unified, these are added later.
    pub(crate) options: WriteOptions,
    pub(crate) dictionaries: DictionaryMode,
    /// Whether the footer gets the statistics of the batches.
    statistics: bool,
    /// What is added to the metadata of the schema.
    metadata: schema::Metadata,
}

impl WriteRequest {
    pub(crate) fn parse(compression: Option<&str>, dictionaries: &str) -> PyResult<WriteRequest> {
        let dictionaries = dictionary_mode(dictionaries)?;
        let mut options = options::write_options().with_dictionaries(dictionaries.policy());
        if let Some(compression) = compression {
            options = options::with_named(options, "compression", compression)?;
        }
        Ok(WriteRequest { options, dictionaries, statistics: false, metadata: schema::Metadata::new() })
    }

    /// Adds metadata to the schema, and sets that of the footer, or of the schema message of a stream.
    fn with_metadata(
        self,
        for_schema: Option<&Bound<'_, PyAny>>,
        for_container: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<WriteRequest> {
        let metadata = for_schema.map_or_else(|| Ok(schema::Metadata::new()), options::metadata)?;
        let options = match for_container {
            Some(given) => self.options.with_file_metadata(options::metadata(given)?),
            None => self.options,
        };
        Ok(WriteRequest { options, metadata, ..self })
    }

    /// The schema with the metadata that is added. Its own pairs stay, except those with one of the added keys.
    fn schema_of(&self, schema: Arc<schema::Schema>) -> Arc<schema::Schema> {
        if self.metadata.is_empty() {
            return schema;
        }
        let is_inherited = |(key, _): &(Option<&str>, Option<&str>)| {
            !key.is_some_and(|key| self.metadata.iter().any(|(given, _)| given == Some(key)))
        };
        let all = schema.metadata().iter().filter(is_inherited).chain(self.metadata.iter());
        let all = all.map(|(key, value)| (key.map(Into::into), value.map(Into::into))).collect();
        Arc::new(schema::Schema::clone(&schema).with_metadata(schema::Metadata::from_pairs(all)))
    }

    /// Sets what is written that no value shows.
    pub(crate) fn with_unused(self, unused: &str, null_slots: &str) -> PyResult<WriteRequest> {
        let options = options::with_named(self.options, "unused", unused)?;
        Ok(WriteRequest { options: options::with_named(options, "null_slots", null_slots)?, ..self })
    }

    fn write_all(
        self,
        py: Python<'_>,
        (container, dest): (WrittenContainer, &Bound<'_, PyAny>),
        data: &Bound<'_, PyAny>,
    ) -> Result<()> {
        // Opens the data first: if this fails, the destination is unchanged.
        let data = Batches::try_new(data)?;
        let sink = Sink::try_new(dest)?;
        py.detach(|| self.write(data, (container, sink))).map_err(Failure::with_unify_hint)
    }

    fn write(self, data: Batches, to: (WrittenContainer, Sink)) -> Result<()> {
        let Batches { schema, mut batches, second_pass } = data;
        let schema = self.schema_of(schema);
        let WriteRequest { mut options, dictionaries, statistics, .. } = self;
        match (dictionaries, second_pass) {
            (DictionaryMode::Unify, _) => (batches, options) = unify(&schema, batches, options)?,
            (DictionaryMode::Replace, Some(second_pass)) if to.0 == WrittenContainer::File => {
                (batches, options) = unify_in_memory(&schema, (batches, second_pass), options)?;
            }
            _ => {}
        }
        let mut writer = AnyWriter::try_new(to, &schema, options)?;
        if statistics {
            writer = writer.with_statistics(&schema);
        }
        for batch in batches {
            check_signals()?;
            writer.write(&batch?)?;
        }
        writer.finish()
    }
}

/// Returns the exception of Ctrl-C, to end a long loop.
pub(crate) fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Writes a file or stream to a destination.
struct AnyWriter {
    encoder: AnyEncoder,
    sink: Sink,
    /// The number of batches that were written.
    n_batches: u64,
}

enum AnyEncoder {
    Stream(Box<StreamEncoder>),
    File(Box<FileEncoder>, Option<StatisticsBuilder>),
}

impl AnyWriter {
    fn try_new(
        (container, sink): (WrittenContainer, Sink),
        schema: &Arc<schema::Schema>,
        options: WriteOptions,
    ) -> Result<AnyWriter> {
        let mut sink = sink;
        let encoder = match container {
            WrittenContainer::Stream => {
                let mut encoder = StreamEncoder::try_new_with(schema, options)?;
                sink.put(&encoder.start()?)?;
                AnyEncoder::Stream(Box::new(encoder))
            }
            WrittenContainer::File => {
                let mut encoder = FileEncoder::try_new_with(schema, options)?;
                sink.put(&encoder.start()?)?;
                AnyEncoder::File(Box::new(encoder), None)
            }
        };
        Ok(AnyWriter { encoder, sink, n_batches: 0 })
    }

    /// Adds statistics to the footer of a file. A stream has no footer.
    fn with_statistics(mut self, schema: &schema::Schema) -> AnyWriter {
        if let AnyEncoder::File(_, statistics) = &mut self.encoder {
            *statistics = Some(StatisticsBuilder::new(schema));
        }
        self
    }

    /// After an error of the destination, nothing is written to it any more.
    fn write(&mut self, batch: &arrow_data::RecordBatch) -> Result<()> {
        self.n_batches = self.n_batches.saturating_add(1);
        // `clear` drops the buffers of the batch.
        match &mut self.encoder {
            AnyEncoder::Stream(encoder) => {
                let written = self.sink.put(&encoder.encode(batch)?);
                encoder.clear();
                written?;
            }
            AnyEncoder::File(encoder, statistics) => {
                let written = self.sink.put(&encoder.encode(batch)?);
                encoder.clear();
                written?;
                if let Some(statistics) = statistics {
                    statistics.add(batch)?;
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        let mut lacks_statistics = false;
        match &mut self.encoder {
            AnyEncoder::Stream(encoder) => self.sink.put(&encoder.finish()?)?,
            AnyEncoder::File(encoder, statistics) => {
                let statistics = statistics.take().map(|all| all.finish_for(encoder.position()));
                let is_requested = statistics.is_some();
                let has_statistics = match statistics.transpose()?.flatten() {
                    Some(stream) => encoder.set_statistics(&stream)?,
                    None => false,
                };
                // The statistics of one batch help no reader of one file.
                lacks_statistics = is_requested && !has_statistics && self.n_batches > 1;
                self.sink.put(&encoder.finish()?)?;
            }
        }
        self.sink.flush()?;
        self.sink.finish()?;
        if lacks_statistics {
            warn(statistics_note(StatisticsLoss::TooLarge))?;
        }
        Ok(())
    }
}

/// Writes batches one after the other. A writer is a context manager.
///
/// `container` is "file" or "stream". By default, the name of `dest` decides: .arrows is a stream; .arrow, .feather
/// and .ipc are files. `schema` is a schema of this package, or anything with `__arrow_c_schema__`. The other
/// arguments are the same as for `write_file`, and `message_metadata` for `write_stream`. `dictionaries="unify"` is an error, because it needs all batches
/// before the first one is written.
///
/// The end of the `with` block completes the output. If the block ends with an exception, no file is created at the
/// path. A writer that is dropped without `close` raises a `ResourceWarning`.
///
/// >>> people = arrow_ipc.open("people.arrow")
/// >>> with arrow_ipc.Writer("twice.arrow", people.schema) as writer:
/// ...     writer.write(people)
/// ...     writer.write(people[1:])
/// >>> arrow_ipc.open("twice.arrow").num_rows
/// 5
#[pyclass(frozen, module = "arrow_ipc")]
pub(crate) struct Writer {
    schema: Arc<schema::Schema>,
    /// `None` after the writer is closed.
    writer: TurnLock<Option<AnyWriter>>,
    /// The process that writes. A forked one has the same file, and would write over its bytes.
    process: u32,
}

#[pymethods]
impl Writer {
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_picklable("a Writer"))
    }

    #[expect(clippy::too_many_arguments, reason = "one for each argument in Python")]
    #[new]
    #[pyo3(signature = (
        dest, schema, *, container = None, compression = None, dictionaries = "replace", metadata = None, footer_metadata = None,
        message_metadata = None, unused = "bounded", null_slots = "keep", row_counts = "none", alignment = 64, statistics = false,
        same_metadata = false,
    ))]
    fn new(
        py: Python<'_>,
        dest: &Bound<'_, PyAny>,
        schema: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = options::word_or_none)] container: Option<&str>,
        #[pyo3(from_py_with = options::compression_text)] compression: Option<String>,
        #[pyo3(from_py_with = options::word)] dictionaries: &str,
        metadata: Option<&Bound<'_, PyAny>>,
        footer_metadata: Option<&Bound<'_, PyAny>>,
        message_metadata: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = options::word)] unused: &str,
        #[pyo3(from_py_with = options::word)] null_slots: &str,
        #[pyo3(from_py_with = options::word)] row_counts: &str,
        #[pyo3(from_py_with = options::number_from_0)] alignment: usize,
        #[pyo3(from_py_with = options::flag)] statistics: bool,
        #[pyo3(from_py_with = options::flag)] same_metadata: bool,
    ) -> Result<Writer> {
        let container = options::container_of(container, dest)?;
        let for_container = match (container, footer_metadata, message_metadata) {
            (WrittenContainer::File, given, None) | (WrittenContainer::Stream, None, given) => given,
            (WrittenContainer::File, ..) => {
                return Err(exception::<PyValueError>(
                    "message_metadata is for streams; a file has footer_metadata",
                )
                .into());
            }
            (WrittenContainer::Stream, ..) => {
                return Err(exception::<PyValueError>(
                    "footer_metadata is for files; a stream has message_metadata",
                )
                .into());
            }
        };
        let mut wanted = WriteRequest::parse(compression.as_deref(), dictionaries)?
            .with_metadata(metadata, for_container)?
            .with_unused(unused, null_slots)?;
        wanted.options = options::with_named(wanted.options, "row_counts", row_counts)?;
        if wanted.dictionaries == DictionaryMode::Unify {
            return Err(exception::<PyValueError>(
                "a Writer cannot unify dictionaries, since it writes each batch at once; use write_file or write_stream",
            )
            .into());
        }
        if statistics && container == WrittenContainer::Stream {
            return Err(exception::<PyValueError>(
                "statistics are in the footer, which a stream does not have; use container=\"file\"",
            )
            .into());
        }
        let schema = wanted.schema_of(Schema::from_object(schema)?);
        let sink = Sink::try_new(dest)?;
        let options = wanted.options.with_alignment(alignment);
        let options = options::with_metadata_of_footer(options, same_metadata, statistics)?;
        let mut writer = py.detach(|| AnyWriter::try_new((container, sink), &schema, options))?;
        if statistics {
            writer = writer.with_statistics(&schema);
        }
        let writer = TurnLock::new("the writer", Some(writer));
        Ok(Writer { schema, writer, process: process::id() })
    }

    /// The schema that all batches have.
    ///
    /// >>> people = arrow_ipc.open("people.arrow")
    /// >>> with arrow_ipc.Writer("copy.arrow", people.schema) as writer:
    /// ...     writer.schema.names
    /// ['id', 'name']
    #[getter]
    fn schema(&self) -> Schema {
        (&self.schema).into()
    }

    /// Writes all batches of an object. Python values are allowed as for `write_file`, and get the types of the schema.
    ///
    /// Each batch is written as soon as it arrives. If an iterable fails, the batches before the failure are already
    /// written. If its exception ends the `with` block, there is no file.
    ///
    /// >>> people = arrow_ipc.open("people.arrow")
    /// >>> with arrow_ipc.Writer("copy.arrow", people.schema) as writer:
    /// ...     writer.write(people.head(2))
    /// >>> arrow_ipc.open("copy.arrow").num_rows
    /// 2
    fn write(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> Result<()> {
        let data = Batches::with_schema(data, Some(&self.schema))?;
        py.detach(|| {
            let mut guard = self.turn()?;
            let writer = guard.as_mut().ok_or_else(closed)?;
            for batch in data.batches {
                check_signals()?;
                writer.write(&batch?)?;
            }
            Ok(())
        })
        .map_err(Failure::with_unify_hint)
    }

    /// Completes the output. A second call does nothing.
    ///
    /// >>> people = arrow_ipc.open("people.arrow")
    /// >>> writer = arrow_ipc.Writer("copy.arrow", people.schema)
    /// >>> writer.write(people)
    /// >>> writer.close()
    fn close(&self, py: Python<'_>) -> Result<()> {
        py.detach(|| match self.turn()?.take() {
            Some(writer) => writer.finish(),
            None => Ok(()),
        })
    }

    fn __getattr__(this: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Err(suggestions::no_attribute(this.as_any(), "writer", None, name))
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
            let turn = || self.turn().map(|mut writer| drop(writer.take()));
            return if self.is_forked() { Ok(()) } else { Ok(py.detach(turn)?) };
        }
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("<arrow_ipc.Writer>\n{}", self.schema)
    }
}

impl Drop for Writer {
    /// Warns, like Python's own files. A file at a path is not created, and a stream has no end marker.
    fn drop(&mut self) {
        if self.is_forked() {
            return;
        }
        let is_open = self.writer.try_take().is_some_and(|writer| writer.is_some());
        if !is_open {
            return;
        }
        let _ = Python::try_attach(|py| {
            // An exception may be active while the object is dropped.
            let exception = PyErr::take(py);
            const TEXT: &CStr = c"an arrow_ipc.Writer was not closed: its output is not complete";
            if let Err(error) = PyErr::warn(py, &py.get_type::<PyResourceWarning>(), TEXT, 1) {
                error.write_unraisable(py, None);
            }
            if let Some(exception) = exception {
                exception.restore(py);
            }
        });
    }
}

impl Writer {
    fn is_forked(&self) -> bool {
        self.process != process::id()
    }

    fn turn(&self) -> PyResult<TurnGuard<'_, Option<AnyWriter>>> {
        if self.is_forked() {
            Err(misuse(
                "Forked",
                "the writer was opened before the process was forked, and only the process that opened it writes: open another one",
            ))
        } else {
            self.writer.take_detached()
        }
    }
}

fn closed() -> PyErr {
    misuse("Closed", "the writer is closed")
}
