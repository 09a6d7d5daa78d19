//! A recovery in steps, without I/O.

use std::{mem, ops::Range};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Container, FileEncoder, IpcError, IpcErrorKind, IpcSchema, MessageKind, MetadataVersion, OwnedEncoded,
    ReadOptions, WriteOptions, WrittenContainer, message::Message,
};
use arrow_ipc_recover::{Recovery, RecoveryStep};
use arrow_ipc_rewrite::Transcoder;

use super::{
    RecoverLoss, RecoverOptions,
    copy::{Copied, MessageCopier},
    unify::DictionarySurvey,
};
use crate::{convert::Loss, error::ToolErrorKind, rows::metadata::WholeMetadata};

/// Copies every complete batch of a damaged input in steps, without I/O: [`recover`](super::recover()) for programs that fetch the
/// bytes themselves.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_buffer::Buffer;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{FileReader, FileWriter, ReadOptions, WrittenContainer};
/// use arrow_ipc_tools::{
///     RecoverOptions,
///     recover::{RecoverCopy, RecoverCopyStep},
/// };
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let damaged = Buffer::from(writer.finish()?);
/// let damaged = damaged.slice(0..damaged.len() - 30);
///
/// let options = RecoverOptions::new(WrittenContainer::File);
/// let mut copy = RecoverCopy::new(damaged.len() as u64, options, ReadOptions::new());
/// let mut file = Vec::new();
/// let mut losses = Vec::new();
/// loop {
///     match copy.step()? {
///         RecoverCopyStep::Need(range) => {
///             let bytes = damaged.slice(range.start as usize..range.end as usize);
///             copy.provide(range, bytes)?;
///         }
///         RecoverCopyStep::Bytes(bytes) => bytes.write_to(&mut file)?,
///         RecoverCopyStep::Lost(loss) => losses.push(loss),
///         RecoverCopyStep::Schema(_) => {}
///         RecoverCopyStep::End => break,
///     }
/// }
/// assert_eq!((copy.n_batches(), losses.len()), (1, 1));
/// assert_eq!(FileReader::try_from_buffer(file.into())?.n_batches(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecoverCopy {
    recovery: Recovery,
    n_bytes: u64,
    options: RecoverOptions,
    reading: ReadOptions,
    container: WrittenContainer,
    stage: Stage,
    position: u64,
    n_batches: u64,
    n_rows: u64,
    /// The number of tensors that the output cannot contain, and that are not reported yet.
    n_tensors: usize,
    /// A message that comes after a dictionary without values.
    pending: Option<(Message, Option<RecordBatch>)>,
}

/// What [`RecoverCopy::step`] found or needs.
#[derive(Debug)]
pub enum RecoverCopyStep {
    /// [Provide](RecoverCopy::provide) this byte range of the input.
    Need(Range<u64>),
    /// The schema was found. There is one such step, before the first bytes of the output.
    Schema(IpcSchema),
    /// The next bytes of the output. They share the bodies of messages.
    Bytes(OwnedEncoded),
    /// Something is not in the output.
    Lost(RecoverLoss),
    /// The output is complete. If there was no schema, it is empty.
    End,
}

#[derive(Debug)]
enum Stage {
    /// The schema was not found yet.
    Searching,
    /// The schema was found, and the output has not started.
    Found(IpcSchema),
    /// The dictionaries of the whole input are read, since a file cannot replace dictionaries.
    Surveying(Box<Survey>),
    Copying(Copier),
    /// All messages are in the output, but not its end.
    Ending(Copier),
    Ended,
    /// A step failed, or is not over.
    Failed,
}

#[derive(Debug)]
struct Survey {
    schema: IpcSchema,
    recovery: Recovery,
    dictionaries: DictionarySurvey,
}

/// Makes the bytes of the output.
#[derive(Debug)]
enum Copier {
    Messages(Box<MessageCopier>),
    /// Each dictionary has the values of all batches.
    Unified(Box<FileEncoder>),
}

impl RecoverCopy {
    /// A copy of an input with this number of bytes.
    pub fn new(n_bytes: u64, options: RecoverOptions, reading: ReadOptions) -> RecoverCopy {
        RecoverCopy {
            recovery: options.recovery(n_bytes, reading.clone()),
            n_bytes,
            container: options.container.unwrap_or(WrittenContainer::Stream),
            options,
            reading,
            stage: Stage::Searching,
            position: 0,
            n_batches: 0,
            n_rows: 0,
            n_tensors: 0,
            pending: None,
        }
    }

    /// The container of the output. If it is that of the input, it is known from the first
    /// [`Bytes`](RecoverCopyStep::Bytes) on.
    pub fn container(&self) -> WrittenContainer {
        self.container
    }

    /// What is known of the input: its container, footer and metadata.
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// The end of the furthest part of the input that was copied or reported as lost, from the start of the input.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The number of batches in the output so far.
    pub fn n_batches(&self) -> u64 {
        self.n_batches
    }

    /// The number of rows in the output so far.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Provides a byte range of the input, which may be longer than the needed range.
    ///
    /// # Errors
    /// If `bytes` has another length than the range, or the range is not in the input.
    pub fn provide(&mut self, range: Range<u64>, bytes: Buffer) -> Result<(), ToolErrorKind> {
        let reader = match &mut self.stage {
            Stage::Surveying(survey) => &mut survey.recovery,
            Stage::Searching
            | Stage::Found(_)
            | Stage::Copying(_)
            | Stage::Ending(_)
            | Stage::Ended
            | Stage::Failed => &mut self.recovery,
        };
        Ok(reader.provide(range, bytes)?)
    }

    /// Takes the next step. After [`End`](RecoverCopyStep::End), each step is `End`.
    ///
    /// # Errors
    /// If the input has a schema that cannot be read, or is over a limit. If the output cannot be made ([`Output`](ToolErrorKind::Output)): it has to be a file,
    /// and the input replaces an ordered dictionary by one whose order does not agree with it. After an error, the output is incomplete, and each step returns
    /// [`AlreadyFailed`](IpcErrorKind::AlreadyFailed).
    pub fn step(&mut self) -> Result<RecoverCopyStep, ToolErrorKind> {
        loop {
            let step = match mem::replace(&mut self.stage, Stage::Failed) {
                Stage::Searching => self.search()?,
                Stage::Found(schema) => match self.begin(schema.clone()) {
                    Err(ToolErrorKind::Output(_)) if self.may_be_stream() => self.copy_as_stream(schema)?,
                    step => step?,
                },
                Stage::Surveying(survey) => self.survey(survey)?,
                Stage::Copying(copier) => self.copy(copier)?,
                Stage::Ending(copier) => self.end(copier)?,
                Stage::Ended => {
                    self.stage = Stage::Ended;
                    Some(RecoverCopyStep::End)
                }
                Stage::Failed => {
                    return Err(IpcError::from(IpcErrorKind::AlreadyFailed { what: "copy" }).into());
                }
            };
            if let Some(step) = step {
                return Ok(step);
            }
        }
    }

    fn search(&mut self) -> Result<Option<RecoverCopyStep>, ToolErrorKind> {
        let step = self.recovery.step()?;
        self.stage = Stage::Searching;
        Ok(match step {
            RecoveryStep::Need(range) => Some(RecoverCopyStep::Need(range)),
            RecoveryStep::Lost(part) => Some(RecoverCopyStep::Lost(RecoverLoss::Part(part))),
            RecoveryStep::Schema(schema) => {
                if let (None, Some(Container::File)) = (self.options.container, self.recovery.container()) {
                    self.container = WrittenContainer::File;
                }
                self.stage = Stage::Found(schema.clone());
                Some(RecoverCopyStep::Schema(schema))
            }
            RecoveryStep::End => {
                self.stage = Stage::Ended;
                None
            }
            // There are no messages before the schema.
            RecoveryStep::Message { .. } | _ => None,
        })
    }

    /// Whether the output may be a stream where it cannot be a file.
    fn may_be_stream(&self) -> bool {
        self.options.container.is_none() && self.container == WrittenContainer::File
    }

    fn copy_as_stream(&mut self, schema: IpcSchema) -> Result<Option<RecoverCopyStep>, ToolErrorKind> {
        self.container = WrittenContainer::Stream;
        self.copy_messages(schema)
    }

    fn begin(&mut self, schema: IpcSchema) -> Result<Option<RecoverCopyStep>, ToolErrorKind> {
        if self.container() == WrittenContainer::File && self.recovery.repeats_dictionaries() {
            let dictionaries = DictionarySurvey::new(&schema, &self.writing(&schema));
            let recovery = self.options.recovery(self.n_bytes, self.reading.clone());
            self.stage = Stage::Surveying(Box::new(Survey { schema, recovery, dictionaries }));
            return Ok(None);
        }
        self.copy_messages(schema)
    }

    fn copy_messages(&mut self, schema: IpcSchema) -> Result<Option<RecoverCopyStep>, ToolErrorKind> {
        let writing = self.writing(&schema);
        let limits = self.reading.limits().clone();
        let copier = MessageCopier::try_new(&schema, self.container(), limits, writing);
        self.start(Copier::Messages(Box::new(copier.map_err(ToolErrorKind::Output)?)))
    }

    fn start(&mut self, mut copier: Copier) -> Result<Option<RecoverCopyStep>, ToolErrorKind> {
        let start = copier.start().map_err(ToolErrorKind::Output)?;
        self.stage = Stage::Copying(copier);
        Ok(Some(RecoverCopyStep::Bytes(start)))
    }

    fn survey(&mut self, mut survey: Box<Survey>) -> Result<Option<RecoverCopyStep>, ToolErrorKind> {
        let need = match survey.recovery.step()? {
            RecoveryStep::End => {
                let Survey { schema, dictionaries, .. } = *survey;
                let unified = match dictionaries.finish() {
                    Ok(Some(unified)) => unified,
                    Ok(None) => return self.copy_messages(schema),
                    Err(_) if self.may_be_stream() => return self.copy_as_stream(schema),
                    Err(error) => return Err(ToolErrorKind::Output(error)),
                };
                let writing = unified.options(self.writing(&schema));
                let encoder = FileEncoder::try_new_with(schema, writing).map_err(ToolErrorKind::Output)?;
                return self.start(Copier::Unified(Box::new(encoder)));
            }
            RecoveryStep::Need(range) => Some(RecoverCopyStep::Need(range)),
            RecoveryStep::Message { message, batch } => {
                survey.dictionaries.add(message, batch.as_ref(), self.reading.limits())?;
                None
            }
            RecoveryStep::Schema(_) | RecoveryStep::Lost(_) | _ => None,
        };
        self.stage = Stage::Surveying(survey);
        Ok(need)
    }

    fn copy(&mut self, mut copier: Copier) -> Result<Option<RecoverCopyStep>, ToolErrorKind> {
        let step = match self.pending.take() {
            Some((message, batch)) => RecoveryStep::Message { message, batch },
            None => self.recovery.step()?,
        };
        let step = match step {
            RecoveryStep::Need(range) => Some(RecoverCopyStep::Need(range)),
            RecoveryStep::Message { message, batch } => {
                let copied = copier.copy(&message, batch.as_ref()).map_err(ToolErrorKind::Output)?;
                self.count(message, batch, copied)
            }
            RecoveryStep::Lost(part) => {
                self.position = self.position.max(part.range().end);
                Some(RecoverCopyStep::Lost(RecoverLoss::Part(part)))
            }
            RecoveryStep::End => {
                self.stage = Stage::Ending(copier);
                return Ok(None);
            }
            RecoveryStep::Schema(_) | _ => None,
        };
        self.stage = Stage::Copying(copier);
        Ok(step)
    }

    fn count(
        &mut self,
        message: Message,
        batch: Option<RecordBatch>,
        copied: Copied,
    ) -> Option<RecoverCopyStep> {
        let end = message.body_position().saturating_add(message.n_body_bytes());
        self.position = self.position.max(end);
        match copied {
            Copied::Bytes(bytes) => {
                if let Some(batch) = batch {
                    self.n_batches = self.n_batches.saturating_add(1);
                    self.n_rows = self.n_rows.saturating_add(batch.n_rows() as u64);
                }
                Some(RecoverCopyStep::Bytes(bytes))
            }
            Copied::DictionaryBefore(bytes) => {
                self.pending = Some((message, batch));
                Some(RecoverCopyStep::Bytes(bytes))
            }
            Copied::Before => None,
            Copied::TensorInFile => {
                self.n_tensors = self.n_tensors.saturating_add(1);
                None
            }
            Copied::Lost { id } => {
                let range = message.position()..end;
                Some(RecoverCopyStep::Lost(RecoverLoss::Version { range, what: message.kind(), id }))
            }
        }
    }

    fn end(&mut self, mut copier: Copier) -> Result<Option<RecoverCopyStep>, ToolErrorKind> {
        let n_tensors = mem::take(&mut self.n_tensors);
        if n_tensors > 0 {
            self.stage = Stage::Ending(copier);
            return Ok(Some(RecoverCopyStep::Lost(RecoverLoss::Other(Loss::Tensors { n_tensors }))));
        }
        if let Copier::Messages(copied) = &mut copier
            && let Some(bytes) = copied.missing_at_end().map_err(ToolErrorKind::Output)?
        {
            self.stage = Stage::Ending(copier);
            return Ok(Some(RecoverCopyStep::Bytes(bytes)));
        }
        let end = copier.finish().map_err(ToolErrorKind::Output)?;
        self.stage = Stage::Ended;
        Ok(Some(RecoverCopyStep::Bytes(end)))
    }

    /// Options with the metadata of the schema message and of the footer, as far as these are readable. A stream has
    /// no footer, so its schema message gets the footer metadata. Row counts and layouts describe the damaged file,
    /// and are not copied.
    fn writing(&self, schema: &IpcSchema) -> WriteOptions {
        let message = self.recovery.metadata().cloned().unwrap_or_default();
        let footer = self.recovery.footer().map(|footer| footer.metadata().clone());
        let options = WriteOptions::new()
            .with_max_fields(self.reading.limits().max_fields())
            .with_version(schema.version())
            .with_endianness(schema.endianness());
        let writing = WholeMetadata::new(message, footer).into_options(self.container(), options);
        in_allowed_version(schema, writing, self.container())
    }
}

impl Copier {
    fn start(&mut self) -> Result<OwnedEncoded, IpcError> {
        match self {
            Copier::Messages(copier) => copier.start(),
            Copier::Unified(encoder) => Ok(encoder.start()?.into_owned()),
        }
    }

    fn copy(&mut self, message: &Message, batch: Option<&RecordBatch>) -> Result<Copied, IpcError> {
        let encoder = match self {
            Copier::Messages(copier) => return copier.copy(message, batch),
            Copier::Unified(encoder) => encoder,
        };
        match (message.kind(), batch) {
            (MessageKind::Tensor | MessageKind::SparseTensor, _) => Ok(Copied::TensorInFile),
            (_, Some(batch)) => {
                let bytes = encoder.encode_with_metadata(batch, &message.custom_metadata()?)?;
                Ok(Copied::Bytes(bytes.into_owned()))
            }
            (_, None) => Ok(Copied::Before),
        }
    }

    fn finish(&mut self) -> Result<OwnedEncoded, IpcError> {
        match self {
            Copier::Messages(copier) => copier.finish(),
            Copier::Unified(encoder) => Ok(encoder.finish()?.into_owned()),
        }
    }
}

impl RecoverOptions {
    fn recovery(&self, n_bytes: u64, reading: ReadOptions) -> Recovery {
        let recovery = Recovery::new_with(n_bytes, reading);
        let recovery =
            if self.keeps_dictionaries { recovery.with_uncertain_dictionaries() } else { recovery };
        match &self.schema {
            Some(schema) => recovery.with_ipc_schema(schema.clone()),
            None => recovery,
        }
    }
}

/// Sets metadata version V5 if the columns need it. Some writers use V4 for them.
fn in_allowed_version(
    schema: &IpcSchema,
    writing: WriteOptions,
    container: WrittenContainer,
) -> WriteOptions {
    match Transcoder::try_new_with(schema, container, writing.clone()) {
        Err(error) if matches!(error.kind(), IpcErrorKind::NotInVersion { .. }) => {
            writing.with_version(MetadataVersion::V5)
        }
        Ok(_) | Err(_) => writing,
    }
}
