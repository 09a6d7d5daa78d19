//! Rewrites a file or streams as a stream or file, and keeps its metadata.

mod losses;
mod metadata;
mod relayed;
mod reshape;
#[cfg(feature = "json")]
mod text;
mod unify;
mod writer;

use std::{io::Write, sync::Arc};

use arrow_data::RecordBatch;
use arrow_ipc::{DictionaryPolicy, FileReader, IpcSchema, Limits, WriteOptions};
use arrow_schema::Metadata;

#[cfg(feature = "json")]
pub(crate) use self::text::TextWriter;
pub(crate) use self::{
    losses::Kept,
    metadata::WholeMetadata,
    reshape::{
        CastRows, Caster, ReadInPieces, Reshaped, Reshaper, cast_by, cast_large, each_cast, open_reshaped,
        read_cast,
    },
    unify::unify_all,
    writer::{DictionaryRepeats, Writer},
};
pub use self::{losses::Loss, reshape::Reshaping};
use self::{
    losses::Losses,
    relayed::{Checks, Output, Relayed},
    unify::unify,
};
use crate::{
    error::{ToolError, ToolErrorKind},
    input::Input,
    name::InputName,
    observer::{Observer, Pass},
    row_window::RowWindow,
    rows::Rows,
    source::SharedSource,
    streams::{Part, Streams},
    target::Target,
};

/// The output of [`convert`].
#[derive(Debug, Clone)]
pub struct ConvertOptions {
    target: Target,
    writing: WriteOptions,
    unifies: bool,
    checks: Checks,
    limits: Limits,
    reshaping: Option<Reshaping>,
    rows: RowWindow,
}

impl ConvertOptions {
    /// A stream or file with the default options of writing and reading.
    pub fn new(target: Target) -> ConvertOptions {
        ConvertOptions {
            target,
            writing: WriteOptions::new(),
            unifies: false,
            checks: Checks::Values,
            limits: Limits::default(),
            reshaping: None,
            rows: RowWindow::ALL,
        }
    }

    /// Sets the options of writing. The metadata and features of the input replace those of the options.
    #[must_use]
    pub fn with_writing(self, writing: WriteOptions) -> ConvertOptions {
        ConvertOptions { writing, ..self }
    }

    /// Writes one dictionary with the values of all batches. It reads the input twice. A pipe, and the rows of text, are
    /// copied to a temporary file.
    #[must_use]
    pub fn unifying_dictionaries(self) -> ConvertOptions {
        ConvertOptions { unifies: true, ..self }
    }

    /// Does not check values that are written without decoding, which takes the least time and memory. Invalid values
    /// stay invalid. The structure of messages is always checked. By default, the values of each batch of a file are
    /// checked before it is written. Those of a stream are checked by another thread, which also reads it. The output
    /// only gets its end if they are valid.
    #[must_use]
    pub fn unchecked(self) -> ConvertOptions {
        ConvertOptions { checks: Checks::Structure, ..self }
    }

    /// Changes columns, names, types, or the rows of batches. This decodes all batches; to
    /// [unify dictionaries](ConvertOptions::unifying_dictionaries), twice.
    #[must_use]
    pub fn reshaping(self, reshaping: Reshaping) -> ConvertOptions {
        ConvertOptions { reshaping: Some(reshaping), ..self }
    }

    /// Selects rows. The first of them must exist, unless it is row 0; the range may end after the last row. Batches with
    /// such rows are decoded. Earlier batches of a file are not read, nor is anything after the rows. No tensors are written.
    #[must_use]
    pub fn with_rows(self, rows: RowWindow) -> ConvertOptions {
        ConvertOptions { rows, ..self }
    }

    /// Sets the limits of reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ConvertOptions {
        ConvertOptions { limits, ..self }
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
    Conversion::open(input, options, observer)?.write_to(output, observer)
}

/// An input whose schema has been read, and the form of its output.
///
/// A program can create its output between [`open`](Conversion::open) and [`write_to`](Conversion::write_to). Then an
/// input that is no Arrow file or stream does not touch the output.
#[derive(Debug)]
pub struct Conversion {
    name: InputName,
    rows: Rows,
    target: Target,
    writing: WriteOptions,
    repeats: DictionaryRepeats,
    losses: Losses,
    /// The messages, if nothing must be decoded.
    relayed: Option<Relayed>,
    checks: Checks,
    /// The change of columns or batches, if any.
    reshaper: Option<Box<Reshaper>>,
    window: RowWindow,
}

impl Conversion {
    /// Reads the schema and, to unify dictionaries, all dictionaries. The footer of a file is compared with the stream inside.
    ///
    /// # Errors
    /// If the input cannot be read, has only tensors, or its dictionaries cannot be unified. If the observer stops the
    /// work.
    pub fn open(
        mut input: Input,
        options: &ConvertOptions,
        observer: &mut dyn Observer,
    ) -> Result<Conversion, ToolError> {
        let name = input.name().clone();
        let mut writing = options.writing.clone();
        if options.unifies {
            let policy;
            (input, policy) = unify(input, options, observer)?;
            writing = writing.with_dictionaries(policy);
        }
        let is_decoded = options.unifies || options.reshaping.is_some() || !options.rows.is_everything();
        let again;
        (input, again) = match input.has_positions() && !is_decoded {
            true => input.twice().map(|[input, again]| (input, Some(again)))?,
            false => (input, None),
        };
        let (rows, reshaper) = open_reshaped(input, options.reshaping.as_ref(), &options.limits)?;
        let mut losses = Losses::default();
        let (metadata, repeats) = match &rows {
            Rows::File { reader, file } => {
                losses.look_at_file(&name, file, (reader.footer(), &options.limits))?;
                let metadata = WholeMetadata::of_file(reader);
                let metadata =
                    metadata.map_err(|error| ToolError::new(name.clone(), ToolErrorKind::Input(error)))?;
                (metadata, DictionaryRepeats::No)
            }
            Rows::Streams(streams) => {
                let is_unified = matches!(writing.dictionaries(), DictionaryPolicy::Unify(_));
                let repeats = if is_unified { DictionaryRepeats::No } else { DictionaryRepeats::Yes };
                (WholeMetadata::of_stream(streams.metadata()), repeats)
            }
        };
        losses.whole(&metadata, options.target);
        let features = rows.ipc_schema().features().iter().copied();
        let writing = metadata.into_options(options.target, writing).with_features(features);
        let relayed = match again {
            Some(again) => Relayed::survey(again, &rows, (&writing, &options.limits))?,
            None => None,
        };
        let (target, checks, window) = (options.target, options.checks, options.rows);
        Ok(Conversion { name, rows, target, writing, repeats, losses, relayed, checks, reshaper, window })
    }

    /// Writes the whole input. Returns the flushed output, and what was lost.
    ///
    /// # Errors
    /// As [`convert`]. The bytes written so far are then incomplete.
    pub fn write_to<W: Write>(
        self,
        output: W,
        observer: &mut dyn Observer,
    ) -> Result<(W, Vec<Loss>), ToolError> {
        let Conversion {
            name,
            rows,
            target,
            writing,
            repeats,
            mut losses,
            relayed,
            checks,
            reshaper,
            window,
        } = self;
        if let Some(relayed) = relayed {
            let output = Output { sink: output, target, writing };
            let output = relayed.write((&name, rows), output, (checks, &mut losses), observer)?;
            return Ok((output, losses.into_list()));
        }
        let work = rows.work();
        let failed = |error| ToolError::new(name.clone(), ToolErrorKind::Output(error));
        let writer = match &reshaper {
            None => Writer::begin(output, (target, repeats), rows.ipc_schema(), writing),
            Some(reshaper) => {
                Writer::begin(output, (target, repeats), &IpcSchema::from(reshaper.schema()), writing)
            }
        };
        let writer = writer.map_err(failed)?;
        let mut copy = InputCopy { name: &name, writer, losses: &mut losses, reshaper, window, loses: true };
        match rows {
            Rows::File { reader, .. } => copy.file(&reader, || Pass::begin(observer, &name, work))?,
            Rows::Streams(mut streams) => {
                copy.streams(&mut streams, Pass::begin(observer, &name, work)?)?;
                copy.losses.look_at_streams(&streams);
            }
        }
        copy.rest()?;
        let output = copy.writer.finish().map_err(failed)?;
        Ok((output, losses.into_list()))
    }
}

/// The state of writing an input to an output.
struct InputCopy<'a, W> {
    name: &'a InputName,
    writer: Writer<W>,
    losses: &'a mut Losses,
    reshaper: Option<Box<Reshaper>>,
    /// The selected rows that are left.
    window: RowWindow,
    /// Whether the metadata of the current batch has not been written.
    loses: bool,
}

impl<W: Write> InputCopy<'_, W> {
    fn failed(&self, kind: ToolErrorKind) -> ToolError {
        ToolError::new(self.name.clone(), kind)
    }

    fn write(&mut self, batch: (RecordBatch, u64), metadata: Metadata) -> Result<(), ToolError> {
        let caster = self.reshaper.as_ref().map(|reshaper| &**reshaper.caster());
        let batch = cast_by(caster, batch).map_err(|kind| self.failed(kind))?;
        self.write_cast(CastRows { rows: (batch, metadata), is_last: true })
    }

    /// Writes a batch with its final columns.
    fn write_cast(
        &mut self,
        CastRows { rows: (batch, metadata), is_last }: CastRows,
    ) -> Result<(), ToolError> {
        let InputCopy { writer, reshaper, .. } = self;
        let mut put =
            |(batch, metadata): Reshaped| writer.write(&batch, &metadata).map_err(ToolErrorKind::Output);
        let written = match reshaper {
            None => put((batch, metadata)).map(|()| false),
            Some(reshaper) => reshaper.batch(batch, metadata, put),
        };
        self.loses &= written.map_err(|kind| self.failed(kind))?;
        if is_last && std::mem::replace(&mut self.loses, true) {
            self.losses.batch();
        }
        Ok(())
    }

    /// Writes what is left after the last batch.
    ///
    /// # Errors
    /// If the input ends before the selected rows.
    fn rest(&mut self) -> Result<(), ToolError> {
        self.writer.last_dictionaries().for_each(|kept| self.losses.dictionary(kept));
        self.window.check_start(self.name)?;
        let rest = self.reshaper.as_mut().map_or(Ok(None), |reshaper| reshaper.rest());
        let Some((batch, metadata)) = rest.map_err(|kind| self.failed(kind))? else { return Ok(()) };
        self.writer.write(&batch, &metadata).map_err(|error| self.failed(ToolErrorKind::Output(error)))
    }

    /// Dictionaries of changed columns are new, so this metadata belongs to none of their messages.
    fn dictionary(&mut self, id: i64, metadata: Metadata) {
        let kept = match &self.reshaper {
            None => self.writer.dictionary(id, metadata),
            Some(_) => Kept::of(&metadata, None),
        };
        self.losses.dictionary(kept);
    }

    fn file<'p>(
        &mut self,
        reader: &FileReader<SharedSource>,
        begin: impl FnOnce() -> Result<Pass<'p>, ToolError>,
    ) -> Result<(), ToolError> {
        let name = self.name.clone();
        let failed = |kind| ToolError::new(name.clone(), kind);
        let dictionaries = reader.dictionaries();
        for dictionary in dictionaries.map_err(|error| failed(ToolErrorKind::Input(error)))? {
            self.dictionary(dictionary.id, dictionary.metadata);
        }
        let mut pass = begin()?;
        let caster = self.reshaper.as_ref().map(|reshaper| Arc::clone(reshaper.caster()));
        let (mut n_done, mut window) = (0, self.window);
        let pieces = self.reshaper.as_ref().map_or(ReadInPieces::None, |reshaper| reshaper.pieces());
        each_cast(reader, (caster.as_deref(), &mut window, pieces), |rows| {
            let rows = rows.map_err(failed)?;
            n_done += u64::from(rows.is_last);
            self.write_cast(rows)?;
            pass.set(n_done)
        })?;
        self.window = window;
        Ok(())
    }

    fn streams(&mut self, streams: &mut Streams, mut pass: Pass<'_>) -> Result<(), ToolError> {
        let pieces = self.reshaper.as_ref().map_or(ReadInPieces::None, |reshaper| reshaper.pieces());
        if pieces == ReadInPieces::Large || !self.window.is_everything() {
            streams.keep_large_batches_apart();
        }
        while !self.window.is_done()
            && let Some(part) = streams.next_part()?
        {
            self.reshaper.iter_mut().for_each(|reshaper| reshaper.has_read(streams.n_bytes_consumed()));
            let written = match part {
                Part::Batch(batch, metadata) => {
                    let (batch, n_bytes) = (self.window.take(batch), streams.n_bytes_of_part());
                    batch.map_or(Ok(()), |batch| self.write((batch, n_bytes), metadata))?;
                    Ok(())
                }
                Part::Large(batch) => {
                    let caster = self.reshaper.as_ref().map(|reshaper| Arc::clone(reshaper.caster()));
                    let mut window = self.window;
                    let wanted = (caster.as_deref(), &mut window, pieces);
                    cast_large(&batch, wanted, |rows| self.write_cast(rows))?;
                    self.window = window;
                    Ok(())
                }
                // Before a batch, a delta may become part of the message before it.
                Part::Dictionary { is_delta: true, metadata, .. } if metadata.is_empty() => Ok(()),
                Part::Dictionary { id, metadata, .. } => {
                    self.dictionary(id, metadata);
                    Ok(())
                }
                Part::Tensor(tensor, metadata) => {
                    let is_all = self.window.is_everything();
                    let kept = is_all.then(|| self.writer.write_tensor(&tensor, &metadata));
                    kept.unwrap_or(Ok(Kept::No)).map(|kept| self.losses.tensor(kept))
                }
            };
            written.map_err(|error| ToolError::new(self.name.clone(), ToolErrorKind::Output(error)))?;
            pass.set(streams.n_bytes_consumed())?;
        }
        Ok(())
    }
}
