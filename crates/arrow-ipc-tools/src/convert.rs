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
        CastRows, Caster, InPieces, Reshaped, Reshaper, cast_by, cast_large, each_cast, open_reshaped,
        read_cast,
    },
    unify::unify_all,
    writer::{Repeats, Writer},
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

/// What [`convert`] writes, and how.
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
    /// A stream or file with the default options of writing; reads with the default limits.
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

    /// With these options of writing. Metadata and features of the input replace theirs.
    #[must_use]
    pub fn with_writing(self, writing: WriteOptions) -> ConvertOptions {
        ConvertOptions { writing, ..self }
    }

    /// Writes one dictionary with the values of all batches. Reads the input twice; a pipe is copied to a temporary file, and of text
    /// the rows are.
    #[must_use]
    pub fn unifying_dictionaries(self) -> ConvertOptions {
        ConvertOptions { unifies: true, ..self }
    }

    /// Does not check values that need not be decoded to write them, which takes the least time and memory: what is invalid stays
    /// so. The structure of messages is checked in any case. Without this, the values of each batch of a file are checked before it
    /// is written; those of a stream are checked by another thread that reads it too. The output gets its end only if they are
    /// valid.
    #[must_use]
    pub fn unchecked(self) -> ConvertOptions {
        ConvertOptions { checks: Checks::Structure, ..self }
    }

    /// With other columns, names, types, or batches. Then all is decoded; to
    /// [unify dictionaries](ConvertOptions::unifying_dictionaries), twice.
    #[must_use]
    pub fn reshaping(self, reshaping: Reshaping) -> ConvertOptions {
        ConvertOptions { reshaping: Some(reshaping), ..self }
    }

    /// Only these rows. The first of them must be there, unless it is row 0; there may be fewer. Then all is decoded that has such
    /// rows; batches before them are not read of a file, and nothing is read after them. Tensors between batches are not written.
    #[must_use]
    pub fn with_rows(self, rows: RowWindow) -> ConvertOptions {
        ConvertOptions { rows, ..self }
    }

    /// With other limits of reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ConvertOptions {
        ConvertOptions { limits, ..self }
    }
}

/// Rewrites an input as a stream or file. Keeps rows, batches, dictionary ids, features and all metadata that the target
/// has a place for; gives the output, and what was lost.
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
/// Where the output must not be touched before the input was looked at, [`Conversion`] has both steps apart.
///
/// # Errors
/// If the input fails, is malformed, unsupported or over a limit, or holds tensors only; if the output fails, or the target
/// has no place for a part of the input that must not get lost; if the observer stops the work.
pub fn convert<W: Write>(
    input: Input,
    output: W,
    options: &ConvertOptions,
    observer: &mut dyn Observer,
) -> Result<(W, Vec<Loss>), ToolError> {
    Conversion::open(input, options, observer)?.write_to(output, observer)
}

/// An input whose schema has been read, and how it is to be written.
///
/// A program that creates its output between [`open`](Conversion::open) and [`write_to`](Conversion::write_to) has not
/// touched it if the input is not an Arrow file or stream.
#[derive(Debug)]
pub struct Conversion {
    name: InputName,
    rows: Rows,
    target: Target,
    writing: WriteOptions,
    repeats: Repeats,
    losses: Losses,
    /// Where nothing has to be decoded.
    relayed: Option<Relayed>,
    checks: Checks,
    /// Where columns or batches change.
    reshaper: Option<Box<Reshaper>>,
    window: RowWindow,
}

impl Conversion {
    /// Reads the schema and, to unify dictionaries, all dictionaries. The footer of a file is compared with the stream inside.
    ///
    /// # Errors
    /// If the input cannot be read, holds tensors only, or its dictionaries cannot be unified; if the observer stops the work.
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
                (metadata, Repeats::No)
            }
            Rows::Streams(streams) => {
                let is_unified = matches!(writing.dictionaries(), DictionaryPolicy::Unify(_));
                let repeats = if is_unified { Repeats::No } else { Repeats::Yes };
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

    /// Writes all of the input, and gives the output, flushed, and what was lost.
    ///
    /// # Errors
    /// As [`convert`]. What has been written by then is not a complete stream or file.
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
        let mut copy = Copy { name: &name, writer, losses: &mut losses, reshaper, window, loses: true };
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

/// An input on its way to an output.
struct Copy<'a, W> {
    name: &'a InputName,
    writer: Writer<W>,
    losses: &'a mut Losses,
    reshaper: Option<Box<Reshaper>>,
    /// The rows that are still wanted.
    window: RowWindow,
    /// Whether nothing that has been written of the batch at hand keeps its metadata.
    loses: bool,
}

impl<W: Write> Copy<'_, W> {
    fn failed(&self, kind: ToolErrorKind) -> ToolError {
        ToolError::new(self.name.clone(), kind)
    }

    fn write(&mut self, batch: RecordBatch, metadata: Metadata) -> Result<(), ToolError> {
        let caster = self.reshaper.as_ref().map(|reshaper| &**reshaper.caster());
        let batch = cast_by(caster, batch).map_err(|kind| self.failed(kind))?;
        self.write_cast(CastRows { rows: (batch, metadata), is_last: true })
    }

    /// Writes a batch whose columns are as they are wanted.
    fn write_cast(
        &mut self,
        CastRows { rows: (batch, metadata), is_last }: CastRows,
    ) -> Result<(), ToolError> {
        let Copy { writer, reshaper, .. } = self;
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

    /// What is left after the last batch.
    ///
    /// # Errors
    /// If the input ended before the rows that are wanted.
    fn rest(&mut self) -> Result<(), ToolError> {
        self.writer.last_dictionaries().for_each(|kept| self.losses.dictionary(kept));
        self.window.check_start(self.name)?;
        let rest = self.reshaper.as_mut().map_or(Ok(None), |reshaper| reshaper.rest());
        let Some((batch, metadata)) = rest.map_err(|kind| self.failed(kind))? else { return Ok(()) };
        self.writer.write(&batch, &metadata).map_err(|error| self.failed(ToolErrorKind::Output(error)))
    }

    /// Dictionaries of columns that change are others, and have no messages that this metadata could go to.
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
        let pieces = self.reshaper.as_ref().map_or(InPieces::None, |reshaper| reshaper.pieces());
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
        let pieces = self.reshaper.as_ref().map_or(InPieces::None, |reshaper| reshaper.pieces());
        if pieces == InPieces::Large || !self.window.is_everything() {
            streams.keep_large_batches_apart();
        }
        while !self.window.is_done()
            && let Some(part) = streams.next_part()?
        {
            self.reshaper.iter_mut().for_each(|reshaper| reshaper.has_read(streams.n_bytes_consumed()));
            let written = match part {
                Part::Batch(batch, metadata) => {
                    if let Some(batch) = self.window.take(batch) {
                        self.write(batch, metadata)?;
                    }
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
                Part::Tensor(tensor, metadata) if self.window.is_everything() => {
                    self.writer.write_tensor(&tensor, &metadata).map(|kept| self.losses.tensor(kept))
                }
                Part::Tensor(..) => Ok(self.losses.tensor(Kept::No)),
            };
            written.map_err(|error| ToolError::new(self.name.clone(), ToolErrorKind::Output(error)))?;
            pass.set(streams.n_bytes_consumed())?;
        }
        Ok(())
    }
}
