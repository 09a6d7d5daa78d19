//! Appends batches to a file in place, and finds the options for appending from the last batch of the file.

use std::{
    fs::File,
    io::{self, Write},
    mem,
    path::Path,
};

use arrow_data::RecordBatch;
use arrow_ipc::{
    Codec, FileAppender, FileWriter, IpcError, IpcErrorKind, IpcSchema, Limits, Source, WriteOptions,
    WrittenContainer,
    file::{Footer, UnreferencedBytes, UnreferencedKind},
    message::{Header, Message},
};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_schema::{Metadata, Schema};

use crate::{
    convert::{Conversion, ConvertInput, ConvertOptions, Loss, Reshaping, RowSink, RowsWriter, write_rows},
    error::{InputContext, ToolError, ToolErrorKind},
    identity::FileIdentity,
    input::Input,
    observer::{Observer, StatisticsLoss},
    rows::row_window::RowWindow,
    source::{SharedSource, is_zero},
    walk::relay::batch_message,
};

/// Appends the batches that `fill` writes to a file in place. The batches get the metadata version of the file. If
/// the footer of the file has statistics, [updates them](AppendTarget::continue_statistics). After an error, the file is
/// unchanged.
///
/// ```
/// use arrow_array::Int64Array;
/// use arrow_data::RecordBatch;
/// use arrow_ipc::{FileReader, FileWriter, WriteOptions};
/// use arrow_ipc_tools::{Input, RowWindow, ToolError, append::append_in_place};
///
/// # let folder = std::env::temp_dir();
/// # let path = folder.join(format!("arrow-ipc-tools-in-place-{}.arrow", std::process::id()));
/// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2]).into())])?;
/// let mut writer = FileWriter::try_new(Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let more = arrow_buffer::Buffer::from(writer.finish()?);
/// FileWriter::create(&path, batch.schema())?.finish()?;
///
/// append_in_place(&path, WriteOptions::new(), |to| {
///     for _ in 0..3 {
///         let input = Input::try_from_buffer("more", more.clone())?;
///         to.append_input(input, None, &mut { RowWindow::ALL }, &mut ())?;
///     }
///     Ok::<(), ToolError>(())
/// })?;
/// assert_eq!(FileReader::open(&path)?.n_rows()?, 6);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of [`AppendTarget::check_rest`], [`FileAppender::open`] and [`FileAppender::finish`], with the name of the file, and
/// the errors of `fill`. If another file was moved to `path` while this function ran. The rows are then in the replaced file, which no longer has a name.
pub fn append_in_place<T, E: From<ToolError>>(
    path: &Path,
    options: WriteOptions,
    fill: impl FnOnce(&mut AppendTarget<'_>) -> Result<T, E>,
) -> Result<(T, Option<StatisticsLoss>), E> {
    let options = AppendTarget::with_version_of_file(path, options);
    let mut appender = FileAppender::open_with(path, options).in_input(path)?;
    let identity = FileIdentity::from_path(path);
    let file = File::open(path).map_err(IpcError::from).in_input(path)?;
    AppendTarget::check_rest(&file).map_err(|kind| ToolError::new(path, kind))?;
    let file = SharedSource::new(file);
    match AppendTarget::continue_statistics(&file, &mut appender, fill) {
        Ok(filled) => {
            appender.finish().in_input(path)?;
            if FileIdentity::from_path(path) != identity {
                let what =
                    "the file was replaced meanwhile; the rows are in the replaced file, not in the new one";
                let error = IpcError::from(IpcErrorKind::Write(io::Error::other(what)));
                return Err(ToolError::new(path, error).into());
            }
            Ok(filled)
        }
        Err(error) => {
            // If `abandon` fails too, the file keeps its old footer, with unused bytes after it.
            let _ = appender.abandon();
            Err(error)
        }
    }
}

/// The end of a file, to which rows are appended. Counts the appended rows, and continues the statistics of the file.
pub struct AppendTarget<'a> {
    to: &'a mut dyn AppendOutput,
    /// The statistics of the file; `None` if it has none, or if they cannot be continued.
    statistics: Option<StatisticsBuilder>,
    report: AppendReport,
}

impl<'a> AppendTarget<'a> {
    /// The end of a file without statistics.
    pub fn new(to: &'a mut dyn AppendOutput) -> AppendTarget<'a> {
        AppendTarget { to, statistics: None, report: AppendReport::default() }
    }

    /// Checks that batches with this schema can be appended. Also finds wrong columns of an input that has no batches.
    ///
    /// # Errors
    /// If the columns of the schema differ from the columns of the file.
    pub fn check_columns(&self, schema: &Schema) -> Result<(), IpcError> {
        Ok(self.to.columns().schema().check_same_columns(schema).map_err(IpcErrorKind::Schema)?)
    }

    /// Appends a batch.
    ///
    /// # Errors
    /// If the columns of the batch differ from the columns of the file, or the batch cannot be written.
    pub fn append(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), IpcError> {
        self.to.append(batch, metadata)?;
        self.statistics.take_if(|statistics| statistics.add(batch).is_err());
        self.report.n_batches = self.report.n_batches.saturating_add(1);
        self.report.n_rows = self.report.n_rows.saturating_add(batch.n_rows() as u64);
        Ok(())
    }

    /// What has been appended since the last call.
    pub fn report(&mut self) -> AppendReport {
        mem::take(&mut self.report)
    }
}

impl AppendTarget<'_> {
    /// Checks that nothing is lost by appending: that the last complete footer of a file is followed by no other bytes than
    /// those that a crash of an appender leaves, and that no other file begins between the blocks and this footer.
    ///
    /// # Errors
    /// If there are other bytes, which may hold batches. If the file has no complete footer, or cannot be read.
    pub fn check_rest(file: &File) -> Result<(), ToolErrorKind> {
        const MOST_TORN_BYTES: u64 = 9;
        let file = file.try_clone().map_err(|error| ToolErrorKind::Input(error.into()))?;
        let file = &SharedSource::new(file);
        let range = Footer::bytes_after_last(file, &limits()).map_err(ToolErrorKind::Input)?;
        let torn = range.end.saturating_sub(MOST_TORN_BYTES).max(range.start);
        if !is_zero(file, range.start..torn).map_err(ToolErrorKind::Input)? {
            let n_bytes = range.end.saturating_sub(range.start);
            return Err(ToolErrorKind::AfterFooter { position: range.start, n_bytes });
        }
        let footer = Footer::read_last(file, &limits()).map_err(ToolErrorKind::Input)?;
        match footer.unreferenced_bytes(file, &limits()).map_err(ToolErrorKind::Input)? {
            Some(UnreferencedBytes { kind: UnreferencedKind::SecondFile, range }) => {
                Err(ToolErrorKind::InnerFile { position: range.start })
            }
            Some(UnreferencedBytes { kind: UnreferencedKind::AfterLastBlock, .. }) | None => Ok(()),
        }
    }

    /// The compression codec of the last batch of a file, to compress appended batches in the same way. `None` if that batch is not compressed, or if the file cannot be read.
    pub fn last_batch_codec(path: &Path) -> Option<Codec> {
        match last_of(path)?.1?.header(&Limits::default()) {
            Ok(Header::RecordBatch(header)) => header.compression(),
            _ => None,
        }
    }

    /// Sets the metadata version to the version of the last batch in a file, so that all batches have the same version. Returns
    /// the options unchanged if the file cannot be read.
    pub fn with_version_of_file(path: &Path, options: WriteOptions) -> WriteOptions {
        match last_of(path) {
            // A file may have batches of V4 and a footer of V5.
            Some((_, Some(batch))) => options.with_version(batch.version()),
            Some((footer, None)) => options.with_version(footer.ipc_schema().version()),
            None => options,
        }
    }

    /// Appends the batches of an input, with the custom metadata of their messages, to the end of the file. The input, or the columns that `reshaping` makes of it, must have the columns of the file, even if
    /// the input has no batches. Only rows in `window` are appended; the call moves `window` past the input. Only the first
    /// and the last batch can lose rows, if the window begins or ends inside them.
    ///
    /// ```
    /// use arrow_array::Int64Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_ipc::{FileAppender, FileReader, FileWriter, StreamWriter};
    /// use arrow_ipc_tools::{Input, RowWindow, append::AppendTarget};
    ///
    /// # let path = std::env::temp_dir().join(format!("arrow-ipc-tools-append-{}.arrow", std::process::id()));
    /// let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter([1, 2, 3]).into())])?;
    /// let mut stream = StreamWriter::try_new(Vec::new(), batch.schema())?;
    /// stream.write(&batch)?;
    /// FileWriter::create(&path, batch.schema())?.finish()?;
    ///
    /// let mut appender = FileAppender::open(&path)?;
    /// let input = Input::try_from_buffer("stream", stream.finish()?.into())?;
    /// let mut window = RowWindow::from_rows(1..3);
    /// let report = AppendTarget::new(&mut appender).append_input(input, None, &mut window, &mut ())?;
    /// appender.finish()?;
    /// assert_eq!((report.n_rows, FileReader::open(&path)?.n_rows()?), (2, 2));
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the input cannot be read, or is malformed, unsupported or has only tensors. If a column does not exist or cannot
    /// be cast. If the columns differ from those of the file. If the batches cannot be written (an error of the
    /// [output](ToolErrorKind::Output)). If the observer stops the work.
    pub fn append_input(
        &mut self,
        input: Input,
        reshaping: Option<&Reshaping>,
        window: &mut RowWindow,
        observer: &mut dyn Observer,
    ) -> Result<AppendReport, ToolError> {
        let rows = *window;
        let changes = reshaping.cloned();
        let options =
            ConvertOptions { rows, reshaping: changes, ..ConvertOptions::new(WrittenContainer::File) };
        let mut input = ConvertInput::open(input, reshaping, observer)?;
        let name = input.name.clone();
        let writing = WriteOptions::new();
        self.check_columns(input.written.schema()).map_err(ToolErrorKind::Output).in_input(&name)?;
        let schema = self.to.columns().clone();
        input.compare_metadata(&schema, self.to.metadata());
        let mut output = RowsWriter::new(self, &options, &schema);
        let conversion = Conversion { name, schema, inputs: vec![input], options, writing, relayed: None };
        let (selected, losses) = write_rows(conversion, &mut output, observer)?;
        *window = selected;
        let losses = losses.into_iter().flat_map(|(_, losses)| losses.into_list()).collect();
        Ok(AppendReport { losses, ..output.writer.report() })
    }

    /// Appends batches with `fill`, and adds their statistics to those in the footer of `source`, if it has any. The old
    /// statistics are not compared with the old batches. Returns the result of `fill`, and why statistics were lost, or
    /// `None` if none were lost.
    ///
    /// # Errors
    /// The errors of `fill`.
    pub fn continue_statistics<T, E>(
        source: &impl Source,
        to: &mut dyn AppendOutput,
        fill: impl FnOnce(&mut AppendTarget<'_>) -> Result<T, E>,
    ) -> Result<(T, Option<StatisticsLoss>), E> {
        let mut end = AppendTarget::new(to);
        let footer = Footer::read_last(source, &Limits::default().with_max_fields(u64::MAX)).ok();
        let Some(footer) = footer.filter(|footer| footer.statistics().is_some()) else {
            return Ok((fill(&mut end)?, None));
        };
        end.statistics = StatisticsBuilder::continuing(&footer).ok().flatten();
        drop(footer);
        let filled = fill(&mut end)?;
        let AppendTarget { to, statistics, .. } = end;
        let lost = match statistics.map(|statistics| statistics.finish_for(to.position())) {
            Some(Ok(Some(stream))) if matches!(to.set_statistics(&stream), Ok(true)) => None,
            Some(Ok(_)) => Some(StatisticsLoss::TooLarge),
            Some(Err(_)) | None => Some(StatisticsLoss::Unreadable),
        };
        Ok((filled, lost))
    }
}

impl RowSink for &mut AppendTarget<'_> {
    fn write(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), IpcError> {
        self.append(batch, metadata)
    }

    fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>, IpcError> {
        self.to.set_dictionary_metadata(id, metadata)
    }

    fn had_rows(&self) -> bool {
        true
    }
}

/// The number of appended batches and rows, and the losses.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct AppendReport {
    /// The number of appended batches.
    pub n_batches: u64,
    /// The number of rows in the appended batches.
    pub n_rows: u64,
    /// What was in the input and could not be written to the file.
    pub losses: Vec<Loss>,
}

/// The writer of a file to which batches can be appended.
pub trait AppendOutput {
    /// The columns of the file, with the ids of their dictionaries.
    fn columns(&self) -> &IpcSchema;

    /// The custom metadata of the footer.
    fn metadata(&self) -> &Metadata;

    /// The length of the file in bytes, without its footer.
    fn position(&self) -> u64;

    /// Stores the encoded statistics of all batches in the footer. Returns whether the footer will have them.
    ///
    /// # Errors
    /// If names and metadata of the schema are longer than the format can express, or the file cannot be written.
    fn set_statistics(&mut self, stream: &[u8]) -> Result<bool, IpcError>;

    /// Appends a batch.
    ///
    /// # Errors
    /// If the columns of the batch differ from the columns of the file, or the batch cannot be written.
    fn append(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), IpcError>;

    /// Sets the custom metadata of the next message of this dictionary. Returns the metadata of an earlier call if no
    /// message has been written since.
    ///
    /// # Errors
    /// If no dictionary of the file has this id.
    fn set_dictionary_metadata(&mut self, id: i64, metadata: Metadata) -> Result<Option<Metadata>, IpcError>;
}

/// Implements the trait for a writer type with methods of the same names.
macro_rules! append_to {
    ($writer:ident: $type:ty $(, $w:ident)?) => {
        impl$(<$w: Write>)? AppendOutput for $type {
            fn columns(&self) -> &IpcSchema {
                self.ipc_schema()
            }

            fn metadata(&self) -> &Metadata {
                $writer::footer_metadata(self)
            }

            fn position(&self) -> u64 {
                $writer::position(self)
            }

            fn set_statistics(&mut self, stream: &[u8]) -> Result<bool, IpcError> {
                $writer::set_statistics(self, stream)
            }

            fn append(&mut self, batch: &RecordBatch, metadata: &Metadata) -> Result<(), IpcError> {
                self.write_with_metadata(batch, metadata)
            }

            fn set_dictionary_metadata(&mut self, id: i64, of: Metadata) -> Result<Option<Metadata>, IpcError> {
                $writer::set_dictionary_metadata(self, id, of)
            }
        }
    };
}

append_to!(FileAppender: FileAppender<File>);
append_to!(FileWriter: FileWriter<W>, W);

/// The footer of a file, and its last batch without the body.
fn last_of(path: &Path) -> Option<(Footer, Option<Message>)> {
    let file = SharedSource::new(File::open(path).ok()?);
    let footer = Footer::read_last(&file, &limits()).ok()?;
    let batch = footer.batches().last().and_then(|block| batch_message(&file, *block).ok());
    Some((footer, batch))
}

/// The default limits, without that of fields: appending checks their number.
fn limits() -> Limits {
    Limits::default().with_max_fields(u64::MAX)
}
