//! Files and streams that are written to a path, to callbacks or to memory.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    mem,
    path::Path,
    sync::Arc,
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_c_data::{ArrayImporter, ArrowArray, ArrowArrayStream, ArrowSchema};
use arrow_data::{RecordBatch, Validation};
use arrow_ipc::{
    AtomicFile, ContainerEncoder, DictionaryPolicy, Encoded, IpcError, IpcErrorKind, WriteOptions,
    WrittenContainer,
};
use arrow_schema::Schema;

use crate::{
    callbacks::{CallbackSink, SinkCallbacks},
    failure::{Failure, Result},
    options::{Options, Writing},
    pointers::{ListPointer, MovedPointer, NamedText, Out, SizedPointer, TextPointer, import},
    reader::{LentBytes, handle, result},
    turn::Turn,
};

/// `struct aipc_writer`
pub(crate) struct Writer(Turn<WriterState>);

struct WriterState {
    sink: Sink,
    container: WrittenContainer,
    options: WriteOptions,
    /// `None` until a stream brings it, if the caller gave none.
    schema: Option<Arc<Schema>>,
    importer: ArrayImporter,
    /// `None` until the schema is known, and the dictionaries, if they are unified.
    encoder: Option<ContainerEncoder>,
    /// The batches whose dictionaries are unified; `None` if batches are written at once.
    collected: Option<Vec<RecordBatch>>,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Open,
    /// The sink or the end has failed. The sink is not used again.
    Failed,
    Finished,
}

enum Sink {
    /// Gets its name when it is complete.
    Atomic(AtomicFile),
    /// A pipe or device.
    Plain(File),
    Callbacks(CallbackSink),
    Memory(BufferMut),
    /// Memory that is complete.
    Complete(Buffer),
}

impl Sink {
    fn at(path: &Path) -> io::Result<Sink> {
        // Replaces the target of a symbolic link, not the link.
        let target = AtomicFile::target_of(path);
        if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
            return Ok(Sink::Plain(OpenOptions::new().write(true).open(&target)?));
        }
        Ok(Sink::Atomic(AtomicFile::create(&target)?))
    }

    fn put(&mut self, encoded: &Encoded<'_>) -> io::Result<()> {
        match self {
            Sink::Atomic(file) => encoded.write_to(file),
            Sink::Plain(file) => encoded.write_to(file),
            Sink::Callbacks(sink) => encoded.write_to(sink),
            Sink::Memory(bytes) => {
                let mut slices = encoded.slices(usize::MAX);
                let written = slices.try_for_each(|slice| bytes.try_extend_from_slice(slice));
                written.map_err(|_| io::ErrorKind::OutOfMemory.into())
            }
            Sink::Complete(_) => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        match self {
            Sink::Atomic(file) => file.commit(),
            Sink::Plain(file) => file.flush(),
            Sink::Callbacks(sink) => sink.flush(),
            Sink::Memory(bytes) => {
                *self = Sink::Complete(mem::take(bytes).freeze());
                Ok(())
            }
            Sink::Complete(_) => Ok(()),
        }
    }
}

impl WriterState {
    fn try_new(
        schema: Option<Arc<Schema>>,
        writing: Writing,
        sink: impl FnOnce() -> Result<Sink>,
    ) -> Result<WriterState> {
        let Writing { options, container, unifies_dictionaries } = writing;
        let container = container.unwrap_or(WrittenContainer::Stream);
        // Refuses options and types before a file is created; options also if the schema is not known.
        let known = schema.clone().unwrap_or_default();
        drop(ContainerEncoder::try_new_with(&known, container, options.clone())?);
        let collected = unifies_dictionaries.then(Vec::new);
        let mut state = WriterState {
            sink: sink()?,
            container,
            options,
            schema,
            importer: ArrayImporter::new(Validation::Content),
            encoder: None,
            collected,
            progress: Progress::Open,
        };
        state.start_if_known()?;
        Ok(state)
    }

    /// Writes the schema, if it is known and batches are written at once.
    fn start_if_known(&mut self) -> Result<()> {
        match &self.schema {
            Some(schema) if self.encoder.is_none() && self.collected.is_none() => {
                let encoder = ContainerEncoder::try_new_with(schema, self.container, self.options.clone())?;
                self.encoder = Some(encoder);
                self.put(ContainerEncoder::start)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Writes the schema of a first stream. After an error, another stream may bring the schema, unless the sink has failed.
    fn start_with(&mut self, schema: &Arc<Schema>) -> Result<()> {
        drop(ContainerEncoder::try_new_with(schema, self.container, self.options.clone())?);
        self.schema = Some(Arc::clone(schema));
        let started = self.start_if_known();
        if started.is_err() {
            self.schema = None;
            self.encoder = None;
        }
        started
    }

    fn put(
        &mut self,
        encode: impl FnOnce(&mut ContainerEncoder) -> arrow_ipc::Result<Encoded<'_>>,
    ) -> Result<()> {
        let Some(encoder) = &mut self.encoder else { return Err(without_schema()) };
        let written = self.sink.put(&encode(encoder)?);
        // Drops the references to the buffers of a batch.
        encoder.clear();
        self.unless_failed(written)
    }

    fn unless_failed(&mut self, written: io::Result<()>) -> Result<()> {
        if written.is_err() {
            self.progress = Progress::Failed;
        }
        written.map_err(|error| IpcError::from(IpcErrorKind::Write(error)).into())
    }

    fn check_open(&self) -> Result<()> {
        match self.progress {
            Progress::Open => Ok(()),
            Progress::Failed => Err(Failure::misuse("the writer cannot continue after its earlier error")),
            Progress::Finished => Err(Failure::misuse("the writer is finished")),
        }
    }

    fn write(&mut self, batch: RecordBatch) -> Result<()> {
        match &mut self.collected {
            Some(collected) => {
                collected.push(batch);
                Ok(())
            }
            None => self.put(|encoder| encoder.encode(&batch)),
        }
    }

    fn write_stream(&mut self, stream: ArrowArrayStream) -> Result<()> {
        let batches = stream.into_batches_with(Validation::Content, self.options.max_fields())?;
        match &self.schema {
            Some(schema) => {
                let difference = schema.check_same_columns(batches.schema());
                difference.map_err(|difference| IpcError::from(IpcErrorKind::Schema(difference)))?;
            }
            None => self.start_with(batches.schema())?,
        }
        for (index, batch) in batches.enumerate() {
            let written = batch.map_err(Failure::from).and_then(|batch| self.write(batch));
            written.map_err(|failure| failure.in_batch(index))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        let Some(schema) = self.schema.clone() else { return Err(without_schema()) };
        // After an error, another call would end what is not complete.
        self.progress = Progress::Failed;
        if let Some(collected) = self.collected.take() {
            let options = self.options.clone();
            let mut unifier = options.dictionary_unifier(&schema)?;
            collected.iter().try_for_each(|batch| unifier.observe(batch))?;
            self.options = options.with_dictionaries(DictionaryPolicy::Unify(unifier.finish()?));
            self.start_if_known()?;
            for batch in collected {
                self.put(|encoder| encoder.encode(&batch))?;
            }
        }
        self.put(ContainerEncoder::finish)?;
        let finished = self.sink.finish();
        self.unless_failed(finished)?;
        self.progress = Progress::Finished;
        Ok(())
    }
}

fn without_schema() -> Failure {
    Failure::misuse("the writer has no schema: pass it when you make the writer, or write a stream first")
}

fn parsed(
    schema: MovedPointer<ArrowSchema>,
    options: ListPointer<NamedText>,
    n_options: usize,
) -> Result<(Option<Arc<Schema>>, Writing)> {
    let schema = schema.take_if_any();
    let writing = Writing::parse(&Options::try_new(&options, n_options)?)?;
    let schema = schema.map(|schema| schema.to_schema_with(writing.options.max_fields())).transpose()?;
    Ok((schema.map(Arc::new), writing))
}

fn made(state: WriterState) -> Option<Box<Writer>> {
    Some(Box::new(Writer(Turn::new("writer", state))))
}

pub(crate) fn create(
    path: TextPointer,
    schema: MovedPointer<ArrowSchema>,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Writer>>>,
) -> Result<()> {
    let out = result(out, None);
    let (schema, mut writing) = parsed(schema, options, n_options)?;
    let out = out?;
    let path = Path::new(path.as_str("path")?);
    writing.container = writing.container.or_else(|| WrittenContainer::from_file_name(path));
    if writing.container.is_none() {
        let path = path.display();
        return Err(Failure::misuse(format!(
            "`{path}`: the extension does not say whether to write a file or a stream: set `container`, or use .arrow or .arrows"
        )));
    }
    let named = |error| IpcError::from(IpcErrorKind::Open { path: path.to_owned(), error });
    *out = made(WriterState::try_new(schema, writing, || Ok(Sink::at(path).map_err(named)?))?);
    Ok(())
}

pub(crate) fn to_sink(
    sink: SizedPointer<SinkCallbacks>,
    schema: MovedPointer<ArrowSchema>,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Writer>>>,
) -> Result<()> {
    let out = result(out, None);
    let sink = sink.read("sink").and_then(SinkCallbacks::to_sink);
    let (schema, writing) = parsed(schema, options, n_options)?;
    let out = out?;
    let sink = sink?;
    *out = made(WriterState::try_new(schema, writing, || Ok(Sink::Callbacks(sink)))?);
    Ok(())
}

pub(crate) fn to_memory(
    schema: MovedPointer<ArrowSchema>,
    options: ListPointer<NamedText>,
    n_options: usize,
    out: Out<'_, Option<Box<Writer>>>,
) -> Result<()> {
    let out = result(out, None);
    let (schema, writing) = parsed(schema, options, n_options)?;
    let out = out?;
    *out = made(WriterState::try_new(schema, writing, || Ok(Sink::Memory(BufferMut::new())))?);
    Ok(())
}

pub(crate) fn write(writer: Option<&Writer>, batch: MovedPointer<ArrowArray>) -> Result<()> {
    let batch = batch.take("batch")?;
    handle(writer, "writer")?.0.with(|state| {
        state.check_open()?;
        let batch = match &state.schema {
            Some(schema) => import(&mut state.importer, batch, schema)?,
            None => return Err(without_schema()),
        };
        state.write(batch)
    })
}

pub(crate) fn write_stream(writer: Option<&Writer>, stream: MovedPointer<ArrowArrayStream>) -> Result<()> {
    let stream = stream.take("stream")?;
    handle(writer, "writer")?.0.with(|state| {
        state.check_open()?;
        state.write_stream(stream)
    })
}

pub(crate) fn finish(writer: Option<&Writer>) -> Result<()> {
    handle(writer, "writer")?.0.with(|state| {
        state.check_open()?;
        state.finish()
    })
}

pub(crate) fn bytes(writer: Option<&Writer>, out: Out<'_, LentBytes>) -> Result<()> {
    let out = result(out, LentBytes::NONE)?;
    handle(writer, "writer")?.0.with(|state| match &state.sink {
        Sink::Complete(bytes) => {
            *out = LentBytes::new(bytes);
            Ok(())
        }
        Sink::Memory(_) => Err(Failure::misuse("the bytes are complete when the writer is finished")),
        Sink::Atomic(_) | Sink::Plain(_) | Sink::Callbacks(_) => {
            Err(Failure::misuse("only writers to memory have bytes"))
        }
    })
}
