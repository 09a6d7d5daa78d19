//! Copies every complete batch of a damaged file or of damaged streams to a sound file or stream.

use std::{collections::HashMap, fmt, io::Write, path::Path};

use arrow_data::RecordBatch;
use arrow_ipc::{
    Header, IpcError, IpcErrorKind, IpcSchema, Limits, LostPart, Message, MessageKind, ReadOptions, Recovery,
    RecoveryStep, Source, StreamEncoder, Transcoder, WriteOptions,
};

use crate::{
    convert::Loss,
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    observer::{Observer, Pass, Unit},
    relay::message_of,
    source::SharedSource,
    target::Target,
};

/// What [`recover`] writes.
#[derive(Debug, Clone)]
pub struct RecoverOptions {
    target: Target,
    dictionaries: Doubtful,
    schema: Option<IpcSchema>,
    limits: Limits,
}

/// What is done with dictionaries that may have been replaced in damaged bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubtful {
    Lost,
    Kept,
}

impl RecoverOptions {
    /// A stream or file, recovered with the default limits.
    pub fn new(target: Target) -> RecoverOptions {
        RecoverOptions { target, dictionaries: Doubtful::Lost, schema: None, limits: Limits::default() }
    }

    /// Keeps batches of a stream whose dictionaries may have been replaced in damaged bytes: see
    /// [`Recovery::keeping_dictionaries`].
    #[must_use]
    pub fn keeping_dictionaries(self) -> RecoverOptions {
        RecoverOptions { dictionaries: Doubtful::Kept, ..self }
    }

    /// The schema for an input that has none which can be read: see [`Recovery::with_schema`].
    #[must_use]
    pub fn with_schema(self, schema: IpcSchema) -> RecoverOptions {
        RecoverOptions { schema: Some(schema), ..self }
    }

    /// With other limits of reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> RecoverOptions {
        RecoverOptions { limits, ..self }
    }
}

/// What was recovered, and what was not.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RecoverReport {
    /// The batches that were written.
    pub n_batches: u64,
    /// Their rows.
    pub n_rows: u64,
    /// What is lost, in the order in which it was found.
    pub losses: Vec<RecoverLoss>,
}

/// Something that the output does not have.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecoverLoss {
    /// Damaged bytes.
    Part(LostPart),
    /// What a sound input would lose, too: tensors between the batches of a stream, for which files have no place.
    Other(Loss),
}

impl fmt::Display for RecoverLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecoverLoss::Part(part) => part.fmt(f),
            RecoverLoss::Other(loss) => loss.fmt(f),
        }
    }
}

/// Copies every complete batch of a damaged input, with its dictionaries, to a sound stream or file; gives the output, and says
/// what was lost and where. Messages are copied as they are, with their codec and metadata, once their content has been checked.
/// What the damage may be is said at [`Recovery`].
///
/// The input may begin with anything: see [`Input::open_damaged`].
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{FileReader, FileWriter, WriteOptions};
/// use arrow_ipc_tools::{Input, RecoverOptions, Target, recover};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new())?;
/// writer.write(&batch)?;
/// let mut file = writer.finish()?;
/// file.truncate(file.len() - 30);
///
/// let input = Input::from_damaged("upload", arrow_buffer::Buffer::from(file));
/// let (file, report) = recover(input, Vec::new(), &RecoverOptions::new(Target::File), &mut ())?;
/// assert_eq!((report.n_batches, report.n_rows), (1, 2));
/// assert!(report.losses[0].to_string().contains("the footer is lost"));
/// assert_eq!(FileReader::try_from_buffer(file.into())?.n_batches(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Where the output must not be touched before a schema was found, [`Rescue`] has both steps apart.
///
/// # Errors
/// If the input fails, or has no schema that can be read; if the output fails, or is a file and the input replaces a dictionary,
/// which only streams have a place for; if the observer stops the work.
pub fn recover<W: Write>(
    input: Input,
    output: W,
    options: &RecoverOptions,
    observer: &mut dyn Observer,
) -> Result<(W, RecoverReport), ToolError> {
    Rescue::open(input, options)?.write_to(output, observer)
}

/// Whether both paths are the same regular file, also by links: a recovery must not replace its input, of which parts may be lost.
pub fn is_same_file(left: &Path, right: &Path) -> bool {
    let is_file = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.is_file());
    is_file(left)
        && matches!((left.canonicalize(), right.canonicalize()), (Ok(left), Ok(right)) if left == right)
}

/// A damaged input whose schema has been found.
#[derive(Debug)]
pub struct Rescue {
    name: InputName,
    damaged: Damaged,
    schema: IpcSchema,
    options: RecoverOptions,
    report: RecoverReport,
}

/// A recovery that is given what it asks for.
#[derive(Debug)]
struct Damaged {
    source: SharedSource,
    recovery: Recovery,
    n_bytes: u64,
}

impl Rescue {
    /// Looks for a schema. A pipe is copied to a temporary file.
    ///
    /// # Errors
    /// If the input fails, or has no schema that can be read.
    pub fn open(input: Input, options: &RecoverOptions) -> Result<Rescue, ToolError> {
        let name = input.name().clone();
        let source = input.into_source()?;
        let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Input(error));
        let mut damaged = Damaged::open(source, options).map_err(failed)?;
        let mut report = RecoverReport::default();
        let schema = loop {
            match damaged.step().map_err(failed)? {
                RecoveryStep::Schema(schema) => break schema,
                RecoveryStep::Lost(part) => report.losses.push(RecoverLoss::Part(part)),
                RecoveryStep::End => return Err(ToolError::new(name, ToolErrorKind::NotArrow)),
                // Messages come after the schema.
                RecoveryStep::Message { .. } | RecoveryStep::Need(_) | _ => {}
            }
        };
        Ok(Rescue { name, damaged, schema, options: options.clone(), report })
    }

    /// Writes what is left, and gives the output, flushed.
    ///
    /// # Errors
    /// As [`recover`]. What has been written by then is not a complete stream or file.
    pub fn write_to<W: Write>(
        self,
        output: W,
        observer: &mut dyn Observer,
    ) -> Result<(W, RecoverReport), ToolError> {
        let Rescue { name, mut damaged, schema, options, mut report } = self;
        let read_failed = |error| ToolError::new(name.clone(), ToolErrorKind::Input(error));
        let write_failed = |error| ToolError::new(name.clone(), ToolErrorKind::Output(error));
        let mut pass = Pass::begin(observer, &name, (Unit::Bytes, Some(damaged.n_bytes)))?;
        let writing = damaged.metadata(options.target).with_version(schema.version());
        let writing = writing.with_endianness(schema.endianness());
        let mut copy = Copy::begin(output, schema, (writing, &options)).map_err(write_failed)?;
        let mut n_tensors = 0;
        loop {
            match damaged.step().map_err(read_failed)? {
                RecoveryStep::Message { message, batch } => {
                    let end = message.body_position().saturating_add(message.n_body_bytes());
                    match copy.message(&message, batch.as_ref()).map_err(write_failed)? {
                        Copied::Yes => {}
                        Copied::NoPlace => n_tensors += 1,
                    }
                    if let Some(batch) = batch {
                        report.n_batches += 1;
                        report.n_rows = report.n_rows.saturating_add(batch.n_rows() as u64);
                    }
                    pass.set(end)?;
                }
                RecoveryStep::Lost(part) => {
                    let end = part.range().end;
                    report.losses.push(RecoverLoss::Part(part));
                    pass.set(end)?;
                }
                RecoveryStep::End => break,
                RecoveryStep::Schema(_) | RecoveryStep::Need(_) | _ => {}
            }
        }
        if n_tensors > 0 {
            report.losses.push(RecoverLoss::Other(Loss::Tensors { n_tensors }));
        }
        Ok((copy.finish().map_err(write_failed)?, report))
    }
}

impl Damaged {
    fn open(source: SharedSource, options: &RecoverOptions) -> Result<Damaged, IpcError> {
        let n_bytes = source.n_bytes()?;
        let reading = ReadOptions::new().with_limits(options.limits.clone());
        let mut recovery = Recovery::new(n_bytes, reading);
        if options.dictionaries == Doubtful::Kept {
            recovery = recovery.keeping_dictionaries();
        }
        if let Some(schema) = &options.schema {
            recovery = recovery.with_schema(schema.clone());
        }
        if let Some(whole) = source.whole() {
            recovery.provide(0..n_bytes, whole)?;
        }
        Ok(Damaged { source, recovery, n_bytes })
    }

    /// The next step that needs no bytes.
    fn step(&mut self) -> Result<RecoveryStep, IpcError> {
        loop {
            let step = self.recovery.step()?;
            let RecoveryStep::Need(range) = step else { return Ok(step) };
            let bytes = self.source.fetch(range.clone())?;
            self.recovery.provide(range, bytes)?;
        }
    }

    /// The metadata of the whole, as far as it can be read. A stream has one place for it, and gets the footer's.
    fn metadata(&self, target: Target) -> WriteOptions {
        let message = self.recovery.metadata().cloned();
        let footer = self.recovery.footer().map(|footer| footer.metadata().clone());
        let options = WriteOptions::new();
        match (footer, target) {
            (None, _) => options.with_file_metadata(message.unwrap_or_default()),
            (Some(footer), Target::Stream) => options.with_file_metadata(footer),
            (Some(footer), Target::File) => {
                options.with_file_metadata(message.unwrap_or_default()).with_footer_metadata(footer)
            }
        }
    }
}

/// Messages on their way to an output.
struct Copy<W> {
    transcoder: Transcoder,
    output: W,
    target: Target,
    limits: Limits,
    /// The dictionaries that nothing was added to since they were written.
    dictionaries: HashMap<i64, Message>,
    /// Makes messages of batches that have to be decoded, since there is one.
    encoder: Option<StreamEncoder>,
}

/// Whether the output has a place for a message.
enum Copied {
    Yes,
    NoPlace,
}

impl<W: Write> Copy<W> {
    fn begin(
        output: W,
        schema: IpcSchema,
        (writing, options): (WriteOptions, &RecoverOptions),
    ) -> Result<Copy<W>, IpcError> {
        let RecoverOptions { target, limits, .. } = options.clone();
        let transcoder = match target {
            Target::Stream => Transcoder::try_stream(schema, writing)?,
            Target::File => Transcoder::try_file(schema, writing)?,
        };
        let transcoder = transcoder.with_limits(limits.clone());
        let mut copy =
            Copy { transcoder, output, target, limits, dictionaries: HashMap::new(), encoder: None };
        copy.transcoder.start()?.write_to(&mut copy.output)?;
        Ok(copy)
    }

    fn message(&mut self, message: &Message, batch: Option<&RecordBatch>) -> Result<Copied, IpcError> {
        match (message.kind(), self.target) {
            (MessageKind::Tensor | MessageKind::SparseTensor, Target::File) => return Ok(Copied::NoPlace),
            (MessageKind::DictionaryBatch, Target::File) if self.is_repeated(message)? => {
                return Ok(Copied::Yes);
            }
            _ => {}
        }
        // Some writers mix versions. Without a schema message, the version is the footer's, which may be another one.
        let made = match message.version() == self.transcoder.schema().version() {
            true => self.transcoder.copy(message),
            false => self.transcoder.transcode(message),
        };
        match (made, batch) {
            (Err(error), Some(batch)) if matches!(error.kind(), IpcErrorKind::NeedsDecoding { .. }) => {
                self.encode(message, batch)?;
            }
            (made, _) => made?.write_to(&mut self.output)?,
        }
        self.transcoder.clear();
        Ok(Copied::Yes)
    }

    /// Writes a batch of another version, whose buffers are not those of the output's.
    fn encode(&mut self, message: &Message, batch: &RecordBatch) -> Result<(), IpcError> {
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            none => {
                let schema = self.transcoder.schema();
                let options = WriteOptions::new().with_version(schema.version());
                let options = options.with_endianness(schema.endianness());
                none.insert(StreamEncoder::try_new(schema.clone(), options)?)
            }
        };
        let made = message_of(encoder, batch, &message.custom_metadata()?)?;
        Ok(self.transcoder.copy(&made)?.write_to(&mut self.output)?)
    }

    /// Whether a dictionary is what the file has: streams repeat them, as where one follows another.
    fn is_repeated(&mut self, message: &Message) -> Result<bool, IpcError> {
        let Header::DictionaryBatch { id, is_delta, .. } = message.header(&self.limits)? else {
            return Ok(false);
        };
        if is_delta {
            self.dictionaries.remove(&id);
            return Ok(false);
        }
        let same = |known: &Message| {
            known.metadata_bytes() == message.metadata_bytes() && known.body() == message.body()
        };
        if self.dictionaries.get(&id).is_some_and(same) {
            return Ok(true);
        }
        self.dictionaries.insert(id, message.clone());
        Ok(false)
    }

    fn finish(mut self) -> Result<W, IpcError> {
        self.transcoder.finish()?.write_to(&mut self.output)?;
        self.output.flush()?;
        Ok(self.output)
    }
}
