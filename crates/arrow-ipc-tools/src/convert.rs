//! Rewrites inputs as one stream or file. Can select rows, and change columns, batches, dictionaries or codecs.

mod decode;
mod dictionaries;
mod file_dictionaries;
mod input;
mod joiner;
mod losses;
mod metadata_change;
mod options;
mod parts;
mod read;
mod relay;
mod reshape;
mod split_files;
mod spooled_stream;
mod unify;
mod writer;

use std::{io::Write, sync::Arc};

use arrow_ipc::{Compression, IpcSchema, WriteOptions};
use arrow_schema::{Metadata, Schema};

pub(crate) use self::{
    decode::{RowsWriter, write_rows},
    input::ConvertInput,
    writer::RowSink,
};
use self::{
    losses::each_loss,
    relay::survey,
    unify::{dictionaries_change, unify},
};
pub use self::{
    metadata_change::MetadataChange,
    options::ConvertOptions,
    parts::RowDivision,
    reshape::Reshaping,
    split_files::{FileSplit, PartPath, PartStore, SplitRule, split_files},
};
pub use crate::error::loss::Loss;
use crate::{
    error::{ToolError, ToolErrorKind, name::InputName},
    input::Input,
    observer::{Note, NoteKind, Observer, StatisticsLoss},
    rows::Rows,
    source::SharedSource,
};

/// Rewrites an input as a stream or file with the same rows, batches, dictionary ids, features, and metadata. Returns
/// the output, and a list of what its container could not store.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{Compression, StreamWriter, WriteOptions, WrittenContainer};
/// use arrow_ipc_tools::{ConvertOptions, Input, convert};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut stream = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// stream.write(&batch)?;
/// let input = Input::try_from_buffer("stream", stream.finish()?.into())?;
///
/// let writing = WriteOptions::new().with_compression(Some(Compression::lz4()));
/// let options = ConvertOptions { writing: Some(writing), ..ConvertOptions::new(WrittenContainer::File) };
/// let (file, losses) = convert(input, Vec::new(), &options, &mut ())?;
/// assert!(file.starts_with(b"ARROW1") && losses.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Conversion`] does this in separate steps. A program can then create the output after the schema of the input has
/// been read.
///
/// # Errors
/// If the input cannot be read, is malformed, unsupported or over a limit, or has only tensors. If the output cannot be
/// written, or its container does not support something in the input that must not be lost. If the observer stops the
/// work.
pub fn convert<W: Write>(
    input: Input,
    output: W,
    options: &ConvertOptions,
    observer: &mut dyn Observer,
) -> Result<(W, Vec<Loss>), ToolError> {
    let (output, losses) = Conversion::open(vec![input], options, observer)?.write_to(output, observer)?;
    Ok((output, losses.into_iter().map(|(_, loss)| loss).collect()))
}

/// Inputs with the same columns, and the options of the output. The schemas of the inputs have been read.
///
/// Messages of files, and of streams that are read by position, are copied without decoding if the output then has
/// the same rows. This needs the byte order of this machine, and dictionaries that do not change. If inputs have
/// different dictionaries, the output must be a stream, because only streams can replace dictionaries. All other
/// messages are decoded, checked and written again.
///
/// A program can create its output between [`open`](Conversion::open) and [`write_to`](Conversion::write_to). If an
/// input is not an Arrow file or stream, an existing output then stays unchanged.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{StreamWriter, WrittenContainer};
/// use arrow_ipc_tools::{Conversion, ConvertOptions, Input, RowWindow, Rows};
///
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut stream = StreamWriter::try_new(Vec::new(), batch.schema())?;
/// stream.write(&batch)?;
/// let stream = arrow_buffer::Buffer::from(stream.finish()?);
/// let inputs = ["a", "b"].map(|name| Input::try_from_buffer(name, stream.clone()));
///
/// let two = std::num::NonZero::new(2).expect("it is not 0");
/// let options = ConvertOptions { rows: RowWindow::from_rows(1..4), n_batch_rows: Some(two), ..ConvertOptions::copying(WrittenContainer::File) };
/// let inputs = inputs.into_iter().collect::<Result<_, _>>()?;
/// let (file, _) = Conversion::open(inputs, &options, &mut ())?.write_to(Vec::new(), &mut ())?;
/// let Rows::File { reader } = Rows::open(Input::try_from_buffer("both", file.into())?)? else { panic!() };
/// assert_eq!((reader.batch(0)?.n_rows(), reader.batch(1)?.n_rows()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Conversion {
    /// The name of the first input, for errors that concern all inputs together.
    pub(crate) name: InputName,
    pub(crate) schema: IpcSchema,
    pub(crate) inputs: Vec<ConvertInput>,
    pub(crate) options: ConvertOptions,
    pub(crate) writing: WriteOptions,
    /// Set if the messages of the inputs can be copied; `None` if they must be decoded.
    pub(crate) relayed: Option<RelayedInputs>,
}

impl Conversion {
    /// Reads the schemas of the inputs, and the metadata that shows whether messages can be copied without decoding.
    /// If dictionaries are unified, also reads all dictionaries. This also happens if a file would need other dictionaries, or
    /// fields that share one would, no policy says what to do then, and the inputs can be read twice. Compares the footer of a file with the stream inside
    /// it.
    ///
    /// # Errors
    /// If an input cannot be read, has only tensors, or has other columns than the first input. If there is no input.
    /// If dictionaries cannot be unified, or the observer stops the work.
    pub fn open(
        mut inputs: Vec<Input>,
        options: &ConvertOptions,
        observer: &mut dyn Observer,
    ) -> Result<Conversion, ToolError> {
        let mut policy = options.dictionaries.clone();
        let may_unify = options.may_unify_dictionaries() && inputs.iter().all(Input::has_positions);
        let mut reopened = Vec::new();
        if options.unifies_dictionaries {
            let unified;
            (inputs, unified) = unify(inputs, options, observer)?;
            policy = Some(unified);
        }
        let mut opened: Vec<ConvertInput> = Vec::with_capacity(inputs.len());
        // A copy may have as many fields as the inputs.
        let max_fields = inputs.iter().map(|input| input.limits().max_fields()).max().unwrap_or_default();
        for mut input in inputs {
            if may_unify {
                let [now, later] = input.twice()?;
                reopened.push(later);
                input = now;
            }
            let mut input = ConvertInput::open(input, options.reshaping.as_ref(), observer)?;
            if let Some(first) = opened.first() {
                input.check_same_columns(first)?;
                input.compare_metadata(&first.written, first.rows.metadata());
            }
            opened.push(input);
        }
        let Some(first) = opened.first_mut() else {
            return Err(ToolError::new("no input", ToolErrorKind::Empty));
        };
        let writing = options.writing.clone().unwrap_or_else(|| {
            let codec = first.codec();
            WriteOptions::new()
                .with_compression(codec.map(Compression::with_codec))
                .with_max_fields(max_fields)
        });
        let mut writing = first.writing(options.container, options.without_values_of_others(writing))?;
        let name = first.name.clone();
        let schema = first.written.clone();
        if may_unify && dictionaries_change(&opened, &writing, options) {
            drop(opened);
            let options = ConvertOptions { unifies_dictionaries: true, ..options.clone() };
            return Conversion::open(reopened, &options, observer);
        }
        if let Some(policy) = policy {
            writing = writing.with_dictionaries(policy);
        }
        let relayed = survey(&mut opened, options, &writing);
        Ok(Conversion { name, schema, inputs: opened, options: options.clone(), writing, relayed })
    }

    /// Writes the selected rows. Returns the flushed output, and the losses of each input.
    ///
    /// # Errors
    /// If an input cannot be read, is malformed, unsupported or over a limit. If the output cannot be written, or its
    /// container does not support something in the inputs that must not be lost. If the range of batches or rows begins
    /// after the end of the inputs. If the observer stops the work. After an error, the output is incomplete.
    pub fn write_to<W: Write>(
        self,
        mut output: W,
        observer: &mut dyn Observer,
    ) -> Result<(W, Vec<(InputName, Loss)>), ToolError> {
        let notes = self.notes();
        let losses = self.write(&mut output, observer)?;
        notes.iter().for_each(|note| observer.note(note));
        Ok((output, losses))
    }

    /// Like [`write_to`](Conversion::write_to), without notes about the inputs.
    fn write(
        self,
        output: &mut dyn Write,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(InputName, Loss)>, ToolError> {
        let losses = match self.relayed {
            Some(_) => relay::write(self, output, observer)?,
            None => decode::write(self, output, observer)?,
        };
        Ok(each_loss(losses))
    }

    /// Returns a note for each input with statistics, if the options do not ask for statistics of the output, and the
    /// [notes about text](Self::text_notes).
    fn notes(&self) -> Vec<Note> {
        let has_statistics = |input: &&ConvertInput| match &input.rows {
            Rows::File { reader } => reader.footer().statistics().is_some(),
            Rows::Streams(_) => false,
        };
        let is_unwanted = !self.options.writes_statistics;
        let left = self.inputs.iter().filter(|input| is_unwanted && has_statistics(input));
        let kind = || NoteKind::NoStatistics(StatisticsLoss::Unwanted);
        let left = left.map(|input| Note { input: input.name.clone(), kind: kind() });
        left.chain(self.text_notes()).collect()
    }

    /// Returns a note for each input with text that is not UTF-8 in its schema or footer.
    fn text_notes(&self) -> impl Iterator<Item = Note> {
        let inputs = self.inputs.iter().filter(|input| input.rows.has_text_not_utf8());
        inputs.map(|input| Note { input: input.name.clone(), kind: NoteKind::TextNotUtf8 })
    }

    /// The name of the first input; errors that concern all inputs together have this name.
    pub fn name(&self) -> &InputName {
        &self.name
    }

    /// The schema of the rows that are written.
    pub fn schema(&self) -> &Arc<Schema> {
        self.schema.schema()
    }
}

#[derive(Debug, Default)]
pub(crate) struct RelayedInputs {
    pub(crate) sources: Vec<SharedSource>,
    /// Whether the dictionaries of all inputs are equal.
    pub(crate) same_dictionaries: bool,
    /// For each input, the metadata of its dictionary messages. Empty if there is only one input.
    pub(crate) dictionary_metadata: Vec<Vec<Metadata>>,
}
