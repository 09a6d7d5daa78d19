//! Joins several inputs to one output, or copies a part of an input. Batches are copied unchanged where their borders
//! allow.

mod batch_rows;
mod cutter;
mod decoded;
mod dictionaries;
mod kept;
mod part;
mod relayed;

use std::{io::Write, ops::Range};

use arrow_ipc::{Compression, DictionaryPolicy, Limits, WriteOptions};

use self::{cutter::BatchCutter, part::OneInput, relayed::CopiedInputs};
use crate::{
    convert::{Loss, Reshaping, unify_all},
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    observer::Observer,
    target::Target,
};

/// The rows of the inputs that an [`Assembly`] writes, and their form.
#[derive(Debug, Clone)]
pub struct AssemblyOptions {
    target: Target,
    writing: Option<WriteOptions>,
    dictionaries: Option<DictionaryPolicy>,
    unifies: bool,
    selection: SelectedRows,
    n_target_rows: Option<u64>,
    reshaping: Option<Reshaping>,
    limits: Limits,
}

/// The selected batches or rows.
#[derive(Debug, Clone)]
enum SelectedRows {
    All,
    Batches(Range<u64>),
    Rows(Range<u64>),
}

impl AssemblyOptions {
    /// All batches of all inputs, unchanged.
    pub fn new(target: Target) -> AssemblyOptions {
        AssemblyOptions {
            target,
            writing: None,
            dictionaries: None,
            unifies: false,
            selection: SelectedRows::All,
            n_target_rows: None,
            reshaping: None,
            limits: Limits::default(),
        }
    }

    /// Writes all batches in this form. By default they keep their form; a batch joined from several gets the codec of
    /// the first batch.
    #[must_use]
    pub fn with_writing(self, writing: WriteOptions) -> AssemblyOptions {
        AssemblyOptions { writing: Some(writing), ..self }
    }

    /// How changed dictionaries are written. The rest of the form stays unchanged.
    #[must_use]
    pub fn with_dictionaries(self, dictionaries: DictionaryPolicy) -> AssemblyOptions {
        AssemblyOptions { dictionaries: Some(dictionaries), ..self }
    }

    /// Selects these batches, counted from 0 over all inputs. The first of them must exist, unless it is 0; the range may
    /// end after the last batch. This replaces an earlier selection of rows.
    #[must_use]
    pub fn with_batches(self, batches: Range<u64>) -> AssemblyOptions {
        AssemblyOptions { selection: SelectedRows::Batches(batches), ..self }
    }

    /// Selects these rows, counted from 0 over all inputs. The first of them must exist, unless it is 0; the range may
    /// end after the last row. This replaces an earlier selection of batches.
    #[must_use]
    pub fn with_rows(self, rows: Range<u64>) -> AssemblyOptions {
        AssemblyOptions { selection: SelectedRows::Rows(rows), ..self }
    }

    /// Writes batches of this many rows, at least 1; the last may have fewer. A batch joined from several gets the custom
    /// metadata of the first.
    #[must_use]
    pub fn with_target_rows(self, n_rows: u64) -> AssemblyOptions {
        AssemblyOptions { n_target_rows: Some(n_rows.max(1)), ..self }
    }

    /// Writes one dictionary with the values of all inputs. Reads them twice.
    #[must_use]
    pub fn unifying_dictionaries(self) -> AssemblyOptions {
        AssemblyOptions { unifies: true, ..self }
    }

    /// Changes the columns of each input, which decodes all batches. The inputs must then have the same columns. The
    /// number of rows in a batch is set by [`with_target_rows`](AssemblyOptions::with_target_rows) only.
    #[must_use]
    pub fn reshaping(self, reshaping: Reshaping) -> AssemblyOptions {
        AssemblyOptions { reshaping: Some(reshaping), ..self }
    }

    /// Sets the limits of reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> AssemblyOptions {
        AssemblyOptions { limits, ..self }
    }
}

/// Inputs with the same columns that become one output.
///
/// Messages are copied without decoding if that gives the same rows. The inputs must be files and streams that are read
/// by position, in the byte order of this machine. Their dictionaries must not change; they must be the same in all
/// inputs, or replace each other in a stream. Copied messages are checked, but not their values. Everything else is
/// decoded, checked and written again.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{StreamWriter, WriteOptions};
/// use arrow_ipc_tools::{Assembly, AssemblyOptions, Input, Rows, Target};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut stream = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new())?;
/// stream.write(&batch)?;
/// let stream = arrow_buffer::Buffer::from(stream.finish()?);
/// let inputs = ["a", "b"].map(|name| Input::try_from_buffer(name, stream.clone()));
///
/// let options = AssemblyOptions::new(Target::File).with_rows(1..4).with_target_rows(2);
/// let inputs = inputs.into_iter().collect::<Result<_, _>>()?;
/// let (file, _) = Assembly::open(inputs, &options, &mut ())?.write_to(Vec::new(), &mut ())?;
/// let Rows::File { reader, .. } = Rows::open(Input::try_from_buffer("both", file.into())?)? else { panic!() };
/// assert_eq!((reader.batch(0)?.n_rows(), reader.batch(1)?.n_rows()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Assembly {
    parts: Vec<OneInput>,
    options: AssemblyOptions,
    writing: WriteOptions,
    /// `None` if messages must be decoded.
    copied: Option<CopiedInputs>,
    losses: Vec<(InputName, Loss)>,
}

impl Assembly {
    /// Reads the schemas, and the metadata that decides whether messages can be copied.
    ///
    /// # Errors
    /// If an input cannot be read, has only tensors, or has other columns than the first. If there is no input. If
    /// dictionaries cannot be unified, or the observer stops the work.
    pub fn open(
        inputs: Vec<Input>,
        options: &AssemblyOptions,
        observer: &mut dyn Observer,
    ) -> Result<Assembly, ToolError> {
        let mut inputs = inputs;
        let mut policy = options.dictionaries.clone();
        if options.unifies {
            let unified: DictionaryPolicy;
            let writing = options.writing.clone().unwrap_or_default();
            let reading = (options.reshaping.as_ref(), &options.limits, &writing);
            (inputs, unified) = unify_all(inputs, reading, observer)?;
            policy = Some(unified);
        }
        let mut parts = Vec::with_capacity(inputs.len());
        let mut losses = Vec::new();
        for input in inputs {
            let reading = (options.reshaping.as_ref(), &options.limits);
            let part = OneInput::open(input, reading, &mut losses)?;
            if let Some(first) = parts.first() {
                part.check_same_columns(first)?;
                part.compare_metadata(first, &mut losses);
            }
            parts.push(part);
        }
        let Some(first) = parts.first() else {
            return Err(ToolError::new("no input".into(), ToolErrorKind::Empty));
        };
        let codec = first.codec(&options.limits);
        let kept = || WriteOptions::new().with_compression(codec.map(Compression::with_codec));
        let mut writing = first.writing(options.target, options.writing.clone().unwrap_or_else(kept))?;
        writing = policy.map_or(writing.clone(), |policy| writing.with_dictionaries(policy));
        let copied = match &options.reshaping {
            None => relayed::survey(&parts, options, &writing, &mut losses),
            Some(_) => None,
        };
        Ok(Assembly { parts, options: options.clone(), writing, copied, losses })
    }

    /// Writes the selected rows. Returns the flushed output, and what each input has lost.
    ///
    /// # Errors
    /// If an input fails, is malformed, unsupported or over a limit. If the output fails, or cannot hold a part of the
    /// inputs that must not be lost. If the inputs end before the range of batches or rows begins. If the observer stops
    /// the work. The bytes written so far are then incomplete.
    pub fn write_to<W: Write>(
        self,
        output: W,
        observer: &mut dyn Observer,
    ) -> Result<(W, Vec<(InputName, Loss)>), ToolError> {
        let Assembly { parts, options, writing, copied, mut losses } = self;
        let output = match copied {
            Some(copied) => {
                relayed::write(&parts, &copied, (output, &options, writing), &mut losses, observer)?
            }
            None => decoded::write(parts, (output, &options, writing), &mut losses, observer)?,
        };
        Ok((output, losses))
    }
}

impl AssemblyOptions {
    fn cutter(&self) -> BatchCutter {
        let rows = match &self.selection {
            SelectedRows::All | SelectedRows::Batches(_) => None,
            SelectedRows::Rows(rows) => Some(rows),
        };
        BatchCutter::new(rows, self.n_target_rows)
    }

    /// Whether the batch with this number, over all inputs, may be selected.
    fn wants_batch(&self, batch_idx: u64) -> bool {
        match &self.selection {
            SelectedRows::All | SelectedRows::Rows(_) => true,
            SelectedRows::Batches(batches) => batches.contains(&batch_idx),
        }
    }

    /// How many batches from this one on may be selected.
    fn n_left(&self, batch_idx: u64) -> usize {
        match &self.selection {
            SelectedRows::All | SelectedRows::Rows(_) => usize::MAX,
            SelectedRows::Batches(batches) => {
                usize::try_from(batches.end.saturating_sub(batch_idx)).unwrap_or(usize::MAX)
            }
        }
    }

    /// Whether no batch from this one on is selected.
    fn is_past(&self, batch_idx: u64) -> bool {
        matches!(&self.selection, SelectedRows::Batches(batches) if batch_idx >= batches.end)
    }

    /// Compares the range with this many batches of the inputs, and with the rows that the cutter has seen.
    ///
    /// # Errors
    /// If the range is not empty, does not begin with 0, and none of it exists.
    fn check_start(&self, n_batches: u64, cutter: &BatchCutter, name: &InputName) -> Result<(), ToolError> {
        let (what, range, count, is_past) = match &self.selection {
            SelectedRows::All => return Ok(()),
            SelectedRows::Batches(batches) => ("batch", batches, n_batches, n_batches <= batches.start),
            SelectedRows::Rows(rows) => {
                let is_past = cutter.n_wanted() == rows.end.saturating_sub(rows.start);
                ("row", rows, rows.start.saturating_sub(cutter.n_missing()), is_past)
            }
        };
        if !is_past || range.is_empty() || range.start == 0 {
            return Ok(());
        }
        let kind = ToolErrorKind::PastEnd { what, index: range.start, count };
        Err(ToolError::new(name.clone(), kind))
    }

    /// Whether every batch is written.
    fn is_all(&self) -> bool {
        matches!(self.selection, SelectedRows::All)
    }
}
