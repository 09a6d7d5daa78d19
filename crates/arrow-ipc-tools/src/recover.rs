//! Copies every complete batch of a damaged file, or of damaged streams, to an undamaged file or stream.

use std::{
    collections::HashSet,
    io::{self, Write},
    ops::Range,
};

use arrow_data::DataErrorKind;
use arrow_ipc::{
    Container, ErrorClass, FormatErrorKind, IpcErrorKind, IpcSchema, MessageKind, ReadOptions, Source,
    WrittenContainer,
};
use arrow_ipc_recover::{LostCause, LostContent, LostPart};

mod copy;
mod missing_dictionaries;
mod steps;
mod unify;

pub use self::steps::{RecoverCopy, RecoverCopyStep};
use crate::{
    convert::Loss,
    error::{
        InputContext, ToolError, ToolErrorKind,
        foreign::{LOOKED_AT_BYTES, not_arrow},
        name::InputName,
    },
    input::Input,
    observer::{NoteKind, Observer, Pass, StatisticsLoss, Unit},
    source::SharedSource,
};

/// Options for [`recover`].
#[derive(Debug, Clone)]
pub struct RecoverOptions {
    /// The container of the output; `None` for that of the input. If it is that of the input, and a file cannot have the
    /// dictionaries of the input, the output is a stream.
    pub container: Option<WrittenContainer>,
    /// Whether to copy batches of a stream even if damaged bytes may have replaced their dictionaries: see
    /// [`Recovery::with_uncertain_dictionaries`](arrow_ipc_recover::Recovery::with_uncertain_dictionaries).
    pub keeps_dictionaries: bool,
    /// A schema to use instead of the schema of the input: see [`Recovery::with_ipc_schema`](arrow_ipc_recover::Recovery::with_ipc_schema).
    pub schema: Option<IpcSchema>,
}

impl RecoverOptions {
    /// Options for this container.
    pub fn new(container: WrittenContainer) -> RecoverOptions {
        RecoverOptions { container: Some(container), ..RecoverOptions::as_input() }
    }

    /// Options for the container of the input.
    pub fn as_input() -> RecoverOptions {
        RecoverOptions { container: None, keeps_dictionaries: false, schema: None }
    }
}

/// The result of a recovery: the recovered messages, and the losses.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RecoverReport {
    /// The number of batches that were written.
    pub n_batches: u64,
    /// The number of rows in the written batches.
    pub n_rows: u64,
    /// The number of batches that the footer lists; `None` if no footer was found.
    pub n_listed_batches: Option<u64>,
    /// The number of rows according to the row counts in the footer; `None` if the footer has none.
    pub n_listed_rows: Option<u64>,
    /// The losses, in the order in which they were found.
    pub losses: Vec<RecoverLoss>,
    /// The option that may recover more.
    pub advice: Option<RecoverAdvice>,
}

/// An option with which a recovery may find more batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecoverAdvice {
    /// [`keeps_dictionaries`](RecoverOptions::keeps_dictionaries): the dictionary of a lost batch is known, but damaged
    /// bytes may have replaced it.
    KeepDictionaries,
    /// [`schema`](RecoverOptions::schema): all batches were found, and are invalid with the schema of the input.
    Schema,
}

/// Something that was in the input and is not in the output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecoverLoss {
    /// Damaged bytes, and the message that was there.
    #[error("{0}")]
    Part(LostPart),
    /// A loss that has nothing to do with the damage, such as tensors in a stream that becomes a file.
    #[error("{0}")]
    Other(Loss),
    /// A message that was not copied. It is a dictionary with unions of another metadata version than the schema, or it
    /// needs such a dictionary.
    #[error(
        "bytes {}..{}: a {what} is lost: the dictionary with id {id} has unions of another metadata version than the schema",
        range.start,
        range.end
    )]
    Version {
        /// The byte range of the message in the input.
        range: Range<u64>,
        /// The kind of the message.
        what: MessageKind,
        /// The id of the dictionary.
        id: i64,
    },
}

/// Copies every complete batch of a damaged input, with its dictionaries, to an undamaged stream or file. Returns the
/// output, and a list of the losses with their positions. The content of messages is checked. Messages are copied
/// unchanged, with their codec and metadata; if metadata version V4 does not allow a column of the input, in V5. If the output
/// is a file and the input replaces dictionaries, the input is read twice, and each dictionary of the output has the values of
/// all batches. [`Recovery`](arrow_ipc_recover::Recovery) describes the kinds of damage.
///
/// The input may begin with any bytes: see [`Input::open_damaged`].
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{FileReader, FileWriter, WrittenContainer};
/// use arrow_ipc_tools::{Input, RecoverOptions, recover};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let mut file = writer.finish()?;
/// file.truncate(file.len() - 30);
///
/// let input = Input::from_damaged("upload", arrow_buffer::Buffer::from(file));
/// let (file, report) = recover(input, Vec::new(), &RecoverOptions::new(WrittenContainer::File), &mut ())?;
/// assert_eq!((report.n_batches, report.n_rows), (1, 2));
/// assert!(report.losses[0].to_string().contains("the footer is lost"));
/// assert_eq!(FileReader::try_from_buffer(file.into())?.n_batches(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`DamagedInput`] does this in separate steps. A program can then create the output after a schema has been found.
/// [`RecoverCopy`] does it without I/O.
///
/// # Errors
/// If the input cannot be read, or has no readable schema. If the output cannot be written. If the output is a file, and
/// the input replaces an ordered dictionary by one whose order does not agree with it. If the observer stops the work.
pub fn recover<W: Write>(
    input: Input,
    output: W,
    options: &RecoverOptions,
    observer: &mut dyn Observer,
) -> Result<(W, RecoverReport), ToolError> {
    DamagedInput::open(input, options)?.write_to(output, observer)
}

/// A damaged input, after its schema has been found.
#[derive(Debug)]
pub struct DamagedInput {
    name: InputName,
    source: SharedSource,
    copy: RecoverCopy,
    options: RecoverOptions,
    report: RecoverReport,
}

impl DamagedInput {
    /// Opens an input and looks for a schema. A pipe is first copied to a temporary file.
    ///
    /// # Errors
    /// If the input cannot be read, or has no readable schema. If the input begins like another format, the error names
    /// this format.
    pub fn open(input: Input, options: &RecoverOptions) -> Result<DamagedInput, ToolError> {
        let name = input.name().clone();
        let source = input.into_source()?;
        let found = DamagedInput::search(name.clone(), source.clone(), options);
        found.map_err(|error| {
            let is_io = matches!(&error, ToolErrorKind::Input(error) if error.class() == ErrorClass::Io);
            // If the options have a schema, the first bytes of the input do not matter.
            let found = if is_io || options.schema.is_some() { None } else { foreign(&source) };
            ToolError::new(name, found.unwrap_or(error))
        })
    }

    fn search(
        name: InputName,
        source: SharedSource,
        options: &RecoverOptions,
    ) -> Result<DamagedInput, ToolErrorKind> {
        let n_bytes = source.n_bytes()?;
        let reading = ReadOptions::new().with_limits(source.limits().clone());
        let mut copy = RecoverCopy::new(n_bytes, options.clone(), reading);
        if let Some(whole) = source.whole() {
            copy.provide(0..n_bytes, whole)?;
        }
        let report = RecoverReport::default();
        let mut input = DamagedInput { name, source, copy, options: options.clone(), report };
        loop {
            match input.copy.step()? {
                RecoverCopyStep::Schema(_) => return Ok(input),
                RecoverCopyStep::Need(range) => input.fetch(range)?,
                RecoverCopyStep::Lost(loss) => input.report.losses.push(loss),
                RecoverCopyStep::End => return Err(ToolErrorKind::NotArrow { found: None }),
                // There are no bytes before the schema.
                RecoverCopyStep::Bytes(_) => {}
            }
        }
    }

    /// Reads bytes that the copy needs.
    fn fetch(&mut self, range: Range<u64>) -> Result<(), ToolErrorKind> {
        let bytes = self.source.fetch(range.clone())?;
        self.copy.provide(range, bytes)
    }

    /// Writes the complete batches to `output`. Returns the flushed output, and the losses.
    ///
    /// # Errors
    /// The errors of [`recover`]. After an error, the output is incomplete.
    pub fn write_to<W: Write>(
        mut self,
        mut output: W,
        observer: &mut dyn Observer,
    ) -> Result<(W, RecoverReport), ToolError> {
        let name = self.name.clone();
        let n_bytes = self.source.n_bytes().in_input(&name)?;
        let mut pass = Pass::begin(observer, &name, (Unit::Bytes, Some(n_bytes)))?;
        loop {
            match self.copy.step().in_input(&name)? {
                RecoverCopyStep::Need(range) => self.fetch(range).in_input(&name)?,
                RecoverCopyStep::Bytes(bytes) => written(bytes.write_to(&mut output)).in_input(&name)?,
                RecoverCopyStep::Lost(loss) => self.report.losses.push(loss),
                RecoverCopyStep::End => break,
                RecoverCopyStep::Schema(_) => {}
            }
            pass.set(self.copy.position())?;
        }
        written(output.flush()).in_input(&name)?;
        let DamagedInput { copy, options, mut report, .. } = self;
        // This is not a loss; `validate` sends the same note.
        if let Some(position) = copy.recovery().unmarked_end() {
            pass.note(NoteKind::NoEndMarker { position });
        }
        if let Some(footer) = copy.recovery().footer() {
            report.n_listed_batches = Some(footer.n_batches() as u64);
            report.n_listed_rows = footer.n_rows();
            if footer.statistics().is_some() {
                pass.note(NoteKind::NoStatistics(StatisticsLoss::Unwanted));
            }
        }
        report.n_batches = copy.n_batches();
        report.n_rows = copy.n_rows();
        report.advice = report.advice(&options, copy.recovery().container());
        Ok((output, report))
    }
}

fn written(result: io::Result<()>) -> Result<(), ToolErrorKind> {
    result.map_err(|error| ToolErrorKind::Output(IpcErrorKind::Write(error).into()))
}

impl RecoverReport {
    fn advice(&self, options: &RecoverOptions, input: Option<Container>) -> Option<RecoverAdvice> {
        let parts = || self.losses.iter().filter_map(RecoverLoss::part);
        let is_dictionary =
            |part: &&LostPart| part.what() == LostContent::Message(MessageKind::DictionaryBatch);
        let lost: HashSet<u64> = parts().filter(is_dictionary).map(|part| part.range().start).collect();
        // The dictionary is not lost itself, but bytes are that may have replaced it.
        let is_doubtful = |part: &LostPart| matches!(part.cause(), LostCause::LostDictionary { range, .. } if !lost.contains(&range.start));
        let may_replace =
            input != Some(Container::File) || parts().any(|part| matches!(part.cause(), LostCause::Replaced));
        if !options.keeps_dictionaries && may_replace && parts().any(is_doubtful) {
            return Some(RecoverAdvice::KeepDictionaries);
        }
        let is_misfit = |part: &LostPart| {
            let is_batch = part.what() == LostContent::Message(MessageKind::RecordBatch);
            is_batch && matches!(part.cause(), LostCause::Error(error) if contradicts_schema(error.kind()))
        };
        let fits_no_batch = self.n_batches == 0 && parts().any(is_misfit);
        (options.schema.is_none() && fits_no_batch).then_some(RecoverAdvice::Schema)
    }
}

/// Whether a batch has other numbers of nodes or buffers, or shorter buffers, than the schema needs. A right schema would fit it.
fn contradicts_schema(kind: &IpcErrorKind) -> bool {
    if let IpcErrorKind::Data(error) = kind {
        return matches!(error.kind(), DataErrorKind::BufferTooShort { .. });
    }
    matches!(
        kind,
        IpcErrorKind::Format(FormatErrorKind::NodeCount { .. })
            | IpcErrorKind::Format(FormatErrorKind::BufferCount { .. })
            | IpcErrorKind::Format(FormatErrorKind::VariadicCount { .. })
    )
}

impl RecoverLoss {
    fn part(&self) -> Option<&LostPart> {
        match self {
            RecoverLoss::Part(part) => Some(part),
            RecoverLoss::Other(_) | RecoverLoss::Version { .. } => None,
        }
    }
}

/// The error for an input that begins like another format; `None` if it does not.
fn foreign(source: &SharedSource) -> Option<ToolErrorKind> {
    let n_bytes = source.n_bytes().ok()?.min(LOOKED_AT_BYTES);
    let start = source.fetch(0..n_bytes).ok()?;
    let found = not_arrow(&start, || start.clone());
    found.filter(|kind| !matches!(kind, ToolErrorKind::NotArrow { found: None }))
}
