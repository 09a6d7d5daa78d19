//! Rewrites inputs as one stream or file: all of them or a part, with other columns, batches, dictionaries or codecs.

mod appended;
mod continued;
mod decoded;
mod dictionaries;
mod input;
mod joiner;
mod losses;
mod metadata;
mod parts;
mod read;
mod relayed;
mod reshape;
mod selected;
mod split_files;
mod stored;
mod unify;
mod writer;

use std::{io::Write, num::NonZero, ops::Range};

use arrow_ipc::{Compression, DictionaryPolicy, IpcSchema, Limits, WriteOptions};

pub use self::{
    appended::{AppendReport, AppendTo, append_reshaped, check_columns},
    continued::continue_statistics,
    losses::Loss,
    parts::CutBy,
    reshape::{Reshaping, dictionary_of},
    split_files::{FileSplit, PartStore, SplitBy, split_files},
};
#[cfg(feature = "json")]
use self::{decoded::RowsWriter, writer::Writer};
use self::{
    input::ConvertInput,
    relayed::{RelayedInputs, survey},
    unify::unify,
};
#[cfg(feature = "json")]
pub(crate) use self::{
    joiner::CastRows,
    read::{ReadInPieces, ReadPart, RowForm, RowReading},
    reshape::{Caster, cast_by},
};
pub(crate) use self::{losses::Losses, metadata::WholeMetadata, selected::Selected};
use crate::{
    error::{ToolError, ToolErrorKind},
    input::Input,
    lost_statistics::LostStatistics,
    name::InputName,
    observer::{Note, NoteKind, Observer},
    row_window::RowWindow,
    rows::Rows,
    target::Target,
};

/// Which rows a [`Conversion`] writes, and the form of its output.
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    target: Target,
    /// `None` if batches keep their form.
    writing: Option<WriteOptions>,
    dictionaries: Option<DictionaryPolicy>,
    unifies: bool,
    writes_statistics: bool,
    checks: Checks,
    selected: Selected,
    n_batch_rows: Option<NonZero<u64>>,
    reshaping: Option<Reshaping>,
    limits: Limits,
}

/// What is checked in messages that are not decoded, in addition to their structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Checks {
    Values,
    Structure,
}

impl ConvertOptions {
    /// Writes a stream or file with the default options of writing and reading. All values are checked.
    pub fn new(target: Target) -> ConvertOptions {
        ConvertOptions {
            target,
            writing: Some(WriteOptions::new()),
            dictionaries: None,
            unifies: false,
            writes_statistics: false,
            checks: Checks::Values,
            selected: Selected::ALL,
            n_batch_rows: None,
            reshaping: None,
            limits: Limits::default(),
        }
    }

    /// Writes a stream or file in which batches keep their form. A batch that is joined from several gets the codec of the
    /// first one. Copied messages are checked, but not their values.
    pub fn copying(target: Target) -> ConvertOptions {
        ConvertOptions { writing: None, ..ConvertOptions::new(target).unchecked() }
    }

    /// Sets the options of writing, for all batches. The metadata and features of the input replace those of the options.
    #[must_use]
    pub fn with_writing(self, writing: WriteOptions) -> ConvertOptions {
        ConvertOptions { writing: Some(writing), ..self }
    }

    /// Sets how changed dictionaries are written. Everything else about the form stays the same.
    #[must_use]
    pub fn with_dictionaries(self, dictionaries: DictionaryPolicy) -> ConvertOptions {
        ConvertOptions { dictionaries: Some(dictionaries), ..self }
    }

    /// Writes one dictionary with the values of all selected rows. It reads the inputs twice. A pipe, and the rows of text, are
    /// copied to a temporary file.
    #[must_use]
    pub fn unifying_dictionaries(self) -> ConvertOptions {
        ConvertOptions { unifies: true, ..self }
    }

    /// Writes the least and the greatest values of each batch into the footer of a file, in at most 2 % of its bytes. This decodes all
    /// batches. Streams have no place for them.
    #[must_use]
    pub fn with_statistics(self) -> ConvertOptions {
        ConvertOptions { writes_statistics: true, ..self }
    }

    /// Does not check values that are written without decoding. This needs the least time and memory. Invalid values stay
    /// invalid. The structure of messages is always checked. By default, the values of each batch of a file are checked before
    /// it is written. The values of a stream are checked by another thread, which reads the stream, too. The output gets its
    /// end only if all values are valid.
    #[must_use]
    pub fn unchecked(self) -> ConvertOptions {
        ConvertOptions { checks: Checks::Structure, ..self }
    }

    /// Changes columns, their names, or types. This decodes all batches; to
    /// [unify dictionaries](ConvertOptions::unifying_dictionaries), it decodes them twice. Several inputs must then have the
    /// same columns.
    #[must_use]
    pub fn reshaping(self, reshaping: Reshaping) -> ConvertOptions {
        ConvertOptions { reshaping: Some(reshaping), ..self }
    }

    /// Selects rows, counted over all inputs. The first of them must exist, unless it is row 0; the range may end after the last
    /// row. Batches with such rows are decoded, if their values are to be checked, or if they are cut. Earlier batches of a file
    /// are not read, nor is anything after the rows. No tensors are written. This replaces a selection of batches.
    #[must_use]
    pub fn with_rows(self, rows: RowWindow) -> ConvertOptions {
        ConvertOptions { selected: Selected::Rows(rows), ..self }
    }

    /// Selects these batches, counted from 0 over all inputs. The first of them must exist, unless it is 0; the range may
    /// end after the last batch. This replaces a selection of rows.
    #[must_use]
    pub fn with_batches(self, batches: Range<u64>) -> ConvertOptions {
        ConvertOptions { selected: Selected::Batches { wanted: batches, n_seen: 0 }, ..self }
    }

    /// Writes batches of this many rows; the last may have fewer. A batch joined from several gets the custom metadata of the
    /// first.
    #[must_use]
    pub fn with_batch_rows(self, n_rows: NonZero<u64>) -> ConvertOptions {
        ConvertOptions { n_batch_rows: Some(n_rows), ..self }
    }

    /// Sets the limits of reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ConvertOptions {
        ConvertOptions { limits, ..self }
    }

    /// The options for a temporary file of the selected rows with their final columns, and for the output that is made of it. So
    /// the rows are selected once, even if there are several outputs.
    pub fn selecting_apart(self) -> (ConvertOptions, ConvertOptions) {
        let output = ConvertOptions { reshaping: None, selected: Selected::ALL, ..self.clone() };
        (self, output)
    }
}

/// The options for converting text, whose rows are not read by [`Conversion`].
#[cfg(feature = "json")]
impl ConvertOptions {
    /// The options for a temporary stream of the rows, and for the output that is made of it, to unify dictionaries. So
    /// the text itself is not read twice.
    pub(crate) fn apart(&self) -> Option<(ConvertOptions, ConvertOptions)> {
        let rows = ConvertOptions {
            target: Target::Stream,
            writing: Some(WriteOptions::new()),
            unifies: false,
            ..self.clone()
        };
        let output = ConvertOptions { n_batch_rows: None, ..self.clone().selecting_apart().1 };
        self.unifies.then_some((rows, output))
    }

    /// The change of columns with this schema, if any.
    ///
    /// # Errors
    /// If a column to change does not exist.
    pub(crate) fn caster_of_text(
        &self,
        schema: &std::sync::Arc<arrow_schema::Schema>,
    ) -> Result<Option<Caster>, ToolErrorKind> {
        self.reshaping.as_ref().map(|reshaping| Caster::of_text(reshaping, schema)).transpose()
    }

    /// The selected rows.
    pub(crate) fn selected(&self) -> Selected {
        self.selected.clone()
    }

    /// The writer of rows with this schema.
    ///
    /// # Errors
    /// If the output fails.
    pub(crate) fn begin_rows<W: Write>(
        &self,
        output: W,
        schema: &IpcSchema,
    ) -> Result<RowsWriter<Writer<W>>, arrow_ipc::IpcError> {
        let writing = self.writing.clone().unwrap_or_default();
        RowsWriter::begin(output, self, schema, writing)
    }
}

/// Rewrites an input as a stream or file. It keeps rows, batches, dictionary ids, features, and all metadata that the
/// target can have. It returns the output, and what was lost.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{Compression, StreamWriter, WriteOptions};
/// use arrow_ipc_tools::{ConvertOptions, Input, Target, convert};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut stream = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new())?;
/// stream.write(&batch)?;
/// let input = Input::try_from_buffer("stream", stream.finish()?.into())?;
///
/// let writing = WriteOptions::new().with_compression(Some(Compression::lz4()));
/// let options = ConvertOptions::new(Target::File).with_writing(writing);
/// let (file, losses) = convert(input, Vec::new(), &options, &mut ())?;
/// assert!(file.starts_with(b"ARROW1") && losses.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// If the output must not be touched before the input is known to be valid, use [`Conversion`], which has separate steps.
///
/// # Errors
/// If the input fails, is malformed, unsupported or over a limit, or has only tensors. If the output fails, or the target
/// cannot hold a part of the input that must not be lost. If the observer stops the work.
pub fn convert<W: Write>(
    input: Input,
    output: W,
    options: &ConvertOptions,
    observer: &mut dyn Observer,
) -> Result<(W, Vec<Loss>), ToolError> {
    let (output, losses) = Conversion::open(vec![input], options, observer)?.write_to(output, observer)?;
    Ok((output, losses.into_iter().map(|(_, loss)| loss).collect()))
}

/// Inputs with the same columns whose schemas have been read, and the form of their output.
///
/// Messages of files, and of streams that are read by position, are relayed without decoding if that gives the same
/// rows. Messages can only be relayed if they have the byte order of this machine, and if their dictionaries do not change. The
/// dictionaries must also be the same in all inputs, or replace each other in a stream. Everything else is decoded, checked and
/// written again.
///
/// A program can create its output between [`open`](Conversion::open) and [`write_to`](Conversion::write_to). An input that is
/// not an Arrow file or stream then leaves an existing output unchanged.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{StreamWriter, WriteOptions};
/// use arrow_ipc_tools::{Conversion, ConvertOptions, Input, RowWindow, Rows, Target};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut stream = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::new())?;
/// stream.write(&batch)?;
/// let stream = arrow_buffer::Buffer::from(stream.finish()?);
/// let inputs = ["a", "b"].map(|name| Input::try_from_buffer(name, stream.clone()));
///
/// let two = std::num::NonZero::new(2).expect("it is not 0");
/// let options = ConvertOptions::copying(Target::File).with_rows(RowWindow::of(1..4)).with_batch_rows(two);
/// let inputs = inputs.into_iter().collect::<Result<_, _>>()?;
/// let (file, _) = Conversion::open(inputs, &options, &mut ())?.write_to(Vec::new(), &mut ())?;
/// let Rows::File { reader, .. } = Rows::open(Input::try_from_buffer("both", file.into())?)? else { panic!() };
/// assert_eq!((reader.batch(0)?.n_rows(), reader.batch(1)?.n_rows()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Conversion {
    /// The name of the first input.
    name: InputName,
    schema: IpcSchema,
    inputs: Vec<ConvertInput>,
    options: ConvertOptions,
    writing: WriteOptions,
    /// `None` if messages must be decoded.
    relayed: Option<RelayedInputs>,
}

impl Conversion {
    /// Reads the schemas, the metadata that decides whether messages can be relayed and, to unify dictionaries, all dictionaries.
    /// The footer of a file is compared with the stream inside.
    ///
    /// # Errors
    /// If an input cannot be read, has only tensors, or has other columns than the first. If there is no input. If
    /// dictionaries cannot be unified, or the observer stops the work.
    pub fn open(
        mut inputs: Vec<Input>,
        options: &ConvertOptions,
        observer: &mut dyn Observer,
    ) -> Result<Conversion, ToolError> {
        let mut policy = options.dictionaries.clone();
        if options.unifies {
            let unified;
            (inputs, unified) = unify(inputs, options, observer)?;
            policy = Some(unified);
        }
        let mut opened: Vec<ConvertInput> = Vec::with_capacity(inputs.len());
        for input in inputs {
            let mut input = ConvertInput::open(input, options.reshaping.as_ref(), &options.limits)?;
            if let Some(first) = opened.first() {
                input.check_same_columns(first)?;
                input.compare_metadata(&first.written, first.rows.metadata());
            }
            opened.push(input);
        }
        let Some(first) = opened.first_mut() else {
            return Err(ToolError::new("no input".into(), ToolErrorKind::Empty));
        };
        let writing = options.writing.clone().unwrap_or_else(|| {
            let codec = first.codec(&options.limits);
            WriteOptions::new().with_compression(codec.map(Compression::with_codec))
        });
        let mut writing = first.writing(options.target, writing)?;
        if let Some(policy) = policy {
            writing = writing.with_dictionaries(policy);
        }
        let (name, schema) = (first.name.clone(), first.written.clone());
        let relayed = survey(&mut opened, options, &writing);
        Ok(Conversion { name, schema, inputs: opened, options: options.clone(), writing, relayed })
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
        let left = self.left_statistics();
        let written = self.write(output, observer)?;
        left.iter().for_each(|note| observer.note(note));
        Ok(written)
    }

    /// As [`write_to`](Conversion::write_to), without notes about statistics.
    fn write<W: Write>(
        self,
        output: W,
        observer: &mut dyn Observer,
    ) -> Result<(W, Vec<(InputName, Loss)>), ToolError> {
        let (output, losses) = match self.relayed {
            Some(_) => relayed::write(self, output, observer)?,
            None => decoded::write(self, output, observer)?,
        };
        Ok((output, each_loss(losses)))
    }

    /// Notes about the inputs whose footers have statistics, if the output gets none.
    fn left_statistics(&self) -> Vec<Note> {
        let has_statistics = |input: &&ConvertInput| match &input.rows {
            Rows::File { reader, .. } => reader.footer().statistics().is_some(),
            Rows::Streams(_) => false,
        };
        let left = self.inputs.iter().filter(|_| !self.options.writes_statistics).filter(has_statistics);
        let kind = || NoteKind::NoStatistics(LostStatistics::Unwanted);
        left.map(|input| Note { input: input.name.clone(), kind: kind() }).collect()
    }
}

fn each_loss(losses: Vec<(InputName, Losses)>) -> Vec<(InputName, Loss)> {
    let each = |(name, losses): (InputName, Losses)| {
        losses.into_list().into_iter().map(move |loss| (name.clone(), loss))
    };
    losses.into_iter().flat_map(each).collect()
}
