//! Writes the rows of an input to the end of a file.

use std::{fs::File, io::Write, mem};

use arrow_data::RecordBatch;
use arrow_ipc::{
    FileAppender, FileWriter, IpcError, IpcErrorKind, IpcSchema, WriteOptions, WrittenContainer,
};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_schema::{Metadata, Schema};

use crate::{
    convert::{Conversion, ConvertInput, ConvertOptions, Loss, Reshaping, RowSink, RowsWriter, write_rows},
    error::{InputContext, ToolError, ToolErrorKind},
    input::Input,
    observer::Observer,
    rows::row_window::RowWindow,
};

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

/// The end of a file, to which rows are appended. Counts the appended rows, and continues the statistics of the file.
pub struct AppendTarget<'a> {
    pub(super) to: &'a mut dyn AppendOutput,
    /// The statistics of the file; `None` if it has none, or if they cannot be continued.
    pub(super) statistics: Option<StatisticsBuilder>,
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
